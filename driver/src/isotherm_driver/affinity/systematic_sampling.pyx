# SPDX-License-Identifier: Apache-2.0
"""Draws several different replicas, each with the probability that is its share."""

from libc.stdint cimport uint64_t

from isotherm_driver.routing.replica_order cimport MOST_REPLICAS


cdef uint64_t sample(double point, const double* shares, int count, int contacted) noexcept nogil:
    """The replicas that systematic sampling draws for a point in [0, 1), a bit for each: `contacted` different ones.

    The shares, each `contacted` times as long, lie one after another on [0, contacted); the points `point`,
    `point` + 1, ... fall on different ones because none is longer than 1.
    """
    cdef double border = 0, at = point
    cdef uint64_t drawn = 0
    cdef int place, taken = 0
    for place in range(count):
        border += shares[place] * contacted
        if at < border and taken < contacted:
            drawn |= <uint64_t> 1 << place
            taken += 1
            at += 1
    return drawn


def systematic_sample(double point, of_contacts, int contacted):
    """The places of the replicas drawn, ascending, for callers in Python."""
    cdef double shares[MOST_REPLICAS]
    cdef int i, count = len(of_contacts)
    if count > MOST_REPLICAS:
        raise ValueError(f"{count} replicas; allowed: at most {MOST_REPLICAS}")
    for i in range(count):
        shares[i] = of_contacts[i]
    drawn = sample(point, shares, count, contacted)
    return [i for i in range(count) if drawn >> i & 1]
