# SPDX-License-Identifier: Apache-2.0
"""What the kernel and the server of a file system in user space say to each other, as far as one file needs it.

The layouts are those of <linux/fuse.h>, protocol 7.38, little endian as on x86_64 and aarch64.
"""

import errno
import stat
from enum import IntEnum
from struct import Struct

VERSION = (7, 38)
#: The longest data of a request, bytes.
MOST_DATA = 2**20
_PAGE = 4096
_ASYNC_READ, _BIG_WRITES, _ASYNC_DIRECT, _MAX_PAGES = 1 << 0, 1 << 5, 1 << 15, 1 << 22
#: Reads and writes of the opened file pass the page cache: what is above the file has one of its own.
_DIRECT = 1 << 0
#: How many requests the kernel hands over before an answer.
_BACKGROUND = 512
#: Attributes are good for so many seconds: for ever.
_FOR_EVER = 10**6

REQUEST = Struct("<IIQQIIIHH")
_ANSWER = Struct("<IiQ")
_INIT = Struct("<IIIIHHIIHHI28x")
_ATTRIBUTES = Struct("<QIIQQQQQQIIIIIIIIII")
_OPENED = Struct("<QII")
#: File handle, offset, size, and what does not matter here; of reads and of writes.
TRANSFER = Struct("<QQIIQII")
_WRITTEN = Struct("<II")
_STATISTICS = Struct("<QQQQQIIII24x")


class Request(IntEnum):
    """The requests that are answered with more than "not supported", or never."""

    FORGET = 2
    GETATTR = 3
    SETATTR = 4
    OPEN = 14
    READ = 15
    WRITE = 16
    STATFS = 17
    RELEASE = 18
    FSYNC = 20
    FLUSH = 25
    INIT = 26
    ACCESS = 34
    INTERRUPT = 36
    DESTROY = 38
    BATCH_FORGET = 42


#: No answer may be given to these.
SILENT = (Request.FORGET, Request.BATCH_FORGET, Request.INTERRUPT)
#: These need no more than to be told that they were done.
DONE = (Request.RELEASE, Request.FSYNC, Request.FLUSH, Request.ACCESS, Request.DESTROY)


def answer(unique: int, *data: bytes) -> list[bytes]:
    """Return the parts of the answer to the request with this number."""
    return [_ANSWER.pack(_ANSWER.size + sum(map(len, data)), 0, unique), *data]


def refusal(unique: int, error: int = errno.ENOSYS) -> list[bytes]:
    """Return the answer that says why not."""
    return [_ANSWER.pack(_ANSWER.size, -error, unique)]


def init() -> bytes:
    """Return what the server can do."""
    flags = _ASYNC_READ | _BIG_WRITES | _ASYNC_DIRECT | _MAX_PAGES
    return _INIT.pack(*VERSION, MOST_DATA, flags, _BACKGROUND, _BACKGROUND, MOST_DATA, 1, MOST_DATA // _PAGE, 0, 0)


def attributes(size: int) -> bytes:
    """Return those of the one file: of root, `size` bytes long."""
    mode = stat.S_IFREG | 0o600
    return _ATTRIBUTES.pack(_FOR_EVER, 0, 0, 1, size, size // 512, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, _PAGE, 0)


def opened() -> bytes:
    """Return how the file was opened."""
    return _OPENED.pack(0, _DIRECT, 0)


def written(size: int) -> bytes:
    """Return that so many bytes were written."""
    return _WRITTEN.pack(size, 0)


def statistics() -> bytes:
    """Return the file system's sizes, which nobody uses."""
    return _STATISTICS.pack(0, 0, 0, 1, 0, _PAGE, 255, _PAGE, 0)
