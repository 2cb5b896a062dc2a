# SPDX-License-Identifier: Apache-2.0
"""The client that reads many partitions at once notices an answer that is not all of them."""

import pytest

from isotherm_lab.load.in_clients import PARTITIONS, InClients

ALL = [(key, key) for key in range(1000, 1000 + PARTITIONS)]


def test_all_partitions_in_any_order_are_what_was_asked_for():
    clients = InClients(1000)
    clients.look(ALL[::-1])
    assert clients.violations == []


@pytest.mark.parametrize(
    ("rows", "counted"),
    [(ALL[1:], "199 rows, 199"), ([*ALL, ALL[0]], "201 rows, 200"), ([*ALL[1:], (1000, 7)], "200 rows, 200")],
)
def test_a_partition_that_is_missing_repeated_or_other_is_noticed(rows, counted):
    clients = InClients(1000)
    clients.look(rows)
    (sentence,) = clients.violations
    assert counted in sentence
