"""Where a parse stands: the tokens ahead, how deep it is, and what went wrong so far.

A mistake is reported once, at the place where the text stops making sense, and the construct it
is in is given up by raising `UnparsableError`; the block or the program around it catches that,
skips to the construct's end and reads on (`serq.syntax.parser.recovery`). Nothing of this leaves
the parser. Depends on `serq.diagnostics`, the tokens, the definitions and the constants.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from serq.diagnostics import Diagnostic, Note, Span, nearest
from serq.syntax import ast
from serq.syntax.parser.constants import Constants
from serq.syntax.parser.definitions import Definitions
from serq.syntax.parser.heights import Heights
from serq.syntax.tokens import Kind, Token, cover

MOST_LEVELS = 256
"""Blocks, parentheses, prefixes, powers and conditionals inside one another."""

MOST_OPERANDS = 10_000
"""Operands in a row: how high the tree of an expression may get."""

MOST_ERRORS = 1_000
"""After so many mistakes the rest of a file is not read."""


MOST_SKIPPED = 100_000
"""Mistakes, and tokens read over after them, before the rest of a file is not read."""

MOST_CHARACTERS = 16 * 2**20
"""Characters of one file."""


class UnparsableError(Exception):
    """The construct being read was given up; why has been reported."""


class UnclosedError(Exception):
    """A block ends at an item of the program because its brace is missing; reported."""


class AbandonedError(Exception):
    """The rest of the file is not read; why has been reported."""


class Side(Enum):
    """Whose statements are read (contract §2, *The two sides*); the value names the block."""

    SESSION = "the `session`"
    CLIENT = "the `session` inside `workload`"
    SERVER = "the `server`"
    ENTRY = "an entry of a queue"
    WORKLOAD = "a block of the `workload`"


class TokenStream:
    """The tokens ahead; the use of a definition puts its text in front of them."""

    def __init__(self, tokens: Iterator[Token]) -> None:
        self._tokens = tokens
        self._ahead: deque[Token] = deque()
        self._end: Token | None = None

    def peek(self, ahead: int = 0) -> Token:
        """The token `ahead` places on, `END` wherever the text has ended."""
        while ahead >= len(self._ahead):
            if self._end is not None:
                return self._end
            token = next(self._tokens)
            if token.kind is Kind.END:
                self._end = token
            else:
                self._ahead.append(token)
        return self._ahead[ahead]

    def advance(self) -> Token:
        """Take the next token; `END` is never used up."""
        token = self.peek()
        if token is not self._end:
            self._ahead.popleft()
        return token

    def push(self, tokens: Iterable[Token]) -> None:
        """Put tokens in front of the ones ahead."""
        self._ahead.extendleft(reversed(list(tokens)))


class Parser:
    """The state of a parse. One for a program; a library read by it shares all but the tokens."""

    def __init__(
        self, definitions: Definitions, given: Mapping[str, ast.Expression] | None = None
    ) -> None:
        self.stream = TokenStream(iter(()))
        self.diagnostics: list[Diagnostic] = []
        self.definitions = definitions
        self.constants = Constants(given or {})
        self.early: list[Token] = []
        """Words called in an expression that are no functions: perhaps definitions below."""
        self.unknown_statements: list[Token] = []
        """Words called as a statement that are none: perhaps definitions below."""
        self.library_missing = False
        """Whether definitions are unknown because a library could not be read."""
        self.requests: list[Token] = []
        """The words `request` that run the server."""
        self.enters_gateways = False
        """Whether a `request` names a gateway."""
        self.queue: Token | None = None
        """The name of the queue being read."""
        self.queue_serves = False
        """Whether it has a stage of its own so far."""
        self.client: Token | None = None
        """The word `session` inside `workload`."""
        self.stages = 0
        self.side = Side.SESSION
        self.doubtful = False
        """The statement being read may be the rest of a mistake, and says nothing of its own."""
        self.braces_lost = False
        """A brace was missing or stood too much, so that the next end of a block says nothing."""
        self.levels = 0
        self.heights = Heights()
        self.last: Token | None = None
        self.taken = 0
        self.skipped = 0
        self._reported: set[object] = set()

    # Tokens

    def peek(self, ahead: int = 0) -> Token:
        """A token ahead."""
        return self.stream.peek(ahead)

    def at(self, text: str, ahead: int = 0) -> bool:
        """Whether a token ahead is this word or symbol."""
        token = self.stream.peek(ahead)
        return token.text == text and token.kind in (Kind.NAME, Kind.SYMBOL)

    def at_kind(self, kind: Kind, ahead: int = 0) -> bool:
        """Whether a token ahead is of this kind."""
        return self.stream.peek(ahead).kind is kind

    def advance(self) -> Token:
        """Take the next token."""
        self.last = self.stream.advance()
        self.taken += 1
        return self.last

    def skip(self) -> Token:
        """Take a token of what is read over; where that has no end, the file is given up."""
        self.count_mistake()
        return self.advance()

    def accept(self, text: str) -> Token | None:
        """Take the next token if it is this word or symbol."""
        return self.advance() if self.at(text) else None

    def expect(self, text: str, where: str = "") -> Token:
        """Take this word or symbol; `where` says after what, as in "after `branch`"."""
        if self.at(text):
            return self.advance()
        if text in "{}":
            self.braces_lost = True
        wanted = f"expected `{text}`{' ' if where else ''}{where}"
        words = text.isalpha() and self.at_kind(Kind.NAME)
        guess = nearest(self.peek().text, [text]) if words else None
        raise self.mistake(
            "SQ102" if text == ";" else "SQ101",
            f"{wanted}, found {self.peek().describe()}",
            help=f"did you mean `{guess}`?" if guess else None,
        )

    def expect_name(self, what: str) -> Token:
        """Take a word that names something; `what` says what."""
        if self.at_kind(Kind.NAME):
            return self.advance()
        raise self.mistake("SQ101", f"expected {what}, found {self.peek().describe()}")

    def one_of(self, words: Iterable[str]) -> str:
        """The sentence's part that lists the legal words."""
        *most, last = [f"`{word}`" for word in words]
        return f"{', '.join(most)} or {last}" if most else last

    # Mistakes

    def mistake(
        self,
        code: str,
        message: str,
        token: Token | None = None,
        *,
        help: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> UnparsableError:
        """Report a mistake, at the next token by default; raised, it gives the construct up."""
        self.report(code, message, token, help=help, notes=notes)
        return UnparsableError()

    def report(
        self,
        code: str,
        message: str,
        token: Token | None = None,
        *,
        help: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        """Report a mistake and go on.

        What follows from a mistake already reported says nothing new: a bad character, the end of
        a text in an open comment or string, the same place again (a definition used twice).
        """
        token = token or self.peek()
        self.count_mistake()
        self.braces_lost |= token.text == "{" and code != "SQ103"
        if token.kind is Kind.BAD or (token.kind is Kind.END and token.text):
            return
        place: object = (token.span.source, token.span.start)
        if token.stands_for and token.span.expansion is not None:
            place = (token.stands_for, token.span.expansion.name)
        if place in self._reported or self.doubtful:
            return
        self._reported.add(place)
        self.add(Diagnostic(code, message, token.span, notes, help))

    def add_at(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        help: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        """Report a mistake in something that was read whole."""
        self.count_mistake()
        self.add(Diagnostic(code, message, span, notes, help))

    def count_mistake(self) -> None:
        """Count a mistake or a token read over; after very many the file is given up."""
        self.skipped += 1
        if self.skipped > MOST_SKIPPED:
            raise AbandonedError

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic; after very many of them the file is given up."""
        self.diagnostics.append(diagnostic)
        if len(self.diagnostics) >= MOST_ERRORS:
            raise AbandonedError

    # Limits

    def deepen(self, levels: int = 1) -> None:
        """Go levels deeper; whoever does takes them off again, and whoever recovers resets them."""
        self.levels += levels
        if self.levels > MOST_LEVELS:
            raise self.limit(
                "SQ112", f"this is nested more than {MOST_LEVELS} levels deep", self.peek()
            )

    def limit(self, code: str, message: str, token: Token) -> AbandonedError:
        """Report that a limit is passed; raised, it gives the file up."""
        self.report(code, message, token)
        return AbandonedError()

    def from_last(self, first: Span) -> Span:
        """The span from `first` to the token taken last."""
        return cover(first, self.last.span) if self.last is not None else first
