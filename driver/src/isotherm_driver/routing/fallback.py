# SPDX-License-Identifier: Apache-2.0
"""Token-aware plans in Python, for whatever is not a real token map or not a policy of this package.

The order is that of the installed driver: cassandra-driver offers only near replicas before the child's plan,
scylla-driver offers replicas of every distance first, then the others, each by distance.
"""

import random
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from cassandra import policies
from cassandra.policies import HostDistance

from isotherm_driver.drivers_types import Host
from isotherm_driver.hosts.liveness import is_worth_a_try
from isotherm_driver.hosts.offered import Offered
from isotherm_driver.installed_driver import HAS_TABLETS, LOCAL_RACK
from isotherm_driver.routing.drivers_way import drivers_plan, drivers_plan_of_odd
from isotherm_driver.routing.stable_order import may_shuffle
from isotherm_driver.routing.tablet_leaders import leader_id

BY_DISTANCE: tuple[Any, ...] = tuple(dict.fromkeys((LOCAL_RACK, HostDistance.LOCAL, HostDistance.REMOTE)))


def shuffled(replicas: Iterable[Host]) -> list[Host]:
    """A copy of the replicas in random order, for the list is the token map's."""
    replicas = list(replicas)
    getattr(policies, "shuffle", random.shuffle)(replicas)
    return replicas


def by_distance(child: Any, hosts: Iterable[Host], offered: Offered) -> Iterator[Host]:
    """The hosts that may be up, nearest first; each asked for its distance when its turn comes.

    One that has moved meanwhile is not offered again; one that stands there more than once is, as a child may want.
    """
    for distance in BY_DISTANCE:
        here = []
        for host in hosts:
            if is_worth_a_try(host) and child.distance(host) == distance and host not in offered:
                here.append(host)
                yield host
        for host in here:
            offered.is_new(host)


def located(policy: Any, keyspace: str, query: Any) -> tuple[Any, set[Any] | None, Any]:
    """The replicas by the installed driver's metadata, or the ids of a tablet's and of its leader.

    Whatever this throws is about the metadata: the child is not asked here.
    """
    metadata = policy._cluster_metadata
    token = query.routing_key
    if HAS_TABLETS:
        token = metadata.token_map.token_class.from_key(query.routing_key)
        tablets = metadata._tablets
        if tablets.table_has_tablets(keyspace, query.table):
            tablet = tablets.get_tablet_for_key(keyspace, query.table, token)
            if tablet is not None:
                return None, {replica[0] for replica in tablet.replicas}, leader_id(policy, keyspace, query, tablet)
    replicas = metadata.get_replicas(keyspace, query.routing_key)
    if not isinstance(replicas, (list, tuple, set, frozenset)):  # stands for a metadata, but gives no hosts
        replicas = metadata.token_map.get_replicas(keyspace, token)
    return replicas, None, None


def excluding(child: Any, keyspace: str, query: Any, excluded: Collection[Host]) -> list[Host]:
    """The child's plan without these hosts."""
    with_exclusion = getattr(type(child), "make_query_plan_with_exclusion", None)
    if with_exclusion is not None:
        return list(with_exclusion(child, keyspace, query, excluded))
    return [host for host in child.make_query_plan(keyspace, query) if host not in excluded]


def plan_with_remote_replicas(
    child: Any, keyspace: str, query: Any, shuffling: bool, replicas: Any, host_ids: set[Any] | None, leading_id: Any
) -> Iterator[Host]:
    """A plan in scylla-driver's order."""
    leader, offered = None, Offered()
    if host_ids is not None:
        replicas = [host for host in child.make_query_plan(keyspace, query) if host.host_id in host_ids]
        if leading_id is not None:
            leader = next((host for host in replicas if host.host_id == leading_id), None)
    if shuffling:
        replicas = shuffled(replicas)
    if leader is not None and is_worth_a_try(leader) and child.distance(leader) != HostDistance.IGNORED:
        offered.is_new(leader)
        yield leader
    yield from by_distance(child, replicas, offered)
    yield from by_distance(child, excluding(child, keyspace, query, set(replicas)), offered)


def near_replicas_first(
    child: Any, keyspace: str, query: Any, remaining: Iterable[Host], replicas: Collection[Host], offered: Offered
) -> Iterator[Host]:
    """Those of the remaining replicas that are near, then the child's plan without near replicas and offered hosts."""
    for replica in remaining:
        if is_worth_a_try(replica) and child.distance(replica) == HostDistance.LOCAL and offered.is_new(replica):
            yield replica
    for host in child.make_query_plan(keyspace, query):
        if host not in offered and (host not in replicas or child.distance(host) == HostDistance.REMOTE):
            yield host


def after_change(
    policy: Any, keyspace: str, query: Any, remaining: Collection[Host], replicas: Collection[Host]
) -> Iterator[Host]:
    """The rest of a plan when hosts came, went or moved while it gave out replicas."""
    child = policy._child_policy
    offered = Offered(replica for replica in replicas if all(replica is not left for left in remaining))
    if HAS_TABLETS:
        yield from by_distance(child, remaining, offered)
        yield from by_distance(child, excluding(child, keyspace, query, replicas), offered)
    else:
        yield from near_replicas_first(child, keyspace, query, remaining, replicas, offered)


def plan(policy: Any, working_keyspace: str | None, query: Any) -> Iterable[Host]:
    """A token-aware plan over any child, any metadata and any query."""
    child = policy._child_policy
    keyspace = query.keyspace if query and query.keyspace else working_keyspace
    if query is None or query.routing_key is None or keyspace is None or without_ring(policy._cluster_metadata):
        own: Iterable[Host] = child.make_query_plan(keyspace, query)
        return own
    try:
        replicas, host_ids, leading_id = located(policy, keyspace, query)
    except Exception as problem:
        # A key that is no bytes is a fault of the statement, and says nothing of the driver's release.
        told = problem if isinstance(query.routing_key, bytes) else None
        return drivers_plan(policy, working_keyspace, query, told)
    policy._told_of_the_drivers_way = False
    if not HAS_TABLETS and replicas == []:  # as of a keyspace without metadata: there is nobody to put first
        own = child.make_query_plan(keyspace, query)
        return own
    try:
        shuffling = bool(policy.shuffle_replicas) and may_shuffle(query)
    except Exception as problem:
        return drivers_plan_of_odd(policy, working_keyspace, query, problem)
    if HAS_TABLETS:
        return plan_with_remote_replicas(child, keyspace, query, shuffling, replicas, host_ids, leading_id)
    if shuffling:
        replicas = shuffled(replicas)
    return near_replicas_first(child, keyspace, query, replicas, replicas, Offered())


def without_ring(metadata: Any) -> bool:
    """Whether there is no token map, so that scylla-driver could not even hash the key."""
    return HAS_TABLETS and getattr(metadata, "token_map", metadata) is None
