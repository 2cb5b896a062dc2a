# SPDX-License-Identifier: Apache-2.0
"""The installed driver's own policy as the model of ours, less the faults that ours is there to be without."""

from collections.abc import Iterable
from typing import Any

from cassandra import policies as driver
from cassandra.policies import HostDistance
from cassandra.pool import Host
from plan_shape import is_rotation, runs, same_hosts, without_repeats
from policy_pairs import Recipe, leaf
from topology import IS_SCYLLA, Ring


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

    @property
    def prefers_replicas(self) -> bool:
        """Whether it, or a policy inside it, is token-aware."""
        policy = self.policy
        while policy is not None and not isinstance(policy, driver.TokenAwarePolicy):
            policy = getattr(policy, "_child_policy", None)
        return policy is not None


def assert_equal_plans(ours: list[Host], theirs: list[Host], model: Model, replicas: list[Host]) -> None:
    """Ours must offer equally good hosts in the same places as the model's plan does."""
    judge = model.policy
    owners = set(map(id, replicas)) if model.prefers_replicas else set()
    # Without a local host the driver sends everything to the first remote one; ours takes turns.
    takes_turns = all(judge.distance(each) == HostDistance.REMOTE for each in theirs)

    def quality(each: Host) -> tuple:
        distance = judge.distance(each)
        dc = each.datacenter if distance == HostDistance.REMOTE and not takes_turns else None
        # cassandra-driver prefers a replica to another host only if it is local.
        owner = id(each) in owners and (IS_SCYLLA or distance == HostDistance.LOCAL)
        return owner, distance, dc

    our_runs, model_runs = runs(ours, quality), runs(theirs, quality)
    assert [key for key, _ in our_runs] == [key for key, _ in model_runs], (ours, theirs)
    for (key, ours_here), (_, theirs_here) in zip(our_runs, model_runs, strict=True):
        agree = is_rotation if model.keeps_order and not takes_turns else same_hosts
        assert agree(ours_here, theirs_here), (key, ours_here, theirs_here)
