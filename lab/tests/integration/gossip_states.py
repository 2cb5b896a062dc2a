# SPDX-License-Identifier: Apache-2.0
"""Gossip states by their places, which all lines share: the schema, and those in which the plugin tells something."""

from isotherm_lab.cluster import control
from isotherm_lab.cluster.node import Node

SCHEMA = 2
WIRE = 25
OUT_OF_READS = 26
HEAT = 28


def publish(node: Node, state: int, text: str) -> None:
    """Have a node publish this text in a state."""
    control.order(node, "gossip", f"{state} {text}")
