# SPDX-License-Identifier: Apache-2.0
"""A light load of QUORUM reads and writes of which every operation is recorded."""

from collections.abc import Sequence

from isotherm_lab.load.recorded_load import RecordedLoad
from isotherm_lab.load.register_clients import RegisterClients
from isotherm_lab.measure.histories import Operation


class RegisterLoad(RecordedLoad):
    """Writers, each with keys of its own, and readers of all keys; runs while in a `with`."""

    def __init__(self, contact_points: Sequence[str], seed: int):
        clients = RegisterClients(seed)
        super().__init__(contact_points, [clients])
        self._registers = clients

    def history(self) -> list[Operation]:
        """Return what has ended so far."""
        return self._registers.history.so_far()
