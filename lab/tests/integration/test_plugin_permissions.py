# SPDX-License-Identifier: Apache-2.0
"""The contract of permissions on a node with the plugin, and who may use the plugin's own tables and option."""

from collections.abc import Iterator

import pytest
from permission_contract import PermissionContract
from plugin_permissions import PluginPermissions
from plugin_views import LogMark, counts
from roles import WITH_AUTHORISATION, Roles, roles_of
from single_node import single_node


@pytest.fixture(scope="module")
def roles() -> Iterator[Roles]:
    with single_node("isotherm", WITH_AUTHORISATION) as cluster:
        cluster.start()
        with roles_of(cluster) as roles:
            yield roles


class TestPermissions(PermissionContract, PluginPermissions):
    """On one node; test_secured_cluster.py has the same on three that speak TLS."""


def test_nothing_of_ours_failed(roles: Roles):
    assert counts(roles.superuser)["Failures"] == 0
    assert LogMark(roles.cluster.nodes[0], 0).complaints() == []
