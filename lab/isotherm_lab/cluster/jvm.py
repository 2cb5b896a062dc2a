# SPDX-License-Identifier: Apache-2.0
"""The Java command line of one node."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.java import java_command

#: The property that each node has, with its directory, which is in the cluster's.
DIRECTORY = "isotherm.lab.directory"
#: Module doors Cassandra 5.0 needs opened on Java 11 and 17.
_EXPORTS = """
java.base/jdk.internal.misc java.base/java.lang.ref java.base/sun.nio.ch java.sql/java.sql
java.management.rmi/com.sun.jmx.remote.internal.rmi jdk.unsupported/sun.misc
java.rmi/sun.rmi.registry java.rmi/sun.rmi.server java.rmi/sun.rmi.transport.tcp
""".split()
_OPENS = """
java.base/java.lang.module java.base/java.net java.base/jdk.internal.loader java.base/jdk.internal.ref
java.base/jdk.internal.reflect java.base/jdk.internal.math java.base/jdk.internal.module
java.base/jdk.internal.util.jar java.base/sun.nio.ch java.base/java.io java.base/java.lang
java.base/java.lang.reflect java.base/java.util java.base/java.util.concurrent
java.base/java.util.concurrent.atomic java.base/java.nio java.rmi/sun.rmi.transport.tcp
jdk.management/com.sun.management.internal jdk.compiler/com.sun.tools.javac
""".split()


#: What a node of the lab has, unless an experiment says otherwise.
HEAP_MIB = 512
#: Without the second, three of four full collections leave up to a twentieth of the old generation uncompacted, with
#: arrays of int over what is dead there: a histogram of the live heap counts them as if they were held.
COLLECTOR = ("-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1")
#: With this property the plugin's hooks can be made to throw and to block.
HOOKS = "isotherm.lab.hooks"
#: With this one the plugin can be taken from the way of requests, and put back.
PLUG = "isotherm.lab.plug"


def command(
    *,
    directory: Path,
    class_path: list[str],
    properties: dict[str, str],
    heap_mib: int = HEAP_MIB,
    full_compilation: bool = False,
    more_flags: Sequence[str] = (),
) -> list[str]:
    """Return the command that starts LabNode; `properties` become -D options.

    Only the first compiler is used unless `full_compilation`: with several nodes and the load on a few cores, the
    optimising compiler of a node that just started would otherwise be the load that is measured. With it, what it
    compiles says of each instruction whose it is, which samples of running code need.
    """
    flags = [f"-Xms{heap_mib}m", f"-Xmx{heap_mib}m", *COLLECTOR, "-Xss512k", "-XX:+ExitOnOutOfMemoryError"]
    flags += more_flags
    if full_compilation:
        flags += ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"]
        # The longest stacks are those of reads that lead to others.
        flags.append("-XX:FlightRecorderOptions=stackdepth=256")
    else:
        flags.append("-XX:TieredStopAtLevel=1")
    flags += doors() + _agents(class_path, properties)
    conf = directory / "conf"
    named = {
        "cassandra.config": (conf / "cassandra.yaml").as_uri(),
        "cassandra.storagedir": str(directory / "data"),
        "cassandra.logdir": str(directory / "logs"),
        "logback.configurationFile": str(conf / "logback.xml"),
        "cassandra-foreground": "yes",
        # A small cluster on one machine needs no time to hear of distant peers.
        "cassandra.skip_wait_for_gossip_to_settle": "0",
        "cassandra.ring_delay_ms": "2000",
        "cassandra.superuser_setup_delay_ms": "0",
        # The lab is where the plugin is tried on a release that it does not know yet.
        "isotherm.untested_release": releases.of(class_path),
        DIRECTORY: str(directory),
        "java.io.tmpdir": str(directory / "tmp"),
        **properties,
    }
    flags += [f"-D{name}={value}" for name, value in named.items()]
    return [java_command(), *flags, "-cp", ":".join([str(conf), *class_path]), "dev.isotherm.lab.LabNode"]


def _agents(class_path: Sequence[str], properties: Mapping[str, str]) -> list[str]:
    """Return the flags for Java agents: 4.x otherwise measures objects in a way that Java 17 forbids."""
    wanted = (["jamm-"] if releases.of(class_path).startswith("4.") else []) + (
        ["isotherm-lab-node-"] if {HOOKS, PLUG} & set(properties) else []
    )
    return ["-javaagent:" + next(jar for jar in class_path if Path(jar).name.startswith(name)) for name in wanted]


def doors() -> list[str]:
    """Return the flags that Cassandra 5.0 needs on Java 11 and 17, as its own option files have them."""
    flags = ["-Djdk.attach.allowAttachSelf=true"]
    flags += [f"--add-exports={door}=ALL-UNNAMED" for door in _EXPORTS]
    flags += [f"--add-opens={door}=ALL-UNNAMED" for door in _OPENS]
    return flags
