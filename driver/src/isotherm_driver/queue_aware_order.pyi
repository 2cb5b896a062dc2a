# SPDX-License-Identifier: Apache-2.0
from isotherm_driver.affinity.coordinators import ReadingCoordinators
from isotherm_driver.affinity.hot_partitions import HotPartitions
from isotherm_driver.busy.order import BusyOrder
from isotherm_driver.drivers_types import Host, Policy, Query

class QueueAwareOrder:
    failures: int
    def __init__(
        self, busy: BusyOrder, coordinators: ReadingCoordinators | None, hot: HotPartitions, failures: int = 0
    ) -> None: ...
    def reading_coordinators(self, policy: Policy, keyspace: str | None, query: Query) -> tuple[Host, ...]: ...
    def busy_reasons(self, host: Host, later: bool) -> list[str]: ...
