# SPDX-License-Identifier: Apache-2.0
"""The program of an open loop of reads of one row each.

Run as `python -m isotherm_lab.load.read_load SETTINGS.json`.
"""

import sys
from dataclasses import dataclass

from isotherm_lab.data import row_table
from isotherm_lab.load.open_loop import OpenLoopSettings, serve


@dataclass(frozen=True)
class ReadLoadSettings(OpenLoopSettings):
    """Which rows to read, how often, and where to write what was measured."""


if __name__ == "__main__":
    serve(ReadLoadSettings.read(sys.argv[1]), row_table.select)
