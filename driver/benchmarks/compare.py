# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks under both drivers, writes results/query-plans/ and says which promise holds.

It is to be run by the Python of the lab's environment, which has cassandra-driver and matplotlib. It fails when a
benchmark fails, which is when a plan is wrong; a slow machine is no failure.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from chart import draw
from promises import promises, table
from summary import summarised

HERE = Path(__file__).parent


def measured(python: Path, where: Path) -> dict:
    """Run the benchmarks under one Python; return pytest-benchmark's own report."""
    command = [str(python), "-m", "pytest", "-c", str(HERE / "pytest.ini"), "-p", "no:cacheprovider"]
    subprocess.run([*command, f"--benchmark-json={where}", str(HERE)], check=True, cwd=HERE)
    return json.loads(where.read_text())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scylla", type=Path, required=True, help="the Python that has scylla-driver")
    parser.add_argument("--results", type=Path, default=HERE.parent.parent / "results" / "query-plans")
    arguments = parser.parse_args()
    reports = {}
    with tempfile.TemporaryDirectory() as scratch:
        # Not resolve(): a virtual environment's python is a link, and only by its own path the environment's.
        pythons = {"scylla-driver": arguments.scylla.absolute(), "cassandra-driver": Path(sys.executable)}
        for driver, python in pythons.items():
            try:
                reports[driver] = measured(python, Path(scratch) / f"{driver}.json")
            except subprocess.CalledProcessError:
                print(f"The benchmarks under {driver} failed: a plan was wrong, or one could not be made.")
                return 1
    summary = summarised(reports)
    arguments.results.mkdir(parents=True, exist_ok=True)
    (arguments.results / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    draw(summary, arguments.results / "chart.png")
    print(table(summary))
    for promise in promises(summary):
        print(promise)
    print(f"Written: {arguments.results}/summary.json and chart.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
