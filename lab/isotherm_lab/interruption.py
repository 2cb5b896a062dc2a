# SPDX-License-Identifier: Apache-2.0
"""Makes SIGTERM and a closed terminal end the lab as Ctrl-C does, so that everything it started is stopped."""

import signal


def stop_on_signals() -> None:
    """Raise KeyboardInterrupt in the main thread on SIGTERM, and on SIGHUP unless that is ignored, as under nohup."""

    def interrupt(number: int, _frame: object) -> None:
        if number == signal.SIGHUP:
            # A terminal that closes says so more than once, by the kernel and by its shell: the first one is enough,
            # and the next must not interrupt the stopping.
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, interrupt)
