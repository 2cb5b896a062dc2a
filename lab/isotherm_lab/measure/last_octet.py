# SPDX-License-Identifier: Apache-2.0
"""The part of a node's address by which the lab's nodes differ."""


def last_octet(address: str) -> int:
    """Return it: nodes are in its order, and records name a node by it."""
    return int(address.rsplit(".", 1)[1])
