# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Any

class BusyOrder:
    def __init__(
        self,
        in_flight: Callable[[Any], int | None],
        published: Callable[[Any], int | None] | None,
        soft_limit: float,
        node_soft_limit: float,
        seed: int,
    ) -> None: ...
    def places(self, order: Any, first: int, shuffling: bool) -> bytes: ...
