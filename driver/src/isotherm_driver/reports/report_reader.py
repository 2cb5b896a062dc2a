# SPDX-License-Identifier: Apache-2.0
"""Reads what nodes that run the Isotherm plugin publish, again and again."""

import logging
import threading
from typing import Any

from isotherm_driver.reports.node_reports import NodeReports

log = logging.getLogger("isotherm_driver.node_reports")  # the module from which applications import the reader


class ReportReader:
    """Asks a session for the nodes' reports every `interval` seconds, in a thread of its own, until stopped."""

    QUEUES = "SELECT address, estimate FROM isotherm.queues"
    HEAT = "SELECT keyspace_name, table_name, replica, source, hit_ratio, read_time_us FROM isotherm.heat"

    def __init__(self, session: Any, reports: NodeReports, interval: float = 2.0):
        self._session = session
        self._reports = reports
        self._interval = interval
        self._stopped = threading.Event()
        self._complained = False
        self._thread = threading.Thread(target=self._run, name="isotherm-reports", daemon=True)

    def start(self) -> "ReportReader":
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop asking; returns when the thread has ended."""
        self._stopped.set()
        self._thread.join()

    def read(self) -> None:
        """Ask once."""
        queues = self._session.execute(self.QUEUES)
        self._reports.depths([(str(row.address), row.estimate) for row in queues])
        heat = self._session.execute(self.HEAT)
        self._reports.heats(
            [
                (
                    row.keyspace_name,
                    row.table_name,
                    str(row.replica),
                    row.source,
                    row.hit_ratio if row.source == "cache" else row.read_time_us,
                )
                for row in heat
            ]
        )

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self.read()
            except Exception as problem:  # no plugin, no permission, no connection: reports go stale by themselves
                if not self._complained:
                    self._complained = True
                    log.warning("Nodes publish no queues and heat, going on without: %s", problem)
            self._stopped.wait(self._interval)
