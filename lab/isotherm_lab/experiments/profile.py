# SPDX-License-Identifier: Apache-2.0
"""How much of what saturated nodes run is the plugin's code: samples of their threads that run Java.

How many reads a second a cluster answers differs from JVM to JVM, and from second to second, by more than the plugin
takes. What part of the running code is the plugin's does not: a window on a slow machine has fewer samples, and the
same part. The nodes' processors are busy all the time, so that a part of their time is as large a part of the reads.

Java code is a part of what the processors do: at most what the nodes' threads spend outside of the kernel, without the
JVM's compilers. Of all processor time the plugin takes that part of its part, and what its own threads spend, which the
kernel tells. What a feature makes Cassandra's own code do is not the plugin's code. Of that, the parameters of messages
are counted by themselves.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import psutil
import typer
from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.orders import order_all
from isotherm_lab.experiments import promises
from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.options import FirstAddress
from isotherm_lab.experiments.promises import Promise
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.experiments.throughput.plan import FAIR, FAIR_SHARES, LOCAL, NOTHING, Phase, Plan
from isotherm_lab.experiments.throughput.run import running, warm_up
from isotherm_lab.experiments.throughput.side import Side
from isotherm_lab.load.collector import no_collections
from isotherm_lab.measure import summary
from isotherm_lab.measure.paired import LEAST_BLOCKS, counterbalanced, ratio_of_sums
from isotherm_lab.measure.thread_use import COMPILERS, between
from isotherm_lab.measure.thread_use import PLUGIN as OWN
from isotherm_lab.progress import Bars, Listener

NAME = "profile"
ALL, PLUGIN, PARAMETERS = "all", "plugin", "parameters"
#: The promises: parts of the nodes' processor time that the plugin takes at most with all features off, fair shares add
#: to that, and the other three features, reads by heat, limits, and counter leaders, take together.
OFF_AT_MOST, FAIR_AT_MOST, OTHERS_AT_MOST = 0.01, 0.02, 0.06
#: What ends the run of the latter two: docs/experiments.md tells of 2.3 % and 5.8 %, of a short run a third more.
_KNOWN_FAIR, _KNOWN_OTHERS = 0.04, 0.08
#: Processor seconds of the nodes in thousandths: all, what may be Java code, and what the plugin's threads spent.
_CPU, _MAYBE_JAVA, _OWN_THREADS = "cpu", "maybe java", "own threads"
_COMPETITORS = (NOTHING, LOCAL, FAIR)
_CLASSES_SHOWN = 12


@dataclass(frozen=True)
class Sampling:
    """What decides a run."""

    plan: Plan
    blocks: int = 6
    window_s: float = 6
    #: After a switch shares and heat take a moment to follow; with all features off a node goes on looking for twice
    #: the longest timeout of a request.
    settle_s: float = 1.5
    idle_s: float = 12

    def expected_s(self) -> float:
        """Return about how long it takes."""
        settling = sum(map(self.settles_s, _COMPETITORS))
        return 40 + self.plan.warm_up_s + 2 * self.blocks * (settling + len(_COMPETITORS) * (self.window_s + 1.5))

    def settles_s(self, name: str) -> float:
        """Return for how long a competitor is loaded before it is sampled."""
        return self.idle_s if name == NOTHING else self.settle_s


def planned(
    short: Annotated[bool, typer.Option(help="Eight minutes: fewer and shorter windows.")] = False,
    first_address: FirstAddress = 1,
) -> Sampling:
    """Return what these options ask for."""
    phase = Phase("QUORUM", True, _COMPETITORS)
    plan = replace(FAIR_SHARES, phases=(phase,), first_address=first_address)
    return Sampling(plan, blocks=LEAST_BLOCKS, window_s=4) if short else Sampling(plan)


def run_and_report(sampling: Sampling, folder: Path, console: Console) -> None:
    """Sample all competitors, and write and show the parts; BrokenPromiseError when one is larger than known."""
    with Bars(console, NAME, sampling.expected_s()) as bars:
        windows = run(sampling, bars)
    rows = [row(name, windows) for name in _COMPETITORS]
    found = {"experiment": NAME, "rows": rows, "settings": asdict(sampling)}
    file = summary.write(folder, found)
    console.print(table(rows))
    console.print(f"The numbers, with the plugin's classes, are in {file}", soft_wrap=True, highlight=False)
    promises.report(promised(rows), console)


def run(sampling: Sampling, told: Listener) -> dict[str, list[Counter[str]]]:
    """Return each competitor's samples by their owner, one counter a window, in the order of the windows."""
    plan = sampling.plan
    told.step("starting the nodes", 36)
    with running(LOCAL, plan, plan.first_address, told.note) as cluster, no_collections():
        side = Side(cluster, plan)
        try:
            told.step("warming up", plan.warm_up_s)
            warm_up(plan, dict.fromkeys(_COMPETITORS, side), told.note)
            told.step("sampling", sampling.expected_s() - plan.warm_up_s - 40)
            side.prepare(plan.phases[0])
            windows: dict[str, list[Counter[str]]] = {name: [] for name in _COMPETITORS}
            for block in range(sampling.blocks):
                for name in counterbalanced(_COMPETITORS):
                    windows[name].append(_sample(sampling, side, name))
                told.note(f"{block + 1} of {sampling.blocks} blocks")
            return windows
        finally:
            side.close()


def _sample(sampling: Sampling, side: Side, name: str) -> Counter[str]:
    """Return the samples of one window, of all nodes together."""
    nodes: Sequence[Node] = side.cluster.nodes
    processes = [psutil.Process(node.identity.pid) for node in nodes]
    side.switch(name)
    side.window(sampling.settles_s(name), 0)
    order_all(nodes, "samples", "begin")
    threads, before = side.threads(), [process.cpu_times() for process in processes]
    side.window(sampling.window_s, 0)
    spent, after = between(threads, side.threads()), [process.cpu_times() for process in processes]
    order_all(nodes, "samples", "end")
    user = sum(late.user - early.user for early, late in zip(before, after, strict=True))
    system = sum(late.system - early.system for early, late in zip(before, after, strict=True))
    times = {_CPU: user + system, _MAYBE_JAVA: user - spent[COMPILERS].cpu_s, _OWN_THREADS: spent[OWN].cpu_s}
    counted = Counter({name: round(seconds * 1e3) for name, seconds in times.items()})
    return sum((read(node.directory) for node in nodes), counted)


def read(directory: Path) -> Counter[str]:
    """Return what the node in this directory wrote of its samples."""
    lines = (directory / "samples.tsv").read_text(encoding="utf-8").splitlines()
    return Counter({owner: int(count) for owner, count in (line.split("\t") for line in lines)})


def row(name: str, windows: Mapping[str, Sequence[Counter[str]]]) -> dict[str, Any]:
    """Return a competitor's parts of its samples, with their intervals over the blocks, and the plugin's classes."""
    mine = windows[name]
    total: Counter[str] = sum(mine, Counter())
    classes = [(own, count) for own, count in total.most_common() if own.startswith(f"{PLUGIN}/")]
    parts = {part: _part(mine, part) for part in (PLUGIN, PARAMETERS)}
    java = total[_MAYBE_JAVA] / total[_CPU]
    threads = total[_OWN_THREADS] / total[_CPU]
    # With all features off Cassandra's messages carry its own.
    carried = parts[PARAMETERS]["part"] - _part(windows[NOTHING], PARAMETERS)["part"]
    return {
        "variant": name,
        "samples": total[ALL],
        **parts,
        "java_at_most": round(java, 4),
        "own_threads": round(threads, 5),
        "of_processors_at_most": round((parts[PLUGIN]["part"] + max(0.0, carried)) * java + threads, 5),
        "classes": {own.partition("/")[2]: round(count / total[ALL], 5) for own, count in classes[:_CLASSES_SHOWN]},
    }


def _part(windows: Sequence[Counter[str]], owner: str) -> dict[str, float]:
    """Return the part of the samples that is this owner's, and its 95 % interval."""
    own, every = (np.array([window[what] for window in windows]).reshape(-1, 2) for what in (owner, ALL))
    found = ratio_of_sums(own, every)
    return {"part": round(found.median, 5), "low": round(found.low, 5), "high": round(found.high, 5)}


def promised(rows: Sequence[Mapping[str, Any]]) -> list[Promise]:
    """Return what is promised of the rows of all competitors."""
    parts = {each["variant"]: each["of_processors_at_most"] for each in rows}
    return [
        Promise(f"{what}: of the nodes' processor time", 100 * part, 100 * most, 100 * known, unit=" %")
        for what, part, most, known in (
            ("all features off", parts[NOTHING], OFF_AT_MOST, OFF_AT_MOST),
            ("all on but fair shares", parts[LOCAL], OTHERS_AT_MOST, _KNOWN_OTHERS),
            ("fair shares, beside that", parts[FAIR] - parts[LOCAL], FAIR_AT_MOST, _KNOWN_FAIR),
        )
    ]


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the rows for a person."""
    shown = result_table(
        "Whose code saturated nodes run",
        "Samples of Cassandra's threads that run Java code, all nodes; parts of them in %, with 95 % intervals."
        f" {NOTHING}: all features off; {LOCAL}: all on but fair shares; {FAIR}: these too."
        " Parameters: what Cassandra does with what messages carry beside their content. Of CPU: what the plugin"
        " takes of the nodes' processor time, in %, at most, with its threads and the parameters that it adds.",
        left=["variant"],
        right=["samples", "the plugin's", "parameters", "of CPU"],
        padding=1,
    )
    for each in rows:
        parts = (each[part] for part in (PLUGIN, PARAMETERS))
        shown.add_row(
            each["variant"],
            f"{each['samples']:,}",
            *(f"{100 * own['part']:.2f} ({100 * own['low']:.2f}-{100 * own['high']:.2f})" for own in parts),
            f"{100 * each['of_processors_at_most']:.2f}",
        )
    return shown


EXPERIMENT = Experiment(
    name=NAME,
    help="Sample what saturated nodes run: which part of it is the plugin's code, switched off, on, with fair shares.",
    plan=planned,
    run=run_and_report,
)
