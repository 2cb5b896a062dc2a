# SPDX-License-Identifier: Apache-2.0
"""The settings by which nodes make shares of heat, as `isotherm.settings` has them: texts that change at run time."""

import re
from collections.abc import Iterable

MISS_FLOOR: str = "heat.miss_floor"
WARM_READ: str = "heat.warm_read"
_MICROSECONDS = {"us": 1, "ms": 1000, "s": 1_000_000, "m": 60_000_000}
_DURATION = re.compile(rf"(\d{{1,9}})\s*({'|'.join(_MICROSECONDS)})")


def microseconds(duration: str) -> float:
    """The microseconds of a duration as nodes write it, 500us or 10ms; ValueError where it is none."""
    found = _DURATION.fullmatch(duration.strip())
    if found is None:
        raise ValueError(f"{duration!r} is no number with a unit: {', '.join(_MICROSECONDS)}")
    return float(int(found[1]) * _MICROSECONDS[found[2]])


def reckoned_with(settings: Iterable[tuple[str, str | None]]) -> dict[str, float]:
    """What NodeReports reckons with, by its names there; without what a node of another release does not have."""
    texts = dict(settings)
    floor, warm = texts.get(MISS_FLOOR), texts.get(WARM_READ)
    found = {}
    if floor is not None:
        found["miss_floor"] = float(floor)
    if warm is not None:
        found["warm_read_us"] = microseconds(warm)
    return found
