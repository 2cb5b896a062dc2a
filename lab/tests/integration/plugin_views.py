# SPDX-License-Identifier: Apache-2.0
"""What the plugin of one node says of itself: its virtual tables and its lines in the log."""

import re
from dataclasses import dataclass
from typing import Any

from cassandra.cluster import Session

from isotherm_lab.cluster.node import Node

_ENTRY = re.compile(r"^(INFO|WARN|ERROR|DEBUG|TRACE) +\[")


def counts(session: Session) -> dict[str, int]:
    """Return isotherm.counts."""
    return {row.name: row.value for row in session.execute("SELECT name, value FROM isotherm.counts")}


def heat(session: Session, table: str) -> dict[str, Any]:
    """Return the rows of isotherm.heat of one table of the keyspace lab, by replica."""
    rows = session.execute("SELECT * FROM isotherm.heat WHERE keyspace_name = 'lab' AND table_name = %s", (table,))
    return {row.replica: row for row in rows}


def hit_ratios(session: Session, table: str) -> dict[str, float | None]:
    """Return the hit ratio believed of each replica."""
    return {replica: row.hit_ratio for replica, row in heat(session, table).items()}


def partition_limits(session: Session, table: str) -> dict[str, int | bool] | None:
    """Return the limits in force of one table of the keyspace lab; None when it has none."""
    row = session.execute(
        "SELECT max_reads_per_second, max_writes_per_second, dry_run FROM isotherm.partition_limits"
        " WHERE keyspace_name = 'lab' AND table_name = %s",
        (table,),
    ).one()
    return {name: value for name, value in row._asdict().items() if value is not None} if row else None


def hottest_partitions(session: Session, table: str) -> dict[str, Any]:
    """Return the rows of isotherm.hottest_partitions of one table of the keyspace lab, by the text of the key."""
    query = "SELECT * FROM isotherm.hottest_partitions WHERE keyspace_name = 'lab' AND table_name = %s"
    return {row.partition_key: row for row in session.execute(query, (table,))}


def change_setting(session: Session, name: str, value: str) -> None:
    """Change one setting on the session's node."""
    session.execute("UPDATE isotherm.settings SET value = %s WHERE name = %s", (value, name))


@dataclass(frozen=True)
class LogMark:
    """A place in a node's log."""

    node: Node
    offset: int

    @classmethod
    def end_of(cls, node: Node) -> "LogMark":
        """Return the present end."""
        log = node.directory / "logs" / "system.log"
        return cls(node, log.stat().st_size if log.is_file() else 0)

    def lines(self, logger: str) -> list[str]:
        """Return the entries since, of any level, that name this logger or whose stack trace leads into it."""
        with open(self.node.directory / "logs" / "system.log", "rb") as log:
            log.seek(self.offset)
            text = log.read().decode(errors="replace")
        entries: list[str] = []
        for line in text.splitlines():
            if _ENTRY.match(line) or not entries:
                entries.append(line)
            else:
                entries[-1] += "\n" + line
        return [entry for entry in entries if logger in entry]

    def complaints(self, logger: str = "dev.isotherm") -> list[str]:
        """Return what this logger has warned of since, or any logger whose stack trace leads into ours."""
        return [entry for entry in self.lines(logger) if entry.startswith(("WARN", "ERROR"))]
