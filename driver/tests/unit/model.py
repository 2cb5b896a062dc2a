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
        self._ring = ring
        self.policy: Any = recipe(driver)
        self.populate()

    def populate(self) -> None:
        """Begin anew with nobody; the driver itself would keep hosts of the first populate()."""
        for name in ("_dc_live_hosts", "_live_hosts"):
            held = getattr(leaf(self.policy), name, None)
            if isinstance(held, dict):
                held.clear()
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
    """Ours must offer equally good hosts in the same places as the model's plan does, but may rotate them.

    The driver's own remote hosts stand in a fixed order, so that the first gets everything when no local one is left.
    Ours are rotated within their datacenter; the datacenters stand in the driver's order.
    """
    judge = model.policy
    owners = set(map(id, replicas)) if model.prefers_replicas else set()

    def quality(each: Host) -> tuple:
        distance = judge.distance(each)
        # cassandra-driver prefers a replica to another host only if it is local.
        is_owner = id(each) in owners and (IS_SCYLLA or distance == HostDistance.LOCAL)
        is_in_turn = distance == HostDistance.REMOTE and not is_owner
        return is_owner, distance, each.datacenter if is_in_turn else None

    our_runs, model_runs = runs(ours, quality), runs(theirs, quality)
    assert [key for key, _ in our_runs] == [key for key, _ in model_runs], (ours, theirs)
    for (key, ours_here), (_, theirs_here) in zip(our_runs, model_runs, strict=True):
        # The driver has hosts without a rack twice, so their place in the cycle is not defined.
        defined = model.keeps_order and all(each.rack for each in ours_here)
        agree = is_rotation if defined else same_hosts
        assert agree(ours_here, theirs_here), (key, ours_here, theirs_here)
