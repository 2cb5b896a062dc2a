# SPDX-License-Identifier: Apache-2.0
"""Counter updates while one node's storage, then two nodes', is slow."""

from collections.abc import Sequence
from pathlib import Path

from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.slow_leader.plan import NAME, plan
from isotherm_lab.experiments.slow_leader.report import run_and_report


def draw(folder: Path) -> Sequence[Path]:
    """Draw the chart; what draws is imported only now, as it takes longer than any other command does to begin."""
    from isotherm_lab.experiments.slow_leader import chart

    return chart.draw(folder)


EXPERIMENT = Experiment(
    name=NAME,
    help="Slow down the storage of one node, then of two, and watch who leads counter updates and how long they take.",
    plan=plan,
    run=run_and_report,
    draw=draw,
)
