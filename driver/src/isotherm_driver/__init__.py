# SPDX-License-Identifier: Apache-2.0
"""Load-balancing policies for the Cassandra and ScyllaDB Python drivers whose query plans cost next to nothing."""

from importlib.metadata import PackageNotFoundError, version

from isotherm_driver import native_modules  # noqa: F401, before everything that is native
from isotherm_driver.policies import (
    DCAwareRoundRobinPolicy,
    DefaultLoadBalancingPolicy,
    HostFilterPolicy,
    RackAwareRoundRobinPolicy,
    RoundRobinPolicy,
    TokenAwarePolicy,
    WhiteListRoundRobinPolicy,
)

__all__ = [
    "DCAwareRoundRobinPolicy",
    "DefaultLoadBalancingPolicy",
    "HostFilterPolicy",
    "RackAwareRoundRobinPolicy",
    "RoundRobinPolicy",
    "TokenAwarePolicy",
    "WhiteListRoundRobinPolicy",
]
try:
    __version__: str = version("isotherm-driver")
except PackageNotFoundError:  # images and bundles may leave out what an installer notes of a package
    __version__ = "unknown"
