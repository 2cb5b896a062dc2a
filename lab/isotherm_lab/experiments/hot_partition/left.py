# SPDX-License-Identifier: Apache-2.0
"""What the background leaves of the replicas, and what of that the hot partitions take."""

from isotherm_lab.experiments.hot_partition.fair_reads import COSTLY
from isotherm_lab.experiments.hot_partition.plan import Plan
from isotherm_lab.experiments.hot_partition.writes import NAME as WRITES

_NODES = 3
#: Replicas that serve a read at QUORUM, and that apply a write.
_READ_BY, _WRITTEN_BY = 2, 3
#: Cassandra's default of `concurrent_writes`.
_WRITE_THREADS = 32


def part_of_left(plan: Plan, which: str, background_per_s: float, hot_per_s: float) -> float | None:
    """Return the time of the hot operations over what those of the background leave; None if they leave none.

    It is the time of the places of the disks or, of writes, of the threads that apply them.
    """
    if which == WRITES:
        background_s = hot_s = _WRITTEN_BY * plan.write_ms * 1e-3
        places = _NODES * _WRITE_THREADS
    else:
        chunk_s = plan.data.service_us * 1e-6 * (1 if which == COSTLY else plan.slowness)
        background_s = _READ_BY * plan.chunks_of_row * chunk_s
        hot_s = _READ_BY * _chunks(plan, which) * chunk_s
        places = _NODES * plan.data.parallel
    left = places - background_per_s * background_s
    return round(hot_per_s * hot_s / left, 3) if left > 0 else None


def replicas_of_hot(
    plan: Plan, which: str, disk_reads_per_s: float, background_per_s: float, hot_per_s: float
) -> float | None:
    """Return how many replicas' disks a hot read takes: more than two where it has a speculative retry. None of writes.

    It is what the disks serve beside two reads for each of the background, in reads of the hot partition.
    """
    if which == WRITES or not hot_per_s:
        return None
    hot = disk_reads_per_s - _READ_BY * plan.chunks_of_row * background_per_s
    return round(hot / _chunks(plan, which) / hot_per_s, 2)


def _chunks(plan: Plan, which: str) -> int:
    return plan.chunks_of_costly if which == COSTLY else plan.chunks_of_hot
