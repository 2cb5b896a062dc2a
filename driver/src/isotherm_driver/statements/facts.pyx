# SPDX-License-Identifier: Apache-2.0
"""What a statement is, as far as its routing is concerned; found once per prepared statement."""

from weakref import ref

from isotherm_driver.statements.words cimport starts_with_select

# By the prepared statement's id, until it is gone.
cdef dict KNOWN = {}


cdef class StatementFacts:
    """What the text and the columns of a statement say. A statement without a text, a batch, is none of all this."""


cdef StatementFacts facts_of(object query):
    """The facts of a statement, which are those of its prepared statement where there is one."""
    prepared = getattr(query, "prepared_statement", None)
    if prepared is None:
        return read(getattr(query, "query_string", None))
    key = id(prepared)
    known = KNOWN.get(key)
    if known is not None and (<StatementFacts> known).prepared() is prepared:
        return <StatementFacts> known
    facts = read(getattr(prepared, "query_string", None))
    columns = getattr(prepared, "column_metadata", None)
    facts.stated_table = columns[0].table_name if columns else None
    facts.prepared = ref(prepared, lambda gone: KNOWN.pop(key, None))
    KNOWN[key] = facts
    return facts


cdef StatementFacts read(object text):
    cdef StatementFacts facts = StatementFacts.__new__(StatementFacts)
    if isinstance(text, str):
        facts.is_select = starts_with_select(<str> text)
    return facts


cdef object table_of(object query, StatementFacts facts):
    """The table of a statement, None where it states none; not every driver's bound statements state it themselves."""
    if facts.stated_table is not None:
        return facts.stated_table
    table = getattr(query, "table", None)
    return table if isinstance(table, str) else None
