# SPDX-License-Identifier: Apache-2.0
"""What a rejection costs, beside the read that it spares."""

from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.rejection_cost.plan import NAME, planned
from isotherm_lab.experiments.rejection_cost.report import run_and_report

EXPERIMENT = Experiment(
    name=NAME,
    help="Measure the CPU time of a rejection beside that of the read it spares.",
    plan=planned,
    run=run_and_report,
)
