# SPDX-License-Identifier: Apache-2.0
"""Which hosts a plan offers, by distance: one immutable object per state of the topology.

A policy replaces its table as a whole whenever a host comes, goes or moves, or a setting changes; a plan reads
one reference and can never see half a change.
"""

from itertools import chain

from cpython.mem cimport PyMem_Free, PyMem_Malloc

from cassandra.policies import HostDistance

from isotherm_driver.installed_driver import LOCAL_RACK

# The driver's own numbers, by nearness.
cdef tuple DISTANCES = (HostDistance.IGNORED, LOCAL_RACK, HostDistance.LOCAL, HostDistance.REMOTE)


cdef Py_ssize_t find(tuple hosts, host) except -2:
    """The index of this very object, else of the first equal one, else -1.

    Identity comes first because a host's endpoint, and with it its hash and equality, can change while it is
    listed here.
    """
    cdef Py_ssize_t i
    for i in range(len(hosts)):
        if hosts[i] is host:
            return i
    for i in range(len(hosts)):
        if hosts[i] == host:
            return i
    return -1


cdef class HostTable:
    """Live hosts in segments: the local rack, the rest of the local datacenter, those in use of each remote datacenter.

    Remote datacenters stand in the order in which they came, as in the drivers: the first one takes over for the local
    one as a whole, and not each a part.
    `by_datacenter` and `by_rack` map what the hosts themselves state (None where they state nothing) to tuples;
    a host without a datacenter or a rack counts as local. `own_dc` and `own_rack` are a subclass's rules for where a
    host is, None for what the host states.
    """

    def __init__(self, Locality locality, dict by_datacenter, dict by_rack, local_dc, local_rack, used,
                 own_dc=None, own_rack=None):
        cdef dict merged = {}
        self.locality = locality
        self.own_dc, self.own_rack = own_dc, own_rack
        self.local_dc, self.local_rack, self.used_hosts_per_remote_dc = local_dc, local_rack, used
        in_use = self.in_use = slice(used)
        for dc, hosts in by_datacenter.items():
            dc = dc or local_dc
            merged[dc] = merged[dc] + hosts if dc in merged else hosts
        self.datacenters = merged
        here = merged.get(local_dc, ()) if locality != ALL_LOCAL else by_datacenter.get(None, ())
        self.rack = ()
        self.remotes = ()
        if locality == BY_RACK:
            self.rack = tuple(chain.from_iterable(
                hosts for (dc, rack), hosts in by_rack.items()
                if (dc or local_dc) == local_dc and (rack or local_rack) == local_rack))
            # By where they are listed, not by the rack they state now: that may have changed since, unannounced.
            in_rack = {id(host) for host in self.rack}
            here = tuple([host for host in here if id(host) not in in_rack])
        self.local = here
        if locality != ALL_LOCAL:
            self.remotes = tuple([hosts[in_use] for dc, hosts in merged.items() if dc != local_dc and hosts[in_use]])
        self.doubled = tuple([2 * hosts for hosts in (self.rack, self.local, *self.remotes)])
        self.segments = <Segment*> PyMem_Malloc(len(self.doubled) * sizeof(Segment))
        if self.segments is NULL:
            raise MemoryError
        self.count = <int> len(self.doubled)
        for number, hosts in enumerate(self.doubled):
            self.segments[number].items = isotherm_items(hosts)
            self.segments[number].length = len(hosts) // 2

    def __dealloc__(self):
        PyMem_Free(self.segments)

    cdef tuple segment(self, int number):
        """The hosts of the local rack (0), the rest of the local datacenter (1) or a remote one (from REMOTE on)."""
        return self.rack if number == 0 else self.local if number == 1 else <tuple> self.remotes[number - REMOTE]

    cdef tuple hosts(self):
        """The hosts of all segments, nearest first."""
        return self.rack + self.local + tuple(chain.from_iterable(self.remotes))

    cdef datacenter_of(self, host):
        """The datacenter in which a host counts now."""
        return (host.datacenter if self.own_dc is None else self.own_dc(host)) or self.local_dc

    cdef rack_of(self, host):
        """The rack in which a host counts now."""
        return (host.rack if self.own_rack is None else self.own_rack(host)) or self.local_rack

    cdef distance(self, host):
        """The HostDistance of any host, listed or not, by where it says it is now."""
        return DISTANCES[self.nearness(host) + 1]

    cdef int nearness(self, host) except -2:
        """-1 ignored, 0 the local rack, 1 the local datacenter, 2 remote and in use."""
        if self.locality == ALL_LOCAL:
            return 1
        dc = self.datacenter_of(host)
        if dc == self.local_dc:
            if self.locality == BY_RACK and self.rack_of(host) == self.local_rack:
                return 0
            return 1
        if not self.used_hosts_per_remote_dc:
            return -1
        cdef tuple hosts = <tuple> self.datacenters.get(dc, ())
        return 2 if find(hosts[self.in_use], host) >= 0 else -1
