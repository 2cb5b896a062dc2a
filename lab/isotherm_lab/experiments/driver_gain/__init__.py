# SPDX-License-Identifier: Apache-2.0
"""What an application gains by the policy of its driver where the nodes run the plugin."""

from isotherm_lab.experiments.driver_gain.plan import NAME, planned
from isotherm_lab.experiments.driver_gain.report import run_and_report
from isotherm_lab.experiments.experiment import Experiment, drawn_by

EXPERIMENT = Experiment(
    name=NAME,
    help="Compare the driver's own token-aware policy with ours on nodes that run the plugin, well and under faults.",
    plan=planned,
    run=run_and_report,
    draw=drawn_by(f"{__name__}.chart"),
)
