# SPDX-License-Identifier: Apache-2.0
"""The command `isotherm-lab`."""

import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.cluster.variants import VARIANTS, variant
from isotherm_lab.errors import LabError
from isotherm_lab.interruption import stop_on_sigterm
from isotherm_lab.paths import project_root

application = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
running = typer.Typer(no_args_is_help=True, help="Run an experiment; each variant gets a fresh cluster.")
application.add_typer(running, name="run")
console = Console()
_INTERRUPTED = 130

VariantName = StrEnum("VariantName", [(name, name) for name in VARIANTS])
Size = StrEnum("Size", ["fits", "exceeds", "both"])
HeatSource = StrEnum("HeatSource", ["cache", "read_time"])
ClusterName = Annotated[str, typer.Option("--name", help="Which cluster, when there are several.")]
Out = Annotated[Path | None, typer.Option(help="Where the results go. [default: results/ of the project]")]
FirstAddress = Annotated[
    int, typer.Option(min=1, max=250, envvar="ISOTHERM_LAB_FIRST_ADDRESS", help="127.0.0.N of the first node.")
]


@application.command()
def up(
    chosen: Annotated[VariantName, typer.Option("--variant", help="How the nodes balance reads.")] = "isotherm",
    nodes: Annotated[int, typer.Option(min=1, max=9, help="How many nodes, on 127.0.0.1 and up.")] = 3,
    name: ClusterName = "default",
) -> None:
    """Start a cluster and leave it running."""
    with console.status("starting") as status:
        cluster = Cluster.create(name, [variant(chosen)] * nodes)
        cluster.start(status.update)
    console.print(f"{nodes} nodes answer CQL on {', '.join(cluster.contact_points())}, port {CQL_PORT}.")
    console.print("`isotherm-lab status` shows them, `isotherm-lab down` stops them.")


@application.command()
def down(name: ClusterName = "default") -> None:
    """Stop the cluster, in order."""
    cluster = Cluster.find(name)
    if cluster is None or not cluster.is_running():
        console.print(f"No cluster {name!r} is running.")
        return
    with console.status("stopping"):
        cluster.stop()
    console.print("All nodes are stopped.")


@application.command()
def status(name: ClusterName = "default") -> None:
    """Show the nodes of the cluster; the exit code is 1 unless all answer."""
    cluster = Cluster.find(name)
    if cluster is None:
        raise LabError(f"There is no cluster {name!r}: `isotherm-lab up` starts one.")
    states = []
    for node, kind in zip(cluster.nodes, cluster.variants, strict=True):
        state = "answers" if node.answers() and node.is_running() else "starting" if node.is_running() else "down"
        pid = f"pid {node.identity.pid}" if node.is_running() else ""
        console.print(f"{node.address}  {kind:18} {state:9} {pid}", highlight=False)
        states.append(state)
    if states != ["answers"] * len(states):
        raise typer.Exit(1)


@application.command()
def charts(
    results: Annotated[
        Path | None,
        typer.Argument(help="Where a run left its results; without it, results/ of the project.", show_default=False),
    ] = None,
) -> None:
    """Draw the charts again from the results of earlier runs; no cluster is needed."""
    from isotherm_lab.experiments.cold_restart import report as cold_restart_suite
    from isotherm_lab.experiments.cold_restart import run as cold_restart
    from isotherm_lab.experiments.hot_partition import chart as hot_partition_chart
    from isotherm_lab.experiments.hot_partition import run as hot_partition
    from isotherm_lab.experiments.slow_leader import chart as slow_leader_chart
    from isotherm_lab.experiments.slow_leader import run as slow_leader

    folder = results or project_root() / "results"
    drawers = {hot_partition.NAME: hot_partition_chart, slow_leader.NAME: slow_leader_chart}
    there = [name for name in drawers if (folder / name / "summary.json").is_file()]
    for name in there:
        console.print(f"The chart: {drawers[name].draw(folder / name)}", soft_wrap=True)
    if not there or (folder / cold_restart.NAME / "summary.json").is_file():
        cold_restart_suite.show_charts(folder, console)


@running.command("cold-restart")
def cold_restart(
    chosen: Annotated[
        list[VariantName] | None, typer.Option("--variant", help="Repeat for several; without it, all.")
    ] = None,
    size: Annotated[Size | None, typer.Option(help="Data that fits the cache, exceeds it, or both.")] = None,
    short: Annotated[bool, typer.Option(help="A demonstration of less than ten minutes.")] = False,
    heat_source: Annotated[HeatSource, typer.Option(help="Which cache serves the table, and tells of heat.")] = "cache",
    rate: Annotated[float | None, typer.Option(min=1, help="Reads offered per second.")] = None,
    seconds: Annotated[float | None, typer.Option(min=5, help="How long to watch the node after its return.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where the results go; without it, results/ of the project.")] = None,
) -> None:
    """Restart one of three warm nodes with an empty cache and watch what its readers notice."""
    from isotherm_lab.experiments.cold_restart import report as suite
    from isotherm_lab.experiments.cold_restart import run as experiment

    named = [str(name) for name in chosen] if chosen else list(VARIANTS)
    size = size or ("exceeds" if short else "both")
    sizes = ["fits", "exceeds"] if size == "both" else [str(size)]
    plans = {name: experiment.plan(name, str(heat_source), short) for name in sizes}
    if rate is not None:
        plans = {name: replace(plan, rate=rate) for name, plan in plans.items()}
    if seconds is not None:
        plans = {name: replace(plan, back_s=seconds) for name, plan in plans.items()}
    suite.run_all(plans, [variant(name) for name in named], out or project_root() / "results", console)


@running.command("throughput")
def throughput(
    short: Annotated[bool, typer.Option(help="Two minutes: QUORUM only, fewer pairs.")] = False,
    first_address: Annotated[
        int, typer.Option(min=1, max=240, help="127.0.0.N of the first node; the second cluster begins ten above.")
    ] = 1,
    warm_up: Annotated[
        float | None, typer.Option(min=1, help="Seconds of load on each cluster before anything is measured.")
    ] = None,
    blocks: Annotated[int | None, typer.Option(min=2, help="Blocks per comparison; each gives two pairs.")] = None,
    out: Out = None,
) -> None:
    """Measure what the plugin costs when nothing is cold: it and plain Cassandra, saturated in turns."""
    from isotherm_lab.experiments.throughput import report
    from isotherm_lab.experiments.throughput import run as experiment

    plan = replace(experiment.SHORT if short else experiment.FULL, first_address=first_address)
    if warm_up is not None:
        plan = replace(plan, warm_up_s=warm_up, warm_up_reads=sys.maxsize)
    if blocks is not None:
        plan = replace(plan, blocks=blocks)
    report.run_and_report(plan, out or project_root() / "results", console)


@running.command("hot-partition")
def hot_partition(
    short: Annotated[bool, typer.Option(help="Two minutes: shorter phases.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="The limit that ALTER TABLE sets, in reads/s of a partition.")] = 10,
    pause: Annotated[
        float | None, typer.Option(min=0, help="Seconds until a rejected application comes again; 0: at once.")
    ] = None,
    first_address: FirstAddress = 1,
    out: Out = None,
) -> None:
    """Let one partition become so hot that the table is slow for everyone, then limit its reads."""
    from isotherm_lab.experiments.hot_partition import report
    from isotherm_lab.experiments.hot_partition import run as experiment

    plan = replace(experiment.SHORT if short else experiment.FULL, limit_per_s=limit, first_address=first_address)
    if pause is not None:
        plan = replace(plan, pause_after_rejection_s=pause)
    report.run_and_report(plan, out or project_root() / "results", console)


@running.command("rejection-cost")
def rejection_cost(
    short: Annotated[bool, typer.Option(help="Less than three minutes: one partition, fewer pairs.")] = False,
    rate: Annotated[float | None, typer.Option(min=30, help="Reads offered per second.")] = None,
    blocks: Annotated[int | None, typer.Option(min=2, help="Blocks per partition; each gives two pairs.")] = None,
    first_address: FirstAddress = 1,
    out: Out = None,
) -> None:
    """Measure the CPU time of a rejection beside that of the read it spares."""
    from isotherm_lab.experiments.rejection_cost import report
    from isotherm_lab.experiments.rejection_cost import run as experiment

    plan = replace(experiment.SHORT if short else experiment.FULL, first_address=first_address)
    if rate is not None:
        plan = replace(plan, rate=rate)
    if blocks is not None:
        plan = replace(plan, blocks=blocks)
    report.run_and_report(plan, out or project_root() / "results", console)


@running.command("slow-leader")
def slow_leader(
    short: Annotated[bool, typer.Option(help="Three minutes: one shorter turn of each variant in each phase.")] = False,
    rate: Annotated[float | None, typer.Option(min=3, help="Counter updates offered per second.")] = None,
    slowness: Annotated[int | None, typer.Option(min=1, help="How many service times a slow disk takes.")] = None,
    soft_limit: Annotated[int | None, typer.Option(min=1, help="The plugin's queue.soft_limit.")] = None,
    first_address: FirstAddress = 1,
    out: Out = None,
) -> None:
    """Slow down the storage of one node, then of two, and watch who leads counter updates and how long they take."""
    from isotherm_lab.experiments.slow_leader import report
    from isotherm_lab.experiments.slow_leader import run as experiment

    plan = replace(experiment.SHORT if short else experiment.FULL, first_address=first_address)
    if rate is not None:
        plan = replace(plan, rate=rate)
    if slowness is not None:
        plan = replace(plan, slowness=slowness)
    if soft_limit is not None:
        plan = replace(plan, queue={"soft_limit": soft_limit})
    report.run_and_report(plan, out or project_root() / "results", console)


@running.command("soft-limits")
def soft_limits(
    limits: Annotated[str, typer.Option("--soft-limits", help="Which, with commas between.")] = "8,16,32,100",
    short: Annotated[bool, typer.Option(help="Half as long: one turn of each limit and slowness.")] = False,
    first_address: FirstAddress = 1,
    out: Out = None,
) -> None:
    """Measure counter updates at several soft limits while one node is well, a little slow and far too slow."""
    from isotherm_lab.experiments import soft_limits
    from isotherm_lab.experiments.slow_leader import run as slow_leader

    try:
        chosen = [int(limit) for limit in limits.split(",")]
    except ValueError:
        raise LabError(f"--soft-limits takes numbers with commas between, not {limits!r}.") from None
    plan = replace(slow_leader.SHORT if short else slow_leader.FULL, first_address=first_address)
    soft_limits.run_and_report(plan, chosen, out or project_root() / "results", console)


@running.command("leader-killed")
def leader_killed(
    first_address: FirstAddress = 1,
    out: Out = None,
) -> None:
    """Kill a node that leads counter updates under load, and account for every update; stock Cassandra beside it."""
    from isotherm_lab.experiments import leader_killed as experiment

    plan = replace(experiment.PLAN, first_address=first_address)
    experiment.run_and_report(plan, out or project_root() / "results", console)


@running.command("held-up")
def held_up(
    first_address: FirstAddress = 1,
    out: Out = None,
) -> None:
    """Count the writes, kind by kind, that one replica holds up which does not answer for a moment."""
    from isotherm_lab.experiments import held_up as experiment

    experiment.run_and_report(first_address, out or project_root() / "results", console)


def _interrupted() -> None:
    console.print("Stopped; everything this command started is stopped too.")
    sys.exit(_INTERRUPTED)


def main() -> None:
    """Run the command line; errors are sentences, and Ctrl-C leaves nothing running."""
    stop_on_sigterm()
    try:
        code = application(standalone_mode=False) or 0
        if code == _INTERRUPTED:  # typer turns a KeyboardInterrupt into this code
            _interrupted()
        sys.exit(code)
    except LabError as error:
        console.print(f"[red]{escape(str(error))}[/]", highlight=False)
        sys.exit(1)
    except (KeyboardInterrupt, typer.Abort):
        _interrupted()
    except typer.Exit as leaving:
        sys.exit(leaving.exit_code)
    except Exception as error:
        if hasattr(error, "format_message"):
            console.print(f"[red]{escape(error.format_message())}[/] (--help shows what there is)", highlight=False)
            sys.exit(2)
        raise


if __name__ == "__main__":
    main()
