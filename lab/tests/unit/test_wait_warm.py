# SPDX-License-Identifier: Apache-2.0
"""The script that waits for a restarted node, with a cqlsh that prints what a test gives it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "tools" / "isotherm-wait-warm"
HOST, PEER = "10.0.0.1", "10.0.0.2"
WARM = {"up": True, "cost_times_peers": 1.25, "safe_to_restart_next": True, "reason": "a read of ks.t, 1.2"}
COLD = {"up": True, "cost_times_peers": 20.0, "safe_to_restart_next": False, "reason": "it is cold: a read of ks.t, 20"}

DOWN = {**COLD, "up": False, "reason": "it is down"}


class Nodes:
    """The nodes that the script may ask: each prints its views as cqlsh does; others refuse."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.cqlsh = folder / "cqlsh"
        # The address comes last.
        self.cqlsh.write_text(
            f"""#!/bin/sh
for last; do :; done
if [ ! -e "{folder}/$last" ]; then
    echo "Connection error: ('Unable to connect to any servers', '$last')" >&2
    exit 1
fi
cat "{folder}/$last"
grep -q json "{folder}/$last"
"""
        )
        self.cqlsh.chmod(0o755)

    def have_no_plugin(self, address: str) -> None:
        """Have a node answer as one without the plugin; cqlsh ends with an error."""
        (self.folder / address).write_text('<stdin>:1:InvalidRequest: message="keyspace isotherm does not exist"\n')

    def sees(self, observer: str, **views: dict) -> None:
        rows = [json.dumps({"address": address.replace("_", ".")[1:], **view}) for address, view in views.items()]
        text = "\n [json]\n------\n" + "".join(f" {row}\n" for row in rows) + f"\n({len(rows)} rows)\n"
        (self.folder / observer).write_text(text)

    def wait(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["sh", str(SCRIPT), *arguments],
            env={**os.environ, "CQLSH": str(self.cqlsh)}, capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip


@pytest.fixture
def nodes(tmp_path: Path) -> Nodes:
    return Nodes(tmp_path)


def test_it_ends_when_all_nodes_that_have_a_view_agree(nodes: Nodes):
    views = {"n10_0_0_1": WARM, "n10_0_0_2": WARM, "n10_0_0_3": WARM}
    nodes.sees(HOST, **views)
    nodes.sees(PEER, **views)
    nodes.have_no_plugin("10.0.0.3")
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{HOST} [{25 * '#'}] 100 %  the next node may restart: 2 nodes agree\n"


def test_one_node_that_objects_is_enough(nodes: Nodes):
    nodes.sees(HOST, n10_0_0_1=WARM, n10_0_0_2=WARM)
    nodes.sees(PEER, n10_0_0_1=COLD, n10_0_0_2=WARM)
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 1
    assert done.stderr == (
        f"isotherm-wait-warm: {HOST} is not ready after 0 s: it is cold: a read of ks.t, 20 (as {PEER} sees it)\n"
    )


def test_what_others_wait_for_does_not_matter(nodes: Nodes):
    views = {"n10_0_0_1": WARM, "n10_0_0_2": COLD}
    nodes.sees(HOST, **views)
    nodes.sees(PEER, **views)
    assert nodes.wait("--timeout", "0", HOST).returncode == 0


def test_a_node_that_is_down_objects(nodes: Nodes):
    nodes.sees(HOST, n10_0_0_1=WARM, n10_0_0_2=DOWN)
    nodes.sees(PEER, n10_0_0_1=COLD)
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 1
    assert f": {PEER} is down (as {HOST} sees it); --ignore {PEER} if it may be\n" in done.stderr


def test_a_node_that_only_a_peer_sees_down_objects(nodes: Nodes):
    nodes.sees(HOST, n10_0_0_1=WARM, n10_0_0_2=WARM, n10_0_0_3=WARM)
    nodes.sees(PEER, n10_0_0_1=WARM, n10_0_0_2=WARM, n10_0_0_3=DOWN)
    nodes.sees("10.0.0.3", n10_0_0_1=WARM, n10_0_0_2=WARM, n10_0_0_3=WARM)
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 1
    assert f"10.0.0.3 is down (as {PEER} sees it)" in done.stderr


def test_a_node_that_may_be_down_is_not_asked(nodes: Nodes):
    nodes.sees(HOST, n10_0_0_1=WARM, n10_0_0_2=DOWN, n10_0_0_3=DOWN)
    nodes.sees(PEER, n10_0_0_1=COLD)
    done = nodes.wait("--timeout", "0", "--ignore", PEER, "--ignore", "10.0.0.3", HOST)
    assert done.returncode == 0, done.stderr
    done = nodes.wait("--timeout", "0", "--ignore", PEER, HOST)
    assert done.returncode == 1
    assert "10.0.0.3 is down" in done.stderr


def test_a_node_that_may_be_down_need_not_answer_while_gossip_has_it_as_up(nodes: Nodes):
    nodes.sees(HOST, n10_0_0_1=WARM, n10_0_0_2=WARM)
    done = nodes.wait("--timeout", "0", "--ignore", PEER, HOST)
    assert done.returncode == 0, done.stderr
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 1
    assert f"{PEER} does not answer" in done.stderr
    # One that answers is heard.
    nodes.sees(PEER, n10_0_0_1=COLD, n10_0_0_2=WARM)
    done = nodes.wait("--timeout", "0", "--ignore", PEER, HOST)
    assert done.returncode == 1
    assert f"(as {PEER} sees it)" in done.stderr


@pytest.mark.parametrize("address", ["127.0.0.1", "2001:db8::1", "10.0.0.11", "0.0.0.1"])
def test_an_address_that_no_node_has_is_no_agreement(nodes: Nodes, address: str):
    """As of a node behind another public address, or an IPv6 address in its short form."""
    nodes.sees(address, n10_0_0_1=COLD, n10_0_0_2=WARM)
    nodes.sees(HOST, n10_0_0_1=COLD, n10_0_0_2=WARM)
    nodes.sees(PEER, n10_0_0_1=COLD, n10_0_0_2=WARM)
    done = nodes.wait("--timeout", "0", address)
    assert done.returncode == 2
    assert done.stderr == (
        f"isotherm-wait-warm: the address {address}, which no row of isotherm.rollout has, is refused;"
        f" allowed: {HOST} {PEER}\n"
    )


@pytest.mark.parametrize(("shared", "name"), [(HOST, "m10_0_0_1"), (PEER, "m10_0_0_2")])
def test_nodes_that_share_an_address_are_refused(nodes: Nodes, shared: str, name: str):
    """As with a storage port for each: cqlsh reaches one of the two, and the other one's view is not seen."""
    for address in (HOST, PEER):
        nodes.sees(address, n10_0_0_1=WARM, n10_0_0_2=WARM, **{name: WARM})
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 2
    assert done.stderr == (
        f"isotherm-wait-warm: the address {shared}, which several rows of isotherm.rollout have, is refused;"
        " allowed: an address for each node\n"
    )


def test_a_missing_cqlsh_is_a_sentence(nodes: Nodes):
    nodes.cqlsh.unlink()
    done = nodes.wait(HOST)
    assert done.returncode == 2
    assert "is refused; allowed: cqlsh on the PATH, or its place in CQLSH" in done.stderr


def test_a_node_that_does_not_answer_yet_is_waited_for(nodes: Nodes):
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 1
    assert "it does not answer yet: Connection error: " in done.stderr


def test_a_node_without_the_plugin_is_named(nodes: Nodes):
    nodes.have_no_plugin(HOST)
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 1
    assert "it runs without the plugin: there is no isotherm.rollout" in done.stderr


@pytest.mark.parametrize("ignored", [(), ("--ignore", PEER)])
def test_a_node_that_does_not_know_the_restarted_one_objects(nodes: Nodes, ignored: tuple[str, ...]):
    """As of one that a partition has cut off. It answers, so that it is heard though it might be down."""
    nodes.sees(HOST, n10_0_0_1=WARM, n10_0_0_2=WARM)
    nodes.sees(PEER, n10_0_0_2=WARM)
    done = nodes.wait("--timeout", "0", *ignored, HOST)
    assert done.returncode == 1
    assert done.stderr == f"isotherm-wait-warm: {HOST} is not ready after 0 s: {PEER} does not know {HOST}\n"


def test_a_live_node_that_refuses_objects(nodes: Nodes):
    nodes.sees(HOST, n10_0_0_1=WARM, n10_0_0_2=WARM)
    (nodes.folder / PEER).write_text("InvalidRequest: message=\"Keyspace 'application' does not exist\"\n")
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 1
    assert f"{PEER} does not answer: InvalidRequest: " in done.stderr


def test_a_live_node_that_does_not_answer_objects(nodes: Nodes):
    nodes.sees(HOST, n10_0_0_1=WARM, n10_0_0_2=WARM)
    done = nodes.wait("--timeout", "0", HOST)
    assert done.returncode == 1
    assert f"{PEER} does not answer: Connection error: " in done.stderr


def test_the_bar_shows_how_far_it_has_warmed(nodes: Nodes):
    nodes.sees(HOST, n10_0_0_1=COLD, n10_0_0_2=WARM)
    nodes.sees(PEER, n10_0_0_1={**COLD, "cost_times_peers": None, "reason": "hints"}, n10_0_0_2=WARM)
    waiting = subprocess.Popen(
        ["sh", str(SCRIPT), "--timeout", "20", HOST],
        env={**os.environ, "CQLSH": str(nodes.cqlsh)}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert waiting.stdout.readline() == f"{HOST} [{25 * '.'}]   0 %  {COLD['reason']} (as {HOST} sees it)\n"
        halfway = {**COLD, "cost_times_peers": 6.3, "reason": "it is cold: a read of ks.t, 6"}
        nodes.sees(HOST, n10_0_0_1=halfway, n10_0_0_2=WARM)
        line = waiting.stdout.readline()
        assert line.startswith(f"{HOST} [{12 * '#'}{13 * '.'}]  50 %  "), line
    finally:
        waiting.kill()
        waiting.communicate()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "the address '' is refused; allowed: the address of a node"),
        (["10.0.0.1", "10.0.0.2"], "10.0.0.2 is refused; allowed: one address"),
        (["--timeout", "soon", "10.0.0.1"], "--timeout soon is refused; allowed: a number of seconds"),
        (["--wait", "10.0.0.1"], "--wait is refused; allowed: --timeout, --ignore, --help"),
        (["--ignore", "n3", "10.0.0.1"], "--ignore n3 is refused; allowed: the address of a node"),
        (["a;b"], "the address 'a;b' is refused; allowed: the address of a node"),
    ],
)
def test_a_wrong_argument_is_a_sentence(nodes: Nodes, arguments: list[str], sentence: str):
    done = nodes.wait(*arguments)
    assert done.returncode == 2
    assert done.stderr == f"isotherm-wait-warm: {sentence}\n"
