# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest
from rich.console import Console

from isotherm_lab.experiments.cold_restart import planned, report
from isotherm_lab.experiments.cold_restart.plan import Plan
from isotherm_lab.measure import summary
from isotherm_lab.progress import Listener

NODES = {
    f"127.0.0.{number}": {
        "reads_per_s": 100.0,
        "misses_per_s": 30.0,
        "disk_reads_per_s": 30.0,
        "local_per_s": 50.0,
        "remote_per_s": 60.0,
    }
    for number in (1, 2, 3)
}


def phase(name: str, p50_ms: float) -> dict:
    return {"name": name, "p50_ms": p50_ms, "other_clients": {"p50_ms": p50_ms - 1}, "errors": 0, "nodes": NODES,
            "from_s": 0, "to_s": 5}  # fmt: skip


def test_the_summary_is_complete_after_each_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    seen = []

    def run(_plan, variant, output: Path, _listener: Listener) -> dict:
        file = tmp_path / summary.FILE
        seen.append(json.loads(file.read_text()) if file.exists() else None)
        assert output.parent.parent == tmp_path and output.name == variant.name
        return {"phases": [phase("before", 5.0), phase("down", 8.0), phase("back", 10.0)], "rejoined_s": 7.5,
                "storage": "compressor"}  # fmt: skip

    monkeypatch.setattr(report, "run", run)
    console = Console(width=100)
    with console.capture() as shown:
        report.run_and_report(planned(["cassandra", "isotherm"], "both"), tmp_path, console)

    found = json.loads((tmp_path / summary.FILE).read_text())
    assert list(found) == ["experiment", "fits", "exceeds", "settings"] and found["experiment"] == "cold-restart"
    assert set(found["settings"]) == {"fits", "exceeds"} and found["settings"]["fits"]["data"]["keys"] == 600
    assert [set(found[size]) for size in ("fits", "exceeds")] == [{"cassandra", "isotherm"}] * 2
    assert [None if each is None else (len(each["fits"]), len(each["exceeds"])) for each in seen] == [
        None, (1, 0), (2, 0), (2, 1),
    ]  # fmt: skip
    assert shown.get().count("1.25x") == shown.get().count("1.12x") == 4
    assert str(tmp_path / summary.FILE) in shown.get().replace("\n", "")


def test_where_page_cache_is_not_possible_a_sentence_says_so_and_the_compressor_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def run(plan: Plan, *_: object) -> dict:
        return {"phases": [phase("before", 5.0), phase("down", 8.0), phase("back", 10.0)], "rejoined_s": 7.5,
                "storage": str(plan.storage)}  # fmt: skip

    monkeypatch.setattr(report, "run", run)
    suite = planned(["cassandra"], "exceeds", storage="page-cache")
    for sentence, storage in ((None, "page-cache"), ("No cgroups today.", "compressor")):
        monkeypatch.setattr(report.page_cache_storage, "missing", lambda sentence=sentence: sentence)
        console = Console(width=200)
        with console.capture() as shown:
            report.run_and_report(suite, tmp_path, console)
        found = json.loads((tmp_path / summary.FILE).read_text())
        assert found["exceeds"]["cassandra"]["storage"] == storage
        assert (found["settings"]["exceeds"]["page_cache"] is None) == (storage == "compressor")
        said = "No cgroups today. The slow-disk compressor is used instead."
        assert (said in shown.get()) == (storage == "compressor")
        assert "disk reads/s" in " ".join(shown.get().split())
