# SPDX-License-Identifier: Apache-2.0
"""What a cluster decides before anything is started."""

import pytest

from isotherm_lab.cluster.cluster import Cluster, addresses
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.variants import variant
from isotherm_lab.errors import LabError


def test_addresses_begin_where_they_are_told():
    assert addresses(3) == ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
    assert addresses(2, first=21) == ["127.0.0.21", "127.0.0.22"]


@pytest.mark.parametrize(("count", "first"), [(0, 1), (10, 1), (3, 0), (3, 253)])
def test_addresses_that_do_not_exist_are_refused(count, first):
    with pytest.raises(LabError, match=r"127|nodes"):
        addresses(count, first)


def equipped(address, chosen, joins):
    return [address, chosen.name, str(joins)]


def test_a_change_of_variant_equips_the_stopped_node_anew(tmp_path):
    node = Node("127.0.0.1", tmp_path, ["old"])
    cluster = Cluster("t", tmp_path, [node], ["cassandra"], equipped)
    cluster.change_variant(0, variant("isotherm"))
    assert node.command == ["127.0.0.1", "isotherm", "False"]
    assert cluster.variants == ["isotherm"]


def test_a_cluster_that_was_only_found_cannot_change_its_variants(tmp_path):
    cluster = Cluster("t", tmp_path, [Node("127.0.0.1", tmp_path, [])], ["cassandra"])
    with pytest.raises(LabError, match="create the cluster anew"):
        cluster.change_variant(0, variant("isotherm"))


def test_an_empty_node_takes_the_place_of_a_stopped_one(tmp_path):
    directory = tmp_path / "node1"
    (directory / "data").mkdir(parents=True)
    node = Node("127.0.0.1", directory, ["old"])
    Cluster("t", tmp_path, [node], ["cassandra"], equipped).replace(0, variant("cassandra"))
    assert node.command == ["127.0.0.1", "cassandra", "True"]
    assert not directory.exists()


def test_one_more_node_has_the_next_address_and_is_forgotten_when_it_has_left(tmp_path):
    cluster = Cluster(
        "t", tmp_path, [Node("127.0.0.241", tmp_path / "node1", [])], ["cassandra"], equipped
    )  # fmt: skip
    more = cluster.add(variant("isotherm"))
    assert (more.address, more.directory) == ("127.0.0.242", tmp_path / "node2")
    assert more.command == ["127.0.0.242", "isotherm", "True"]
    assert cluster.variants == ["cassandra", "isotherm"]
    cluster.remove_last()
    assert cluster.contact_points() == ["127.0.0.241"]
    assert cluster.variants == ["cassandra"]
