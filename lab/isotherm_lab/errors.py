# SPDX-License-Identifier: Apache-2.0
"""The one kind of failure the lab reports to a person."""


class LabError(Exception):
    """Something the person at the terminal can act on: what is wrong, and what to do, in a sentence or two."""
