# SPDX-License-Identifier: Apache-2.0
"""A partition's point in [0, 1), the same as on every node that runs the plugin."""

from libc.stdint cimport int64_t, uint64_t


cdef inline double point(int64_t token) noexcept nogil:
    """The point of a token: evenly spread, and unrelated to those of nearby tokens.

    The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014; constants by Stafford), its upper 53 bits.
    """
    cdef uint64_t mixed = <uint64_t> token + <uint64_t> 0x9E3779B97F4A7C15ULL
    mixed = (mixed ^ (mixed >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9ULL
    mixed = (mixed ^ (mixed >> 27)) * <uint64_t> 0x94D049BB133111EBULL
    return (<double> ((mixed ^ (mixed >> 31)) >> 11)) * (1.0 / 9007199254740992.0)
