# SPDX-License-Identifier: Apache-2.0
"""What Cassandra asks of a snitch reaches the operator's: the plugin has all methods that snitches have on any line.

One that is left out would be Cassandra's default, whatever the operator's snitch says. The plugin is compiled against
one release, so that the compiler does not know of later ones.
"""

import pytest
from links import Jars

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.classpath import cassandra_class_path, plugin_jar, release_class_path

CHOSEN = releases.chosen()
#: One of each line; None is the release that the plugin is compiled against.
RELEASES = [CHOSEN] if CHOSEN else ["4.0.19", "4.1.0", None, "6.0-alpha2"]
#: The methods that the plugin leaves to Cassandra, and why.
LEFT = {
    ("getDatacenter", "(Ljava/net/InetSocketAddress;)Ljava/lang/String;"): "it asks for that of the node's address",
}


@pytest.mark.parametrize("release", RELEASES)
def test_each_method_of_snitches_is_forwarded(release: str | None) -> None:
    jars = Jars([str(plugin_jar()), *(release_class_path(release) if release else cassandra_class_path())])
    asked = jars.find("org/apache/cassandra/locator/IEndpointSnitch")
    ours = jars.find("dev/isotherm/IsothermSnitch")
    assert asked is not None and ours is not None
    assert len(asked.members) > len(LEFT)
    assert asked.members.keys() - ours.members.keys() - LEFT.keys() == set()


@pytest.mark.parametrize("release", RELEASES)
def test_no_class_of_cassandras_is_brought_twice(release: str | None) -> None:
    """Of two classes of one name the first one on the class path counts, and both are in lib/."""
    cassandras = Jars(release_class_path(release) if release else cassandra_class_path())
    ours = Jars([str(plugin_jar())])
    assert ours.names() & cassandras.names() == set()
