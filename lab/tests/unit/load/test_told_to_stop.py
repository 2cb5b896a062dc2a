# SPDX-License-Identifier: Apache-2.0
import os
import threading

import pytest

from isotherm_lab.load.told_to_stop import stop_when_told


def test_it_stops_when_standard_input_closes_and_not_before(monkeypatch: pytest.MonkeyPatch):
    told, tell = os.pipe()
    with open(told) as standard_input:
        monkeypatch.setattr("sys.stdin", standard_input)
        stopping = threading.Event()
        stop_when_told(stopping)
        assert not stopping.wait(0.1)
        os.close(tell)
        assert stopping.wait(10)
