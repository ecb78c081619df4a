"""`def` where it stands: its name, its parameters, its body as tokens (contract §2).

The body is kept as it is written; a use reads it. Depends on the parser's state and the
definitions.
"""

from __future__ import annotations

from serq.diagnostics import Note, Source
from serq.syntax.lexer import scan
from serq.syntax.parser.definitions import Definition, Facts, named
from serq.syntax.parser.expressions import parse_expression
from serq.syntax.parser.names import refuse_language_word
from serq.syntax.parser.state import Parser, TokenStream, UnparsableError
from serq.syntax.tokens import Kind, Token

MOST_TOKENS = 100_000
"""Tokens of one body."""

_CLOSING = {"(": ")", "[": "]", "{": "}"}


def parse_def(p: Parser) -> None:
    """`def NAME (NAME, …) = expression;` or `def NAME (NAME, …) { statements }`."""
    p.advance()
    name = p.expect_name("the name of a definition after `def`")
    refuse_language_word(p, name, "a definition")
    try:
        _parse_rest(p, name)
    except UnparsableError:
        nothing = Facts(False, None, frozenset(), frozenset(), frozenset())
        broken = Definition(name, (), (), False, nothing, broken=True)
        p.definitions.known.setdefault(name.text, broken)
        raise


def _parse_rest(p: Parser, name: Token) -> None:
    parameters = _parse_parameters(p, name)
    statements = p.at("{")
    if not (statements or p.at("=")):
        raise p.mistake(
            "SQ101",
            f"expected `= expression;` or `{{ statements }}` after `def {name.text}(…)`,"
            f" found {p.peek().describe()}",
        )
    p.advance()
    body = _read_body(p, name, "}" if statements else ";")
    if name.text in p.definitions.replacements:
        if statements:
            raise p.mistake(
                "SQ121",
                f"`--def {name.text}` replaces an expression, and `{name.text}` is"
                " defined as statements",
                name,
            )
        body = _read_replacement(p, name, p.definitions.replacements[name.text])
    definition = Definition(name, parameters, body, statements, p.definitions.facts(body))
    _check(p, definition)
    p.definitions.add(definition)


def _parse_parameters(p: Parser, name: Token) -> tuple[str, ...]:
    p.expect("(", f"after `def {name.text}`")
    parameters: list[str] = []
    while not p.at(")"):
        parameter = p.expect_name(f"a parameter of `{name.text}`")
        refuse_language_word(p, parameter, "a parameter")
        if parameter.text in parameters:
            raise p.mistake("SQ202", f"`{parameter.text}` is a parameter twice", parameter)
        parameters.append(parameter.text)
        if not p.accept(","):
            break
    p.expect(")", f"after the parameters of `{name.text}`")
    return tuple(parameters)


def _read_body(p: Parser, name: Token, end: str) -> tuple[Token, ...]:
    """Tokens up to the `;` or `}` that ends the definition, which is taken."""
    body: list[Token] = []
    open_: list[str] = [end] if end == "}" else []
    while True:
        token = p.peek()
        symbol = token.text if token.kind is Kind.SYMBOL else ""
        if not open_ and symbol == end:
            break
        if token.kind is Kind.END:
            p.stream.push(body)
            raise p.mistake("SQ103", f"the definition of `{name.text}` is not closed", name)
        if len(body) >= MOST_TOKENS:
            raise p.limit("SQ125", f"`{name.text}` is longer than {MOST_TOKENS:,} tokens", name)
        if symbol in _CLOSING:
            open_.append(_CLOSING[symbol])
        elif symbol in (")", "]", "}"):
            if not open_ or open_.pop() != symbol:
                raise p.mistake(
                    "SQ101", f"`{symbol}` closes nothing in the definition of `{name.text}`"
                )
            if not open_ and end == "}":
                break
        body.append(p.advance())
    p.advance()
    return tuple(body)


def _read_replacement(p: Parser, name: Token, text: str) -> tuple[Token, ...]:
    """The body that `--def` gives a definition: one expression."""
    source = Source(f"--def {name.text}", text)
    tokens = [t for t in scan(source, p.add) if t.kind is not Kind.END]
    outer, early = p.stream, len(p.early)
    p.stream = TokenStream(scan(source, lambda _: None))
    try:
        parse_expression(p)
        if not p.at_kind(Kind.END):
            raise p.mistake(
                "SQ101", f"expected one expression, found {p.peek().describe()} after it"
            )
    finally:
        p.stream = outer
        del p.early[early:]
    return tuple(tokens)


def _check(p: Parser, definition: Definition) -> None:
    """The rules a definition keeps where it stands (facts of its body, names above it)."""
    name, known = definition.name, p.definitions.known
    if name.text in known:
        first = Note("it is defined first here", known[name.text].name.span)
        raise p.mistake("SQ202", f"`{name.text}` is defined twice", name, notes=(first,))
    if not definition.statements and not definition.body:
        raise p.mistake(
            "SQ101", f"the definition of `{name.text}` has no expression after `=`", name
        )
    if name.text in definition.facts.calls:
        raise p.mistake(
            "SQ120",
            f"`{name.text}` uses itself: a definition uses the ones above it",
            name,
        )
    given = set(named(definition.body)) & set(definition.parameters)
    if given:
        raise p.mistake(
            "SQ122",
            f"`{min(given)}` is a parameter of `{name.text}`, and the body gives that name to"
            " something of its own",
            name,
            help="rename the parameter, or what the body assigns",
        )
    user = p.definitions.users.get(name.text)
    if user is not None:
        p.definitions.misplaced.add(name.text)
        raise p.mistake(
            "SQ120",
            f"`{user.name.text}` uses `{name.text}`, which is defined below it",
            name,
            help=f"move the definition of `{name.text}` above that of `{user.name.text}`",
        )
