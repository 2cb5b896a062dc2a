# SPDX-License-Identifier: Apache-2.0
"""A program that uses a cluster through our policies; it does what it is told on stdin and reports on stdout.

It runs under either driver, each in a process of its own: both drivers install the module `cassandra`, so one process
can have only one of them. A command is one line of JSON, `[name, arguments]`; so is the answer.
"""

import json
import sys
import threading
import traceback
from collections import Counter
from typing import Any

import cassandra
from cassandra import ConsistencyLevel
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.metadata import TokenMap
from cassandra.policies import ConstantReconnectionPolicy, FallthroughRetryPolicy, HostStateListener
from cassandra.query import dict_factory

import isotherm_driver
from isotherm_driver import (
    DCAwareRoundRobinPolicy,
    DefaultLoadBalancingPolicy,
    HostFilterPolicy,
    RackAwareRoundRobinPolicy,
    RoundRobinPolicy,
    TokenAwarePolicy,
    WhiteListRoundRobinPolicy,
)
from isotherm_driver.node_reports import NodeReports, ReportReader

WAIT_SECONDS = 60
#: How long a change of the schema may take: nodes flush its tables first, on one disk.
SCHEMA_S = 120
DC, RACK = "dc1", "rack1"


class HostStates(HostStateListener):
    """Remembers which hosts the driver says are up, and lets a thread wait for a change."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._up: set[str] = set()

    def on_up(self, host: Any) -> None:
        with self._changed:
            self._up.add(host.address)
            self._changed.notify_all()

    def on_down(self, host: Any) -> None:
        with self._changed:
            self._up.discard(host.address)
            self._changed.notify_all()

    on_add, on_remove = on_up, on_down

    def wait_for(self, address: str, up: bool) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: (address in self._up) is up, WAIT_SECONDS)


def profile(policy: Any) -> ExecutionProfile:
    return ExecutionProfile(
        load_balancing_policy=policy,
        retry_policy=FallthroughRetryPolicy(),
        consistency_level=ConsistencyLevel.QUORUM,
        serial_consistency_level=ConsistencyLevel.SERIAL,
        request_timeout=20,
    )


def of_node(address: str, of_one: ExecutionProfile) -> Cluster:
    """Return a Cluster object for one node, which may be slow to tell its schema."""
    return Cluster(
        [address],
        execution_profiles={EXEC_PROFILE_DEFAULT: of_one},
        protocol_version=4,
        connect_timeout=15,
        control_connection_timeout=30,
    )


class Client:
    """One Cluster object with an execution profile for each policy."""

    def __init__(self, addresses: list[str]):
        self.states = HostStates()
        self.cluster = Cluster(
            addresses[:1],
            execution_profiles={
                EXEC_PROFILE_DEFAULT: profile(TokenAwarePolicy(DCAwareRoundRobinPolicy(DC))),
                "default": profile(DefaultLoadBalancingPolicy(TokenAwarePolicy(DCAwareRoundRobinPolicy(DC)))),
                "token": profile(TokenAwarePolicy(DCAwareRoundRobinPolicy(DC), shuffle_replicas=True)),
                "rack": profile(TokenAwarePolicy(RackAwareRoundRobinPolicy(DC, RACK))),
                "round": profile(RoundRobinPolicy()),
                "filter": profile(HostFilterPolicy(DCAwareRoundRobinPolicy(DC), lambda h: h.address != addresses[0])),
                "white": profile(WhiteListRoundRobinPolicy(addresses[1:2])),
            },
            reconnection_policy=ConstantReconnectionPolicy(0.5, max_attempts=None),
            connect_timeout=15,
            # Afterwards a statement returns as if the nodes agreed.
            max_schema_agreement_wait=SCHEMA_S,
            control_connection_timeout=30,
            protocol_version=4,
        )
        self.cluster.register_listener(self.states)
        self.session = self.cluster.connect(wait_for_all_pools=True)
        for address in addresses:
            if not self.states.wait_for(address, True):
                raise TimeoutError(f"{address} did not come up")
        self._prepared: dict[str, Any] = {}

    def about(self) -> dict:
        """Say which driver this is, and that the policies are the native ones over a real token map."""
        return {
            "driver": "scylla" if hasattr(self.cluster.metadata, "_tablets") else "cassandra",
            "version": cassandra.__version__,
            "policies": isotherm_driver.__name__,
            "token_map": isinstance(self.cluster.metadata.token_map, TokenMap),
        }

    def create(self, keyspace: str, factor: int) -> None:
        self.session.execute(
            f"CREATE KEYSPACE {keyspace} WITH replication = {{'class': 'NetworkTopologyStrategy', '{DC}': {factor}}}",
            timeout=SCHEMA_S,
        )
        # A coordinator that has not yet noticed a dead replica must not wait for it: always ask one more.
        self.session.execute(
            f"CREATE TABLE {keyspace}.t (key int PRIMARY KEY, value int) WITH speculative_retry = 'ALWAYS'",
            timeout=SCHEMA_S,
        )

    def alter(self, keyspace: str, factor: int) -> None:
        self.session.execute(
            f"ALTER KEYSPACE {keyspace} WITH replication = {{'class': 'NetworkTopologyStrategy', '{DC}': {factor}}}",
            timeout=SCHEMA_S,
        )

    def execute(self, query: str, rows: list[list], name: str | None = None) -> dict:
        """Execute the prepared statement for each row: who coordinated, who might have, what came back, what failed."""
        if query not in self._prepared:
            self._prepared[query] = self.session.prepare(query)
        answers, coordinators, owners, errors = [], [], [], []
        for row in rows:
            bound = self._prepared[query].bind(row)
            found = self.cluster.metadata.get_replicas(bound.keyspace, bound.routing_key)
            future = self.session.execute_async(bound, execution_profile=name or EXEC_PROFILE_DEFAULT)
            try:
                answers.append([list(each) for each in future.result()])
            except Exception as error:
                errors.append(repr(error))
            coordinators.append(future.coordinator_host.address if future.coordinator_host else None)
            owners.append([each.address for each in found])
        return {"answers": answers, "coordinators": coordinators, "owners": owners, "errors": errors}

    def plans(self, name: str, count: int) -> dict:
        """Drain plans without a query; return how often each host was in one."""
        policy = self.cluster.profile_manager.profiles[name].load_balancing_policy
        return dict(Counter(each.address for _ in range(count) for each in policy.make_query_plan()))

    def set_floor(self, address: str, value: str) -> None:
        """Change the miss floor of one node while it runs."""
        of_one = ExecutionProfile(load_balancing_policy=WhiteListRoundRobinPolicy([address]), request_timeout=20)
        with of_node(address, of_one) as cluster:
            cluster.connect().execute(f"UPDATE isotherm.settings SET value = '{value}' WHERE name = 'heat.miss_floor'")

    def reported(self, address: str, keyspace: str, table: str) -> dict:
        """What the policies know of a table by the reports of one node, and what that node's views say meanwhile.

        `before` and `after` are the rows of the heat's view: between them the reader has read. The session has its rows
        as dictionaries.
        """
        view = (
            "SELECT replica, source, hit_ratio, read_time_us, cost_us FROM isotherm.heat"
            f" WHERE keyspace_name = '{keyspace}' AND table_name = '{table}'"
        )
        of_one = ExecutionProfile(
            load_balancing_policy=WhiteListRoundRobinPolicy([address]), request_timeout=20, row_factory=dict_factory
        )
        with of_node(address, of_one) as cluster:
            session = cluster.connect()

            def rows() -> list[list]:
                return sorted([str(row.pop("replica")), *row.values()] for row in session.execute(view))

            hosts = sorted(self.cluster.metadata.all_hosts(), key=lambda host: host.address)
            reports = NodeReports()
            reports.miss_ratios(keyspace, table, hosts)  # as a plan does, so that the reader asks for the table
            before = rows()
            assert ReportReader(session, reports).read()
            after = rows()
            queues = session.execute("SELECT address, estimate FROM isotherm.queues")
            floors = session.execute("SELECT value FROM isotherm.settings WHERE name = 'heat.miss_floor'")
            return {
                "before": before,
                "after": after,
                "misses": reports.miss_ratios(keyspace, table, hosts),
                "queues": sorted([str(row["address"]), row["estimate"]] for row in queues),
                "floor": reports.miss_floor,
                "floors": [row["value"] for row in floors],
                "depths": [[host.address, reports.depth_of(host)] for host in hosts],
            }

    def wait(self, address: str, up: bool) -> bool:
        return self.states.wait_for(address, up)

    def close(self) -> None:
        self.cluster.shutdown()


def main() -> None:
    client = Client(sys.argv[1:])
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        name, arguments = json.loads(line)
        try:
            answer = {"result": getattr(client, name)(**arguments)}
        except Exception:
            answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), flush=True)
        if name == "close":
            return


if __name__ == "__main__":
    main()
