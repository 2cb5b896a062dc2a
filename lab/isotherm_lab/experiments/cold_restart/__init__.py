# SPDX-License-Identifier: Apache-2.0
"""A node restarts with an empty cache."""
