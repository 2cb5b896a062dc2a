# SPDX-License-Identifier: Apache-2.0
"""What a statement is, as far as its routing is concerned; found once per prepared statement."""

from isotherm_driver.statements.words cimport is_conditional, starts_with_select

# What a prepared statement has its facts by, from the first plan on: they live as long as it does.
cdef str KEPT = "_isotherm_facts"


cdef class StatementFacts:
    """What the text and the columns of a statement say. A statement without a text, a batch, is none of all this."""


cdef StatementFacts facts_of(object query):
    """The facts of a statement, which are those of its prepared statement where there is one."""
    cdef StatementFacts facts
    prepared = getattr(query, "prepared_statement", None)
    if prepared is None:
        return read(query)
    kept = getattr(prepared, KEPT, None)
    if type(kept) is StatementFacts:
        return <StatementFacts> kept
    facts = read(prepared)
    columns = getattr(prepared, "column_metadata", None)
    # What stands for a prepared statement may have columns of another kind.
    table = getattr(columns[0], "table_name", None) if isinstance(columns, (list, tuple)) and columns else None
    facts.stated_table = table if isinstance(table, str) else None
    try:
        setattr(prepared, KEPT, facts)
    except AttributeError:  # nothing can be added to it: it is read each time
        pass
    return facts


cdef StatementFacts read(object statement):
    cdef StatementFacts facts = StatementFacts.__new__(StatementFacts)
    text = getattr(statement, "query_string", None)
    if isinstance(text, str):
        facts.is_select = starts_with_select(<str> text)
        facts.is_lwt = not facts.is_select and is_conditional(<str> text)
    says = getattr(statement, "is_lwt", None)
    if callable(says) and says():  # an application's own attribute of this name is no answer
        facts.is_lwt = True
    return facts


cdef object table_of(object query, StatementFacts facts):
    """The table of a statement, None where it states none; not every driver's bound statements state it themselves."""
    if facts.stated_table is not None:
        return facts.stated_table
    table = getattr(query, "table", None)
    return table if isinstance(table, str) else None
