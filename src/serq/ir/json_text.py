"""JSON as text: an iterative reader and writer (RFC 8259), and where a value stands.

The standard library's reader is recursive and its depth is fixed by the interpreter; an IR may
nest an expression thousands deep. This one keeps its own stack, refuses a document nested
beyond `DEPTH_LIMIT` levels, and names line and column of what is wrong. Keys may not repeat in
an object. Depends on `serq.diagnostics` and `serq.ir.numbers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from serq.diagnostics import Diagnostic, SerqError, Source, Span
from serq.ir.numbers import write_float

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonPath = tuple[str | int, ...]

DEPTH_LIMIT = 100_000
_WHOLE_DIGITS = 25
"""A whole number written with more characters than this is read as a float: it fits no
integer of the IR, and turning very long digit strings into integers takes quadratic time."""

_TOKEN: Final = re.compile(
    r"""[ \t\n\r]*(?:
        (?P<mark>[{}\[\],:])
      | (?P<string>"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*")
      | (?P<float>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+))
      | (?P<whole>-?(?:0|[1-9][0-9]*))
      | (?P<word>true|false|null)
    )""",
    re.VERBOSE,
)
_BLANK: Final = re.compile(r"[ \t\n\r]*")
_SCRAP: Final = re.compile(r"[A-Za-z0-9_.+-]+|.", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPES: Final = {
    '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip
_WORDS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None}
_WRITTEN_ESCAPES: Final = {
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
}  # fmt: skip
_TO_ESCAPE: Final = re.compile(r'["\\\x00-\x1f]')


def parse(source: Source) -> Json:
    """The value a JSON document states.

    Raises `SerqError` with SQ502 at the place where the text stops being JSON, or SQ112 where
    it is nested too deeply.
    """
    return _Reader(source).document()


class _Reader:
    """A JSON document being read: a stack of open containers and what may come next."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.at = 0
        self.stack: list[list[Json] | dict[str, Json]] = []
        self.keys: list[str] = []

    def document(self) -> Json:
        """Read one value, then only blanks."""
        if self.text.startswith("\ufeff"):
            raise self.refused("the file starts with a byte order mark", 0, help=_NO_MARK)
        value = self.value()
        end = _blank_end(self.text, self.at)
        if end < len(self.text):
            raise self.refused(f"{self.found(end)} after the end of the document", end)
        return value

    def value(self) -> Json:
        """Read one value with everything in it."""
        while True:
            value = self.scalar_or_open()
            while value is not _OPENED:
                if not self.stack:
                    return value
                value = self.put(value)

    def scalar_or_open(self) -> Json:
        """A scalar or an empty container; `_OPENED` after the start of a filled one."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            raise self.unexpected("a value")
        kind, token, start = match.lastgroup, match[match.lastgroup or 0], self.at
        if kind == "mark":
            if token not in "{[":
                raise self.unexpected("a value")
            self.at = match.end()
            return self.open(token, match.end() - 1)
        self.at = match.end()
        if kind == "string":
            return self.string(token, match.end() - len(token))
        if kind == "word":
            return _WORDS[token]
        if kind == "whole" and len(token) <= _WHOLE_DIGITS and token != "-0":
            return int(token)
        number = float(token)
        if number in (float("inf"), float("-inf")):
            raise self.refused(f"the number `{_short(token)}` is too large for a float", start)
        return number

    def open(self, token: str, start: int) -> Json:
        """Enter a container; an empty one is a value at once."""
        if len(self.stack) >= DEPTH_LIMIT:
            raise self.refused(
                f"the document is nested more than {DEPTH_LIMIT} levels deep", start, code="SQ112"
            )
        match = _TOKEN.match(self.text, self.at)
        closes = match is not None and match["mark"] == ("}" if token == "{" else "]")
        if match is not None and closes:
            self.at = match.end()
            return {} if token == "{" else []
        if token == "{":
            container: dict[str, Json] = {}
            self.stack.append(container)
            self.key(container)
        else:
            self.stack.append([])
        return _OPENED

    def key(self, container: dict[str, Json]) -> None:
        """Read `"key":`."""
        match = _TOKEN.match(self.text, self.at)
        if match is None or match["string"] is None:
            raise self.unexpected("a key in quotes")
        start = match.end() - len(match["string"])
        self.at = match.end()
        key = self.string(match["string"], start)
        if key in container:
            raise self.refused(f"the key `{_short(key)}` stands twice in one object", start)
        self.mark(":")
        self.keys.append(key)

    def mark(self, wanted: str) -> str:
        """Read one of the marks of `wanted`."""
        match = _TOKEN.match(self.text, self.at)
        if match is None or match["mark"] is None or match["mark"] not in wanted:
            raise self.unexpected(" or ".join(f"`{mark}`" for mark in wanted))
        self.at = match.end()
        return match["mark"]

    def put(self, value: Json) -> Json:
        """Put a value into the innermost container: `_OPENED` when another follows there, the
        container itself when it is complete.
        """
        container = self.stack[-1]
        if isinstance(container, dict):
            container[self.keys.pop()] = value
            if self.mark(",}") == ",":
                self.key(container)
                return _OPENED
        else:
            container.append(value)
            if self.mark(",]") == ",":
                return _OPENED
        return self.stack.pop()

    def string(self, token: str, start: int) -> str:
        """The characters of a string token."""
        body = token[1:-1]
        if "\\" not in body:
            return body

        def character(match: re.Match[str]) -> str:
            if match[1] is not None:
                return chr(int(match[1], 16))
            if match[2] not in _ESCAPES:
                place = start + 1 + match.start()
                raise self.refused(f"`\\{match[2]}` is no escape of a JSON string", place)
            return _ESCAPES[match[2]]

        characters = _ESCAPE.sub(character, body)
        try:
            return characters.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            raise self.refused(
                "a string with half of a surrogate pair, which is no character", start
            ) from None

    def unexpected(self, wanted: str) -> SerqError:
        """The error of a token that does not fit here."""
        at = _blank_end(self.text, self.at)
        return self.refused(f"expected {wanted}, found {self.found(at)}", at)

    def found(self, at: int) -> str:
        """What stands at `at`, for a message."""
        if at >= len(self.text):
            return "the end of the file"
        if self.text[at] == '"':
            whole = _TOKEN.match(self.text, at)
            return "a string that never ends" if whole is None else f"`{_short(whole[0])}`"
        scrap = _SCRAP.match(self.text, at)
        return f"`{_short(scrap[0])}`" if scrap is not None else "the end of the file"

    def refused(
        self, message: str, at: int, *, code: str = "SQ502", help: str | None = None
    ) -> SerqError:
        """An error at an offset of the text."""
        at = _blank_end(self.text, at)
        scrap = _SCRAP.match(self.text, at)
        end = at if scrap is None else min(scrap.end(), at + _SHOWN)
        return SerqError([Diagnostic(code, message, Span(self.source, at, end), help=help)])


_OPENED: Final[Json] = ["opened"]
_NO_MARK = "save the file as UTF-8 without a byte order mark"
_SHOWN = 40


def _blank_end(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return at if blank is None else blank.end()


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def locate(source: Source, paths: set[JsonPath]) -> dict[JsonPath, Span]:
    """Where the values at `paths` (keys and indices from the document down) stand in a
    well-formed document; a container is placed at its opening bracket.
    """
    places: dict[JsonPath, Span] = {}
    path: list[str | int] = []
    for kind, token, end in _tokens(source.text):
        if kind == "close":
            path.pop()
        elif kind == "next":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else ""
        elif kind == "key":
            path[-1] = token
        else:
            place = tuple(path)
            if place in paths:
                start = end - len(token)
                places[place] = Span(source, start, end)
            if kind == "open":
                path.append(0 if token == "[" else "")
    return places


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Tokens of a well-formed document as (open, close, next, key or value), text and end."""
    at = 0
    opened: list[str] = []
    expect_key = False
    while (match := _TOKEN.match(text, at)) is not None:
        at = match.end()
        token = match[match.lastgroup or 0]
        if match.lastgroup != "mark":
            yield ("key" if expect_key else "value", _key(token) if expect_key else token, at)
        elif token in "{[":
            opened.append(token)
            yield "open", token, at
        elif token in "}]":
            opened.pop()
            yield "close", token, at
        elif token == ",":
            yield "next", token, at
        expect_key = token in "{," and match.lastgroup == "mark" and opened[-1:] == ["{"]


def _key(token: str) -> str:
    return _Reader(Source("", token)).string(token, 0)


def write(value: Json) -> str:
    """Pretty JSON: two blanks a level, every element on its own line, no final newline."""
    return "".join(chunks(value))


def chunks(value: Json) -> Iterator[str]:
    """The same in pieces: the indentation of a deep document makes it much larger than it is."""
    work: list[tuple[str, Json, int]] = [("", value, 0)]
    while work:
        lead, inner, depth = work.pop()
        yield lead.replace("\n", "\n" + "  " * depth)
        if inner is _CLOSED:
            continue
        if isinstance(inner, dict) and inner:
            yield "{"
            work.append(("\n}", _CLOSED, depth))
            members = [(f"\n{write_string(key)}: ", each) for key, each in inner.items()]
        elif isinstance(inner, list) and inner:
            yield "["
            work.append(("\n]", _CLOSED, depth))
            members = [("\n", each) for each in inner]
        else:
            yield _scalar(inner)
            continue
        work.extend((f",{text}", each, depth + 1) for text, each in reversed(members[1:]))
        work.append((*members[0], depth + 1))


_CLOSED: Final[Json] = ["closed"]


def _scalar(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return write_float(value)
        case str():
            return write_string(value)
        case _:
            return "{}" if isinstance(value, dict) else "[]"


def write_string(text: str) -> str:
    """A JSON string; only what must be escaped is."""

    def escape(match: re.Match[str]) -> str:
        character = match[0]
        return _WRITTEN_ESCAPES.get(character, f"\\u{ord(character):04x}")

    return f'"{_TO_ESCAPE.sub(escape, text)}"'
