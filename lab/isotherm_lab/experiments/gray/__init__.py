# SPDX-License-Identifier: Apache-2.0
"""Nodes neither well nor dead: slow, silent or late for a while, under reads that do not slow down for them."""

from isotherm_lab.experiments.experiment import Experiment, drawn_by
from isotherm_lab.experiments.gray.plan import NAME, planned
from isotherm_lab.experiments.gray.report import run_and_report

EXPERIMENT = Experiment(
    name=NAME,
    help="Make nodes slow, silent or late for half a minute, fault by fault, and watch what readers notice.",
    plan=planned,
    run=run_and_report,
    draw=drawn_by(f"{__name__}.chart"),
)
