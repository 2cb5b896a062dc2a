# SPDX-License-Identifier: Apache-2.0
"""What nodes that run the Isotherm plugin have published: queue depths, and the heat of tables."""

import ipaddress
import time
from collections.abc import Callable, Iterable
from typing import Any

from isotherm_driver.hosts.address import address_of


class NodeReports:
    """The last reports of each node; one older than `stale_after` seconds says nothing any more.

    A read of up to `warm_read_us` microseconds counts as warm, as the setting `warm_read` has it on the nodes.
    """

    def __init__(
        self, stale_after: float = 10.0, warm_read_us: float = 500.0, clock: Callable[[], float] = time.monotonic
    ):
        self._stale_after = stale_after
        self._warm_read_us = warm_read_us
        self._clock = clock
        self._depths: dict[bytes, tuple[int, float]] = {}
        self._heats: dict[tuple[str, str], tuple[dict[bytes, tuple[str, float]], float]] = {}

    def depths(self, rows: Iterable[tuple[str, int | None]]) -> None:
        """Take queue depths by address; None where the node knows none."""
        now = self._clock()
        self._depths = {
            ipaddress.ip_address(address).packed: (depth, now)
            for address, depth in rows
            if depth is not None and depth >= 0
        }

    def heats(self, rows: Iterable[tuple[str, str, str, str | None, float | None]]) -> None:
        """Take heat by keyspace, table, address and kind: `cache` with hits per read, `read_time` in microseconds."""
        now = self._clock()
        tables: dict[tuple[str, str], tuple[dict[bytes, tuple[str, float]], float]] = {}
        for keyspace, table, address, kind, value in rows:
            if kind is not None and value is not None and (value >= 0 and (kind != "cache" or value <= 1)):
                heats, _ = tables.setdefault((keyspace, table), ({}, now))
                heats[ipaddress.ip_address(address).packed] = (kind, value)
        self._heats = tables

    def depth_of(self, host: Any) -> int | None:
        """The queue depth the host reported; None where it has not, or long ago."""
        depth, at = self._depths.get(address_of(host)[0], (None, 0.0))
        return depth if depth is not None and self._clock() - at <= self._stale_after else None

    def miss_ratios(self, keyspace: str, table: str, hosts: Iterable[Any]) -> list[float] | None:
        """Misses per read of each host for a table; None unless all of them reported the same kind of heat."""
        heats, at = self._heats.get((keyspace, table), ({}, 0.0))
        found = [heats.get(address_of(host)[0]) for host in hosts]
        known = [heat for heat in found if heat is not None]
        if not known or len(known) < len(found) or self._clock() - at > self._stale_after:
            return None
        kind = known[0][0]
        if any(heat[0] != kind for heat in known):
            return None
        if kind == "cache":
            return [1 - value for _, value in known]
        times = [max(value, self._warm_read_us) for _, value in known]
        return [each / max(times) for each in times]
