# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest
import yaml

from isotherm_lab.cluster import configuration
from isotherm_lab.cluster.variants import VARIANTS, variant
from isotherm_lab.errors import LabError


@pytest.mark.parametrize("nodes", [1, 3, 5])
def test_tokens_are_distinct_valid_and_interleaved(nodes):
    owners = sorted((token, index) for index in range(nodes) for token in configuration.tokens(index, nodes))
    assert len({token for token, _ in owners}) == nodes * configuration.TOKENS_PER_NODE
    assert all(-(2**63) < token < 2**63 for token, _ in owners)
    assert [index for _, index in owners] == list(range(nodes)) * configuration.TOKENS_PER_NODE


def written(tmp_path: Path, name: str, **more) -> dict:
    configuration.write(
        tmp_path, address="127.0.0.2", seeds=["127.0.0.1", "127.0.0.2"], cluster_name="t", variant=variant(name), **more
    )
    return yaml.safe_load((tmp_path / "conf" / "cassandra.yaml").read_text())


def test_stock_nodes_differ_only_in_the_dynamic_snitch(tmp_path: Path):
    default, static = written(tmp_path, "cassandra"), written(tmp_path, "cassandra-static")
    assert {key for key in default if default[key] != static[key]} == {"dynamic_snitch"}
    assert not (tmp_path / "conf" / "isotherm.yaml").exists()


def test_the_plugin_wraps_the_snitch_that_stock_nodes_use(tmp_path: Path):
    settings = written(tmp_path, "isotherm-affinity", heat_source="cache")
    isotherm = yaml.safe_load((tmp_path / "conf" / "isotherm.yaml").read_text())
    assert settings["endpoint_snitch"] == "dev.isotherm.IsothermSnitch"
    assert isotherm["snitch"] == configuration.SNITCH
    assert isotherm["heat"] == {"enabled": True, "placement": "affinity", "source": "cache"}


def test_overrides_replace_single_keys(tmp_path: Path):
    settings = written(tmp_path, "cassandra", overrides={"row_cache_size": "7MiB"})
    assert settings["row_cache_size"] == "7MiB"
    assert settings["listen_address"] == "127.0.0.2"


def test_the_queue_section_is_as_it_is_given_and_absent_without(tmp_path: Path):
    written(tmp_path, "isotherm")
    assert "queue" not in yaml.safe_load((tmp_path / "conf" / "isotherm.yaml").read_text())
    written(tmp_path, "isotherm", queue={"soft_limit": 8})
    assert yaml.safe_load((tmp_path / "conf" / "isotherm.yaml").read_text())["queue"] == {"soft_limit": 8}


def test_an_unknown_variant_names_the_known_ones():
    with pytest.raises(LabError, match=", ".join(VARIANTS)):
        variant("scylla")
