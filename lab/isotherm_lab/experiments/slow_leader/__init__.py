# SPDX-License-Identifier: Apache-2.0
"""Counter updates while the storage of a node is slow."""
