# SPDX-License-Identifier: Apache-2.0
"""The installed driver's own policy as the model of ours, less the faults that ours is there to be without."""

from collections.abc import Iterable
from typing import Any

from cassandra import policies as driver
from cassandra.policies import HostDistance
from cassandra.pool import Host
from plan_shape import is_rotation, runs, same_hosts, without_repeats
from policy_pairs import Recipe, leaf
from topology import Ring


class Model:
    """A policy of the driver's that is told what the driver would be told, and repaired where it forgets."""

    def __init__(self, recipe: Recipe, ring: Ring):
        self._recipe = recipe
        self._ring = ring
        self.populate()

    def populate(self) -> None:
        """Begin anew with nobody; a second populate() of the driver's own would keep the hosts of before."""
        self.policy: Any = self._recipe(driver)
        self.policy.populate(self._ring, [])

    def renamed(self) -> None:
        """Hash the hosts anew: a frozenset finds a host no more whose endpoint, and with it whose hash, has changed."""
        holder = leaf(self.policy)
        if isinstance(holder, driver.RoundRobinPolicy):
            holder._live_hosts = frozenset(list(holder._live_hosts))

    def plan(self, query: Any, keyspace: str | None, hosts: Iterable[Host]) -> list[Host]:
        """Return a plan in which hosts of unknown state count as up, and one without a rack stands once."""
        unknown = [each for each in hosts if each.is_up is None]
        for each in unknown:
            each.is_up = True
        try:
            return without_repeats(list(self.policy.make_query_plan(keyspace, query)))
        finally:
            for each in unknown:
                each.is_up = None

    @property
    def keeps_order(self) -> bool:
        """Whether the driver keeps hosts in the order in which they came; a set has none."""
        return not isinstance(leaf(self.policy), driver.RoundRobinPolicy)


def assert_equal_plans(ours: list[Host], model: list[Host], judge: Any, replicas: list[Host], ordered: bool) -> None:
    """Ours must offer equally good hosts in the same places as the model's; `judge` says how far a host is."""
    owners = set(map(id, replicas))
    # Without a local host the driver sends everything to the first remote one; ours takes turns.
    takes_turns = all(judge.distance(each) == HostDistance.REMOTE for each in model)

    def quality(each: Host) -> tuple:
        distance = judge.distance(each)
        dc = each.datacenter if distance == HostDistance.REMOTE and not takes_turns else None
        return id(each) in owners, distance, dc

    our_runs, model_runs = runs(ours, quality), runs(model, quality)
    assert [key for key, _ in our_runs] == [key for key, _ in model_runs], (ours, model)
    for (key, ours_here), (_, model_here) in zip(our_runs, model_runs, strict=True):
        agree = is_rotation if ordered and not takes_turns else same_hosts
        assert agree(ours_here, model_here), (key, ours_here, model_here)
