# SPDX-License-Identifier: Apache-2.0
"""Made-up turns of the slow leader."""

from collections import Counter

import numpy as np

from isotherm_lab.experiments.slow_leader.turn import Turn
from isotherm_lab.measure import samples


def turn(variant: str, phase: str, latency_ms: float, timed_out: int = 0, begin: float = 100.0) -> Turn:
    """Return 100 updates a second for 12 s, of which 10 s are measured; each tenth takes ten times as long."""
    intended = (np.arange(begin - 1, begin + 11, 0.01) * 1e6).astype(int)
    records = np.zeros(intended.size, samples.RECORD)
    records["intended_us"] = intended
    records["latency_us"] = np.where(np.arange(intended.size) % 10 == 0, 10, 1) * latency_ms * 1000
    records["outcome"][:timed_out] = 1
    outcomes = Counter({"acknowledged": intended.size - timed_out, "WriteTimeout": timed_out})
    leaders = {"127.0.0.1": 400, "127.0.0.2": 350, "127.0.0.3": 250}
    return Turn(variant, phase, begin, begin + 10, records, outcomes, leaders, dict.fromkeys(leaders, 2.0), {})
