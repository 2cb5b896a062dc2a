# SPDX-License-Identifier: Apache-2.0
"""A Python under musl, which no registry has: Debian's musl, and CPython compiled for it from Debian's sources.

Nothing is installed. The interpreter names the loader of musl where that was unpacked, so that it starts as any program
does.
"""

import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from debian import Apt

#: Where Debian has the sources of a Python that wheels are made for.
RELEASES = ("bookworm", "unstable")
#: Modules that need a library of their own and that neither the drivers nor the tests import.
LEFT_OUT = ["_bz2", "_ctypes", "_curses", "_dbm", "_decimal", "_lzma", "_sqlite3", "_tkinter"]
#: Parts of OpenSSL that nothing here needs, for it to be compiled in a minute.
WITHOUT = """
no-aria no-asm no-async no-bf no-camellia no-cast no-cmp no-cms no-comp no-ct no-dso no-dtls no-ec2m no-engine no-gost
no-idea no-legacy no-md4 no-mdc2 no-module no-ocb no-rc2 no-rc4 no-rfc3779 no-rmd160 no-scrypt no-secure-memory no-seed
no-siphash no-siv no-sm2 no-sm3 no-sm4 no-srp no-tests no-ts no-whirlpool
"""
_COMPILER = """#!/bin/sh
# gcc with the headers and the libraries of musl; configure asks it for whom it compiles.
case $1 in -print-multiarch | --print-multiarch) echo x86_64-linux-musl; exit ;; esac
exec gcc "$@" -specs "{specs}"
"""


class MuslPythons:
    """Compiles Pythons under one musl, by one process at a time, and sooner than well: they run tests, no more."""

    def __init__(self, where: Path):
        self._where = where
        self._apt = Apt(where / "apt", *RELEASES)
        self._apt.unpack_alone(where, "musl", "musl-dev", "musl-tools")
        self._compiler = self._compiler_for_musl()

    def _compiler_for_musl(self) -> Path:
        """Lead the specs of Debian's musl-gcc to where musl was unpacked; return a compiler that goes by them."""
        specs = next(self._where.glob("usr/lib/*/musl-gcc.specs"))
        here = specs.read_text().replace("/usr/", f"{self._where}/usr/")
        (self._where / "specs").write_text(here.replace("/lib/ld-musl", f"{self._where}/usr/lib/ld-musl"))
        compiler = self._where / "musl-gcc"
        compiler.write_text(_COMPILER.format(specs=self._where / "specs"))
        compiler.chmod(0o755)
        return compiler

    def _sources(self, package: str) -> Path:
        """Unpack the sources of a package; return their directory."""
        to = self._where / "sources" / package
        shutil.rmtree(to, ignore_errors=True)
        with tarfile.open(self._apt.original_sources(package)) as archive:
            archive.extractall(to, filter="tar")
        [sources] = to.iterdir()
        return sources

    def _run(self, sources: Path, *command: str) -> None:
        environment = os.environ | {"CC": str(self._compiler), "CFLAGS": "-O1 -fPIC", "PKG_CONFIG": "false"}
        done = subprocess.run(command, cwd=sources, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise LookupError(f"{' '.join(command)} fails in {sources}: {done.stderr[-2000:]}")

    @cached_property
    def libraries(self) -> list[str]:
        """Compile what Python's modules need; return the settings by which its configure finds that."""
        return [*self._zlib(), *self._openssl()]

    def _zlib(self) -> list[str]:
        """The library without which hypothesis does not start."""
        sources = self._sources("zlib")
        self._run(sources, "./configure", "--static")
        self._run(sources, "make", "-s", "libz.a")
        return [f"ZLIB_CFLAGS=-I{sources}", f"ZLIB_LIBS=-L{sources} -lz"]

    def _openssl(self) -> list[str]:
        """The library without which the drivers do not start."""
        sources = self._sources("openssl")
        self._run(sources, "./Configure", "linux-x86_64", "no-shared", *WITHOUT.split(), "-O0", "-w")
        self._run(sources, "make", "-s", "build_generated")
        self._run(sources, "make", "-s", "libcrypto.a", "libssl.a")
        (sources / "lib").symlink_to(".")  # where Python looks for them
        return [f"--with-openssl={sources}"]

    def build(self, version: str, to: Path) -> None:
        """Compile a version as `3.13`; LookupError where Debian has no sources of it, or they do not build."""
        sources = self._sources(f"python{version}")
        settings = [*self.libraries, f"--prefix={to}", "--without-ensurepip", "--disable-test-modules"]
        settings += [f"py_cv_module_{each}=n/a" for each in LEFT_OUT]
        self._run(sources, "./configure", "-q", *settings)
        self._run(sources, "make", "-s")
        self._run(sources, "make", "-s", "altbininstall", "libinstall", "inclinstall", "sharedinstall")


def interpreter(version: str, where: Path) -> Path:
    return where / version / "bin" / f"python{version}"


def built(versions: list[str], where: Path) -> Iterator[str]:
    """Compile Pythons; yield the version of each as soon as it is there, and say of the others why not."""
    if not versions:
        return
    try:
        pythons = MuslPythons(where)
    except LookupError as problem:
        print(f"No Python under musl: {problem}")
        return
    for version in versions:
        begun = time.monotonic()
        try:
            pythons.build(version, where / version)
        except LookupError as problem:
            print(f"No Python {version} under musl: {problem}", flush=True)
            continue
        print(f"Python {version} compiled for musl: {time.monotonic() - begun:.0f} s", flush=True)
        yield version
