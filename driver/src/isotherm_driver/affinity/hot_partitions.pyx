# SPDX-License-Identifier: Apache-2.0
"""Which partitions get so many of this process's requests that one host should not get them all."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int64_t, uint32_t

from isotherm_driver.affinity.splitmix64 cimport point


cdef class HotPartitions:
    """Recognises partitions with more than `share` of the recent requests.

    One counter per slot and, in it, the partition that fills it most (the majority vote of Boyer and Moore): a
    partition with a share well above one slot's keeps its slot, and what is rare never gathers a count. All counts
    are halved every `window` requests, so that "recent" means the last one or two windows. Memory is fixed.
    """

    def __init__(self, double share=1.0 / 64, Py_ssize_t window=4096, Py_ssize_t slots=1024):
        if not 0 < share <= 1:
            raise ValueError(f"share is {share}, allowed: above 0, at most 1")
        if window < 1 / share:
            raise ValueError(f"window is {window}, allowed: at least 1 / share = {1 / share:g}")
        if slots < 1:
            raise ValueError(f"slots is {slots}, allowed: 1 or above")
        PyMem_Free(self.tokens)
        PyMem_Free(self.counts)
        self.counts = NULL
        self.limit = share * window
        self.window = window
        self.slots = slots
        self.tokens = <int64_t*> PyMem_Calloc(slots, sizeof(int64_t))
        self.counts = <uint32_t*> PyMem_Calloc(slots, sizeof(uint32_t))
        if self.tokens == NULL or self.counts == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.tokens)
        PyMem_Free(self.counts)

    cpdef bint is_hot(self, int64_t token) except -1:
        """Count one request for the partition; whether it is hot."""
        cdef Py_ssize_t i, slot = <Py_ssize_t> (point(token) * self.slots)
        if self.counts == NULL:
            return False  # a subclass has not called __init__
        if self.tokens[slot] == token:
            self.counts[slot] += 1
        elif self.counts[slot] > 0:
            self.counts[slot] -= 1
        else:
            self.tokens[slot], self.counts[slot] = token, 1
        self.seen += 1
        if self.seen >= self.window:
            self.seen = 0
            for i in range(self.slots):
                self.counts[i] //= 2
        return self.tokens[slot] == token and self.counts[slot] > self.limit

    cdef bint was_hot(self, int64_t token) noexcept:
        """Whether the partition is hot by the requests counted so far."""
        cdef Py_ssize_t slot = <Py_ssize_t> (point(token) * self.slots)
        return self.counts != NULL and self.tokens[slot] == token and self.counts[slot] > self.limit
