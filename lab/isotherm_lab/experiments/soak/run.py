# SPDX-License-Identifier: Apache-2.0
"""One variant suffers all faults, one after the other, on one cluster for each scene."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from isotherm_lab.cluster import jvm
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data.slow_table import create_keyspace
from isotherm_lab.experiments.soak import hooks, many_tables, turns
from isotherm_lab.experiments.soak.audit import create_tables
from isotherm_lab.experiments.soak.faults import FAULTS, Fault, Hooks
from isotherm_lab.experiments.soak.left_behind import LeftBehind
from isotherm_lab.experiments.soak.logged_failures import LoggedFailures
from isotherm_lab.experiments.soak.parties import Parties
from isotherm_lab.experiments.soak.plan import CREATED_S, NAME, Plan
from isotherm_lab.experiments.soak.scenes import Scene
from isotherm_lab.load.limited_clients import LIMIT
from isotherm_lab.progress import Listener, wait_until

#: A node whose disk fails stops serving, as cassandra.yaml has it when it is shipped.
_DURABLE = {"commitlog_sync": "batch", "commitlog_sync_period": "0ms", "disk_failure_policy": "stop"}
#: Its own clock can be set for each node.
_CLOCK = {"cassandra.clock": "dev.isotherm.lab.SteppedClock"}
#: 2,000 tables take half a minute on an idle machine.
_TOUCHED_S = 300
#: Every node takes the time of each read and write, and refuses none; so does one that is started again.
_COUNTED = {"limit": {"fair_share": "dry_run"}}
#: Far above what one partition gets: every request is counted and decided, and none is rejected.
_LIMITED = " WITH per_partition_rate_limit = {'max_reads_per_second': 1000, 'max_writes_per_second': 1000}"


def run(plan: Plan, name: str, of_plugin: Mapping[str, Mapping[str, Any]], told: Listener) -> Iterator[dict[str, Any]]:
    """Yield what came of each fault, under this variant; plain Cassandra is given what came of them with the plugin."""
    first = 1
    for scene, faults in plan.scenes().items():
        suffered = [
            replace(fault, befalls=fault.in_stock(of_plugin[fault.name]))
            if fault.in_stock and not variant(name).plugin
            else fault
            for fault in faults
        ]
        yield from _on_a_cluster(plan, scene, suffered, first, name, told)
        first += len(faults)


def _on_a_cluster(
    plan: Plan, scene: Scene, faults: Sequence[Fault], first: int, name: str, told: Listener
) -> Iterator[dict[str, Any]]:
    told.step(f"starting {len(scene.datacenters)} nodes", 35)
    kind = variant(name)
    options = _LIMITED if kind.plugin else ""
    properties = _CLOCK | ({jvm.HOOKS: "true"} if any(fault.hooks for fault in faults) else {})
    cluster = Cluster.create(
        "-".join(filter(None, (NAME, scene.name, name))), [kind] * len(scene.datacenters), overrides=_DURABLE,
        isotherm_overrides=_COUNTED, first_address=plan.first_address, properties=properties,
        datacenters=scene.datacenters, heap_mib=scene.heap_mib,
    )  # fmt: skip
    logged = LoggedFailures(cluster.directory)
    counted_before = 0
    with cluster:
        cluster.start(told.note)
        with scene.session_of(cluster, 0) as session:
            create_keyspace(session, scene.replicas)
            create_tables(session, options, f" WITH per_partition_rate_limit = {LIMIT}" if kind.plugin else "")
        tables = plan.tables if scene.many_tables else 0
        if tables:
            told.step(f"creating {tables} tables", CREATED_S * tables)
            many_tables.create(cluster, scene, tables, options, told.note)
        _warm_up(cluster, Parties(scene, 0, plan.seed, None, tables), plan.well_s, told)
        left_behind = LeftBehind(cluster)
        left_behind.look()
        for place, fault in enumerate(faults, start=first):
            told.step(fault.name, plan.takes_s(fault))
            changed = options if fault.limits_changed_tables else ""
            parties = Parties(scene, place, plan.seed, changed if fault.schema_changes else None, tables)
            account = suffer(cluster, fault, plan, parties, told, logged)
            # What failed at the start is the first fault's; where a process has ended its count has, too, but no log.
            counted = plugin_failures(cluster, scene) if kind.plugin else 0
            failures = max(counted - counted_before, logged.take())
            counted_before = counted
            account |= {"hooks": hooks.called(cluster.nodes)} if fault.hooks and kind.plugin else {}
            if fault.hooks is Hooks.BLOCK:
                account |= {"blocked": hooks.blocked(cluster.nodes, by_hooks=kind.plugin)}
            told.note("at rest")
            account |= left_behind.look()
            if scene.many_tables and kind.plugin:
                unrecorded = Parties(scene, len(FAULTS), plan.seed, None, tables)
                account |= {"in_turns": turns.in_turns(cluster, scene, unrecorded, told)}
            yield {"name": fault.name, "variant": name, "tables": tables, **account, "plugin_failures": failures}


def _warm_up(cluster: Cluster, parties: Parties, seconds: float, told: Listener) -> None:
    """Let unrecorded clients run: pools have the threads and connections, and the nodes what they keep of tables."""
    told.step("before all faults", seconds)
    with parties.load(cluster):
        time.sleep(seconds)
        _until_touched(parties, told)


def _until_touched(parties: Parties, told: Listener) -> None:
    """Wait until each of many tables was both written and read; what is left then is a shortcoming of the fault."""
    deadline = time.monotonic() + _TOUCHED_S
    while (left := parties.untouched()) and time.monotonic() < deadline:
        told.note(f"{left} tables without traffic")
        time.sleep(1)


def suffer(
    cluster: Cluster, fault: Fault, plan: Plan, parties: Parties, told: Listener, logged: LoggedFailures
) -> dict[str, Any]:
    """Let the fault befall the cluster while the clients run, and audit what they did."""
    with parties.load(cluster, fault.spared):

        def look(what: str) -> None:
            told.note(f"{what}, {parties.operations()} operations")
            logged.look()

        def watch(seconds: float, what: str) -> None:
            wait_until(time.time() + seconds, lambda: look(what))

        watch(plan.well_s, "before")
        for place in fault.places:
            with fault.befalls(cluster, place):
                watch(plan.lasts_s(fault), fault.title)
            told.note("until all see each other")
            cluster.order("peers", str(len(cluster.nodes)))
        _until_touched(parties, told)
        watch(plan.well_s, "after")
    told.note("the audit")
    return parties.audit(cluster)


def plugin_failures(cluster: Cluster, scene: Scene) -> int:
    """Return how many failures of its own the plugin has counted, on all nodes, since each of them started."""
    total = 0
    for place in range(len(cluster.nodes)):
        with scene.session_of(cluster, place) as session:
            total += session.execute("SELECT value FROM isotherm.counts WHERE name = 'Failures'").one().value
    return total
