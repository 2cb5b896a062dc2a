# SPDX-License-Identifier: Apache-2.0
"""What is hot is found, what is not is left alone, and heat passes."""

import random

import pytest

from isotherm_driver.affinity.hot_partitions import HotPartitions


def test_a_partition_with_a_tenth_of_the_requests_is_hot_and_others_are_not():
    hot = HotPartitions(share=1 / 32, window=2048)
    chance = random.Random(1)
    wrong, right, seen = 0, 0, 0
    for i in range(50_000):
        frequent = chance.random() < 0.1
        token = 42 if frequent else chance.randrange(-(2**63), 2**63)
        found = hot.is_hot(token)
        if i > 4096:
            seen += frequent
            right += frequent and found
            wrong += found and not frequent
    assert right == seen
    assert wrong == 0


def test_evenly_read_partitions_are_never_hot():
    hot = HotPartitions(share=1 / 32, window=2048)
    chance = random.Random(2)
    assert not any(hot.is_hot(chance.randrange(1000)) for _ in range(50_000))


def test_a_partition_cools_down():
    hot = HotPartitions(share=1 / 32, window=2048)
    chance = random.Random(3)
    assert [hot.is_hot(7) for _ in range(3000)][-1]
    for _ in range(8 * 2048):
        hot.is_hot(chance.randrange(-(2**63), 2**63))
    assert not hot.is_hot(7)


@pytest.mark.parametrize("settings", [{"share": 0}, {"share": 1.5}, {"window": 10}, {"slots": 0}])
def test_senseless_settings_are_refused_by_name(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        HotPartitions(**settings)
