# SPDX-License-Identifier: Apache-2.0
"""Releases of the drivers that are not as known: each plan is then the driver's own, and one line of the log says so.

Such a release is made from the installed one, whose sources are loaded with one name renamed throughout.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from topology import IS_SCYLLA

HERE = Path(__file__).parent
#: What this package takes from inside the drivers' metadata, and whether the log has to say that it is missing: it need
#: not where the plans are made as fast without it.
RENAMED = {
    "tokens_to_hosts_by_ks": True,
    "token_class": True,
    "rebuild_keyspace": False,
    "TokenMap": True,
    "Murmur3Token": True,
    "get_replicas": False,
    "shuffle": False,
}
RENAMED_BY_SCYLLA = {
    "_tablets": True,
    "tablet_version": True,
    "_ConsistencyMode": True,
    "_consistency_mode": True,
    "get_tablet_for_key": True,
}
NAMES = RENAMED | (RENAMED_BY_SCYLLA if IS_SCYLLA else {})


def plans_under(renamed: str) -> dict:
    """Return what unknown_release.py prints: how often the name was replaced, wrong plans, and lines by policy."""
    run = subprocess.run(
        [sys.executable, str(HERE / "unknown_release.py"), renamed],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])},
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("renamed", NAMES)
def test_under_a_renamed_internal_plans_are_right_and_one_line_says_so(renamed: str) -> None:
    found = plans_under(renamed)
    assert found["replaced"] > 0
    assert found["wrong"] == []
    assert max(map(len, found["logged"])) == NAMES[renamed], found["logged"]


def test_as_known_nothing_is_logged() -> None:
    found = plans_under("no such name")
    assert found["replaced"] == 0
    assert found["wrong"] == []
    assert not any(found["logged"])
