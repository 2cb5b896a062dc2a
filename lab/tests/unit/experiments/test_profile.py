# SPDX-License-Identifier: Apache-2.0
"""Parts of samples, and what is promised of them."""

from collections import Counter
from pathlib import Path

import pytest
from terminal import shown

from isotherm_lab.experiments import profile
from isotherm_lab.experiments.throughput.plan import FAIR, LOCAL, NOTHING
from isotherm_lab.measure.paired import LEAST_BLOCKS


def _windows(plugin: int, parameters: int = 0) -> list[Counter[str]]:
    shares = "plugin/dev.isotherm.share.FairShare"
    return [
        Counter(
            {
                "all": all_,
                "plugin": plugin,
                shares: plugin,
                "parameters": parameters,
                "cpu": 500,
                "maybe java": 200,
                "own threads": 1,
            }
        )
        for all_ in (900, 1100, 1000, 1000)
    ]


def test_parts_are_those_of_all_samples() -> None:
    row = profile.row(LOCAL, {LOCAL: _windows(20, 10), NOTHING: _windows(1, 4)})
    assert row["samples"] == 4000
    assert row["plugin"]["part"] == 0.02
    assert row["plugin"]["low"] <= 0.02 <= row["plugin"]["high"]
    assert row["parameters"]["part"] == 0.01
    assert row["java_at_most"] == 0.4
    assert row["of_processors_at_most"] == pytest.approx(0.4 * 0.026 + 0.002)
    assert row["own_threads"] == 0.002
    assert row["classes"] == {"dev.isotherm.share.FairShare": 0.02}


@pytest.mark.parametrize(
    ("off", "others", "fair", "said"),
    [
        (20, 145, 194, ["kept", "kept", "kept"]), (21, 145, 194, ["broken", "kept", "kept"]),
        (20, 146, 197, ["kept", "missed", "missed"]), (20, 196, 297, ["kept", "broken", "broken"]),
    ],
)  # fmt: skip
def test_each_part_is_held_to_what_is_promised_of_it(off: int, others: int, fair: int, said: list[str]) -> None:
    windows = {name: _windows(plugin) for name, plugin in ((NOTHING, off), (LOCAL, others), (FAIR, fair))}
    found = profile.promised([profile.row(name, windows) for name in windows])
    assert [each.cells()[3] for each in found] == said
    assert found[0].shown() == f"{0.04 * off + 0.2:.3g} %"


def test_what_a_node_wrote_is_read(tmp_path: Path) -> None:
    (tmp_path / "samples.tsv").write_text("all\t12\nplugin\t3\n", encoding="utf-8")
    assert profile.read(tmp_path) == Counter({"all": 12, "plugin": 3})


def test_the_table_fits_a_terminal() -> None:
    windows = {name: _windows(9, 3) for name in (NOTHING, LOCAL, FAIR)}
    lines = shown(profile.table([profile.row(name, windows) for name in windows]))
    assert any(line.split() == [FAIR, "4,000", "0.90", "(0.90-0.90)", "0.30", "(0.30-0.30)", "0.56"] for line in lines)


@pytest.mark.parametrize(("short", "minutes"), [(False, 10), (True, 8)])
def test_a_run_takes_as_long_as_is_said_and_has_blocks_for_an_interval(short: bool, minutes: int) -> None:
    sampling = profile.planned(short)
    assert round(sampling.expected_s() / 60) == minutes
    assert sampling.blocks >= LEAST_BLOCKS
