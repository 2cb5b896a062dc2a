# SPDX-License-Identifier: Apache-2.0
"""What a node's probe counted: the tests' ruler, which knows nothing of the plugin."""

import csv
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from waiting import until

from isotherm_lab.cluster.node import Node


@dataclass(frozen=True)
class Sample:
    """Counters of one node since its process started, at one moment."""

    epoch_s: float
    reads: int
    received: int
    #: Counter updates that this node has led.
    led: int = 0
    #: Reads that this node, as coordinator, has answered or seen fail.
    coordinated: int = 0
    sent: dict[str, int] = field(default_factory=dict)

    def since(self, earlier: "Sample") -> "Sample":
        """Return what was counted between the two samples of one process."""
        sent = {peer: count - earlier.sent.get(peer, 0) for peer, count in self.sent.items()}
        counters = ("reads", "received", "led", "coordinated")
        counted = {name: getattr(self, name) - getattr(earlier, name) for name in counters}
        return Sample(self.epoch_s, sent=sent, **counted)

    @property
    def local(self) -> int:
        """Reads executed here that no peer had asked for."""
        return self.reads - self.received


def sample_now(node: Node) -> Sample:
    """Return the first sample that counts everything done before this call."""
    return samples_now([node])[0]


def samples_now(nodes: Sequence[Node]) -> list[Sample]:
    """Return each node's first sample that counts everything done before this call."""
    asked = time.time()

    def fresh() -> list[Sample]:
        newest = [_newest(node.directory) for node in nodes]
        return newest if all(sample is not None and sample.epoch_s > asked for sample in newest) else []

    return until(fresh, f"a sample of {[node.address for node in nodes]}", timeout_s=10)


def _newest(directory: Path) -> Sample | None:
    files = sorted(directory.glob("counters-*.csv"))
    if not files:
        return None
    with open(files[-1], newline="", encoding="ascii") as lines:
        rows = list(csv.reader(line for line in lines if line.endswith("\n")))
    if len(rows) < 2:
        return None
    row = dict(zip(rows[0], rows[-1], strict=True))
    pairs = (pair.rsplit("=", 1) for pair in row["sent_by_peer"].split(";") if pair)
    return Sample(
        epoch_s=int(row["epoch_ms"]) / 1000,
        reads=int(row["reads"]),
        received=int(row["received"]),
        led=int(row["counters_led"]),
        coordinated=int(row["coordinated"]),
        sent={peer: int(count) for peer, count in pairs},
    )
