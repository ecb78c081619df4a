"""A log of engine steps: what every iteration computed and how long it took (contract §8).

CSV or JSON lines with the columns `decoders`, `kv_decode`, `prefilled`, `attention` and
`seconds`; other columns are not read, and one that the model does not use may be missing.
Depends on rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from serq.fit.findings import bad_file
from serq.fit.rows import Findings, read_rows, require

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS: Final = ("decoders", "kv_decode", "prefilled", "attention")
KINDS: Final = ("decode", "prefill", "mixed")
FEWEST: Final = 10


@dataclass(frozen=True, slots=True)
class StepLog:
    """Columns by name, `seconds`, and the place in `KINDS` of every step."""

    name: str
    columns: dict[str, NDArray[Any]]
    seconds: NDArray[Any]
    kind: NDArray[Any]

    def __len__(self) -> int:
        return len(self.seconds)

    def part(self, rows: NDArray[Any]) -> StepLog:
        """Some of the steps, by index or by mask."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return StepLog(self.name, columns, self.seconds[rows], self.kind[rows])


def read_steps(name: str, columns: Sequence[str] = COLUMNS) -> StepLog:
    """The steps of a log, of which the columns named are needed.

    Raises `SerqError` (SQ720 with the line; SQ703 when the file can not be read).
    """
    import numpy as np

    findings = Findings(name)
    read: dict[str, list[float]] = {column: [] for column in COLUMNS}
    seconds: list[float] = []
    first = True
    for row in read_rows(name):
        if first:
            require(name, row, (*columns, "seconds"), "the cost")
            first = False
        for column, values in read.items():
            there = column in columns or column in row.fields
            values.append(findings.number(row, column) if there else 0.0)
        took = findings.number(row, "seconds")
        if took == 0.0:
            findings.add(row, "has 0 for `seconds`: a step takes time")
        seconds.append(took)
    findings.finish()
    if len(seconds) < FEWEST:
        raise bad_file(name, f"has {len(seconds)} steps; {FEWEST} are needed at least")
    arrays = {column: np.array(values) for column, values in read.items()}
    decodes, prefills = arrays["decoders"] > 0, arrays["prefilled"] > 0
    kind = np.where(prefills, np.where(decodes, 2, 1), 0)
    return StepLog(name, arrays, np.array(seconds), kind)
