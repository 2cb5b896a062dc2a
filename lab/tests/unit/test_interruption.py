# SPDX-License-Identifier: Apache-2.0
"""What signals do to a process that has things to stop."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

#: Says what it does: it begins, and it stops what it started when it is interrupted. A second signal comes meanwhile.
PROGRAM = """
import os, signal, sys, time
from isotherm_lab.interruption import stop_on_signals
# Not what the tests themselves were started with.
signal.signal(signal.SIGHUP, signal.SIG_IGN if "ignored" in sys.argv else signal.SIG_DFL)
stop_on_signals()
try:
    print("begun", flush=True)
    sys.stdin.readline()
    print("went on", flush=True)
except KeyboardInterrupt:
    if "twice" in sys.argv:
        os.kill(os.getpid(), signal.SIGHUP)
    print("stopped", flush=True)
"""


@pytest.fixture
def begun() -> Iterator[Callable[..., subprocess.Popen]]:
    """What starts the program, which has begun when it is returned."""
    started: list[subprocess.Popen] = []

    def start(*arguments: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout.readline() == "begun\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_it_in_order(begun, number: signal.Signals):
    process = begun()
    process.send_signal(number)
    assert process.stdout.readline() == "stopped\n"
    assert process.wait(30) == 0


def test_a_terminal_that_closes_twice_does_not_interrupt_the_stopping(begun):
    process = begun("twice")
    process.send_signal(signal.SIGHUP)
    assert process.stdout.readline() == "stopped\n"
    assert process.wait(30) == 0


def test_what_is_to_outlive_its_terminal_goes_on(begun):
    process = begun("ignored")
    process.send_signal(signal.SIGHUP)
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "went on\n"
    process.send_signal(signal.SIGHUP)
    assert process.wait(30) == 0
