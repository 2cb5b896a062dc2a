# SPDX-License-Identifier: Apache-2.0
"""What wheels are made for: a C library of a least release, on a processor."""

import platform
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A system: its name in a wheel's tag, and zig's name of what to compile for."""

    platform: str
    triple: str
    processor: str

    @property
    def is_musl(self) -> bool:
        return self.platform.startswith("musllinux")

    @property
    def is_of_this_processor(self) -> bool:
        return self.processor == platform.machine()

    @property
    def linking(self) -> str:
        """Flags. A process has musl before any module of Python, and the file of musl has not one name everywhere."""
        return "-shared -nostdlib -rtlib=none" if self.is_musl else "-shared"

    def suffix(self, version: str) -> str:
        """How a Python of this version names libraries; `.so` where that depends on who built it, as under musl."""
        return ".so" if self.is_musl else f".cpython-{version.replace('.', '')}-{self.processor}-linux-gnu.so"


TARGETS = [
    Target(f"{libc}_{processor}", f"{processor}-linux-{abi}", processor)
    for processor in ("x86_64", "aarch64")
    # The oldest that the wheels of either driver run on.
    for libc, abi in (("manylinux_2_17", "gnu.2.17"), ("musllinux_1_2", "musl"))
]
