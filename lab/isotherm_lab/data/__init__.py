# SPDX-License-Identifier: Apache-2.0
"""The tables that experiments read and write, on the slow disk."""
