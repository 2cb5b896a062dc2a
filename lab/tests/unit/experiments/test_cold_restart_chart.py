# SPDX-License-Identifier: Apache-2.0
import json
import struct
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from isotherm_lab.charts import panels
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.cold_restart import chart
from isotherm_lab.measure import recording

RESTARTED = "127.0.0.3"
NAMES = ("cassandra", "isotherm")
ADDRESSES = ("127.0.0.1", "127.0.0.2", RESTARTED)


def results(folder: Path, sizes: tuple[str, ...] = ("exceeds",)) -> Path:
    """Write synthetic results of two variants: the third node is down from -4 to 0."""
    content: dict = {"experiment": "cold-restart", "fits": {}, "exceeds": {}, "settings": {}}
    phases = [{"name": "before", "from_s": 0, "to_s": 6}, {"name": "down", "from_s": 0, "to_s": 4.25}]
    for size in sizes:
        for name in NAMES:
            content[size][name] = {"phases": phases, "rejoined_s": None}
            run = folder / size / name
            run.mkdir(parents=True)
            seconds = range(-10, 20)
            (run / "latency.csv").write_text(
                "second,answers,errors,p50_ms,p90_ms,p99_ms,max_ms\n"
                + "".join(f"{s},400,0,{10 + s % 3},20,{50 + s % 7},90\n" for s in seconds)
            )
            (run / "nodes.csv").write_text(
                "second,node,reads_per_s,row_cache_hits_per_s,row_cache_misses_per_s,disk_reads_per_s,"
                "received_per_s,local_per_s,sent_total_per_s\n"
                + "".join(
                    f"{s},{address},{260 + s},{180 - s},{80 + 2 * s},90,130,{130 + s},132\n"
                    for s in seconds
                    for address in ADDRESSES
                    if address != RESTARTED or not -4 <= s < 0
                )
            )
    (folder / "summary.json").write_text(json.dumps(content))
    return folder


def png_size(file: Path) -> tuple[int, int]:
    content = file.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", content[16:24])


def test_every_run_and_every_size_gets_a_picture(tmp_path: Path):
    folder = results(tmp_path, ("fits", "exceeds"))
    files = chart.draw(folder, RESTARTED)
    expected = [
        folder / size / part
        for size in ("fits", "exceeds")
        for part in ("comparison.png", "cassandra/charts.png", "isotherm/charts.png")
    ]
    assert files == expected
    for file in files:
        width, height = png_size(file)
        assert width == 1600 and 900 <= height <= 1300


def test_only_what_the_summary_lists_is_drawn(tmp_path: Path):
    folder = results(tmp_path)
    stale = folder / "exceeds" / "cassandra-static"
    stale.mkdir()
    assert all(stale not in file.parents for file in chart.draw(folder, RESTARTED))


def drawn(figure: Figure, place: int, colour: str) -> list:
    (line,) = [line for line in figure.axes[place].lines if line.get_color() == colour and len(line.get_xdata()) > 2]
    return [line.get_xdata().tolist(), line.get_ydata().tolist()]


def test_the_comparison_draws_the_values_of_the_files(tmp_path: Path):
    folder = results(tmp_path)
    runs = {name: recording.read(folder / "exceeds" / name) for name in NAMES}
    figure = chart.comparison(runs, dict.fromkeys(NAMES, -4.25), RESTARTED, "some data")
    colour = panels.colours(ADDRESSES, RESTARTED)["127.0.0.1"]
    middles = [second + 0.5 for second in range(-10, 20)]
    assert drawn(figure, 0, colour) == [middles, [80 + 2 * second for second in range(-10, 20)]]
    assert drawn(figure, 2, colour) == [middles, [260 + second for second in range(-10, 20)]]
    # One scale per row, so that columns can be compared by eye.
    rows = [figure.axes[place : place + 2] for place in (0, 2, 4)]
    assert all(left.get_ylim() == right.get_ylim() for left, right in rows)
    assert all(axes.get_yscale() == "log" for axes in rows[2])


@pytest.mark.parametrize(("source", "missed"), [("cache", "cache misses"), ("auto", "disk reads")])
def test_what_a_miss_is_follows_from_the_source_of_heat(tmp_path: Path, source: str, missed: str):
    runs = {name: recording.read(results(tmp_path / name) / "exceeds" / name, source) for name in NAMES}
    figure = chart.comparison(runs, dict.fromkeys(NAMES, -4.25), RESTARTED, "some data", chart.MISSED[source])
    assert figure.axes[0].get_ylabel() == f"{missed}/s\nof each node"
    expected = {"cache": 80 + 2 * 5, "auto": 90}[source]
    colour = panels.colours(ADDRESSES, RESTARTED)["127.0.0.1"]
    assert drawn(figure, 0, colour)[1][15] == expected


def test_a_shared_scale_reaches_the_highest_of_all_columns(tmp_path: Path):
    folder = results(tmp_path)
    higher = folder / "exceeds" / "isotherm" / "nodes.csv"
    higher.write_text(higher.read_text() + "20,127.0.0.1,900,0,700,0,0,0,0\n")
    runs = {name: recording.read(folder / "exceeds" / name) for name in NAMES}
    figure = chart.comparison(runs, dict.fromkeys(NAMES, -4.25), RESTARTED, "some data")
    assert [figure.axes[place].get_ylim()[0] for place in (0, 2)] == [0, 0]
    assert figure.axes[0].get_ylim()[1] > 700 and figure.axes[2].get_ylim()[1] > 900


def test_a_node_keeps_its_colour_and_no_two_share_one():
    three = panels.colours(ADDRESSES, RESTARTED)
    assert len(set(three.values())) == 3
    assert panels.colours(["127.0.0.1"], RESTARTED)["127.0.0.1"] == three["127.0.0.1"]
    assert panels.colours(ADDRESSES[:2], RESTARTED)[RESTARTED] == three[RESTARTED]


def test_the_stop_is_placed_before_the_return():
    assert chart.down_s({"phases": [{"name": "down", "from_s": 0, "to_s": 17.5}]}) == -17.5
    assert chart.down_s({"phases": []}) is None


def test_torn_files_are_drawn_as_far_as_they_go(tmp_path: Path):
    folder = results(tmp_path)
    for name in ("latency.csv", "nodes.csv"):
        file = folder / "exceeds" / "isotherm" / name
        file.write_bytes(file.read_bytes()[:-12])
    (folder / "exceeds" / "cassandra" / "nodes.csv").write_text("")
    assert [png_size(file)[0] for file in chart.draw(folder, RESTARTED)] == [1600] * 3


@pytest.mark.parametrize("content", [None, "{", ""])
def test_without_results_a_sentence_says_what_makes_some(tmp_path: Path, content: str | None):
    if content is not None:
        (tmp_path / "summary.json").write_text(content)
    with pytest.raises(LabError, match="isotherm-lab run cold-restart"):
        chart.draw(tmp_path, RESTARTED)


def test_a_run_whose_series_are_gone_is_named(tmp_path: Path):
    folder = results(tmp_path)
    (folder / "exceeds" / "isotherm" / "nodes.csv").unlink()
    with pytest.raises(LabError, match=r"isotherm/nodes\.csv"):
        chart.draw(folder, RESTARTED)
