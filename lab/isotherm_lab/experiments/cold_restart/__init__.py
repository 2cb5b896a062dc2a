# SPDX-License-Identifier: Apache-2.0
"""A node of a warm cluster is restarted with an empty cache, under reads that do not slow down for it."""

from isotherm_lab.experiments.cold_restart.plan import NAME, planned
from isotherm_lab.experiments.cold_restart.report import run_and_report
from isotherm_lab.experiments.experiment import Experiment, drawn_by

EXPERIMENT = Experiment(
    name=NAME,
    help="Restart one of three warm nodes with an empty cache and watch what its readers notice.",
    plan=planned,
    run=run_and_report,
    draw=drawn_by(f"{__name__}.chart"),
)
