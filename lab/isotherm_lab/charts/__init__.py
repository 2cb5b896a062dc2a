# SPDX-License-Identifier: Apache-2.0
"""What the charts of all experiments have in common."""
