# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence

MISS_FLOOR: float

def shares(miss_ratios: Sequence[float], contacted: int, miss_floor: float = 0.05) -> list[float]: ...
