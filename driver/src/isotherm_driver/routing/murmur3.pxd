# SPDX-License-Identifier: Apache-2.0
"""The token of a partition key, as Cassandra's Murmur3Partitioner computes it."""

from libc.stdint cimport int64_t


cdef int64_t token_of(const unsigned char* key, Py_ssize_t length) noexcept nogil
