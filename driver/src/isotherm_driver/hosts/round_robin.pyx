# SPDX-License-Identifier: Apache-2.0
"""The native half of the round-robin policies: over every host, by datacenter, by datacenter and rack."""

from operator import index

from isotherm_driver.hosts.buckets cimport grouped
from isotherm_driver.hosts.lister cimport HostLister
from isotherm_driver.hosts.live_hosts import LiveHosts
from isotherm_driver.hosts.plan cimport HostPlan, plan_of
from isotherm_driver.hosts.policy_core cimport PolicyCore
from isotherm_driver.hosts.table cimport BY_DATACENTER, BY_RACK
from isotherm_driver.installed_driver import LOCAL_DC

# Whether the driver's own class has the datacenter by that name, and `local_dc` to read it.
cdef bint IS_UNDERSCORED = LOCAL_DC == "_local_dc"


cdef class RoundRobinCore(HostLister):
    """Every live host, each in turn."""

    def make_query_plan(self, working_keyspace=None, query=None):
        """An iterator over the hosts that are live now."""
        cdef HostPlan plan
        if self.drivers_way is not None:
            return self.drivers_way.make_query_plan(self, working_keyspace, query)
        plan = plan_of(self)
        plan.bind_next()
        return plan

    def on_add(self, host):
        """List the host, whatever a subclass does when one comes up: as with the drivers, which do not go on to it."""
        if self.drivers_way is not None:
            self.drivers_way.on_add(self, host)
        else:
            self.list_host(host, True)

    def on_remove(self, host):
        """Drop the host, whatever a subclass does when one goes down."""
        if self.drivers_way is not None:
            self.drivers_way.on_remove(self, host)
        else:
            self.unlist_host(host)

    @property
    def _live_hosts(self):
        return frozenset(self.table.local)

    @_live_hosts.setter
    def _live_hosts(self, hosts):
        self.relist(grouped(hosts, lambda host: None), None)


cdef object whole(count):
    """The number of hosts, which can be counted to; None as with the drivers, whose slices take it."""
    if count is None:
        return None
    try:
        return index(count)
    except TypeError:
        raise ValueError(f"used_hosts_per_remote_dc is {count!r}, allowed: a whole number") from None


cdef class DCAwareCore(HostLister):
    """The local datacenter's hosts in turn, then some of each remote datacenter's."""

    cdef public bint _local_dc_explicit

    def __cinit__(self, *args, **kwargs):
        self.binds_late = True
        self.locality = BY_DATACENTER
        self.swap()

    cdef int give(self, PolicyCore other) except -1:
        (<DCAwareCore> other)._local_dc_explicit = self._local_dc_explicit
        return HostLister.give(self, other)

    @property
    def local_dc(self):
        """The datacenter treated as local; settable, effective at once."""
        return self._local_dc if IS_UNDERSCORED else self.local_dc_

    @local_dc.setter
    def local_dc(self, name):
        self.become_local(name)

    @property
    def _local_dc(self):
        return self.local_dc_

    @_local_dc.setter
    def _local_dc(self, name):
        self.become_local(name)

    cdef int become_local(self, name) except -1:
        with self.changing:
            self.local_dc_ = name
            self.swap()
        return 0

    @property
    def used_hosts_per_remote_dc(self):
        """How many hosts of each remote datacenter are offered; settable, effective at once."""
        return self.used_

    @used_hosts_per_remote_dc.setter
    def used_hosts_per_remote_dc(self, count):
        count = whole(count)
        with self.changing:
            self.used_ = count
            self.swap()

    def _dc(self, host):
        """The datacenter in which a host counts; a subclass may have another opinion."""
        return host.datacenter or self.local_dc

    def _listed_by_dc(self):
        return self.table.datacenters

    @property
    def _dc_live_hosts(self):
        return LiveHosts(self._listed_by_dc, lambda hosts_by_dc: self.relist(dict(hosts_by_dc), None))

    @_dc_live_hosts.setter
    def _dc_live_hosts(self, hosts_by_dc):
        self.relist({dc: tuple(hosts) for dc, hosts in hosts_by_dc.items()}, None)


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
        with self.changing:
            self.local_rack_ = name
            self.swap()

    def _rack(self, host):
        """The rack in which a host counts; a subclass may have another opinion."""
        return host.rack or self.local_rack

    def _listed_by_rack(self):
        merged = {}
        for (dc, rack), hosts in self.by_rack.items():
            key = (dc or self.local_dc_, rack or self.local_rack_)
            merged[key] = merged.get(key, ()) + hosts
        return merged

    @property
    def _live_hosts(self):
        return LiveHosts(self._listed_by_rack, lambda hosts_by_rack: self.relist(None, dict(hosts_by_rack)))

    @_live_hosts.setter
    def _live_hosts(self, hosts_by_rack):
        self.relist(None, {place: tuple(hosts) for place, hosts in hosts_by_rack.items()})


def lists_natively(policy):
    """Whether a policy's plans and distances are this package's, not a subclass's, an instance's or the driver's."""
    kind = type(policy)
    own = getattr(policy, "__dict__", ())
    return (isinstance(policy, HostLister) and (<HostLister> policy).drivers_way is None
            and kind.make_query_plan in (HostLister.make_query_plan, RoundRobinCore.make_query_plan)
            and kind.distance is HostLister.distance
            and "make_query_plan" not in own and "distance" not in own)
