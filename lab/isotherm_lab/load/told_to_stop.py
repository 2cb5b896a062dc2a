# SPDX-License-Identifier: Apache-2.0
"""How a load of threads hears that it is to stop: its standard input closes."""

import sys
import threading


def stop_when_told(stopping: threading.Event) -> None:
    """Return at once, and set the event when standard input closes."""

    def wait() -> None:
        sys.stdin.read()
        stopping.set()

    threading.Thread(target=wait, daemon=True).start()
