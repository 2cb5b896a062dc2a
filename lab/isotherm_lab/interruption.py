# SPDX-License-Identifier: Apache-2.0
"""Makes SIGTERM end the lab as Ctrl-C does, so that everything it started is stopped."""

import signal


def stop_on_sigterm() -> None:
    """Raise KeyboardInterrupt in the main thread on SIGTERM."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
