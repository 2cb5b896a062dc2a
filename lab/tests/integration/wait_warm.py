# SPDX-License-Identifier: Apache-2.0
"""Runs isotherm-wait-warm with the cqlsh of the lab."""

import os
import subprocess
import sys
from pathlib import Path

from isotherm_lab.paths import project_root

_SCRIPT = project_root() / "tools" / "isotherm-wait-warm"


def wait_warm(address: str, timeout_s: int, *cqlsh_options: str) -> subprocess.Popen:
    """Start the script for the node with this address; cqlsh gets these options."""
    cqlsh = Path(sys.executable).with_name("cqlsh")
    assert cqlsh.is_file(), f"{cqlsh} is missing: `make .venv/ready` installs it"
    return subprocess.Popen(
        [str(_SCRIPT), "--timeout", str(timeout_s), address],
        env={**os.environ, "CQLSH": " ".join([str(cqlsh), *cqlsh_options])},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def waited(address: str, timeout_s: int, *cqlsh_options: str) -> subprocess.CompletedProcess:
    """Run it to its end; it is killed if it goes on for two minutes longer than it may."""
    with wait_warm(address, timeout_s, *cqlsh_options) as script:
        try:
            out, complaint = script.communicate(timeout=timeout_s + 120)
        finally:
            script.kill()
    return subprocess.CompletedProcess(script.args, script.returncode, out, complaint)
