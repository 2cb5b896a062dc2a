# SPDX-License-Identifier: Apache-2.0
"""The drivers' classes as they stand in type hints. The drivers have no types, so that each of them is Any."""

from typing import Any, TypeAlias

Cluster: TypeAlias = Any
Host: TypeAlias = Any
Metadata: TypeAlias = Any
Policy: TypeAlias = Any
Query: TypeAlias = Any
Session: TypeAlias = Any
