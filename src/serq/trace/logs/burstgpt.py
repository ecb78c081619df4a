"""BurstGPT (Wang et al., 2024): CSV, a request a row.

`Timestamp` is the time of the request in seconds, `Request tokens` and `Response tokens` are the
lengths of prompt and answer; a request without an answer failed and is passed over. Where there
is a column `Session ID`, rows with the same one are turns of a conversation; where there is
`Elapsed time`, it is how long the answer took, in seconds. Depends on the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from serq.trace.logs.log import Log
from serq.trace.logs.request import Request
from serq.trace.logs.table import Table

REQUIRED: Final = ("Timestamp", "Request tokens", "Response tokens")
COLUMNS: Final = (*REQUIRED, "Session ID", "Elapsed time")


def read(log: Log) -> Iterator[Request]:
    """The requests that were answered, in the order of the rows."""
    table = Table(log, "burstgpt", REQUIRED, COLUMNS)
    log.linked = "Session ID" in table.at
    log.answered = "Elapsed time" in table.at
    for row in table:
        answer = table.tokens(row, "Response tokens")
        if answer == 0:
            log.passed_over += 1
            continue
        sent = table.nanoseconds(row, "Timestamp")
        answered = None
        if _present(table, row, "Elapsed time"):
            answered = sent + table.nanoseconds(row, "Elapsed time", least=0)
        session = row[table.at["Session ID"]] if _present(table, row, "Session ID") else None
        yield Request(sent, table.tokens(row, "Request tokens"), answer, answered, session)


def _present(table: Table, row: list[str], column: str) -> bool:
    at = table.at.get(column)
    return at is not None and at < len(row) and bool(row[at].strip())
