# SPDX-License-Identifier: Apache-2.0
"""A Prometheus that watches the nodes of a cluster for as long as a block runs."""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from isotherm_lab.errors import LabError

JOB = "cassandra"
_READY_S = 60


class Prometheus:
    """A running server, which answers queries over its HTTP interface."""

    def __init__(self, address: str):
        self._address = address

    def over(self, expression: str, first: float, last: float, step_s: int) -> list[Mapping[str, Any]]:
        """Return the series of an expression, each with `metric` and `values`; LabError if it is refused."""
        asked = urllib.parse.urlencode({"query": expression, "start": first, "end": last, "step": step_s})
        try:
            return self._get(f"api/v1/query_range?{asked}")["data"]["result"]
        except urllib.error.HTTPError as refusal:
            raise LabError(f"Prometheus refuses {expression}: {refusal.read().decode()}") from refusal

    def is_watching(self, nodes: int) -> bool:
        """Return whether it has got the metrics of so many nodes."""
        try:
            found = self._get("api/v1/query?" + urllib.parse.urlencode({"query": f'sum(up{{job="{JOB}"}})'}))
        except (OSError, ValueError):
            return False
        return [float(each["value"][1]) for each in found["data"]["result"]] == [nodes]

    def _get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://{self._address}/{path}", timeout=30) as answer:
            return json.load(answer)


def program() -> str:
    """Return the path of Prometheus' program; LabError that says how to get one if there is none."""
    found = shutil.which("prometheus")
    if found is None:
        raise LabError("There is no prometheus on the PATH: `make dashboard` builds one with Go and runs this.")
    return found


@contextmanager
def watching(exporters: Sequence[str], folder: Path, scrape_s: int) -> Iterator[Prometheus]:
    """Start a Prometheus that asks these exporters; LabError if there is none, or it does not watch them."""
    binary = program()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    configuration = folder / "prometheus.yaml"
    configuration.write_text(
        yaml.safe_dump(
            {
                "global": {"scrape_interval": f"{scrape_s}s", "scrape_timeout": f"{scrape_s}s"},
                "scrape_configs": [{"job_name": JOB, "static_configs": [{"targets": list(exporters)}]}],
            }
        )
    )
    address = f"127.0.0.1:{_free_port()}"
    with open(folder / "prometheus.log", "wb") as log:
        server = subprocess.Popen(
            [binary, f"--config.file={configuration}", f"--storage.tsdb.path={folder / 'data'}",
             f"--web.listen-address={address}"],
            stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    try:
        prometheus = Prometheus(address)
        deadline = time.monotonic() + _READY_S
        while not prometheus.is_watching(len(exporters)):
            if server.poll() is not None or time.monotonic() > deadline:
                raise LabError(f"Prometheus does not watch all nodes: see {folder / 'prometheus.log'}.")
            time.sleep(0.5)
        yield prometheus
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]
