# SPDX-License-Identifier: Apache-2.0
"""install.sh where the operator has changed what it wrote, or where it is read from, while the plugin was installed."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest
import yaml
from packed import HANDLER, OPTIONS, SNITCH, VERSION, Layout, done, install_script, snapshot

BEFORE = "# before Isotherm: "


def refused(archive: Path, layout: Layout, action: str, sentence: str) -> None:
    """Assert that the script refuses in this sentence, and changes nothing."""
    before = snapshot(layout.home)
    ran = install_script(archive, action, "--home", layout.home, "--conf", layout.conf)
    assert ran.returncode == 1, ran.stdout
    assert sentence in ran.stderr
    assert snapshot(layout.home) == before


@pytest.mark.parametrize(
    ("line", "becomes", "file", "comment", "restored"),
    [
        (f"snitch: {SNITCH}", "snitch: RackInferringSnitch", "cassandra.yaml", f"{BEFORE}endpoint_snitch: {SNITCH}",
         "endpoint_snitch: RackInferringSnitch"),
        ("query_handler: a.B", "query_handler: c.D", "jvm-server.options", f"{BEFORE}{HANDLER}a.B", f"{HANDLER}c.D"),
    ],
)  # fmt: skip
def test_what_the_node_runs_with_is_not_replaced_by_what_it_ran_with_before(
    archive: Path, layout: Layout, line: str, becomes: str, file: str, comment: str, restored: str
) -> None:
    layout.options.write_text(f"{OPTIONS}{HANDLER}a.B\n")
    done(archive, layout)
    assert line in layout.config.read_text()
    layout.config.write_text(layout.config.read_text().replace(line, becomes))
    refused(archive, layout, "uninstall", f"{becomes} in {layout.config} is refused; allowed: ")
    edited = layout.conf / file
    assert comment in edited.read_text()
    edited.write_text(edited.read_text().replace(comment, BEFORE + restored))
    done(archive, layout, "uninstall")
    assert f"\n{restored}\n" in edited.read_text()


def test_a_handler_that_was_given_up_meanwhile_is_not_brought_back(archive: Path, layout: Layout) -> None:
    layout.options.write_text(f"{OPTIONS}{HANDLER}a.B\n")
    done(archive, layout)
    layout.config.write_text(layout.config.read_text().replace("query_handler: a.B", ""))
    refused(archive, layout, "uninstall", f"query_handler: none in {layout.config} is refused; allowed: ")
    layout.options.write_text(layout.options.read_text().replace(f"{BEFORE}{HANDLER}a.B", f"{BEFORE}nothing"))
    done(archive, layout, "uninstall")
    assert layout.options.read_text() == OPTIONS


def test_of_two_lines_that_name_the_file_the_last_one_counts_as_in_java(
    archive: Path, layout: Layout, tmp_path: Path
) -> None:
    named = tmp_path / "named.yaml"
    named.write_text(f"snitch: {SNITCH}\n")
    layout.options.write_text(f"{OPTIONS}-Disotherm.config=/nowhere.yaml\n-Disotherm.config=file:{named}\n")
    before = snapshot(layout.home)
    done(archive, layout)
    assert not layout.config.exists()
    done(archive, layout, "uninstall")
    assert snapshot(layout.home) == before


@pytest.mark.parametrize("option", ["-Disotherm.config=/elsewhere.yaml", f"{HANDLER}a.B"])
def test_an_option_behind_another_one_is_refused(archive: Path, layout: Layout, option: str) -> None:
    layout.options.write_text(f"{OPTIONS}-Xss1m {option}\n")
    refused(archive, layout, "install", "behind another option")


def test_a_file_that_another_node_reads_stays_until_the_last_one_goes(
    archive: Path, layout: Layout, tmp_path: Path
) -> None:
    shared = tmp_path / "shared.yaml"
    other = Layout(layout.home, layout.home / "conf of 2")
    shutil.copytree(layout.conf, other.conf)
    done(archive, layout)
    layout.config.rename(shared)
    for each in (layout, other):
        each.options.write_text(f"{each.options.read_text()}-Disotherm.config={shared}\n")
    done(archive, other)
    assert yaml.safe_load(shared.read_text())["snitch"] == SNITCH
    assert f"{shared} stays for {other.conf}" in done(archive, layout, "uninstall")
    assert shared.exists()
    done(archive, other, "uninstall")
    assert not shared.exists()
    assert layout.jars() == []


@pytest.mark.skipif(shutil.which("flock") is None, reason="needs flock, as util-linux has it")
@pytest.mark.parametrize("action", ["install", "uninstall"])
def test_of_two_runs_at_once_one_is_refused(archive: Path, layout: Layout, action: str) -> None:
    if action == "uninstall":
        done(archive, layout)
    another = os.open(layout.home / "lib", os.O_RDONLY)
    try:
        fcntl.flock(another, fcntl.LOCK_EX)
        refused(archive, layout, action, "a run while another one changes")
    finally:
        os.close(another)
    done(archive, layout, action)
    assert layout.jars() == ([f"isotherm-{VERSION}.jar"] if action == "install" else [])
