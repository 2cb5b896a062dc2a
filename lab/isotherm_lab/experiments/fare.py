# SPDX-License-Identifier: Apache-2.0
"""How the readers fare, for whoever watches an experiment."""

from collections.abc import Mapping
from typing import Any


def fare(latest: Mapping[str, Any]) -> str:
    """Return it in words, by the last line of an open load: the median of a second, and its errors."""
    median = latest.get("p50_ms")
    errors = sum(latest.get("errors", {}).values())
    return f"p50 {'none' if median is None else f'{median:.1f} ms'}, {errors} errors"
