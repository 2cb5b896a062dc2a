# SPDX-License-Identifier: Apache-2.0
"""What a node is compared with that is measured with the plugin and without it: the plugin serves no request there."""

from contextlib import ExitStack

import pytest
from cassandra import ConsistencyLevel
from cassandra.protocol import ConfigurationException, SyntaxException
from coordinators import pinned
from plugin_views import counts
from single_node import single_node

from isotherm_lab.cluster import jvm

pytestmark = pytest.mark.long

LIMIT = "ALTER TABLE lab.closed WITH per_partition_rate_limit = {'max_reads_per_second': 0}"


def test_requests_pass_by_the_plugin_until_it_is_put_in_again():
    with (
        # Nothing but the plugin hears of latencies.
        single_node("isotherm", properties={jvm.PLUG: "true"}, dynamic_snitch=False) as cluster,
        ExitStack() as last,
    ):
        cluster.start()
        session = pinned(cluster.nodes[0].address, level=ConsistencyLevel.ONE)
        last.callback(session.cluster.shutdown)
        session.execute("CREATE KEYSPACE lab WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        session.execute("CREATE TABLE lab.closed (key bigint PRIMARY KEY, value bigint)")
        session.execute(LIMIT)
        read = session.prepare("SELECT value FROM lab.closed WHERE key = 1")
        with pytest.raises(ConfigurationException):
            session.execute(read)

        for _ in range(2):  # a second order to take out what is out changes nothing
            cluster.order("plug", "out")
        session.execute(read)
        with pytest.raises(SyntaxException):
            session.execute(LIMIT)

        cluster.order("plug", "in")
        with pytest.raises(ConfigurationException):
            session.execute(read)
        session.execute(LIMIT)
        assert counts(session)["Failures"] == 0
