# SPDX-License-Identifier: Apache-2.0
"""The native half of the policies that list hosts themselves: their tables, and the events that change them."""

from random import randrange
from threading import Lock

from isotherm_driver.hosts.excluding import ExcludingPlan

from isotherm_driver.hosts.buckets cimport grouped, listed, unlisted
from isotherm_driver.hosts.plan cimport HostPlan, TableHolder, plan_of
from isotherm_driver.hosts.table cimport ALL_LOCAL, BY_DATACENTER, BY_RACK, HostTable, Reading

cdef class HostLister(TableHolder):
    """Lists live hosts by location, and swaps the table whole under `_hosts_lock` when anything changes."""

    cdef dict by_datacenter, by_rack
    cdef object local_dc_, local_rack_, used_
    cdef Reading reading

    def __cinit__(self, *args, **kwargs):
        self._hosts_lock = Lock()
        self.by_datacenter = {}
        self.by_rack = {}
        self.used_ = 0
        self.swap()

    cdef int swap(self) except -1:
        self.table = HostTable(self.reading, self.by_datacenter, self.by_rack, self.local_dc_, self.local_rack_,
                               self.used_)
        return 0

    cdef datacenter_of(self, host):
        return None if self.reading == ALL_LOCAL else host.datacenter or None

    cdef place_of(self, host):
        return (self.datacenter_of(host), host.rack or None)

    def make_query_plan(self, working_keyspace=None, query=None):
        """An iterator over the live hosts, nearest first; its lists are bound as it reaches them."""
        return plan_of(self)

    def make_query_plan_with_exclusion(self, working_keyspace=None, query=None, excluded=()):
        """As make_query_plan, without the hosts that `excluded` contains."""
        return ExcludingPlan(self.make_query_plan(working_keyspace, query), excluded)

    def distance(self, host):
        """How far away a host is, by its present datacenter and rack: a HostDistance."""
        return self.table.distance(host)

    def populate(self, cluster, hosts):
        """Replace whatever was listed before by these hosts."""
        hosts = list(hosts)
        with self._hosts_lock:
            # Each host is asked once where it is, lest it be listed in two places when it moves meanwhile.
            places = {id(host): self.place_of(host) for host in hosts}
            self.by_datacenter = grouped(hosts, lambda host: places[id(host)][0])
            if self.reading == BY_RACK:
                self.by_rack = grouped(hosts, lambda host: places[id(host)])
            self.swap()
            self._position = randrange(len(hosts)) if hosts else 0

    cdef int list_host(self, host) except -1:
        with self._hosts_lock:
            place = self.place_of(host)
            self.by_datacenter = listed(self.by_datacenter, place[0], host)
            if self.reading == BY_RACK:
                self.by_rack = listed(self.by_rack, place, host)
            self.swap()
        return 0

    cdef int unlist_host(self, host) except -1:
        with self._hosts_lock:
            self.by_datacenter = unlisted(self.by_datacenter, host)
            self.by_rack = unlisted(self.by_rack, host)
            self.swap()
        return 0

    def on_up(self, host):
        """List the host, where it says it is now and nowhere else."""
        self.list_host(host)

    def on_down(self, host):
        """Drop the host, wherever it was listed, also if it has moved or changed its endpoint since."""
        self.unlist_host(host)

    def on_add(self, host):
        """As on_up."""
        self.on_up(host)

    def on_remove(self, host):
        """As on_down."""
        self.on_down(host)



cdef class RoundRobinCore(HostLister):
    """Every live host, each in turn."""

    def make_query_plan(self, working_keyspace=None, query=None):
        """An iterator over the hosts that are live now."""
        cdef HostPlan plan = plan_of(self)
        plan.bind_next()
        return plan

    @property
    def _live_hosts(self):
        return frozenset(self.table.local)

    @_live_hosts.setter
    def _live_hosts(self, hosts):
        with self._hosts_lock:
            self.by_datacenter = grouped(hosts, lambda host: None)
            self.swap()


cdef class DCAwareCore(HostLister):
    """The local datacenter's hosts in turn, then some of each remote datacenter's."""

    cdef public bint _local_dc_explicit

    def __cinit__(self, *args, **kwargs):
        self.reading = BY_DATACENTER
        self.swap()

    @property
    def local_dc(self):
        """The datacenter treated as local; settable, effective at once."""
        return self.local_dc_

    @local_dc.setter
    def local_dc(self, name):
        with self._hosts_lock:
            self.local_dc_ = name
            self.swap()

    @property
    def _local_dc(self):
        return self.local_dc_

    @_local_dc.setter
    def _local_dc(self, name):
        self.local_dc = name

    @property
    def used_hosts_per_remote_dc(self):
        """How many hosts of each remote datacenter are offered; settable, effective at once."""
        return self.used_

    @used_hosts_per_remote_dc.setter
    def used_hosts_per_remote_dc(self, count):
        with self._hosts_lock:
            self.used_ = count
            self.swap()

    @property
    def _dc_live_hosts(self):
        return dict(self.table.datacenters)

    @_dc_live_hosts.setter
    def _dc_live_hosts(self, hosts_by_dc):
        with self._hosts_lock:
            self.by_datacenter = {dc: tuple(hosts) for dc, hosts in hosts_by_dc.items() if hosts}
            self.swap()


cdef class RackAwareCore(DCAwareCore):
    """The local rack's hosts in turn, then those of the local datacenter, then some of each remote one's."""

    def __cinit__(self, *args, **kwargs):
        self.reading = BY_RACK
        self.swap()

    @property
    def local_rack(self):
        """The rack treated as local; settable, effective at once."""
        return self.local_rack_

    @local_rack.setter
    def local_rack(self, name):
        with self._hosts_lock:
            self.local_rack_ = name
            self.swap()

    @property
    def _live_hosts(self):
        merged = {}
        for (dc, rack), hosts in self.by_rack.items():
            key = (dc or self.local_dc_, rack or self.local_rack_)
            merged[key] = merged.get(key, ()) + hosts
        return merged

    @_live_hosts.setter
    def _live_hosts(self, hosts_by_rack):
        with self._hosts_lock:
            self.by_rack = {place: tuple(hosts) for place, hosts in hosts_by_rack.items() if hosts}
            self.swap()
