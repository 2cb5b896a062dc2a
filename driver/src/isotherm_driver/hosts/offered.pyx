# SPDX-License-Identifier: Apache-2.0
"""The hosts a plan has offered so far, where it has to remember them.

A plan over one host table needs no such memory, for a table lists nobody twice. One that goes on under another table
does: a host that was offered where it used to be may be listed again where it is now.
"""

cimport cython


@cython.final
cdef class Offered:
    """A collection of hosts; it holds a host if it has this very object, or has an equal one.

    The object counts because its endpoint, and with it its hash and equality, may have changed since it was noted;
    equality because the same address may have come back as another object.
    """

    def __init__(self, hosts=()):
        self.by_id = {}
        self.hosts = set()
        for host in hosts:
            self.note(host)

    cdef bint holds(self, host) except -1:
        return id(host) in self.by_id or host in self.hosts

    cdef int note(self, host) except -1:
        self.by_id[id(host)] = host
        self.hosts.add(host)
        return 0

    def __contains__(self, host):
        return self.holds(host)

    def is_new(self, host):
        """Whether it did not hold the host; now it does."""
        if self.holds(host):
            return False
        self.note(host)
        return True
