# SPDX-License-Identifier: Apache-2.0
"""What the plugin costs when nothing is cold."""

from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.throughput.plan import NAME, planned
from isotherm_lab.experiments.throughput.report import run_and_report

EXPERIMENT = Experiment(
    name=NAME,
    help="Measure what the plugin costs when nothing is cold: it and plain Cassandra, saturated in turns.",
    plan=planned,
    run=run_and_report,
)
