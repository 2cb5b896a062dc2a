# SPDX-License-Identifier: Apache-2.0
"""Draws several different replicas, each with the probability that is its share."""

from libc.stdint cimport uint64_t


cdef uint64_t sample(double point, const double* shares, int count, int contacted) noexcept nogil
