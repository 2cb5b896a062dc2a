# SPDX-License-Identifier: Apache-2.0
"""What a history owes to the rows that are found once it has ended."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from isotherm_lab.measure.histories import ADD, WRITE, Operation


def miscounted(history: Iterable[Operation], counted: Mapping[int, int]) -> list[str]:
    """Return a sentence for each counter that holds what its updates cannot have made.

    A failed update may have been counted: acknowledged <= counted <= acknowledged + failed.
    """
    return [
        f"counter {key} holds {counted.get(key, 0)}: {sum(map(_succeeded, own))} of {len(own)} updates acknowledged"
        for key, own in _by_key(history, ADD)
        if not sum(map(_succeeded, own)) <= counted.get(key, 0) <= len(own)
    ]


def lost(history: Iterable[Operation], found: Mapping[int, int]) -> list[str]:
    """Return a sentence for each key that holds less than was acknowledged, or more than was written.

    Each key has one writer, which writes 1, 2, 3 and so on.
    """
    sentences = []
    for key, own in _by_key(history, WRITE):
        acknowledged = max((write.value for write in own if write.succeeded), default=0)
        begun = max(write.value for write in own)
        if not acknowledged <= found.get(key, 0) <= begun:
            sentences.append(
                f"key {key} holds {found.get(key, 0)}: {acknowledged} was acknowledged, and {begun} is the last written"
            )
    return sentences


def _by_key(history: Iterable[Operation], kind: str) -> Iterator[tuple[int, list[Operation]]]:
    by_key: dict[int, list[Operation]] = defaultdict(list)
    for operation in history:
        if operation.kind == kind:
            by_key[operation.key].append(operation)
    yield from sorted(by_key.items())


def _succeeded(operation: Operation) -> bool:
    return operation.succeeded
