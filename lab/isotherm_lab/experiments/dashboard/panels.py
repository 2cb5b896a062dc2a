# SPDX-License-Identifier: Apache-2.0
"""The panels of the dashboard, and what Prometheus answers to their queries."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.dashboard.prometheus import JOB, Prometheus
from isotherm_lab.paths import project_root

#: Grafana makes the interval of rates four scrapes long.
_SCRAPES_PER_RATE = 4


def dashboard() -> Path:
    """Return the dashboard's file."""
    return project_root() / "conf" / "grafana" / "isotherm.json"


def panels() -> list[dict[str, Any]]:
    """Return the panels and the headings of rows, as the dashboard's file has them."""
    return json.loads(dashboard().read_text())["panels"]


def expression(query: str, scrape_s: int) -> str:
    """Return a panel's query with Grafana's variables set as for all nodes of the lab."""
    for variable, value in (
        ("$__rate_interval", f"{_SCRAPES_PER_RATE * scrape_s}s"), ("$job", JOB), ("$instance", ".*"),
    ):  # fmt: skip
        query = query.replace(variable, value)
    if "$" in query:
        raise LabError(f"{dashboard().name} has a variable that is not known here: {query}")
    return query


def legend(pattern: str, labels: Mapping[str, str]) -> str:
    """Return the name of a series as Grafana makes it: {{label}} stands for the label's value."""
    return re.sub(r"\{\{\s*(\w+)\s*}}", lambda found: labels.get(found[1], ""), pattern)


def answers(prometheus: Prometheus, first: float, last: float, scrape_s: int) -> list[dict[str, Any]]:
    """Return each panel with its series: a name, and the values with their seconds after the first."""
    found = []
    for panel in panels():
        series = [
            {
                "name": legend(target["legendFormat"], each["metric"]),
                "values": [[round(at - first, 1), value] for at, value in _numbers(each["values"])],
            }
            for target in panel.get("targets", [])
            for each in prometheus.over(expression(target["expr"], scrape_s), first, last, scrape_s)
        ]
        unit = panel.get("fieldConfig", {}).get("defaults", {}).get("unit", "")
        found.append({key: panel[key] for key in ("type", "title", "gridPos")} | {"unit": unit, "series": series})
    return found


def _numbers(values: list[list[Any]]) -> list[tuple[float, float]]:
    # NaN says that there is nothing to show, and JSON does not know it.
    return [(at, float(value)) for at, value in values if value not in {"NaN", "+Inf", "-Inf"}]


def refuse_empty(found: list[Mapping[str, Any]]) -> None:
    """Raise LabError that names the panels that show nothing: a query of theirs is wrong, or nothing happened."""
    empty = [each["title"] for each in found if each["type"] != "row" and not any(s["values"] for s in each["series"])]
    if empty:
        raise LabError(f"Panels of {dashboard().name} without any value: {', '.join(empty)}.")
