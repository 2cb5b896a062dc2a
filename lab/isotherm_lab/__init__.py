# SPDX-License-Identifier: Apache-2.0
"""Real Cassandra clusters on loopback, open-loop load, and the experiments that compare read balancing."""
