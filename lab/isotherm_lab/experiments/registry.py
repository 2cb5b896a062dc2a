# SPDX-License-Identifier: Apache-2.0
"""All experiments, in the order in which the command line lists them."""

from importlib import import_module

from isotherm_lab.experiments.experiment import Experiment

_MODULES = (
    "cold_restart",
    "rolling_restart",
    "throughput",
    "profile",
    "hot_partition",
    "rejection_cost",
    "slow_leader",
    "soft_limits",
    "leader_killed",
    "held_up",
    "gray",
    "driver_gain",
    "soak",
    "matrix",
    "dashboard",
)

EXPERIMENTS: tuple[Experiment, ...] = tuple(
    import_module(f"isotherm_lab.experiments.{name}").EXPERIMENT for name in _MODULES
)
