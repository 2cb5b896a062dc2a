# SPDX-License-Identifier: Apache-2.0
"""What statements are, as far as their routing is concerned."""
