# SPDX-License-Identifier: Apache-2.0
"""The order of the story and the cluster in which it happens.

One cluster of three nodes lives through all of it: the plugin on one node, installed on the others one by one, nodes
that restart and die, and the plugin's removal. A chapter (module) that is run alone brings the cluster to where it
begins.
"""

from collections.abc import Iterator

import pytest
from plugin_views import LogMark
from story import PLUGIN, STOCK, Story

from isotherm_lab.interruption import stop_on_sigterm

_CHAPTERS = [
    "test_histories",
    "test_configuration_mistakes",
    "test_permissions",
    "test_stock_peers",
    "test_counter_leaders_beside_stock",
    "test_partition_limit_stock_peers",
    "test_injected_shares",
    "test_nonsense_in_gossip",
    "test_rolling_install",
    "test_statement_kinds",
    "test_partition_limit_statement_kinds",
    "test_partition_limit_rates",
    "test_partition_limit_decisions",
    "test_partition_limit_drivers",
    "test_partition_limit_internal_work",
    "test_partition_limit_rejected_writes",
    "test_settings",
    "test_partition_limit_schema",
    "test_counter_leaders",
    "test_restarted_is_cold",
    "test_history",
    "test_removal",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the modules into the story's order; within a module the file's order stands."""
    items.sort(key=lambda item: _CHAPTERS.index(item.module.__name__))


def pytest_configure() -> None:
    """Have a terminated run stop what it started, as an interrupted one does."""
    stop_on_sigterm()


@pytest.fixture(scope="session")
def story() -> Iterator[Story]:
    """The running cluster: at first with the plugin on node 1 only."""
    story = Story.begin()
    with story.cluster:
        try:
            yield story
        finally:
            story.end()


@pytest.fixture(scope="module")
def first_node_only(story: Story) -> Story:
    """The cluster with the plugin on node 1 and without it on the others."""
    story.have([PLUGIN, STOCK, STOCK])
    return story


@pytest.fixture(scope="module")
def everywhere(story: Story) -> Story:
    """The cluster with the plugin on all nodes."""
    story.have([PLUGIN] * 3)
    return story


@pytest.fixture(scope="module")
def marks(everywhere: Story) -> list[LogMark]:
    """Where each node's log ended when the module began: earlier chapters provoke complaints of their own."""
    return [LogMark.end_of(node) for node in everywhere.nodes]
