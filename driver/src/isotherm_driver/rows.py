# SPDX-License-Identifier: Apache-2.0
"""Rows as named tuples, as the drivers give them, of a class that is made once for the same columns.

The drivers make a new class for each response: two fifths to more than half of what a small request costs
(docs/request-cost.md).
"""

from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from cassandra import query as driver

#: Classes that are kept. With the next list of columns all are forgotten, and made anew as they come.
MOST_CLASSES: int = 1024


class NamedTupleFactory:
    """The row factory. It counts as the driver's own wherever the driver asks, as `ResultSet.was_applied` does."""

    def __init__(self) -> None:
        self._classes: dict[tuple[str, ...], Any] = {}

    def __call__(self, colnames: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Any]:
        names = tuple(colnames)
        row_class = self._classes.get(names)
        if row_class is None:
            row_class = self._class_of(names)
        return list(map(row_class._make, rows))

    def _class_of(self, names: tuple[str, ...]) -> Any:
        """Have the driver make the class, which it warns of where a column has no name for Python."""
        [row] = driver.named_tuple_factory(list(names), [(None,) * len(names)])
        if len(self._classes) >= MOST_CLASSES:
            self._classes.clear()
        self._classes[names] = type(row)
        return type(row)

    def __eq__(self, other: object) -> bool:
        return other is self or other is driver.named_tuple_factory

    def __hash__(self) -> int:
        return hash(driver.named_tuple_factory)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Copy and pickle the module's own by its name, as the driver's, which is a function."""
        return "named_tuple_factory" if self is named_tuple_factory else super().__reduce_ex__(protocol)

    def __getstate__(self) -> dict[str, Any]:
        # The classes of rows have no place from which they could be imported.
        return {**vars(self), "_classes": {}}


named_tuple_factory: NamedTupleFactory = NamedTupleFactory()
