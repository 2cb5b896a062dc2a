# SPDX-License-Identifier: Apache-2.0
"""The policies that list hosts themselves: their tables, and the events that change them."""

from random import randrange

from isotherm_driver.hosts.buckets cimport grouped, listed, unlisted
from isotherm_driver.hosts.plan cimport TableHolder, plan_of
from isotherm_driver.hosts.table cimport ALL_LOCAL, BY_RACK, HostTable


cdef class HostLister(TableHolder):
    """Lists live hosts by location, and swaps the table whole under `_hosts_lock` when anything changes."""

    def __cinit__(self, *args, **kwargs):
        self.by_datacenter = {}
        self.by_rack = {}
        self.used_ = 0
        self.swap()

    cdef int swap(self) except -1:
        self.table = HostTable(self.locality, self.by_datacenter, self.by_rack, self.local_dc_, self.local_rack_,
                               self.used_)
        return 0

    cdef datacenter_of(self, host):
        return None if self.locality == ALL_LOCAL else host.datacenter or None

    cdef place_of(self, host):
        return (self.datacenter_of(host), host.rack or None)

    def make_query_plan(self, working_keyspace=None, query=None):
        """An iterator over the live hosts, nearest first; its lists are bound as it reaches them."""
        return plan_of(self)

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
            if self.locality == BY_RACK:
                self.by_rack = grouped(hosts, lambda host: places[id(host)])
            self.swap()
            self._position = randrange(len(hosts)) if hosts else 0

    cdef int list_host(self, host) except -1:
        with self._hosts_lock:
            place = self.place_of(host)
            self.by_datacenter = listed(self.by_datacenter, place[0], host)
            if self.locality == BY_RACK:
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
