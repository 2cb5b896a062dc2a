# SPDX-License-Identifier: Apache-2.0
"""What a node holds: live heap and objects of the plugin after a full garbage collection, threads, handles.

Not counted are what Cassandra itself bounds and fills by chance of the moment: the threads of its pools (the shared
one for requests and stages, whose threads never end, and those of its executors, which begin by the number when first
needed and end when idle), and files of its data directory (tables, commit log), which are compacted.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

#: The group of the threads that serve requests and stages.
_SHARED_POOL = "SharedPool"
_PLUGIN_THREAD = "Isotherm"
_PLUGIN_CLASS, _LAB_CLASS = "dev.isotherm.", "dev.isotherm.lab."
#: <rank>: <objects> <bytes> <class>, the class of an array behind brackets.
_CLASS = re.compile(r"\s*\d+:\s+(\d+)\s+(\d+)\s+((?:\[+L)?(\S+))")
_TOTAL = re.compile(r"Total\s+\d+\s+(\d+)")


@dataclass(frozen=True)
class Holdings:
    """What one process holds at one moment."""

    heap_bytes: int
    threads: int
    handles: int
    plugin_objects: int
    plugin_threads: int

    def __sub__(self, other: "Holdings") -> "Holdings":
        return Holdings(*(getattr(self, each.name) - getattr(other, each.name) for each in fields(self)))

    def as_json(self) -> dict[str, Any]:
        """Return it by name."""
        return asdict(self)


def most(each: Iterable[Holdings]) -> Holdings:
    """Return the greatest of each figure; there is at least one."""
    every = list(each)
    return Holdings(*(max(getattr(one, field.name) for one in every) for field in fields(Holdings)))


def read(directory: Path, pid: int) -> Holdings:
    """Return what a node holds that has just obeyed the order `holdings`."""
    heap_bytes, plugin_objects = heap((directory / "heap.txt").read_text())
    threads, plugin_threads = counted_threads((directory / "threads.tsv").read_text().splitlines())
    return Holdings(heap_bytes, threads, handles(pid, directory / "data"), plugin_objects, plugin_threads)


def heap(histogram: str) -> tuple[int, int]:
    """Return the live bytes of a histogram of the heap, and how many objects in it have classes of the plugin."""
    total = _TOTAL.search(histogram)
    if total is None:
        raise ValueError(f"No histogram of a heap: {histogram[:200]!r}")
    own = sum(int(count) for count, _, _, name in _classes(histogram) if _is_plugin(name))
    return int(total.group(1)), own


def bytes_by_class(directory: Path) -> dict[str, int]:
    """Return the live bytes of each class, arrays as the JVM writes them, of a node that has obeyed `holdings`."""
    held: dict[str, int] = {}
    for _, size, name, _ in _classes((directory / "heap.txt").read_text()):
        held[name] = held.get(name, 0) + int(size)
    return held


def _classes(histogram: str) -> Iterable[tuple[str, ...]]:
    return (match.groups() for match in map(_CLASS.match, histogram.splitlines()) if match)


def _is_plugin(name: str) -> bool:
    return name.startswith(_PLUGIN_CLASS) and not name.startswith(_LAB_CLASS)


def counted_threads(lines: Iterable[str]) -> tuple[int, int]:
    """Return how many threads there are outside of Cassandra's pools, and how many of them are the plugin's."""
    names = [name for group, _, name in (line.partition("\t") for line in lines) if not _is_pooled(group, name)]
    return len(names), sum(name.startswith(_PLUGIN_THREAD) for name in names)


def _is_pooled(group: str, name: str) -> bool:
    """Whether a thread is of one of Cassandra's pools: an executor's threads are named by its group and a number."""
    return group == _SHARED_POOL or (bool(group) and name.rpartition(":")[0] == group)


def handles(pid: int, data: Path, proc: Path = Path("/proc")) -> int:
    """Return how many files, sockets and pipes a process has open that are not below `data`."""
    inside = f"{data}/"
    return sum(not target.startswith(inside) for target in _targets(proc / str(pid) / "fd"))


def _targets(folder: Path) -> Iterable[str]:
    for name in os.listdir(folder):
        try:
            yield os.readlink(folder / name)
        except FileNotFoundError:
            continue  # closed meanwhile
