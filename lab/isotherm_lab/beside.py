# SPDX-License-Identifier: Apache-2.0
"""Something that goes on while a block runs, in a thread of its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def beside(work: Callable[[threading.Event], None], name: str) -> Iterator[None]:
    """Run `work` in a thread until the block ends: it is given an event that is set then, and is waited for."""
    over = threading.Event()
    # No daemon: it may have to undo what it does, as a process that it has stopped, after a second Ctrl-C too.
    thread = threading.Thread(target=work, args=(over,), name=name)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
