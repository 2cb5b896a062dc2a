# SPDX-License-Identifier: Apache-2.0
"""The plugin's failures in the logs of all nodes that a cluster has had: a count begins anew with each process."""

import re
from pathlib import Path

_ENTRY = re.compile(rb"^(?:TRACE|DEBUG|INFO|WARN|ERROR) ")
#: A failure is logged with what threw it; what other nodes sent amiss, without.
_FAILURE = re.compile(rb"^WARN .* dev\.isotherm - ")
_TRACE = re.compile(rb"^\s+at ")


class LoggedFailures:
    """Reads on in the logs under a cluster's directory; each failure is logged once a minute at most."""

    def __init__(self, directory: Path):
        self._directory = directory
        self._read: dict[Path, int] = {}
        #: Whether the entry that was read last begins as a failure, and has no stack yet.
        self._begun: dict[Path, bool] = {}
        self._found = 0

    def look(self) -> None:
        """Read what is new, before a node that leaves takes its log with it."""
        for log in self._directory.glob("*/logs/system.log"):
            try:
                self._read_on(log)
            except FileNotFoundError:
                continue

    def take(self) -> int:
        """Return how many were found since the last call."""
        self.look()
        found, self._found = self._found, 0
        return found

    def _read_on(self, log: Path) -> None:
        offset = self._read.get(log, 0)
        with open(log, "rb") as file:
            # An empty node has taken the place of a lost one, with a log of its own.
            file.seek(offset if offset <= log.stat().st_size else 0)
            for line in file:
                if not line.endswith(b"\n"):
                    file.seek(-len(line), 1)
                    break
                if _ENTRY.match(line):
                    self._begun[log] = bool(_FAILURE.match(line))
                elif self._begun.get(log) and _TRACE.match(line):
                    self._begun[log] = False
                    self._found += 1
            self._read[log] = file.tell()
