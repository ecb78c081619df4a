"""`use "file.sq";` (contract §2): the definitions of another file.

The file stands next to the one that uses it, holds only `def` and `use`, and is read once however
often it is used. `use "serq:NAME";` is the library NAME that serQ itself brings, a file of the
package's folder `lib`, wherever the program stands. Depends on the parser's state and the lexer.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from serq.diagnostics import Expansion, Source, nearest, refused
from serq.syntax.lexer import scan
from serq.syntax.parser.declarations import parse_def
from serq.syntax.parser.recovery import skip_item
from serq.syntax.parser.state import MOST_CHARACTERS, Parser, TokenStream, UnparsableError
from serq.syntax.tokens import Kind, Token

Read = Callable[[str], str]

SHIPPED = "serq:"
"""What the name of a library of serQ's own begins with."""

_FOLDER = Path(__file__).parents[2] / "lib"


class Libraries:
    """The files a program uses, and how they are read (`read` may raise OSError or ValueError)."""

    def __init__(self, program: Source, read: Read | None) -> None:
        self._from_text = program.name.startswith("<") and read is None
        self._read = read or read_file
        self._known = {_identity(program.name)}

    def parse_use(self, p: Parser) -> None:
        """`use "path";`, and the definitions of the file it names."""
        word = p.advance()
        if not p.at_kind(Kind.STRING):
            raise p.mistake(
                "SQ101",
                f"expected the path of a library, in quotes, after `use`,"
                f" found {p.peek().describe()}",
            )
        written = p.advance().text[1:-1]
        if not p.accept(";"):
            raise p.mistake("SQ102", f'expected `;` after `use "…"`, found {p.peek().describe()}')
        shipped = written.startswith(SHIPPED)
        beside = os.path.dirname(word.span.source.name)  # noqa: PTH120
        path = written if shipped else os.path.join(beside, written)  # noqa: PTH118
        identity = _identity(path)
        if identity in self._known:
            return
        self._known.add(identity)
        text = _shipped_text(p, word, written) if shipped else self._text(p, word, path, written)
        if text is None:
            p.library_missing = True
            return
        source = Source(path, text)
        self._parse_library(p, source, Expansion(written, p.from_last(word.span)))

    def _text(self, p: Parser, word: Token, path: str, written: str) -> str | None:
        """The text of a library file; None, and reported, when it can not be read."""
        if self._from_text:
            p.report(
                "SQ123",
                f"`{written}` would stand next to the program, and the program is a text without"
                " a file",
                word,
                help="compile the program from its file",
            )
            return None
        try:
            text = self._read(path)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            help = refused.reading(path, error) if isinstance(error, OSError) else None
            p.report("SQ123", f"the library `{written}` can not be read: {reason}", word, help=help)
            return None
        if len(text) > MOST_CHARACTERS:
            p.report("SQ126", f"the library `{written}` has {len(text):,} characters", word)
            return None
        return text

    def _parse_library(self, p: Parser, source: Source, expansion: Expansion) -> None:
        p.deepen()
        outer, levels = p.stream, p.levels
        p.stream = TokenStream(scan(source, p.add, expansion))
        try:
            while not p.at_kind(Kind.END):
                before = p.taken
                try:
                    self._parse_item(p)
                except UnparsableError:
                    p.levels = levels
                    if p.taken == before:
                        p.advance()
                    skip_item(p)
        finally:
            p.stream = outer
            p.levels = levels - 1

    def _parse_item(self, p: Parser) -> None:
        if p.at("def"):
            parse_def(p)
        elif p.at("use"):
            self.parse_use(p)
        else:
            raise p.mistake(
                "SQ124", f"a library holds `def` and `use`, found {p.peek().describe()}"
            )


def read_file(path: str) -> str:
    """The text of a file in UTF-8."""
    return Path(path).read_text(encoding="utf-8")


def shipped_libraries() -> list[str]:
    """The libraries that serQ brings, as `use` names them."""
    return sorted(f"{SHIPPED}{path.stem}" for path in _FOLDER.glob("*.sq"))


def _shipped_text(p: Parser, word: Token, written: str) -> str | None:
    """The text of one of serQ's own libraries; None, and reported, when there is none."""
    known = shipped_libraries()
    if written not in known:
        listed = ", ".join(f"`{each}`" for each in known)
        near = nearest(written, known)
        p.report(
            "SQ123",
            f"`{written}` is no library of serQ; it brings {listed}",
            word,
            help=f"did you mean `{near}`?" if near else "a file of yours is named by its path",
        )
        return None
    return read_file(str(_FOLDER / f"{written.removeprefix(SHIPPED)}.sq"))


def _identity(path: str) -> str:
    return path if path.startswith(SHIPPED) or "\0" in path else os.path.realpath(path)
