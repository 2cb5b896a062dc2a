# SPDX-License-Identifier: Apache-2.0
"""What counts as more than a plain rolling restart does to clients, and what the operator's page says to type."""

import yaml
from java_registers import parsed
from operators_page import alters, commands, page, revocation, section, switches
from rolling_passes import Pass, accounts, excesses

from isotherm_lab.measure.histories import READ, Operation
from isotherm_lab.paths import project_root

PLAIN = Pass("plain", 0, 100, away=((10, 20),))
INSTALL = Pass("install", 100, 200, away=((110, 120),))


def operations(began: float, failed: int, all_of_them: int = 2000) -> list[Operation]:
    return [
        Operation(READ, 1, 0, began, began + 1, error="ConnectionShutdown: gone" if number < failed else "")
        for number in range(all_of_them)
    ]


def found(plain: list[Operation], install: list[Operation]) -> list[str]:
    return excesses(accounts([PLAIN, INSTALL], {"driver": plain + install}), "plain")


def test_as_many_failures_as_in_a_plain_restart_are_none_too_many():
    assert found(operations(15, 3), operations(115, 3)) == []


def test_a_thousandth_more_is_chance_and_not_a_bit_more():
    assert found(operations(15, 3), operations(115, 3 + 2)) == []
    (sentence,) = found(operations(15, 3), operations(115, 3 + 3))
    assert sentence.startswith("driver in install: 6 of 2000 failed ({'ConnectionShutdown': 6}), where 3 of 2000")


def test_a_failure_while_every_node_is_there_is_always_one_too_many():
    (sentence,) = found(operations(15, 3), operations(150, 1))
    assert sentence.startswith("driver in install: 1 failed while no node was away")


def test_a_request_that_was_under_way_when_the_node_went_is_explained():
    assert found(operations(15, 1), [*operations(109.5, 1)]) == []


def test_an_operation_belongs_to_the_pass_in_which_it_began():
    plain, install = accounts([PLAIN, INSTALL], {"driver": operations(99.5, 0, 7)})
    assert (plain["operations"], install["operations"]) == (7, 0)


def test_lines_of_the_java_client():
    (ended, broken) = parsed(["read 7 3 1500000000 2000000000 -\n", "write 8 4 1 2 ClosedConnectionException\n"])
    assert ended == Operation(READ, 7, 3, 1.5, 2.0)
    assert (broken.kind, broken.value, broken.error) == ("write", 4, "ClosedConnectionException")


def test_what_the_page_says_to_type():
    assert commands(section(page(), "Install, one node after the other")) == [
        "./install.sh --dry-run",
        "./install.sh",
        "./isotherm-wait-warm 10.0.0.1",
    ]
    assert commands(section(page(), "Remove")) == ["./install.sh uninstall --dry-run", "./install.sh uninstall"]


def test_the_page_limits_in_a_dry_run_then_with_the_same_limit_on_and_then_not_at_all():
    dry, on, none = alters("lab.registers")
    option = "ALTER TABLE lab.registers WITH per_partition_rate_limit = "
    assert (dry, none) == (option + "{'max_reads_per_second': 1000, 'dry_run': 'true'}", option + "{}")
    assert on == option + "{'max_reads_per_second': 1000}"


def test_the_page_takes_back_what_was_granted():
    assert revocation() == ("LIST ALL PERMISSIONS", "REVOKE ALL ON isotherm.{table} FROM {role}")


def test_the_page_switches_off_every_feature_that_has_a_switch():
    sections = yaml.safe_load((project_root() / "conf" / "isotherm.yaml").read_text())
    features = [name for name, keys in sections.items() if isinstance(keys, dict) and "enabled" in keys]
    assert sorted(switches(section(page(), "Switch off in a hurry"))) == sorted(
        f"UPDATE isotherm.settings SET value = 'false' WHERE name = '{feature}.enabled'" for feature in features
    )
