# SPDX-License-Identifier: Apache-2.0
"""Which statements need their replicas in an order that stays the same."""


cpdef bint may_shuffle(object query) except -1
