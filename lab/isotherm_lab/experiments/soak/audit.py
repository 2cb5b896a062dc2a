# SPDX-License-Identifier: Apache-2.0
"""All clients of a fault, and what their histories and the rows that are left are checked for."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cassandra import OperationTimedOut, ReadFailure, ReadTimeout, Unavailable
from cassandra.cluster import NoHostAvailable, Session
from cassandra.protocol import ConfigurationException
from cassandra.query import PreparedStatement

from isotherm_lab.experiments.soak.schema_changes import SchemaChanges
from isotherm_lab.load import add_clients, batch_clients, in_clients, limited_clients, register_clients, swap_clients
from isotherm_lab.load.add_clients import AddClients
from isotherm_lab.load.batch_clients import BatchClients
from isotherm_lab.load.in_clients import InClients
from isotherm_lab.load.limited_clients import LimitedClients
from isotherm_lab.load.recorded_load import Clients
from isotherm_lab.load.register_clients import RegisterClients
from isotherm_lab.load.swap_clients import SwapClients
from isotherm_lab.load.table_clients import TableClients
from isotherm_lab.measure import linearizable
from isotherm_lab.measure.histories import Operation, violations
from isotherm_lab.measure.history_account import lost, miscounted

#: The clients of which limits reject most with the plugin, and nothing without.
_LIMITED = "limited"
#: Each fault has keys of its own: its histories begin with registers and counters at 0.
_KEYS_APART = 1000
_SHOWN = 10
_ANSWERS_S = 60
#: After these the cluster is asked again.
_NOT_NOW = (ReadTimeout, ReadFailure, Unavailable, OperationTimedOut, NoHostAvailable, ConfigurationException)


def create_tables(session: Session, options: str, scarce: str) -> None:
    """Create the tables of all clients; `scarce`: the options of the one whose limit rejects most of what is asked."""
    for table in (register_clients.TABLE, swap_clients.TABLE, batch_clients.TABLE, in_clients.TABLE):
        session.execute(f"CREATE TABLE {table} (key bigint PRIMARY KEY, value bigint){options}")
    for table, own in ((add_clients.TABLE, options), (limited_clients.TABLE, scarce)):
        session.execute(f"CREATE TABLE {table} (key bigint PRIMARY KEY, value counter){own}")


class Mix:
    """The clients of one fault; `place` is the fault's."""

    def __init__(self, place: int, seed: int, schema_changes: str | None, tables: int = 0):
        """`schema_changes`: the options of the table that is created and dropped; None: no table is.

        `tables`: how many more there are, with clients of their own.
        """
        first = place * _KEYS_APART
        self.registers = RegisterClients(seed, first)
        self.swaps = SwapClients(seed + 100, first)
        self.adds = AddClients(seed + 200, first)
        self.batches = BatchClients(first)
        self.many = InClients(first)
        self.limited = LimitedClients(seed + 300, first)
        self.changes = None if schema_changes is None else SchemaChanges(schema_changes)
        self.tables = TableClients(tables, first) if tables else None

    def clients(self) -> dict[str, Clients]:
        """Return all of them, by name."""
        named: dict[str, Clients] = {"registers": self.registers, "transactions": self.swaps, "counters": self.adds,
                                     "batches": self.batches, "many partitions": self.many,
                                     _LIMITED: self.limited}  # fmt: skip
        return named | {name: each for name, each in (("schema", self.changes), ("many tables", self.tables)) if each}

    def audit(self, session: Session) -> dict[str, Any]:
        """Return what was done, what failed, and what is wrong; the session reads at QUORUM, as clients do."""
        registers, swaps = self.registers.history.so_far(), self.swaps.history.so_far()
        tables = self.tables.history.so_far() if self.tables else []
        verdict = linearizable.check({"registers": registers, "transactions": swaps, "tables": tables})
        counted = _values(session, add_clients.TABLE, self.adds.keys)
        pairs = _values(
            session, batch_clients.TABLE, [row for key in self.batches.keys for row in batch_clients.rows(key)]
        )
        batches = self.batches.history.so_far()
        sentences = [f"{name} is not linearizable" for name in verdict.broken]
        sentences += violations(registers) + violations(tables)
        sentences += miscounted(self.adds.history.so_far(), counted)
        scarce = _values(session, limited_clients.TABLE, self.limited.keys)
        sentences += miscounted(self.limited.let_through(), scarce)
        for side in (0, 1):
            sentences += lost(batches, {key: pairs[batch_clients.rows(key)[side]] for key in self.batches.keys})
        sentences += self.many.violations
        sentences += self.changes.violations if self.changes else []
        histories = {name: each.history.so_far() for name, each in self.clients().items()}
        return account(histories) | {
            "violations": len(sentences),
            "undecided": len(verdict.undecided),
            "untouched": self.tables.untouched() if self.tables else 0,
            "rejected": self.limited.rejected(),
            "sentences": sentences[:_SHOWN],
        }


def account(histories: Mapping[str, Sequence[Operation]]) -> dict[str, Any]:
    """Return how many operations there were, how many failed, and how: altogether and by kind of client.

    Those of all but the limited clients are told apart: what a limit rejects is answered without being done, while
    plain Cassandra does it, so that there more can fail.
    """
    failed = {name: [each for each in own if not each.succeeded] for name, own in histories.items()}
    errors = {name: Counter(each.error.partition(":")[0] for each in own) for name, own in failed.items()}
    return {
        "operations": sum(map(len, histories.values())),
        "failed": sum(map(len, failed.values())),
        "unlimited_operations": sum(len(own) for name, own in histories.items() if name != _LIMITED),
        "unlimited_failed": sum(len(own) for name, own in failed.items() if name != _LIMITED),
        "clients": {
            name: {"operations": len(own), "failed": len(failed[name]), "errors": dict(errors[name])}
            for name, own in histories.items()
        },
    }


def _values(session: Session, table: str, keys: Sequence[int]) -> dict[int, int]:
    select = session.prepare(f"SELECT value FROM {table} WHERE key = ?")
    rows = {key: _answered(session, select, key) for key in keys}
    return {key: row.value if row else 0 for key, row in rows.items()}


def _answered(session: Session, select: PreparedStatement, key: int) -> Any:
    """Return the row: what is audited is what the cluster holds, and not how soon after a fault it answers.

    Nor whether a limit admits the question: right after its clients a partition may have no reads left.
    """
    deadline = time.monotonic() + _ANSWERS_S
    while True:
        try:
            return session.execute(select, (key,)).one()
        except _NOT_NOW:
            if time.monotonic() > deadline:
                raise
            time.sleep(1)
