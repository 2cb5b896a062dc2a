# SPDX-License-Identifier: Apache-2.0
"""What puts the replicas of a plan into another order than a random one."""

from libc.stdint cimport int64_t

from isotherm_driver.routing.replica_order cimport ReplicaOrder


cdef class Arranger:
    cdef bint arrange(self, ReplicaOrder order, object keyspace, object query, int64_t token, bint shuffling,
                      unsigned char* places) except -1
