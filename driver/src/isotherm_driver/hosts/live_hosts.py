# SPDX-License-Identifier: Apache-2.0
"""The live hosts by location as the drivers' own subclasses change them: one key after another, in place."""

from collections.abc import Callable, Hashable, Iterable, Iterator, MutableMapping
from typing import Any

Buckets = dict[Hashable, tuple[Any, ...]]


class LiveHosts(MutableMapping[Hashable, tuple[Any, ...]]):
    """Tuples of hosts by location. What is written is in the policy's next plan; what is read is always the present.

    As in the drivers, whoever reads and then writes does so under the policy's `_hosts_lock`.
    """

    def __init__(self, read: Callable[[], Buckets], write: Callable[[Buckets], None]):
        self._read = read
        self._write = write

    def __getitem__(self, location: Hashable) -> tuple[Any, ...]:
        return self._read()[location]

    def __setitem__(self, location: Hashable, hosts: Iterable[Any]) -> None:
        self._write({**self._read(), location: tuple(hosts)})

    def __delitem__(self, location: Hashable) -> None:
        rest = dict(self._read())
        del rest[location]
        self._write(rest)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(list(self._read()))

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return repr(self.copy())

    def copy(self) -> Buckets:
        """The present hosts in a dictionary that no longer follows them."""
        return dict(self._read())
