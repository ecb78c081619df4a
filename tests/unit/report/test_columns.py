"""Rows kept by columns read like a list of the rows, and can be copied and pickled."""

from __future__ import annotations

import copy
import pickle
from array import array

from serq.records import Record
from serq.report.columns import Columns, column


class Point(Record):
    """A row."""

    name: str
    value: float


POINTS = [Point("a", 1.0), Point("b", 2.5), Point("c", 4.0)]


def points() -> Columns[Point]:
    """The points, with numbers in memory that is another's, as the native engine's is."""
    return Columns(Point, {"name": ["a", "b", "c"], "value": memoryview(array("d", [1, 2.5, 4]))})


def test_it_reads_like_a_list() -> None:
    """Its length, its items from both ends, its slices, its order."""
    rows = points()
    assert len(rows) == 3
    assert list(rows) == POINTS
    assert rows[1] == rows[-2] == POINTS[1]
    assert rows[1:] == POINTS[1:]
    assert rows == points()
    assert rows == POINTS
    assert rows != POINTS[:2]
    assert repr(rows) == repr(POINTS)


def test_without_rows() -> None:
    """A program may have no pool."""
    assert list(Columns(Point, {"name": [], "value": memoryview(array("d"))})) == []


def test_what_is_copied_or_pickled_has_columns_of_its_own() -> None:
    """A memoryview can not be pickled."""
    assert pickle.loads(pickle.dumps(points())) == points()
    assert copy.deepcopy(points()) == points()


def test_a_column_of_rows_kept_either_way() -> None:
    """One field of all rows."""
    assert list(column(points(), "value")) == list(column(POINTS, "value")) == [1.0, 2.5, 4.0]
