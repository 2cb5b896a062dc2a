# SPDX-License-Identifier: Apache-2.0
"""Tells a person how far an experiment is."""

import time
from collections.abc import Callable
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class Listener(Protocol):
    """Hears what an experiment does."""

    def step(self, what: str, expected_s: float) -> None:
        """A step begins that should take about so long; the one before it has ended."""

    def note(self, sentence: str) -> None:
        """Something worth a word happened within the step."""


class Silent:
    """A listener that hears nothing: for tests and libraries."""

    def step(self, what: str, expected_s: float) -> None:
        """Ignore it."""

    def note(self, sentence: str) -> None:
        """Ignore it."""


class Bars:
    """A progress bar over a whole run, with the name of the step and the time left."""

    def __init__(self, console: Console, title: str, expected_s: float):
        self._progress = Progress(
            TextColumn("[bold]{task.fields[title]}[/]"), BarColumn(bar_width=28), TimeElapsedColumn(),
            TextColumn("left"), TimeRemainingColumn(compact=True), TextColumn("{task.description}"),
            console=console,
        )  # fmt: skip
        self._task = self._progress.add_task("", total=max(expected_s, 1.0), title=title)
        self._done = 0.0
        self._expected = 0.0
        self._began = time.monotonic()
        self._what = ""
        self._plain = not console.is_terminal
        self._console = console
        self._title = title

    def __enter__(self) -> "Bars":
        if not self._plain:
            self._progress.start()
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        if failure is None:
            self._progress.update(self._task, completed=self._progress.tasks[0].total, description="done")
        if not self._plain:
            self._progress.stop()

    def step(self, what: str, expected_s: float) -> None:
        """Show the step's name; its share of the bar is its expected time."""
        self._done += self._expected
        self._expected = expected_s
        self._began = time.monotonic()
        self._what = what
        if self._plain:
            self._console.print(f"{self._title}: {what} (about {expected_s:.0f} s)", highlight=False)
        self._show("")

    def note(self, sentence: str) -> None:
        """Show a word beside the step's name."""
        self._show(sentence)

    def _show(self, sentence: str) -> None:
        within = min(time.monotonic() - self._began, self._expected)
        text = f"{self._what}  [dim]{sentence}[/]" if sentence else self._what
        self._progress.update(self._task, completed=self._done + within, description=text)


def wait_until(moment: float, each: Callable[[], None], period_s: float = 0.5) -> None:
    """Sleep until time.time() is `moment`, calling `each` now and then."""
    while (left := moment - time.time()) > 0:
        each()
        time.sleep(min(left, period_s))
