# SPDX-License-Identifier: Apache-2.0
"""The archive for any Cassandra: the jar, its settings, and the scripts that install it and wait for it."""

from isotherm_packages.archive import gzipped, tar
from isotherm_packages.files import Project


def name(project: Project) -> str:
    """Return the file's name."""
    return f"isotherm-{project.version}.tar.gz"


def content(project: Project) -> bytes:
    """Return the archive; everything in it is in one folder, `isotherm-VERSION`."""
    entries = [
        project.jar_entry(f"isotherm-{project.version}.jar"),
        project.entry("conf/isotherm.yaml", "isotherm.yaml"),
        project.entry("packages/install.sh", "install.sh", 0o755),
        project.entry("packages/install-changes.sh", "install-changes.sh"),
        project.entry("tools/isotherm-wait-warm", "isotherm-wait-warm", 0o755),
        project.entry("LICENSE", "LICENSE"),
        project.entry("NOTICE", "NOTICE"),
        project.entry("CHANGELOG.md", "CHANGELOG.md"),
        *project.entries("packages/k8ssandra", "k8ssandra"),
        *project.entries("conf/prometheus", "prometheus"),
        *project.entries("conf/grafana", "grafana"),
    ]
    return gzipped(tar(entries, f"isotherm-{project.version}/"))
