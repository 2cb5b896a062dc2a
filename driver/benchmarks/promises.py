# SPDX-License-Identifier: Apache-2.0
"""What the policies promise of speed, held against a summary; and the summary as a table."""

from collections.abc import Iterator

_TOKEN_AWARE = ["TokenAware(DCAware)", "TokenAware(RackAware)"]
_TABLETS = "TokenAware(DCAware) tablets"
_PLAIN = ["DCAware", "RackAware"]
#: Nanoseconds to the first host.
_QUEUE_AWARE = {"QueueAware(DCAware)": 1500, "QueueAware(DCAware) reports, affinity": 3000}


def _row(summary: dict, name: str) -> dict:
    return next(row for row in summary["rows"] if row["policy"] == name)


def _times(summary: dict, name: str, column: str) -> float:
    figures = _row(summary, name)[column]
    return figures["scylla-driver"] / figures["isotherm"]


def _times_of_cassandra_driver(summary: dict, name: str, column: str) -> float:
    figures = _row(summary, name)[column]
    return figures["cassandra-driver"] / figures["isotherm_under_cassandra_driver"]


def _verdict(holds: bool, promise: str, figure: str) -> str:
    return f"{'holds' if holds else 'DOES NOT HOLD':14} {promise}: {figure}"


def promises(summary: dict) -> Iterator[str]:
    """Say of each promise whether it holds, and by which figure."""
    limits = [("first_host_ns", "first host", _TOKEN_AWARE, 25), ("first_host_ns", "first host", _PLAIN, 8)]
    limits += [("first_host_ns", "first host", [_TABLETS], 10)]
    limits += [("drain_ns", "drained", _TOKEN_AWARE, 60), ("drain_ns", "drained", _PLAIN, 8)]
    for column, title, names, limit in limits:
        for name in names:
            times = _times(summary, name, column)
            yield _verdict(times >= limit, f"{title}, {name}, at least {limit} x scylla-driver", f"{times:.1f} x")
    times = _times_of_cassandra_driver(summary, _TOKEN_AWARE[0], "first_host_ns")
    yield _verdict(times >= 11, f"first host, {_TOKEN_AWARE[0]}, at least 11 x cassandra-driver", f"{times:.1f} x")
    for name, limit in _QUEUE_AWARE.items():
        nanos = _row(summary, name)["first_host_ns"]["isotherm"]
        yield _verdict(nanos <= limit, f"first host, {name}, at most {limit / 1000:g} us", f"{nanos / 1000:.2f} us")
    drain = _row(summary, "DCAware")["drain_ns"]
    part = drain["ceiling"] / drain["isotherm"]
    yield _verdict(part >= 0.85, "drained, DCAware, at least 0.85 of the ceiling", f"{part:.2f}")
    execute = summary["execute_async_us"]
    planning = (execute["isotherm"] - execute["no_policy"]) / execute["isotherm"]
    yield _verdict(planning <= 0.08, "planning at most 8 % of an execute_async", f"{planning:.1%}")
    building = summary["building"]
    ours, driver = building["seconds"]["isotherm"], building["seconds"]["driver_token_map"]
    yield _verdict(
        ours < driver, "tables for 1,000 nodes sooner than the driver's map", f"{ours:.2f} s, {driver:.2f} s"
    )
    more = building["bytes"]["isotherm"] / building["bytes"]["driver_token_map"]
    yield _verdict(more <= 2, "no more than twice the memory of the driver's map", f"{more:.2f} x")
    worst = max(each["median"] for each in building["one_node_ms"].values())
    slowest = max(each["slowest"] for each in building["one_node_ms"].values())
    yield _verdict(
        worst <= 10, "one node's up or down at most 10 ms", f"median {worst:.2f} ms, slowest {slowest:.2f} ms"
    )


def table(summary: dict) -> str:
    """Return the rows as text: nanoseconds, and how many times as long the drivers' own policies take."""
    lines = [
        f"{'ns per plan':40}{'hosts':>6}{'isotherm':>10}{'scylla-driver':>22}{'cassandra-driver':>22}{'ceiling':>10}"
    ]
    for column, title in [("first_host_ns", "first host"), ("drain_ns", "drained")]:
        lines.append(title)
        for row in summary["rows"]:
            figures = row[column]
            line = f"  {row['policy']:38}{row['hosts']:6}{figures['isotherm']:10.0f}"
            ours = {
                "scylla-driver": figures["isotherm"],
                "cassandra-driver": figures["isotherm_under_cassandra_driver"],
            }
            for driver, beside in ours.items():
                theirs = figures[driver]
                line += f"{'':22}" if theirs is None else f"{theirs:12.0f} ({theirs / beside:5.1f} x)"
            lines.append(line + (f"{figures['ceiling']:10.0f}" if "ceiling" in figures else ""))
    execute = summary["execute_async_us"]
    lines.append("execute_async, us: " + ", ".join(f"{side} {time:.1f}" for side, time in execute.items()))
    return "\n".join(lines)
