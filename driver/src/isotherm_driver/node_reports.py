# SPDX-License-Identifier: Apache-2.0
"""What nodes that run the Isotherm plugin publish, and the thread that reads it."""

from isotherm_driver.reports.node_reports import NodeReports
from isotherm_driver.reports.report_reader import ReportReader

__all__ = ["NodeReports", "ReportReader"]
