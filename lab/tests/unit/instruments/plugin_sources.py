# SPDX-License-Identifier: Apache-2.0
"""Which classes of the plugin Cassandra may call: those that implement or extend what Cassandra declares.

Read from the sources, so that nothing has to be compiled. A lambda that is handed to Cassandra has no name here.
"""

import re
from dataclasses import dataclass
from pathlib import Path

_IMPORT = re.compile(r"^import (org\.apache\.cassandra\.[\w.]+);", re.MULTILINE)
_DECLARED = re.compile(
    r"^( *)(?:(?:public|protected|private|static|final|abstract) )*(?:class|enum|interface) (\w+)([^{;]*)\{",
    re.MULTILINE,
)
_CREATED = re.compile(r"\bnew ([A-Z][\w.]*)(?:<[^(){};]*>)?\(")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_INDENTED = 4


@dataclass(frozen=True)
class PluginClass:
    """A class by the name of its file's place, with `$` before what is inside of another, and what it is made of."""

    name: str
    supertypes: tuple[str, ...]
    #: Whether one of the supertypes is declared by Cassandra.
    of_cassandra: bool


def classes(sources: Path) -> list[PluginClass]:
    """Return every class below the folder, an anonymous one by its number, as the compiler names it."""
    found = []
    for file in sorted(sources.rglob("*.java")):
        text = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment.group()), file.read_text())
        place = str(file.relative_to(sources).with_suffix(""))
        imported = {each.rpartition(".")[2] for each in _IMPORT.findall(text)}
        of_cassandra = place.startswith("org/apache/cassandra/")
        for name, supertypes in (*_named(place, text), *_anonymous(place, text)):
            # What stands in a package of Cassandra's need not import its neighbours.
            known = of_cassandra or any(each.partition(".")[0] in imported for each in supertypes)
            found.append(PluginClass(name, supertypes, known and bool(supertypes)))
    return found


def called_by_cassandra(every: list[PluginClass]) -> set[str]:
    """Return the names of those that are Cassandra's in kind, by themselves or by another of the plugin's."""
    called = {each for each in every if each.of_cassandra}
    while True:
        simple = {re.split(r"[/$]", each.name)[-1] for each in called}
        more = {each for each in every if simple & {kind.rpartition(".")[2] for kind in each.supertypes}}
        if more <= called:
            return {each.name for each in called}
        called |= more


def _named(place: str, text: str) -> list[tuple[str, tuple[str, ...]]]:
    found, outer = [], [place.rpartition("/")[0]]
    for indented, name, rest in _DECLARED.findall(text):
        depth = len(indented) // _INDENTED
        inside = outer[depth]
        outer[depth + 1 :] = [f"{inside}{'$' if depth else '/'}{name}"]
        kinds = re.split(r"\b(?:extends|implements)\b|,", _without_types(rest))[1:]
        found.append((outer[-1], tuple(each.strip() for each in kinds)))
    return found


def _without_types(text: str) -> str:
    """Return the text without anything between angle brackets."""
    before = ""
    while before != text:
        before, text = text, re.sub(r"<[^<>]*>", "", text)
    return text


def _anonymous(place: str, text: str) -> list[tuple[str, tuple[str, ...]]]:
    created = [each.group(1) for each in _CREATED.finditer(text) if _after_arguments(text, each.end()) == "{"]
    return [(f"{place}${number}", (kind,)) for number, kind in enumerate(created, start=1)]


def _after_arguments(text: str, begin: int) -> str:
    """Return what follows the bracket that closes the one before `begin`."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[begin], 0)
        begin += 1
    return text[begin:].lstrip()[:1]
