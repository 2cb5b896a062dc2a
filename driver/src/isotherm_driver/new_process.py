# SPDX-License-Identifier: Apache-2.0
"""What draws random numbers draws others in a forked process."""

import os
import random  # its generator is seeded anew in a forked process, and before what is registered here
from typing import Protocol
from weakref import WeakValueDictionary


class Drawing(Protocol):
    """Whatever keeps the state of a generator, or a random beginning, of its own."""

    def _draw_anew(self, seed: int) -> None: ...


_DRAWING: "WeakValueDictionary[int, Drawing]" = WeakValueDictionary()


def draw_anew_in_children(drawing: Drawing) -> None:
    """Give it another seed in each process that is forked from now on, as long as it lives."""
    _DRAWING[id(drawing)] = drawing


def _forked() -> None:
    for drawing in list(_DRAWING.values()):
        drawing._draw_anew(random.getrandbits(64))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
