# SPDX-License-Identifier: Apache-2.0
"""A partition becomes hot, and is limited."""
