# SPDX-License-Identifier: Apache-2.0
"""The process of an open-loop load of counter updates, each timed from when it was to be sent (see load.py).

Run as `python -m isotherm_lab.counter_load SETTINGS.json`.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from isotherm_lab import counter_dataset
from isotherm_lab.load import LoadSettings, serve


@dataclass(frozen=True)
class CounterLoadSettings(LoadSettings):
    """Which counters to add to, how often, and where to write what was measured; no update is sent twice."""

    MODULE: ClassVar[str] = "isotherm_lab.counter_load"
    repeat: bool = False


def main() -> None:
    """Run the load described by the settings file named on the command line."""
    serve(CounterLoadSettings(**json.loads(Path(sys.argv[1]).read_text())), counter_dataset.update)


if __name__ == "__main__":
    main()
