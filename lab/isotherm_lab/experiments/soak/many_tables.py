# SPDX-License-Identifier: Apache-2.0
"""A cluster with many tables: created a hundred at a time, as each change of the schema costs a look at all of it."""

import time
from collections.abc import Callable

from isotherm_lab.cluster import control
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.data.slow_table import KEYSPACE
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.soak.scenes import Scene
from isotherm_lab.load.table_clients import table

_AT_A_TIME = 100
#: Every so manyth table is altered to have limits: each ALTER is a change of the schema.
LIMITED_EACH = 50
_PATIENCE_S = 300


def create(cluster: Cluster, scene: Scene, count: int, options: str, told: Callable[[str], None]) -> None:
    """Create so many tables, some of them with these options: `WITH …`, or nothing."""
    for first in range(0, count, _AT_A_TIME):
        last = min(first + _AT_A_TIME, count)
        control.order(cluster.nodes[0], "tables", f"{KEYSPACE} {first} {last}", timeout_s=_PATIENCE_S)
        _await_agreement(cluster, scene)
        told(f"{last} of {count} tables")
    with scene.session_of(cluster, 0) as session:
        for number in range(0, count, LIMITED_EACH) if options else ():
            session.execute(f"ALTER TABLE {table(number)}{options}", timeout=_PATIENCE_S)
    _await_agreement(cluster, scene)


def _await_agreement(cluster: Cluster, scene: Scene) -> None:
    """Wait until all nodes have the same schema."""
    deadline = time.monotonic() + _PATIENCE_S
    while len({_version(cluster, scene, place) for place in range(len(cluster.nodes))}) > 1:
        if time.monotonic() > deadline:
            raise LabError(f"The nodes did not agree on a schema within {_PATIENCE_S} s.")
        time.sleep(0.5)


def _version(cluster: Cluster, scene: Scene, place: int) -> object:
    with scene.session_of(cluster, place) as session:
        return session.execute("SELECT schema_version FROM system.local").one().schema_version
