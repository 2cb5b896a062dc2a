# SPDX-License-Identifier: Apache-2.0
"""Whether histories of registers are linearizable, as Porcupine decides it; built with Go when first asked."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from isotherm_lab.errors import LabError
from isotherm_lab.measure.histories import Operation
from isotherm_lab.paths import project_root, working_directory

_SOURCE = "lab/linearizable"
#: For one register; most take milliseconds.
_PATIENCE_S = 60.0
#: The first build downloads Porcupine.
_BUILD_S = 300.0


@dataclass(frozen=True)
class Verdict:
    """How many registers were checked, and the names of those that are not linearizable or could not be decided."""

    registers: int
    broken: tuple[str, ...]
    undecided: tuple[str, ...]


def checker() -> Path:
    """Return the program; LabError when there is no Go to build it with, or the build fails."""
    go = shutil.which("go")
    if go is None:
        raise LabError("Histories are checked by a program in Go: install it (Debian or Ubuntu: golang-go).")
    program = working_directory() / "linearizable"
    program.parent.mkdir(parents=True, exist_ok=True)
    try:
        # Go itself knows whether there is anything to build.
        done = subprocess.run(
            [go, "build", "-o", program, "."],
            cwd=project_root() / _SOURCE,
            capture_output=True,
            text=True,
            check=False,
            timeout=_BUILD_S,
        )
    except subprocess.TimeoutExpired as endless:
        raise LabError(
            f"Go did not build the checker of histories within {_BUILD_S:.0f} s: the first time it downloads Porcupine."
            f" See what `go build` in {_SOURCE} waits for, and run again."
        ) from endless
    if done.returncode != 0:
        raise LabError(f"Go could not build the checker of histories: {done.stderr.strip()[-500:]}")
    return program


def check(histories: Mapping[str, Sequence[Operation]], patience_s: float = _PATIENCE_S) -> Verdict:
    """Return the verdict on all keys of these histories; the key 3 of `swaps` is called swaps/3."""
    done = subprocess.run(
        [checker(), str(patience_s)], input="".join(_lines(histories)), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise LabError(f"The checker of histories failed: {done.stderr.strip()[-500:]}")
    found = json.loads(done.stdout)
    return Verdict(found["registers"], tuple(found["broken"]), tuple(found["undecided"]))


def _lines(histories: Mapping[str, Sequence[Operation]]) -> Iterator[str]:
    for name, history in histories.items():
        for each in history:
            content = {
                "register": f"{name}/{each.key}", "kind": each.kind, "value": each.value, "expected": each.expected,
                "applied": each.applied, "known": each.succeeded,
                "began": round(each.began * 1e9), "ended": round(each.ended * 1e9),
            }  # fmt: skip
            yield json.dumps(content) + "\n"
