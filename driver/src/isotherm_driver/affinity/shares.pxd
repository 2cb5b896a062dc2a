# SPDX-License-Identifier: Apache-2.0
"""Which replicas a cluster under affinity placement reads a partition from."""


cdef int fill_shares(const double* miss_ratios, int count, int contacted, double floor, double* shares) except -1
cdef int fill_equal_shares(int count, double* shares) noexcept
