# SPDX-License-Identifier: Apache-2.0
"""The ways to balance reads that the experiments compare."""

from dataclasses import dataclass

from isotherm_lab.errors import LabError


@dataclass(frozen=True)
class Variant:
    """How the nodes of a cluster order the replicas of a read."""

    name: str
    title: str
    dynamic_snitch: bool = False
    plugin: bool = False
    placement: str | None = None
    #: Whether experiments run it where no variant is chosen.
    compared: bool = True


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("cassandra", "Cassandra (its defaults)", dynamic_snitch=True),
        Variant("cassandra-static", "Cassandra (dynamic snitch off)"),
        Variant("isotherm", "Isotherm (local)", plugin=True, placement="local"),
        Variant("isotherm-affinity", "Isotherm (affinity)", plugin=True, placement="affinity"),
        Variant("isotherm-auto", "Isotherm (auto)", plugin=True, placement="auto", compared=False),
    )
}


COMPARED = tuple(name for name, each in VARIANTS.items() if each.compared)


def variant(name: str) -> Variant:
    """Return the variant of that name; LabError naming the known ones when there is none."""
    try:
        return VARIANTS[name]
    except KeyError:
        raise LabError(f"There is no variant {name!r}; known are {', '.join(VARIANTS)}.") from None
