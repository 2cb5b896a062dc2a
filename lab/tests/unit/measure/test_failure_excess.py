# SPDX-License-Identifier: Apache-2.0
import pytest

from isotherm_lab.measure.failure_excess import excess


@pytest.mark.parametrize(
    ("failed", "operations", "beside_failed", "more"),
    [
        (30, 10_000, 20, False),
        (31, 10_000, 20, True),
        (20, 1000, 20, False),
        (40, 20_000, 10, True),
        (0, 0, 5, False),
        (0, 100, 0, False),
    ],
)
def test_a_thousandth_of_the_operations_is_chance(failed, operations, beside_failed, more):
    assert excess(failed, operations, beside_failed) is more
