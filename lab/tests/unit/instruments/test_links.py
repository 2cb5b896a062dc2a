# SPDX-License-Identifier: Apache-2.0
"""What is missing is found in compiled classes: a class, a member, and a method that nobody implements."""

import subprocess
import zipfile
from pathlib import Path

import pytest
from class_files import parsed
from links import missing

RELEASE = {
    "Base": "public class Base { public long here; public void inherited() { } }",
    "Node": "public class Node extends Base { static final long L = 1L << 40; public void asked(int[] each) { } }",
    "Contract": "public interface Contract { void promised(); default void more() { } }",
    "Gone": "public class Gone { }",
}
OWN = """public class Plugin extends Node implements Contract {
    public void promised() { inherited(); asked(new int[1]); here++; new Object().hashCode(); toString(); }
    Object other() { return new Gone(); }
}"""


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The jar of a class that was compiled against the whole release."""
    return jar(tmp_path_factory.mktemp("plugin"), RELEASE | {"Plugin": OWN}, only="Plugin")


def jar(folder: Path, sources: dict[str, str], only: str | None = None) -> Path:
    for name, source in sources.items():
        (folder / f"{name}.java").write_text(source)
    subprocess.run(["javac", *(f"{name}.java" for name in sources)], cwd=folder, check=True)
    made = folder / "classes.jar"
    with zipfile.ZipFile(made, "w") as archive:
        for name in [only] if only else sources:
            archive.write(folder / f"{name}.class", f"{name}.class")
    return made


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({}, []),
        ({"Base": "public class Base { public void inherited() { } }"}, ["Plugin.here J"]),
        ({"Base": "public class Base { public int here; public void inherited() { } }"}, ["Plugin.here J"]),
        ({"Base": "public class Base { public long here; }"}, ["Plugin.inherited ()V"]),
        ({"Node": "public class Node extends Base { public void asked(long[] each) { } }"}, ["Plugin.asked ([I)V"]),
        ({"Gone": None}, ["Gone"]),
        ({"Contract": "public interface Contract { void promised(); void more(); }"},
         ["Plugin does not implement more ()V"]),
    ],
)  # fmt: skip
def test_what_the_release_lacks_is_named(plugin: Path, tmp_path: Path, changes: dict, lines: list[str]):
    release = jar(tmp_path, {name: source for name, source in (RELEASE | changes).items() if source})
    assert sorted(missing(str(plugin), [str(release)])) == lines


def test_what_is_no_class_is_refused():
    with pytest.raises(ValueError, match="no class file"):
        parsed(b"\x00" * 10)
