# SPDX-License-Identifier: Apache-2.0
"""Options that several experiments have."""

from dataclasses import replace
from typing import Annotated, Any, TypeVar

import typer

Plan = TypeVar("Plan")

FirstAddress = Annotated[
    int, typer.Option(min=1, max=250, envvar="ISOTHERM_LAB_FIRST_ADDRESS", help="127.0.0.N of the first node.")
]


def changed(plan: Plan, **values: Any) -> Plan:
    """Return the plan with these fields changed, but for those of options that were not given: None."""
    return replace(plan, **{name: value for name, value in values.items() if value is not None})
