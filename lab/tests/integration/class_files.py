# SPDX-License-Identifier: Apache-2.0
"""What a compiled class says: its supertypes, its members, and the members of others that it names.

The format is that of chapter 4 of the Java Virtual Machine Specification.
"""

import struct
from dataclasses import dataclass
from typing import Any

_ABSTRACT = 0x0400
#: Bytes after the tag of each kind of constant, but for text (1), whose length stands in it.
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
_TEXT, _LONG, _DOUBLE, _CLASS, _MEMBERS, _NAME_AND_TYPE = 1, 5, 6, 7, (9, 10, 11), 12

#: Name and descriptor of a field or a method.
Member = tuple[str, str]


@dataclass(frozen=True)
class ClassFile:
    """A compiled class; names have slashes, as in the file."""

    name: str
    abstract: bool
    #: The superclass first, but for that of java/lang/Object; then the interfaces.
    supertypes: tuple[str, ...]
    #: Each member, and whether it is abstract.
    members: dict[Member, bool]
    #: Classes that it names, without arrays.
    classes: frozenset[str]
    #: Fields and methods that it names: owner and member.
    named: frozenset[tuple[str, Member]]


def parsed(content: bytes) -> ClassFile:
    """Return what the file says."""
    constants, at = _constants(content)

    def text(index: int) -> str:
        return constants[index][1]

    def class_name(index: int) -> str:
        return text(constants[index][1])

    access, own, above, count = struct.unpack_from(">4H", content, at)
    interfaces = struct.unpack_from(f">{count}H", content, at + 8)
    at += 8 + 2 * count
    members: dict[Member, bool] = {}
    for _kind in ("fields", "methods"):
        (count,) = struct.unpack_from(">H", content, at)
        at += 2
        for _ in range(count):
            flags, name, descriptor, attributes = struct.unpack_from(">4H", content, at)
            at += 8
            for _ in range(attributes):
                at += 6 + struct.unpack_from(">I", content, at + 2)[0]
            members[text(name), text(descriptor)] = bool(flags & _ABSTRACT)
    named = set()
    for kind, value in constants.values():
        if kind in _MEMBERS:
            owner, member = struct.unpack(">2H", value)
            named.add((class_name(owner), tuple(map(text, struct.unpack(">2H", constants[member][1])))))
    return ClassFile(
        name=class_name(own),
        abstract=bool(access & _ABSTRACT),
        supertypes=tuple(map(class_name, ((above,) if above else ()) + interfaces)),
        members=members,
        classes=frozenset(text(value) for kind, value in constants.values() if kind == _CLASS if text(value)[0] != "["),
        named=frozenset(named),
    )


def _constants(content: bytes) -> tuple[dict[int, tuple[int, Any]], int]:
    """Return kind and value of each constant, and where they end."""
    magic, _, _, count = struct.unpack_from(">I3H", content)
    if magic != 0xCAFEBABE:
        raise ValueError("no class file")
    constants: dict[int, tuple[int, Any]] = {}
    index, at = 1, 10
    while index < count:
        kind = content[at]
        at += 1
        if kind == _TEXT:
            (size,) = struct.unpack_from(">H", content, at)
            at += 2
            # Java's own UTF-8 has surrogates one by one; names that matter here have none.
            value: Any = content[at : at + size].decode("utf-8", "replace")
        else:
            size = _SIZES[kind]
            value = content[at : at + size]
            if kind == _CLASS:
                (value,) = struct.unpack(">H", value)
        constants[index] = (kind, value)
        at += size
        index += 2 if kind in (_LONG, _DOUBLE) else 1
    return constants, at
