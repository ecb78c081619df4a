"""The Azure LLM inference traces 2023 and 2024 (AzurePublicDataset): CSV, a request a row.

`TIMESTAMP` is a date and a time with up to nine decimals, in 2024 with a time zone;
`ContextTokens` and `GeneratedTokens` are the lengths of prompt and answer. There are no sessions
and no times of answers. Depends on the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from serq.trace.logs.log import Log
from serq.trace.logs.request import NANOSECONDS, Request
from serq.trace.logs.table import Table

COLUMNS: Final = ("TIMESTAMP", "ContextTokens", "GeneratedTokens")
_TIME: Final = re.compile(
    r"(?P<second>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(?:\.(?P<decimals>\d{1,9}))?"
    r"(?P<zone>Z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)


def read(log: Log) -> Iterator[Request]:
    """The requests, in the order of the rows."""
    table = Table(log, "azure", COLUMNS, COLUMNS)
    at = table.at["TIMESTAMP"]
    second, whole = "", 0
    for row in table:
        found = _TIME.fullmatch(row[at].strip())
        if found is None:
            raise table.refuse(row, "TIMESTAMP", "a time such as `2023-11-16 18:15:46.6805900`")
        text = found["second"] + (found["zone"] or "")
        if text != second:
            second = text
            try:
                whole = _since_epoch(text)
            except ValueError:
                raise table.refuse(row, "TIMESTAMP", "a time that exists") from None
        sent = whole + int((found["decimals"] or "").ljust(9, "0"))
        prompt, answer = table.tokens(row, COLUMNS[1]), table.tokens(row, COLUMNS[2])
        yield Request(sent, prompt, answer)


def _since_epoch(text: str) -> int:
    """A second of the calendar, in UTC where no zone is given, as nanoseconds."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp()) * NANOSECONDS
