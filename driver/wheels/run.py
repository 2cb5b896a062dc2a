# SPDX-License-Identifier: Apache-2.0
"""One run: makes each wheel and tries it, but for what an earlier run has done of the same; goes on after faults."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import building
from environments import environment_of, environment_of_musl
from kept import Kept, digest
from pythons import identity
from targets import Target
from trying import passes

HERE = Path(__file__).parent
PACKAGE = HERE.parent
#: What a wheel follows from beside the sdist.
RECIPE = [HERE / name for name in ("building.py", "environments.py", "requirements.txt", "targets.py")]
ROOT = PACKAGE.parent
#: What a trial follows from beside the wheel: the tests, what of the repository they read, and how they are run.
TRIAL = [PACKAGE / "tests", PACKAGE / "benchmarks", PACKAGE / "pyproject.toml", HERE / "environments.py"]
TRIAL += [HERE / "trying.py", HERE / "kept.py", PACKAGE / "setup.py", ROOT / "Makefile", ROOT / "pom.xml"]
TRIAL += [ROOT / "lab" / "pyproject.toml"]
TRIAL += [ROOT / "core" / "src" / "test" / "resources" / "dev" / "isotherm" / "heat" / "shares.txt"]
TRIAL += sorted(page for folder in (ROOT, ROOT / "docs", PACKAGE) for page in folder.glob("*.md"))


@dataclass
class Run:
    """The sdist's sources, a directory for what is made meanwhile, what is kept, and what was not as it should be."""

    sources: Path
    scratch: Path
    kept: Kept
    failed: list[str] = field(default_factory=list)
    _translating: dict[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._recipe = digest(
            self.sources, *RECIPE
        )  # now, as what is translated into C comes to lie beside the sources

    @contextmanager
    def part(self, what: str) -> Iterator[None]:
        """Say how long a part takes; what fails in it is noted, and the run goes on."""
        begun = time.monotonic()
        try:
            yield
        except (subprocess.CalledProcessError, LookupError, OSError) as problem:
            self.failed.append(f"{what}: {problem}")
        print(f"{what}: {time.monotonic() - begun:.0f} s", flush=True)

    def wheel(self, version: str, python: Path, target: Target) -> Path | None:
        """The wheel for one system and Python; None where it cannot be made or does not run on what its name says."""
        name, follows_from = f"{version}-{target.platform}", digest(self._recipe, identity(python))
        if not self.kept.has(name, follows_from):
            with self.part(f"wheel {name} made"):
                made = building.wheel(
                    self.sources, self._translator(version, python), version, target, self.scratch / name
                )
                if (system := building.runs_on(made, self.scratch)) == target.platform:
                    self.kept.keep(made, name, follows_from)
                else:
                    self.failed.append(f"{made.name} runs on {system}")
            shutil.rmtree(self.scratch / name, ignore_errors=True)
        return self.kept.file(name) if self.kept.has(name, follows_from) else None

    def _translator(self, version: str, python: Path) -> Path:
        """The Python that compiles for its version, with what a build requires."""
        if version not in self._translating:
            required = building.build_requirements(self.sources)
            self._translating[version] = environment_of(python, self.scratch / f"build-{version}", *required)
        return self._translating[version]

    def trials(self, wheel: Path, python: Path, libc: str, drivers: list[str]) -> None:
        """Run the unit tests with a wheel under a Python of its C library, with one driver after the other."""
        make = environment_of_musl if libc == "musl" else environment_of
        follows_from = digest(wheel, *TRIAL, identity(python))
        for driver in drivers:
            name = f"{wheel.name} with {driver}-driver"
            if self.kept.has(name, follows_from):
                continue
            with self.part(f"{name} tried"):
                if passes(wheel, python, driver, PACKAGE, self.scratch / "trial", make):
                    self.kept.note(name, follows_from)
                else:
                    self.failed.append(f"{name} fails unit tests")
