# SPDX-License-Identifier: Apache-2.0
"""The extension modules; everything else is in pyproject.toml."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCES = Path("src")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": False,
    "binding": False,  # plain C methods: a call without a function object in between
}

extensions = [
    Extension(
        ".".join(source.relative_to(SOURCES).with_suffix("").parts),
        [source.as_posix()],
        extra_compile_args=["-O3", "-g0", "-fno-plt"],
    )
    for source in sorted(SOURCES.rglob("*.pyx"))
]

setup(
    ext_modules=cythonize(extensions, compiler_directives=DIRECTIVES, include_path=[SOURCES.as_posix()]),
    options={"build_ext": {"parallel": True}},  # a compiler process per processor
)
