# SPDX-License-Identifier: Apache-2.0
"""What the panels ask Prometheus, and what a person sees of the answers."""

import pytest
from rich.console import Console

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.dashboard import chart
from isotherm_lab.experiments.dashboard.panels import answers, expression, legend, panels, refuse_empty
from isotherm_lab.experiments.dashboard.plan import planned
from isotherm_lab.experiments.dashboard.prometheus import watching
from isotherm_lab.experiments.dashboard.run import run_and_report


class Answering:
    """A Prometheus that has two series for each query, one of them partly without a number."""

    def __init__(self):
        self.asked: list[str] = []

    def over(self, expression: str, first: float, last: float, step_s: int) -> list[dict]:
        self.asked.append(expression)
        return [
            {"metric": {"instance": "127.0.0.1:7070"}, "values": [[first, "1.5"], [first + step_s, "2"]]},
            {"metric": {"instance": "127.0.0.2:7070"}, "values": [[first, "NaN"], [first + step_s, "0"]]},
        ]


def test_grafanas_variables_are_set_for_all_nodes():
    query = 'sum (rate(a_total{job=~"$job", instance=~"$instance"}[$__rate_interval]))'
    assert expression(query, 2) == 'sum (rate(a_total{job=~"cassandra", instance=~".*"}[8s]))'
    with pytest.raises(LabError, match="a variable that is not known here: rate"):
        expression("rate(a_total[$interval])", 2)


def test_a_legend_has_the_labels_values():
    assert legend("{{instance}} by heat", {"instance": "a"}) == "a by heat"
    assert legend("{{ keyspace }}.{{table}}", {"keyspace": "ks", "table": "t"}) == "ks.t"
    assert legend("{{missing}}", {}) == ""


def test_every_query_of_the_dashboard_is_asked_and_its_numbers_are_kept():
    prometheus = Answering()
    found = answers(prometheus, 100.0, 160.0, 2)
    assert len(prometheus.asked) == sum(len(panel.get("targets", [])) for panel in panels())
    assert not any("$" in asked for asked in prometheus.asked)
    reads = next(each for each in found if each["title"] == "Reads by heat, and by the snitch")
    assert reads["series"][0] == {"name": "127.0.0.1:7070 by heat", "values": [[0.0, 1.5], [2.0, 2.0]]}
    assert reads["series"][1]["values"] == [[2.0, 0.0]]
    refuse_empty(found)


def test_a_panel_that_shows_nothing_is_named():
    found = answers(Answering(), 0.0, 10.0, 2)
    found[1]["series"] = [{"name": "a", "values": []}]
    with pytest.raises(LabError, match=f"without any value: {found[1]['title']}."):
        refuse_empty(found)


def test_every_panel_is_drawn_with_its_title_and_lines():
    scenes = [{"name": "well", "from_s": 0}, {"name": "a node pauses", "from_s": 5}]
    listed = {"panels": answers(Answering(), 0.0, 10.0, 2), "scenes": scenes}
    figure = chart.of_run(listed)
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
    assert titles == [panel["title"] for panel in panels() if panel["type"] != "row"]
    assert all(axes.get_lines() for axes in figure.axes if axes.get_title(loc="left"))


def test_without_a_prometheus_it_says_how_to_get_one_before_anything_starts(monkeypatch, tmp_path):
    def create(*_: object, **__: object) -> None:
        raise AssertionError("a cluster begins")

    monkeypatch.setattr(Cluster, "create", create)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match="make dashboard"), watching(["127.0.0.1:1"], tmp_path / "prometheus", 2):
        pass
    with pytest.raises(LabError, match="make dashboard"):
        run_and_report(planned(), tmp_path, Console(quiet=True))
