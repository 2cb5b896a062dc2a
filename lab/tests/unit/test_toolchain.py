# SPDX-License-Identifier: Apache-2.0
"""What toolchain.sh does where there is no JDK or no Python that it accepts, on a machine of stand-ins."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from isotherm_lab.paths import project_root

JDK = "openjdk-17-jdk-headless"


@pytest.fixture
def machine(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess]:
    """What runs the script where Java is 21; `apt` is the JDK that apt has, `python` what python3 does."""
    bash = shutil.which("bash")
    for name in ("sed", "head"):
        (tmp_path / name).symlink_to(shutil.which(name))

    def run(apt: str, user: int = 0, python: str = "exit 0") -> subprocess.CompletedProcess:
        programs = {
            "mvn": "exit 0",
            "cc": "exit 0",
            "python3": python,
            "javac": "exit 0",
            "java": "echo >&2 'openjdk version \"21.0.7\" 2025-04-15'",
            "id": f"echo {user}",
            "apt-get": 'echo "apt-get $*"',
            "apt-cache": f'[ "$*" = "show {apt}" ] || exit 100',
        }
        for name, content in programs.items():
            (tmp_path / name).write_text(f"#!{bash}\n{content}\n")
            (tmp_path / name).chmod(0o755)
        return subprocess.run(
            [bash, project_root() / "toolchain.sh"], env={"PATH": str(tmp_path)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def test_the_jdk_that_apt_has_is_installed(machine):
    ran = machine(JDK)
    assert ran.stdout.splitlines()[1:] == ["apt-get update -q", f"apt-get install -y --no-install-recommends {JDK}"]
    # The stand-in installs nothing.
    assert (ran.returncode, "neither 11 nor 17" in ran.stderr) == (1, True)


def test_a_jdk_that_apt_has_not_is_named_with_what_to_do(machine):
    ran = machine("openjdk-21-jdk-headless")
    assert ran.returncode == 1
    assert "install" not in ran.stdout.replace("Installing", "")
    assert f"A JDK 17 is missing: apt has no {JDK} here" in ran.stderr
    assert "set JAVA_HOME to it and put its bin/ first on the PATH" in ran.stderr


def test_who_may_not_install_is_told_both_ways(machine):
    ran = machine(JDK, user=1000)
    assert ran.returncode == 1
    assert f"sudo apt-get install -y --no-install-recommends {JDK}" in ran.stderr
    assert "put another JDK 17 on the PATH and set JAVA_HOME to it" in ran.stderr


@pytest.mark.parametrize("there", [True, False])
def test_a_python_without_its_headers_lacks_what_the_driver_is_built_with(machine, tmp_path: Path, there: bool):
    headers = tmp_path / "include"
    headers.mkdir()
    if there:
        (headers / "Python.h").touch()
    asked = f'import sys, sysconfig; sysconfig.get_config_var = lambda name: "{headers}"; exec(sys.stdin.read())'
    ran = machine(JDK, user=1000, python=f"exec {sys.executable} -c '{asked}'")
    more = "" if there else " python3 python3-venv python3-dev"
    assert f"Missing here: {JDK}{more} (Debian's names)." in ran.stderr
