# SPDX-License-Identifier: Apache-2.0
"""What was published by address, found by host."""

from isotherm_driver.hosts.address import address_of


cdef class ByHost:
    """Values by address, which is parsed once per host; the hosts are kept, so that an id stays its own.

    Each report makes a new one, so that a host whose address has changed is looked for again.
    """

    def __init__(self, dict by_address):
        self.by_address = by_address
        self.by_id = {}

    cdef object of(self, host):
        """What the host published, None where it is nothing."""
        key = id(host)
        known = self.by_id.get(key)
        if known is None:
            known = self.by_id[key] = (host, self.by_address.get(address_of(host)[0]))
        return (<tuple> known)[1]
