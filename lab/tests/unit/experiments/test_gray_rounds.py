# SPDX-License-Identifier: Apache-2.0
from gray_runs import run

from isotherm_lab.experiments.gray.rounds import of_rounds


def test_one_round_is_what_was_found():
    only = run(5.0, 1.5, None)
    assert of_rounds([only]) == only


def test_of_several_every_number_is_their_median_and_each_is_kept():
    rounds = [run(5.0, 1.5, 9.0, apart=True), run(9.0, 7.5, 3.0, apart=True, errors=4), run(6.0, 0.5, 4.0, apart=True)]
    found = of_rounds(rounds)
    assert (found["recovered_s"], found["rejoined_s"]) == (1.5, 4.0)
    assert found["rounds"] == rounds
    assert [(each["name"], each["from_s"]) for each in found["phases"]] == [
        (each["name"], each["from_s"]) for each in rounds[0]["phases"]
    ]
    for phase in found["phases"]:
        assert (phase["p50_ms"], phase["p99_ms"], phase["errors"]) == (6.0, 60.0, 0)
        assert phase["own_clients"]["p99_ms"] == 60.0
        assert phase["nodes"]["127.0.0.3"]["reads_per_s"] == 100.0


def test_never_is_above_all_times():
    assert of_rounds([run(5.0, None, 4.0), run(5.0, 2.0, None), run(5.0, 8.0, None)])["recovered_s"] == 8.0
    assert of_rounds([run(5.0, None, 4.0), run(5.0, 2.0, None), run(5.0, 8.0, None)])["rejoined_s"] is None


def test_of_two_it_is_the_greater():
    assert of_rounds([run(5.0, 2.0, 4.0), run(5.0, None, 9.0)])["rejoined_s"] == 9.0
    assert of_rounds([run(5.0, 2.0, 4.0), run(5.0, None, 9.0)])["recovered_s"] is None


def test_a_round_that_tells_nothing_counts_only_where_none_does():
    unsettled, missed, fit = run(50.0, None, None, settled=False), run(70.0, None, None, met=False), run(5.0, 2.0, 4.0)
    found = of_rounds([unsettled, fit, missed])
    assert found["phases"][0]["p50_ms"] == 5.0 and found["settled"] and found["met"]
    assert found["rounds"] == [unsettled, fit, missed]
    none = of_rounds([unsettled, missed, missed])
    assert none["phases"][0]["p50_ms"] == 70.0 and not none["settled"] and not none["met"]
