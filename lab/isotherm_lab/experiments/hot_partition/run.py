# SPDX-License-Identifier: Apache-2.0
"""One partition becomes hot and takes the table down; a limit on reads of a partition brings it back.

RF 3, QUORUM, one slow disk per node, nothing cached. Two clients read the same table, each with a fixed number of reads
in flight: `background` reads uniformly random partitions of one row throughout; `hot` comes later and reads one
partition, 8 times as many reads at a time, 10 times as many rows a read. Then ALTER TABLE sets a limit. Then the limit
is taken away, the nodes keep fair shares, and the hot client comes and goes once more; and so do two hot clients, and a
costly one. Then the same with writes.

The processors must not be what saturates, or a rejection would cost the background on two cores what it would not on
twenty. So the disk serves many reads at a time, slowly: background alone never waits for a place on it, and its
throughput is its reads in flight over the disk's service time.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import partition_table
from isotherm_lab.experiments.hot_partition import clients, fair_chart, fair_reads, observed, writes
from isotherm_lab.experiments.hot_partition.fair import FairMoments
from isotherm_lab.experiments.hot_partition.plan import BACKGROUND, HOT, LIMITED, NAME, RECOVERY_S, Plan
from isotherm_lab.experiments.loading import loading
from isotherm_lab.load.cql_connection import CqlConnection
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.processor_use import ProcessorUse
from isotherm_lab.progress import Listener, Silent, wait_until

_NODES = 3


@dataclass(frozen=True)
class Moments:
    """What happened when, in seconds since the epoch. Each phase is measured from `…_from` on."""

    background_from: float
    #: When the background alone was measured long enough, and the hot client's process was started.
    background_to: float
    #: When it sent its first request.
    hot_starts: float
    hot_from: float
    #: When the ALTER was sent, and when it was answered.
    altered: float
    alter_answered: float
    end: float

    def phases(self) -> dict[str, tuple[float, float]]:
        """Return the measured stretch of each phase."""
        return {
            BACKGROUND: (self.background_from, self.background_to),
            HOT: (self.hot_from, self.altered),
            LIMITED: (self.altered + RECOVERY_S, self.end),
        }


@dataclass(frozen=True)
class Outcome:
    """What a run left: both clients' reads, the nodes' counters, and in each phase who used the processors."""

    moments: Moments
    background: np.ndarray
    hot: np.ndarray
    nodes: dict[str, NodeCounters]
    processors: dict[str, dict[str, float]]
    #: What is concluded of each variant under fair shares, and what its background did second by second.
    fair: dict[str, Any]
    fair_seconds: dict[str, list[tuple[int, float]]]


def run(plan: Plan, output: Path, listener: Listener | None = None) -> Outcome:
    """Run the three phases on a fresh cluster; every request of both clients is recorded below `output`."""
    told = listener or Silent()
    output.mkdir(parents=True, exist_ok=True)
    told.step("starting three nodes", 20)
    cluster = Cluster.create(
        NAME, [variant("isotherm")] * _NODES,
        overrides={"file_cache_enabled": False, "row_cache_size": "0MiB", **partition_table.SLOW_WRITES},
        first_address=plan.first_address,
    )  # fmt: skip
    with cluster:
        cluster.start(told.note)
        told.step("loading", 8)
        with loading(cluster) as session:
            options = f"speculative_retry = '{plan.speculative_retry}'"
            partition_table.create(session, plan.data, _NODES, options=options)
            partition_table.fill(session, plan.data, plan.seed)
            partition_table.create_slow_writes(session)
        moments, processors, fair_moments = _measure(cluster, plan, output, told)
        write_moments = writes.measure(cluster, plan, output, told, _watch)
        nodes = {node.address: NodeCounters.of_node(node.directory) for node in cluster.nodes}
    records = {name: samples.read(output / name / samples.FILE) for name in (BACKGROUND, HOT)}
    fair_shares = fair_reads.conclude(fair_moments, records[BACKGROUND], output, nodes)
    fair_shares[writes.NAME] = writes.conclude(write_moments, output, nodes)
    seconds = {name: fair_chart.of_usual(each, records[BACKGROUND]) for name, each in fair_moments.items()}
    seconds[writes.NAME] = fair_chart.of_usual(write_moments, samples.read(output / writes.WRITERS / samples.FILE))
    return Outcome(moments, records[BACKGROUND], records[HOT], nodes, processors, fair_shares, seconds)


def _measure(
    cluster: Cluster, plan: Plan, output: Path, told: Listener
) -> tuple[Moments, dict[str, dict[str, float]], dict[str, FairMoments]]:
    control = CqlConnection(cluster.contact_points()[0], CQL_PORT)
    processors: dict[str, dict[str, float]] = {}
    usage = ProcessorUse([node.identity.pid for node in cluster.nodes])
    with LoadProcess(clients.reader(cluster, plan, output / BACKGROUND)) as background:
        background.wait_until_sending()
        # The code of a read is compiled before anything is measured: later that would look like a recovery.
        told.step("warming up, the disk fast", plan.warm_up_s)
        _watch(plan.warm_up_s, told, background)
        cluster.order("disk", f"slow {plan.slowness}")
        told.step("background, settling", plan.settle_s)
        _watch(plan.settle_s, told, background)
        told.step(BACKGROUND, plan.phase_s)
        background_from = time.time()
        usage.begin()
        _watch(plan.phase_s, told, background)
        processors[BACKGROUND] = usage.end()

        told.step("hot, settling", plan.settle_s)
        background_to = time.time()
        with LoadProcess(clients.reader(cluster, plan, output / HOT, plan.data.hot_key)) as hot:
            hot.wait_until_sending()
            _watch(plan.settle_s, told, background, hot)
            told.step(HOT, plan.phase_s)
            hot_from = time.time()
            usage.begin()
            _watch(plan.phase_s, told, background, hot)
            processors[HOT] = usage.end()

            told.step(LIMITED, plan.limited_s)
            altered = time.time()
            control.query(partition_table.limit_reads(partition_table.TABLE, plan.limit_per_s))
            alter_answered = time.time()
            _watch(altered + RECOVERY_S - time.time(), told, background, hot)
            usage.begin()
            _watch(plan.limited_s - RECOVERY_S, told, background, hot)
            processors[LIMITED] = usage.end()
            end = time.time()
            # The probe's next second is after the last one drawn.
            _watch(1.5, told, background, hot)
            hot.stop()
        control.query(partition_table.unlimited(partition_table.TABLE))
        fair_moments = fair_reads.measure(cluster, plan, output, background, told, _watch)
        background.stop()
    control.close()
    hot_starts = observed.first_sent_s([samples.read(output / HOT / samples.FILE)])
    moments = Moments(background_from, background_to, hot_starts, hot_from, altered, alter_answered, end)
    return moments, processors, fair_moments


def _watch(seconds: float, told: Listener, background: LoadProcess, *hot: LoadProcess) -> None:
    """Wait, saying how the clients fare."""

    def note() -> None:
        background.check()
        sentence = f"background {background.latest.get('answered', 0)}/s"
        for each in hot:
            each.check()
            sentence += f", hot {each.latest.get('answered', 0)}/s, rejected {each.latest.get('rejected', 0)}/s"
        told.note(sentence)

    wait_until(time.time() + seconds, note)
