# SPDX-License-Identifier: Apache-2.0
"""Nodes that answer the drivers' own clusters and sessions: the stub of the benchmark of whole requests."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

END_TO_END = Path(__file__).parents[2] / "benchmarks" / "end_to_end"
FIRST = f"127.0.0.{os.environ.get('ISOTHERM_LAB_FIRST_ADDRESS', '1')}"
#: Where pytest-xdist runs tests in several processes, each of them has nodes of its own: the workers are gw0, gw1, ...
PORT = 19043 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
NODES = 3


@contextmanager
def listening(scratch: Path) -> Iterator[None]:
    """Compile the stub and run it; skip the test where that cannot be."""
    if not END_TO_END.exists() or not shutil.which("cc") or not shutil.which("taskset"):
        pytest.skip("the stub takes the repository, a C compiler and taskset, which a wheel's trial lacks")
    sys.path.insert(0, str(END_TO_END))
    try:
        import stub

        with stub.running(stub.compiled(scratch), NODES, FIRST, PORT, min(os.sched_getaffinity(0))):
            yield
    finally:
        sys.path.remove(str(END_TO_END))
