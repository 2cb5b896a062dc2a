# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable

from isotherm_driver.drivers_types import Host, Policy, Query

def drivers_plan(
    policy: Policy, working_keyspace: str | None, query: Query, problem: BaseException | None
) -> Iterable[Host]: ...
def drivers_plan_of_odd(
    policy: Policy, working_keyspace: str | None, query: Query, problem: BaseException
) -> Iterable[Host]: ...
