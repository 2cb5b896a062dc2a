# SPDX-License-Identifier: Apache-2.0
"""The version and the extension modules; everything else is in pyproject.toml."""

from email import message_from_string
from pathlib import Path
from xml.etree import ElementTree

from Cython.Build import cythonize
from setuptools import Extension, setup

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


def version() -> str:
    """In the repository, the revision of its root pom, which is the one place for it; in an sdist, what that states."""
    if PKG_INFO.exists():
        return message_from_string(PKG_INFO.read_text(encoding="utf-8"))["Version"]
    revision = ElementTree.parse(POM).findtext("{*}properties/{*}revision")
    if not revision:
        raise SystemExit(f"{POM.resolve()} has no property `revision` to take the version from")
    return revision


extensions = [
    Extension(
        ".".join(source.relative_to(SOURCES).with_suffix("").parts),
        [source.as_posix()],
        extra_compile_args=COMPILE,
    )
    for source in sorted(SOURCES.rglob("*.pyx"))
]

setup(
    version=version(),
    ext_modules=cythonize(extensions, compiler_directives=DIRECTIVES, include_path=[SOURCES.as_posix()]),
    options={"build_ext": {"parallel": True}},  # a compiler process per processor
)
