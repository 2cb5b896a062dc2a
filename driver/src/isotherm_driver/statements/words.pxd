# SPDX-License-Identifier: Apache-2.0
"""The words of a CQL text, read no further than their routing needs."""


cdef bint starts_with_select(str text)
cdef bint is_conditional(str text)
