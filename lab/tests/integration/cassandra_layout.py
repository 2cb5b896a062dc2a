# SPDX-License-Identifier: Apache-2.0
"""Cassandra's own directories, with its scripts, as operators have them: the archive's and Debian's.

Maven Central has the jars of each release; the last archive with scripts is that of 4.0-alpha2. So a layout has the
scripts and settings of that archive and the jars of the release under test; what 5.0 needs otherwise is changed here.
"""

import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from shared_cluster import FIRST_ADDRESS

from isotherm_lab.cluster import configuration, jvm
from isotherm_lab.cluster.classpath import cassandra_class_path, scripts_archive
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.variants import variant

_SHARED_NODES = 3
#: Where a layout's node is that has no peers.
ALONE = f"127.0.0.{FIRST_ADDRESS + _SHARED_NODES}"
#: What the scripts name by its file; the rest of lib/ is a wildcard to them.
_JAMM = "jamm-0.3.2.jar"
#: As the lab's nodes have it: the optimising compiler of a node that just started would take a processor of its own.
_JVM = "# JVM\n-ea\n-Xss512k\n-Xms512m\n-Xmx512m\n-XX:+UseSerialGC\n-XX:TieredStopAtLevel=1\n"


@dataclass(frozen=True)
class CassandraLayout:
    """One Cassandra on a disk; `root` is what holds all of it and nothing else."""

    root: Path
    home: Path
    conf: Path
    address: str

    @classmethod
    def of_archive(cls, root: Path, address: str = ALONE, seeds: Sequence[str] = (ALONE,)) -> "CassandraLayout":
        """Return the layout of the archive: lib/, conf/ and bin/ in one directory."""
        return cls._written(root, root, root / "conf", address, seeds)

    @classmethod
    def of_debian(cls, root: Path) -> "CassandraLayout":
        """Return the layout of the Debian package, below a root of its own."""
        home = root / "usr" / "share" / "cassandra"
        layout = cls._written(root, home, root / "etc" / "cassandra", ALONE, [ALONE])
        # No Debian is without it, so that the plugin's package does not have to remove it.
        (root / "var" / "lib").mkdir(parents=True)
        # Where Debian's scripts look first after their own directory: the release's jar is beside lib/.
        (release,) = home.glob("apache-cassandra-*.jar")
        own = home / "bin" / "cassandra.in.sh"
        own.write_text(f"{own.read_text()}\nCLASSPATH=$CLASSPATH:{release}\n")
        return layout

    @classmethod
    def _written(cls, root: Path, home: Path, conf: Path, address: str, seeds: Sequence[str]) -> "CassandraLayout":
        layout = cls(root, home, conf, address)
        with tarfile.open(scripts_archive()) as archive:
            for member in archive.getmembers():
                _, _, path = member.name.partition("/")
                target = {"bin": home / "bin", "conf": conf}.get(path.partition("/")[0])
                if target and member.isfile():
                    file = target / path.partition("/")[2]
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(archive.extractfile(member).read())
                    file.chmod(member.mode)
        lib = home / "lib"
        lib.mkdir(parents=True)
        for jar in map(Path, cassandra_class_path()):
            name = _JAMM if jar.name.startswith("jamm-") else jar.name
            own = jar.name.startswith("cassandra-all-")
            place = (home if home != root and own else lib) / (f"apache-{name}".replace("-all", "") if own else name)
            place.symlink_to(jar)
        layout._configure(seeds)
        return layout

    def _configure(self, seeds: Sequence[str]) -> None:
        plain = configuration.cassandra_yaml(self.home / "data", self.address, list(seeds), "installed",
                                             variant("cassandra"))  # fmt: skip
        # As the file of a release has it: the key is not there.
        del plain["dynamic_snitch"]
        (self.conf / "cassandra.yaml").write_text(yaml.safe_dump(plain, sort_keys=False))
        (self.conf / "cassandra-rackdc.properties").write_text(f"dc={configuration.DATACENTER}\nrack=rack1\n")
        # The archive's is for Java 11, whose garbage collector later ones do not have.
        (self.conf / "jvm-server.options").write_text(_JVM)
        env = self.conf / "cassandra-env.sh"
        # Below the ports that connections get: a client may take one of those while the node restarts.
        port = 7199 + int(self.address.rpartition(".")[2])
        env.write_text(env.read_text().replace('JMX_PORT="7199"', f'JMX_PORT="{port}"'))
        (self.conf / "jvm11-server.options").write_text("\n".join(jvm.doors()) + "\n")
        (self.conf / "jvm11-clients.options").write_text("\n".join(jvm.doors()) + "\n")

    def environment(self) -> dict[str, str]:
        """Return what Debian's own start script says: where everything is."""
        return {"CASSANDRA_HOME": str(self.home), "CASSANDRA_CONF": str(self.conf), "MAX_HEAP_SIZE": "512M",
                "HEAP_NEWSIZE": "128M", "CLASSPATH": "", "CASSANDRA_LIBJEMALLOC": "-"}  # fmt: skip

    def node(self, scratch: Path) -> Node:
        """Return the node that bin/cassandra starts; its output is in `scratch`, and its data in the layout."""
        (scratch / "logs").mkdir(parents=True, exist_ok=True)
        quick = ["cassandra.skip_wait_for_gossip_to_settle=0", "cassandra.ring_delay_ms=2000"]
        said = [f"{name}={value}" for name, value in self.environment().items()]
        command = [
            "env",
            *said,
            f"CASSANDRA_LOG_DIR={scratch / 'logs'}",
            str(self.home / "bin" / "cassandra"),
            "-f",
            "-R",
        ]
        return Node(self.address, scratch, [*command, *(word for each in quick for word in ("-D", each))])

    def nodetool(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run bin/nodetool."""
        return self.script("nodetool", *arguments)

    def script(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of the scripts in bin/."""
        command = ["env", *(f"{name}={value}" for name, value in self.environment().items())]
        return subprocess.run(
            [*command, str(self.home / "bin" / name), *arguments],
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip

    def files(self) -> dict[str, bytes | str | None]:
        """Return every file and directory but those that a node writes.

        Of a file its content, of a link its target, of a directory nothing: an empty one is left over, too.
        """
        found: dict[str, bytes | str | None] = {}
        for path in self.root.rglob("*"):
            if path.is_relative_to(self.home / "data") or path.is_relative_to(self.home / "logs"):
                continue
            if path.is_symlink():
                found[str(path.relative_to(self.root))] = str(path.readlink())
            else:
                found[str(path.relative_to(self.root))] = None if path.is_dir() else path.read_bytes()
        return found

    def remove(self) -> None:
        """Remove all of it."""
        shutil.rmtree(self.root, ignore_errors=True)
