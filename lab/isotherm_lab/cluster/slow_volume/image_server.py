# SPDX-License-Identifier: Apache-2.0
"""Serves one file's content at the pace of a slow disk: a file system in user space that is a single file.

`python -m isotherm_lab.cluster.slow_volume.image_server IMAGE FILE MOUNTED PARALLEL` mounts the content of IMAGE over
FILE and says "ready". Orders are lines of the standard input: microseconds that each read takes from now on, or `hung`;
it says "ready" again when it has obeyed. When the input ends, so has the lab, however it ended: MOUNTED, which is a
file system on FILE, and FILE are unmounted as soon as nobody uses them, and the server ends with them.
"""

import ctypes
import errno
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from isotherm_lab.cluster.slow_volume import fuse_messages
from isotherm_lab.cluster.slow_volume.fuse_messages import DONE, REQUEST, SILENT, TRANSFER, Request
from isotherm_lab.cluster.slow_volume.service_queue import ServiceQueue

READY = "ready"
_NOSUID, _NODEV = 2, 4
#: What comes before the data of a request.
_HEADERS = 4096


class ImageServer:
    """Answers the kernel's requests for the one file, and the lab's orders."""

    def __init__(self, kernel: int, image: int, parallel: int):
        self._kernel = kernel
        self._image = image
        self._size = os.fstat(image).st_size
        self._queue: ServiceQueue[tuple[int, int, int]] = ServiceQueue(parallel)
        self._buffer = bytearray(fuse_messages.MOST_DATA + _HEADERS)

    def order(self, line: str) -> None:
        """Obey a line of the standard input."""
        self._queue.serve(None if line == "hung" else int(line) / 1e6, time.monotonic())
        self.answer_reads()

    def wait_ms(self) -> float | None:
        """Return how long nothing has to be done."""
        at = self._queue.next_s()
        return None if at is None else max(0.0, (at - time.monotonic()) * 1000)

    def answer_reads(self) -> None:
        """Answer the reads whose time has come."""
        for unique, offset, size in self._queue.done(time.monotonic()):
            self._answer(fuse_messages.answer(unique, os.pread(self._image, size, offset)))

    def take(self) -> bool:
        """Take one request from the kernel; return whether the file is still there."""
        try:
            length = os.readv(self._kernel, [self._buffer])
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EINTR, errno.ENOENT):
                return True
            if error.errno == errno.ENODEV:
                return False
            raise
        _, code, unique, *_ = REQUEST.unpack_from(self._buffer)
        if code == Request.READ:
            _, offset, size, *_ = TRANSFER.unpack_from(self._buffer, REQUEST.size)
            self._queue.arrive((unique, offset, size), time.monotonic())
        elif code not in SILENT:
            self._answer(self._at_once(code, unique, length))
        return True

    def _at_once(self, code: int, unique: int, length: int) -> Sequence[bytes]:
        if code == Request.WRITE:
            _, offset, *_ = TRANSFER.unpack_from(self._buffer, REQUEST.size)
            data = memoryview(self._buffer)[REQUEST.size + TRANSFER.size : length]
            return fuse_messages.answer(unique, fuse_messages.written(os.pwrite(self._image, data, offset)))
        if code == Request.INIT:
            return fuse_messages.answer(unique, fuse_messages.init())
        if code in (Request.GETATTR, Request.SETATTR):
            return fuse_messages.answer(unique, fuse_messages.attributes(self._size))
        if code == Request.OPEN:
            return fuse_messages.answer(unique, fuse_messages.opened())
        if code == Request.STATFS:
            return fuse_messages.answer(unique, fuse_messages.statistics())
        return fuse_messages.answer(unique) if code in DONE else fuse_messages.refusal(unique)

    def _answer(self, parts: Sequence[bytes]) -> None:
        with suppress(FileNotFoundError):  # the request was interrupted meanwhile
            os.writev(self._kernel, parts)


def mount(kernel: int, file: Path) -> None:
    """Put the file that this server is over a file that is there; OSError when the kernel refuses."""
    libc = ctypes.CDLL(None, use_errno=True)
    options = f"fd={kernel},rootmode=100600,user_id=0,group_id=0"
    if libc.mount(b"isotherm-lab", os.fsencode(file), b"fuse", _NOSUID | _NODEV, options.encode()):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(file))


def main(image: Path, file: Path, mounted: Path, parallel: int) -> None:
    """Serve until nobody uses the file any more."""
    kernel = os.open("/dev/fuse", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    content = os.open(image, os.O_RDWR | os.O_CLOEXEC)
    # How fast the machine's own disk is must not matter: it need not read ahead what nobody will ask for.
    os.posix_fadvise(content, 0, 0, os.POSIX_FADV_RANDOM)
    mount(kernel, file)
    print(READY, flush=True)
    server = ImageServer(kernel, content, parallel)
    poll = select.poll()
    poll.register(kernel, select.POLLIN)
    poll.register(sys.stdin, select.POLLIN)
    ended, orders = None, b""
    while True:
        for descriptor, _ in poll.poll(server.wait_ms()):
            if descriptor == kernel:
                if not server.take():
                    return
                continue
            read = os.read(descriptor, 4096)
            *lines, orders = (orders + read).split(b"\n")
            for line in lines:
                server.order(line.decode())
                print(READY, flush=True)
            if not read:
                poll.unregister(descriptor)
                server.order("0")
                # Not waited for: they ask this server.
                ended = ended or [subprocess.Popen(["umount", "--lazy", "--quiet", each]) for each in (mounted, file)]
        server.answer_reads()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), int(sys.argv[4]))
