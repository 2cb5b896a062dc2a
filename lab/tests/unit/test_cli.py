# SPDX-License-Identifier: Apache-2.0
"""The command line that is made of the registry."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from rich.console import Console

from isotherm_lab import cli
from isotherm_lab.cluster import releases
from isotherm_lab.cluster.preflight import TooLittleMemory
from isotherm_lab.errors import BrokenPromiseError
from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.registry import EXPERIMENTS

#: Every option of each experiment, as it is written; values of which the second is wrong.
OPTIONS = {
    "cold-restart": {
        "--variant": ("isotherm", "warm"), "--size": ("both", "half"), "--short": None,
        "--storage": ("page-cache", "tape"), "--heat-source": ("read_time", "sun"),
        "--rate": ("1", "0.5"), "--settle": ("5", "4"), "--seconds": ("5", "4"),
        "--others-coordinate": None,
    },
    "rolling-restart": {"--short": None, "--first-address": ("1", "0")},
    "throughput": {
        "--short": None, "--fair-share": None, "--switched-off": None, "--first-address": ("230", "231"),
        "--warm-up": ("1", "0"), "--blocks": ("5", "4"),
    },
    "profile": {"--short": None, "--first-address": ("1", "0")},
    "hot-partition": {
        "--short": None, "--limit": ("1", "0"), "--pause": ("0", "-1"), "--no-speculation": None,
        "--first-address": ("250", "251"),
    },
    "rejection-cost": {"--short": None, "--rate": ("30", "29"), "--blocks": ("5", "4"), "--first-address": ("1", "0")},
    "slow-leader": {
        "--short": None, "--rate": ("3", "2"), "--slowness": ("1", "0"), "--soft-limit": ("1", "0"),
        "--first-address": ("9", "nine"),
    },
    "soft-limits": {"--soft-limits": ("8,9", "8;9"), "--short": None, "--first-address": ("1", "0")},
    "leader-killed": {"--first-address": ("1", "0")},
    "held-up": {"--first-address": ("1", "0")},
    "gray": {
        "--variant": ("isotherm", "warm"), "--fault": ("late", "early"), "--table": ("both", "round"), "--short": None,
        "--rate": ("1", "0.5"), "--seconds": ("5", "4"), "--after": ("10", "9"), "--rounds": ("3", "0"),
        "--settle": ("1", "0"), "--first-address": ("1", "0"),
    },
    "driver-gain": {
        "--consistency": ("QUORUM", "ALL"), "--fault": ("late", "early"), "--in-flight": ("1", "0"),
        "--first-address": ("1", "0"),
    },
    "soak": {
        "--short": None, "--fault": ("killed", "loved"), "--seed": ("2", "two"), "--tables": ("1", "0"),
        "--document": (__file__, "gone.md"), "--first-address": ("1", "0"),
    },
    "matrix": {
        "--release": ("5.0.4", "newest"), "--document": (__file__, "gone.md"), "--first-address": ("1", "0"),
    },
    "dashboard": {"--first-address": ("1", "0")},
}  # fmt: skip
#: Of options that exclude each other, those that do not go with the others.
APART = {"throughput": {"--fair-share", "--switched-off"}}
WRONG = [(name, option, values[1]) for name, options in OPTIONS.items() for option, values in options.items() if values]


@dataclass
class Ran:
    """What a command printed, with its white space folded, and its exit code."""

    code: int
    said: str


@pytest.fixture
def isotherm_lab(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> Callable[..., Ran]:
    """Return what runs the command with arguments, as a shell would."""
    monkeypatch.setattr(cli, "stop_on_signals", lambda: None)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["isotherm-lab", *arguments])
        with pytest.raises(SystemExit) as left:
            cli.main()
        return Ran(left.value.code, " ".join(capsys.readouterr().out.split()))

    return run


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list:
    """What experiments were to run: (name, plan, folder); none runs. Without --out results go to a folder of tests."""
    asked: list[tuple[str, Any, Path]] = []
    monkeypatch.setattr(cli, "results_directory", lambda: tmp_path)
    for experiment in EXPERIMENTS:
        name = experiment.name
        # Frozen, and the commands hold them: only their parts can be exchanged.
        monkeypatch.setitem(
            experiment.__dict__, "run", lambda plan, folder, console, name=name: asked.append((name, plan, folder))
        )
        monkeypatch.setitem(experiment.__dict__, "draw", None)
    return asked


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--help"], 0, "run experiments on them"),
        (["status"], 1, "The Isotherm checkout was not found: run this inside"),
    ],
)
def test_without_a_checkout_there_is_help_and_a_sentence(tmp_path: Path, arguments: list[str], code: int, said: str):
    environment = os.environ | {"ISOTHERM_HOME": str(tmp_path), "COLUMNS": "200"}
    # Modules that look for it when they are imported are imported here.
    ran = subprocess.run(
        [sys.executable, "-m", "isotherm_lab.cli", *arguments], env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (code, "")
    assert said in " ".join(ran.stdout.split())


def test_every_experiment_is_listed_with_its_help(isotherm_lab):
    ran = isotherm_lab("run", "--help")
    assert ran.code == 0
    assert [experiment.name for experiment in EXPERIMENTS] == list(OPTIONS)
    for experiment in EXPERIMENTS:
        assert f"{experiment.name} {experiment.help}" in ran.said


@pytest.mark.parametrize("name", OPTIONS)
def test_no_option_is_missing_here(name: str):
    command = typer.main.get_command(cli.application).commands["run"].commands[name]
    assert {option for parameter in command.params for option in parameter.opts} == {*OPTIONS[name], "--out"}


@pytest.mark.parametrize("name", OPTIONS)
def test_its_help_has_all_its_options(isotherm_lab, name: str):
    ran = isotherm_lab("run", name, "--help")
    assert ran.code == 0
    for option in (*OPTIONS[name], "--out"):
        assert f"│ {option} " in ran.said
    assert ("ISOTHERM_LAB_FIRST_ADDRESS" in ran.said) == (name not in ("cold-restart", "throughput"))


@pytest.mark.parametrize(("name", "option", "value"), WRONG, ids=lambda each: str(each).lstrip("-"))
def test_a_wrong_value_gives_a_sentence_and_exit_code_2(isotherm_lab, planned, name: str, option: str, value: str):
    ran = isotherm_lab("run", name, option, value)
    assert ran.code == 2
    assert ran.said.startswith("Invalid value") and option in ran.said and "--help shows what there is" in ran.said
    assert planned == []


@pytest.mark.parametrize("name", OPTIONS)
def test_right_values_make_a_plan(isotherm_lab, planned, tmp_path: Path, name: str):
    options = {option: values for option, values in OPTIONS[name].items() if option not in APART.get(name, ())}
    arguments = [part for option, values in options.items() for part in (option, *(values or ())[:1])]
    ran = isotherm_lab("run", name, *arguments, "--out", str(tmp_path))
    assert (ran.code, ran.said) == (0, "")
    ((ran_name, plan, folder),) = planned
    assert (ran_name, folder) == (name, tmp_path / name)
    assert plan is not None


@pytest.mark.parametrize("options", [("--short", "--fair-share"), ("--fair-share", "--switched-off")])
def test_runs_of_their_own_exclude_each_other(isotherm_lab, planned, options: tuple[str, str]):
    ran = isotherm_lab("run", "throughput", *options)
    assert ran.code == 2 and f"{' and '.join(options)} are runs of their own: take one of them." in ran.said
    assert planned == []
    assert isotherm_lab("run", "throughput", options[1]).code == 0


def test_the_first_address_may_stand_in_the_environment(isotherm_lab, planned, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ISOTHERM_LAB_FIRST_ADDRESS", "77")
    assert isotherm_lab("run", "held-up").code == 0
    assert isotherm_lab("run", "held-up", "--first-address", "78").code == 0
    assert [plan.first_address for _, plan, _ in planned] == [77, 78]


def test_the_release_of_cassandra_is_chosen_for_every_command(isotherm_lab, planned, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(releases.VARIABLE, "5.0.5")
    assert isotherm_lab("run", "held-up").code == 0
    assert releases.chosen() == "5.0.5"
    assert isotherm_lab("--cassandra", "5.0.4", "run", "held-up").code == 0
    assert releases.chosen() == "5.0.4"
    ran = isotherm_lab("--cassandra", "newest", "run", "held-up")
    assert ran.code == 1 and "'newest' is no release of Cassandra" in ran.said


def test_a_folder_that_cannot_take_results_is_refused_before_anything_runs(isotherm_lab, planned, tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("mine")
    for out in (file, file / "below"):
        ran = isotherm_lab("run", "held-up", "--out", str(out))
        assert ran.code == 1
        # A long path is broken where a line ends.
        assert "cannot take the results (Not a directory): name another folder with --out." in ran.said
    assert planned == [] and file.read_text() == "mine"


def test_without_out_results_go_to_the_project(isotherm_lab, planned, tmp_path: Path):
    assert isotherm_lab("run", "leader-killed").code == 0
    assert planned[0][2] == tmp_path / "leader-killed"


def test_an_experiment_is_a_plan_a_run_and_charts(tmp_path: Path, capsys: pytest.CaptureFixture):
    """Options, their help, and what happens in which order come from the Experiment alone."""
    happened = []

    def plan(warmth: Annotated[int, typer.Option(min=1, help="How warm.")] = 3) -> int:
        return warmth * 100

    experiment = Experiment(
        "thaw", "Thaw.", plan,
        run=lambda plan, folder, console: happened.append((plan, folder)),
        draw=lambda folder: happened.append("drawn") or [folder / "chart.png"],
    )  # fmt: skip
    application = typer.Typer()
    application.command("thaw", help=experiment.help)(cli.command(experiment))
    application(["--warmth", "4", "--out", str(tmp_path)], standalone_mode=False)
    assert happened == [(400, tmp_path / "thaw"), "drawn"]
    assert capsys.readouterr().out == f"The chart: {tmp_path / 'thaw' / 'chart.png'}\n"


def test_a_run_whose_promise_is_broken_is_drawn_before_it_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture):
    def run(plan: None, folder: Path, console: Console) -> None:
        raise BrokenPromiseError("Not as promised.")

    experiment = Experiment("thaw", "Thaw.", lambda: None, run=run, draw=lambda folder: [folder / "chart.png"])
    application = typer.Typer()
    application.command("thaw")(cli.command(experiment))
    with pytest.raises(BrokenPromiseError):
        application(["--out", str(tmp_path)], standalone_mode=False)
    assert capsys.readouterr().out == f"The chart: {tmp_path / 'thaw' / 'chart.png'}\n"


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiments with charts draw two files that nobody made."""
    for experiment in EXPERIMENTS:
        if experiment.draw:
            monkeypatch.setitem(experiment.__dict__, "draw", lambda folder: [folder / "one.png", folder / "two.png"])


def test_charts_are_drawn_of_every_experiment_that_left_results(isotherm_lab, drawing, tmp_path: Path):
    for name in ("cold-restart", "slow-leader", "held-up"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "summary.json").write_text("{}")
    ran = isotherm_lab("charts", str(tmp_path))
    drawn = [tmp_path / name / file for name in ("cold-restart", "slow-leader") for file in ("one.png", "two.png")]
    assert ran.code == 0
    assert [part for part in ran.said.split() if part.endswith(".png")] == list(map(str, drawn))


def test_charts_without_results_say_what_makes_some(isotherm_lab, tmp_path: Path):
    ran = isotherm_lab("charts", str(tmp_path))
    assert ran.code == 1
    assert "There are no results" in ran.said and "isotherm-lab run cold-restart" in ran.said


@pytest.mark.parametrize("arguments", [["thaw"], ["run", "thaw"], ["up", "--variant", "warm"], ["up", "--nodes", "10"]])
def test_what_there_is_not_gives_a_sentence_and_exit_code_2(isotherm_lab, arguments: list[str]):
    ran = isotherm_lab(*arguments)
    assert ran.code == 2 and "--help shows what there is" in ran.said


def test_only_up_has_fewer_nodes_to_offer_where_memory_is_short(isotherm_lab, monkeypatch: pytest.MonkeyPatch):
    def create(*_: object, **__: object) -> None:
        raise TooLittleMemory("9 nodes need about 7.0 GiB: close something.")

    monkeypatch.setattr(cli.Cluster, "create", create)
    ran = isotherm_lab("up", "--nodes", "9")
    assert (ran.code, ran.said) == (
        1,
        "9 nodes need about 7.0 GiB: close something. Or start fewer nodes with --nodes.",
    )


def test_commands_for_a_cluster_name_it(isotherm_lab, monkeypatch: pytest.MonkeyPatch):
    class Started:
        def start(self, told: Callable[[str], None]) -> None:
            told("started")

        def contact_points(self) -> list[str]:
            return ["127.0.0.1"]

    monkeypatch.setattr(cli.Cluster, "create", lambda name, variants: Started())
    monkeypatch.setattr(cli.Cluster, "find", lambda name: None)
    said = isotherm_lab("up", "--name", "thaw").said
    assert "`isotherm-lab status --name thaw` shows them, `isotherm-lab down --name thaw` stops them." in said
    assert "`isotherm-lab up --name thaw` starts one" in isotherm_lab("status", "--name", "thaw").said
