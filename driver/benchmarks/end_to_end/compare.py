# SPDX-License-Identifier: Apache-2.0
"""Runs clients against the stub under both drivers and writes results/end-to-end/summary.json.

It is to be run by the Python of the lab's environment, which has cassandra-driver. The client has one processor and the
stub another one. It fails when a request fails; a slow machine is no failure.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rows import WITH_ROW_FACTORY, rows_of, table
from stub import compiled, running

HERE = Path(__file__).parent
PORT = 19042
#: Nodes, and how many of them the policies use: of a remote datacenter one.
CLUSTERS = {1: 1, 3: 3, 45: 13}


def client(python: Path, address: str, hosts: int, rounds: int, requests: int, processor: int) -> dict:
    """Run one client to its end; return what it printed."""
    command = ["taskset", "--cpu-list", str(processor), str(python), str(HERE / "client.py")]
    settings = {"address": address, "port": PORT, "hosts": hosts, "rounds": rounds, "requests": requests}
    options = [text for name, value in settings.items() for text in (f"--{name}", str(value))]
    return json.loads(subprocess.run([*command, *options], check=True, stdout=subprocess.PIPE, text=True).stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scylla", type=Path, required=True, help="the Python that has scylla-driver")
    parser.add_argument("--results", type=Path, default=HERE.parents[2] / "results" / "end-to-end")
    parser.add_argument("--processes", type=int, default=3, help="clients for each driver and cluster, one by one")
    parser.add_argument("--rounds", type=int, default=20, help="of each client")
    parser.add_argument("--requests", type=int, default=1000, help="with each profile in a round")
    arguments = parser.parse_args()
    # Not resolve(): a virtual environment's python is a link, and only by its own path the environment's.
    pythons = {"scylla-driver": arguments.scylla.absolute(), "cassandra-driver": Path(sys.executable)}
    first = f"127.0.0.{os.environ.get('ISOTHERM_LAB_FIRST_ADDRESS', '1')}"
    stubs, clients = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
    reports: dict[tuple[str, int], list[dict]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        program = compiled(Path(scratch))
        for _ in range(arguments.processes):
            for nodes, hosts in CLUSTERS.items():
                with running(program, nodes, first, PORT, stubs):
                    for driver, python in pythons.items():
                        report = client(python, first, hosts, arguments.rounds, arguments.requests, clients)
                        reports.setdefault((driver, nodes), []).append(report)
    rows = rows_of(reports, arguments.requests)
    with_row_factory = rows_of(reports, arguments.requests, [WITH_ROW_FACTORY])
    connections = {driver: each[0]["connection"] for (driver, _), each in reports.items()}
    summary = {
        "rows": rows,
        "with_row_factory": with_row_factory,
        "machine": {"python": sys.version.split()[0], "connections": connections},
    }
    arguments.results.mkdir(parents=True, exist_ok=True)
    (arguments.results / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    print(table(rows + with_row_factory))
    print(f"Written: {arguments.results}/summary.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
