# SPDX-License-Identifier: Apache-2.0
"""What of a plan is promised: runs of hosts that are equally good, in order; inside a run, only a rotation."""

from collections.abc import Callable, Hashable, Sequence
from itertools import groupby

from cassandra.pool import Host


def runs(plan: Sequence[Host], quality: Callable[[Host], Hashable]) -> list[tuple[Hashable, list[Host]]]:
    """Cut a plan where the quality of its hosts changes."""
    return [(key, list(hosts)) for key, hosts in groupby(plan, quality)]


def is_rotation(one: Sequence[Host], other: Sequence[Host]) -> bool:
    """Whether both are the same cycle, begun at different places."""
    if len(one) != len(other):
        return False
    doubled = [*other, *other]
    return any(all(a is b for a, b in zip(one, doubled[start:], strict=False)) for start in range(max(1, len(other))))


def same_hosts(one: Sequence[Host], other: Sequence[Host]) -> bool:
    """Whether both hold the same hosts, each as often, in whatever order."""
    return sorted(map(id, one)) == sorted(map(id, other))


def without_repeats(plan: Sequence[Host]) -> list[Host]:
    """Return the plan with each host where it first stands."""
    seen: set[int] = set()
    return [each for each in plan if not (id(each) in seen or seen.add(id(each)))]
