# SPDX-License-Identifier: Apache-2.0
"""One Cassandra process on one loopback address."""

import os
import signal
import ssl
import subprocess
import time
from pathlib import Path

import psutil

from isotherm_lab.cluster.cql_ping import answers_cql
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.cluster.process_identity import ProcessIdentity
from isotherm_lab.cluster.storage import CompressorStorage, Storage
from isotherm_lab.errors import LabError

#: A signal and a stretch of time in which it should have worked.
_STOP_SECONDS = 40
_KILL_SECONDS = 10


class Node:
    """A node with its own directory; `identity` is set while a process was started for it and not yet stopped."""

    def __init__(
        self,
        address: str,
        directory: Path,
        command: list[str],
        identity: ProcessIdentity | None = None,
        storage: Storage | None = None,
        tls: ssl.SSLContext | None = None,
    ):
        self.address = address
        self.directory = directory
        self.command = command
        self.identity = identity
        self._storage = storage or CompressorStorage()
        self._tls = tls
        self._child: subprocess.Popen | None = None

    def start(self) -> None:
        """Start the process; it outlives the terminal and does not hear its Ctrl-C."""
        if self.is_running():
            raise LabError(f"Node {self.address} is already running (pid {self.identity.pid}).")
        with open(self.directory / "logs" / "stdout.log", "ab") as output:
            self._child = subprocess.Popen(
                [*self._storage.entrance(self), *self.command],
                cwd=self.directory, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
        self.identity = ProcessIdentity.of(self._child.pid)

    def is_running(self) -> bool:
        """Whether its process runs (it may not answer yet)."""
        if self._child is not None:
            return self._child.poll() is None
        return self.identity is not None and self.identity.process() is not None

    def answers(self) -> bool:
        """Whether it answers CQL now."""
        return answers_cql(self.address, CQL_PORT, tls=self._tls)

    def wait_until_answers(self, timeout_s: float = 120) -> float:
        """Wait for CQL; return the time.time() of the first answer. LabError with the log's end if it dies."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            if self.answers():
                return time.time()
            if not self.is_running():
                raise LabError(f"Node {self.address} stopped while starting.\n{self.log_tail()}")
            time.sleep(0.05)
        raise LabError(f"Node {self.address} did not answer CQL within {timeout_s:.0f} s.\n{self.log_tail()}")

    def stop(self) -> None:
        """Stop it in order: it tells its peers, drains and exits. Killed if that takes too long."""
        if not self._signal(signal.SIGTERM, _STOP_SECONDS):
            self.kill()

    def kill(self) -> None:
        """End it as a power failure would (kill -9)."""
        if not self._signal(signal.SIGKILL, _KILL_SECONDS):
            raise LabError(f"Node {self.address} (pid {(self._child or self.identity).pid}) could not be killed.")

    def signal_stop(self) -> None:
        """Ask it to stop, without waiting."""
        self._signal(signal.SIGTERM, 0)

    def _signal(self, number: signal.Signals, wait_s: float) -> bool:
        try:
            if self._child is not None:
                self._child.send_signal(number)
                self._child.wait(wait_s)
            elif self.identity is not None and (process := self.identity.process()) is not None:
                os.kill(process.pid, number)
                process.wait(wait_s)
        except (subprocess.TimeoutExpired, psutil.TimeoutExpired):
            return False
        except (ProcessLookupError, psutil.NoSuchProcess):
            pass
        self.identity = None
        self._child = None
        return True

    def log_tail(self, lines: int = 20) -> str:
        """Return the end of its output and log, for an error message."""
        parts = []
        for name in ("stdout.log", "system.log"):
            log = self.directory / "logs" / name
            if log.is_file() and log.stat().st_size:
                end = log.read_text(errors="replace").splitlines()[-lines:]
                parts.append(f"The end of {log}:\n" + "\n".join(end))
        return "\n".join(parts) or f"It left no log in {self.directory / 'logs'}."
