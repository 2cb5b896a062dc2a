# SPDX-License-Identifier: Apache-2.0
"""A partition's point in [0, 1): the function of the .pxd, for callers in Python."""

from libc.stdint cimport int64_t

from isotherm_driver.affinity cimport splitmix64


def point_of(int64_t token):
    """The point of a token, the same as on every node that runs the plugin."""
    return splitmix64.point(token)
