# SPDX-License-Identifier: Apache-2.0
"""The clients of each datacenter: the same mix, each with keys and a consistency level of its own."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.soak.audit import Mix
from isotherm_lab.experiments.soak.scenes import Scene
from isotherm_lab.load.recorded_load import RecordedLoad

#: More than there are faults: each of them has a place for each datacenter.
_PLACES_APART = 50


class Parties:
    """All clients of one fault; `place` is the fault's."""

    def __init__(self, scene: Scene, place: int, seed: int, schema_changes: str | None, tables: int = 0):
        """`schema_changes`: the options of the table that the first party creates and drops; None: no table is.

        `tables`: how many more there are, which the first party uses.
        """
        self._scene = scene
        self._mixes = {
            datacenter: Mix(
                place + _PLACES_APART * number, seed, *((schema_changes, tables) if number == 0 else (None, 0))
            )
            for number, datacenter in enumerate(scene.levels)
        }

    @contextmanager
    def load(self, cluster: Cluster, spared: Collection[int] = ()) -> Iterator[None]:
        """Let all clients run; none uses a node at a place that is spared as coordinator."""
        idle = {cluster.nodes[place].address for place in spared}
        with ExitStack() as running:
            for datacenter, mix in self._mixes.items():
                points = [each for each in self._scene.addresses(cluster, datacenter) if each not in idle]
                clients = list(mix.clients().values())
                level = self._scene.levels[datacenter]
                running.enter_context(
                    RecordedLoad(points, clients, only=bool(idle), consistency=level, datacenter=datacenter)
                )
            yield

    def operations(self) -> int:
        """Return how many have ended."""
        return sum(len(each.history.so_far()) for mix in self._mixes.values() for each in mix.clients().values())

    def untouched(self) -> int:
        """Return how many of many tables have not been both written and read."""
        return sum(mix.tables.untouched() for mix in self._mixes.values() if mix.tables)

    def audit(self, cluster: Cluster) -> dict[str, Any]:
        """Return what was done, what failed, and what is wrong, of all together."""
        accounts = {}
        for datacenter, mix in self._mixes.items():
            with self._scene.audit_of(cluster, datacenter) as session:
                accounts[datacenter] = mix.audit(session)
        return together({f"{name}, {self._scene.levels[name]}": own for name, own in accounts.items()})


def together(accounts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return one account of several by name, which that of a single one is itself."""
    if len(accounts) == 1:
        return dict(next(iter(accounts.values())))
    sums = (
        "operations", "failed", "unlimited_operations", "unlimited_failed", "violations", "undecided", "untouched",
        "rejected",
    )  # fmt: skip
    return {name: sum(own[name] for own in accounts.values()) for name in sums} | {
        "sentences": [f"{name}: {each}" for name, own in accounts.items() for each in own["sentences"]],
        "clients": {
            f"{kind} ({name})": each for name, own in accounts.items() for kind, each in own["clients"].items()
        },
    }
