# SPDX-License-Identifier: Apache-2.0
"""From the routing key to replicas in order, without a line of Python.

Only for the driver's real metadata and token map over a child of this package; for everything else it finds none.
"""

import logging
from random import getrandbits
from threading import RLock

from cassandra import ConsistencyLevel

from isotherm_driver import installed_driver
from isotherm_driver.hosts.overriding import overrides
from isotherm_driver.hosts.round_robin import lists_natively
from isotherm_driver.installed_driver import Metadata, Murmur3Token, TokenMap
from isotherm_driver.new_process import begin_anew_in_children
from isotherm_driver.routing.tablet_leaders import has_leaders

from libc.stdint cimport int64_t

from isotherm_driver.hosts.plan cimport TableHolder
from isotherm_driver.hosts.policy_core cimport PolicyCore
from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.murmur3 cimport token_of
from isotherm_driver.routing.replica_order cimport ReplicaOrder
from isotherm_driver.routing.replica_ring cimport ReplicaRing
from isotherm_driver.routing.route cimport Route
from isotherm_driver.routing.tablets cimport TabletIndex, TabletOrders
from isotherm_driver.routing.token_ring cimport TokenRing

log = logging.getLogger("isotherm_driver.policies")
for _name, _class in [("Metadata", Metadata), ("TokenMap", TokenMap), ("Murmur3Token", Murmur3Token)]:
    if _class is None:
        log.warning("The installed driver's cassandra.metadata has no %s: token-aware plans are made in Python", _name)

cdef tuple get_replicas():
    """The driver's own look-ups, to be asked themselves where somebody has patched them."""
    return getattr(Metadata, "get_replicas", None), getattr(TokenMap, "get_replicas", None)


cdef bint HAS_TABLETS = installed_driver.HAS_TABLETS
cdef object Tablets = installed_driver.Tablets
cdef object GET_REPLICAS = get_replicas()
#: What no native plan sees of a subclass that has it of its own.
cdef tuple STATE = ("_child_policy", "_cluster_metadata", "shuffle_replicas", "_prefer_tablet_leader")
cdef int ONE = ConsistencyLevel.ONE, LOCAL_ONE = ConsistencyLevel.LOCAL_ONE
cdef enum:
    LONGEST_REST = 1 << 16


cdef class TokenRouter(PolicyCore):
    """Finds replicas in order, from the child, the cluster's metadata, and the routes made from both."""

    def __cinit__(self, *args, **kwargs):
        kind = type(self)
        self.has_state_of_its_own = any([overrides(kind, name) for name in STATE])
        self.routing = RLock()
        self.routes = {}
        self.tablet_indexes = {}
        self.random_state = getrandbits(64) | 1
        # Here, as a subclass may not call __init__: the drivers' policies have these in their class.
        self.shuffle_replicas = installed_driver.SHUFFLES_REPLICAS
        self._prefer_tablet_leader = installed_driver.PREFERS_TABLET_LEADER
        begin_anew_in_children(self)

    def _begin_anew(self, seed):
        self.random_state = seed | 1
        self.routing = RLock()

    cdef int give(self, PolicyCore other) except -1:
        cdef TokenRouter router = <TokenRouter> other
        router._child_policy, router._cluster_metadata = self.child, self.cluster_metadata
        router.shuffle_replicas, router._prefer_tablet_leader = self.shuffle_replicas, self._prefer_tablet_leader
        router._arrange = self._arrange
        return 0

    @property
    def _child_policy(self):
        return self.child

    @_child_policy.setter
    def _child_policy(self, policy):
        self.holder = policy if lists_natively(policy) else None
        self.child = policy

    @property
    def _cluster_metadata(self):
        return self.cluster_metadata

    @_cluster_metadata.setter
    def _cluster_metadata(self, metadata):
        self.metadata = vars(metadata) if type(metadata) is Metadata else None
        self.resting = self.next_rest = 0
        self._told_of_the_drivers_way, self.outages = False, 0  # nothing is known of these
        self.routes, self.tablet_indexes, self.tablet_orders = {}, {}, None
        self.cluster_metadata = metadata

    @property
    def plans_by_driver(self):
        """How many plans were the driver's own, as its metadata or a statement were not as known."""
        return self.by_driver

    cdef int rest(self) noexcept:
        """Leave the next plans to the driver, each time twice as many: what failed once mostly fails again."""
        self.resting = self.next_rest
        self.next_rest = min(2 * self.next_rest + 1, LONGEST_REST)
        return 0

    cdef Route route_for(self, object keyspace):
        """The present route of a keyspace; None where the driver's own look-up has to be asked."""
        cdef Route route = <Route> self.routes.get(keyspace)
        if (route is None or route.token_map is not self.metadata.get("token_map")
                or route.table is not self.listed()
                or route.ring.source is not (<dict> route.token_map_names["tokens_to_hosts_by_ks"]).get(keyspace)):
            return self.new_route(keyspace)
        return None if "get_replicas" in route.token_map_names else route

    cdef Route new_route(self, object keyspace):
        """The route for what the driver has now: made, unless another thread has just made it."""
        cdef HostTable table
        cdef Route old
        cdef TokenRing tokens = None
        cdef ReplicaRing ring
        token_map = self.metadata.get("token_map")
        if (self.listed() is None or type(token_map) is not TokenMap or token_map.token_class is not Murmur3Token
                or "get_replicas" in vars(token_map)
                or get_replicas() != GET_REPLICAS
                or not lists_natively(self.child)):
            return None
        by_keyspace = token_map.tokens_to_hosts_by_ks
        if type(by_keyspace) is not dict:
            return None
        if by_keyspace.get(keyspace) is None:
            token_map.rebuild_keyspace(keyspace, build_if_absent=True)
        if not by_keyspace.get(keyspace):
            return None
        with self.routing:
            # All is read again: whoever waited for the lock finds what the thread before it has made, or newer things.
            if self.metadata.get("token_map") is token_map:
                table, source = self.listed(), by_keyspace.get(keyspace)
                if table is None or not source:
                    return None
                old = <Route> self.routes.get(keyspace)
                ring = None
                if old is not None and old.ring.source is source and old.token_map is token_map:
                    if old.table is table:
                        return old
                    ring = old.ring
                for known in self.routes.values():
                    if (<Route> known).token_map is token_map:
                        tokens = (<Route> known).tokens
                if tokens is None:
                    tokens = TokenRing(token_map.ring)
                if ring is None:
                    ring = ReplicaRing(token_map.ring, source)
                route = Route(token_map, tokens, ring, table, HAS_TABLETS)
                # What has been dropped since is not in the driver's map, or is there anew: it is not kept alive here.
                routes = {
                    name: known for name, known in self.routes.items()
                    if (<Route> known).token_map is token_map and (<Route> known).ring.source is by_keyspace.get(name)
                }
                routes[keyspace] = route
                self.routes = routes
                return route
        # With an older token map this would drop the routes of the newer one.
        return self.new_route(keyspace)

    cdef object tablet_for(self, object by_table, object keyspace, object query, int64_t token):
        """The tablet that holds a token; None where none is known."""
        cdef TabletIndex index
        if not by_table:
            if self.tablet_indexes:
                self.tablet_indexes = {}
            return None
        table = (keyspace, query.table)
        known = by_table.get(table)
        if not known:
            return None
        index = <TabletIndex> self.tablet_indexes.get(table)
        if index is None or index.tablets is not known or index.outdated():
            self.tablet_indexes[table] = index = TabletIndex(known)
            if len(self.tablet_indexes) > 2 * len(by_table):
                # Of those that the driver no longer has.
                self.tablet_indexes = {name: kept for name, kept in list(self.tablet_indexes.items())
                                       if by_table.get(name) is (<TabletIndex> kept).tablets}
        return index.find(token)

    cdef ReplicaOrder order_by_tablet(self, object tablet, object by_table):
        """The order of a tablet's replicas."""
        cdef TabletOrders orders = self.tablet_orders
        cdef HostTable table = self.listed()
        token_map = self.metadata.get("token_map")
        if table is None or token_map is None:
            return None
        # A node that is replaced at its address is the same host with another id: the driver then makes a token map.
        if orders is None or orders.table is not table or orders.token_map is not token_map:
            self.tablet_orders = orders = TabletOrders(table, token_map)
        return orders.order_of(tablet, by_table)

    cdef int leader_of(self, ReplicaOrder order, object keyspace, object query) except -2:
        """The place of the leader that comes first, -1 where none does; ANY_BUT_FIRST where it should not always.

        Any replica does for a query at ONE, and the leader is the first in the order of its tablet.
        """
        if order.leader < 0 or not self._prefer_tablet_leader or not has_leaders(self.metadata["keyspaces"], keyspace):
            return -1
        level = query.consistency_level
        if level is not None and (level == ONE or level == LOCAL_ONE):
            return -1 if self.shuffle_replicas else ANY_BUT_FIRST
        return order.leader

    cdef ReplicaOrder order_for(self, object keyspace, object query, bytes key):
        """The order of the replicas of a partition; None where the fallback has to make the plan."""
        cdef Route route
        cdef int64_t token = token_of(<const unsigned char*> <char*> key, len(key))
        if "get_replicas" in self.metadata:
            return None
        if HAS_TABLETS:
            tablets = self.metadata.get("_tablets")
            if type(tablets) is not Tablets:
                return None
            by_table = tablets._tablets
            tablet = self.tablet_for(by_table, keyspace, query, token)
            if tablet is not None:
                return self.order_by_tablet(tablet, by_table)
        route = self.route_for(keyspace)
        return None if route is None else route.order_at(route.tokens.position(token))
