# SPDX-License-Identifier: Apache-2.0
"""Made-up runs of the faults."""

from typing import Any

WINDOWS = (("well", 0, 10), ("fault", 0, 5), ("fault", 5, 15), ("fault", 15, 30), ("after", 0, 5), ("after", 5, 15),
           ("after", 15, 30))  # fmt: skip


def run(
    p50_ms: float,
    recovered: float | None,
    rejoined: float | None,
    apart: bool = False,
    errors: int = 0,
    settled: bool = True,
    met: bool = True,
) -> dict:
    """Return a run whose p99 is ten times its p50."""
    seen: dict[str, Any] = {"p50_ms": p50_ms, "p99_ms": 10 * p50_ms, "errors": errors}
    nodes = {f"127.0.0.{number}": {"reads_per_s": 100.0} for number in (1, 2, 3)}
    phases = [
        {"name": name, "from_s": begin, "to_s": end, **seen, **({"own_clients": seen} if apart else {}), "nodes": nodes}
        for name, begin, end in WINDOWS
    ]
    return {"phases": phases, "settled": settled, "met": met, "recovered_s": recovered, "rejoined_s": rejoined}
