# SPDX-License-Identifier: Apache-2.0
"""The file of measured requests: one record each, in the order they finished."""

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import numpy as np

from isotherm_lab.measure.last_octet import last_octet
from isotherm_lab.measure.rounding import rounded

#: When the request was to be sent (microseconds since the epoch), how long from then until its answer
#: (microseconds), 0 for an answer or the number of a kind of error, and the last octet of the address of the node that
#: was asked for it first, or 0 where that is not recorded.
RECORD = np.dtype([("intended_us", "<i8"), ("latency_us", "<i8"), ("outcome", "u1"), ("coordinator", "u1")])
#: The file of a load's records, in its directory.
FILE = "requests.bin"
ANSWERED = 0
NOT_RECORDED = 0


def append(file: BinaryIO, finished: Iterable[tuple[int, int, int, int]]) -> np.ndarray:
    """Write the records of finished requests to a file of them, and return them."""
    block = np.array(list(finished), dtype=RECORD)
    file.write(block.tobytes())
    file.flush()
    return block


def read(path: Path) -> np.ndarray:
    """Return the records by intended time; a torn last record, left by a killed process, is dropped."""
    content = path.read_bytes()
    whole = len(content) - len(content) % RECORD.itemsize
    records = np.frombuffer(content[:whole], dtype=RECORD)
    return records[np.argsort(records["intended_us"], kind="stable")]


def between(records: np.ndarray, from_s: float, to_s: float) -> np.ndarray:
    """Return the records (sorted by intended time) that were to be sent in [from_s, to_s), seconds since the epoch."""
    first, last = np.searchsorted(records["intended_us"], [from_s * 1e6, to_s * 1e6])
    return records[first:last]


def percentile_ms(records: np.ndarray, percent: float) -> float | None:
    """Return a percentile of latency in milliseconds; None when the one there failed, or nobody asked.

    A request that failed has taken longer than any other: whoever fails more is not the faster for it.
    """
    if records.size == 0:
        return None
    latencies = np.where(records["outcome"] == ANSWERED, records["latency_us"], np.inf)
    # No interpolation: between a latency and a failure there is none.
    found = float(np.percentile(latencies, percent, method="higher"))
    return found / 1000 if np.isfinite(found) else None


def p50_and_p99_ms(records: np.ndarray, digits: int) -> dict[str, float | None]:
    """Return the median and the 99th percentile as summaries have them, rounded; each None as by `percentile_ms`."""
    return {f"p{percent}_ms": rounded(percentile_ms(records, percent), digits) for percent in (50, 99)}


def mean_ms(records: np.ndarray) -> float | None:
    """Return how long a request waited on average, for its answer or until it failed, in ms; None when nobody asked."""
    return float(records["latency_us"].mean()) / 1000 if records.size else None


def split_off(records: np.ndarray, coordinators: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the records whose first coordinator is none of these addresses, and those whose is."""
    own = np.isin(records["coordinator"], [last_octet(address) for address in coordinators])
    return records[~own], records[own]
