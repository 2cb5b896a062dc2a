# SPDX-License-Identifier: Apache-2.0
"""In which order a fault befalls a cluster, without one."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.gray import planned
from isotherm_lab.experiments.gray.fault import Fault
from isotherm_lab.experiments.gray.plan import Plan
from isotherm_lab.experiments.gray.run import suffer
from isotherm_lab.experiments.gray.watch import Watch
from isotherm_lab.progress import Silent

PLAN = Plan(
    planned(short=True).plans["row-cache"].table, (), settle_s=0.05, well_s=0.1, fault_s=0.2, after_s=0.15
)  # fmt: skip


class Recorded(Cluster):
    """A cluster that notes when what happened to it."""

    def __init__(self) -> None:
        super().__init__("t", Path("t"), [], [])
        self.happened: dict[str, float] = {}

    def note(self, what: str) -> None:
        self.happened[what] = time.time()

    def order(self, command: str, argument: str = "") -> None:
        self.note(f"{command} {argument}")


@contextmanager
def befalls(cluster: Recorded) -> Iterator[None]:
    cluster.note("begun")
    try:
        yield
    finally:
        cluster.note("over")


def fault(**more) -> Fault:
    return Fault("late", "Late", (2,), befalls, prepare=lambda cluster, told: cluster.note("prepared"), **more)


def watch(look=lambda: {"p50_ms": 5.0}) -> Watch:
    return Watch(look, Silent())


def test_it_is_forgotten_settled_well_prepared_faulty_and_over():
    cluster = Recorded()
    moments = suffer(cluster, fault(), PLAN, watch(), Silent())
    assert list(cluster.happened) == ["snitch forget", "prepared", "begun", "over"]
    at = cluster.happened
    assert at["snitch forget"] + PLAN.settle_s <= moments.well
    assert moments.well + PLAN.well_s <= moments.well_ended <= at["prepared"] <= moments.began <= at["begun"]
    assert moments.began + PLAN.fault_s <= moments.ended <= at["over"]
    assert moments.ended + PLAN.after_s <= moments.until


def test_whether_the_fault_before_had_faded_is_remembered(monkeypatch: pytest.MonkeyPatch):
    assert suffer(Recorded(), fault(), PLAN, watch(), Silent()).settled
    monkeypatch.setattr(Watch, "calm", lambda _: False)
    hurried = replace(PLAN, settle_at_most_s=0.1)
    assert not suffer(Recorded(), fault(), hurried, watch(), Silent()).settled


def test_a_fault_may_be_shorter_than_planned():
    plan = replace(PLAN, fault_s=60)  # longer than any machine is held up in the 0.05 s
    moments = suffer(Recorded(), fault(at_most_s=0.05), plan, watch(), Silent())
    assert moments.ended - moments.began < plan.fault_s


def test_it_is_over_when_the_run_is_interrupted_in_it():
    cluster = Recorded()

    def interrupt() -> dict:
        if "begun" in cluster.happened:
            raise KeyboardInterrupt
        return {}

    with pytest.raises(KeyboardInterrupt):
        suffer(cluster, fault(), PLAN, watch(interrupt), Silent())
    assert list(cluster.happened)[-1] == "over"
