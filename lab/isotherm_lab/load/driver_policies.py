# SPDX-License-Identifier: Apache-2.0
"""The load-balancing policies that an application chooses among: the driver's own, and those of isotherm-driver."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from cassandra import ConsistencyLevel
from cassandra import policies as of_the_driver
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, Session

from isotherm_lab.cluster.configuration import DATACENTER
from isotherm_lab.errors import LabError

STOCK, TOKEN_AWARE, QUEUE_AWARE, AFFINITY = "stock", "token-aware", "queue-aware", "affinity"
#: The driver's own comes first: the others are compared with it.
POLICIES = (STOCK, TOKEN_AWARE, QUEUE_AWARE, AFFINITY)


def check_installed() -> None:
    """Raise LabError, saying what builds it, unless the driver package is there."""
    try:
        import isotherm_driver.node_reports  # noqa: F401
    except ImportError as missing:
        raise LabError("The driver package is not installed: `make .venv/driver` builds it.") from missing


@contextmanager
def connected_by(name: str, contact_points: list[str], consistency: str, timeout_s: float) -> Iterator[Session]:
    """Yield a session whose requests go where the policy of this name says.

    The last two of POLICIES read what the nodes publish. Rows come from isotherm-driver's factory with all of them: a
    class for the rows of each answer would cost the application more than its plans, whoever makes those.
    """
    check_installed()
    from isotherm_driver.node_reports import NodeReports, ReportReader
    from isotherm_driver.rows import named_tuple_factory

    level, reports = ConsistencyLevel.name_to_value[consistency], NodeReports()
    profile = ExecutionProfile(
        load_balancing_policy=_policy(name, level, reports), consistency_level=level, request_timeout=timeout_s,
        row_factory=named_tuple_factory,
    )  # fmt: skip
    cluster = Cluster(contact_points, execution_profiles={EXEC_PROFILE_DEFAULT: profile}, connect_timeout=10)
    with ExitStack() as stack:
        stack.callback(cluster.shutdown)
        session = cluster.connect()
        if name in (QUEUE_AWARE, AFFINITY):
            stack.enter_context(ReportReader(cluster.connect(), reports))
        yield session


def _policy(name: str, level: int, reports: Any) -> Any:
    from isotherm_driver.policies import DCAwareRoundRobinPolicy, TokenAwarePolicy
    from isotherm_driver.queue_aware import QueueAwarePolicy

    def queue_aware(affinity: bool) -> QueueAwarePolicy:
        child = DCAwareRoundRobinPolicy(DATACENTER)
        return QueueAwarePolicy(child, reports=reports, affinity=affinity, consistency_level=level)

    made = {
        STOCK: lambda: of_the_driver.TokenAwarePolicy(of_the_driver.DCAwareRoundRobinPolicy(DATACENTER)),
        TOKEN_AWARE: lambda: TokenAwarePolicy(DCAwareRoundRobinPolicy(DATACENTER)),
        QUEUE_AWARE: lambda: queue_aware(affinity=False),
        AFFINITY: lambda: queue_aware(affinity=True),
    }
    if name not in made:
        raise LabError(f"There is no policy {name!r}; known are {', '.join(POLICIES)}.")
    return made[name]()
