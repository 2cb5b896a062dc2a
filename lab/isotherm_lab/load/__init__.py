# SPDX-License-Identifier: Apache-2.0
"""Load on a cluster: who sends which request when, and what became of it."""
