# SPDX-License-Identifier: Apache-2.0
"""A file system on a slow disk of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from isotherm_lab.cluster.slow_volume.image_server import READY
from isotherm_lab.errors import LabError

#: Sparse: no more of it is on the machine's disk than was written.
_IMAGE_BYTES = 2 * 2**30
#: A read fetches little more than was asked for, as is advised for Cassandra's disks. The kernel's default of 128 KiB
#: would load a whole row for its first chunk, and its neighbours.
_READ_AHEAD_KB = 4
_PROGRAMS = ("losetup", "mkfs.ext4", "mount", "umount")
_PATIENCE_S = 20


class VolumeUnusable(LabError):
    """What is missing for a volume, in a sentence."""


class Volume:
    """A mounted file system; reads that its page cache misses take as long as was ordered."""

    def __init__(self, folder: Path, mounted: Path, parallel: int):
        """`folder` takes the disk's content; `mounted` is where the file system is to be, an empty directory."""
        self._image = folder / "disk.img"
        self._file = folder / "disk.served"
        self._mounted = mounted
        self._parallel = parallel
        self._server: subprocess.Popen[str] | None = None
        self.device = ""

    def make(self) -> None:
        """Make and mount it, not slow yet; VolumeUnusable says what fails."""
        for file in (self._image, self._file):
            file.write_bytes(b"")
        os.truncate(self._image, _IMAGE_BYTES)
        _run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", str(self._image))
        command = [sys.executable, "-m", f"{__package__}.image_server"]
        arguments = [str(self._image), str(self._file), str(self._mounted), str(self._parallel)]
        self._server = subprocess.Popen(
            [*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        try:
            self._await()
            loop = _run("losetup", "--find", "--show", "--direct-io=on", str(self._file)).strip()
            try:
                block = Path("/sys/block", Path(loop).name)
                (block / "queue" / "read_ahead_kb").write_text(str(_READ_AHEAD_KB))
                self.device = (block / "dev").read_text().strip()
                _run("mount", "-o", "noatime", loop, str(self._mounted))
            finally:
                # While something is mounted on it this only says that the device goes together with the mount.
                _run("losetup", "--detach", loop)
        except BaseException:
            self.close()
            raise

    def serve(self, service_us: int) -> None:
        """Let each read take this long from now on."""
        self._order(str(service_us))

    def hang(self) -> None:
        """Answer no read until the next order."""
        self._order("hung")

    def close(self) -> None:
        """Unmount it and remove the disk; nothing uses it any more."""
        if self._server is None:
            return
        self._server.stdin.close()
        try:
            self._server.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise LabError(f"{self._mounted} is still in use: it is unmounted as soon as it is not.") from None
        finally:
            self._server.stdout.close()
            self._server.stderr.close()
            self._server = None
        self._image.unlink()
        self._file.unlink()

    def _order(self, line: str) -> None:
        self._server.stdin.write(line + "\n")
        self._server.stdin.flush()
        self._await()

    def _await(self) -> None:
        if self._server.stdout.readline().rstrip() != READY:
            why = self._server.stderr.read().strip().splitlines()
            raise VolumeUnusable(f"its server ended: {why[-1] if why else 'no reason given'}.")


def attempt(folder: Path) -> None:
    """Make a volume and remove it, to learn whether it can be done here; VolumeUnusable says what is missing."""
    if not Path("/dev/fuse").exists() or not Path("/dev/loop-control").exists():
        raise VolumeUnusable("it needs /dev/fuse and /dev/loop-control.")
    if os.geteuid() != 0:
        raise VolumeUnusable("only root can mount it.")
    missing = [program for program in _PROGRAMS if shutil.which(program) is None]
    if missing:
        raise VolumeUnusable(f"{', '.join(missing)} not found (Debian or Ubuntu: apt-get install e2fsprogs mount).")
    trial = folder / f"trial-{os.getpid()}"
    mounted = trial / "mounted"
    mounted.mkdir(parents=True)
    try:
        volume = Volume(trial, mounted, parallel=1)
        volume.make()
        volume.close()
    finally:
        shutil.rmtree(trial)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise VolumeUnusable(f"`{' '.join(command)}` failed: {lines[-1] if lines else done.returncode}.")
    return done.stdout
