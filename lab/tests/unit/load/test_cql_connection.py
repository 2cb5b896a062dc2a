# SPDX-License-Identifier: Apache-2.0
import struct

from isotherm_lab.load.cql_connection import CONFIGURATION_ERROR, Prepared, code, is_rejection, message, outcomes


def frame(stream: int, opcode: int, body: bytes) -> bytes:
    return struct.pack(">BBhBI", 0x84, 0, stream, opcode, len(body)) + body


def test_whole_answers_are_taken_and_a_torn_one_is_left():
    data = frame(3, 0x08, b"x" * 20) + frame(7, 0x08, b"") + frame(1, 0x08, b"y" * 5)
    whole = len(data) - 14
    for cut in range(whole, len(data)):
        assert outcomes(data[:cut]) == ([(3, b""), (7, b"")], whole)
    assert outcomes(data) == ([(3, b""), (7, b""), (1, b"")], len(data))


def test_an_error_says_what_the_node_said():
    text = b"Cannot achieve consistency level QUORUM"
    ((_, body),), _ = outcomes(frame(0, 0x00, struct.pack(">IH", 0x1000, len(text)) + text))
    assert message(body) == text.decode() and code(body) == 0x1000 and not is_rejection(body)


def test_outcomes_tell_rows_from_errors():
    refused = struct.pack(">IH", CONFIGURATION_ERROR, 7) + b"too hot"
    data = frame(3, 0x08, b"x" * 20) + frame(5, 0x00, refused) + frame(1, 0x08, b"y" * 5)
    found, used = outcomes(data[:-1])
    assert found == [(3, b""), (5, refused)] and used == len(data) - 14
    assert code(refused) == CONFIGURATION_ERROR and is_rejection(refused) and message(refused) == "too hot"


def test_a_request_says_how_long_it_is():
    request = Prepared(b"0123456789abcdef", 4).head(9) + (77).to_bytes(8, "big")
    version, _, stream, opcode, length = struct.unpack_from(">BBhBI", request)
    assert (version, stream, opcode, length) == (4, 9, 0x0A, len(request) - 9)
    assert request.endswith(struct.pack(">HBHIq", 4, 3, 1, 8, 77))
