# SPDX-License-Identifier: Apache-2.0
"""The queue of a disk, on a clock that the test sets."""

from isotherm_lab.cluster.slow_volume.service_queue import ServiceQueue


def test_so_many_are_served_at_a_time_and_the_others_wait_in_order():
    queue: ServiceQueue[str] = ServiceQueue(2)
    queue.serve(10, now=0)
    for item in "abcde":
        queue.arrive(item, now=1)
    assert queue.next_s() == 11
    assert queue.done(10.9) == []
    assert queue.done(11) == ["a", "b"]
    # Nobody looked at 21: what began then has ended at 31 all the same.
    assert queue.done(31) == ["c", "d", "e"]
    assert queue.next_s() is None


def test_a_disk_that_is_not_slow_serves_all_at_once():
    queue: ServiceQueue[int] = ServiceQueue(1)
    for item in range(3):
        queue.arrive(item, now=5)
    assert queue.done(5) == [0, 1, 2]


def test_another_speed_holds_for_what_begins_from_then_on():
    queue: ServiceQueue[str] = ServiceQueue(1)
    queue.serve(10, now=0)
    queue.arrive("a", now=0)
    queue.arrive("b", now=0)
    queue.serve(100, now=1)
    assert queue.done(10) == ["a"]
    assert queue.next_s() == 110


def test_a_hung_disk_keeps_all_and_goes_on_where_it_was():
    queue: ServiceQueue[str] = ServiceQueue(2)
    queue.serve(10, now=0)
    for item in "abc":
        queue.arrive(item, now=0)
    queue.serve(None, now=5)
    queue.arrive("d", now=6)
    assert queue.next_s() is None
    assert queue.done(1000) == []
    queue.serve(1, now=1000)
    assert queue.done(1001) == ["a", "b"]
    assert queue.done(1002) == ["c", "d"]
