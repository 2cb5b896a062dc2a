# SPDX-License-Identifier: Apache-2.0
"""Runs each module on the cluster that it says it begins with.

A module that says nothing begins with the plugin on every node of the shared cluster, if it asks for that cluster at
all. Others have marks among their `pytestmark`:

- `begins_with(variant, …)`: the variants of the three nodes, in their order
- `leaves(variant, …)`: those that it leaves behind, if they are others
- `after_others(because)`: it comes after the others that begin with the same variants

Those that say what the plugin promises on every release of Cassandra are marked too: `contract` on the releases that it
knows, `out_of_the_way` on all others. `make matrix` runs them on each.

Those that take about half a minute or more are marked `long`: `make test` leaves them to `make long`.
"""

from collections.abc import Iterator

import pytest
from module_order import Module, in_order
from plugin_views import LogMark
from shared_cluster import EVERY_NODE, SharedCluster

from isotherm_lab.interruption import stop_on_signals

# Their asserts then say as much as a test's own.
pytest.register_assert_rewrite("certificates", "permission_contract", "plugin_permissions")

_MARKS = {
    "begins_with(*variants)": "the variants of the shared cluster's nodes with which the module begins",
    "leaves(*variants)": "the variants that the module leaves behind, if they are others",
    "after_others(because)": "the module comes after the others that begin with the same variants",
    "contract": "what the plugin promises on each release of Cassandra that it knows",
    "out_of_the_way": "what it promises on each that it does not know",
    "long": "it takes about half a minute or more, and `make test` leaves it to `make long`",
}


def pytest_configure(config: pytest.Config) -> None:
    """Make the marks known, and have a run that is terminated or loses its terminal stop what it started."""
    for mark, meaning in _MARKS.items():
        config.addinivalue_line("markers", f"{mark}: {meaning}")
    stop_on_signals()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the modules into their order; within a module the file's order stands."""
    sharing = {item.module.__name__ for item in items if _shares(item)}
    modules = {item.module.__name__: item.getparent(pytest.Module) for item in items}
    ordered = in_order(_declared(module, name, name in sharing) for name, module in modules.items())
    places = {module.name: place for place, module in enumerate(ordered)}
    items.sort(key=lambda item: places[item.module.__name__])


def _shares(item: pytest.Item) -> bool:
    return "shared_cluster" in item.fixturenames


def _declared(module: pytest.Module, name: str, sharing: bool) -> Module:
    leaves = module.get_closest_marker("leaves")
    return Module(
        name,
        begins_with=_begins_with(module) if sharing else None,
        leaves=leaves.args if leaves else None,
        after_others=module.get_closest_marker("after_others") is not None,
    )


def _begins_with(module: pytest.Module) -> tuple[str, ...]:
    mark = module.get_closest_marker("begins_with")
    return mark.args if mark else EVERY_NODE


@pytest.fixture(scope="session")
def running(request: pytest.FixtureRequest) -> Iterator[SharedCluster]:
    """The cluster as the first module that shares it begins."""
    first = next(item for item in request.session.items if _shares(item))
    cluster = SharedCluster.begin(_begins_with(first.getparent(pytest.Module)))
    with cluster.cluster:
        try:
            yield cluster
        finally:
            cluster.close()


@pytest.fixture(scope="module")
def shared_cluster(running: SharedCluster, request: pytest.FixtureRequest) -> SharedCluster:
    """The cluster as the module begins."""
    running.have(_begins_with(request.node))
    return running


@pytest.fixture(scope="module")
def marks(shared_cluster: SharedCluster) -> list[LogMark]:
    """Where each node's log ended when the module began: earlier modules provoke complaints of their own."""
    return [LogMark.end_of(node) for node in shared_cluster.nodes]


@pytest.fixture(scope="module", autouse=True)
def marked_before_the_first_test(request: pytest.FixtureRequest) -> None:
    """Have a module whose last test looks at the logs look at what came of all of its tests."""
    own = (item for item in request.session.items if item.getparent(pytest.Module) is request.node)
    if any("marks" in item.fixturenames for item in own):
        request.getfixturevalue("marks")
