# SPDX-License-Identifier: Apache-2.0
"""Starts a load generator in a process of its own, so that nothing the lab does disturbs its timing."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from isotherm_lab.errors import LabError
from isotherm_lab.load.settings import LoadSettings

_STOP_SECONDS = 30


class LoadProcess:
    """A running load; use it in a `with`, and call stop() to have all that was measured on disk."""

    def __init__(self, settings: LoadSettings):
        self.directory = Path(settings.directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        description = self.directory / "load.json"
        settings.save(description)
        self._log = open(self.directory / "load.log", "wb")  # noqa: SIM115 - closed by __exit__
        self._process = subprocess.Popen(
            [sys.executable, "-m", settings.program, str(description)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, start_new_session=True,
        )  # fmt: skip
        #: The newest line of progress; what it has depends on the kind of load.
        self.latest: dict = {}
        self._started = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._process.stdout:
            self.latest = json.loads(line)
            self._started.set()
        # Its end is known from now on, so that whoever waits is told of it.
        self._process.wait()
        self._started.set()

    def wait_until_sending(self, timeout_s: float = 30) -> None:
        """Return when requests are being sent."""
        self._started.wait(timeout_s)
        self.check()
        if not self.latest:
            raise LabError(f"The load did not start within {timeout_s:.0f} s: see {self._log.name}.")

    def check(self) -> None:
        """Raise LabError when the load ended before it was told to."""
        if self._process.poll() is not None:
            raise LabError(f"The load generator ended before its time:\n{self._last_lines()}")

    def _last_lines(self) -> str:
        """Return what it said last on its standard error."""
        return "\n".join(Path(self._log.name).read_text(errors="replace").splitlines()[-10:])

    def stop(self) -> None:
        """Have it send no more, wait for the answers due, and write everything; LabError when it could not.

        Whoever wants it ended at once leaves the `with` without this.
        """
        self.check()
        self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            raise LabError(f"The load generator did not stop within {_STOP_SECONDS} s.") from None
        # What it wrote is not whole then, and a result from it would be wrong and not say so.
        if self._process.returncode != 0:
            raise LabError(f"The load generator ended with {self._process.returncode}:\n{self._last_lines()}")

    def __enter__(self) -> "LoadProcess":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._log.close()


@contextmanager
def all_sending(settings: Iterable[LoadSettings]) -> Iterator[list[LoadProcess]]:
    """Start several loads, and yield them when all of them send."""
    with ExitStack() as stack:
        loads = [stack.enter_context(LoadProcess(each)) for each in settings]
        for load in loads:
            load.wait_until_sending()
        yield loads
