# SPDX-License-Identifier: Apache-2.0
"""The contract of permissions on a node with the plugin, and who may use the plugin's own tables and option."""

from collections.abc import Iterator

import pytest
from permission_contract import PermissionContract
from plugin_permissions import PluginPermissions
from plugin_views import LogMark, counts
from roles import Roles, roles_on_one_node


@pytest.fixture(scope="module")
def roles() -> Iterator[Roles]:
    with roles_on_one_node("isotherm") as roles:
        yield roles


class TestPermissions(PermissionContract, PluginPermissions):
    """On one node; test_secured_cluster.py has the same on three that speak TLS."""


def test_nothing_of_ours_failed(roles: Roles):
    assert counts(roles.superuser)["Failures"] == 0
    assert LogMark(roles.cluster.nodes[0], 0).complaints() == []
