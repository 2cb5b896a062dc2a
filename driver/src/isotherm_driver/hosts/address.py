# SPDX-License-Identifier: Apache-2.0
"""The address by which nodes know each other."""

import ipaddress
from functools import lru_cache
from typing import Any

Address = tuple[bytes, int]


@lru_cache(maxsize=4096)
def _packed(text: str) -> bytes:
    try:
        return ipaddress.ip_address(text).packed
    except ValueError:  # a name, not an address
        return text.encode()


def address_of(host: Any) -> Address:
    """The address nodes know a host by, in the order in which they sort themselves."""
    return _packed(str(host.broadcast_address or host.address)), host.broadcast_port or 0
