# SPDX-License-Identifier: Apache-2.0
"""For everyone: hypothesis draws the same examples in every run and under both drivers, and there is one stub."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings
from stub_nodes import listening

settings.register_profile(
    "isotherm",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
    # No shrinking: for a life of many events it takes minutes, and the events print legibly as they are.
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("isotherm")


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Three nodes that answer from a table, on addresses of this machine."""
    with listening(tmp_path_factory.mktemp("stub")):
        yield
