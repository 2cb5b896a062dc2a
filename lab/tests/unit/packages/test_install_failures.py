# SPDX-License-Identifier: Apache-2.0
"""install.sh where something is in its way: it refuses before it begins, or leaves all as it was."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packed import HANDLER, OPTIONS, ROOT, SNITCH, VERSION, Layout, done, install_script, snapshot, unpacked

OPERATORS = "com.acme.AuditHandler"
#: In a mount namespace of its own, in which anybody is root.
MOUNTING = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]


def mounts() -> bool:
    try:
        command = [*MOUNTING, 'mount --bind "$0" "$0"', __file__]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def assert_refused(ran: subprocess.CompletedProcess[str], *words: str) -> None:
    assert ran.returncode == 1, ran.stdout
    for word in words:
        assert word in ran.stderr
    assert ran.stderr.endswith("Nothing was changed.\n")


def test_the_operators_query_handler_is_not_dropped(archive: Path, layout: Layout) -> None:
    done(archive, layout)
    done(archive, layout, "uninstall", "--keep-yaml")
    layout.options.write_text(f"{OPTIONS}{HANDLER}{OPERATORS}\n")
    before = snapshot(layout.home)
    ran = install_script(archive, "--home", layout.home)
    assert_refused(ran, f"query_handler: none in {layout.config}", f"allowed: {OPERATORS}, as in {layout.options}")
    assert snapshot(layout.home) == before
    with layout.config.open("a") as config:
        config.write(f"query_handler: {OPERATORS}\n")
    done(archive, layout)


def test_a_query_handler_that_the_node_does_not_have_is_refused(archive: Path, layout: Layout) -> None:
    layout.options.write_text(f"{HANDLER}{OPERATORS}\n")
    done(archive, layout)
    done(archive, layout, "uninstall", "--keep-yaml")
    done(archive, layout)
    done(archive, layout, "uninstall", "--keep-yaml")
    layout.options.write_text(OPTIONS)
    ran = install_script(archive, "--home", layout.home)
    assert_refused(ran, f"query_handler: {OPERATORS} in", "allowed: no such line")


def test_a_query_handler_behind_another_option_is_refused(archive: Path, layout: Layout) -> None:
    layout.options.write_text(f"-Xss1m {HANDLER}{OPERATORS}\n")
    assert_refused(install_script(archive, "--home", layout.home), "a line of its own")


@pytest.mark.parametrize("arguments", [[], ["--keep-yaml"]])
@pytest.mark.parametrize("lost", ["named.yaml", "."])
def test_uninstall_does_without_the_named_file(archive: Path, tmp_path: Path, lost: str, arguments: list[str]) -> None:
    root = tmp_path / "root"
    layout = Layout.of_debian(root)
    layout.options.write_text(f"{OPTIONS}-Disotherm.config=/srv/isotherm/named.yaml\n")
    folder = root / "srv" / "isotherm"
    folder.mkdir(parents=True)
    before = snapshot(root)
    (folder / "named.yaml").write_text(f"snitch: {SNITCH}\n")
    assert install_script(archive, "--root", root).returncode == 0
    (folder / "named.yaml").unlink()
    if lost == ".":
        folder.rmdir()
        del before["srv/isotherm"]
    ran = install_script(archive, "--root", root)
    assert ran.returncode == 1
    assert "-Disotherm.config=/srv/isotherm/named.yaml" in ran.stderr
    for dry in (["--dry-run"], []):
        ran = install_script(archive, "uninstall", *arguments, *dry, "--root", root)
        assert (ran.returncode, ran.stderr) == (0, "")
    assert snapshot(root) == before


@pytest.mark.skipif(not mounts(), reason="needs a kernel that lets this user mount")
@pytest.mark.parametrize("name", ["cassandra.yaml", "jvm-server.options"])
@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_a_file_that_is_mounted_alone_is_refused(
    archive: Path, layout: Layout, tmp_path: Path, name: str, dry: list[str]
) -> None:
    file = layout.conf / name
    source = tmp_path / "source"
    source.write_bytes(file.read_bytes())
    before = snapshot(layout.home)
    within = 'mount --bind "$1" "$2" && shift 2 && exec sh "$@"'
    command = [*MOUNTING, within, "sh", source, file, archive / "install.sh", "--home", layout.home, *dry]
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert_refused(ran, str(file), "a mount of this file alone")
    assert snapshot(layout.home) == before


@pytest.mark.skipif(not mounts(), reason="needs a kernel that lets this user mount")
def test_a_place_that_is_read_only_is_refused(archive: Path, layout: Layout, tmp_path: Path) -> None:
    elsewhere = tmp_path / "read only"
    elsewhere.mkdir()
    layout.yaml.rename(elsewhere / "cassandra.yaml")
    layout.yaml.symlink_to(elsewhere / "cassandra.yaml")
    within = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec sh "$@"'
    command = [*MOUNTING, within, "sh", elsewhere, archive / "install.sh", "--home", layout.home]
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert_refused(ran, "cannot write")


@pytest.fixture
def renames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A `mv` before the system's: what the file says happens at the rename whose number it begins with."""
    folder = tmp_path / "bin"
    folder.mkdir()
    plan = tmp_path / "plan"
    script = folder / "mv"
    script.write_text(
        f'#!/bin/sh\necho >>"{tmp_path}/count"\nread number what <"{plan}"\n'
        f'if [ "$(wc -l <"{tmp_path}/count")" -eq "$number" ]; then\n'
        '    case $what in fail) exit 1 ;; *) kill -s "$what" $PPID; exit 1 ;; esac\nfi\n'
        'PATH=${PATH#*:} exec mv "$@"\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    # What runs in the background has it ignored, and a shell cannot trap what it was given ignored.
    before = signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    yield plan
    signal.signal(signal.SIGQUIT, before)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("what", ["fail", "TERM", "QUIT"])
def test_a_failure_leaves_everything_as_it_was(
    archive: Path, layout: Layout, renames: Path, number: int, what: str
) -> None:
    before = snapshot(layout.home)
    inodes = {file: file.stat().st_ino for file in (layout.yaml, layout.options)}
    renames.write_text(f"{number} {what}\n")
    ran = install_script(archive, "--home", layout.home)
    assert_refused(ran, "could not be replaced" if what == "fail" else "a signal ended it")
    assert snapshot(layout.home) == before
    assert {file: file.stat().st_ino for file in inodes} == inodes


@pytest.mark.parametrize("number", [1, 2])
def test_a_failing_uninstall_leaves_everything_as_it_was(
    archive: Path, layout: Layout, renames: Path, number: int
) -> None:
    renames.write_text("0 never\n")
    done(archive, layout)
    before = snapshot(layout.home)
    renames.write_text(f"{5 + number} fail\n")
    assert_refused(install_script(archive, "uninstall", "--home", layout.home))
    assert snapshot(layout.home) == before


def readlink_of_busybox(folder: Path) -> None:
    """Put a `readlink` into a folder of the path that takes one file and no more."""
    script = folder / "readlink"
    script.write_text(
        "#!/bin/sh\nfiles=0\n"
        'for word in "$@"; do case $word in -*) ;; *) files=$((files + 1)) ;; esac; done\n'
        '[ "$files" -eq 1 ] || { echo "Usage: readlink [-fnv] FILE" >&2; exit 1; }\n'
        'PATH=${PATH#*:} exec readlink "$@"\n'
    )
    script.chmod(0o755)


@pytest.mark.parametrize("system", ["GNU", "BusyBox"])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_killed_run_is_ended_by_the_next_one(
    archive: Path, layout: Layout, renames: Path, number: int, system: str
) -> None:
    if system == "BusyBox":
        readlink_of_busybox(renames.parent / "bin")
    before = snapshot(layout.home)
    for action in ("install", "uninstall"):
        (renames.parent / "count").unlink(missing_ok=True)
        renames.write_text(f"{number} KILL\n")
        assert install_script(archive, "--home", layout.home).returncode == -9
        # With the handler alone a node never starts.
        assert "dev.isotherm" in layout.yaml.read_text() or "dev.isotherm" not in layout.options.read_text()
        assert list(layout.home.rglob("*.isotherm-*"))
        left = snapshot(layout.home)
        assert "would remove" in done(archive, layout, "--dry-run")
        assert snapshot(layout.home) == left
        done(archive, layout, action)
        assert list(layout.home.rglob("*.isotherm-*")) == []
        if action == "install":
            assert layout.jars() == [f"isotherm-{VERSION}.jar"]
            done(archive, layout, "uninstall")
        layout.config.unlink(missing_ok=True)
        for jar in layout.jars():
            (layout.home / "lib" / jar).unlink()
        assert snapshot(layout.home) == before


def test_what_a_killed_run_has_put_by_is_put_by_again(tmp_path: Path) -> None:
    file = tmp_path / "cassandra.yaml"
    file.write_text("before")
    # Killed before the rename: both names are of one file.
    (tmp_path / "cassandra.yaml.isotherm-old").hardlink_to(file)
    (tmp_path / "cassandra.yaml.isotherm-new").write_text("after")
    within = 'dry=; root=; own_jar=x; . "$1"; staged=$2; commit'
    command = ["sh", "-c", within, "sh", str(ROOT / "packages" / "install-changes.sh"), str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["cassandra.yaml"]
    assert file.read_text() == "after"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o444])
def test_whoever_reads_cassandras_jar_reads_ours(archive: Path, layout: Layout, mode: int) -> None:
    for file in archive.iterdir():
        if file.is_file():
            file.chmod(0o600)
    release = layout.home / "lib" / "apache-cassandra-5.0.9.jar"
    release.chmod(mode)
    umask = os.umask(0o077)
    try:
        done(archive, layout)
    finally:
        os.umask(umask)
    jar = layout.home / "lib" / f"isotherm-{VERSION}.jar"
    assert jar.stat().st_mode & 0o777 == mode
    assert jar.read_bytes() == b"a jar"
    assert layout.config.stat().st_mode & 0o777 == layout.yaml.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_cassandras_user_owns_what_it_is_to_read(archive: Path, layout: Layout) -> None:
    for file in layout.home.rglob("*"):
        os.chown(file, 12345, 12346)
    done(archive, layout)
    for file in (layout.home / "lib" / f"isotherm-{VERSION}.jar", layout.config, layout.yaml, layout.options):
        assert (file.stat().st_uid, file.stat().st_gid) == (12345, 12346), file


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_who_cannot_keep_the_owner_of_a_private_file_is_refused() -> None:
    # Not pytest's own, into which nobody else can look.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        archive = unpacked(Path(folder) / "archive")
        layout = Layout.of_archive(Path(folder) / "cassandra")
        for file in layout.home.rglob("*"):
            os.chown(file, 12345, 12346)
            # The group changes everything, and others have nothing.
            file.chmod(0o770 if file.is_dir() else 0o660)
        before = snapshot(layout.home)
        command = ["sh", str(archive / "install.sh"), "--home", str(layout.home)]
        for user, words, dry in (
            (54321, "12345:12346", ["--dry-run"]), (54321, "12345:12346", []),
            (12345, "", ["--dry-run"]), (12345, "", []),
        ):  # fmt: skip
            ran = subprocess.run(
                [*command, *dry], user=user, group=12346, extra_groups=[], capture_output=True, text=True, check=False
            )
            if words:
                assert_refused(ran, words)
                assert snapshot(layout.home) == before
            else:
                assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("named", ["--home", "--conf"])
def test_another_cassandra_than_that_below_root_is_refused(
    archive: Path, layout: Layout, tmp_path: Path, named: str
) -> None:
    image = Layout.of_debian(tmp_path / "image")
    before = snapshot(tmp_path)
    place = layout.home if named == "--home" else layout.conf
    ran = install_script(archive, "--root", tmp_path / "image", named, place)
    assert_refused(ran, f"not below {tmp_path / 'image'}")
    # Nor by a link that leads out of it.
    image.yaml.unlink()
    image.yaml.symlink_to(layout.yaml)
    assert_refused(install_script(archive, "--root", tmp_path / "image"), str(image.yaml))
    image.yaml.unlink()
    image.yaml.write_text(layout.yaml.read_text())
    image.yaml.chmod(0o640)
    assert snapshot(tmp_path) == before


def test_a_small_image_has_what_it_takes(
    archive: Path, layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    # Those of coreutils, of grep and of sed.
    for name in (
        "basename", "cat", "chmod", "chown", "cp", "cut", "dirname", "grep", "id", "ln", "ls", "mkdir", "mktemp", "mv",
        "readlink", "rm", "rmdir", "sed", "sh", "sha256sum", "stat", "tr", "wc",
    ):  # fmt: skip
        (programs / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setenv("PATH", str(programs))
    before = snapshot(layout.home)
    announced = done(archive, layout, "--dry-run")
    assert announced.count("(to show the lines takes diff, of the package diffutils)") == 2
    assert "copy isotherm" in done(archive, layout)
    assert "nothing to do" in done(archive, layout)
    assert "copy isotherm" in done(unpacked(tmp_path / "same", jar=b"a jaR"), layout)
    said = done(archive, layout, "uninstall")
    assert f"restore in {layout.yaml}: a line less,endpoint_snitch: {SNITCH}\n" in said
    assert f"restore in {layout.options}: a line less\n" in said
    assert snapshot(layout.home) == before


def test_an_empty_file_of_options(archive: Path, layout: Layout) -> None:
    layout.options.write_text("")
    before = snapshot(layout.home)
    done(archive, layout)
    assert f"{HANDLER}dev.isotherm.IsothermQueryHandler" in layout.options.read_text().splitlines()
    done(archive, layout, "uninstall")
    assert snapshot(layout.home) == before
