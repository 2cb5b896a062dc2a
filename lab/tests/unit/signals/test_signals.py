# SPDX-License-Identifier: Apache-2.0
"""The files for monitoring systems agree with each other; an integration test compares them with a running node."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard
from signals import ALERTS, ALERTS_TEST, ROOT, alerts, alerts_tested, dashboard, documented, exported

#: The exporter's own metric of whether it could read a node, which no other target has.
SCRAPED = "jmx_scrape_error"
PANELS = [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def metrics(expression: str) -> set[str]:
    """Return the metrics that an expression of PromQL uses; ValueError if it is none."""
    promql_parser.parse(expression)
    return set(re.findall(r"\b(?:isotherm_\w+|jmx_\w+|up\b)", expression))


def test_the_exporter_makes_the_documented_names():
    assert {jmx: rule["name"] for jmx, rule in exported().items()} == {
        jmx: name for jmx, name in documented().items() if name
    }


def test_counters_are_named_as_prometheus_names_them():
    for rule in exported().values():
        assert (rule["type"] == "COUNTER") == rule["name"].endswith("_total"), rule["name"]
        assert re.fullmatch(r"isotherm(_[a-z]+)+", rule["name"])
        assert rule["help"]


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_an_alert_is_of_metrics_that_are_there(rule: dict[str, Any]):
    assert metrics(rule["expr"]) <= {*documented().values(), SCRAPED}
    assert rule["annotations"].keys() == {"summary", "description"}
    assert rule["labels"]["severity"] in {"warning", "info"}
    assert f"| `{rule['alert']}` |" in (ROOT / "docs" / "signals.md").read_text()


def test_whatever_cannot_be_read_is_in_the_alert_of_it():
    (alert,) = (rule for rule in alerts() if rule["alert"] == "IsothermReportsMalformed")
    assert metrics(alert["expr"]) == {name for name in documented().values() if name.endswith("_malformed_total")}


def test_each_alert_is_tested_to_fire_and_to_be_silent():
    assert alerts_tested() == {rule["alert"]: {True, False} for rule in alerts()}


def promtool(*words: object, said: str | None = None) -> str:
    """Return what promtool prints; AssertionError when it finds something wrong. `make signals` builds it."""
    if shutil.which("promtool") is None:
        pytest.skip("needs promtool on the PATH")
    ran = subprocess.run(["promtool", *map(str, words)], input=said, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def test_promtool_finds_the_alerts_right():
    assert f"SUCCESS: {len(alerts())} rules found" in promtool("check", "rules", "--lint-fatal", ALERTS)


def test_promtool_has_each_alert_fire_and_be_silent():
    assert "SUCCESS" in promtool("test", "rules", ALERTS_TEST)


def test_promtool_finds_nothing_wrong_with_what_the_exporter_makes():
    lines = [
        f"# HELP {rule['name']} {rule['help']}\n# TYPE {rule['name']} {rule['type'].lower()}\n{rule['name']} 0\n"
        for rule in exported().values()
    ]
    assert promtool("check", "metrics", said="".join(lines)) == ""


@pytest.mark.parametrize(
    ("least", "most", "shown"),
    [
        # Nanoseconds: reads from memory do not differ, whatever they take.
        (40_000, 400_000, 1), (100_000, 2_000_000, 4), (1_000_000, 3_000_000, 3), (0, 1_000_000, 2),
        # Misses per read.
        (0, 0.04, 1), (0.01, 0.5, 10), (0.25, 1, 4), (0, 0, 1),
    ],
)  # fmt: skip
def test_nodes_that_are_warm_enough_have_one_temperature(tmp_path: Path, least: float, most: float, shown: float):
    (panel,) = (panel for panel in PANELS if panel["title"] == "Coldest beside warmest node")
    (target,) = panel["targets"]
    labels = '{job="cassandra", instance="a", keyspace="ks", table="t"}'
    heats = {"isotherm_heat_least": least, "isotherm_heat_most": most}
    asked = {
        "expr": re.sub(r"\$\w+", ".*", target["expr"]),
        "eval_time": "1m",
        "exp_samples": [{"labels": '{keyspace="ks", table="t"}', "value": shown}],
    }
    series = [{"series": name + labels, "values": f"{value}x2"} for name, value in heats.items()]
    file = tmp_path / "panel.yaml"
    file.write_text(yaml.safe_dump({"tests": [{"input_series": series, "promql_expr_test": [asked]}]}))
    assert "SUCCESS" in promtool("test", "rules", file)


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel["title"])
def test_a_panel_is_of_metrics_that_are_there(panel: dict[str, Any]):
    assert panel["description"] and panel["fieldConfig"]["defaults"]["unit"]
    variables = {variable["name"] for variable in dashboard()["templating"]["list"]}
    for target in panel["targets"]:
        assert set(re.findall(r"\$(\w+)", target["expr"])) <= variables | {"__rate_interval"}
        assert metrics(target["expr"].replace("$__rate_interval", "5m")) <= set(documented().values())


def test_every_exported_metric_is_on_the_dashboard():
    shown = {name for panel in PANELS for target in panel["targets"] for name in metrics(
        target["expr"].replace("$__rate_interval", "5m"))}  # fmt: skip
    assert shown == {name for name in documented().values() if name}


def test_panels_do_not_cover_each_other():
    places = [panel["gridPos"] for panel in dashboard()["panels"]]
    for one, other in combinations(places, 2):
        apart = (
            one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
            or one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        )  # fmt: skip
        assert apart, (one, other)
    assert all(place["x"] + place["w"] <= 24 for place in places)
    ids = [panel["id"] for panel in dashboard()["panels"]]
    assert len(ids) == len(set(ids))


def test_grafanas_own_types_know_all_that_the_dashboard_says():
    known = json.loads(json.dumps(Dashboard.from_json(dashboard()), cls=JSONEncoder))

    def lost(said: Any, understood: Any, path: str) -> Iterator[str]:
        if isinstance(said, dict) and isinstance(understood, dict):
            for key, value in said.items():
                yield from lost(value, understood.get(key), f"{path}.{key}")
        elif isinstance(said, list) and isinstance(understood, list) and len(said) == len(understood):
            for place, value in enumerate(said):
                yield from lost(value, understood[place], f"{path}[{place}]")
        elif said != understood:
            yield path

    assert list(lost(dashboard(), known, "dashboard")) == []
