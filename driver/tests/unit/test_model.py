# SPDX-License-Identifier: Apache-2.0
"""Whatever happens to a cluster, in whatever order: the plans and distances of the driver's own policies."""

from typing import Any

import pytest
from cassandra.policies import HostDistance
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from model import Model, assert_equal_plans
from policy_pairs import PAIRS, Recipe
from topology import KEYSPACE, Ring, addresses, host, statement

import isotherm_driver

NUMBERS = st.integers(1, 9)
DCS = st.sampled_from(["dc1", "dc2", "dc3", "dc1"])
RACKS = st.sampled_from(["r1", "r2", "r3", None])
KEYS = [b"", b"a", b"another"]


class Events(RuleBasedStateMachine):
    """The life of one cluster, told to a policy of ours and to the model; after each event both must agree."""

    recipe: Recipe

    def __init__(self) -> None:
        super().__init__()
        self.ring = Ring([], vnodes=2)
        self.ring.endpoints_resolved = [host(number).endpoint for number in (1, 2, 3)]
        self.ring.replicate("NetworkTopologyStrategy", {"dc1": "2", "dc2": "1"})
        self.known: dict[int, Any] = {}
        self.model = Model(type(self).recipe, self.ring)
        self.ours = type(self).recipe(isotherm_driver)
        self.ours.populate(self.ring, [])

    def _tell(self, event: str, *arguments: Any) -> None:
        getattr(self.ours, event)(*arguments)
        getattr(self.model.policy, event)(*arguments)

    def _some(self, number: int) -> Any:
        """Return a known host: the one of that number, or else the next one."""
        numbers = sorted(self.known)
        return self.known[next((each for each in numbers if each >= number), numbers[0])]

    @rule(number=NUMBERS, dc=DCS, rack=RACKS)
    def add(self, number: int, dc: str, rack: str | None) -> None:
        if number in self.known:
            return
        new = self.known[number] = host(number, dc, rack)
        self.ring.add(new)
        self._tell("on_add", new)

    @precondition(lambda self: self.known)
    @rule(number=NUMBERS)
    def remove(self, number: int) -> None:
        gone = self._some(number)
        self.known = {key: value for key, value in self.known.items() if value is not gone}
        self.ring.remove(gone)
        gone.set_down()
        self._tell("on_remove", gone)

    @precondition(lambda self: self.known)
    @rule(number=NUMBERS)
    def down(self, number: int) -> None:
        falls = self._some(number)
        falls.set_down()
        self._tell("on_down", falls)

    @precondition(lambda self: self.known)
    @rule(number=NUMBERS)
    def up(self, number: int) -> None:
        rises = self._some(number)
        rises.set_up()
        self._tell("on_up", rises)

    @precondition(lambda self: self.known)
    @rule(number=NUMBERS, state=st.sampled_from([True, False, None]))
    def is_believed(self, number: int, state: bool | None) -> None:
        """The driver changes its mind about a host before it tells the policy, or without telling it."""
        self._some(number).is_up = state

    @precondition(lambda self: self.known)
    @rule(number=NUMBERS, dc=DCS, rack=RACKS)
    def relocate(self, number: int, dc: str, rack: str | None) -> None:
        moves = self._some(number)
        self._tell("on_down", moves)
        moves.set_location_info(dc, rack)
        self._tell("on_up", moves)
        self.ring.rebuild()

    @precondition(lambda self: self.known)
    @rule(number=NUMBERS, new_number=st.integers(10, 40))
    def change_endpoint(self, number: int, new_number: int) -> None:
        if new_number in self.known:
            return
        moves = self._some(number)
        self.known = {key: value for key, value in self.known.items() if value is not moves} | {new_number: moves}
        self.ring.rename(moves, new_number)
        self.model.renamed()
        moves.set_down()
        self._tell("on_down", moves)

    @rule()
    def populate_again(self) -> None:
        self.model.populate()
        self.ours.populate(self.ring, [])
        for number in sorted(self.known):
            self._tell("on_add", self.known[number])

    @rule(dc1=st.integers(0, 3), dc2=st.integers(0, 3))
    def alter_keyspace(self, dc1: int, dc2: int) -> None:
        self.ring.replicate("NetworkTopologyStrategy", {"dc1": str(dc1), "dc2": str(dc2)})

    @rule(factor=st.integers(1, 4))
    def alter_keyspace_to_simple(self, factor: int) -> None:
        self.ring.replicate("SimpleStrategy", {"replication_factor": str(factor)})

    @invariant()
    def plans_agree(self) -> None:
        for key in [None, *KEYS]:
            query = statement(key)
            replicas = [] if key is None else self.ring.replicas(key)
            ours = list(self.ours.make_query_plan(None, query))
            theirs = self.model.plan(query, None, self.known.values())
            assert_equal_plans(ours, theirs, self.model, replicas)
        without_a_query = list(self.ours.make_query_plan(KEYSPACE))
        theirs = self.model.plan(None, KEYSPACE, self.known.values())
        assert_equal_plans(without_a_query, theirs, self.model, [])

    @invariant()
    def distances_agree(self) -> None:
        for each in self.known.values():
            assert self.ours.distance(each) == self.model.policy.distance(each), each

    @invariant()
    def exclusion_is_a_plan_less_the_excluded(self) -> None:
        excluded = set(list(self.known.values())[::2])
        wanted = [each for each in self.model.plan(None, KEYSPACE, self.known.values()) if each not in excluded]
        ours = list(self.ours.make_query_plan_with_exclusion(KEYSPACE, None, excluded))
        assert sorted(addresses(ours)) == sorted(addresses(wanted))

    @invariant()
    def nobody_ignored_is_planned(self) -> None:
        for each in self.ours.make_query_plan(None, statement(KEYS[1])):
            assert self.ours.distance(each) != HostDistance.IGNORED


@pytest.mark.parametrize("name", PAIRS)
def test_any_life_of_a_cluster(name: str) -> None:
    machine = type(f"Events of {name}", (Events,), {"recipe": staticmethod(PAIRS[name])})
    run_state_machine_as_test(machine, settings=settings(max_examples=40, stateful_step_count=30))
