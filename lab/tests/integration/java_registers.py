# SPDX-License-Identifier: Apache-2.0
"""The Java driver's reads and writes of registers, recorded as those of the Python driver are."""

import subprocess
import threading
from collections.abc import Iterable, Sequence

from isotherm_lab.cluster import classpath
from isotherm_lab.cluster.configuration import DATACENTER
from isotherm_lab.cluster.java import source_launcher
from isotherm_lab.measure.histories import Operation
from isotherm_lab.paths import project_root

_SOURCE = "lab/node/src/test/java/dev/isotherm/lab/JavaDriverRegisters.java"
_FIRST_KEY = 1000
_KEYS = 40


def parsed(lines: Iterable[str]) -> list[Operation]:
    """Return the operations that the program prints.

    Its nanoseconds are of the monotonic clock that Python has in seconds.
    """
    found = []
    for line in lines:
        kind, key, value, began, ended, error = line.split()
        found.append(
            Operation(
                kind, int(key), int(value), int(began) / 1e9, int(ended) / 1e9, error="" if error == "-" else error
            )
        )
    return found


class JavaRegisters:
    """Runs the program while in a `with`."""

    def __init__(self, contact_points: Sequence[str], table: str, seed: int):
        # Started from its source, so that it runs whatever Maven has compiled.
        self._command = [
            source_launcher(), "-Xmx128m", "-cp", ":".join(classpath.test_class_path()), str(project_root() / _SOURCE),
            DATACENTER, table, str(_FIRST_KEY), str(_KEYS), str(seed), ",".join(contact_points),
        ]  # fmt: skip
        self._lines: list[str] = []

    def history(self) -> list[Operation]:
        """Return what has ended so far."""
        return parsed(list(self._lines))

    def __enter__(self) -> "JavaRegisters":
        # Its logger has no configuration, and says so there.
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def _read(self) -> None:
        for line in self._process.stdout:
            if line.startswith(("read ", "write ")):
                self._lines.append(line)

    def __exit__(self, failure: object, *_: object) -> None:
        self._process.stdin.close()
        try:
            code = self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        self._reader.join(30)
        assert failure or code == 0, f"the Java client ended with {code}"
