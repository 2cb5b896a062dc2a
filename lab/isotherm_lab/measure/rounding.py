# SPDX-License-Identifier: Apache-2.0
"""Numbers as summaries have them."""


def rounded(value: float | None, digits: int) -> float | None:
    """Return the number with so many digits after the point; None, which is not known or infinite, stays None."""
    return None if value is None else round(value, digits)
