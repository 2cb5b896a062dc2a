# SPDX-License-Identifier: Apache-2.0
"""Which classes and members that a jar names are not there with a release of Cassandra.

What is missing would be a NoSuchMethodError, or the like, in whatever request comes there first. What is named by
reflection is not seen.
"""

import zipfile
from collections.abc import Iterable, Iterator
from functools import lru_cache

from class_files import ClassFile, Member, parsed

_SUFFIX = ".class"
_JDK = ("java/", "javax/", "jdk/", "sun/", "com/sun/")
#: What every class has of the JDK's root; other supertypes of the JDK are taken to have whatever is named.
_OF_EVERY_OBJECT = {"<init>", "clone", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString",
                    "wait"}  # fmt: skip
_ROOT = "java/lang/Object"
#: What some supertypes of the JDK have: a class of Cassandra's that says it is one has no more by that.
_OF_JDK = {
    _ROOT: _OF_EVERY_OBJECT,
    "java/io/Serializable": set(),
    "java/lang/Cloneable": set(),
    "java/lang/Comparable": {"compareTo"},
    "java/lang/Runnable": {"run"},
    "java/lang/AutoCloseable": {"close"},
    "java/io/Closeable": {"close"},
}


class Jars:
    """The classes of some jars, read when asked for; the first jar that has a class gives it."""

    def __init__(self, paths: Iterable[str]):
        self._places: dict[str, zipfile.ZipFile] = {}
        for path in paths:
            jar = zipfile.ZipFile(path)
            for entry in jar.namelist():
                if entry.endswith(_SUFFIX):
                    self._places.setdefault(entry.removesuffix(_SUFFIX), jar)
        self.find = lru_cache(maxsize=None)(self._find)

    def names(self) -> set[str]:
        """Return the names of all classes."""
        return set(self._places)

    def _find(self, name: str) -> ClassFile | None:
        jar = self._places.get(name)
        return parsed(jar.read(name + _SUFFIX)) if jar else None

    def ancestors(self, name: str) -> Iterator[str]:
        """Yield the class and its supertypes, the nearest first; also those that no jar has."""
        yield name
        found = self.find(name)
        for above in found.supertypes if found else ():
            yield from self.ancestors(above)


def missing(jar: str, class_path: Iterable[str]) -> dict[str, set[str]]:
    """Return a line for each class and member that the jar's classes name and that is nowhere: by which of them."""
    jars = Jars([jar, *class_path])
    lines: dict[str, set[str]] = {}
    with zipfile.ZipFile(jar) as own:
        names = [entry.removesuffix(_SUFFIX) for entry in own.namelist() if entry.endswith(_SUFFIX)]
    for name in names:
        for line in _missing_of(jars, name):
            lines.setdefault(line, set()).add(name)
    return lines


def _missing_of(jars: Jars, name: str) -> Iterator[str]:
    compiled = jars.find(name)
    yield from (each for each in compiled.classes if not each.startswith(_JDK) and jars.find(each) is None)
    for owner, member in compiled.named:
        if jars.find(owner) is not None and not _has(jars, owner, member):
            yield f"{owner}.{member[0]} {member[1]}"
    if not compiled.abstract:
        yield from (f"{name} does not implement {' '.join(member)}" for member in _not_implemented(jars, name))


def _has(jars: Jars, owner: str, member: Member) -> bool:
    for name in jars.ancestors(owner):
        found = jars.find(name)
        if found is not None:
            if member in found.members:
                return True
        elif name not in _OF_JDK or member[0] in _OF_JDK[name]:
            return True
    return False


def _not_implemented(jars: Jars, name: str) -> set[Member]:
    abstract: set[Member] = set()
    concrete: set[Member] = set()
    for above in jars.ancestors(name):
        found = jars.find(above)
        if found is None and above != _ROOT:
            return set()  # a supertype of the JDK may implement anything
        for member, is_abstract in found.members.items() if found else ():
            (abstract if is_abstract else concrete).add(member)
    return {member for member in abstract - concrete if member[0] not in _OF_EVERY_OBJECT}
