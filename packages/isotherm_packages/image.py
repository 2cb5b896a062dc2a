# SPDX-License-Identifier: Apache-2.0
"""The container image for init containers: the jar, its settings, install.sh, and a program that copies them elsewhere.

It is an OCI image layout in a tar archive, which `skopeo copy oci-archive:…` and `docker load` read.
"""

import hashlib
import json
import platform
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from isotherm_packages.archive import Entry, gzipped, tar
from isotherm_packages.errors import PackageError
from isotherm_packages.files import Project

#: What the OCI calls the processors that Linux names so.
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_TYPES = "application/vnd.oci.image"
#: Nobody.
_USER = "65534:65534"


def architecture() -> str:
    """Return the OCI's name for this machine's processor, for which the image's program is compiled."""
    machine = platform.machine()
    return _ARCHITECTURES.get(machine, machine)


def name(project: Project) -> str:
    """Return the file's name."""
    return f"isotherm-{project.version}-linux-{architecture()}.oci.tar"


def content(project: Project) -> bytes:
    """Return the image; it has one layer and no base."""
    files = tar(
        [
            project.jar_entry("isotherm/isotherm.jar"),
            project.entry("conf/isotherm.yaml", "isotherm/isotherm.yaml"),
            project.entry("packages/install.sh", "isotherm/install.sh", 0o755),
            project.entry("packages/install-changes.sh", "isotherm/install-changes.sh"),
            Entry("copy", _compiled(project.root / "packages" / "image" / "copy.c"), 0o755),
        ]
    )
    layer = gzipped(files)
    config = _json(
        {
            "created": "2026-01-01T00:00:00Z",
            "architecture": architecture(),
            "os": "linux",
            "config": {"Entrypoint": ["/copy"], "Cmd": ["/plugin"], "User": _USER},
            "rootfs": {"type": "layers", "diff_ids": [_digest(files)]},
        }
    )
    manifest = _json(
        {
            "schemaVersion": 2,
            "mediaType": f"{_TYPES}.manifest.v1+json",
            "config": _descriptor(f"{_TYPES}.config.v1+json", config),
            "layers": [_descriptor(f"{_TYPES}.layer.v1.tar+gzip", layer)],
        }
    )
    listed = _descriptor(f"{_TYPES}.manifest.v1+json", manifest)
    listed["annotations"] = {"org.opencontainers.image.ref.name": project.version}
    index = _json({"schemaVersion": 2, "mediaType": f"{_TYPES}.index.v1+json", "manifests": [listed]})
    blobs = [Entry(f"blobs/{_digest(blob).replace(':', '/')}", blob) for blob in (layer, config, manifest)]
    return tar([Entry("oci-layout", _json({"imageLayoutVersion": "1.0.0"})), Entry("index.json", index), *blobs])


def _compiled(source: Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        # Static: nothing else is in the image.
        command = ["cc", "-static", "-Os", "-s", "-Wall", "-Werror", "-o", program, source]
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise PackageError(
                f"`cc -static` did not compile {source}, which the image runs: install a C compiler and a static"
                " C library (Debian or Ubuntu: apt-get install gcc libc6-dev; Fedora: dnf install gcc glibc-static)."
            ) from error
        return program.read_bytes()


def _digest(blob: bytes) -> str:
    return f"sha256:{hashlib.sha256(blob).hexdigest()}"


def _descriptor(media_type: str, blob: bytes) -> dict[str, Any]:
    return {"mediaType": media_type, "digest": _digest(blob), "size": len(blob)}


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
