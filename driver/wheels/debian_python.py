# SPDX-License-Identifier: Apache-2.0
"""A Python that the system has not got, from Debian's packages, unpacked into a directory of its own."""

import shutil
import subprocess
from pathlib import Path

from debian import Apt

LIBRARIES = "usr/lib/x86_64-linux-gnu"


def unpacked(version: str, where: Path, patchelf: Path) -> Path:
    """The interpreter of a version as `3.14`; LookupError where apt, or Debian, has it not."""
    Apt(where / "apt").unpack(where, f"python{version}", f"python{version}-dev", "libc6")
    # Debian's pyconfig.h leads to one for each processor. What they say differently concerns no extension module.
    headers = where / "usr" / "include"
    shutil.copy(headers / "x86_64-linux-gnu" / f"python{version}" / "pyconfig.h", headers / f"python{version}")
    interpreter, libraries = where / "usr" / "bin" / f"python{version}", where / LIBRARIES
    loader = libraries / "ld-linux-x86-64.so.2"
    subprocess.run(
        [str(patchelf), "--set-interpreter", str(loader), "--force-rpath", "--set-rpath", str(libraries),
         str(interpreter)], check=True,
    )  # fmt: skip
    return interpreter
