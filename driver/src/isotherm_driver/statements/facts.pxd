# SPDX-License-Identifier: Apache-2.0
"""What a statement is, as far as its routing is concerned; found once per prepared statement."""


cdef class StatementFacts:
    cdef readonly bint is_select, is_lwt
    cdef object stated_table     # by the prepared statement's columns; None where they state none


cdef StatementFacts facts_of(object query)
cdef object table_of(object query, StatementFacts facts)
