# SPDX-License-Identifier: Apache-2.0
"""Gossip states by their places, which all lines share: the schema, and those in which the plugin tells something."""

import base64

from isotherm_lab.cluster import control
from isotherm_lab.cluster.node import Node

SCHEMA = 2
WIRE = 25
OUT_OF_READS = 26
HEAT = 28


def publish(node: Node, state: int, text: str) -> None:
    """Have a node publish this text in a state."""
    control.order(node, "gossip", f"{state} {text}")


def out_of_reads_until(millis: int) -> str:
    """Return what a node publishes in OUT_OF_READS: out of reads until this instant, in ms of the epoch."""
    return out_of_reads(millis.to_bytes(8, "big", signed=True))


def out_of_reads(value: bytes) -> str:
    """Return the text in OUT_OF_READS with these bytes as its value."""
    return "isotherm.out:" + base64.b64encode(value).decode()
