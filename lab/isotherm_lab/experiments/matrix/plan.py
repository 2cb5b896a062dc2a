# SPDX-License-Identifier: Apache-2.0
"""Which releases of Cassandra the matrix has, and which tests each of them takes."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from isotherm_lab.cluster import releases
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.options import FirstAddress

NAME = "matrix"
#: The marks of the integration tests: on releases that the plugin knows, and on all others.
CONTRACT, OUT_OF_THE_WAY = "contract", "out_of_the_way"
#: Releases, and ranges in Maven's notation of which the newest release is meant.
RELEASES = (
    "5.0.0",
    "5.0.5",
    "5.0.6",
    "[5.0.0,5.1-alpha)",
    "[4.0.0,4.1-alpha)",
    "4.1.0",
    "4.1.6",
    "[4.1.6,4.2-alpha)",
    "[6.0-alpha,6.1-alpha)",
)
_RANGE = re.compile(r"\[\S+,\S+\)")
#: About how long a suite takes.
_SECONDS = {CONTRACT: 900, OUT_OF_THE_WAY: 150}


@dataclass(frozen=True)
class Plan:
    """A run of the matrix."""

    releases: tuple[str, ...] = RELEASES
    first_address: int = 1
    #: The Markdown file that gets the table; None: none.
    document: Path | None = None

    def expected_s(self) -> float:
        """Return about how long it takes."""
        return sum(expected_s(release) for release in self.releases)


def suite_of(release: str) -> str:
    """Return the mark of the tests that a release takes; of a range, its first release."""
    return CONTRACT if releases.is_known(release.lstrip("[").partition(",")[0]) else OUT_OF_THE_WAY


def expected_s(release: str) -> float:
    """Return about how long the tests of a release take."""
    return _SECONDS[suite_of(release)]


def _release(text: str) -> str:
    if not _RANGE.fullmatch(text):
        try:
            releases.checked(text)
        except LabError as error:
            raise typer.BadParameter(str(error)) from None
    return text


def planned(
    chosen: Annotated[
        list[str] | None,
        typer.Option(
            "--release",
            parser=_release,
            help="Which release, or the newest of a range such as '[4.1.6,4.2-alpha)'; may be repeated.",
        ),
    ] = None,
    document: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="A Markdown file with the marks for the table."),
    ] = None,
    first_address: FirstAddress = 1,
) -> Plan:
    """Return what these options ask for; without a release all of them."""
    return Plan(tuple(chosen) if chosen else RELEASES, document=document, first_address=first_address)
