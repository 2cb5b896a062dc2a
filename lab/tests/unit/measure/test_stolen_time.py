# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from isotherm_lab.measure import stolen_time
from isotherm_lab.measure.stolen_time import FILE, Reading, StolenTime, watching


def of_seconds(*stolen: float) -> StolenTime:
    """Two processors, half of whose time is idle, and of which others take such parts second by second."""
    readings = [Reading(epoch_s=1000.0, idle_s=7.0, stolen_s=3.0, all_s=50.0)]
    for part in stolen:
        last = readings[-1]
        readings.append(
            Reading(last.epoch_s + 1, last.idle_s + 1.0, last.stolen_s + 2 * part, last.all_s + 2.0)
        )  # fmt: skip
    return StolenTime(readings)


def test_the_part_is_of_all_processors_from_the_first_reading_on():
    assert of_seconds(0.1, 0.3).part() == pytest.approx(0.2)
    assert StolenTime().part() == StolenTime().worst_part() == 0


def test_the_worst_ten_seconds_lie_anywhere():
    assert of_seconds(*[0.0] * 7, *[0.4] * 10, *[0.0] * 20).worst_part() == pytest.approx(0.4)
    assert of_seconds(*[0.0] * 20, *[0.4] * 5).worst_part() == pytest.approx(0.2)
    assert of_seconds(*[0.4] * 5, *[0.0] * 20).worst_part() == pytest.approx(0.2)


def test_without_ten_seconds_the_worst_are_all():
    assert of_seconds(0.1, 0.3).worst_part() == pytest.approx(0.2)


def test_the_sentence_says_both_and_where_to_look_if_it_was_much():
    assert of_seconds(*[0.01] * 30).sentence() == (
        "Other machines took 1% of the processors' time, 1% in the worst ten seconds."
    )
    much = of_seconds(*[0.0] * 20, *[0.3] * 10).sentence()
    assert "took 10% of the processors' time, 30% in the worst ten seconds" in much and FILE in much


def test_of_a_moment_nothing_is_said():
    assert of_seconds(0.9).sentence() == "" and StolenTime().sentence() == ""


def test_each_second_is_a_row(tmp_path: Path):
    of_seconds(0.25, 0.0).write(tmp_path / FILE)
    assert (tmp_path / FILE).read_text().split() == [
        "epoch_s,idle,stolen", "1000.0,0.500,0.250", "1001.0,0.500,0.000"
    ]  # fmt: skip


def test_it_watches_until_the_end_also_of_what_fails(tmp_path: Path):
    script = iter(of_seconds(*[0.5] * 1000).readings)
    taken = []

    def reading() -> Reading:
        taken.append(next(script))
        return taken[-1]

    with pytest.raises(KeyError), watching(tmp_path, reading, step_s=0.001) as stolen:
        while len(taken) < 12:
            pass
        raise KeyError
    assert stolen.readings == taken
    assert len((tmp_path / FILE).read_text().split()) == len(taken)
    assert stolen.part() == pytest.approx(0.5)


def test_a_run_that_fails_at_once_leaves_the_file_of_an_earlier_one(tmp_path: Path):
    (tmp_path / FILE).write_text("of an earlier run")
    with pytest.raises(KeyError), watching(tmp_path):
        raise KeyError
    assert (tmp_path / FILE).read_text() == "of an earlier run"


def test_own_seconds_are_those_in_which_what_ran_was_not_others():
    begin, end = of_seconds(0.25).readings
    # Of the two processors' two seconds one was idle, a half this machine's and a half others'.
    assert stolen_time.own_seconds(begin, end) == pytest.approx(0.5)
    begin, end = of_seconds(0.0).readings
    assert stolen_time.own_seconds(begin, end) == 1
    begin, end = of_seconds(0.5).readings
    assert stolen_time.own_seconds(begin, end) == 0
    assert stolen_time.own_seconds(end, end) == 0


def test_without_results_there_is_no_file(tmp_path: Path):
    with watching(tmp_path / "none"):
        pass
    assert not list(tmp_path.iterdir())


def test_the_machine_says_how_long_its_processors_were_idle():
    before = stolen_time.read()
    assert 0 < before.idle_s < before.all_s
    assert before.stolen_s >= 0
