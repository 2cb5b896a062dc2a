# SPDX-License-Identifier: Apache-2.0
"""A history of operations on keys, and what QUORUM promises about reads and writes with one writer for each key.

Each key has a single writer that writes 1, 2, 3 and so on, one after the other, each with a later timestamp. A write
that failed may have happened, or may happen later; it never can undo a later one. So for each key:

- a read returns no less than every write acknowledged before the read began, and no more than the last write begun
  before the read ended;
- of two reads that do not overlap, the later one returns no less.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

READ = "read"
WRITE = "write"
SWAP = "swap"
ADD = "add"


@dataclass(frozen=True)
class Operation:
    """One operation; the instants are of one monotonic clock, `error` is empty when it succeeded."""

    kind: str
    key: int
    value: int
    began: float
    ended: float
    coordinator: str = ""
    error: str = ""
    #: What a swap (compare and set) expects to find.
    expected: int = 0
    #: Whether the swap found it; of other operations, whether no limit has rejected them.
    applied: bool = True

    @property
    def succeeded(self) -> bool:
        """Whether it was answered without an error; one that failed may have happened all the same."""
        return not self.error


class _Highest:
    """The highest value among operations that happened before an instant."""

    def __init__(self, instants_and_values: Iterable[tuple[float, int]]):
        ordered = sorted(instants_and_values)
        self._instants = [instant for instant, _ in ordered]
        self._values: list[int] = []
        for _, value in ordered:
            self._values.append(max(value, self._values[-1] if self._values else 0))

    def before(self, instant: float) -> int:
        place = bisect_left(self._instants, instant)
        return self._values[place - 1] if place else 0


def violations(history: Iterable[Operation]) -> list[str]:
    """Return a sentence for each read that breaks a promise; none when the history is sound."""
    by_key: dict[int, list[Operation]] = defaultdict(list)
    for operation in history:
        by_key[operation.key].append(operation)
    return [sentence for key in sorted(by_key) for sentence in _violations_of_key(by_key[key])]


def _violations_of_key(operations: list[Operation]) -> Iterable[str]:
    writes = [operation for operation in operations if operation.kind == WRITE]
    reads = [operation for operation in operations if operation.kind == READ and operation.succeeded]
    acknowledged = _Highest((write.ended, write.value) for write in writes if write.succeeded)
    begun = _Highest((write.began, write.value) for write in writes)
    seen = _Highest((read.ended, read.value) for read in reads)
    for read in reads:
        if read.value < acknowledged.before(read.began):
            yield f"{read} is stale: {acknowledged.before(read.began)} was acknowledged before it began"
        if read.value > begun.before(read.ended):
            yield f"{read} is from nowhere: only {begun.before(read.ended)} was begun before it ended"
        if read.value < seen.before(read.began):
            yield f"{read} goes back: {seen.before(read.began)} was read before it began"
