# SPDX-License-Identifier: Apache-2.0
"""The summary of a run under both drivers: medians, in the units that the keys name."""

from typing import Any

DRIVERS = ["scylla-driver", "cassandra-driver"]


def _median_s(benchmark: dict) -> float:
    return benchmark["stats"]["median"] / benchmark["extra_info"]["per_round"]


def _found(report: dict, **wanted: Any) -> dict | None:
    """Return the one benchmark whose extra information has these values."""
    for benchmark in report["benchmarks"]:
        if all(benchmark["extra_info"].get(key) == value for key, value in wanted.items()):
            return benchmark
    return None


def _nanos(report: dict, **wanted: Any) -> float | None:
    found = _found(report, **wanted)
    return None if found is None else round(_median_s(found) * 1e9, 1)


def _row(reports: dict[str, dict], name: str) -> dict:
    scylla = reports["scylla-driver"]
    row: dict[str, Any] = {
        "policy": name,
        "hosts": _found(scylla, row=name, column="drain", side="isotherm")["extra_info"]["hosts"],
    }
    for column, key in [("first", "first_host_ns"), ("drain", "drain_ns")]:
        row[key] = {"isotherm": _nanos(scylla, row=name, column=column, side="isotherm")}
        row[key] |= {each: _nanos(reports[each], row=name, column=column, side="driver") for each in DRIVERS}
        if column == "drain":
            row[key]["ceiling"] = _nanos(scylla, row=name, column=column, side="ceiling")
        # Ours once more, in the process of the other driver: a ratio is only fair within one process.
        row[key]["isotherm_under_cassandra_driver"] = _nanos(
            reports["cassandra-driver"], row=name, column=column, side="isotherm"
        )
    return row


def _building(report: dict) -> dict:
    ours, driver = (_found(report, row="building", side=side) for side in ("isotherm", "driver"))
    events = {side: _found(report, row="one node", side=side) for side in ("up", "down")}
    return {
        "nodes": ours["extra_info"]["nodes"],
        "vnodes": 256,
        "seconds": {"isotherm": ours["stats"]["median"], "driver_token_map": driver["stats"]["median"]},
        "bytes": {"isotherm": ours["extra_info"]["bytes"], "driver_token_map": driver["extra_info"]["bytes"]},
        "peak_bytes": {
            "isotherm": ours["extra_info"]["peak_bytes"],
            "driver_token_map": driver["extra_info"]["peak_bytes"],
        },
        "one_node_ms": {
            side: {"median": found["stats"]["median"] * 1e3, "slowest": found["extra_info"]["slowest_s"] * 1e3}
            for side, found in events.items()
        },
    }


def summarised(reports: dict[str, dict]) -> dict:
    """Return the summary; `reports` are pytest-benchmark's, by driver."""
    scylla = reports["scylla-driver"]
    names = dict.fromkeys(
        each["extra_info"]["row"] for each in scylla["benchmarks"] if each["extra_info"].get("column") == "drain"
    )
    return {
        "rows": [_row(reports, name) for name in names],
        "execute_async_us": {
            side: round(_median_s(_found(scylla, row="execute_async", side=side)) * 1e6, 3)
            for side in ("no_policy", "isotherm", "scylla-driver")
        },
        "building": _building(scylla),
        "machine": {
            "python": scylla["machine_info"]["python_version"],
            "cpu": scylla["machine_info"].get("cpu", {}).get("brand_raw"),
            "system": f"{scylla['machine_info']['system']} {scylla['machine_info']['machine']}",
        },
    }
