# SPDX-License-Identifier: Apache-2.0
"""Packs the plugin for the places where Cassandra runs, with the standard library only."""
