# SPDX-License-Identifier: Apache-2.0
"""The process of an open-loop load of counter updates, each timed from when it was to be sent (see open_load.py).

Run as `python -m isotherm_lab.load.counter_load SETTINGS.json`.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from isotherm_lab.data import counter_table
from isotherm_lab.load.open_load import LoadSettings, serve


@dataclass(frozen=True)
class CounterLoadSettings(LoadSettings):
    """Which counters to add to, how often, and where to write what was measured; no update is sent twice."""

    MODULE: ClassVar[str] = "isotherm_lab.load.counter_load"
    repeat: bool = False


def main() -> None:
    """Run the load described by the settings file named on the command line."""
    serve(CounterLoadSettings(**json.loads(Path(sys.argv[1]).read_text())), counter_table.update)


if __name__ == "__main__":
    main()
