# SPDX-License-Identifier: Apache-2.0
"""Where a token falls on the ring: an array made from the driver's token map."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef inline uint64_t unsigned_order(int64_t token) noexcept nogil:
    return (<uint64_t> token) ^ (<uint64_t> 1 << 63)


cdef class TokenRing:
    """The tokens of a ring, ascending, behind an index over their upper bits.

    There are at least as many buckets as tokens, so a look-up reads one bucket and, on an evenly filled ring, one
    or two tokens; a crowded bucket is halved like any sorted array.
    """

    def __init__(self, tokens):
        cdef Py_ssize_t i, bucket = 0, count = len(tokens)
        cdef int bits = 1
        while (<Py_ssize_t> 1 << bits) < count:
            bits += 1
        self.length = count
        self.shift = 64 - bits
        self.tokens = <int64_t*> PyMem_Malloc(max(count, 1) * sizeof(int64_t))
        self.buckets = <uint32_t*> PyMem_Malloc(((<Py_ssize_t> 1 << bits) + 1) * sizeof(uint32_t))
        if self.tokens == NULL or self.buckets == NULL:
            raise MemoryError
        for i, token in enumerate(tokens):
            self.tokens[i] = token.value
            if i and self.tokens[i] < self.tokens[i - 1]:
                raise ValueError("the ring is not sorted")
            while bucket <= <Py_ssize_t> (unsigned_order(self.tokens[i]) >> self.shift):
                self.buckets[bucket] = <uint32_t> i
                bucket += 1
        while bucket <= <Py_ssize_t> 1 << bits:
            self.buckets[bucket] = <uint32_t> count
            bucket += 1

    def __dealloc__(self):
        PyMem_Free(self.tokens)
        PyMem_Free(self.buckets)

    cdef Py_ssize_t position(self, int64_t token) noexcept nogil:
        """The index of the first token not below this one; past the last it wraps to 0."""
        cdef uint64_t bucket = unsigned_order(token) >> self.shift
        cdef Py_ssize_t low = self.buckets[bucket], high = self.buckets[bucket + 1], middle
        while high - low > 4:
            middle = (low + high) >> 1
            if self.tokens[middle] < token:
                low = middle + 1
            else:
                high = middle
        while low < high and self.tokens[low] < token:
            low += 1
        return 0 if low == self.length else low
