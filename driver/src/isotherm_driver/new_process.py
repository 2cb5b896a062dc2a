# SPDX-License-Identifier: Apache-2.0
"""What a forked process begins anew: random numbers, and locks that a thread of its parent may have held."""

import logging
import os
import random  # its generator is seeded anew in a forked process, and before what is registered here
from typing import Protocol
from weakref import WeakValueDictionary

log: logging.Logger = logging.getLogger("isotherm_driver.policies")


class Beginning(Protocol):
    """Whatever keeps the state of a generator, a random beginning or a lock of its own."""

    def _begin_anew(self, seed: int) -> None:
        """Draw by this seed, and replace the locks: who held one may be a thread that this process does not have."""


_BEGINNING: "WeakValueDictionary[int, Beginning]" = WeakValueDictionary()


def begin_anew_in_children(beginning: Beginning) -> None:
    """Have it begin anew in each process that is forked from now on, as long as it lives."""
    _BEGINNING[id(beginning)] = beginning


def _forked() -> None:
    problem = None
    for beginning in list(_BEGINNING.values()):
        try:
            beginning._begin_anew(random.getrandbits(64))
        except Exception as cause:  # of a subclass, say: the others begin anew all the same
            problem = cause
    if problem is not None:
        log.warning("Not all policies of a forked process begin anew: %r", problem)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
