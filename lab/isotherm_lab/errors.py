# SPDX-License-Identifier: Apache-2.0
"""The failures that the lab reports to a person."""


class LabError(Exception):
    """Something the person at the terminal can act on: what is wrong, and what to do, in a sentence or two."""


class BrokenPromiseError(LabError):
    """A run that is complete, and whose figures are not as promised: its charts show them."""
