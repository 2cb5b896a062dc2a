# SPDX-License-Identifier: Apache-2.0
"""Three nodes in Cassandra's own directories, started by its own scripts, and an operator who types."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from cassandra_layout import CassandraLayout
from rolling_passes import Pass
from shared_cluster import FIRST_ADDRESS
from waiting import until

ADDRESSES = [f"127.0.0.{FIRST_ADDRESS + number}" for number in range(3)]
_CQLSH = Path(sys.executable).with_name("cqlsh")
#: A node starts in half a minute on an idle machine.
_START_S = 300
#: The address in the page's examples.
_EXAMPLE = "10.0.0.1"


class InstalledCluster:
    """The nodes, plain at first; use it in a `with`."""

    def __init__(self, folder: Path):
        self.layouts = [CassandraLayout.of_archive(folder / f"node{number}", address, ADDRESSES)
                        for number, address in enumerate(ADDRESSES)]  # fmt: skip
        self.nodes = [layout.node(folder / f"scratch{number}") for number, layout in enumerate(self.layouts)]

    def __enter__(self) -> "InstalledCluster":
        try:
            for node in self.nodes:
                node.start()
            for node in self.nodes:
                node.wait_until_answers(_START_S)
            for index in range(len(self.nodes)):
                self.all_up(index)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        # One that cannot be killed keeps none of the others, and no layout.
        with ExitStack() as last:
            for layout in self.layouts:
                last.callback(layout.remove)
            for node in self.nodes:
                last.callback(node.kill)

    def all_up(self, index: int) -> None:
        """Wait until this node sees all of them, as nodetool says."""

        def up() -> bool:
            return self.layouts[index].nodetool("status").stdout.count("UN  ") == len(self.nodes)

        until(up, f"{ADDRESSES[index]} sees every node", timeout_s=180)

    def types(self, index: int, archive: Path, command: str) -> str:
        """Type a command of the page on a node, in the unpacked archive; return what it prints."""
        layout = self.layouts[index]
        return succeeded(
            ["sh", "-c", command.replace(_EXAMPLE, layout.address)],
            archive,
            {"CASSANDRA_HOME": str(layout.home), "CQLSH": str(_CQLSH)},
        )

    def roll(self, name: str, before: Callable[[int], object], after: Callable[[int], object]) -> Pass:
        """Restart one node after the other: do something with its files before, and something once it is back."""
        began, away = time.monotonic(), []
        for index, node in enumerate(self.nodes):
            print(f"{name}: {node.address}", flush=True)
            before(index)
            gone = time.monotonic()
            node.stop()
            node.start()
            node.wait_until_answers(_START_S)
            self.all_up(index)
            away.append((gone, time.monotonic()))
            after(index)
        return Pass(name, began, time.monotonic(), tuple(away))

    def cql(self, index: int, statement: str) -> str:
        """Return what cqlsh prints."""
        return succeeded([str(_CQLSH), "--no-color", ADDRESSES[index], "-e", statement], Path.cwd(), {})

    def settings(self, index: int) -> dict[str, str]:
        """Return the value of each setting of a node."""
        return self._values(index, "settings")

    def counts(self, index: int) -> dict[str, int]:
        """Return what a node has counted."""
        return self._values(index, "counts")

    def _values(self, index: int, view: str) -> dict[str, Any]:
        lines = self.cql(index, f"SELECT JSON name, value FROM isotherm.{view}").splitlines()
        rows = [json.loads(line) for line in lines if line.lstrip().startswith("{")]
        return {row["name"]: row["value"] for row in rows}


def succeeded(command: Sequence[str], folder: Path, said: dict[str, str]) -> str:
    """Return what the command prints, run in the folder with these variables beside its own environment."""
    ran = subprocess.run(
        command, cwd=folder, env={**os.environ, **said}, capture_output=True, text=True, timeout=900, check=False
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
    return ran.stdout
