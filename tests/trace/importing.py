"""Imports a log from its text, in this process."""

from __future__ import annotations

import io
from typing import Any

import pytest

from serq.diagnostics import Diagnostic, SerqError
from serq.trace.convert import Converted, Selection, convert
from serq.trace.logs.log import open_log

HEADER = "session,turn,new,out,think,forced,arrival"


def imported(name: str, text: str | bytes, **selection: Any) -> tuple[list[str], Converted]:
    """The lines of the trace behind its header, and what was said of the conversion."""
    data = text.encode() if isinstance(text, str) else text
    out = io.StringIO()
    with open_log(io.BytesIO(data), "log") as log:
        done = convert(log, name, out, Selection(**selection))
    comments = [line for line in out.getvalue().splitlines() if line.startswith("#")]
    header, *rows = out.getvalue().splitlines()[len(comments) :]
    assert header == HEADER
    return rows, done


def refused(name: str, text: str | bytes, **selection: Any) -> Diagnostic:
    """The one diagnostic of a log that can not be imported."""
    with pytest.raises(SerqError) as caught:
        imported(name, text, **selection)
    (found,) = caught.value.diagnostics
    return found
