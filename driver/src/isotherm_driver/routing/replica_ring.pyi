# SPDX-License-Identifier: Apache-2.0
from collections.abc import Mapping, Sequence
from typing import Any

from cassandra.metadata import Token
from cassandra.pool import Host

class ReplicaRing:
    source: Any
    hosts: tuple[Host, ...]
    def __init__(self, ring: Sequence[Token], source: Mapping[Token, Sequence[Host]]) -> None: ...
    def replicas_at(self, position: int) -> list[Host]: ...
    @property
    def nbytes(self) -> int: ...
