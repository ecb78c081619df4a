"""The columns of a trace: `session,turn,new,out,think[,forced][,arrival]`.

They stand in this order. A header is passed over, unless it names `arrival`: then it also says
whether that is the sixth column or the seventh. Depends on nothing.
"""

from __future__ import annotations

from typing import Final

REQUIRED: Final = ("session", "turn", "new", "out", "think")
COLUMNS: Final = (*REQUIRED, "forced", "arrival")
_ORDERS: Final = (COLUMNS, (*REQUIRED, "arrival"), (*REQUIRED, "arrival", "forced"))

SHOWN: Final = f"`{','.join(REQUIRED)}`, then maybe `forced` and `arrival`"
"""The columns, for a message."""


def is_header(row: str) -> bool:
    """Whether a line is a header."""
    return row.startswith("session")


def order_of(header: str) -> tuple[str, ...] | None:
    """The columns a header promises; None when `arrival` stands where it can not be read."""
    names = tuple(name.strip() for name in header.split(","))
    if "arrival" not in names:
        return COLUMNS
    return names if names in _ORDERS else None


def separator_hint(line: str) -> str | None:
    """The way out for a line whose fields are separated by something else than commas."""
    for separator, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        if line.count(separator) >= len(REQUIRED) - 1:
            decimals = " and numbers have a point" if "," in line else ""
            return f"fields are separated by commas, not by {name}{decimals}"
    return None


def origin_hint(line: str) -> str | None:
    """The way out for a line of a log that `serq trace import` reads."""
    row = line.lstrip("\ufeff \t")
    if row.startswith("TIMESTAMP,"):
        name = "azure"
    elif row.startswith("Timestamp,"):
        name = "burstgpt"
    elif row.startswith("{") and '"input_length"' in row:
        name = "mooncake"
    elif row.startswith("{"):
        return "this is JSON; `serq trace import` makes a trace of the request logs it knows"
    else:
        return None
    return f"this looks like a log of {name}: `serq trace import {name} LOG TRACE` converts it"
