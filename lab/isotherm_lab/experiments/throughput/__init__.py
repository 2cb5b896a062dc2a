# SPDX-License-Identifier: Apache-2.0
"""What the plugin costs when nothing is cold."""
