# SPDX-License-Identifier: Apache-2.0
from isotherm_driver.reports.node_reports import NodeReports

class ReadingCoordinators:
    def __init__(self, reports: NodeReports | None, consistency_level: int) -> None: ...
