# SPDX-License-Identifier: Apache-2.0
"""The plugin's failures are found in the logs of nodes that died, left or were replaced, too."""

from pathlib import Path

from isotherm_lab.experiments.soak.logged_failures import LoggedFailures

FAILURE = """WARN  [MutationStage-1] 2026-01-01 00:00:00,000 dev.isotherm - A read was sent uncounted: broken
java.lang.IllegalStateException: broken
\tat dev.isotherm.Somewhere.something(Somewhere.java:1)
\tat dev.isotherm.Somewhere.other(Somewhere.java:2)
"""
FOREIGN = (
    "WARN  [GossipStage:1] 2026-01-01 00:00:01,000 dev.isotherm"
    " - A heat report was malformed and is ignored, from /127.0.0.2:7000: version 3\n"
)
STOCK = """WARN  [main] 2026-01-01 00:00:02,000 o.a.c.utils.Something - no
java.lang.RuntimeException: no
\tat org.apache.cassandra.Other.thing(Other.java:1)
"""


def log_of(directory: Path, node: str) -> Path:
    log = directory / node / "logs" / "system.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    return log


def test_a_failure_is_what_is_logged_with_its_stack(tmp_path: Path):
    log_of(tmp_path, "node1").write_text(FAILURE + FOREIGN + STOCK + FAILURE)
    log_of(tmp_path, "node2").write_text(STOCK + FOREIGN)
    failures = LoggedFailures(tmp_path)
    assert failures.take() == 2
    assert failures.take() == 0


def test_it_is_read_on_from_line_to_line(tmp_path: Path):
    log = log_of(tmp_path, "node1")
    failures = LoggedFailures(tmp_path)
    for end in range(len(FAILURE) + 1):
        log.write_text(STOCK + FAILURE[:end])
        failures.look()
    assert failures.take() == 1


def test_a_node_that_left_and_one_in_its_place_count(tmp_path: Path):
    log = log_of(tmp_path, "node4")
    failures = LoggedFailures(tmp_path)
    log.write_text(STOCK + FAILURE)
    failures.look()
    log.unlink()
    failures.look()
    log.write_text(FAILURE)
    assert failures.take() == 2
