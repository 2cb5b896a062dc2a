# SPDX-License-Identifier: Apache-2.0
"""What a statement is, as far as its routing is concerned; found once per prepared statement."""


cdef class StatementFacts:
    cdef object prepared         # a weak reference; None where there is no prepared statement
    cdef readonly bint is_select
    cdef object stated_table     # by the prepared statement's columns; None where they state none


cdef StatementFacts facts_of(object query)
cdef object table_of(object query, StatementFacts facts)
