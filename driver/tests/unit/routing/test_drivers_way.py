# SPDX-License-Identifier: Apache-2.0
"""Plans that the driver's own policy makes are counted, and each time that they begin is logged, ever more rarely."""

import traceback
from collections.abc import Callable
from logging import LogRecord
from typing import Any

import pytest
from topology import KEYSPACE, Ring, drained, grid, populated, ring_of, statement

import isotherm_driver
from isotherm_driver.queue_aware import QueueAwarePolicy

PLANS = 40
KINDS = {
    "TokenAware": isotherm_driver.TokenAwarePolicy,
    "QueueAware": lambda child: QueueAwarePolicy(child, in_flight=lambda host: 0),
}
EACH_KIND = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


class Unreadable(dict):
    """A keyspace's part of the token map in which the driver looks up what this package cannot read."""

    def items(self):
        raise LookupError("not readable")


def unsorted(ring: Ring) -> None:
    ring.rebuild()
    ring.metadata.token_map.ring.reverse()


def unreadable(ring: Ring) -> None:
    ring.rebuild()
    token_map = ring.metadata.token_map
    token_map.rebuild_keyspace(KEYSPACE, build_if_absent=True)
    token_map.tokens_to_hosts_by_ks[KEYSPACE] = Unreadable(token_map.tokens_to_hosts_by_ks[KEYSPACE])


class Outages:
    """A policy over metadata that become strange and again as known."""

    def __init__(self, kind: Callable[[Any], Any], caplog: pytest.LogCaptureFixture):
        self.hosts = grid(1, 1, 5)
        self.ring = ring_of(self.hosts)
        self.policy = populated(kind(isotherm_driver.DCAwareRoundRobinPolicy("dc1")), self.ring, self.hosts)
        self._caplog = caplog

    def plan(self, times: int) -> int:
        """Make that many plans; return how many of them were the driver's."""
        before = self.policy.plans_by_driver
        for _ in range(times):
            assert set(drained(self.policy, statement(b"key"))) == set(self.hosts)
        return self.policy.plans_by_driver - before

    def recover(self) -> None:
        """Plan until plans are this package's again."""
        self.ring.rebuild()
        assert self.plan(3 * PLANS) < 3 * PLANS
        assert self.plan(PLANS) == 0

    def records(self) -> list[LogRecord]:
        return [each for each in self._caplog.records if each.name == "isotherm_driver.policies"]

    def lines(self) -> list[str]:
        return [each.getMessage() for each in self.records()]


@EACH_KIND
def test_they_are_counted(kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    outages = Outages(kind, caplog)
    assert outages.plan(PLANS) == 0
    unsorted(outages.ring)
    assert outages.plan(PLANS) == PLANS
    assert len(outages.lines()) == 1


@EACH_KIND
def test_a_later_outage_is_logged_again(kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    outages = Outages(kind, caplog)
    unsorted(outages.ring)
    assert outages.plan(PLANS) == PLANS
    outages.recover()
    unreadable(outages.ring)
    assert outages.plan(PLANS) == PLANS
    first, second = outages.lines()
    assert "not sorted" in first
    assert "not readable" in second
    for each, module in zip(outages.records(), ["token_ring.pyx", "replica_ring.pyx"], strict=True):
        assert module in "".join(traceback.format_exception(*each.exc_info))


def test_outages_that_come_and_go_are_logged_ever_more_rarely(caplog: pytest.LogCaptureFixture) -> None:
    outages = Outages(isotherm_driver.TokenAwarePolicy, caplog)
    for _ in range(16):
        unsorted(outages.ring)
        assert outages.plan(1) == 1
        outages.ring.rebuild()
        outages.plan(3)
    assert len(outages.lines()) == 5, "at the 1st, 2nd, 4th, 8th, 16th"


def test_of_other_metadata_the_first_outage_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    outages = Outages(isotherm_driver.TokenAwarePolicy, caplog)
    for number in range(1, 6):
        unsorted(outages.ring)
        outages.plan(PLANS)
        assert len(outages.lines()) == number
        outages.ring = ring_of(outages.hosts)
        populated(outages.policy, outages.ring, outages.hosts)


def test_those_of_the_fallback_are_counted_and_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    outages = Outages(isotherm_driver.TokenAwarePolicy, caplog)
    token_map = outages.ring.metadata.token_map
    looked_up, calls = type(token_map).get_replicas, []

    def every_second(keyspace: str, token: Any) -> Any:
        calls.append(token)
        if failing and len(calls) % 2:
            raise LookupError("not now")  # the driver's own policy, which is next, finds them
        return looked_up(token_map, keyspace, token)

    token_map.get_replicas = every_second
    for number in (1, 2):
        failing = True
        calls.clear()
        assert outages.plan(PLANS) == PLANS
        assert len(outages.lines()) == number
        failing = False
        assert outages.plan(PLANS) == 0
