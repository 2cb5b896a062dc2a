# SPDX-License-Identifier: Apache-2.0
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isotherm_lab.load.arrivals import schedule


@given(rate=st.floats(0.1, 1e5), keys=st.integers(1, 10**9), seed=st.integers(0, 2**32), poisson=st.booleans())
def test_times_never_go_back_and_keys_stay_in_range(rate, keys, seed, poisson):
    planned = list(islice(schedule(rate, keys, seed, poisson), 100))
    assert all(earlier[0] <= later[0] for earlier, later in pairwise(planned))
    assert all(0 <= key < keys for _, key in planned)


def test_the_seed_decides_everything():
    assert list(islice(schedule(100, 50, 7), 9000)) == list(islice(schedule(100, 50, 7), 9000))
    assert list(islice(schedule(100, 50, 7), 10)) != list(islice(schedule(100, 50, 8), 10))


def test_fixed_intervals_are_exact():
    times = [time for time, _ in islice(schedule(200, 1, 1, poisson=False), 5000)]
    assert times[-1] == pytest.approx(25.0)


@pytest.mark.parametrize(("rate", "keys"), [(0, 1), (-1, 1), (float("nan"), 1), (1, 0)])
def test_nonsense_is_refused(rate, keys):
    with pytest.raises(ValueError):
        next(schedule(rate, keys, 1))
