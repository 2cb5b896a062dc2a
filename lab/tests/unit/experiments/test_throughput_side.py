# SPDX-License-Identifier: Apache-2.0
from isotherm_lab.experiments.throughput.plan import NOTHING
from isotherm_lab.experiments.throughput.side import SWITCHES, WithAbsentKeys


class Named:
    """Requests that say whose they are, and on which stream they are answered."""

    def __init__(self, name: str):
        self._name = name

    def next(self, stream: int) -> bytes:
        return f"{self._name}{stream}".encode()


def test_each_so_manyth_request_is_for_a_key_never_written():
    requests = WithAbsentKeys(Named("read"), Named("absent"), 3)
    sent = [requests.next(stream) for stream in (0, 1, 2, 0, 1, 2, 0)]
    assert sent == [b"read0", b"read1", b"absent2", b"read0", b"read1", b"absent2", b"read0"]


def test_where_everything_is_off_no_feature_is_on():
    assert {name for name, value in SWITCHES[NOTHING].items() if name.endswith(".enabled") and value == "false"} == {
        f"{feature}.enabled" for feature in ("guard", "heat", "limit", "queue", "warming")
    }
    assert "true" not in SWITCHES[NOTHING].values() and SWITCHES[NOTHING]["limit.fair_share"] == "off"
    assert {frozenset(switches) for switches in SWITCHES.values()} == {frozenset(SWITCHES[NOTHING])}
