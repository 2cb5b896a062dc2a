# SPDX-License-Identifier: Apache-2.0
"""The address by which nodes know each other."""

import ipaddress
from typing import Any

Address = tuple[bytes, int]


def address_of(host: Any) -> Address:
    """The address nodes know a host by, in the order in which they sort themselves."""
    text = host.broadcast_address or host.address
    try:
        return ipaddress.ip_address(text).packed, host.broadcast_port or 0
    except ValueError:  # a name, not an address
        return str(text).encode(), host.broadcast_port or 0
