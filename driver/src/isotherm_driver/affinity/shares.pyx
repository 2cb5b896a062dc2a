# SPDX-License-Identifier: Apache-2.0
"""Which replicas a cluster under affinity placement reads a partition from."""

from isotherm_driver.routing.replica_order cimport MOST_REPLICAS

cdef double EQUAL_RATIOS = 0.01
cdef double EQUAL_PART = 0.3
MISS_FLOOR = 0.05


cdef int fill_equal_shares(int count, double* shares) noexcept:
    cdef int i
    for i in range(count):
        shares[i] = 1.0 / count
    return 0


cdef int fill_shares(const double* miss_ratios, int count, int contacted, double floor, double* shares) except -1:
    """Write the share of the contacts that each replica gets; at most MOST_REPLICAS of them."""
    cdef double weights[MOST_REPLICAS]
    cdef bint full[MOST_REPLICAS]
    cdef double free, left, share, most = 1.0 / contacted, least = miss_ratios[0], greatest = miss_ratios[0]
    cdef int i, filled = 0, now_filled
    cdef bint changed
    for i in range(count):
        least, greatest = min(least, miss_ratios[i]), max(greatest, miss_ratios[i])
        weights[i] = 1 / max(floor, miss_ratios[i])
        full[i] = False
    if greatest - least <= max(EQUAL_RATIOS, EQUAL_PART * greatest):
        return fill_equal_shares(count, shares)
    while True:
        # What is left, over what is not yet full; filling one may lift the next over the limit.
        free = 0
        for i in range(count):
            if not full[i]:
                free += weights[i]
        left = (<double> (contacted - filled)) / contacted
        now_filled, changed = 0, False
        for i in range(count):
            share = most if full[i] else min(most, left * weights[i] / free)
            shares[i] = share
        for i in range(count):
            if shares[i] >= most:
                now_filled += 1
                changed = changed or not full[i]
                full[i] = True
            else:
                full[i] = False
        if not changed and now_filled == filled or now_filled == count:
            return 0
        filled = now_filled


def shares(miss_ratios, int contacted, double miss_floor=MISS_FLOOR):
    """The share of the contacts each replica gets: in inverse proportion to its misses, at most 1 / contacted.

    No miss ratio counts as less than `miss_floor`, which is above 0 and at most 1; the default is the nodes' own.

    Ratios within 0.01, or three tenths of the highest, of each other count as equal, as they do on the nodes. The nodes'
    least shares are not reckoned, as they depend on rates: beside a cold node some reads take a hop more.
    """
    cdef double misses[MOST_REPLICAS]
    cdef double found[MOST_REPLICAS]
    cdef int i, count = len(miss_ratios)
    if not 0 < count <= MOST_REPLICAS or contacted < 1:
        raise ValueError(f"{count} replicas of which {contacted} are contacted; allowed: 1 to {MOST_REPLICAS}, 1 or above")
    if not 0 < miss_floor <= 1:
        raise ValueError(f"miss_floor is {miss_floor}, allowed: above 0, at most 1")
    for i in range(count):
        misses[i] = miss_ratios[i]
    fill_shares(misses, count, contacted, miss_floor, found)
    return [found[i] for i in range(count)]
