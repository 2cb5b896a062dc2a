# SPDX-License-Identifier: Apache-2.0
"""Where Cassandra calls the plugin, the lab has it throw and block; what it leaves out has a reason."""

import re

from plugin_sources import called_by_cassandra, classes

from isotherm_lab.paths import project_root

FEATURES = "dev/isotherm/cassandra/"
SOURCES = project_root() / "cassandra" / "src" / "main" / "java"
HOOKED = project_root() / "lab" / "node" / "src" / "main" / "java" / "dev" / "isotherm" / "lab" / "HookedClass.java"
#: The plugin's own contract, through which its query handler hands on each statement.
HANDS_ON = "StatementInterceptor"

VIEW = "who reads or writes a virtual table fails or waits alone"
THROWN = "it is thrown, and has no code of a feature's"
UNGUARDED = "no guard of the plugin's catches what is thrown here: "
#: Each with why nothing is made to throw or block in it.
LEFT_OUT = {
    "dev/isotherm/IsothermQueryHandler": "the interceptors and Cassandra50, which it calls, are hooked",
    "dev/isotherm/IsothermSnitch": "the orders of replicas and Cassandra50, which it calls, are hooked",
    "org/apache/cassandra/locator/IsothermSnitch": "it throws, always: it refuses a wrong name at the start",
    "org/apache/cassandra/cql3/statements/schema/LimitingTableStatement": UNGUARDED + "the change fails",
    f"{FEATURES}config/ConfigMistake": THROWN,
    f"{FEATURES}limit/FairShareRejection": THROWN,
    f"{FEATURES}limit/RateLimitRejection": THROWN,
    f"{FEATURES}limit/DelegatedRequest$HintHoldingTime": UNGUARDED + "it says whether a hint is owed",
    f"{FEATURES}wire/DepartedNodes": UNGUARDED + "it adds to a set, or takes from it",
    f"{FEATURES}limit/WriteTimes$TimedWrite": "it calls WriteHere, under that one's guard",
    f"{FEATURES}version50/WatchedTasks": "it calls WriteHere, under that one's guard",
    f"{FEATURES}limit/LimitsInForce$1": "it calls LimitsInForce, under a guard",
    f"{FEATURES}guard/TrialReads$NobodyWaits": "it does nothing",
    f"{FEATURES}guard/ReplicasTable": VIEW,
    f"{FEATURES}heat/HeatTable": VIEW,
    f"{FEATURES}limit/HottestPartitionsTable": VIEW,
    f"{FEATURES}limit/LimitedPartitionsTable": VIEW,
    f"{FEATURES}limit/PartitionLimitsTable": VIEW,
    f"{FEATURES}queue/QueuesTable": VIEW,
    f"{FEATURES}views/CountsTable": VIEW,
    f"{FEATURES}views/RolloutTable": VIEW,
    f"{FEATURES}views/SettingsTable": VIEW,
    f"{FEATURES}views/WritableView": VIEW,
}


def hooked() -> set[str]:
    """Return the classes that the lab's agent changes."""
    return {FEATURES + name for name in re.findall(r'"([a-z]\w*/\w[\w$]*)"', HOOKED.read_text())}


def called_all_the_time() -> set[str]:
    """Return the hooks that every load calls, as the agent names them."""
    (entries,) = re.findall(r"ENTERED = Map\.ofEntries\((.*?)\);", HOOKED.read_text(), re.DOTALL)
    found = re.findall(r'"[a-z]\w*/([\w$]+)",\s*List\.of\(([^)]*)\)', entries)
    return {f"{name.replace('$', '.')}.{method}" for name, methods in found for method in re.findall(r"\w+", methods)}


def documented() -> set[str]:
    """Return the hooks in the first column of the page's table; a class stands for all that it has."""
    page = (project_root() / "docs" / "reliability.md").read_text()
    rows = page.partition("| place | thread |")[2].partition("\n\n")[0].splitlines()[2:]
    found: set[str] = set()
    for row in rows:
        name = ""
        for said in re.findall(r"`([^`]+)`", row.split("|")[1]):
            hook = f"{name}{said}" if said.startswith(".") else said
            name = hook.rpartition(".")[0]
            found |= {each for each in called_all_the_time() if each.rpartition(".")[0] == hook} or {hook}
    return found


def test_each_class_that_cassandra_calls_is_hooked_or_left_out_for_a_reason():
    every = classes(SOURCES)
    interceptors = {each.name for each in every if HANDS_ON in each.supertypes}
    assert interceptors
    assert (called_by_cassandra(every) | interceptors) - hooked() == set(LEFT_OUT)


def test_a_class_that_is_hooked_is_one_of_the_plugins():
    assert hooked() <= {each.name for each in classes(SOURCES)}


def test_the_page_names_each_hook_that_every_load_calls_and_no_other():
    assert called_all_the_time()
    assert documented() == called_all_the_time()
