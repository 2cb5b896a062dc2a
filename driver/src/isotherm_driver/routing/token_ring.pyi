# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence

from cassandra.metadata import Token

class TokenRing:
    def __init__(self, tokens: Sequence[Token]) -> None: ...
    def position_of(self, token: int) -> int: ...
    @property
    def nbytes(self) -> int: ...
