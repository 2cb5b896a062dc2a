# SPDX-License-Identifier: Apache-2.0
"""In which order test modules run, so that the cluster they share is restarted as seldom as possible."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, permutations

Variants = tuple[str, ...]


@dataclass(frozen=True)
class Module:
    """What a test module says of itself."""

    name: str
    #: The variants of the shared cluster's nodes that it begins with; None when it does without that cluster.
    begins_with: Variants | None
    #: The variants that it leaves behind; None when it leaves those that it began with.
    leaves: Variants | None = None
    #: Whether it is to come after the others that begin with the same variants.
    after_others: bool = False


def in_order(modules: Iterable[Module]) -> list[Module]:
    """Return the modules in the order in which they run.

    First those that do without the shared cluster, which then does not run beside them; then, together, those that
    begin with the same variants. Among these come last those that are to come after the others, and then
    those that leave other variants behind. The rest is the order of names.
    """
    modules = sorted(modules, key=lambda module: module.name)
    apart = [module for module in modules if module.begins_with is None]
    sharing = sorted(
        (module for module in modules if module.begins_with is not None),
        key=lambda module: (module.begins_with, module.leaves is not None, module.after_others),
    )
    groups = [list(group) for _, group in groupby(sharing, key=lambda module: module.begins_with)]
    # There are but a few ways in which modules begin.
    orders = ([module for group in order for module in group] for order in permutations(groups))
    return apart + min(orders, key=restarts)


def restarts(modules: Sequence[Module]) -> int:
    """Return how many nodes are restarted between modules because the next one begins with other variants."""
    return sum(
        before != after
        for earlier, later in pairwise(modules)
        for before, after in zip(earlier.leaves or earlier.begins_with, later.begins_with, strict=True)
    )
