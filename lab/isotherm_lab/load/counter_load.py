# SPDX-License-Identifier: Apache-2.0
"""The program of an open loop of counter updates.

Run as `python -m isotherm_lab.load.counter_load SETTINGS.json`.
"""

import sys
from dataclasses import dataclass

from isotherm_lab.data import counter_table
from isotherm_lab.load.open_loop import OpenLoopSettings, serve


@dataclass(frozen=True)
class CounterLoadSettings(OpenLoopSettings):
    """Which counters to add to, how often, and where to write what was measured; no update is sent twice."""

    repeat: bool = False


if __name__ == "__main__":
    serve(CounterLoadSettings.read(sys.argv[1]), counter_table.update)
