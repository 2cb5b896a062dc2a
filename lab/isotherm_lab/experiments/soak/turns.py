# SPDX-License-Identifier: Apache-2.0
"""How much clients do with all features on, and with all off, in turns on one cluster.

From one cluster to the next it differs by more than the plugin takes, and from one quarter of a minute to the next too.
"""

import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.soak.parties import Parties
from isotherm_lab.experiments.soak.scenes import Scene
from isotherm_lab.experiments.throughput.plan import LOCAL, NOTHING
from isotherm_lab.experiments.throughput.side import SWITCHES
from isotherm_lab.measure.paired import counterbalanced, ratio
from isotherm_lab.progress import Listener

ON, OFF = "on", "off"
_SWITCHES = {ON: SWITCHES[LOCAL] | {"limit.fair_share": "dry_run"}, OFF: SWITCHES[NOTHING]}
#: With all features off a node goes on looking for twice the longest timeout of a request.
_SETTLES_S = {ON: 4.0, OFF: 12.0}
_BLOCKS = 6
_TURN_S = 10.0
#: The plugin takes too much where it is certain that this part of the operations is not reached.
_LEAST = 0.9


def expected_s() -> float:
    """Return about how long all turns take."""
    return 2 * _BLOCKS * (sum(_SETTLES_S.values()) + 2 * _TURN_S)


def in_turns(cluster: Cluster, scene: Scene, parties: Parties, told: Listener) -> dict[str, Any]:
    """Return the operations per second of each turn, and the ratio of those with all on to those with all off.

    Their clients have a place of their own, and nobody checks what they did.
    """
    told.step("all features on and off in turns", expected_s())
    rates: dict[str, list[float]] = {ON: [], OFF: []}
    with parties.load(cluster):
        for block in range(_BLOCKS):
            for name in counterbalanced((ON, OFF)):
                switch(cluster, scene, _SWITCHES[name])
                time.sleep(_SETTLES_S[name])
                before, begun = parties.operations(), time.monotonic()
                time.sleep(_TURN_S)
                rates[name].append((parties.operations() - before) / (time.monotonic() - begun))
            told.note(f"{block + 1} of {_BLOCKS} blocks")
    # The next look at the cluster finds it as it was.
    switch(cluster, scene, _SWITCHES[ON])
    return {"per_second": rates, "ratio": asdict(compared(rates))}


def compared(rates: Mapping[str, list[float]]) -> Any:
    """Return the ratio of the turns with all on to those with all off."""
    return ratio(*(np.array(rates[name]).reshape(-1, 2) for name in (ON, OFF)))


def switch(cluster: Cluster, scene: Scene, values: Mapping[str, str]) -> None:
    """Set these settings on every node."""
    for place in range(len(cluster.nodes)):
        with scene.session_of(cluster, place) as session:
            for name, value in values.items():
                session.execute(f"UPDATE isotherm.settings SET value = '{value}' WHERE name = '{name}'")


def sentence(found: Mapping[str, Any]) -> str:
    """Return what came of the turns, for a person."""
    own = found["ratio"]
    return (
        f"In turns on one cluster the clients did {own['median']:.2f} x ({own['low']:.2f} to {own['high']:.2f}) as much"
        " with all features on as with all off"
    )


def too_much(found: Mapping[str, Any]) -> bool:
    """Return whether the plugin surely takes more of the clients' operations than it may."""
    return bool(found["ratio"]["high"] < _LEAST)
