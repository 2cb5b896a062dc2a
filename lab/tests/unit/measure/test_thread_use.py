# SPDX-License-Identifier: Apache-2.0
import os
import threading
import time
from pathlib import Path

import pytest

from isotherm_lab.measure.thread_use import (
    CLIENTS,
    COLLECTIONS,
    COMPILERS,
    GROUPS,
    NODES,
    OTHERS,
    PLUGIN,
    POOL,
    ThreadUse,
    Use,
    between,
    group_of,
)


class Threads:
    """A /proc of one process, of which a test says what its threads have spent."""

    def __init__(self, root: Path):
        self.root = root

    def spent(self, thread: int, name: str, nanos: int, runs: int) -> None:
        folder = self.root / "7" / "task" / str(thread)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "comm").write_text(name + "\n")
        (folder / "schedstat").write_text(f"{nanos} 12345 {runs}\n")

    def ends(self, thread: int) -> None:
        folder = self.root / "7" / "task" / str(thread)
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


@pytest.fixture
def threads(tmp_path: Path) -> Threads:
    return Threads(tmp_path)


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("Native-Transpor", POOL), ("ReadStage-12", POOL), ("RequestResponse", POOL), ("SharedPool-Work", POOL),
        ("epollEventLoopG", CLIENTS), ("Messaging-Event", NODES), ("C2 CompilerThre", COMPILERS),
        ("VM Thread", COLLECTIONS), ("Isotherm", PLUGIN), ("GossipStage:1", OTHERS), ("VM Periodic Tas", OTHERS),
    ],
)  # fmt: skip
def test_a_thread_is_known_by_the_beginning_of_its_name(name, group):
    assert group_of(name) == group


def test_a_worker_that_takes_another_name_stays_in_its_group(threads):
    use = ThreadUse([7], threads.root)
    threads.spent(1, "Native-Transpor", 1_000_000_000, 10)
    before = use()
    threads.spent(1, "ReadStage-1", 1_500_000_000, 14)
    spent = between(before, use())
    assert spent[POOL] == Use(pytest.approx(0.5), 4)
    assert sum(spent.values(), Use()) == Use(pytest.approx(0.5), 4) and tuple(spent) == GROUPS


def test_a_thread_that_begins_counts_and_one_that_ends_takes_nothing_away(threads):
    use = ThreadUse([7], threads.root)
    threads.spent(1, "C2 CompilerThre", 9_000_000_000, 90)
    threads.spent(2, "C1 CompilerThre", 1_000_000_000, 5)
    before = use()
    threads.ends(1)
    threads.spent(2, "C1 CompilerThre", 1_250_000_000, 6)
    threads.spent(3, "C2 CompilerThre", 500_000_000, 2)
    assert between(before, use())[COMPILERS] == Use(pytest.approx(0.75), 3)


def test_the_kernel_counts_what_a_thread_spends():
    use = ThreadUse([os.getpid()])
    before, cpu = use(), time.thread_time()
    while time.thread_time() - cpu < 0.1:
        pass
    wakings = 20
    turn, answer = threading.Semaphore(0), threading.Semaphore(0)

    def wake() -> None:
        for _ in range(wakings):
            turn.acquire()
            answer.release()

    other = threading.Thread(target=wake)
    other.start()
    for _ in range(wakings):
        turn.release()
        answer.acquire()
    spent = between(before, use())[OTHERS]
    other.join()
    assert spent.cpu_s >= 0.1 and spent.runs >= 1
