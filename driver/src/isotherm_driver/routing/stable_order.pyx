# SPDX-License-Identifier: Apache-2.0
"""Which statements need their replicas in an order that stays the same."""

from cassandra import ConsistencyLevel
from cassandra.query import BoundStatement

from isotherm_driver.statements.facts cimport facts_of

cdef int SERIAL = ConsistencyLevel.SERIAL, LOCAL_SERIAL = ConsistencyLevel.LOCAL_SERIAL


cpdef bint may_shuffle(object query) except -1:
    """Whether replicas may come in any order: not those of a lightweight transaction or a serial read.

    What is a lightweight transaction is said by the driver, where the server has told it, and by the statement's text,
    which is read once per prepared statement.
    """
    if facts_of(query).is_lwt:
        return False
    if type(query) is not BoundStatement:  # which asks nobody but its prepared statement, as the facts have
        is_lwt = getattr(query, "is_lwt", None)
        if callable(is_lwt) and is_lwt():
            return False
    level = getattr(query, "consistency_level", None)
    return level is None or not (level == SERIAL or level == LOCAL_SERIAL)
