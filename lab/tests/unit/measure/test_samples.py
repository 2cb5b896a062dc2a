# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import numpy as np

from isotherm_lab.measure import samples


def test_records_come_back_by_intended_time_without_a_torn_end(tmp_path: Path):
    written = np.array([(2_000_000, 5, 0, 0), (1_000_000, 9, 1, 0)], dtype=samples.RECORD)
    file = tmp_path / "requests.bin"
    file.write_bytes(written.tobytes() + b"torn")
    assert samples.read(file)["intended_us"].tolist() == [1_000_000, 2_000_000]


def test_a_window_holds_its_beginning_and_not_its_end():
    records = np.array([(1_000_000, 1, 0, 0), (2_000_000, 2, 0, 0), (3_000_000, 3, 0, 0)], dtype=samples.RECORD)
    assert samples.between(records, 1, 3)["latency_us"].tolist() == [1, 2]


def test_what_failed_is_slower_than_anything():
    records = np.array([(0, 1000, 0, 0), (0, 3000, 0, 0), (0, 2, 1, 0)], dtype=samples.RECORD)
    assert samples.percentile_ms(records, 50) == 3.0
    assert samples.percentile_ms(records, 99) is None
    assert samples.percentile_ms(records[:2], 99) == 3.0
    assert samples.percentile_ms(records[2:], 50) is None
    assert samples.percentile_ms(records[:0], 50) is None


def test_an_answer_and_a_failure_have_nothing_between_them():
    records = np.array([(0, 1000, 0, 0), (0, 1, 1, 0)], dtype=samples.RECORD)
    assert samples.percentile_ms(records, 0) == 1.0
    assert samples.percentile_ms(records, 10) is None


def test_the_mean_is_of_all_that_waited_whether_answered_or_not():
    records = np.array([(0, 1000, 0, 0), (0, 5000, 1, 0)], dtype=samples.RECORD)
    assert samples.mean_ms(records) == 3.0
    assert samples.mean_ms(records[:0]) is None


def test_the_requests_of_some_coordinators_are_split_off():
    records = np.array([(0, 1, 0, 3), (1, 2, 0, 0), (2, 3, 1, 3), (3, 4, 0, 1)], dtype=samples.RECORD)
    others, own = samples.split_off(records, ["127.0.0.3"])
    assert own["intended_us"].tolist() == [0, 2] and others["intended_us"].tolist() == [1, 3]
    assert samples.split_off(records, [])[1].size == 0
