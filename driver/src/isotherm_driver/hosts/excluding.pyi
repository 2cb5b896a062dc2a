# SPDX-License-Identifier: Apache-2.0
from collections.abc import Container, Iterable, Iterator
from typing import Any

class ExcludingPlan(Iterator[Any]):
    def __init__(self, plan: Iterable[Any], excluded: Container[Any]) -> None: ...
    def __next__(self) -> Any: ...
