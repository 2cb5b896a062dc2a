# SPDX-License-Identifier: Apache-2.0
"""Work that may hang, such as on a lock that its own thread holds."""

import threading
from typing import Any


def within_seconds(work: Any, *arguments: Any) -> None:
    """Do the work in a thread; fail if it hangs."""
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive(), "it hangs"
