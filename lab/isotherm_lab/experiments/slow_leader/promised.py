# SPDX-License-Identifier: Apache-2.0
"""What is promised of counter updates beside a slow node (docs/counter-leaders.md)."""

from collections.abc import Iterator, Mapping
from typing import Any

from isotherm_lab.experiments.promises import Promise
from isotherm_lab.experiments.slow_leader.plan import PLUGIN, STOCK


def promises(concluded: Mapping[str, Any]) -> list[Promise]:
    """Return the promises with what a summary has of them; none of what was not measured."""
    return [*_latencies(concluded["variants"]), *_throughput(concluded)]


def _latencies(variants: Mapping[str, Any]) -> Iterator[Promise]:
    stock, plugin = (variants.get(name, {}) for name in (STOCK, PLUGIN))
    if "one_slow" in stock and "one_slow" in plugin and "well" in plugin:
        slow = plugin["one_slow"]["p99_ms"]
        # That of a failure is not known; stock's is above any then.
        of_stock = 0.0 if stock["one_slow"]["p99_ms"] is None else _times(slow, stock["one_slow"]["p99_ms"])
        yield Promise(
            "one node slow: p99 over stock Cassandra's", None if slow is None else of_stock, 1 / 3, 0.5, unit=" x"
        )
        well = plugin["well"]["p99_ms"]
        yield Promise("one node slow: p99 over its own while well", _times(slow, well), 1.5, 2.5, unit=" x")


def _throughput(concluded: Mapping[str, Any]) -> Iterator[Promise]:
    if "throughput" in concluded:
        # Of a wide interval the middle says little.
        ratio = concluded["throughput"]
        yield Promise(
            "saturated: updates/s over stock Cassandra's", ratio["ratio"], 0.98, 0.9, at_least=True, unit=" x"
        )


def _times(latency: float | None, other: float | None) -> float | None:
    return None if latency is None or not other else latency / other
