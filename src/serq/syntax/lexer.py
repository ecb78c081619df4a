"""Characters to tokens (contract §2).

Words are Unicode letters, digits and `_` and begin with a letter or `_`. Numbers are digits with
`.` and `_` between them (`_` means nothing) and an optional exponent. Comments are `// …` to the
end of the line and `/* … */`, which do not nest; they are dropped unless the caller wants them.
What is no token is reported once and read on after it: once for all the unexpected characters
between two tokens, and of a line that `#` makes a comment elsewhere, the `#` alone. Depends on
`serq.diagnostics`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from serq.diagnostics import Diagnostic, Expansion, Source, Span
from serq.syntax.tokens import Kind, Token

Report = Callable[[Diagnostic], None]

_TOKEN = re.compile(
    r"""
      (?P<space>    [^\S\x1c-\x1f]+ )
    | (?P<comment>  //[^\n]* | /\*.*?\*/ )
    | (?P<open>     /\* )
    | (?P<name>     [^\W\d]\w* )
    | (?P<number>   \.?[0-9][0-9._]*(?:[eE][+-]?[0-9]+)? )
    | (?P<string>   "[^"]*" )
    | (?P<quote>    " )
    | (?P<hash>     \#[^\n]* )
    | (?P<symbol>   <=|>=|==|!=|&&|\|\||[;{}()\[\],:.=~?+\-*/^<>!] )
    | (?P<bad>      [^\s\w;{}()\[\],:.=~?+\-*/^<>!&|"]+ | . )
    """,
    re.VERBOSE | re.DOTALL,
)

_KINDS = {
    "comment": Kind.COMMENT,
    "name": Kind.NAME,
    "number": Kind.NUMBER,
    "string": Kind.STRING,
    "symbol": Kind.SYMBOL,
    "bad": Kind.BAD,
}

_QUOTES = 'a text stands between `"` and `"`'
_HELP = {
    "&": "`&&` is the logical and",
    "|": "`||` is the logical or",
    "'": _QUOTES,
    "\u2018": _QUOTES,
    "\u2019": _QUOTES,
    "\u201c": _QUOTES,
    "\u201d": _QUOTES,
    "#": "a comment begins with `//`",
    "%": "a share is a number, such as `0.9`",
    "\ufeff": "save the file without a byte order mark",
}


def scan(
    source: Source, report: Report, expansion: Expansion | None = None, *, comments: bool = False
) -> Iterator[Token]:
    """The tokens of a text, the last of them `END`, read as they are asked for."""
    text = source.text
    unexpected = False
    for found in _TOKEN.finditer(text):
        group = found.lastgroup or "bad"
        if group == "space" or (group == "comment" and not comments):
            continue
        if group == "hash":
            if not unexpected:
                report(_unexpected(Span(source, found.start(), found.start() + 1, expansion)))
            unexpected = True
            continue
        span = Span(source, found.start(), found.end(), expansion)
        if group in ("open", "quote"):
            report(_never_closed(span))
            yield Token(Kind.END, span.text, Span(source, len(text), len(text), expansion))
            return
        token = Token(_KINDS[group], found.group(), span)
        problem = _problem(token)
        if problem is not None:
            if not (unexpected and problem.code == "SQ001"):
                report(problem)
            token = token._replace(kind=Kind.BAD)
        unexpected = problem is not None and problem.code == "SQ001"
        yield token
    yield Token(Kind.END, "", Span(source, len(text), len(text), expansion))


def number_value(text: str) -> float:
    """The value of a number as it is written; raises ValueError when it is none."""
    return float(text.replace("_", ""))


def _problem(token: Token) -> Diagnostic | None:
    if token.kind is Kind.NUMBER and not _is_number(token.text):
        return Diagnostic(
            "SQ003",
            f"{token.describe()} has more than one decimal point",
            token.span,
            help="a number is digits with one `.` at most, then perhaps an exponent: `1.5e-3`",
        )
    if token.kind is Kind.BAD or (token.kind is Kind.NAME and not _begins_name(token.text[0])):
        return _unexpected(token.span)
    return None


def _unexpected(span: Span) -> Diagnostic:
    first = span.text[0]
    message = f"unexpected character {_show(first)}"
    return Diagnostic("SQ001", message, span, help=_HELP.get(first))


def _is_number(text: str) -> bool:
    try:
        number_value(text)
    except ValueError:
        return False
    return True


def _begins_name(char: str) -> bool:
    if char == "_" or char.isalpha():
        return True
    from unicodedata import category

    return category(char) == "Nl"


def _show(char: str) -> str:
    import unicodedata

    name = unicodedata.name(char, "").lower()
    code = f"U+{ord(char):04X}"
    if char.isprintable() and not char.isspace():
        return f"`{char}`" if char.isascii() else f"`{char}` ({code})"
    return f"{code} ({name})" if name else code


def _never_closed(span: Span) -> Diagnostic:
    if span.text == '"':
        return Diagnostic(
            "SQ002",
            "a text begins here and is never closed",
            span,
            help='close it with `"`',
        )
    return Diagnostic(
        "SQ004",
        "a comment begins here and is never closed",
        span,
        help="close it with `*/`; comments do not nest",
    )
