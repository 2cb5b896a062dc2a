# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence

def systematic_sample(point: float, of_contacts: Sequence[float], contacted: int) -> list[int]: ...
