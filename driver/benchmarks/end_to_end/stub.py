# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the stub for as long as a block of code runs."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from answers import nodes_of, table_of

SOURCE = Path(__file__).with_name("stub.c")


def compiled(scratch: Path) -> Path:
    """Compile the stub; return the program."""
    program = scratch / "stub"
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", str(SOURCE), "-o", str(program)], check=True)
    return program


@contextmanager
def running(program: Path, count: int, first_address: str, port: int, processor: int) -> Iterator[None]:
    """Run that many nodes on one processor."""
    table = program.with_name(f"answers-{count}")
    table.write_bytes(table_of(nodes_of(count, first_address)))
    command = ["taskset", "--cpu-list", str(processor), str(program), str(table), first_address, str(count), str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as stub:
        assert stub.stdin and stub.stdout
        if stub.stdout.readline() != "listening\n":
            raise RuntimeError(f"the stub does not listen on {first_address} and what follows, port {port}")
        yield
        stub.stdin.close()
