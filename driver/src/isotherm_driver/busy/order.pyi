# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Any

from isotherm_driver.reports.node_reports import NodeReports

class BusyOrder:
    def __init__(
        self,
        in_flight: Callable[[Any], int | None],
        reports: NodeReports | None,
        soft_limit: float,
        node_soft_limit: float,
        seed: int,
    ) -> None: ...
    def reasons(self, host: Any) -> list[str]: ...
