# SPDX-License-Identifier: Apache-2.0
"""Whether a host is worth a try."""


cdef inline bint may_be_up(object host) except -1:
    """Whether the host is not known to be down: one of unknown state is worth a try."""
    up = host.is_up
    return up is None or up
