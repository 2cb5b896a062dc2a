# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable

from isotherm_driver.drivers_types import Host
from isotherm_driver.reports.node_reports import NodeReports

class BusyOrder:
    def __init__(
        self,
        in_flight: Callable[[Host], int | None],
        reports: NodeReports | None,
        soft_limit: float,
        node_soft_limit: float,
        seed: int,
    ) -> None: ...
    def reasons(self, host: Host, later: bool) -> list[str]: ...
