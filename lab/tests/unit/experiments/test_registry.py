# SPDX-License-Identifier: Apache-2.0
"""What the experiments are to the command line: all are registered, and their options are what they were."""

import inspect
from pathlib import Path

import pytest
import typer

from isotherm_lab import experiments
from isotherm_lab.errors import LabError
from isotherm_lab.experiments import cold_restart, soft_limits
from isotherm_lab.experiments.registry import EXPERIMENTS

BY_NAME = {experiment.name: experiment for experiment in EXPERIMENTS}
#: What people have in their scripts: each option, and what it is without being given.
OPTIONS = {
    "cold-restart": {
        "chosen": None, "size": None, "short": False, "storage": "compressor", "heat_source": None,
        "rate": None, "settle": None, "seconds": None, "others_coordinate": False,
    },
    "rolling-restart": {"first_address": 1, "short": False},
    "throughput": {
        "short": False, "fair_share": False, "switched_off": False, "first_address": 1, "warm_up": None, "blocks": None,
    },
    "profile": {"short": False, "first_address": 1},
    "hot-partition": {"short": False, "limit": 10, "pause": None, "no_speculation": False, "first_address": 1},
    "rejection-cost": {"short": False, "rate": None, "blocks": None, "first_address": 1},
    "slow-leader": {"short": False, "rate": None, "slowness": None, "soft_limit": None, "first_address": 1},
    "soft-limits": {"limits": "8,16,32,100", "short": False, "first_address": 1},
    "leader-killed": {"first_address": 1},
    "held-up": {"first_address": 1},
    "gray": {
        "chosen": None, "faults": None, "table": None, "short": False, "rate": None, "seconds": None, "after": None,
        "settle": None, "rounds": None, "first_address": 1,
    },
    "driver-gain": {"levels": None, "faults": None, "in_flight": None, "first_address": 1},
    "soak": {"short": False, "faults": None, "seed": 1, "tables": 2000, "document": None, "first_address": 1},
    "matrix": {"chosen": None, "document": None, "first_address": 1},
    "dashboard": {"first_address": 1},
}  # fmt: skip


def test_every_experiment_there_is_is_registered_once():
    folder = Path(experiments.__file__).parent
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    modules = {path.stem for path in folder.glob("*.py") if "EXPERIMENT = " in path.read_text()}
    assert {name.replace("-", "_") for name in BY_NAME} == packages | modules
    assert len(BY_NAME) == len(EXPERIMENTS)


@pytest.mark.parametrize("name", BY_NAME)
def test_an_experiment_has_one_line_of_help(name: str):
    assert BY_NAME[name].help.endswith(".") and "\n" not in BY_NAME[name].help


@pytest.mark.parametrize("name", BY_NAME)
def test_its_options_and_their_defaults_are_these(name: str):
    parameters = inspect.signature(BY_NAME[name].plan).parameters
    assert {option: parameter.default for option, parameter in parameters.items()} == OPTIONS[name]


@pytest.mark.parametrize(
    ("name", "options", "planned"),
    [
        ("throughput", {"warm_up": 9.0, "blocks": 6, "first_address": 41},
         {"warm_up_s": 9.0, "blocks": 6, "first_address": 41}),
        ("throughput", {"short": True}, {"blocks": 12, "warm_up_s": 120, "compilers_done_below": 0.02}),
        ("throughput", {"fair_share": True}, {"blocks": 40, "warm_up_s": 120}),
        ("throughput", {"switched_off": True}, {"blocks": 150, "warm_up_s": 120}),
        ("hot-partition", {"limit": 7, "pause": 0.0, "first_address": 41},
         {"limit_per_s": 7, "pause_after_rejection_s": 0.0, "first_address": 41, "phase_s": 20}),
        ("hot-partition", {"short": True},
         {"limit_per_s": 10, "pause_after_rejection_s": 0.05, "phase_s": 10, "speculative_retry": "99p"}),
        ("hot-partition", {"no_speculation": True}, {"speculative_retry": "NEVER", "phase_s": 20}),
        ("rejection-cost", {"rate": 90.0, "blocks": 7, "first_address": 41},
         {"rate": 90.0, "blocks": 7, "first_address": 41, "rows": (10, 1)}),
        ("rejection-cost", {"short": True}, {"rate": 800, "blocks": 5, "rows": (10,)}),
        ("slow-leader", {"rate": 9.0, "slowness": 3, "soft_limit": 5, "first_address": 41},
         {"rate": 9.0, "slowness": 3, "queue": {"soft_limit": 5}, "first_address": 41, "back": True}),
        ("slow-leader", {"short": True}, {"rate": 270, "slowness": 20, "queue": {}, "back": False}),
        ("leader-killed", {"first_address": 41}, {"first_address": 41, "rate": 150, "blocks": 0}),
        ("held-up", {"first_address": 41}, {"first_address": 41}),
    ],
)  # fmt: skip
def test_options_change_the_plan(name: str, options: dict, planned: dict):
    made = BY_NAME[name].plan(**options)
    assert {field: getattr(made, field) for field in planned} == planned


def test_a_cold_restart_has_both_sizes_or_one_and_all_variants_or_some():
    suite = cold_restart.planned()
    assert list(suite.plans) == ["fits", "exceeds"] and len(suite.variants) == 4
    assert [plan.back_s for plan in suite.plans.values()] == [90, 90]
    assert list(cold_restart.planned(short=True).plans) == ["exceeds"]
    assert list(cold_restart.planned(short=True, size="both").plans) == ["fits", "exceeds"]
    part = cold_restart.planned(["isotherm"], "fits", heat_source="read_time", rate=50.0, seconds=7.0)
    assert [variant.name for variant in part.variants] == ["isotherm"]
    assert list(part.plans) == ["fits"]
    plan = part.plans["fits"]
    assert (plan.rate, plan.back_s, plan.heat_source, plan.data.row_cache) == (50.0, 7.0, "read_time", False)
    assert plan.restarted_coordinates
    assert not cold_restart.planned(others_coordinate=True).plans["fits"].restarted_coordinates


def test_a_cold_restart_on_a_default_table_has_the_bounds_of_its_storage_and_the_compressor_instead():
    suite = cold_restart.planned(storage="page-cache", rate=99.0, short=True)
    (plan,) = suite.plans.values()
    assert (plan.storage, plan.heat_source, plan.data.slow_disk, plan.rate) == ("page-cache", "auto", False, 99.0)
    bytes_of_data = plan.data.keys * plan.data.value_bytes
    assert 1.1 < bytes_of_data / (plan.page_cache.cache_mib * 2**20) < 1.6
    (instead,) = suite.instead.values()
    assert (instead.storage, instead.heat_source, instead.data.slow_disk) == ("compressor", "read_time", True)
    fits = cold_restart.planned(storage="page-cache", size="fits").plans["fits"]
    assert fits.data.keys * fits.data.value_bytes < fits.page_cache.cache_mib * 2**20 / 2
    assert cold_restart.planned(storage="page-cache", heat_source="read_time").plans["fits"].heat_source == "read_time"
    assert cold_restart.planned().instead is None
    for storage, source in (("page-cache", "cache"), ("compressor", "auto")):
        with pytest.raises(typer.BadParameter, match=f"with storage {storage} the source is .*, not {source}"):
            cold_restart.planned(storage=storage, heat_source=source)


def test_soft_limits_are_numbers_with_commas_between():
    sweep = soft_limits.planned("8,32", short=True, first_address=41)
    assert sweep.limits == (8, 32) and sweep.plan.first_address == 41 and sweep.order() == [8, 32]
    assert soft_limits.planned("8,32").order() == [8, 32, 32, 8]
    for wrong in ("a,b", "", "8,,9", "0"):
        with pytest.raises(typer.BadParameter, match="numbers from 1 up with commas"):
            soft_limits.planned(wrong)


@pytest.mark.parametrize("name", [name for name, experiment in BY_NAME.items() if experiment.draw])
def test_charts_of_no_results_say_which_command_makes_some(name: str, tmp_path: Path):
    with pytest.raises(LabError, match=f"isotherm-lab run {name}"):
        BY_NAME[name].draw(tmp_path)
