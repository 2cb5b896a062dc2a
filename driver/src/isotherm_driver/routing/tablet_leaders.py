# SPDX-License-Identifier: Apache-2.0
"""Which replica leads a tablet, under drivers that know leaders."""

from typing import Any

from cassandra import ConsistencyLevel, metadata, policies

#: Whether the driver's own policy prefers leaders, so that a release that renames what they are told by shows.
KNOWS_LEADERS: bool = hasattr(policies.TokenAwarePolicy, "_prefer_tablet_leader")
ANY_REPLICA_WILL_DO: tuple[Any, ...] = (ConsistencyLevel.ONE, ConsistencyLevel.LOCAL_ONE)
#: The consistency of a keyspace whose tablets have leaders; no keyspace has this one under a driver that knows none.
STRONG: Any = getattr(getattr(metadata, "_ConsistencyMode", None), "GLOBAL", None)


def has_leaders(keyspaces: Any, keyspace: str) -> bool:
    """Whether the tablets of a keyspace have leaders: those of a strongly consistent one."""
    if not KNOWS_LEADERS:
        return False
    if STRONG is None:
        raise LookupError("cassandra.metadata has no _ConsistencyMode.GLOBAL")
    described = keyspaces.get(keyspace)
    return described is not None and described._consistency_mode == STRONG


def is_led(tablet: Any) -> bool:
    """Whether the first replica of a tablet may be its leader; only versions of tablets come with an order."""
    return KNOWS_LEADERS and tablet.tablet_version is not None


def leader_id(policy: Any, keyspace: str, query: Any, tablet: Any) -> Any:
    """The id of the host that leads the tablet, where that matters to the query, else None."""
    if not policy._prefer_tablet_leader or not is_led(tablet) or query.consistency_level in ANY_REPLICA_WILL_DO:
        return None
    return tablet.leader if has_leaders(policy._cluster_metadata.keyspaces, keyspace) else None
