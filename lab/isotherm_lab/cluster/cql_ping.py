# SPDX-License-Identifier: Apache-2.0
"""Asks a node, without a driver, whether it answers CQL."""

import socket

#: Version 4, flags 0, stream 0, OPTIONS, no body; answered by SUPPORTED (0x06).
_OPTIONS = bytes([0x04, 0, 0, 0, 0x05, 0, 0, 0, 0])
_SUPPORTED = 0x06


def answers_cql(address: str, port: int, timeout_s: float = 1.0) -> bool:
    """Whether the node at address:port answers an OPTIONS request within the time."""
    try:
        with socket.create_connection((address, port), timeout=timeout_s) as connection:
            connection.sendall(_OPTIONS)
            header = connection.recv(9)
    except OSError:
        return False
    return len(header) >= 5 and header[4] == _SUPPORTED
