"""A log in JSON: its values by the path to them, each of the type it must have.

Numbers are read as decimals, so that a time is exactly what is written. Depends on the log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from serq.diagnostics import SerqError
from serq.trace.logs import guess
from serq.trace.logs.log import Log
from serq.trace.logs.request import MOST_SECONDS, nanoseconds
from serq.trace.logs.table import MOST_TOKENS

_HEAD: Final = 65_536
_MOST_SHOWN: Final = 30


class Part:
    """A value of a document and the path to it, such as `benchmarks[0].requests`."""

    def __init__(self, log: Log, value: Any, path: str) -> None:
        self.log = log
        self.value = value
        self.path = path

    def member(self, name: str) -> Part:
        """A member of an object."""
        found = self.maybe(name)
        if found is None:
            self._whole(name)
            raise self.refuse(f"has no `{name}`")
        return found

    def maybe(self, name: str) -> Part | None:
        """A member of an object, when it is there and not null."""
        value = self._whole(name).get(name)
        return None if value is None else Part(self.log, value, f"{self.path}.{name}".lstrip("."))

    def _whole(self, name: str) -> Mapping[str, Any]:
        if not isinstance(self.value, dict):
            raise self.refuse(f"should be an object with `{name}`, but is {_kind(self.value)}")
        return self.value

    def items(self) -> Sequence[Part]:
        """The elements of an array."""
        if not isinstance(self.value, list):
            raise self.refuse(f"should be an array, but is {_kind(self.value)}")
        return [Part(self.log, each, f"{self.path}[{at}]") for at, each in enumerate(self.value)]

    def tokens(self) -> int:
        """A number of tokens, a whole number from 0."""
        value = self.value
        number = type(value) is int or (isinstance(value, Decimal) and value.is_finite())
        if number and 0 <= value <= MOST_TOKENS and value == int(value):
            return int(value)
        wanted = "a number of tokens, whole and not negative"
        raise self.refuse(f"should be {wanted}, but is {_kind(self.value)}")

    def whole_nanoseconds(self) -> int:
        """A time in nanoseconds, a whole number."""
        return self._time(1_000_000_000, "nanoseconds")

    def milliseconds(self) -> int:
        """A time in milliseconds, as nanoseconds."""
        return self._time(1_000, "milliseconds")

    def nanoseconds(self) -> int:
        """A time in seconds, as nanoseconds."""
        return self._time(1, "seconds")

    def _time(self, a_second: int, unit: str) -> int:
        if type(self.value) is int or isinstance(self.value, Decimal):
            found = nanoseconds(Decimal(self.value), a_second=a_second)
            if found is not None:
                return found
        wanted = f"a time in {unit}, at most {MOST_SECONDS} s"
        raise self.refuse(f"should be {wanted}, but is {_kind(self.value)}")

    def refuse(self, what: str, help: str | None = None) -> SerqError:
        """The error for this value, at its line where the log is read line by line."""
        if self.log.number:
            name = f"`{self.path}`" if self.path else "the request"
            return self.log.refuse(f"{name} {what}", help or guess.hint(self.log.line, ""))
        name = f"`{self.path}`" if self.path else "the log"
        return self.log.refuse_document(f"{name} {what}", help)


def parse(log: Log, name: str) -> Part:
    """The one document of a log."""
    text = log.text()
    try:
        return Part(log, decode(text), "")
    except ValueError as error:
        raise _not_json(log, text, name, error) from None


def parse_lines(log: Log, name: str) -> list[Part]:
    """The documents of a log that has one, or one a line."""
    text = log.text()
    try:
        return [Part(log, decode(text), "")]
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        first = error
    try:
        documents = [decode(line) for line in lines]
    except ValueError:
        raise _not_json(log, text, name, first) from None
    if not documents:
        raise _not_json(log, text, name, first)
    return [Part(log, each, "") for each in documents]


def decode(text: str) -> Any:
    """JSON with decimals for its fractions. Raises `ValueError`."""
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_constant)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _constant(name: str) -> Any:
    return Decimal(name.replace("Infinity", "inf"))


def _not_json(log: Log, text: str, name: str, error: ValueError) -> SerqError:
    if isinstance(error, json.JSONDecodeError):
        log.number = error.lineno
        log.line = text.split("\n")[error.lineno - 1]
        help = guess.hint(text[:_HEAD], name)
        start = min(error.colno - 1, len(log.line))
        return log.refuse(f"this is no JSON: {error.msg.lower()}", help, start=start, end=start + 1)
    return log.refuse_document(f"this is no JSON: {error}", guess.hint(text[:_HEAD], name))


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            shown = str(Decimal(value))
            return f"`{shown}`" if len(shown) <= _MOST_SHOWN else f"`{shown[: _MOST_SHOWN - 1]}…`"
        case str():
            return f"the text `{value[:_MOST_SHOWN]}`"
        case list():
            return "an array"
        case _:
            return "an object"
