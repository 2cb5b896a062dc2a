# SPDX-License-Identifier: Apache-2.0
"""Release by release: does the plugin do on it what it promises, or stay out of its way?"""

from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.matrix.plan import NAME, planned
from isotherm_lab.experiments.matrix.report import run_and_report

EXPERIMENT = Experiment(
    name=NAME,
    help="Run the contract's tests on one release of Cassandra after the other, and write which of them passed.",
    plan=planned,
    run=run_and_report,
)
