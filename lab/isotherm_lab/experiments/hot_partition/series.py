# SPDX-License-Identifier: Apache-2.0
"""What clients and nodes did second by second, as files; second 0 begins with the ALTER."""

import csv
import math
from pathlib import Path

from isotherm_lab.experiments.hot_partition import observed
from isotherm_lab.experiments.hot_partition.run import Outcome

SECONDS, QUEUES = "seconds.csv", "queues.csv"
_COLUMNS = ("background_per_s", "background_p99_ms", "hot_offered_per_s", "hot_accepted_per_s", "hot_rejected_per_s")


def seconds(outcome: Outcome) -> range:
    """Return whole seconds relative to the ALTER, from the beginning of the first phase to the end."""
    moments = outcome.moments
    return range(math.ceil(moments.background_from - moments.altered), math.floor(moments.end - moments.altered))


def write_seconds(path: Path, outcome: Outcome) -> None:
    """Write what the clients saw each second; second 0 begins with the ALTER."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["second", *_COLUMNS])
        for second in seconds(outcome):
            begin = outcome.moments.altered + second
            row = observed.clients(begin, begin + 1, outcome.background, outcome.hot)
            out.writerow([second, *("" if row[name] is None else row[name] for name in _COLUMNS)])


def write_queues(path: Path, outcome: Outcome) -> None:
    """Write the queue and the disk's reads of each node, each second."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["second", "node", "queue", "disk_reads_per_s"])
        for second in seconds(outcome):
            begin = outcome.moments.altered + second
            for address, counters in outcome.nodes.items():
                reads = counters.rate("disk_reads", begin, begin + 1)
                out.writerow([second, address, round(observed.queue(counters, begin + 0.5), 1), round(reads, 1)])
