# SPDX-License-Identifier: Apache-2.0
"""A mistake in the installation stops the node at once, with one sentence that says what to write instead."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from single_node import single_node
from waiting import until

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node

pytestmark = pytest.mark.contract

HANDLER = "-Dcassandra.custom_query_handler_class="


def isotherm_yaml(**heat: object) -> Callable[[Node], None]:
    def change(node: Node) -> None:
        rewrite(node.directory / "conf" / "isotherm.yaml", lambda content: content["heat"].update(heat))

    return change


def cassandra_yaml(**keys: object) -> Callable[[Node], None]:
    def change(node: Node) -> None:
        rewrite(node.directory / "conf" / "cassandra.yaml", lambda content: content.update(keys))

    return change


def rewrite(file: Path, change: Callable[[dict], None]) -> None:
    content = yaml.safe_load(file.read_text())
    change(content)
    file.write_text(yaml.safe_dump(content))


def wrapping_itself(node: Node) -> None:
    rewrite(
        node.directory / "conf" / "isotherm.yaml", lambda content: content.update(snitch="dev.isotherm.IsothermSnitch")
    )


def handler_wrapping_itself(node: Node) -> None:
    ours = "dev.isotherm.IsothermQueryHandler"
    rewrite(node.directory / "conf" / "isotherm.yaml", lambda content: content.update(query_handler=ours))


def wrapping_nothing(node: Node) -> None:
    rewrite(node.directory / "conf" / "isotherm.yaml", lambda content: content.update(snitch="NoSuchSnitch"))


def wrapping_no_handler(node: Node) -> None:
    rewrite(
        node.directory / "conf" / "isotherm.yaml", lambda content: content.update(query_handler="com.example.NoHandler")
    )


def without_file(node: Node) -> None:
    (node.directory / "conf" / "isotherm.yaml").unlink()


def with_a_directory(node: Node) -> None:
    """As Docker makes it for a volume of a file that the host does not have."""
    without_file(node)
    (node.directory / "conf" / "isotherm.yaml").mkdir()


def without_handler(node: Node) -> None:
    node.command = [part for part in node.command if not part.startswith(HANDLER)]


def with_another_handler(node: Node) -> None:
    without_handler(node)
    node.command.insert(1, HANDLER + "org.apache.cassandra.cql3.QueryProcessor")


def indented_by_a_tab(node: Node) -> None:
    (node.directory / "conf" / "isotherm.yaml").write_text("snitch: SimpleSnitch\nheat:\n\tenabled: true\n")


def kept(line: str) -> Callable[[Node], None]:
    return lambda node: (node.directory / "kept.yaml").write_text(line) and None


MISTAKES = {
    "wrong key": (isotherm_yaml(warmth=7), ["isotherm.yaml", "heat.warmth", "7", "allowed", "placement"]),
    "wrong value": (isotherm_yaml(placement="nearby"), ["heat.placement", "nearby", "local, affinity or auto"]),
    "out of range": (isotherm_yaml(miss_floor=2), ["heat.miss_floor", "2", "allowed", "0.001 to 1"]),
    "wrong unit": (isotherm_yaml(smoothing="3 hours"), ["heat.smoothing", "3 hours", "allowed", "500us"]),
    "no file": (without_file, ["isotherm.yaml is missing", "-Disotherm.config"]),
    "a directory": (
        with_a_directory,
        ["isotherm.yaml: ", "conf/isotherm.yaml is a directory; allowed: a regular file that this process can read"],
    ),
    "dynamic snitch": (cassandra_yaml(dynamic_snitch=True), ["dynamic_snitch", "true", "allowed", "false"]),
    "no handler": (without_handler, [HANDLER[:-1], "allowed", "dev.isotherm.IsothermQueryHandler"]),
    "another handler": (
        with_another_handler,
        [
            f"{HANDLER}org.apache.cassandra.cql3.QueryProcessor is refused",
            "allowed: dev.isotherm.IsothermQueryHandler, with query_handler: org.apache.cassandra.cql3.QueryProcessor",
        ],
    ),
    "wraps itself": (wrapping_itself, ["snitch", "dev.isotherm.IsothermSnitch", "allowed"]),
    "handler wraps itself": (
        handler_wrapping_itself,
        ["query_handler: dev.isotherm.IsothermQueryHandler is refused, it cannot wrap itself; allowed"],
    ),
    "unknown handler": (
        wrapping_no_handler,
        [
            "isotherm.yaml: query_handler: com.example.NoHandler is refused: there is no class com.example.NoHandler",
            "allowed: the class name of a query handler, or no such key for Cassandra's own",
        ],
    ),
    "unknown snitch": (wrapping_nothing, ["isotherm.yaml", "snitch", "NoSuchSnitch", "allowed"]),
    "tab": (
        indented_by_a_tab,
        ["isotherm.yaml", "line 3, column 1", "'\\t(TAB)'", "allowed: YAML, indented by spaces"],
    ),
    "bare name": (
        cassandra_yaml(endpoint_snitch="IsothermSnitch"),
        ["cassandra.yaml: endpoint_snitch: IsothermSnitch is refused; allowed: dev.isotherm.IsothermSnitch"],
    ),
    "kept wrong value": (
        kept("heat.placement: nearby"),
        ["kept.yaml", "heat.placement", "nearby", "local, affinity or auto"],
    ),
    "kept wrong name": (
        kept("heat.warmth: 7"),
        ["kept.yaml", "heat.warmth", "allowed", "heat.enabled", "heat.placement"],
    ),
    "handler without snitch": (
        cassandra_yaml(endpoint_snitch="GossipingPropertyFileSnitch"),
        ["endpoint_snitch", "GossipingPropertyFileSnitch", "allowed", "dev.isotherm.IsothermSnitch"],
    ),
}


#: Cassandra itself introduces these with a line that names the class, and a stack trace.
LOGGED_WITH_THE_CLASS = {"handler without snitch", "handler wraps itself", "unknown handler"}


#: A start is given as long everywhere.
_START_SECONDS = 120


def wait_until_it_gives_up(node: Node) -> None:
    """Wait until its process has ended; AssertionError with the stacks of its threads and its log where it hangs."""
    try:
        until(lambda: not node.is_running(), "the node gives up", timeout_s=_START_SECONDS)
    except AssertionError as hung:
        os.kill(node.identity.pid, signal.SIGQUIT)
        # The JVM writes its threads' stacks to the node's output, and this behind them.
        with suppress(AssertionError):
            until(lambda: "JNI global refs" in node.log_tail(lines=400), "the threads' stacks", timeout_s=10)
        raise AssertionError(f"{hung}\n{node.log_tail(lines=400)}") from None


@pytest.fixture
def prepared() -> Iterator[Cluster]:
    with single_node("isotherm") as cluster:
        # As an operator starts it: Cassandra's own main class reports what stops it.
        node = cluster.nodes[0]
        node.command = [*node.command[:-1], "org.apache.cassandra.service.CassandraDaemon"]
        yield cluster


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_node_stops_and_says_why(prepared: Cluster, mistake: str):
    change, words = MISTAKES[mistake]
    node = prepared.nodes[0]
    change(node)
    node.start()
    wait_until_it_gives_up(node)

    log = (node.directory / "logs" / "system.log").read_text()
    # Not in the listing of the whole configuration that every start-up begins with.
    lines = [line for line in log.splitlines() if not line.startswith("INFO")]
    sentences = [line for line in lines if all(word in line for word in words)]
    assert len(sentences) == 1, log[-4000:]
    if mistake not in LOGGED_WITH_THE_CLASS:
        assert sentences[0].startswith("ERROR")
        assert "\tat " not in log, "the sentence is buried in a stack trace"
