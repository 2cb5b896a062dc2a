# SPDX-License-Identifier: Apache-2.0
"""What a node has done on its own storage, as Cassandra counts it."""

from shared_cluster import SharedCluster


def work_done(cluster: SharedCluster, index: int) -> dict[tuple[str, str], int]:
    """Return what a node has read and written locally for the tests' tables, its batch log and its ballots."""
    session = cluster.session(index)
    work = {}
    for view in ("local_read_latency", "local_write_latency"):
        for row in session.execute(f"SELECT keyspace_name, table_name, count FROM system_views.{view}"):
            if row.keyspace_name == "lab" or (row.keyspace_name, row.table_name) in {
                ("system", "batches"), ("system", "paxos")
            }:  # fmt: skip
                work[view, row.table_name] = row.count
    return work
