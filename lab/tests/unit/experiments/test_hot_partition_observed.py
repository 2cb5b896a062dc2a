# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.hot_partition import observed
from isotherm_lab.load.closed_load import FAILED, REJECTED
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters

ALTERED, END = 1000.0, 1030.0


def requests(ended: np.ndarray, latency_s: float = 0.05, outcome: int = samples.ANSWERED) -> np.ndarray:
    records = np.zeros(len(ended), dtype=samples.RECORD)
    records["intended_us"] = np.round((ended - latency_s) * 1e6)
    records["latency_us"] = round(latency_s * 1e6)
    records["outcome"] = outcome
    return records


def steadily(per_s: float, from_s: float, to_s: float) -> np.ndarray:
    return from_s + (np.arange(int((to_s - from_s) * per_s)) + 0.5) / per_s


def test_rates_go_by_the_end_of_a_read_and_offered_by_its_beginning():
    background = requests(steadily(200, 0, 10))
    hot = np.concatenate([requests(steadily(10, 0, 10)), requests(steadily(1500, 5, 10), outcome=REJECTED)])
    seen = observed.clients(6, 9, background, np.sort(hot, order="intended_us"))
    assert seen["background_per_s"] == pytest.approx(200, rel=0.01)
    assert seen["background_p99_ms"] == pytest.approx(50)
    assert seen["hot_accepted_per_s"] == pytest.approx(10, abs=0.5)
    assert seen["hot_rejected_per_s"] == pytest.approx(1500, rel=0.01)
    assert seen["hot_offered_per_s"] == pytest.approx(1510, rel=0.01)
    assert seen["failed"] == 0


def test_a_phase_without_a_hot_client_has_zeros_and_failures_are_counted_apart():
    background = np.concatenate([requests(steadily(100, 0, 10)), requests(np.array([4.5, 12]), outcome=FAILED)])
    seen = observed.clients(0, 10, background, requests(np.empty(0)))
    assert (seen["hot_offered_per_s"], seen["hot_accepted_per_s"], seen["hot_rejected_per_s"]) == (0, 0, 0)
    assert (seen["background_failed"], seen["failed"]) == (1, 1)


def test_the_background_is_back_at_the_end_of_the_first_fast_stretch():
    slow, fast = steadily(20, ALTERED, ALTERED + 1.5), steadily(200, ALTERED + 1.5, END)
    found = observed.recovered_s(requests(np.concatenate([slow, fast])), 200, ALTERED, END)
    # 95 % over two seconds: a stretch may begin a little before the change.
    assert 1.5 + observed.STRETCH_S - 0.2 <= found <= 1.5 + observed.STRETCH_S + 0.1


def test_a_return_that_does_not_last_is_none():
    fast, slow = steadily(200, ALTERED, ALTERED + 6), steadily(100, ALTERED + 6, END)
    assert observed.recovered_s(requests(np.concatenate([fast, slow])), 200, ALTERED, END) is None


def test_ninety_four_percent_is_not_enough_and_ninety_six_is():
    assert observed.recovered_s(requests(steadily(188, ALTERED, END)), 200, ALTERED, END) is None
    found = observed.recovered_s(requests(steadily(192, ALTERED, END)), 200, ALTERED, END)
    assert found == observed.STRETCH_S


def test_a_time_shorter_than_a_stretch_shows_nothing():
    always = requests(steadily(200, ALTERED - 5, END))
    assert observed.recovered_s(always, 200, ALTERED, ALTERED + 1.95) is None
    assert observed.recovered_s(always, 200, ALTERED, ALTERED + 2.05) == 2.0


def test_the_first_request_is_that_of_whichever_client_was_first():
    clients = [requests(steadily(10, 7, 9)), requests(np.empty(0)), requests(steadily(10, 5, 9))]
    assert observed.first_sent_s(clients) == pytest.approx(5, abs=0.01)
    with pytest.raises(LabError, match="sent nothing"):
        observed.first_sent_s([requests(np.empty(0))])


def test_the_queue_is_of_threads_and_of_the_disk():
    zeros = np.zeros(3)
    counters = NodeCounters(
        np.array([0.0, 1.0, 2.0]),
        {
            "disk_reads": np.array([0.0, 500.0, 1000.0]),
            "read_stage_pending": zeros + 40,
            "disk_waiting": np.array([0.0, 16.0, 16.0]),
        },
    )
    assert observed.queue(counters, 0.5) == 48
    seen = observed.replicas(0, 2, {"127.0.0.1": counters})["127.0.0.1"]
    assert seen["disk_reads_per_s"] == 500 and seen["queue"] == pytest.approx(40 + (0 + 8 + 16 + 16) / 4)
