# SPDX-License-Identifier: Apache-2.0
"""Random numbers for shuffling: fast, and good enough to spread load."""

from libc.stdint cimport uint32_t, uint64_t


cdef inline uint32_t below(uint64_t* state, uint32_t bound) noexcept nogil:
    """A number in [0, bound): xorshift64* (Marsaglia 2003, Vigna 2016), its upper half scaled.

    The bias is at most bound / 2**32. Threads that share a state may draw the same number twice.
    """
    cdef uint64_t x = state[0]
    x ^= x >> 12
    x ^= x << 25
    x ^= x >> 27
    state[0] = x
    return <uint32_t> ((((x * <uint64_t> 0x2545F4914F6CDD1DULL) >> 32) * bound) >> 32)
