# SPDX-License-Identifier: Apache-2.0
"""The row factory gives the rows that the driver's gives, and makes a class once."""

import copy
import logging
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from cassandra import query as driver
from cassandra.cluster import ResultSet
from hypothesis import given
from hypothesis import strategies as st

from isotherm_driver import rows as ours
from isotherm_driver.rows import NamedTupleFactory, named_tuple_factory

COLUMNS = st.lists(st.one_of(st.sampled_from(["id", "note", "class", "count(*)", "_x", "[applied]"]), st.text()))


@given(COLUMNS, st.integers(0, 3))
def test_rows_are_as_the_drivers(names: list[str], count: int) -> None:
    rows = [tuple(range(number, number + len(names))) for number in range(count)]
    expected = driver.named_tuple_factory(names, rows)
    for made in (named_tuple_factory(names, rows), named_tuple_factory(names, rows)):
        assert made == expected
        assert [row._asdict() for row in made] == [row._asdict() for row in expected]
        assert list(map(repr, made)) == list(map(repr, expected))


def test_the_same_columns_have_one_class() -> None:
    first, again = (named_tuple_factory(["id", "note"], [(1, "a")]) for _ in range(2))
    assert type(first[0]) is type(again[0])
    assert type(first[0]) is not type(named_tuple_factory(["note", "id"], [(1, "a")])[0])


def test_columns_without_a_name_for_python_are_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    factory = NamedTupleFactory()
    with caplog.at_level(logging.WARNING, "cassandra"):
        assert factory(["class", "id"], [(1, 2)])[0].id == 2
        assert factory(["class", "id"], [(3, 4)])[0].id == 4
    assert len(caplog.records) == 1


def test_a_row_of_another_length_is_refused_as_by_the_driver() -> None:
    for factory in (driver.named_tuple_factory, named_tuple_factory):
        with pytest.raises(TypeError):
            factory(["id", "note"], [(1,)])


def test_classes_are_not_kept_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "MOST_CLASSES", 3)
    factory = NamedTupleFactory()
    for number in range(10):
        assert factory([f"c{number}"], [(number,)]) == [(number,)]
        assert len(factory._classes) <= 3


def test_the_driver_can_tell_whether_a_lightweight_transaction_was_applied() -> None:
    rows = named_tuple_factory(["[applied]", "id"], [(True, 1)])
    future = SimpleNamespace(
        row_factory=named_tuple_factory, query=None, _col_names=["[applied]", "id"], _col_types=None,
        has_more_pages=False, _continuous_paging_session=None,
    )  # fmt: skip
    assert ResultSet(future, rows).was_applied is True
    future.row_factory = NamedTupleFactory.__call__
    with pytest.raises(RuntimeError, match="row factory"):
        _ = ResultSet(future, rows).was_applied


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle {protocol}": lambda factory, protocol=protocol: pickle.loads(pickle.dumps(factory, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_of_the_modules_own_are_that_one(copied: Callable[[Any], Any]) -> None:
    named_tuple_factory(["id", "note"], [(1, "a")])
    for factory in (driver.named_tuple_factory, named_tuple_factory):
        assert copied(factory) is factory


class Named(NamedTupleFactory):
    """A factory that keeps something besides, and takes an argument."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_of_another_one_make_classes_of_their_own(copied: Callable[[Any], Any]) -> None:
    factory = Named("audit")
    [row] = factory(["id", "note"], [(1, "a")])
    another = copied(factory)
    assert (type(another), another.name) == (Named, "audit")
    assert another(["id", "note"], [(1, "a")]) == [row]
    assert len(another._classes) == len(factory._classes) == 1
    assert type(another(["id", "note"], [(1, "a")])[0]) is not type(row)
