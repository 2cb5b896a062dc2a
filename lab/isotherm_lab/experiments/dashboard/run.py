# SPDX-License-Identifier: Apache-2.0
"""Runs the scenes under a Prometheus, and keeps what each panel of the dashboard would show.

Three nodes with Prometheus' JMX exporter, as the operator's page installs it, under the reads of the cold restart.
Counters are updated and one partition of a limited table is read all the time.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cassandra.cluster import Session
from rich.console import Console

from isotherm_lab.cluster.classpath import exporter_jar
from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.suspension import suspended
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data.slow_table import KEYSPACE
from isotherm_lab.experiments.bounded import bounded
from isotherm_lab.experiments.cold_restart.run import node_settings, prepare
from isotherm_lab.experiments.dashboard import plan as scenes
from isotherm_lab.experiments.dashboard import prometheus
from isotherm_lab.experiments.dashboard.chart import draw
from isotherm_lab.experiments.dashboard.panels import answers, refuse_empty
from isotherm_lab.experiments.dashboard.plan import NAME, Plan
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.load.read_load import ReadLoadSettings
from isotherm_lab.measure import summary
from isotherm_lab.paths import project_root
from isotherm_lab.progress import Bars, Listener, wait_until

_NODES = 3
_EXPORTER_PORT = 7070
#: The pause between two requests of the traffic beside the reads, and how many the hot partition gets at a time.
_PAUSE_S, _HOT_AT_ONCE = 0.02, 20


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run the scenes, write what the panels show, and draw them; LabError if a panel shows nothing.

    Also, before anything starts, without a Prometheus.
    """
    prometheus.program()
    with Bars(console, NAME, plan.expected_s()) as bars:
        found = _run(plan, folder, bars)
    summary.write(folder, found | {"experiment": NAME, "settings": asdict(plan)})
    refuse_empty(found["panels"])
    for file in draw(folder):
        console.print(f"What the dashboard shows is in {file}", soft_wrap=True, highlight=False)


def _run(plan: Plan, folder: Path, told: Listener) -> dict[str, Any]:
    folder.mkdir(parents=True, exist_ok=True)
    told.step("starting three nodes", 30)
    cluster = Cluster.create(
        NAME, [variant("isotherm")] * _NODES, heat_source=plan.reads.heat_source, overrides=node_settings(plan.reads),
        first_address=plan.first_address,
    )  # fmt: skip
    exporters = [f"{node.address}:{_EXPORTER_PORT}" for node in cluster.nodes]
    configuration = project_root() / "conf" / "prometheus" / "jmx-exporter.yaml"
    for node, exporter in zip(cluster.nodes, exporters, strict=True):
        node.command.insert(1, f"-javaagent:{exporter_jar()}={exporter}:{configuration}")
    with cluster:
        cluster.start(told.note)
        prepare(cluster, plan.reads, told)
        with prometheus.watching(exporters, folder / "prometheus", plan.scrape_s) as server:
            first, began = _play(cluster, plan, folder, told)
            panels = answers(server, first, time.time(), plan.scrape_s)
    return {"scenes": [{"name": name, "from_s": round(at - first, 1)} for name, at in began.items()], "panels": panels}


def _play(cluster: Cluster, plan: Plan, folder: Path, told: Listener) -> tuple[float, Mapping[str, float]]:
    """Let the scenes happen one after the other; return when the first began, and when each did."""
    settings = ReadLoadSettings(
        contact_points=cluster.contact_points(), directory=str(folder), rate=plan.reads.rate,
        keys=plan.reads.data.keys, seed=plan.reads.seed,
    )  # fmt: skip
    last = cluster.nodes[-1]
    began: dict[str, float] = {}
    with LoadProcess(settings) as load, bounded(cluster), _traffic(cluster, plan) as hot:
        load.wait_until_sending()
        for scene in plan.scenes:
            told.step(scene.name, scene.seconds)
            began[scene.name] = time.time()
            hot(scene.name == scenes.HOT)
            if scene.name == scenes.RESTARTED:
                last.stop()
                cluster.storage.cool(last)
                last.start()
                cluster.save()
                last.wait_until_answers()
            elif scene.name == scenes.PAUSED:
                with suspended(last):
                    wait_until(time.time() + plan.paused_s, load.check)
            wait_until(began[scene.name] + scene.seconds, load.check)
        load.stop()
    return began[plan.scenes[0].name], began


@contextmanager
def _traffic(cluster: Cluster, plan: Plan) -> Iterator[Callable[[bool], None]]:
    """Update counters and read a limited table all the time; yields what makes one partition of it hot, or not."""
    over, hot = threading.Event(), threading.Event()

    def work(session: Session) -> None:
        read = session.prepare(f"SELECT value FROM {KEYSPACE}.limited WHERE key = ?")
        count = session.prepare(f"UPDATE {KEYSPACE}.counted SET hits = hits + 1 WHERE key = ?")
        number = 0
        while not over.wait(_PAUSE_S):
            number += 1
            statements = [read.bind((number % 100,)), count.bind((number % 10,))]
            statements += [read.bind((1,))] * (_HOT_AT_ONCE if hot.is_set() else 0)
            for sent in [session.execute_async(statement) for statement in statements]:
                # Rejections, and what a restart does to requests, are what there is to see.
                with suppress(Exception):
                    sent.result()

    with connected(cluster.contact_points(), timeout_s=5, repeat=False) as session:
        session.execute(
            f"CREATE TABLE {KEYSPACE}.limited (key int PRIMARY KEY, value int)"
            f" WITH per_partition_rate_limit = {{'max_reads_per_second': {plan.limit_per_s}}}"
        )
        session.execute(f"CREATE TABLE {KEYSPACE}.counted (key int PRIMARY KEY, hits counter)")
        worker = threading.Thread(target=work, args=(session,), daemon=True)
        worker.start()
        try:
            yield lambda wanted: hot.set() if wanted else hot.clear()
        finally:
            over.set()
            worker.join(30)
