# SPDX-License-Identifier: Apache-2.0
"""Draws several different replicas, each with the probability that is its share."""

from collections.abc import Sequence


def systematic_sample(point: float, of_contacts: Sequence[float], contacted: int) -> list[int]:
    """The replicas that systematic sampling draws for a point in [0, 1): `contacted` different places.

    The shares, each `contacted` times as long, lie one after another on [0, contacted); the points `point`,
    `point` + 1, ... fall on different ones because none is longer than 1.
    """
    places: list[int] = []
    border, at = 0.0, point
    for place, share in enumerate(of_contacts):
        border += share * contacted
        if at < border and len(places) < contacted:
            places.append(place)
            at += 1
    return places
