# SPDX-License-Identifier: Apache-2.0
"""What nodes that run the plugin publish: queue depths and the heat of tables, and the thread that reads it."""
