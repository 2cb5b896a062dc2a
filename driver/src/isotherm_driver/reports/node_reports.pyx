# SPDX-License-Identifier: Apache-2.0
"""What nodes that run the Isotherm plugin have published: queue depths, and the heat of tables."""

import ipaddress
from numbers import Real

from cpython.time cimport monotonic
from libc.math cimport INFINITY

from isotherm_driver.reports.by_host cimport ByHost

cdef enum:
    MOST_HOSTS = 256
    IN_USE_SECONDS = 60

cdef double STALE_AFTER = 10, WARM_READ_US = 500, MISS_FLOOR = 0.05
KINDS = frozenset(("cache", "read_time", "disk"))

cdef class HostHeat:
    """The heat of a table on a host: hits per read of its `cache`, or microseconds.

    Those are the `read_time` of a read, or what a read costs the host: of the `disk` or of a processor, whichever is more.
    """


cdef class NodeReports:
    """What the nodes' views had when they were last read; after `stale_after` seconds without that it says nothing.

    A read of up to `warm_read_us` microseconds counts as warm, and no miss ratio as less than `miss_floor`, as the nodes
    have it in `warm_read` and `miss_floor`. Both are replaced by what a node says of them.
    """

    def __cinit__(self, *args, **kwargs):
        # Here, as a subclass may not call __init__: a plan reads these in C, and does not ask whether they are there.
        self.stale_after, self.warm_read_us, self.miss_floor = STALE_AFTER, WARM_READ_US, MISS_FLOOR
        self.depths_by_host = ByHost({})
        self.heats_by_table = {}
        self.in_use = {}

    def __init__(self, stale_after=STALE_AFTER, warm_read_us=WARM_READ_US, clock=None, miss_floor=MISS_FLOOR):
        if not isinstance(stale_after, Real) or not stale_after > 0:
            raise ValueError(f"stale_after is {stale_after}, allowed: above 0")
        self.stale_after = stale_after
        self.clock = clock
        self.reckon_with(miss_floor, warm_read_us)

    cdef double now(self) except? -1:
        return monotonic() if self.clock is None else self.clock()

    def depths(self, rows):
        """Take queue depths by address; None where the node knows none."""
        self.depths_by_host = ByHost({
            ipaddress.ip_address(address).packed: depth
            for address, depth in rows
            if depth is not None and depth >= 0
        })
        self.depths_at = self.now()

    def heats(self, rows):
        """Take heat by keyspace, table, address and kind: `cache` with hits per read, `read_time`, `disk` in microseconds."""
        cdef HostHeat heat
        cdef dict tables = {}
        for keyspace, table, address, kind, value in rows:
            if kind in KINDS and value is not None and (value >= 0 and (kind != "cache" or value <= 1)):
                heat = HostHeat.__new__(HostHeat)
                heat.kind, heat.value = kind, value
                tables.setdefault((keyspace, table), {})[ipaddress.ip_address(address).packed] = heat
        self.heats_by_table = {table: ByHost(by_address) for table, by_address in tables.items()}
        self.heats_at = self.now()

    def reckon_with(self, miss_floor=None, warm_read_us=None):
        """Make shares of heat as nodes with these settings do; None leaves one as it is."""
        floor = self.miss_floor if miss_floor is None else miss_floor
        warm = self.warm_read_us if warm_read_us is None else warm_read_us
        if not 0 < floor <= 1:
            raise ValueError(f"miss_floor is {floor}, allowed: above 0, at most 1")
        if not 0 <= warm < INFINITY:
            raise ValueError(f"warm_read_us is {warm}, allowed: 0 or above")
        self.miss_floor, self.warm_read_us = floor, warm

    def tables_in_use(self):
        """The (keyspace, table) pairs whose heat was asked for in the last minute."""
        now = self.now()
        for key, heats in list(self.heats_by_table.items()):
            if (<ByHost> heats).asked:
                (<ByHost> heats).asked = False
                self.in_use[key] = now
        self.in_use = {key: at for key, at in self.in_use.items() if now - at <= IN_USE_SECONDS}
        return list(self.in_use)

    cdef bint has_depths(self) except -1:
        """Whether any host's depth is known and fresh; the depths of all are of one age."""
        return len(self.depths_by_host.by_address) > 0 and self.now() - self.depths_at <= self.stale_after

    cdef double depth(self, host) except? -1:
        """The depth a host reported, -1 where it has not; only of use where has_depths()."""
        known = self.published_depth(host)
        return -1 if known is None else known

    def depth_of(self, host):
        """The queue depth the host reported; None where it has not, or long ago."""
        return self.published_depth(host) if self.has_depths() else None

    cdef object published_depth(self, host):
        """The depth a host reported, None where it has not."""
        cdef ByHost depths = self.depths_by_host  # held: it may be replaced while the host says its address
        return depths.of(host)

    cdef bint ratios(self, keyspace, table, list hosts, double* misses) except -1:
        """Write the misses per read of each host; False unless all of them reported the same kind of heat."""
        cdef Py_ssize_t i, count = len(hosts)
        cdef HostHeat heat
        cdef double least, slowest = 0
        kind = None
        key = (keyspace, table)
        found = self.heats_by_table.get(key)
        if found is None:
            found = self.heats_by_table[key] = ByHost({})
        (<ByHost> found).asked = True
        if count == 0 or count > MOST_HOSTS or self.now() - self.heats_at > self.stale_after:
            return False
        for i in range(count):
            known = (<ByHost> found).of(hosts[i])
            if known is None:
                return False
            heat = <HostHeat> known
            if kind is None:
                kind = heat.kind
            elif kind != heat.kind:
                return False
            misses[i] = heat.value
        if kind == "cache":
            for i in range(count):
                misses[i] = 1 - misses[i]
            return True
        for i in range(count):
            slowest = max(slowest, misses[i])
        least = self.warm_read_us
        if kind == "disk":
            # Where all read from memory shares are equal, on nodes that are not half busy with such reads; up to a cost of
            # twice that they grow apart.
            least = min(least, 2 * least - slowest)
        slowest = max(slowest, least)
        for i in range(count):
            misses[i] = max(misses[i], least) / slowest if slowest else 1
        return True

    def miss_ratios(self, keyspace, table, hosts):
        """Misses per read of each host for a table; None unless all of them reported the same kind of heat.

        Times and costs are parts of the highest; costs of warm reads alone are equal.
        """
        cdef double misses[MOST_HOSTS]
        hosts = list(hosts)
        if not self.ratios(keyspace, table, hosts, misses):
            return None
        return [misses[i] for i in range(len(hosts))]
