# SPDX-License-Identifier: Apache-2.0
import json

import numpy as np

from isotherm_lab.experiments.cold_restart.result import result
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import COLUMNS, NodeCounters
from isotherm_lab.measure.phases import Moments, phases


def test_a_run_has_exactly_the_agreed_shape():
    times = np.arange(0.0, 41.0)
    nodes = {f"127.0.0.{index}": NodeCounters(times, {name: times * index for name in COLUMNS}) for index in (1, 2, 3)}
    # Each fourth request went to the restarted node first, and failed, as one in three of the others.
    records = np.array(
        [(second * 1_000_000, 2000, second % 2, 3 if second % 4 == 1 else 1) for second in range(40)],
        dtype=samples.RECORD,
    )
    cut = phases(Moments(before=0, down=10, up=20, end=30))
    read_back = json.loads(json.dumps(result(cut, records, nodes, "cache", None, "compressor", "127.0.0.3")))
    assert set(read_back) == {"phases", "rejoined_s", "storage"}
    assert read_back["storage"] == "compressor"
    for phase in read_back["phases"]:
        assert set(phase) == {
            "name", "from_s", "to_s", "p50_ms", "p99_ms", "own_clients", "other_clients", "reads", "errors", "nodes",
        }  # fmt: skip
        assert phase["own_clients"] == {"p50_ms": None, "p99_ms": None}
        assert phase["other_clients"] == {"p50_ms": 2.0, "p99_ms": None}
        for node in phase["nodes"].values():
            assert set(node) == {
                "reads_per_s",
                "misses_per_s",
                "disk_reads_per_s",
                "copies_per_s",
                "local_per_s",
                "remote_per_s",
            }
    before = read_back["phases"][0]
    # A read that failed is slower than any other, and half of them did.
    assert (before["reads"], before["errors"], before["p50_ms"]) == (5, 5, None)
    assert before["nodes"]["127.0.0.3"]["reads_per_s"] == 3.0
