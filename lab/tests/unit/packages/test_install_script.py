# SPDX-License-Identifier: Apache-2.0
"""install.sh: what it changes, what it says of that, and that all of it can be undone."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from packed import (
    CASSANDRA_YAML,
    HANDLER,
    OPTIONS,
    OUR_HANDLER,
    ROOT,
    SNITCH,
    VERSION,
    Layout,
    assert_refuses,
    done,
    install_script,
    snapshot,
    unpacked,
)

OURS = "dev.isotherm.IsothermSnitch"
POM = (ROOT / "pom.xml").read_text()
#: The release after the one that the plugin is built against and tested on.
NEXT = re.sub(r"\d+$", lambda last: str(int(last[0]) + 1), POM.split("cassandra.version>")[1].removesuffix("</"))


def assert_installed(layout: Layout, snitch: str = SNITCH) -> None:
    settings = yaml.safe_load(layout.yaml.read_text())
    assert settings["endpoint_snitch"] == OURS
    assert settings["dynamic_snitch"] is False
    options = [line for line in layout.options.read_text().splitlines() if line.startswith("-")]
    assert [option for option in options if option.startswith(HANDLER)] == [OUR_HANDLER]
    assert yaml.safe_load(layout.config.read_text())["snitch"] == snitch
    assert layout.jars() == [f"isotherm-{VERSION}.jar"]


def test_both_layouts_are_found_without_being_named(archive: Path, tmp_path: Path) -> None:
    for layout, arguments in (
        (Layout.of_debian(tmp_path / "root"), ["--root", tmp_path / "root"]),
        (Layout.of_archive(tmp_path / "home"), ["--home", tmp_path / "home"]),
    ):
        ran = install_script(archive, *arguments)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert_installed(layout)


@pytest.mark.parametrize(
    "cassandra_yaml",
    [
        CASSANDRA_YAML,
        CASSANDRA_YAML + "dynamic_snitch: true\n",
        "dynamic_snitch: true   # as ever\n" + CASSANDRA_YAML,
        CASSANDRA_YAML + "dynamic_snitch: false\n",
        f'endpoint_snitch: "{SNITCH}"   # racks',
        f"# endpoint_snitch: SimpleSnitch\n  # dynamic_snitch: true\nendpoint_snitch:    '{SNITCH}'\n",
    ],
)
@pytest.mark.parametrize("options", [OPTIONS, OPTIONS.rstrip("\n"), f"-Xss1m\n{HANDLER}com.example.Handler\n# end\n"])
def test_uninstall_leaves_every_byte_as_it_was(
    archive: Path, layout: Layout, cassandra_yaml: str, options: str
) -> None:
    layout.yaml.write_text(cassandra_yaml)
    layout.options.write_text(options)
    before = snapshot(layout.home)
    done(archive, layout)
    assert_installed(layout)
    assert layout.yaml.stat().st_mode & 0o777 == 0o640
    assert layout.config.stat().st_mode & 0o777 == 0o640
    if "com.example" in options:
        assert yaml.safe_load(layout.config.read_text())["query_handler"] == "com.example.Handler"
    done(archive, layout, "uninstall")
    assert snapshot(layout.home) == before


@pytest.mark.parametrize("action", ["install", "uninstall"])
def test_a_dry_run_names_every_change_and_makes_none(archive: Path, layout: Layout, action: str) -> None:
    if action == "uninstall":
        done(archive, layout)
    before = snapshot(layout.home)
    announced = done(archive, layout, action, "--dry-run")
    assert snapshot(layout.home) == before
    said = done(archive, layout, action)
    changes = [line for line in said.splitlines()[1:] if not line.startswith("Done.")]
    assert [line[len("would ") :] for line in announced.splitlines() if line.startswith("would ")] == changes
    after = snapshot(layout.home)
    named = " ".join(changes)
    for path in before.keys() | after.keys():
        if before.get(path) != after.get(path):
            assert Path(path).name in named, path
    sign = "+" if action == "install" else "-"
    assert f"{sign}endpoint_snitch: {OURS}" in announced
    assert f"{sign}{OUR_HANDLER}" in announced


def test_what_is_installed_already_is_left_alone(archive: Path, layout: Layout) -> None:
    done(archive, layout)
    before = snapshot(layout.home)
    assert "Isotherm is installed already: nothing to do." in done(archive, layout)
    assert snapshot(layout.home) == before
    done(archive, layout, "uninstall")
    assert "Isotherm is not installed: nothing to do." in done(archive, layout, "uninstall")


def test_an_upgrade_writes_no_byte_into_the_jar_of_a_running_node(
    archive: Path, layout: Layout, tmp_path: Path
) -> None:
    done(archive, layout)
    layout.config.write_text(layout.config.read_text() + "\n# the operator's\n")
    before = snapshot(layout.conf)
    with (layout.home / "lib" / f"isotherm-{VERSION}.jar").open("rb") as running:
        done(unpacked(tmp_path / "same", jar=b"another build"), layout)
        assert running.read() == b"a jar"
    assert layout.jars() == [f"isotherm-{VERSION}.jar"]
    later = unpacked(tmp_path / "later", "0.2.0", b"later")
    said = done(later, layout)
    assert layout.jars() == ["isotherm-0.2.0.jar"]
    assert f"remove {layout.home}/lib/isotherm-{VERSION}.jar" in said
    assert snapshot(layout.conf) == before


@pytest.mark.parametrize("is_copied", [False, True])
def test_a_new_cassandra_with_the_configuration_of_the_old_one_gets_the_jar_and_keeps_its_files(
    archive: Path, layout: Layout, tmp_path: Path, is_copied: bool
) -> None:
    done(archive, layout)
    new = Layout.of_archive(tmp_path / "new", "5.0.8")
    conf = new.conf if is_copied else layout.conf
    if is_copied:
        shutil.copytree(layout.conf, conf, dirs_exist_ok=True)
    before = snapshot(conf)
    ran = install_script(archive, "--home", new.home, "--conf", conf)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert new.jars() == [f"isotherm-{VERSION}.jar"]
    assert snapshot(conf) == before


def test_a_file_that_an_upgrade_of_cassandra_has_replaced_is_edited_again(archive: Path, layout: Layout) -> None:
    plain = layout.options.read_text()
    done(archive, layout)
    installed = snapshot(layout.conf)
    layout.options.write_text(plain)
    said = done(archive, layout)
    assert f"edit {layout.options}" in said and f"edit {layout.yaml}" not in said
    assert snapshot(layout.conf) == installed


def test_what_the_operator_changed_since_survives_uninstall(archive: Path, layout: Layout) -> None:
    done(archive, layout)
    layout.yaml.write_text(layout.yaml.read_text().replace("100ms", "200ms") + "num_tokens: 16\n")
    layout.options.write_text(layout.options.read_text() + "-Xmx8G\n")
    done(archive, layout, "uninstall")
    assert layout.yaml.read_text() == CASSANDRA_YAML.replace("100ms", "200ms") + "num_tokens: 16\n"
    assert layout.options.read_text() == OPTIONS + "-Xmx8G\n"


def test_links_stay_links(archive: Path, layout: Layout, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.yaml"
    layout.yaml.rename(elsewhere)
    layout.yaml.symlink_to(elsewhere)
    before = snapshot(layout.home)
    done(archive, layout)
    assert layout.yaml.is_symlink()
    assert_installed(layout)
    done(archive, layout, "uninstall")
    assert snapshot(layout.home) == before
    assert elsewhere.read_text() == CASSANDRA_YAML


def test_a_file_of_the_operator_is_used_and_stays(archive: Path, layout: Layout) -> None:
    layout.config.write_text(f"snitch: {SNITCH}\nheat:\n  placement: affinity\n")
    before = snapshot(layout.home)
    done(archive, layout)
    assert layout.config.read_bytes() == before["conf/isotherm.yaml"][0]
    assert "stays" in done(archive, layout, "uninstall")
    assert snapshot(layout.home) == before


def test_a_named_file_is_used(archive: Path, layout: Layout, tmp_path: Path) -> None:
    named = tmp_path / "named.yaml"
    layout.options.write_text(f"{OPTIONS}-Disotherm.config={named}\n")
    before = snapshot(layout.home)
    ran = install_script(archive, "--home", layout.home)
    assert ran.returncode == 1
    assert f"-Disotherm.config={named}" in ran.stderr
    named.write_text(f"snitch: {SNITCH}\n")
    done(archive, layout)
    assert not layout.config.exists()
    done(archive, layout, "uninstall")
    assert named.exists()
    assert snapshot(layout.home) == before


def test_what_was_kept_of_settings_goes_too_unless_it_is_to_stay(archive: Path, layout: Layout, tmp_path: Path) -> None:
    before = snapshot(layout.home)
    kept, half = tmp_path / "kept.yaml", tmp_path / "kept.yaml.new"
    for arguments, stays in ([["--keep-yaml"], True], [[], False]):
        done(archive, layout)
        layout.config.write_text(f"{layout.config.read_text()}kept_settings: {kept}   # for the next start\n")
        kept.write_text("heat.enabled: 'false'\n")
        half.write_text("heat.ena")
        done(archive, layout, "uninstall", *arguments)
        for file in (kept, half, layout.config):
            assert file.exists() == stays
            file.unlink(missing_ok=True)
    assert snapshot(layout.home) == before


def text(name: str, change: Callable[[str], str]) -> Callable[[Layout], None]:
    """Return what changes a file of the layout's conf/."""

    def apply(layout: Layout) -> None:
        file = layout.conf / name
        file.write_text(change(file.read_text() if file.exists() else ""))

    return apply


def release(*names: str) -> Callable[[Layout], None]:
    """Return what gives the layout the jars of these releases instead."""

    def apply(layout: Layout) -> None:
        (layout.home / "lib" / "apache-cassandra-5.0.9.jar").unlink()
        for name in names:
            (layout.home / "lib" / f"apache-cassandra-{name}.jar").write_bytes(b"Cassandra")

    return apply


REFUSED = {
    "an earlier release": (release("4.1.5"), "Cassandra 4.1.5 in .* allowed: 4.1.6 to 4.1.10, 5.0.0 to 5.0.9"),
    "a later line": (release("6.0-alpha2"), "Cassandra 6.0-alpha2 in .* allowed: 4.1.6 to 4.1.10, 5.0.0 to 5.0.9"),
    "a later release": (release(NEXT), f"Cassandra {NEXT} in .* allowed: "),
    "a later release of 4.1": (release("4.1.11"), "Cassandra 4.1.11 in .* allowed: "),
    "one before the first": (release("5.0-rc1"), "Cassandra 5.0-rc1 in .* allowed: "),
    "two releases": (release("5.0.8", "5.0.9"), "5.0.8.jar .*5.0.9.jar is refused; allowed: one release"),
    "no release": (release(), "has no apache-cassandra-"),
    "no options": (lambda layout: layout.options.unlink(), "without jvm-server.options"),
    "no yaml": (lambda layout: layout.yaml.unlink(), "without cassandra.yaml"),
    "no snitch": (text("cassandra.yaml", lambda old: old.replace("endpoint_", "# endpoint_")), "without a line"),
    "two snitches": (text("cassandra.yaml", lambda old: old + "endpoint_snitch: SimpleSnitch\n"), "one such line"),
    "an odd snitch": (text("cassandra.yaml", lambda old: old.replace(SNITCH, "a/b")), "endpoint_snitch: a/b in"),
    "another file's snitch": (text("isotherm.yaml", lambda old: "snitch: SimpleSnitch\n"), "snitch: SimpleSnitch in"),
    "a snitch without its file": (text("cassandra.yaml", lambda old: old.replace(SNITCH, OURS)), "both or neither"),
    "a handler elsewhere": (text("jvm17-server.options", lambda old: HANDLER + "a.B\n"), "jvm17-server.options is ref"),
    "a handler in the shell": (text("cassandra-env.sh", lambda old: f'JVM_OPTS="{HANDLER}a.B"\n'), "cassandra-env.sh"),
    "another yaml": (text("jvm17-server.options", lambda old: "-Dcassandra.config=file:///x\n"), "-Dcassandra.config"),
    "another yaml, named where the handler is": (
        text("jvm-server.options", lambda old: old + "-Dcassandra.config=file:///x\n"),
        "-Dcassandra.config in .*jvm-server.options",
    ),
    "two handlers": (text("jvm-server.options", lambda old: f"{HANDLER}a.B\n{HANDLER}c.D\n"), "a class, once"),
}


@pytest.mark.parametrize("untested", [NEXT, "4.1.11", "4.1.20", "5.0.20", "5.0.100"])
def test_a_later_release_is_taken_where_the_plugin_is_told_to_run_on_it(
    archive: Path, layout: Layout, untested: str
) -> None:
    release(untested)(layout)
    options = layout.options.read_text()
    layout.options.write_text(options + "-Disotherm.untested_release=5.0.99\n")
    refused = install_script(archive, "--home", layout.home, "--conf", layout.conf)
    assert refused.returncode == 1
    assert f"a later one with the line -Disotherm.untested_release={untested} in {layout.options}" in refused.stderr
    layout.options.write_text(options + f"-Disotherm.untested_release={untested}\n")
    done(archive, layout)
    assert_installed(layout)


@pytest.mark.parametrize(("version", "is_refused"), [("1.8.0_442", True), ("11.0.30", False)])
def test_java_8_is_refused_where_cassandra_runs_on_it(
    archive: Path, layout: Layout, monkeypatch: pytest.MonkeyPatch, version: str, is_refused: bool
) -> None:
    release("4.1.10")(layout)
    java = layout.home / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2026-01-20' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(layout.home / "java"))
    ran = install_script(archive, "--home", layout.home, "--conf", layout.conf)
    assert (ran.returncode != 0) == is_refused, ran.stderr
    refusal = f"Java {version}, which {java} is, for Cassandra 4.1.10 is refused; allowed: Java 11 or later; JAVA_HOME"
    assert (refusal in ran.stderr) == is_refused
    # The node may have another one than whoever calls the script.
    assert (f"Java: {java} is {version}; the node needs 11 or later, and JAVA_HOME" in ran.stdout) == (not is_refused)


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_is_a_sentence_and_changes_nothing(archive: Path, layout: Layout, case: str) -> None:
    spoil, sentence = REFUSED[case]
    spoil(layout)
    before = snapshot(layout.home)
    ran = install_script(archive, "--home", layout.home, "--conf", layout.conf)
    assert ran.returncode == 1, ran.stdout
    assert re.search(sentence, ran.stderr), ran.stderr
    assert ran.stderr.endswith("Nothing was changed.\n")
    assert len(ran.stderr.splitlines()) == 1
    assert snapshot(layout.home) == before


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (text("cassandra.yaml", lambda old: old.replace(OURS, "SimpleSnitch")), "install.sh wrote another line"),
        (text("cassandra.yaml", lambda old: re.sub("# before.*\n", "", old)), "which install.sh did not write"),
        (text("jvm-server.options", lambda old: re.sub("# before.*\n", "", old)), "which install.sh did not write"),
    ],
)
def test_uninstall_refuses_to_guess(
    archive: Path, layout: Layout, spoil: Callable[[Layout], None], sentence: str
) -> None:
    done(archive, layout)
    spoil(layout)
    assert_refuses(archive, layout, "uninstall", sentence)


@pytest.mark.parametrize(
    ("file", "ours"), [("cassandra.yaml", f"endpoint_snitch: {OURS}"), ("jvm-server.options", OUR_HANDLER)]
)
def test_a_line_taken_back_by_hand_is_taken_back_with_its_comment(
    archive: Path, layout: Layout, file: str, ours: str
) -> None:
    original = snapshot(layout.home)
    done(archive, layout)
    edited = layout.conf / file
    [above] = re.findall(rf"# before Isotherm: (.*)\n{re.escape(ours)}\n", edited.read_text())
    was = "" if above == "nothing" else f"{above}\n"
    text(file, lambda old: old.replace(f"{ours}\n", was))(layout)
    before = snapshot(layout.home)
    ran = install_script(archive, "--home", layout.home, "--conf", layout.conf)
    assert ran.returncode == 1, ran.stdout
    assert "install.sh wrote another line" in ran.stderr and "no comment # before Isotherm: above it" in ran.stderr
    assert snapshot(layout.home) == before
    text(file, lambda old: old.replace(f"# before Isotherm: {above}\n", ""))(layout)
    done(archive, layout)
    done(archive, layout, "uninstall")
    assert snapshot(layout.home) == original


@pytest.mark.parametrize("arguments", [["remove"], ["--home"], ["--home", "/nowhere"], ["--force"]])
def test_a_wrong_argument_is_a_sentence(archive: Path, arguments: list[str]) -> None:
    ran = install_script(archive, *arguments)
    assert ran.returncode == 2
    assert "is refused; allowed:" in ran.stderr
