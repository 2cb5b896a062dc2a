# SPDX-License-Identifier: Apache-2.0
"""Whether more operations failed than beside them, where the same befell others."""

#: By so much of the operations more may fail: chance is in both.
CHANCE = 0.001


def excess(failed: int, operations: int, beside_failed: int) -> bool:
    """Whether more failed than did beside them and chance explains.

    What fails is what was under way, however many operations there are: numbers are compared, not parts.
    """
    return failed > beside_failed + CHANCE * operations
