# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of one release, in a process of their own."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.java import check_java, java11_home
from isotherm_lab.experiments.matrix.plan import suite_of
from isotherm_lab.paths import project_root
from isotherm_lab.progress import Listener

_FIRST_ADDRESS = "ISOTHERM_LAB_FIRST_ADDRESS"
_STOP_SECONDS = 60
#: The first release whose own scripts start it on a Java later than 11.
_FIRST_ON_JAVA_17 = "5.0-alpha1"
#: pytest's line for a test, with how far it is.
_LINE = re.compile(r"::(\w+).* (?:PASSED|FAILED|ERROR|SKIPPED).*\[ *(\d+)%\]")


def tested(release: str, first_address: int, folder: Path, told: Listener) -> dict[str, Any]:
    """Return what came of a release; the folder keeps the tests' report and output."""
    folder.mkdir(parents=True, exist_ok=True)
    report, log = folder / "report.xml", folder / "pytest.log"
    report.unlink(missing_ok=True)
    suite = suite_of(release)
    environment = os.environ | {
        releases.VARIABLE: release,
        _FIRST_ADDRESS: str(first_address),
        "PYTHONUNBUFFERED": "1",
        **chosen_java(release),
    }
    java = check_java(environment)
    command = [sys.executable, "-m", "pytest", "lab/tests/integration", "-v", "-m", suite, f"--junitxml={report}"]
    began = time.monotonic()
    with open(log, "w", buffering=1) as kept, _running(command, environment) as process:
        for line in process.stdout or ():
            kept.write(line)
            if found := _LINE.search(line):
                told.note(f"{found.group(2)} %, {found.group(1)}")
    account = outcomes(report, process.returncode)
    seconds = round(time.monotonic() - began)
    return {"cassandra": release, "java": java, "suite": suite, "seconds": seconds, **account}


def chosen_java(release: str) -> dict[str, str]:
    """Return the variables that name the Java on which operators run a release, if it is not the one in use.

    It is Java 11 for the releases before 5.0. Where the lab does not have it, they run on the one in use, as they can.
    """
    if releases.order(release) >= releases.order(_FIRST_ON_JAVA_17):
        return {}
    home = java11_home()
    return {"JAVA_HOME": home} if home else {}


def outcomes(report: Path, exit_code: int) -> dict[str, Any]:
    """Return how many tests passed, failed and were skipped, and the names of those that failed.

    A run that came to no orderly end, or had no tests, has a failure of that name, and so has one that skipped all.
    """
    states: dict[str, str] = {}
    if report.is_file():
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
            kinds = {child.tag for child in case}
            state = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
            # A test that fails, and then fails to clean up, is there twice.
            states[name] = "failed" if states.get(name) == "failed" else state
    failures = [name for name, state in states.items() if state == "failed"]
    if exit_code not in (0, 1) or not states or (exit_code == 1 and not failures):
        failures.append(f"pytest ended with {exit_code}")
    elif not failures and "passed" not in states.values():
        failures.append("no test passed")
    counted = list(states.values())
    return {"passed": counted.count("passed"), "failed": len(failures), "skipped": counted.count("skipped"),
            "failures": failures}  # fmt: skip


@contextmanager
def _running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen]:
    """Start a process that does not hear the terminal's Ctrl-C; if this ends before it, it is told to clean up."""
    process = subprocess.Popen(
        command, cwd=project_root(), env=environment, text=True, errors="replace", start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        yield process
        process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
