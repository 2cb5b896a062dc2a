# SPDX-License-Identifier: Apache-2.0
"""Mixed load under faults, every operation recorded: is each history what it must be, and does more fail than without?

RF 3 on three nodes, with plain Cassandra and with the plugin, the same clients, faults and seeds. The commit log is
synchronous: what is acknowledged is on disk.
"""

from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.soak.plan import NAME, planned
from isotherm_lab.experiments.soak.report import run_and_report

EXPERIMENT = Experiment(
    name=NAME,
    help="Let nodes die, hang and change their schema under mixed load, and check every operation; stock beside it.",
    plan=planned,
    run=run_and_report,
)
