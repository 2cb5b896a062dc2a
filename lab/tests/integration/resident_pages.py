# SPDX-License-Identifier: Apache-2.0
"""How much of a file is in the page cache, by mincore(2)."""

import ctypes
import mmap
import os
from pathlib import Path

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.mmap.restype = ctypes.c_void_p
_LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_LIBC.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
_LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_FAILED = ctypes.c_void_p(-1).value


def resident_bytes(file: Path) -> int:
    """Return the bytes of the file's pages that are in memory; looking at them does not fetch any."""
    size = file.stat().st_size
    if size == 0:
        return 0
    opened = os.open(file, os.O_RDONLY)
    try:
        address = _LIBC.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, opened, 0)
    finally:
        os.close(opened)
    if address == _FAILED:
        raise OSError(ctypes.get_errno(), f"mmap of {file}")
    try:
        pages = (ctypes.c_ubyte * ((size + mmap.PAGESIZE - 1) // mmap.PAGESIZE))()
        if _LIBC.mincore(address, size, pages) != 0:
            raise OSError(ctypes.get_errno(), f"mincore of {file}")
    finally:
        _LIBC.munmap(address, size)
    return sum(page & 1 for page in pages) * mmap.PAGESIZE
