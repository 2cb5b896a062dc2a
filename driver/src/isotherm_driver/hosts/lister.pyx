# SPDX-License-Identifier: Apache-2.0
"""The policies that list hosts themselves: their tables, and the events that change them."""

from random import randrange
from threading import RLock
from weakref import ref

from isotherm_driver.hosts.buckets cimport grouped, is_taken, listed, unlisted
from isotherm_driver.hosts.overriding import drivers_class, has_own, overrides
from isotherm_driver.hosts.plan cimport TableHolder, plan_of
from isotherm_driver.hosts.policy_core cimport PolicyCore, lock_like
from isotherm_driver.hosts.table cimport ALL_LOCAL, BY_RACK, HostTable
from isotherm_driver.new_process import begin_anew_in_children

#: What no table is told of when it changes in a subclass that has it of its own.
cdef tuple STATE = ("_live_hosts", "_dc_live_hosts", "_position", "local_dc", "_local_dc", "local_rack",
                    "used_hosts_per_remote_dc")


cdef object weakly(metadata):
    """A weak reference, so that no policy keeps a cluster's hosts; None of what allows none."""
    try:
        return None if metadata is None else ref(metadata)
    except TypeError:
        return None


cdef class HostLister(TableHolder):
    """Lists live hosts by location, and swaps the table whole when anything changes.

    Events hold `_hosts_lock`, as in the drivers. Whoever populates, or writes the lists or a setting, may hold it or not:
    none of this takes it. Where both locks are held, `changing` is the inner one, under which nothing is waited for. A
    subclass that overrides `_dc` or `_rack` is asked where a host is. One that has the lists or the settings of its own
    is listed and planned by the driver's methods, which read these at each plan.
    """

    def __cinit__(self, *args, **kwargs):
        self.changing = RLock()
        self.by_datacenter = {}
        self.by_rack = {}
        self.coming = ()
        self.metadata = None
        self.used_ = 0
        kind = type(self)
        if any([overrides(kind, name) for name in STATE]):
            self.drivers_way = drivers_class(kind)
        self.swap()
        begin_anew_in_children(self)

    def _begin_anew(self, seed):
        self._position = seed >> 33
        self.changing = RLock()
        self.coming = ()
        self.metadata = None  # they have a lock of their own, which a thread of the parent may have held
        self._hosts_lock = lock_like(self._hosts_lock)

    cdef int give(self, PolicyCore other) except -1:
        cdef HostLister lister = <HostLister> other
        with self.changing:
            lister._position = self._position
            lister.local_dc_, lister.local_rack_, lister.used_ = self.local_dc_, self.local_rack_, self.used_
            lister.metadata = self.metadata
            lister.relist(self.by_datacenter, self.by_rack)
        return 0

    cdef HostTable table_of(self, dict by_datacenter, dict by_rack):
        """The table of these hosts by the present settings."""
        own_dc = self._dc if self.locality != ALL_LOCAL and has_own(self, "_dc") else None
        own_rack = self._rack if self.locality == BY_RACK and has_own(self, "_rack") else None
        return HostTable(self.locality, by_datacenter, by_rack, self.local_dc_, self.local_rack_, self.used_,
                         own_dc, own_rack)

    cdef int swap(self) except -1:
        self.table = self.table_of(self.by_datacenter, self.by_rack)
        return 0

    cdef int relist(self, dict by_datacenter, dict by_rack) except -1:
        """List hosts under these locations; None for locations that stay as they are."""
        with self.changing:
            if by_datacenter is None:
                by_datacenter = self.by_datacenter
            if by_rack is None:
                by_rack = self.by_rack
            # First, as it may throw: what stood in no table would be in the way of each later change.
            table = self.table_of(by_datacenter, by_rack)
            self.by_datacenter, self.by_rack, self.table = by_datacenter, by_rack, table
        return 0

    cdef place_of(self, host):
        """What is stated of a host's datacenter and rack, by itself or by a subclass; None where it does not matter."""
        table = self.table
        dc = rack = None
        if self.locality != ALL_LOCAL:
            dc = host.datacenter if table.own_dc is None else table.own_dc(host)
        if self.locality == BY_RACK:
            rack = host.rack if table.own_rack is None else table.own_rack(host)
        return dc or None, rack or None

    def make_query_plan(self, working_keyspace=None, query=None):
        """An iterator over the live hosts, nearest first; its lists are bound as it reaches them."""
        if self.drivers_way is not None:
            return self.drivers_way.make_query_plan(self, working_keyspace, query)
        return plan_of(self)

    def distance(self, host):
        """How far away a host is, by its present datacenter and rack: a HostDistance."""
        if self.drivers_way is not None:
            return self.drivers_way.distance(self, host)
        cdef HostTable table = self.table  # held: it may be replaced while the host says where it is
        return table.distance(host)

    def populate(self, cluster, hosts):
        """Replace whatever was listed before by these hosts."""
        if self.drivers_way is not None:
            self.drivers_way.populate(self, cluster, hosts)
            return
        hosts = list(hosts)
        self.metadata = weakly(getattr(cluster, "metadata", None))
        # Each host is asked once where it is, lest it be listed in two places when it moves meanwhile.
        places = {id(host): self.place_of(host) for host in hosts}
        self.relist(grouped(hosts, lambda host: places[id(host)][0]),
                    grouped(hosts, lambda host: places[id(host)]) if self.locality == BY_RACK else None)
        self._position = randrange(len(hosts)) if hosts else 0

    cdef int list_host(self, host, bint is_new) except -1:
        """List a host.

        Another node with its address is displaced by a new one, and by one that the cluster still knows, whose address
        has changed: else the object is out of date.
        """
        cdef bint displaces = is_new or self.knows(host)
        place = self.place_of(host)
        with self._hosts_lock, self.changing:
            if not displaces and is_taken(self.by_datacenter, host):
                return 0
            self.relist(listed(self.by_datacenter, place[0], host),
                        listed(self.by_rack, place, host) if self.locality == BY_RACK else None)
        return 0

    cdef bint knows(self, host) except -1:
        """Whether the cluster has this very object for the host."""
        metadata = None if self.metadata is None else self.metadata()
        by_id = getattr(metadata, "get_host_by_host_id", None)
        return by_id is not None and by_id(getattr(host, "host_id", None)) is host

    cdef int unlist_host(self, host) except -1:
        with self._hosts_lock, self.changing:
            self.relist(unlisted(self.by_datacenter, host), unlisted(self.by_rack, host))
        return 0

    def on_up(self, host):
        """List the host, where it says it is now and nowhere else, unless its address is another node's by now."""
        if self.drivers_way is not None:
            self.drivers_way.on_up(self, host)
        else:
            self.list_host(host, any([host is each for each in self.coming]))

    def on_down(self, host):
        """Drop the host, wherever it was listed, also if it has moved or changed its endpoint since."""
        if self.drivers_way is not None:
            self.drivers_way.on_down(self, host)
        else:
            self.unlist_host(host)

    def on_add(self, host):
        """As on_up, a subclass's too, of a host that takes the place of another node with its address."""
        with self.changing:
            self.coming += (host,)
        try:
            self.on_up(host)
        finally:
            with self.changing:
                self.coming = tuple([each for each in self.coming if each is not host])

    def on_remove(self, host):
        """As on_down."""
        self.on_down(host)
