# SPDX-License-Identifier: Apache-2.0
"""A process that loads the installed driver with one name renamed, and compares this package's plans with the driver's.

Prints one line of JSON: how often the name was replaced, which plans were wrong, and the lines logged, by policy.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import logging
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

OLD = sys.argv[1]
NEW = f"{OLD}_of_a_new_release"
REPLACED = 0


class Renaming(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the modules of `cassandra` from their sources, with one name renamed, also where compiled ones exist."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith("cassandra.") or path is None:
            return None
        source = Path(path[0]) / f"{name.rpartition('.')[2]}.py"
        if not source.exists():
            return None
        return importlib.util.spec_from_file_location(name, source, loader=self)

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        global REPLACED
        text = Path(str(module.__file__)).read_text(encoding="utf-8")
        text, times = re.subn(rf"\b{re.escape(OLD)}\b", NEW, text)
        # What is Python's own keeps its name there.
        text = re.sub(
            r"^from random import .*$", lambda line: line[0].replace(NEW, f"{OLD} as {NEW}"), text, flags=re.M
        )
        REPLACED += times
        exec(compile(text, str(module.__file__), "exec"), module.__dict__)


class Lines(logging.Handler):
    """Keeps what the package logs."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("isotherm_driver"):
            self.lines.append(record.getMessage())

    def taken(self) -> list[str]:
        """Return the lines since the last call."""
        lines, self.lines = self.lines, []
        return lines


LINES = Lines()
logging.getLogger().addHandler(LINES)
sys.meta_path.insert(0, Renaming())

from cassandra import ConsistencyLevel  # noqa: E402
from cassandra import policies as driver  # noqa: E402
from topology import IS_SCYLLA, KEYSPACE, TABLE, drained, grid, grown, ring_of, statement  # noqa: E402

import isotherm_driver  # noqa: E402
from isotherm_driver.explaining import explain  # noqa: E402
from isotherm_driver.queue_aware import QueueAwarePolicy  # noqa: E402


def wrong_plans(ring: Any, hosts: list) -> list:
    """Return each plan that has other hosts than the driver's, or other ones first."""
    sides, wrong = [], []
    for module in (driver, isotherm_driver):
        child = module.DCAwareRoundRobinPolicy("dc1", 1)
        sides.append(grown(module.TokenAwarePolicy(child, shuffle_replicas=False), ring, hosts))
    for number in range(40):
        key = bytes([number])
        for more in ({}, {"consistency_level": ConsistencyLevel.ONE}, {"lwt": True}):
            theirs, ours = (drained(side, statement(key, **more)) for side in sides)
            if sorted(map(str, theirs)) != sorted(map(str, ours)) or set(theirs[:2]) != set(ours[:2]):
                wrong.append([str(theirs), str(ours)])
    sides[1].shuffle_replicas = True
    drained(sides[1], statement(b"a"))
    return wrong


def wrong_explanations(ring: Any, hosts: list) -> list:
    """Return each explanation that has other hosts than the driver's plan."""
    wrong = []
    theirs = grown(driver.TokenAwarePolicy(driver.DCAwareRoundRobinPolicy("dc1", 1)), ring, hosts)
    for kind in (isotherm_driver.TokenAwarePolicy, lambda child: QueueAwarePolicy(child, affinity=True)):
        ours = grown(kind(isotherm_driver.DCAwareRoundRobinPolicy("dc1", 1)), ring, hosts)
        for number in range(10):
            query = statement(bytes([number]))
            explained = [choice.host for choice in explain(ours, query)]
            if sorted(map(str, explained)) != sorted(map(str, drained(theirs, query))):
                wrong.append(["explained", *map(str, explained)])
        LINES.taken()  # each policy says once that it goes the driver's way
    return wrong


def strongly_consistent_tablet(ring: Any, hosts: list) -> None:
    """Make one tablet of the whole ring, whose first replica leads; by names that may be renamed."""
    from cassandra.tablets import Tablet

    tablets = next(value for name, value in vars(ring.metadata).items() if name.startswith("_tablets"))
    tablets.add_tablet(KEYSPACE, TABLE, Tablet(-(2**63), 2**63 - 1, [(each.host_id, 0) for each in hosts], 7))
    described = ring.metadata.keyspaces[KEYSPACE]
    for name in [name for name in vars(described) if name.startswith("_consistency_mode")]:
        setattr(described, name, type(getattr(described, name)).GLOBAL)


def main() -> None:
    logged = [LINES.taken()]  # when the package was imported
    hosts = grid(2, 1, 4)
    ring = ring_of(hosts, factor=2)
    wrong = wrong_plans(ring, hosts)
    logged.append(LINES.taken())
    if IS_SCYLLA:
        ring = ring_of(hosts, factor=2)
        strongly_consistent_tablet(ring, [hosts[2], hosts[1]])
        wrong += wrong_plans(ring, hosts)
        logged.append(LINES.taken())
    wrong += wrong_explanations(ring, hosts)
    print(json.dumps({"replaced": REPLACED, "wrong": wrong, "logged": logged}))


main()
