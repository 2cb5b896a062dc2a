# SPDX-License-Identifier: Apache-2.0
"""Which replica leads a tablet, under drivers that know leaders."""

from cassandra import ConsistencyLevel

try:
    from cassandra.metadata import _ConsistencyMode
except ImportError:  # cassandra-driver, and scylla-driver before it knew leaders
    _ConsistencyMode = None

ANY_REPLICA_WILL_DO = (ConsistencyLevel.ONE, ConsistencyLevel.LOCAL_ONE)


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
