# SPDX-License-Identifier: Apache-2.0
import pytest

from isotherm_lab.measure.failure_excess import excess


@pytest.mark.parametrize(
    ("failed", "operations", "beside_failed", "beside_operations", "more"),
    [
        (30, 10_000, 20, 10_000, False),
        (31, 10_000, 20, 10_000, True),
        # As many as beside it, but of a tenth of the operations.
        (20, 1000, 20, 10_000, True),
        # No greater a part than beside it, but more in number.
        (40, 20_000, 10, 5000, True),
        (0, 0, 5, 100, False),
        (0, 100, 0, 0, False),
    ],
)
def test_more_in_number_or_as_a_part_is_more(failed, operations, beside_failed, beside_operations, more):
    assert excess(failed, operations, beside_failed, beside_operations) is more
