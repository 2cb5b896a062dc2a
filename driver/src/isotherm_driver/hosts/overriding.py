# SPDX-License-Identifier: Apache-2.0
"""What a subclass has of its own where the drivers' policies have a method or an attribute."""

from typing import Any

from cassandra import policies as driver

DRIVERS_MODULE: str = driver.LoadBalancingPolicy.__module__
PACKAGE: str = __name__.partition(".")[0]


def _is_foreign(kind: type) -> bool:
    return kind.__module__ != DRIVERS_MODULE and kind.__module__.partition(".")[0] != PACKAGE


def overrides(kind: type, name: str) -> bool:
    """Whether a class has this name from a class that is neither the driver's nor this package's."""
    return next((_is_foreign(each) for each in kind.__mro__ if name in vars(each)), False)


def has_own(policy: Any, name: str) -> bool:
    """Whether a policy, or the subclass it is of, has this name of its own."""
    return name in getattr(policy, "__dict__", ()) or overrides(type(policy), name)


def drivers_class(kind: type) -> type | None:
    """The driver's policy that a class extends; None where the installed driver has no such policy."""
    for each in kind.__mro__:
        if each.__module__ == DRIVERS_MODULE:
            return None if each is driver.LoadBalancingPolicy else each
    return None
