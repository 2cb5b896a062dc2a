# SPDX-License-Identifier: Apache-2.0
"""Whether more operations failed than beside them, where the same befell others."""

#: By so much of the operations more may fail: chance is in both.
CHANCE = 0.001
#: A part that is greater by exactly that much is not too great, however the difference is rounded.
_ROUNDING = 1e-12


def excess(failed: int, operations: int, beside_failed: int, beside_operations: int) -> bool:
    """Whether more failed than chance explains: in number, or as a part of the operations.

    Neither says it alone. Whoever is slower does fewer operations, and as many failures are then a greater part of
    them; and where the others did few, their part says little.
    """
    more_in_number = failed > beside_failed + CHANCE * operations
    greater_by = _part(failed, operations) - _part(beside_failed, beside_operations)
    return more_in_number or greater_by > CHANCE + _ROUNDING


def _part(failed: int, operations: int) -> float:
    return failed / operations if operations else 0.0
