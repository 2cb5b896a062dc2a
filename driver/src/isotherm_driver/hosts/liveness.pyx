# SPDX-License-Identifier: Apache-2.0
"""Whether a host is worth a try: the rule of the .pxd, for callers in Python."""

from isotherm_driver.hosts cimport liveness


def is_worth_a_try(host):
    """Whether the host is not known to be down."""
    return liveness.may_be_up(host)
