# SPDX-License-Identifier: Apache-2.0
"""What clients and nodes recorded, and the figures made of it."""
