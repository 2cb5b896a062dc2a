# SPDX-License-Identifier: Apache-2.0
from typing import Any

from isotherm_driver.affinity.coordinators import ReadingCoordinators
from isotherm_driver.affinity.hot_partitions import HotPartitions
from isotherm_driver.busy.order import BusyOrder

class QueueAwareOrder:
    failures: int
    def __init__(
        self, busy: BusyOrder, coordinators: ReadingCoordinators | None, hot: HotPartitions, failures: int = 0
    ) -> None: ...
    def reading_coordinators(self, policy: Any, keyspace: str | None, query: Any) -> tuple[Any, ...]: ...
    def busy_reasons(self, host: Any) -> list[str]: ...
