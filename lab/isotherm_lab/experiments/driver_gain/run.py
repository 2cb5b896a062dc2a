# SPDX-License-Identifier: Apache-2.0
"""Applications that differ in nothing but the policy of their driver take turns on one cluster.

Three nodes with the plugin, placement affinity, RF 3. Each turn is a process of its own, so that no connection, belief
or request under way is another's. Turns go there and back through the policies, and a fault befalls each of them anew.
"""

import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import row_table
from isotherm_lab.experiments.driver_gain.plan import CONDITIONS, NAME, NONE, ON_DISK, Condition, Plan
from isotherm_lab.experiments.loading import loading
from isotherm_lab.load.driver_policies import POLICIES
from isotherm_lab.load.policy_load import PolicyLoadSettings
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.paired import counterbalanced
from isotherm_lab.measure.processor_use import ProcessorUse
from isotherm_lab.progress import Listener, Silent, wait_until

_NODES = 3
#: The probe writes once a second, and a rate needs a line after its end.
_PROBE_S = 1.5


@dataclass(frozen=True)
class Turn:
    """What one application did: its requests by when they were sent, and of all nodes together from `began` on."""

    policy: str
    began: float
    ended: float
    records: np.ndarray
    #: Processor seconds of the nodes, and reads that nodes asked others for.
    node_processor_s: float
    messages: float


@dataclass(frozen=True)
class Part:
    """All turns of one level under one condition; each policy has as many, two per block."""

    level: str
    condition: Condition
    turns: list[Turn]


def run(plan: Plan, output: Path, listener: Listener | None = None) -> Iterator[Part]:
    """Start the cluster, then yield each part; every request is recorded below `output`."""
    told = listener or Silent()
    told.step("starting three nodes", 35)
    cluster = Cluster.create(
        NAME, [variant("isotherm-affinity")] * _NODES, full_compilation=True, first_address=plan.first_address,
        overrides={"file_cache_enabled": False, "row_cache_size": "0MiB"},
    )  # fmt: skip
    with cluster:
        cluster.start(told.note)
        told.step("loading", 15)
        with loading(cluster) as session:
            row_table.create(session, plan.in_memory, _NODES)
            row_table.fill(session, plan.in_memory, plan.seed)
            row_table.add(session, plan.on_disk, ON_DISK)
            row_table.fill(session, plan.on_disk, plan.seed, ON_DISK)
        cluster.storage.slow(cluster.nodes)
        for policy in POLICIES:
            told.step(f"warming up: {policy}", plan.warm_up_s + 2)
            _turn(cluster, plan, plan.levels[0], CONDITIONS[NONE], policy, output / "warming-up", plan.warm_up_s)
        for level in plan.levels:
            for name in plan.conditions:
                yield _part(cluster, plan, level, CONDITIONS[name], output, told)


def _part(cluster: Cluster, plan: Plan, level: str, condition: Condition, output: Path, told: Listener) -> Part:
    turns = []
    for policy in counterbalanced(POLICIES) * condition.blocks:
        told.step(f"{level}, {condition.name}: {policy}", 3 + plan.before_s + plan.measured_s)
        folder = output / level / condition.name / f"{len(turns) + 1:02}-{policy}"
        turns.append(_turn(cluster, plan, level, condition, policy, folder, plan.measured_s))
        told.note(f"{turns[-1].records.size:,} requests")
        time.sleep(plan.pause_after_fault_s if condition.fault else plan.pause_s)
    return Part(level, condition, turns)


def _turn(
    cluster: Cluster, plan: Plan, level: str, condition: Condition, policy: str, folder: Path, measured_s: float
) -> Turn:
    settings = PolicyLoadSettings(
        contact_points=cluster.contact_points(), directory=str(folder), policy=policy, in_flight=plan.in_flight,
        statement=row_table.select_from(condition.table), keys=plan.in_memory.keys, seed=plan.seed, consistency=level,
    )  # fmt: skip
    use = ProcessorUse([node.identity.pid for node in cluster.nodes])
    with LoadProcess(settings) as load:
        load.wait_until_sending()
        wait_until(time.time() + plan.before_s, load.check)
        began, used = time.time(), use.seconds()
        with condition.fault.befalls(cluster) if condition.fault else nullcontext():
            wait_until(began + measured_s, load.check)
            ended, used = time.time(), use.seconds() - used
        load.stop()
    time.sleep(max(0.0, ended + _PROBE_S - time.time()))
    counters = [NodeCounters.of_node(node.directory) for node in cluster.nodes]
    messages = sum(each.increase("sent_total", began, ended) for each in counters)
    return Turn(policy, began, ended, samples.read(folder / samples.FILE), used, messages)
