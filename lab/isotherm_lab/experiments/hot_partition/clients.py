# SPDX-License-Identifier: Apache-2.0
"""The clients of the experiment: what each reads or writes, how many at a time, and where that is recorded."""

from pathlib import Path

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.data import partition_table
from isotherm_lab.experiments.hot_partition.plan import Plan
from isotherm_lab.load.closed_load import ClosedLoadSettings


def reader(
    cluster: Cluster, plan: Plan, directory: Path, key: int | None = None, among: int = 1, per_s: float = 0.0
) -> ClosedLoadSettings:
    """Return a client that reads one key's partition, one of so many hot ones, or at a rate; without it the background.

    Several hot ones have as many reads under way together as one: the processors must not be what saturates.
    """
    factor = 1 if key is None else plan.hot_factor // among
    return ClosedLoadSettings(
        **_of(cluster, plan, directory, key),
        statement=partition_table.select(),
        in_flight_per_node=plan.most_unanswered if per_s else plan.background_per_node * factor,
        pause_after_rejection_s=plan.pause_after_rejection_s,
        per_s=per_s,
    )


def writer(cluster: Cluster, plan: Plan, directory: Path, key: int | None = None) -> ClosedLoadSettings:
    """Return a client that writes the partition of one key as the hot one does; without a key, the background."""
    return ClosedLoadSettings(
        **_of(cluster, plan, directory, key),
        statement=partition_table.insert(),
        in_flight_per_node=plan.background_per_node * (1 if key is None else plan.hot_writes_factor),
        pause_after_rejection_s=plan.pause_after_refused_write_s,
        consistency="ALL",
    )


def _of(cluster: Cluster, plan: Plan, directory: Path, key: int | None) -> dict:
    """Return what the client sends to whom; the keys of the background are drawn from all small partitions."""
    return {
        "contact_points": cluster.contact_points(),
        "directory": str(directory),
        "first_key": 0 if key is None else key,
        "keys": plan.data.keys if key is None else 1,
        "seed": plan.seed + (key is not None),
    }
