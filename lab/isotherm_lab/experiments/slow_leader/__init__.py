# SPDX-License-Identifier: Apache-2.0
"""Counter updates while one node's storage, then two nodes', is slow."""

from isotherm_lab.experiments.experiment import Experiment, drawn_by
from isotherm_lab.experiments.slow_leader.plan import NAME, planned
from isotherm_lab.experiments.slow_leader.report import run_and_report

EXPERIMENT = Experiment(
    name=NAME,
    help="Slow down the storage of one node, then of two, and watch who leads counter updates and how long they take.",
    plan=planned,
    run=run_and_report,
    draw=drawn_by(f"{__name__}.chart"),
)
