# SPDX-License-Identifier: Apache-2.0
"""What the Grafana dashboard shows of a cluster on which something happens to each feature."""

from isotherm_lab.experiments.dashboard.plan import NAME, planned
from isotherm_lab.experiments.dashboard.run import run_and_report
from isotherm_lab.experiments.experiment import Experiment, drawn_by

EXPERIMENT = Experiment(
    name=NAME,
    help="Have a Prometheus watch a cluster through a restart, a pause and a hot partition, and draw the dashboard.",
    plan=planned,
    run=run_and_report,
    draw=drawn_by(f"{__name__}.chart"),
)
