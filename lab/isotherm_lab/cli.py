# SPDX-License-Identifier: Apache-2.0
"""The command `isotherm-lab`."""

import inspect
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT, TooLittleMemory
from isotherm_lab.cluster.variants import VARIANTS, variant
from isotherm_lab.errors import BrokenPromiseError, LabError
from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.registry import EXPERIMENTS
from isotherm_lab.interruption import stop_on_signals
from isotherm_lab.measure import results_folder, stolen_time, summary
from isotherm_lab.paths import results_directory

_HELP = """Start clusters of Cassandra on this machine, with the plugin and without, and run experiments on them.

Results go to results/ of the project, the nodes and their logs to .lab/. Ctrl-C stops what was started.
"""
application = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=_HELP)
running = typer.Typer(no_args_is_help=True, help="Run an experiment; each variant gets a fresh cluster.")
console = Console()
_INTERRUPTED = 130

VariantName = StrEnum("VariantName", [(name, name) for name in VARIANTS])
ClusterName = Annotated[str, typer.Option("--name", help="Which cluster, when there are several.")]
Out = Annotated[Path | None, typer.Option(help="Where the results go; without it, results/ of the project.")]


@application.callback()
def choose(
    cassandra: Annotated[
        str | None,
        typer.Option(envvar=releases.VARIABLE, help="Which release of Cassandra the nodes are of, such as 5.0.4."),
    ] = None,
) -> None:
    """Note what holds for every command."""
    if cassandra:
        releases.choose(cassandra)


@application.command()
def up(
    chosen: Annotated[VariantName, typer.Option("--variant", help="How the nodes balance reads.")] = "isotherm",
    nodes: Annotated[int, typer.Option(min=1, max=9, help="How many nodes, on 127.0.0.1 and up.")] = 3,
    name: ClusterName = "default",
) -> None:
    """Start a cluster and leave it running."""
    with console.status("starting") as status:
        try:
            cluster = Cluster.create(name, [variant(chosen)] * nodes)
        except TooLittleMemory as error:
            raise LabError(f"{error} Or start fewer nodes with --nodes.") from error
        cluster.start(status.update)
    console.print(f"{nodes} nodes answer CQL on {', '.join(cluster.contact_points())}, port {CQL_PORT}.")
    console.print(f"`isotherm-lab status --name {name}` shows them, `isotherm-lab down --name {name}` stops them.")


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
        raise LabError(f"There is no cluster {name!r}: `isotherm-lab up --name {name}` starts one.")
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
    folder = results or results_directory()
    drawn = [experiment for experiment in EXPERIMENTS if experiment.draw]
    there = [experiment for experiment in drawn if (folder / experiment.name / summary.FILE).is_file()]
    # Without any, the first one says what makes some.
    for experiment in there or drawn[:1]:
        show_charts(experiment, folder)


def show_charts(experiment: Experiment, results: Path) -> None:
    """Draw the charts of an experiment, if it has some, and say where they are."""
    if experiment.draw is None:
        return
    files = experiment.draw(results / experiment.name)
    if len(files) == 1:
        console.print(f"The chart: {files[0]}", highlight=False, soft_wrap=True)
        return
    console.print("The charts:")
    for file in files:
        console.print(f"  {file}", highlight=False, soft_wrap=True)


def command(experiment: Experiment) -> Callable[..., None]:
    """Return what runs the experiment, with the options of its plan and --out."""

    def run(out: Path | None, **options: Any) -> None:
        results = (out or results_directory()).resolve()
        plan = experiment.plan(**options)
        broken = None
        results_folder.prepare(results / experiment.name)
        with stolen_time.watching(results / experiment.name) as stolen:
            try:
                experiment.run(plan, results / experiment.name, console)
            except BrokenPromiseError as error:  # what one looks at then is complete
                broken = error
        if stolen.sentence():
            console.print(stolen.sentence())
        show_charts(experiment, results)
        if broken:
            raise broken

    own = inspect.signature(experiment.plan).parameters.values()
    last = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Out)
    # Typer reads the options from the signature.
    run.__signature__ = inspect.Signature([*own, last])
    return run


for each in EXPERIMENTS:
    running.command(each.name, help=each.help)(command(each))
application.add_typer(running, name="run")


def _interrupted() -> None:
    console.print("Stopped; everything this command started is stopped too.")
    sys.exit(_INTERRUPTED)


def main() -> None:
    """Run the command line; errors are sentences, and Ctrl-C leaves nothing running."""
    stop_on_signals()
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
