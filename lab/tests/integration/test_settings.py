# SPDX-License-Identifier: Apache-2.0
"""Settings change while the nodes run: reading balance off and on, its placement, and every key that the page names."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from cassandra import ConsistencyLevel, InvalidRequest
from operators_page import page, section
from plugin_views import change_setting, counts, heat, hit_ratios
from probes import samples_now
from shared_cluster import ROW_CACHE, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

KEYS = range(50)
AS_THE_LAB_STARTS = {
    "guard.enabled": "false",
    "guard.least_patience": "30ms",
    "guard.out_of_reads": "0s",
    "heat.enabled": "true",
    "heat.miss_floor": "0.05",
    "heat.placement": "affinity",
    "heat.plan_memory": "32MiB",
    "limit.enabled": "true",
    "limit.fair_share": "off",
    "queue.enabled": "true",
    "queue.soft_limit": "100",
    "warming.enabled": "false",
}
#: Another value than that of the nodes' file for each key that can change, but for those whose effect has a test here.
OTHER_VALUES = {
    "guard.enabled": "true",
    "guard.first_retry": "500ms",
    "guard.least_patience": "40ms",
    "guard.most_patience": "2s",
    "guard.most_retry": "8s",
    "heat.cold_read": "20ms",
    "heat.miss_floor": "0.1",
    "heat.plan_memory": "8MiB",
    "heat.smoothing": "5s",
    "heat.stale_after": "2m",
    "heat.warm_read": "400us",
    "limit.enabled": "false",
    "limit.fair_share": "dry_run",
    "queue.ask_every": "20",
    "queue.enabled": "false",
    "queue.silence": "2s",
    "queue.soft_limit": "50",
    "queue.timeout": "50ms",
    "warming.at_most": "5m",
    "warming.concurrent_reads": "4",
    "warming.enabled": "true",
}
WITH_A_TEST_OF_ITS_OWN = {"guard.out_of_reads", "heat.enabled", "heat.placement", "heat.wandering"}


def changeable_by_the_page() -> set[str]:
    """Return the settings that the operator's page says to change at once."""
    rows = re.findall(r"^\| (`[^|]+`) \| at once \|", section(page(), "Settings while the node runs"), re.MULTILINE)
    return {name.strip("`") for row in rows for name in row.split(", ")}


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """A table that is warm everywhere, so that all replicas are equally hot, and affinity on every node."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("plain", KEYS, ROW_CACHE)
    sessions = [shared_cluster.session(index) for index in range(3)]
    for session in sessions:
        change_setting(session, "heat.placement", "affinity")

    def equal() -> bool:
        shared_cluster.read(0, "plain", KEYS, ConsistencyLevel.ALL)
        ratios = [hit_ratios(session, "plain") for session in sessions]
        return all(len(seen) == 3 and min(ratio or 0 for ratio in seen.values()) > 0.995 for seen in ratios)

    # A last change of less than 1 % is told with the next refresh, up to 30 s later.
    until(equal, "all nodes believe all nodes warm", timeout_s=60)
    yield shared_cluster
    for session in sessions:
        change_setting(session, "heat.enabled", "true")
        change_setting(session, "heat.placement", "local")


def balanced_reads(cluster: SharedCluster) -> int:
    before = counts(cluster.session(0))["BalancedReads"]
    cluster.read(0, "plain", KEYS)
    return counts(cluster.session(0))["BalancedReads"] - before


def test_switched_off_and_on(cluster: SharedCluster):
    assert balanced_reads(cluster) == len(KEYS)
    change_setting(cluster.session(0), "heat.enabled", "false")
    assert balanced_reads(cluster) == 0
    change_setting(cluster.session(0), "heat.enabled", "true")
    assert balanced_reads(cluster) == len(KEYS)


def test_settings_show_what_is_in_force(cluster: SharedCluster):
    def shown() -> dict[str, str]:
        return {row.name: row.value for row in cluster.session(0).execute("SELECT * FROM isotherm.settings")}

    values = shown()
    assert values.keys() == changeable_by_the_page()
    assert {name: values[name] for name in AS_THE_LAB_STARTS} == AS_THE_LAB_STARTS
    change_setting(cluster.session(0), "heat.placement", "local")
    assert shown()["heat.placement"] == "local"
    change_setting(cluster.session(0), "heat.placement", "affinity")


@pytest.mark.parametrize("option", ["", "IF NOT EXISTS"])
def test_no_keyspace_on_disk_comes_to_hide_the_virtual_one(cluster: SharedCluster, option: str):
    session = cluster.session(0)
    with pytest.raises(InvalidRequest, match=r"(?i)virtual keyspace 'isotherm'"):
        session.execute(
            f"CREATE KEYSPACE {option} Isotherm"
            " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
        )
    assert session.execute("SELECT value FROM isotherm.settings WHERE name = 'heat.enabled'").one().value == "true"


def test_where_nodes_choose_a_table_keeps_its_placement_until_they_have(cluster: SharedCluster):
    def of_plain(column: str) -> set[str | None]:
        rows = cluster.session(0).execute(f"SELECT table_name, {column} FROM isotherm.heat")
        return {getattr(row, column) for row in rows if row.table_name == "plain"}

    assert of_plain("placement") == {"affinity"}
    assert of_plain("vote") == {None}
    for node in range(3):
        change_setting(cluster.session(node), "heat.placement", "auto")
    try:
        # Each node votes for what it had, and hears the others: the choice is at work, and keeps the placement.
        until(lambda: of_plain("vote") == {"affinity"}, "all nodes vote", timeout_s=60)
        assert balanced_reads(cluster) == len(KEYS)
        assert of_plain("placement") == {"affinity"}
    finally:
        for node in range(3):
            change_setting(cluster.session(node), "heat.placement", "affinity")
    until(lambda: of_plain("vote") == {None}, "no node votes with another setting", timeout_s=60)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("heat.enabled", "perhaps", "heat.enabled: perhaps is refused; allowed: true, false"),
        (
            "guard.out_of_reads",
            "1441m",
            "guard.out_of_reads: 1441m is refused; allowed: a number with a unit: 500us, 10ms, 90s or 2m,"
            " at most 1440m; 0s puts the node back",
        ),
        ("heat.placement", "somewhere", "heat.placement: somewhere is refused; allowed: local, affinity or auto"),
        ("heat.miss_floor", "2", "heat.miss_floor: 2 is refused; allowed: a number from 0.001 to 1.0"),
        ("queue.soft_limit", "0", "queue.soft_limit: 0 is refused; allowed: a whole number from 1 to "),
        (
            "guard.least_patience",
            "2s",
            "guard.least_patience: 2s is refused; allowed: values for which guard.most_patience, 1000000us, is right:"
            " guard.least_patience, 2000000us, or more",
        ),
        ("limit.fair_share", "often", "limit.fair_share: often is refused; allowed: off, dry_run or on"),
        ("limit.enabled", "maybe", "limit.enabled: maybe is refused; allowed: true, false"),
        ("queue.enabled", "", "queue.enabled:  is refused; allowed: true, false"),
        (
            "heat.warmth",
            "1",
            "name: heat.warmth is refused; allowed: guard.enabled, guard.out_of_reads, guard.least_patience,",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(cluster: SharedCluster, name: str, value: str, sentence: str):
    with pytest.raises(InvalidRequest) as refusal:
        change_setting(cluster.session(0), name, value)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE isotherm.settings SET value = 'onn', kept = true WHERE name = 'limit.fair_share'", "onn is refused"),
        ("UPDATE isotherm.settings SET value = '9s', file = '9s' WHERE name = 'heat.smoothing'", "file: 9s is refused"),
        ("UPDATE isotherm.settings SET value = null WHERE name = 'heat.smoothing'", "value: null is refused"),
        ("INSERT INTO isotherm.settings (name) VALUES ('heat.smoothing')", "heat.smoothing without a value is refused"),
        ("DELETE FROM isotherm.settings WHERE name = 'heat.smoothing'", "a DELETE of heat.smoothing is refused"),
        ("DELETE value FROM isotherm.settings WHERE name = 'heat.smoothing'", "value: null is refused"),
    ],
)
def test_a_statement_of_which_a_part_is_refused_changes_nothing(cluster: SharedCluster, statement: str, sentence: str):
    session = cluster.session(0)
    before = list(session.execute("SELECT name, value, since, kept FROM isotherm.settings"))
    with pytest.raises(InvalidRequest) as refusal:
        session.execute(statement)
    assert sentence in str(refusal.value)
    assert list(session.execute("SELECT name, value, since, kept FROM isotherm.settings")) == before


def test_what_is_changed_is_followed_by_the_next_reads(cluster: SharedCluster):
    """A plan is made by the settings that were then: with a part of 1 all reads wander, whatever their partition."""
    session = cluster.session(0)
    configured = session.execute("SELECT file FROM isotherm.settings WHERE name = 'heat.wandering'").one().file
    built = counts(session)["PlansBuilt"]
    change_setting(session, "heat.wandering", "1")
    try:
        before = samples_now(cluster.nodes)
        cluster.read(0, "plain", [KEYS[0]] * 60, ConsistencyLevel.QUORUM)
        served = [now.since(earlier).reads for now, earlier in zip(samples_now(cluster.nodes), before, strict=True)]
        assert min(served) > 0, "the partition meets every replica"
        assert counts(session)["PlansBuilt"] > built
    finally:
        change_setting(session, "heat.wandering", configured)


@pytest.mark.parametrize(("name", "value"), OTHER_VALUES.items())
def test_a_key_of_the_file_changes_and_says_what_the_file_says(cluster: SharedCluster, name: str, value: str):
    session = cluster.session(0)

    def shown() -> tuple[str, str]:
        row = session.execute("SELECT value, file FROM isotherm.settings WHERE name = %s", (name,)).one()
        return row.value, row.file

    before, file = shown()
    assert before == file != value
    change_setting(session, name, value)
    assert shown() == (value, file)
    change_setting(session, name, file)
    assert shown() == (file, file)


def test_each_key_that_can_change_is_changed_here():
    assert OTHER_VALUES.keys() | WITH_A_TEST_OF_ITS_OWN == changeable_by_the_page()


def test_the_heat_shows_what_the_guard_makes_of_each_replica(cluster: SharedCluster):
    session, last = cluster.session(0), cluster.addresses[2]

    def row() -> Any:
        return heat(session, "plain")[last]

    assert row().guard == "off"
    try:
        change_setting(session, "guard.enabled", "true")
        change_setting(cluster.session(2), "guard.out_of_reads", "30m")
        until(lambda: row().guard == "out", "node 1 knows")
        assert row().unanswered == 0
        change_setting(cluster.session(2), "guard.out_of_reads", "0s")
        until(lambda: row().guard != "out", "node 1 knows")
    finally:
        change_setting(cluster.session(2), "guard.out_of_reads", "0s")
        change_setting(session, "guard.enabled", "false")
    assert row().guard == "off"


def test_under_affinity_a_partition_keeps_its_pair_whoever_coordinates(cluster: SharedCluster):
    reads, pairs = 10, set()
    before = samples_now(cluster.nodes)
    for key in list(KEYS)[:8]:
        for coordinator in range(3):
            cluster.read(coordinator, "plain", [key] * reads, ConsistencyLevel.QUORUM)
        after = samples_now(cluster.nodes)
        served = [now.since(earlier).reads for now, earlier in zip(after, before, strict=True)]
        before = after
        assert sorted(served) == [0, 3 * reads, 3 * reads], key
        pairs.add(tuple(count > 0 for count in served))
    assert len(pairs) > 1, "all partitions meet the same pair"
