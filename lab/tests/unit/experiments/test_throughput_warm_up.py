# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest

from isotherm_lab.experiments.throughput import run
from isotherm_lab.experiments.throughput.plan import FAIR_SHARES, LOCAL, Plan
from isotherm_lab.load.windows import Window
from isotherm_lab.measure.thread_use import COMPILERS, POOL, Reading, Use


class Compiling:
    """A cluster whose compilers have so many seconds of work, and its clock: a turn of load lets them do a tenth."""

    def __init__(self, backlog_s: float, more_each_turn_s: float = 0.0):
        self.backlog_s = backlog_s
        self.more_each_turn_s = more_each_turn_s
        self.now = self.compiled_s = self.served_s = 0.0
        self.turns = 0

    def prepare(self, phase) -> None:
        pass

    def switch(self, name: str) -> None:
        pass

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self._compile(seconds)

    def window(self, seconds: float, discarded_s: float) -> Window:
        self.now += seconds
        self.turns += 1
        self.backlog_s += self.more_each_turn_s
        self._compile(seconds / 10)
        self.served_s += seconds
        return Window(1000, 0, seconds, seconds, 0.1)

    def threads(self) -> Reading:
        return {("1", "1"): (POOL, Use(self.served_s, 0)), ("1", "2"): (COMPILERS, Use(self.compiled_s, 0))}

    def _compile(self, most_s: float) -> None:
        done = min(self.backlog_s, most_s)
        self.backlog_s -= done
        self.compiled_s += done


def warmed(monkeypatch: pytest.MonkeyPatch, cluster: Compiling, plan: Plan = FAIR_SHARES) -> Compiling:
    monkeypatch.setattr(run, "time", cluster)
    run.warm_up(plan, dict.fromkeys(plan.phases[0].competitors, cluster) | {LOCAL: cluster}, lambda note: None)
    return cluster


def test_compilers_get_the_processors_to_themselves_between_two_turns(monkeypatch):
    cluster = warmed(monkeypatch, Compiling(backlog_s=20))
    # One turn in which there was something to compile, and those in which there was not.
    assert cluster.backlog_s == 0 and cluster.turns == 1 + 4
    assert cluster.now == pytest.approx(20 + 5, abs=2)


def test_code_that_goes_on_being_compiled_is_loaded_for_its_time(monkeypatch):
    cluster = warmed(monkeypatch, Compiling(backlog_s=0, more_each_turn_s=0.2), replace(FAIR_SHARES, warm_up_s=30))
    assert 30 <= cluster.now < 33


def test_a_time_that_was_asked_for_is_not_shortened(monkeypatch):
    plan = replace(FAIR_SHARES, warm_up_s=30, compilers_done_below=0)
    assert warmed(monkeypatch, Compiling(backlog_s=0), plan).now >= 30


def test_waiting_for_compilers_ends_with_the_time_for_it(monkeypatch):
    cluster = warmed(monkeypatch, Compiling(backlog_s=500), replace(FAIR_SHARES, warm_up_s=10))
    assert 10 <= cluster.now < 12
