# SPDX-License-Identifier: Apache-2.0
"""install.sh where the operator has changed what it wrote while the plugin was installed, or wrote it otherwise."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from packed import (
    HANDLER,
    OPTIONS,
    OUR_HANDLER,
    ROOT,
    SNITCH,
    Debian,
    Layout,
    assert_refuses,
    done,
    install_script,
    needs_dpkg,
    snapshot,
    unpacked,
)

BEFORE = "# before Isotherm: "
#: Where else the scripts of nodes and of tools find the handler's property, and how it is written there.
ELSEWHERE = {
    "jvm-clients.options": f"{OUR_HANDLER}\n",
    "jvm17-server.options": f"-XX:+UseG1GC\n{OUR_HANDLER}\n",
    "cassandra-env.sh": f'JVM_OPTS="$JVM_OPTS {OUR_HANDLER}"\n',
}
#: Where options are that are in no directory of configuration: files below the root.
OUTSIDE = ["etc/default/cassandra", "usr/share/cassandra/cassandra.in.sh", "usr/share/cassandra/bin/cassandra.in.sh"]
VARIABLES = ["JVM_EXTRA_OPTS", "JVM_OPTS"]


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
    assert_refuses(archive, layout, "uninstall", f"{becomes} in {layout.config} is refused; allowed: ")
    edited = layout.conf / file
    assert comment in edited.read_text()
    edited.write_text(edited.read_text().replace(comment, BEFORE + restored))
    done(archive, layout, "uninstall")
    assert f"\n{restored}\n" in edited.read_text()


def test_a_handler_that_was_given_up_meanwhile_is_not_brought_back(archive: Path, layout: Layout) -> None:
    layout.options.write_text(f"{OPTIONS}{HANDLER}a.B\n")
    done(archive, layout)
    layout.config.write_text(layout.config.read_text().replace("query_handler: a.B", ""))
    assert_refuses(archive, layout, "uninstall", f"query_handler: none in {layout.config} is refused; allowed: ")
    layout.options.write_text(layout.options.read_text().replace(f"{BEFORE}{HANDLER}a.B", f"{BEFORE}nothing"))
    done(archive, layout, "uninstall")
    assert layout.options.read_text() == OPTIONS


@pytest.mark.parametrize("option", ["-Disotherm.config=/elsewhere.yaml", f"{HANDLER}a.B"])
def test_an_option_behind_another_one_is_refused(archive: Path, layout: Layout, option: str) -> None:
    layout.options.write_text(f"{OPTIONS}-Xss1m {option}\n")
    assert_refuses(archive, layout, "install", "behind another option")


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_jar_stays_while_another_file_names_the_plugin(archive: Path, layout: Layout, name: str) -> None:
    done(archive, layout)
    file = layout.conf / name
    file.write_text(ELSEWHERE[name])
    assert_refuses(archive, layout, "uninstall", f"dev.isotherm. in {file} is refused; allowed: ")
    # A comment keeps nothing.
    file.write_text("".join(f"# {line}\n" for line in ELSEWHERE[name].splitlines()))
    done(archive, layout, "uninstall")
    assert layout.jars() == []


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_jar_stays_for_another_node_whatever_file_of_it_names_the_plugin(
    archive: Path, layout: Layout, name: str
) -> None:
    other = Layout(layout.home, layout.home / "conf of 2")
    shutil.copytree(layout.conf, other.conf)
    for each in (layout, other):
        done(archive, each)
    before = layout.jars()
    for file in (other.yaml, other.options):
        file.write_text(file.read_text().replace("dev.isotherm.", "# dev.isotherm."))
    (other.conf / name).write_text(ELSEWHERE[name])
    assert f"stays for {other.conf}" in done(archive, layout, "uninstall")
    assert layout.jars() == before


@needs_dpkg
@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_package_stays_while_another_file_names_the_plugin(tmp_path: Path, name: str) -> None:
    made = Debian.below(tmp_path)
    made.dpkg("-i", made.package)
    made.setup("install")
    (made.layout.conf / name).write_text(ELSEWHERE[name])
    before = snapshot(made.root)
    command = ["sh", str(ROOT / "packages" / "debian" / "prerm"), "remove"]
    environment = {"DPKG_ROOT": str(made.root), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode != 0, ran.stdout
    assert f"dev.isotherm. in {made.layout.conf / name} is refused" in ran.stderr
    assert snapshot(made.root) == before


@pytest.mark.parametrize(
    ("line", "dynamic"),
    [("", True), ("dynamic_snitch: true\n", True), ("dynamic_snitch: false\n", False), ("dynamic_snitch: No\n", False)],
)
def test_a_cluster_without_a_dynamic_snitch_gets_none(
    archive: Path, layout: Layout, line: str, *, dynamic: bool
) -> None:
    layout.yaml.write_text(layout.yaml.read_text() + line)
    done(archive, layout)
    assert yaml.safe_load(layout.config.read_text())["dynamic_snitch"] is dynamic


@pytest.mark.parametrize("name", OUTSIDE)
def test_options_in_a_file_outside_the_configuration_are_seen(archive: Path, tmp_path: Path, name: str) -> None:
    root = tmp_path / "the root"
    layout = Layout.of_debian(root)
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)

    def refused(action: str, option: str, sentence: str) -> None:
        file.write_text(f'MAX_HEAP_SIZE=8G\nJVM_EXTRA_OPTS="-Xss1m {option}"\n')
        before = snapshot(root)
        ran = install_script(archive, action, "--root", root)
        assert ran.returncode == 1, ran.stdout
        assert f"{sentence} in {file} is refused; allowed: " in ran.stderr
        assert snapshot(root) == before

    for property_ in ("-Dcassandra.config", HANDLER.rstrip("="), "-Disotherm.config"):
        refused("install", f"{property_}=file:///etc/other.yaml", property_)
    # A comment is no option.
    file.write_text(f'# JVM_EXTRA_OPTS="{OUR_HANDLER} -Dcassandra.config=x"\n')
    comment = snapshot(root)
    assert install_script(archive, "--root", root).returncode == 0
    refused("uninstall", OUR_HANDLER, "dev.isotherm.")
    assert layout.jars() != []
    file.write_text(f'# JVM_EXTRA_OPTS="{OUR_HANDLER} -Dcassandra.config=x"\n')
    assert install_script(archive, "uninstall", "--root", root).returncode == 0
    assert snapshot(root) == comment


@pytest.mark.parametrize("name", VARIABLES)
def test_options_in_the_environment_are_seen(archive: Path, layout: Layout, tmp_path: Path, name: str) -> None:
    def refused(action: str, option: str, sentence: str) -> None:
        before = snapshot(layout.home)
        ran = install_script(archive, action, "--home", layout.home, **{name: f"-Xss1m {option}"})
        assert ran.returncode == 1, ran.stdout
        assert f"{sentence} in {name} is refused; allowed: " in ran.stderr
        assert snapshot(layout.home) == before

    for property_ in ("-Dcassandra.config", HANDLER.rstrip("="), "-Disotherm.config"):
        refused("install", f"{property_}=file:///etc/other.yaml", property_)
    done(archive, layout)
    refused("uninstall", OUR_HANDLER, "dev.isotherm.")
    ran = install_script(archive, "uninstall", "--home", layout.home, **{name: "-Xss1m"})
    assert ran.returncode == 0, ran.stderr
    # What is below --root is of another system.
    Layout.of_debian(tmp_path / "root")
    for action in ("install", "uninstall"):
        ran = install_script(archive, action, "--root", tmp_path / "root", **{name: OUR_HANDLER})
        assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("name", ["cassandra.yaml", "jvm-server.options"])
@pytest.mark.parametrize("handler", ["", f"{HANDLER}a.B\n"], ids=["none", "a handler"])
def test_an_editor_may_change_the_ends_of_lines(
    archive: Path, layout: Layout, tmp_path: Path, name: str, handler: str
) -> None:
    layout.options.write_text(OPTIONS + handler)
    file = layout.conf / name
    as_on_windows = file.read_bytes().replace(b"\n", b"\r\n")
    done(archive, layout)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    later = unpacked(tmp_path / "later", "0.2.0", b"later")
    before = snapshot(layout.conf)
    done(later, layout)
    assert layout.jars() == ["isotherm-0.2.0.jar"]
    assert snapshot(layout.conf) == before
    said = done(later, layout, "uninstall")
    assert "a line less" in said or handler
    assert "\r" not in said.partition("restore in")[2].partition("\n")[0]
    assert file.read_bytes() == as_on_windows
    assert layout.jars() == []


def test_the_handler_of_a_comment_is_read_whatever_its_line_ends_with(archive: Path, layout: Layout) -> None:
    layout.options.write_bytes(f"{BEFORE}{HANDLER}a.B\n{OUR_HANDLER}\n{OPTIONS}".replace("\n", "\r\n").encode())
    done(archive, layout)
    assert yaml.safe_load(layout.config.read_text())["query_handler"] == "a.B"
