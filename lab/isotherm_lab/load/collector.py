# SPDX-License-Identifier: Apache-2.0
"""Keeps Python's garbage collector from stopping a process that measures."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collections() -> Iterator[None]:
    """Collect once and not again; what is done meanwhile must leave no cycles, or memory fills up."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
