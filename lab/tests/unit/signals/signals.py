# SPDX-License-Identifier: Apache-2.0
"""What the signals' page and files say: metrics by their names in JMX and in Prometheus."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "docs" / "signals.md"
ALERTS = ROOT / "conf" / "prometheus" / "alerts.yaml"
ALERTS_TEST = Path(__file__).with_name("alerts-test.yaml")
EXPORTER = ROOT / "conf" / "prometheus" / "jmx-exporter.yaml"
DASHBOARD = ROOT / "conf" / "grafana" / "isotherm.json"


def documented() -> dict[str, str]:
    """Return the name in Prometheus of each metric in JMX, as the page has it; empty for one that is not exported."""
    rows = re.findall(r"^\| `(\w+)` \| (?:`(\w+)`)? *\| (.+) \| (.+) \|$", PAGE.read_text(), re.MULTILINE)
    assert all(unit and meaning for _, _, unit, meaning in rows)
    return {jmx: prometheus for jmx, prometheus, _, _ in rows}


def exported() -> dict[str, dict[str, Any]]:
    """Return the exporter's rule of each metric in JMX."""
    rules = yaml.safe_load(EXPORTER.read_text())["rules"]
    return {re.search(r"name=(\w+)><>Value$", rule["pattern"]).group(1): rule for rule in rules}


def alerts() -> list[dict[str, Any]]:
    """Return the alert rules."""
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def alerts_tested() -> dict[str, set[bool]]:
    """Return whether each alert is tested to fire, to be silent, or both."""
    tested: dict[str, set[bool]] = {}
    for test in yaml.safe_load(ALERTS_TEST.read_text())["tests"]:
        for check in test["alert_rule_test"]:
            tested.setdefault(check["alertname"], set()).add(bool(check["exp_alerts"]))
    return tested


def dashboard() -> dict[str, Any]:
    """Return the dashboard."""
    return json.loads(DASHBOARD.read_text())
