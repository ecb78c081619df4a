"""Rows kept by columns. A fleet has thousands of stages and pools, and few of them are read: the
native engine gives a column of numbers for each field of theirs, and a row is made when it is read.

Depends on nothing of ours.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

Row = TypeVar("Row")


class Columns(Sequence[Row], Generic[Row]):
    """The rows that `kind` makes of the columns: of the first values, of the second ones, …"""

    def __init__(self, kind: Callable[..., Row], columns: dict[str, Sequence[Any]]) -> None:
        self.kind = kind
        self.columns = columns

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __iter__(self) -> Iterator[Row]:
        return map(self.kind, *self.columns.values())

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        return self.kind(*(column[at] for column in self.columns.values()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        columns = {name: own(column) for name, column in self.columns.items()}
        return type(self), (self.kind, columns)


def column(rows: Sequence[Any], name: str) -> Sequence[Any]:
    """A field of all rows."""
    return rows.columns[name] if isinstance(rows, Columns) else [getattr(row, name) for row in rows]


def own(column: Any) -> Any:
    """A column that can be copied and pickled: an array for memory that is another's."""
    if isinstance(column, memoryview):
        return array(column.format, column.tobytes())
    return column
