# SPDX-License-Identifier: Apache-2.0
"""Token-aware plans in Python, for whatever is not a real token map or not a policy of this package.

The order is that of the installed driver: cassandra-driver offers only near replicas before the child's plan,
scylla-driver offers replicas of every distance first, then the others, each by distance.
"""

from cassandra import ConsistencyLevel, policies
from cassandra.policies import HostDistance

from isotherm_driver.hosts.offered import Offered

try:
    from cassandra.tablets import Tablets
except ImportError:  # cassandra-driver
    Tablets = None
try:
    from cassandra.metadata import _ConsistencyMode
except ImportError:  # cassandra-driver, and scylla-driver before it knew leaders
    _ConsistencyMode = None

HAS_TABLETS = Tablets is not None
HAS_RACKS = hasattr(HostDistance, "LOCAL_RACK")
BY_DISTANCE = (*([HostDistance.LOCAL_RACK] if HAS_RACKS else []), HostDistance.LOCAL, HostDistance.REMOTE)
ANY_REPLICA_WILL_DO = (ConsistencyLevel.ONE, ConsistencyLevel.LOCAL_ONE)


def may_shuffle(policy, query):
    """Whether the replicas of this query may come in any order: not those of lightweight transactions."""
    if not policy.shuffle_replicas:
        return False
    is_lwt = getattr(query, "is_lwt", None)
    if is_lwt is not None and is_lwt():
        return False
    return query.consistency_level not in (ConsistencyLevel.SERIAL, ConsistencyLevel.LOCAL_SERIAL)


def shuffled(replicas):
    """A shuffled copy: the list itself belongs to the token map."""
    replicas = list(replicas)
    policies.shuffle(replicas)
    return replicas


def may_be_up(host):
    """Whether the host is not known to be down: a host of unknown state is worth a try."""
    return host.is_up is None or host.is_up


def by_distance(child, hosts, offered):
    """The hosts that may be up, nearest first; each asked for its distance when its turn comes, and offered once."""
    for distance in BY_DISTANCE:
        for host in hosts:
            if may_be_up(host) and child.distance(host) == distance and offered.is_new(host):
                yield host


def replicas_of(policy, keyspace, query, token):
    """What the metadata says are the replicas; its token map is asked where the metadata gives no hosts."""
    metadata = policy._cluster_metadata
    replicas = metadata.get_replicas(keyspace, query.routing_key)
    if isinstance(replicas, (list, tuple, set, frozenset)):
        return replicas
    return policy._replica_cache.replicas(metadata.token_map, keyspace, query.routing_key, token)


def excluding(child, keyspace, query, excluded):
    """The child's plan without these hosts."""
    with_exclusion = getattr(child, "make_query_plan_with_exclusion", None)
    if with_exclusion is not None:
        try:
            return list(with_exclusion(keyspace, query, excluded))
        except TypeError:  # stands for a policy, but gives no plan
            pass
    return [host for host in child.make_query_plan(keyspace, query) if host not in excluded]


def has_leaders(keyspaces, keyspace):
    """Whether the tablets of a keyspace have leaders: those of a strongly consistent one."""
    described = keyspaces.get(keyspace)
    return (
        _ConsistencyMode is not None
        and described is not None
        and described._consistency_mode == _ConsistencyMode.GLOBAL
    )


def leader_of(policy, keyspace, query, tablet, replicas):
    """The replica that leads the tablet, where that matters to the query, else None."""
    if not policy._prefer_tablet_leader or tablet.tablet_version is None:
        return None
    if not has_leaders(policy._cluster_metadata.keyspaces, keyspace):
        return None
    if query.consistency_level in ANY_REPLICA_WILL_DO or tablet.leader is None:
        return None
    return next((host for host in replicas if host.host_id == tablet.leader), None)


def plan_with_remote_replicas(policy, keyspace, query):
    """A plan in scylla-driver's order."""
    child, metadata = policy._child_policy, policy._cluster_metadata
    leader, offered = None, Offered()
    if metadata.token_map is None:
        yield from child.make_query_plan(keyspace, query)
        return
    token = metadata.token_map.token_class.from_key(query.routing_key)
    tablets = metadata._tablets
    tablet = None
    if tablets.table_has_tablets(keyspace, query.table):
        tablet = tablets.get_tablet_for_key(keyspace, query.table, token)
    if tablet is not None:
        host_ids = {replica[0] for replica in tablet.replicas}
        replicas = [host for host in child.make_query_plan(keyspace, query) if host.host_id in host_ids]
        leader = leader_of(policy, keyspace, query, tablet, replicas)
    else:
        replicas = replicas_of(policy, keyspace, query, token)
    if may_shuffle(policy, query):
        replicas = shuffled(replicas)
    if leader is not None and may_be_up(leader) and child.distance(leader) != HostDistance.IGNORED:
        offered.is_new(leader)
        yield leader
    yield from by_distance(child, replicas, offered)
    yield from by_distance(child, excluding(child, keyspace, query, set(replicas)), offered)


def plan_with_near_replicas(policy, keyspace, query):
    """A plan in cassandra-driver's order."""
    child = policy._child_policy
    token = query.routing_key
    replicas = replicas_of(policy, keyspace, query, token)
    if may_shuffle(policy, query):
        replicas = shuffled(replicas)
    yield from near_replicas_first(child, keyspace, query, replicas, replicas, Offered())


def near_replicas_first(child, keyspace, query, remaining, replicas, offered):
    """Those of the remaining replicas that are near, then the child's plan without near replicas and offered hosts."""
    for replica in remaining:
        if may_be_up(replica) and child.distance(replica) == HostDistance.LOCAL and offered.is_new(replica):
            yield replica
    for host in child.make_query_plan(keyspace, query):
        if host not in offered and (host not in replicas or child.distance(host) == HostDistance.REMOTE):
            yield host


def after_change(policy, keyspace, query, remaining, replicas):
    """The rest of a plan when hosts came, went or moved while it gave out replicas."""
    child = policy._child_policy
    offered = Offered(replica for replica in replicas if all(replica is not left for left in remaining))
    if HAS_TABLETS:
        yield from by_distance(child, remaining, offered)
        yield from by_distance(child, excluding(child, keyspace, query, replicas), offered)
    else:
        yield from near_replicas_first(child, keyspace, query, remaining, replicas, offered)


def plan(policy, working_keyspace, query):
    """A token-aware plan over any child, any metadata and any query."""
    keyspace = query.keyspace if query and query.keyspace else working_keyspace
    if query is None or query.routing_key is None or keyspace is None:
        yield from policy._child_policy.make_query_plan(keyspace, query)
    elif HAS_TABLETS:
        yield from plan_with_remote_replicas(policy, keyspace, query)
    else:
        yield from plan_with_near_replicas(policy, keyspace, query)
