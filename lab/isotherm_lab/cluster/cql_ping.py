# SPDX-License-Identifier: Apache-2.0
"""Asks a node, without a driver, whether it answers CQL."""

import socket
import ssl

#: Version 4, flags 0, stream 0, OPTIONS, no body; answered by SUPPORTED (0x06).
_OPTIONS = bytes([0x04, 0, 0, 0, 0x05, 0, 0, 0, 0])
_SUPPORTED = 0x06


def answers_cql(address: str, port: int, timeout_s: float = 1.0, tls: ssl.SSLContext | None = None) -> bool:
    """Whether the node at address:port answers an OPTIONS request within the time, through TLS if told so."""
    try:
        with socket.create_connection((address, port), timeout=timeout_s) as plain:
            # Its own timeout goes along.
            connection = tls.wrap_socket(plain, server_hostname=address) if tls else plain
            with connection:
                connection.sendall(_OPTIONS)
                header = connection.recv(9)
    except OSError:
        return False
    return len(header) >= 5 and header[4] == _SUPPORTED
