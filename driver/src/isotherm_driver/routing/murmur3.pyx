# SPDX-License-Identifier: Apache-2.0
"""The token of a partition key, as Cassandra's Murmur3Partitioner computes it.

MurmurHash3 x64 128 (Austin Appleby, public domain), its first half only, with Cassandra's deviation: the bytes of
the tail are signed, so that one above 0x7f is extended over the bits above it.
"""

from libc.stdint cimport INT64_MAX, INT64_MIN, int8_t, int64_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    BLOCK = 16

cdef extern from *:
    """
    static inline unsigned long long isotherm_rotate(unsigned long long x, int bits) {
        return (x << bits) | (x >> (64 - bits));
    }
    static inline unsigned long long isotherm_little_endian(unsigned long long x) {
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        return __builtin_bswap64(x);
    #else
        return x;
    #endif
    }
    """
    uint64_t isotherm_rotate(uint64_t x, int bits) nogil
    uint64_t isotherm_little_endian(uint64_t x) nogil


cdef uint64_t C1 = 0x87c37b91114253d5ULL
cdef uint64_t C2 = 0x4cf5ad432745937fULL


cdef inline uint64_t finished(uint64_t k) noexcept nogil:
    k ^= k >> 33
    k *= <uint64_t> 0xff51afd7ed558ccdULL
    k ^= k >> 33
    k *= <uint64_t> 0xc4ceb9fe1a85ec53ULL
    return k ^ (k >> 33)


cdef int64_t token_of(const unsigned char* key, Py_ssize_t length) noexcept nogil:
    cdef uint64_t h1 = 0, h2 = 0, k1, k2
    cdef Py_ssize_t i, blocks = length // BLOCK, rest = length % BLOCK
    cdef const unsigned char* tail = key + blocks * BLOCK
    cdef int64_t token
    for i in range(blocks):
        memcpy(&k1, key + i * BLOCK, 8)
        memcpy(&k2, key + i * BLOCK + 8, 8)
        h1 ^= isotherm_rotate(isotherm_little_endian(k1) * C1, 31) * C2
        h1 = (isotherm_rotate(h1, 27) + h2) * 5 + 0x52dce729
        h2 ^= isotherm_rotate(isotherm_little_endian(k2) * C2, 33) * C1
        h2 = (isotherm_rotate(h2, 31) + h1) * 5 + 0x38495ab5
    k1 = k2 = 0
    for i in range(8, rest):
        k2 ^= (<uint64_t> <int64_t> <int8_t> tail[i]) << ((i - 8) * 8)
    for i in range(min(rest, 8)):
        k1 ^= (<uint64_t> <int64_t> <int8_t> tail[i]) << (i * 8)
    if rest > 8:
        h2 ^= isotherm_rotate(k2 * C2, 33) * C1
    if rest > 0:
        h1 ^= isotherm_rotate(k1 * C1, 31) * C2
    h1 ^= <uint64_t> length
    h2 ^= <uint64_t> length
    h1 += h2
    h2 += h1
    token = <int64_t> (finished(h1) + finished(h2))
    return INT64_MAX if token == INT64_MIN else token  # the least token stands for "before everything"
