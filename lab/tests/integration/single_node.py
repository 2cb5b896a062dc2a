# SPDX-License-Identifier: Apache-2.0
"""Short-lived clusters of one node, beside the shared one if that runs."""

from collections.abc import Mapping
from typing import Any

from shared_cluster import FIRST_ADDRESS

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.storage import Storage
from isotherm_lab.cluster.variants import variant

_SHARED_NODES = 3


def single_node(
    variant_name: str,
    overrides: dict[str, Any] | None = None,
    storage: Storage | None = None,
    properties: Mapping[str, str] | None = None,
    **isotherm: Any,
) -> Cluster:
    """Return a prepared cluster of one node.

    `properties` are more -D options; `isotherm` overrides keys of isotherm.yaml and of its sections.
    """
    return Cluster.create(
        "integration-single",
        [variant(variant_name)],
        overrides=overrides,
        isotherm_overrides=isotherm,
        first_address=FIRST_ADDRESS + _SHARED_NODES,
        storage=storage,
        properties=properties,
    )
