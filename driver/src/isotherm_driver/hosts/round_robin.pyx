# SPDX-License-Identifier: Apache-2.0
"""The native half of the round-robin policies: over every host, by datacenter, by datacenter and rack."""

from isotherm_driver.hosts.buckets cimport grouped
from isotherm_driver.hosts.lister cimport HostLister
from isotherm_driver.hosts.plan cimport HostPlan, plan_of
from isotherm_driver.hosts.table cimport BY_DATACENTER, BY_RACK


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
        self.binds_late = True
        self.locality = BY_DATACENTER
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
        self.locality = BY_RACK
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


def lists_natively(policy):
    """Whether a policy's plans and distances are this package's, not overridden in a subclass or an instance."""
    kind = type(policy)
    own = vars(policy) if hasattr(policy, "__dict__") else ()
    return (isinstance(policy, HostLister)
            and kind.make_query_plan in (HostLister.make_query_plan, RoundRobinCore.make_query_plan)
            and kind.distance is HostLister.distance
            and "make_query_plan" not in own and "distance" not in own)
