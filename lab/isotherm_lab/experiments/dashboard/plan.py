# SPDX-License-Identifier: Apache-2.0
"""What decides a run: the reads and the disks, how long each scene lasts, and how often Prometheus looks."""

from dataclasses import dataclass

from isotherm_lab.experiments.cold_restart import plan as cold_restart
from isotherm_lab.experiments.options import FirstAddress

NAME = "dashboard"


@dataclass(frozen=True)
class Scene:
    """Something that happens, and the seconds that it is watched for."""

    name: str
    seconds: float


WELL, RESTARTED, PAUSED, HOT, AFTER = "well", "a node restarts cold", "a node pauses", "a hot partition", "after"


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run."""

    reads: cold_restart.Plan
    scenes: tuple[Scene, ...] = (
        Scene(WELL, 45),
        Scene(RESTARTED, 75),
        Scene(PAUSED, 40),
        Scene(HOT, 40),
        Scene(AFTER, 30),
    )
    paused_s: float = 8
    limit_per_s: int = 50
    #: As often a node is asked for its metrics; rates are over four times that, as Grafana has them.
    scrape_s: int = 2
    first_address: int = 1

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        return 100 + sum(scene.seconds for scene in self.scenes)


def planned(first_address: FirstAddress = 1) -> Plan:
    """Return what these options ask for."""
    return Plan(cold_restart.of_size("exceeds", short=True), first_address=first_address)
