# SPDX-License-Identifier: Apache-2.0
"""The contract of permissions on plain Cassandra, which knows neither the option nor the virtual tables."""

from collections.abc import Iterator

import pytest
from cassandra import InvalidRequest
from cassandra.protocol import SyntaxException
from operators_page import revocation
from permission_contract import LIMIT, PermissionContract
from roles import Roles, roles_on_one_node


@pytest.fixture(scope="module")
def roles() -> Iterator[Roles]:
    with roles_on_one_node("cassandra") as roles:
        yield roles


class TestPermissionsOfCassandra(PermissionContract):
    """With plain Cassandra."""


@pytest.mark.parametrize("query", [LIMIT, LIMIT.replace("1000000", "-1")])
def test_the_option_is_unknown_to_who_may_alter_the_table(roles: Roles, query: str):
    with pytest.raises(SyntaxException, match="per_partition_rate_limit"):
        roles.superuser.execute(query)


def test_the_option_is_unknown_to_who_may_create_a_table(roles: Roles):
    with pytest.raises(SyntaxException, match="per_partition_rate_limit"):
        roles.superuser.execute(
            "CREATE TABLE lab.own (key bigint PRIMARY KEY) WITH per_partition_rate_limit = {'max_reads_per_second': 1}"
        )


def test_the_virtual_tables_are_unknown(roles: Roles):
    with pytest.raises(InvalidRequest):
        roles.superuser.execute("SELECT * FROM isotherm.heat")


def test_what_was_granted_on_the_virtual_tables_cannot_be_taken_back(roles: Roles):
    """Why the operator's page has it taken back before the plugin is removed."""
    with pytest.raises(InvalidRequest, match=r"Resource <table isotherm\.settings> doesn't exist"):
        roles.superuser.execute(revocation()[1].format(table="settings", role="reader"))
