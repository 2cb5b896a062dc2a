# SPDX-License-Identifier: Apache-2.0
"""One partition becomes so hot that the table is slow for everyone, and a limit on its reads brings it back."""

from collections.abc import Sequence
from pathlib import Path

from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.hot_partition.plan import NAME, plan
from isotherm_lab.experiments.hot_partition.report import run_and_report


def draw(folder: Path) -> Sequence[Path]:
    """Draw the chart; what draws is imported only now, as it takes longer than any other command does to begin."""
    from isotherm_lab.experiments.hot_partition import chart

    return chart.draw(folder)


EXPERIMENT = Experiment(
    name=NAME,
    help="Let one partition become so hot that the table is slow for everyone, then limit its reads.",
    plan=plan,
    run=run_and_report,
    draw=draw,
)
