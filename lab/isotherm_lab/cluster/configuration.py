# SPDX-License-Identifier: Apache-2.0
"""Writes the configuration files of one node."""

from pathlib import Path
from typing import Any

import yaml

from isotherm_lab.cluster.preflight import CQL_PORT, STORAGE_PORT
from isotherm_lab.cluster.variants import Variant

#: The operator's snitch: what stock nodes use, and what the plugin wraps.
SNITCH = "GossipingPropertyFileSnitch"
DATACENTER = "dc1"
TOKENS_PER_NODE = 16

_LOGBACK = """\
<configuration>
  <appender name="FILE" class="ch.qos.logback.core.FileAppender">
    <file>${cassandra.logdir}/system.log</file>
    <encoder><pattern>%-5level [%thread] %date{ISO8601} %logger - %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="FILE"/></root>
</configuration>
"""


def write(
    directory: Path,
    *,
    address: str,
    seeds: list[str],
    cluster_name: str,
    variant: Variant,
    heat_source: str = "auto",
    overrides: dict[str, Any] | None = None,
    isotherm_overrides: dict[str, Any] | None = None,
    queue: dict[str, Any] | None = None,
    datacenter: str = DATACENTER,
) -> None:
    """Write conf/ of the node in `directory`; overrides replace keys of cassandra.yaml and of isotherm.yaml.

    Those of a section of isotherm.yaml replace keys of the section. `queue` is that section; what it leaves out has its
    default.
    """
    conf = directory / "conf"
    for folder in (conf, directory / "data", directory / "logs", directory / "tmp", directory / "control"):
        folder.mkdir(parents=True, exist_ok=True)
    settings = cassandra_yaml(directory / "data", address, seeds, cluster_name, variant) | (overrides or {})
    (conf / "cassandra.yaml").write_text(yaml.safe_dump(settings, sort_keys=False))
    (conf / "logback.xml").write_text(_LOGBACK)
    (conf / "cassandra-rackdc.properties").write_text(f"dc={datacenter}\nrack=rack1\n")
    if variant.plugin:
        heat = {"enabled": True, "placement": variant.placement, "source": heat_source}
        isotherm: dict[str, Any] = {"snitch": SNITCH, "heat": heat} | ({"queue": queue} if queue else {})
        isotherm["kept_settings"] = str(directory / "kept.yaml")
        for key, value in (isotherm_overrides or {}).items():
            isotherm[key] = isotherm.get(key, {}) | value if isinstance(value, dict) else value
        (conf / "isotherm.yaml").write_text(yaml.safe_dump(isotherm, sort_keys=False))


def cassandra_yaml(data: Path, address: str, seeds: list[str], cluster_name: str, variant: Variant) -> dict[str, Any]:
    """Return the content of cassandra.yaml: Cassandra's defaults, but for addresses, places and memory."""
    return {
        "cluster_name": cluster_name,
        "num_tokens": TOKENS_PER_NODE,
        "initial_token": ",".join(map(str, tokens(seeds.index(address), len(seeds)))),
        "auto_bootstrap": False,
        "partitioner": "org.apache.cassandra.dht.Murmur3Partitioner",
        "seed_provider": seed_provider(seeds),
        "listen_address": address,
        "rpc_address": address,
        "storage_port": STORAGE_PORT,
        "native_transport_port": CQL_PORT,
        "endpoint_snitch": "dev.isotherm.IsothermSnitch" if variant.plugin else SNITCH,
        "dynamic_snitch": variant.dynamic_snitch,
        "data_file_directories": [str(data / "data")],
        "commitlog_directory": str(data / "commitlog"),
        "saved_caches_directory": str(data / "saved_caches"),
        "hints_directory": str(data / "hints"),
        "cdc_raw_directory": str(data / "cdc_raw"),
        "commitlog_sync": "periodic",
        "commitlog_sync_period": "10000ms",
        "commitlog_segment_size": "8MiB",
        "commitlog_total_space": "64MiB",
        "memtable_heap_space": "96MiB",
        "memtable_offheap_space": "96MiB",
        "auto_snapshot": False,
        "concurrent_compactors": 1,
    }


def bootstrapping(seeds: list[str]) -> dict[str, Any]:
    """Return what differs in cassandra.yaml for a node that comes empty and takes its data from these: own tokens."""
    return {
        "auto_bootstrap": True,
        "initial_token": None,
        "seed_provider": seed_provider(seeds),
    }


def seed_provider(seeds: list[str]) -> list[dict[str, Any]]:
    """Return that value of cassandra.yaml."""
    listed = ",".join(f"{seed}:{STORAGE_PORT}" for seed in seeds)
    return [{"class_name": "org.apache.cassandra.locator.SimpleSeedProvider", "parameters": [{"seeds": listed}]}]


def tokens(index: int, nodes: int) -> list[int]:
    """Return the tokens of one node: evenly spaced and interleaved with the others'.

    The order of a partition's replicas follows the ring. With tokens drawn at random, a stock node sends more reads
    to one peer than to another by chance, differently on each cluster; on this ring every node has the same part.
    """
    step = 2**64 // (nodes * TOKENS_PER_NODE)
    return [-(2**63) + (turn * nodes + index) * step + step // 2 for turn in range(TOKENS_PER_NODE)]


def jvm_properties(variant: Variant) -> dict[str, str]:
    """Return the -D options that a node of this variant needs beside its files."""
    if not variant.plugin:
        return {}
    return {"cassandra.custom_query_handler_class": "dev.isotherm.IsothermQueryHandler"}
