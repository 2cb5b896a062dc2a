# SPDX-License-Identifier: Apache-2.0
"""A fault that befell a cluster several times: the medians of what each time was found."""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any


def of_rounds(rounds: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the result of one round as it is; of several their medians, and with them each one in `rounds`.

    A round that had not settled, or whose fault met nobody, is left out of the medians unless all are so. A number that
    is None is above all others: the percentile of reads that failed, a time that is never. Of an even number of rounds
    the median is the upper one.
    """
    if len(rounds) == 1:
        return dict(rounds[0])
    fit = [each for each in rounds if each["settled"] and each["met"]]
    return {**_median(fit or rounds), "rounds": list(rounds)}


def _median(values: Sequence[Any]) -> Any:
    first = values[0]
    if isinstance(first, Mapping):
        return {name: _median([each[name] for each in values]) for name in first}
    if isinstance(first, list):
        return [_median(places) for places in zip(*values, strict=True)]
    if isinstance(first, str):
        return first
    if isinstance(first, bool):
        return all(values)
    found = statistics.median_high([math.inf if each is None else each for each in values])
    return None if math.isinf(found) else found
