# SPDX-License-Identifier: Apache-2.0
"""The order of the integration tests: few restarts, and whatever a module says of its place."""

from hypothesis import given
from hypothesis import strategies as st
from module_order import Module, in_order, restarts

FIRST, ALL, LAST_GONE = ("plugin", "stock", "stock"), ("plugin",) * 3, ("plugin", "plugin", "stock")
APART = [Module("mistakes", None), Module("permissions", None)]
ON_FIRST = [Module("limits beside stock", FIRST), Module("stock peers", FIRST)]
LATE_ON_FIRST = [Module("injected", FIRST, after_others=True), Module("nonsense", FIRST, after_others=True)]
INSTALL = Module("install", FIRST, leaves=ALL)
ON_ALL = [Module("counters", ALL), Module("settings", ALL)]
REMOVAL = Module("a removal", ALL, leaves=LAST_GONE)
LIFE = [*APART, *ON_FIRST, *LATE_ON_FIRST, INSTALL, *ON_ALL, REMOVAL]


def test_modules_that_leave_other_variants_lead_from_those_that_need_one_to_those_that_need_the_other():
    assert in_order(reversed(LIFE)) == LIFE
    assert restarts([module for module in LIFE if module not in APART]) == 0


def test_a_new_module_goes_where_its_name_and_its_variants_put_it():
    added = Module("new", ALL)
    assert in_order([added, *LIFE]) == [*LIFE[:-3], ON_ALL[0], added, ON_ALL[1], REMOVAL]


def test_a_part_of_the_modules_has_the_same_order():
    for left_out in LIFE:
        part = [module for module in LIFE if module != left_out]
        if left_out != INSTALL:
            assert in_order(part) == part
    assert in_order([]) == []


def test_without_one_that_leads_there_the_order_with_fewer_restarts_is_taken():
    # Three nodes would be restarted the other way round, as the removal's would be installed again.
    assert in_order([REMOVAL, *ON_FIRST]) == [REMOVAL, *ON_FIRST]
    assert restarts([REMOVAL, *ON_FIRST]) == 1 and restarts([*ON_FIRST, REMOVAL]) == 2


VARIANTS = st.tuples(*[st.sampled_from(["plugin", "stock"])] * 3)
NAMES = st.text("abc", min_size=1, max_size=3)
MODULES = st.lists(
    st.builds(Module, NAMES, VARIANTS | st.none(), VARIANTS | st.none(), st.booleans()),
    unique_by=lambda module: module.name,
    max_size=6,
)


@given(MODULES)
def test_whatever_modules_say_each_runs_once_and_those_that_begin_alike_together(modules: list[Module]):
    ordered = in_order(modules)
    assert sorted(module.name for module in ordered) == sorted(module.name for module in modules)
    begun = [module.begins_with for module in ordered]
    changes = [begins for place, begins in enumerate(begun) if place == 0 or begins != begun[place - 1]]
    assert len(changes) == len(set(begun))
    assert None not in begun[begun.count(None) :]


@given(MODULES, st.randoms())
def test_the_order_does_not_hang_on_that_of_the_files(modules: list[Module], chance):
    shuffled = list(modules)
    chance.shuffle(shuffled)
    assert in_order(shuffled) == in_order(modules)
