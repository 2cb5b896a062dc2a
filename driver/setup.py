# SPDX-License-Identifier: Apache-2.0
"""The version and the native library; everything else is in pyproject.toml.

All Cython modules are linked into one shared library, in which `isotherm_driver.native_modules` finds them: a third
smaller than a library for each, imported sooner, and as fast.
"""

import os
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from email import message_from_string
from pathlib import Path
from xml.etree import ElementTree

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

SOURCES = Path("src")
PKG_INFO = Path("PKG-INFO")
POM = Path("../pom.xml")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": False,
    "binding": False,  # plain C methods: a call without a function object in between
}

# Aligned, a `next` of a few instructions lies in one cache line whatever code stands before it.
COMPILE = ["-O3", "-g0", "-fno-plt", "-falign-functions=64"]
LINK = ["-s"]

NO_COMPILER = """
isotherm-driver is built here from its sources, which needs a C compiler (gcc or clang) and the headers of this Python
(python3-dev on Debian and Ubuntu, python3-devel on Fedora); a small program that includes Python.h did not compile.
The wheels of CPython 3.10 to 3.14 for Linux on x86_64 and aarch64 need neither: `make wheels` in the repository makes
them, in driver/dist/; no package index has them."""
FREE_THREADED = """
isotherm-driver cannot be built for a free-threaded Python: its plans read tables without a lock and rely on the global
interpreter lock for that. Install it into a Python that has the lock, python3.14 in place of python3.14t."""


def version() -> str:
    """In the repository, the revision of its root pom, which is the one place for it; in an sdist, what that states."""
    if PKG_INFO.exists():
        return message_from_string(PKG_INFO.read_text(encoding="utf-8"))["Version"]
    revision = ElementTree.parse(POM).findtext("{*}properties/{*}revision")
    if not revision:
        raise SystemExit(f"{POM.resolve()} has no property `revision` to take the version from")
    return revision


def processors() -> int:
    """How many processors this process may use; where the system does not say, as on macOS, how many there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class BuildNative(build_ext):
    """Translates the modules, compiles them at once on all processors that it may use, and links one library."""

    def build_extensions(self) -> None:
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            raise SystemExit(FREE_THREADED)
        self.ask_for_a_compiler()
        for library in self.extensions:
            library.sources = self.translated(library.sources)
        self.compile_one_after_the_other, self.compiler.compile = self.compiler.compile, self.compile_at_once
        super().build_extensions()

    def ask_for_a_compiler(self) -> None:
        """Compile the smallest extension there is; raise SystemExit with a sentence if that fails."""
        with tempfile.TemporaryDirectory() as scratch:
            smallest = Path(scratch) / "smallest.c"
            smallest.write_text("#include <Python.h>\nint main(void) { return 0; }\n")
            try:
                self.compiler.compile([str(smallest)], scratch, include_dirs=self.include_dirs)
            except CompileError as error:
                raise SystemExit(NO_COMPILER) from error

    def translated(self, sources: list[str]) -> list[str]:
        """Translate what has changed; return the C sources."""
        from Cython.Build import cythonize  # here, as an sdist is made without it

        modules = [
            Extension(".".join(Path(source).relative_to(SOURCES).with_suffix("").parts), [source]) for source in sources
        ]
        made = cythonize(modules, compiler_directives=DIRECTIVES, include_path=[SOURCES.as_posix()])
        return [source for module in made for source in module.sources]

    def compile_at_once(self, sources: list[str], *arguments, **settings) -> list[str]:
        """Compile each source that is newer than its object file; return the object files."""

        def compiled(source: str) -> list[str]:
            [made] = self.compiler.object_filenames([source], output_dir=self.build_temp)
            if Path(made).exists() and Path(made).stat().st_mtime > Path(source).stat().st_mtime and not self.force:
                return [made]
            return self.compile_one_after_the_other([source], *arguments, **settings)

        with ThreadPoolExecutor(processors()) as threads:
            return [made for each in threads.map(compiled, sources) for made in each]


setup(
    version=version(),
    ext_modules=[
        Extension(
            "isotherm_driver.native",
            sorted(source.as_posix() for source in SOURCES.rglob("*.pyx")),
            depends=sorted(source.as_posix() for source in SOURCES.rglob("*.pxd")),
            extra_compile_args=COMPILE,
            extra_link_args=LINK,
        )
    ],
    cmdclass={"build_ext": BuildNative},
)
