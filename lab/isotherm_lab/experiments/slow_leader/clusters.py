# SPDX-License-Identifier: Apache-2.0
"""Clusters with counters on disks that can be slow."""

from isotherm_lab.cluster import control, preflight
from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import counter_table
from isotherm_lab.experiments.loading import loading
from isotherm_lab.experiments.slow_leader.plan import Plan
from isotherm_lab.progress import Listener

_NODES = 3


def start(plan: Plan, name: str, variant_name: str, first_address: int, told: Listener) -> Cluster:
    """Return a running cluster of this variant with its counters on disk, all nodes well."""
    cluster = Cluster.create(
        name, [variant(variant_name)] * _NODES, overrides=counter_table.NO_CACHES | plan.overrides,
        queue=plan.queue, first_address=first_address,
    )  # fmt: skip
    try:
        cluster.start(told.note)
        with loading(cluster) as session:
            counter_table.create(session, plan.data, _NODES)
            counter_table.fill(session, plan.data)
        slow_down(cluster, 0, plan.slowness)
    except BaseException:
        cluster.end()
        raise
    return cluster


def check_memory(clusters: int) -> None:
    """Raise LabError when so many clusters cannot run at a time."""
    preflight.check_memory(clusters * _NODES)


def slow_down(cluster: Cluster, nodes: int, slowness: int) -> None:
    """Make the disks of the last `nodes` slow, and the others as they are."""
    for place, node in enumerate(cluster.nodes):
        slow = place >= len(cluster.nodes) - nodes
        control.order(node, "disk", f"slow {slowness}" if slow else "slow")


def count(cluster: Cluster, plan: Plan) -> int:
    """Return the sum of all counters, read on all replicas; no node may be down."""
    with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
        return counter_table.total(session, plan.data)
