# SPDX-License-Identifier: Apache-2.0
"""From when on a return of the background is counted, with made-up clients and a made-up clock."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from isotherm_lab.experiments.hot_partition import fair, fair_chart
from isotherm_lab.experiments.hot_partition.plan import Plan
from isotherm_lab.experiments.hot_partition.promised import promises
from isotherm_lab.load.closed_load import REJECTED, ClosedLoadSettings
from isotherm_lab.measure import samples
from isotherm_lab.progress import Silent

#: A process takes so long to send its first request, and so long do hot clients keep the background from its reads.
STARTED_IN_S, HELD_BACK_S = 1.5, 4.0
USUAL_PER_S, HELD_BACK_PER_S = 180, 40


def reads(from_s: float, to_s: float, per_s: float, outcome: int = samples.ANSWERED) -> np.ndarray:
    """Return reads of 10 ms, evenly spaced."""
    sent = np.arange(from_s, to_s, 1 / per_s)
    records = np.zeros(sent.size, dtype=samples.RECORD)
    records["intended_us"], records["latency_us"], records["outcome"] = sent * 1e6, 10_000, outcome
    return records


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> fair.FairMoments:
    """What is measured of a hot client, whose records are in `hot`."""
    now = 1000.0

    def watch(seconds: float, *_: object) -> None:
        nonlocal now
        now += max(0.0, seconds)

    @contextmanager
    def all_sending(settings: Iterable[ClosedLoadSettings]) -> Iterator[list]:
        watch(STARTED_IN_S)
        for each in settings:
            Path(each.directory).mkdir()
            # The client that is hot has no rate; every request of the one that comes again is refused here.
            sent = reads(now, now + 7, each.per_s, REJECTED) if each.per_s else reads(now, now + 20, 100)
            sent.tofile(Path(each.directory) / samples.FILE)
        yield []

    monkeypatch.setattr(fair, "time", SimpleNamespace(time=lambda: now))
    monkeypatch.setattr(fair, "all_sending", all_sending)
    monkeypatch.setattr(fair, "switch", lambda *_: None)
    hot = [ClosedLoadSettings([], str(tmp_path / "hot"), "SELECT", in_flight_per_node=32, first_key=7, keys=1, seed=1)]
    return fair.measure(SimpleNamespace(), Plan(), SimpleNamespace(), hot, Silent(), watch)


def background(moments: fair.FairMoments) -> np.ndarray:
    """Return reads that are few from the first hot request on, for a while."""
    back = moments.background_to + STARTED_IN_S + HELD_BACK_S
    stretches = (
        reads(moments.background_from - 5, moments.background_to + STARTED_IN_S, USUAL_PER_S),
        reads(moments.background_to + STARTED_IN_S, back, HELD_BACK_PER_S),
        reads(back, moments.end, USUAL_PER_S),
    )
    return np.concatenate(stretches)


def test_a_return_is_counted_from_the_first_hot_request_and_not_from_the_start_of_its_process(
    moments: fair.FairMoments, tmp_path: Path
):
    assert moments.hot_starts == pytest.approx(moments.background_to + STARTED_IN_S)
    concluded = fair.conclude(moments, background(moments), [tmp_path / "hot"], {})
    # 80 % over two seconds: a stretch may begin a little before the change.
    assert HELD_BACK_S + 1 <= concluded["recovered_s"] <= HELD_BACK_S + 2.1
    _, hot, _ = concluded["phases"]
    assert hot["from_s"] == 5 and hot["to_s"] == Plan().limited_s


def test_a_client_that_comes_again_is_heard_once_nothing_may_be_refused(moments: fair.FairMoments, tmp_path: Path):
    concluded = fair.conclude(moments, background(moments), [tmp_path / "hot"], {})
    _, hot, after = concluded["phases"]
    assert hot["hot_rejected_per_s"] == 0
    assert after["hot_accepted_per_s"] == 0
    assert after["hot_rejected_per_s"] == pytest.approx(Plan().again_per_s, abs=0.4)
    listed = {"under_hot": 0, "under_limit": 1, "phases": [], "fair_share": {"one": concluded | {"hot_of_left": None}}}
    refused = next(each for each in promises(listed) if each.what == "one: hot refused, 5 s after")
    assert refused.broken


def test_second_0_of_the_chart_is_that_of_the_first_hot_request(moments: fair.FairMoments):
    by_second = dict(fair_chart.of_usual(moments, background(moments)))
    assert by_second[-1] == pytest.approx(1, abs=0.02)
    assert by_second[0] == pytest.approx(HELD_BACK_PER_S / USUAL_PER_S, abs=0.02)
