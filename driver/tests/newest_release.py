# SPDX-License-Identifier: Apache-2.0
"""Runs the unit tests under the newest release of each driver, where it is newer than the one in the environment given.

That one is the oldest supported, and the tests run under it anyway. Where the package index is silent, nothing is run:
a machine without one can test all else, so that this is no failure, but the last line says what was not tested.
"""

import json
import subprocess
import sys
from pathlib import Path

DRIVER = Path(__file__).parents[1]
ROOT = DRIVER.parent


class IndexSilent(Exception):
    """The package index does not say what the newest release is."""


def newer_release(python: Path, driver: str) -> str | None:
    """The newest release of a driver that an environment does not have, or None; IndexSilent where nobody knows."""
    command = ["install", "--quiet", "--disable-pip-version-check", "--dry-run", "--upgrade", "--no-deps"]
    asked = subprocess.run(
        [str(python), "-m", "pip", *command, "--report", "-", driver], capture_output=True, text=True, check=False
    )
    if asked.returncode != 0:
        raise IndexSilent(asked.stderr.strip())
    found = [each["metadata"]["version"] for each in json.loads(asked.stdout)["install"]]
    if not found:
        print(f"{driver}: the tests have run under the newest release")
    return found[0] if found else None


def environment_of(driver: str, release: str) -> Path:
    """An environment with this release and the package; return its Python."""
    where = ROOT / f".venv-newest-{driver}"
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(where)], check=True)
    python = where / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, f"{driver}=={release}", "--editable", f"{DRIVER}[test]"], check=True)
    return python


def main() -> int:
    """Take the Python of each driver's environment, as `cassandra-driver=.venv/bin/python`; fail if a test does."""
    failed, untested = 0, []
    for argument in sys.argv[1:]:
        driver, _, python = argument.partition("=")
        try:
            release = newer_release(Path(python), driver)
        except IndexSilent as silent:
            print(f"{driver}: the package index does not answer\n{silent}", flush=True)
            untested.append(driver)
            continue
        if release is not None:
            print(f"{driver} {release}:", flush=True)
            tests = [str(environment_of(driver, release)), "-m", "pytest", str(DRIVER / "tests" / "unit")]
            failed += subprocess.run(tests, check=False).returncode != 0
    if untested:
        print(f"NOT TESTED under its newest release, which nobody could tell: {', '.join(untested)}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
