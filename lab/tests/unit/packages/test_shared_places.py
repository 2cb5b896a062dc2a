# SPDX-License-Identifier: Apache-2.0
"""install.sh where somebody else uses the same places: other nodes, another package, tools, another editor."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from isotherm_packages import debian
from packed import (
    HANDLER,
    OPTIONS,
    OUR_HANDLER,
    ROOT,
    SNITCH,
    VERSION,
    Debian,
    Layout,
    assert_refuses,
    done,
    install_script,
    needs_dpkg,
    project,
    snapshot,
    unpacked,
)

OUR_SNITCH = "dev.isotherm.IsothermSnitch"


def second(layout: Layout) -> Layout:
    """Return another node's configuration of the same Cassandra."""
    other = Layout(layout.home, layout.home / "conf of 2")
    shutil.copytree(layout.conf, other.conf)
    return other


@pytest.mark.parametrize("arguments", [[], ["--keep-yaml"]])
def test_the_jar_stays_as_long_as_another_configuration_names_it(
    archive: Path, layout: Layout, arguments: list[str]
) -> None:
    other = second(layout)
    before = snapshot(layout.home)
    done(archive, layout)
    done(archive, other)
    assert f"stays for {other.conf}" in done(archive, layout, "uninstall", *arguments)
    assert layout.jars() == [f"isotherm-{VERSION}.jar"]
    assert "nothing to do" in done(archive, layout, "uninstall", *arguments)
    done(archive, other, "uninstall", *arguments)
    for each in (layout, other):
        each.config.unlink(missing_ok=True)
    assert snapshot(layout.home) == before


def test_a_file_that_another_node_reads_stays_until_the_last_one_goes(
    archive: Path, layout: Layout, tmp_path: Path
) -> None:
    shared = tmp_path / "shared.yaml"
    other = second(layout)
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
        assert_refuses(archive, layout, action, "a run while another one changes")
    finally:
        os.close(another)
    done(archive, layout, action)
    assert layout.jars() == ([f"isotherm-{VERSION}.jar"] if action == "install" else [])


@pytest.mark.parametrize(("name", "alike"), [("e[1]", "e1"), ("e*", "e of another"), ("e?", "e1")])
def test_a_name_is_no_pattern(tmp_path: Path, name: str, alike: str) -> None:
    layout, other = (Layout.of_archive(tmp_path / each / "cassandra") for each in (name, alike))
    archive, later = (unpacked(tmp_path / name, release) for release in (VERSION, "0.2.0"))
    before = snapshot(layout.home)
    done(archive, other)
    for file in (other.yaml, other.options, other.config, other.home / "lib" / f"isotherm-{VERSION}.jar"):
        file.with_name(f"{file.name}.isotherm-old").write_text("not of this Cassandra")
    others = snapshot(tmp_path / alike)
    inodes = {file: file.stat().st_ino for file in (tmp_path / alike).rglob("*")}
    for script in (archive, later):
        assert str(other.home) not in done(script, layout, "--dry-run")
        done(script, layout)
        assert "nothing to do" in done(script, layout)
    (layout.home / "lib" / "isotherm-0.2.0.jar.isotherm-new").write_text("of a run that was killed")
    assert str(other.home) not in done(later, layout, "uninstall")
    assert snapshot(layout.home) == before
    assert snapshot(tmp_path / alike) == others
    assert {file: file.stat().st_ino for file in (tmp_path / alike).rglob("*")} == inodes


def test_a_configuration_that_is_gone_keeps_no_jar(archive: Path, layout: Layout) -> None:
    before = snapshot(layout.home)
    other = second(layout)
    done(archive, layout)
    done(archive, other)
    shutil.rmtree(other.conf)
    done(archive, layout, "uninstall")
    assert snapshot(layout.home) == before


@pytest.mark.parametrize(
    ("above", "handler"), [("", None), (f"# before Isotherm: {HANDLER}com.acme.Audit\n", "com.acme.Audit")]
)
def test_options_of_an_installed_node_name_no_handler_of_ours_to_wrap(
    archive: Path, layout: Layout, above: str, handler: str | None
) -> None:
    layout.options.write_text(f"{above}{OUR_HANDLER}\n{OPTIONS}")
    done(archive, layout)
    assert yaml.safe_load(layout.config.read_text()).get("query_handler") == handler


def test_the_debian_package_does_not_come_beside_the_jar_of_an_archive(archive: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    layout = Layout.of_debian(root)
    preinst = ["sh", str(ROOT / "packages" / "debian" / "preinst")]

    def runs(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*preinst, *arguments], env={"DPKG_ROOT": str(root), "PATH": "/usr/bin:/bin"},
                              capture_output=True, text=True, check=False)  # fmt: skip

    assert runs("install").returncode == 0
    ran = install_script(archive, "--root", root)
    assert ran.returncode == 0, ran.stderr
    refused = runs("install")
    assert refused.returncode == 1
    assert f"lib/isotherm-{VERSION}.jar is refused; allowed: no jar of an archive" in refused.stderr
    # The package's own jar is there when it is upgraded.
    assert runs("upgrade", VERSION).returncode == 0
    assert layout.jars() == [f"isotherm-{VERSION}.jar"]


def test_the_debian_package_is_not_installed_over(archive: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    Layout.of_debian(root)
    (root / "usr" / "share" / "isotherm").mkdir()
    before = snapshot(root)
    for action in ("install", "uninstall"):
        ran = install_script(archive, action, "--root", root)
        assert ran.returncode == 1
        # Removing the package would take the plugin off.
        assert "allowed: isotherm-setup, and dpkg -i isotherm-cassandra_*_all.deb for another build." in ran.stderr
    assert snapshot(root) == before


@needs_dpkg
def test_a_later_and_an_earlier_package_replace_the_jar_alone(tmp_path: Path) -> None:
    made = Debian.below(tmp_path)
    later = project(tmp_path, "0.2.0", b"later")
    package = tmp_path / debian.name(later)
    package.write_bytes(debian.content(later))
    made.dpkg("-i", made.package)
    made.setup("install")
    configured = snapshot(made.root / "etc"), snapshot(made.root / "var")
    for each, jar in ((package, "isotherm-0.2.0.jar"), (made.package, f"isotherm-{VERSION}.jar")):
        made.dpkg("-i", each)
        assert made.layout.jars() == [jar]
        assert (snapshot(made.root / "etc"), snapshot(made.root / "var")) == configured
        assert "nothing to do" in made.setup("install")


@needs_dpkg
def test_purging_the_package_leaves_what_an_archive_has_taken_over(archive: Path, tmp_path: Path) -> None:
    made = Debian.below(tmp_path)
    root, layout = made.root, made.layout
    gone, edited = (Layout(layout.home, root / "etc" / name) for name in ("gone", "edited"))
    for each in (gone, edited):
        shutil.copytree(layout.conf, each.conf)
    made.dpkg("-i", made.package)
    for each in (layout, gone, edited):
        made.setup("install", "--conf", str(each.conf))
        with each.config.open("a") as config:
            config.write(f"kept_settings: /var/{each.conf.name}.yaml\n")
        (root / "var" / f"{each.conf.name}.yaml").write_text("heat.enabled: 'false'\n")
    made.dpkg("-r", debian.PACKAGE)
    # A comment that names the plugin keeps nothing.
    gone.yaml.write_text(f"{gone.yaml.read_text()}# dev.isotherm.IsothermSnitch\n")
    ran = install_script(archive, "--root", root)
    assert ran.returncode == 0, ran.stderr
    # Either file is enough for the node to need isotherm.yaml.
    edited.options.write_text(f"{OUR_HANDLER}\n")
    before = snapshot(root)
    said = made.dpkg("-P", debian.PACKAGE)
    assert f"{layout.config} stays" in said and f"{edited.config} stays" in said
    assert before.keys() - snapshot(root).keys() == {
        "etc/gone/isotherm.yaml", "var/gone.yaml", "var/lib/isotherm", "var/lib/isotherm/configured",
    }  # fmt: skip
    assert {path: before[path] for path in snapshot(root)} == snapshot(root)
    ran = install_script(archive, "uninstall", "--root", root)
    assert ran.returncode == 0, ran.stderr
    assert not layout.config.exists() and not (root / "var" / "cassandra.yaml").exists()


@needs_dpkg
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "line",
    [
        "kept_settings: /var/kept it's.yaml",
        "kept_settings:  '/var/kept.yaml'  ",
        "kept_settings: /var/kept#1.yaml # for the next start",
        'kept_settings: "/var/kept #1.yaml"',
        'kept_settings : "/var/kept.yaml"   # for the next start',
    ],
)
def test_purging_the_package_reads_what_an_editor_wrote(tmp_path: Path, end: str, line: str) -> None:
    made = Debian.below(tmp_path)
    before = snapshot(made.root)
    made.dpkg("-i", made.package)
    made.setup("install")
    made.layout.config.write_bytes(f"{made.layout.config.read_text()}{line}\n".replace("\n", end).encode())
    kept = yaml.safe_load(made.layout.config.read_bytes())["kept_settings"]
    for file in (kept, f"{kept}.new"):
        (made.root / file.lstrip("/")).write_text("heat.enabled: 'false'\n")
    made.dpkg("-r", debian.PACKAGE)
    assert made.layout.config.exists()
    made.dpkg("-P", debian.PACKAGE)
    assert snapshot(made.root) == before


@needs_dpkg
@pytest.mark.parametrize("was_set_up", [False, True])
def test_the_package_goes_where_the_configuration_names_no_plugin(tmp_path: Path, *, was_set_up: bool) -> None:
    made = Debian.below(tmp_path)
    before = snapshot(made.root)
    made.dpkg("-i", made.package)
    if was_set_up:
        made.setup("install")
        made.setup("uninstall")
    # Not one that install.sh takes; a comment that names the plugin needs no jar.
    made.layout.options.unlink()
    comment = f"# {OUR_HANDLER}\n"
    made.layout.yaml.write_text(made.layout.yaml.read_text() + comment)
    made.dpkg("-r", debian.PACKAGE)
    made.layout.yaml.write_text(made.layout.yaml.read_text().removesuffix(comment))
    made.layout.options.write_text(OPTIONS)
    made.dpkg("-P", debian.PACKAGE)
    assert snapshot(made.root) == before


@needs_dpkg
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("etc/cassandra/cassandra.yaml", f"endpoint_snitch: {OUR_SNITCH}\n"),
        ("etc/cassandra/cassandra.yaml", f"# before Isotherm: nothing\nendpoint_snitch: {SNITCH}\n"),
        ("etc/cassandra/jvm17-server.options", f"{OUR_HANDLER}\n"),
        ("etc/cassandra/cassandra-env.sh", f'JVM_OPTS="{OUR_HANDLER}"\n'),
        ("etc/default/cassandra", f'JVM_EXTRA_OPTS="{OUR_HANDLER}"\n'),
        ("usr/share/cassandra/cassandra.in.sh", f'JVM_OPTS="{OUR_HANDLER}"\n'),
    ],
)
def test_the_package_stays_where_something_names_the_plugin(tmp_path: Path, name: str, text: str) -> None:
    made = Debian.below(tmp_path)
    made.dpkg("-i", made.package)
    file = made.root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    before = snapshot(made.root)
    with pytest.raises(AssertionError, match="is refused; allowed: "):
        made.dpkg("-r", debian.PACKAGE)
    assert snapshot(made.root) == before


@needs_dpkg
def test_the_package_goes_where_the_named_file_has_gone(tmp_path: Path) -> None:
    made = Debian.below(tmp_path)
    named = made.root / "named.yaml"
    made.layout.options.write_text(f"{OPTIONS}-Disotherm.config=/named.yaml\n")
    before = snapshot(made.root)
    named.write_text(f"snitch: {SNITCH}\n")
    made.dpkg("-i", made.package)
    made.setup("install")
    named.unlink()
    made.dpkg("-P", debian.PACKAGE)
    assert snapshot(made.root) == before


@pytest.mark.parametrize(
    ("action", "refused", "accepted", "advice"),
    [
        ("install", "Ec2Snitch", OUR_SNITCH, "a container without the variable, and endpoint_snitch: Ec2Snitch in"),
        ("uninstall", OUR_SNITCH, "Ec2Snitch", "a container without the variable."),
    ],
)
def test_a_snitch_that_a_container_writes_at_each_start_is_refused(
    archive: Path, tmp_path: Path, action: str, refused: str, accepted: str, advice: str
) -> None:
    """As the entrypoint of Docker's official image does, which takes an empty variable for none."""
    layout, below = Layout.of_archive(tmp_path / "a cassandra"), Layout.of_debian(tmp_path / "root")
    if action == "uninstall":
        done(archive, layout)
        assert install_script(archive, "--root", tmp_path / "root").returncode == 0
    before = snapshot(layout.home)
    ran = install_script(archive, action, "--home", layout.home, CASSANDRA_ENDPOINT_SNITCH=refused)
    assert ran.returncode == 1
    assert f"CASSANDRA_ENDPOINT_SNITCH={refused}, which a container writes into {layout.yaml} at each" in ran.stderr
    assert f"allowed: {advice}" in ran.stderr
    assert snapshot(layout.home) == before
    for value in (accepted, ""):
        ran = install_script(archive, action, "--dry-run", "--home", layout.home, CASSANDRA_ENDPOINT_SNITCH=value)
        assert ran.returncode == 0, ran.stderr
    # Another file system is another container's.
    ran = install_script(archive, action, "--root", tmp_path / "root", CASSANDRA_ENDPOINT_SNITCH=refused)
    assert ran.returncode == 0, ran.stderr
    assert below.config.exists() == (action == "install")


@pytest.mark.parametrize("variable", ["CASSANDRA_HOME", "CASSANDRA_CONF"])
@pytest.mark.parametrize("below", [True, False], ids=["below a root", "here"])
def test_a_variable_that_names_no_cassandra_is_not_passed_over(
    archive: Path, tmp_path: Path, variable: str, *, below: bool
) -> None:
    """What packages put elsewhere is of another node."""
    root = tmp_path / "root"
    layout = Layout.of_debian(root)
    option = "--home" if variable == "CASSANDRA_HOME" else "--conf"
    named, words = {
        "--home": (layout.home, "without apache-cassandra-*.jar in"),
        "--conf": (layout.conf, "without cassandra.yaml in"),
    }[option]
    prefix = str(root) if below else ""
    # Below the root nothing else has to be named; here the other place is.
    others = ["--home", layout.home] if variable == "CASSANDRA_CONF" else ["--conf", layout.conf]
    arguments = ["--root", root] if below else others
    missing = f"{tmp_path}/node 2"
    before = snapshot(root)
    ran = install_script(archive, *arguments, **{variable: missing})
    assert ran.returncode == 1, ran.stdout
    assert f"{variable}={missing} {words} {prefix}{missing} is refused; allowed: " in ran.stderr
    assert f"by {option}. Nothing was changed." in ran.stderr
    assert snapshot(root) == before
    # An empty variable is none, an option comes before it, and a right one is used.
    place = str(named).removeprefix(prefix)
    for extra, value in ([[option, named], missing], [[], f"{place}/"], *([[[], ""]] if below else [])):
        ran = install_script(archive, "--dry-run", *arguments, *extra, **{variable: value})
        assert ran.returncode == 0, ran.stderr
        assert f"in {layout.home}, configured in {layout.conf}\n" in ran.stdout


def test_two_jars_are_refused_where_a_package_brings_one(archive: Path, layout: Layout) -> None:
    done(archive, layout)
    (layout.home / "lib" / "isotherm-0.2.0.jar").write_bytes(b"the package's")
    (archive / f"isotherm-{VERSION}.jar").unlink()
    ran = install_script(archive, "--home", layout.home, "--conf", layout.conf)
    assert ran.returncode == 1
    assert f"isotherm-{VERSION}.jar" in ran.stderr and "the Debian package's jar alone" in ran.stderr


@pytest.mark.parametrize("before_it", ["", "-Disotherm.config=/nowhere.yaml\n"], ids=["alone", "the last of two"])
def test_a_named_file_may_be_a_uri(archive: Path, layout: Layout, tmp_path: Path, before_it: str) -> None:
    """Of two lines that name a file the last one counts, as in Java."""
    named = tmp_path / "named.yaml"
    named.write_text(f"snitch: {SNITCH}\n")
    layout.options.write_text(f"{OPTIONS}{before_it}-Disotherm.config=file:{named}\n")
    before = snapshot(layout.home)
    done(archive, layout)
    assert not layout.config.exists()
    done(archive, layout, "uninstall")
    assert snapshot(layout.home) == before


def test_what_tools_have_too_is_not_in_the_way(archive: Path, layout: Layout, tmp_path: Path) -> None:
    named = tmp_path / "named.yaml"
    named.write_text(f"snitch: {SNITCH}\n")
    layout.options.write_text(f"{OPTIONS}-Disotherm.config={named}\n")
    (layout.conf / "jvm-clients.options").write_text(f"{OUR_HANDLER}\n-Disotherm.config={named}\n")
    done(archive, layout)
    assert "nothing to do" in done(archive, layout)


def test_lines_may_end_as_on_windows(archive: Path, layout: Layout) -> None:
    layout.yaml.write_bytes(layout.yaml.read_bytes().replace(b"\n", b"\r\n"))
    before = snapshot(layout.home)
    done(archive, layout)
    assert yaml.safe_load(layout.config.read_text())["snitch"] == SNITCH
    assert yaml.safe_load(layout.yaml.read_text())["endpoint_snitch"] == OUR_SNITCH
    layout.config.write_bytes(layout.config.read_bytes().replace(b"\n", b"\r\n"))
    assert "nothing to do" in done(archive, layout)
    done(archive, layout, "uninstall")
    assert snapshot(layout.home) == before
