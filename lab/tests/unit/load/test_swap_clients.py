# SPDX-License-Identifier: Apache-2.0
"""What clients of transactions record."""

from types import SimpleNamespace

from isotherm_lab.load.swap_clients import SwapClients
from isotherm_lab.measure.histories import READ


class ForgetfulSession:
    """Answers each read with no row, whatever was written."""

    def prepare(self, query: str) -> SimpleNamespace:
        return SimpleNamespace(query=query)

    def execute(self, statement: SimpleNamespace, values: tuple[int, ...]) -> None:
        pass

    def execute_async(self, statement: SimpleNamespace, values: tuple[int, ...]) -> SimpleNamespace:
        result = SimpleNamespace(one=lambda: None, was_applied=False)
        return SimpleNamespace(result=lambda: result, coordinator_host=None)


def test_a_register_that_is_gone_is_an_answer_that_no_history_allows():
    clients = SwapClients(seed=1)
    clients.bodies(ForgetfulSession())[0]()
    read, _ = clients.history.so_far()
    assert read.kind == READ and read.succeeded
    assert read.value < 0
