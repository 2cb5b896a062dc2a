# SPDX-License-Identifier: Apache-2.0
"""One partition becomes so hot that the table is slow for everyone, and a limit on its reads brings it back."""

from isotherm_lab.experiments.experiment import Experiment, drawn_by
from isotherm_lab.experiments.hot_partition.plan import NAME, planned
from isotherm_lab.experiments.hot_partition.report import run_and_report

EXPERIMENT = Experiment(
    name=NAME,
    help="Let one partition become so hot that the table is slow for everyone, then limit its reads.",
    plan=planned,
    run=run_and_report,
    draw=drawn_by(f"{__name__}.chart"),
)
