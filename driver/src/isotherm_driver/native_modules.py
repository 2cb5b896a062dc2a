# SPDX-License-Identifier: Apache-2.0
"""Has Python find the modules that are written in Cython: all of them are in one shared library.

Python loads a module from a shared library by the name of its entry, `PyInit_` and the last part of the module's name,
and lets a library have many. What it does not do is look for a module in a library of another name. Their names stand
here: the sources that have them may be left out where the package runs.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

PACKAGE: str = __name__.partition(".")[0]
#: Each module that is written in Cython, by the folder it is in.
_BY_FOLDER = {
    "": "queue_aware_order",
    "affinity.": "coordinators hot_partitions shares splitmix64 systematic_sampling",
    "busy.": "in_flight order",
    "hosts.": "buckets excluding filtering lister liveness offered plan policy_core round_robin table targeting",
    "reports.": "by_host node_reports",
    "routing.": "arranger drivers_way murmur3 replica_order replica_ring route router stable_order tablets token_aware"
    " token_plan token_ring",
    "statements.": "facts words",
}
NAMES: frozenset[str] = frozenset(
    f"{PACKAGE}.{folder}{module}" for folder, modules in _BY_FOLDER.items() for module in modules.split()
)
_DIRECTORY = Path(__file__).parent
_CANDIDATES = [_DIRECTORY / f"native{suffix}" for suffix in EXTENSION_SUFFIXES]
LIBRARY: str | None = next((str(each) for each in _CANDIDATES if each.exists()), None)


class NativeModules:
    """Finds each module of this package whose source is Cython's."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in NAMES:
            return None
        if LIBRARY is None:
            raise ImportError(
                f"{PACKAGE} has no library for this Python, with one of {EXTENSION_SUFFIXES}: install the wheel for "
                f"CPython {sys.version_info.major}.{sys.version_info.minor} and this processor, or build the package "
                "with this Python: `pip install driver/` in the repository",
                name=name,
            )
        return spec_from_file_location(name, LIBRARY, loader=ExtensionFileLoader(name, LIBRARY))


# First, so that a library for one module alone, left from an earlier build, is not found before it.
sys.meta_path.insert(0, NativeModules)
