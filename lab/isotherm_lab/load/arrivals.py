# SPDX-License-Identifier: Apache-2.0
"""When requests are sent and which keys they read: fixed beforehand by a seed, whatever the cluster does."""

from collections.abc import Iterator

import numpy as np

_BATCH = 4096


def schedule(rate: float, keys: int, seed: int, poisson: bool = True) -> Iterator[tuple[float, int]]:
    """Yield (seconds since the start, key) without end: `rate` arrivals a second, keys uniform in [0, keys)."""
    if not rate > 0:
        raise ValueError(f"rate must be positive, not {rate}")
    if keys < 1:
        raise ValueError(f"keys must be at least 1, not {keys}")
    source = np.random.default_rng(seed)
    now = 0.0
    while True:
        gaps = source.exponential(1 / rate, _BATCH) if poisson else np.full(_BATCH, 1 / rate)
        times = now + np.cumsum(gaps)
        chosen = source.integers(0, keys, _BATCH)
        now = float(times[-1])
        yield from zip(times.tolist(), chosen.tolist(), strict=True)
