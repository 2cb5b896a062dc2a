# SPDX-License-Identifier: Apache-2.0
"""Cassandra nodes on loopback: how they are configured, started, asked, told what to do, and stopped."""
