"""The use of a definition: its body in place, with the arguments in it (contract §2, `def`).

Tokens are put in place, not trees: an argument that is more than a bare name is put in
parentheses, and so is the body, so that precedence is kept. A use may not change what its
argument means: an argument that draws is read once, an argument of statements reads no live state,
and the body assigns nothing an argument reads. Depends on the parser's state and the definitions.
"""

from __future__ import annotations

from serq.diagnostics import Expansion, Note, Span
from serq.syntax.parser.definitions import Definition
from serq.syntax.parser.state import Parser, UnparsableError
from serq.syntax.tokens import Kind, Token, cover, root

MOST_TOKENS = 100_000
"""Tokens that all uses together may put in place."""

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}


def is_use(p: Parser) -> bool:
    """Whether the next tokens use a definition: its name with a parenthesis after it."""
    return p.at_kind(Kind.NAME) and p.at("(", 1) and p.peek().text in p.definitions.known


def expand_expression(p: Parser) -> None:
    """Put an expression's definition in place of its use: a parenthesised expression comes next."""
    definition = p.definitions.known[p.peek().text]
    if definition.statements and not definition.broken:
        raise _wrong_kind(p, definition, "statements (`{ … }`)", "an expression goes")
    _expand(p, definition, "(", ")")


def expand_statements(p: Parser) -> None:
    """Put statements in place of their use and its `;`: a block comes next."""
    definition = p.definitions.known[p.peek().text]
    if not (definition.statements or definition.broken):
        raise _wrong_kind(p, definition, "an expression (`= …;`)", "statements go")
    _expand(p, definition, "{", "}")


def _wrong_kind(p: Parser, definition: Definition, found: str, wanted: str) -> UnparsableError:
    name = definition.name
    return p.mistake(
        "SQ121",
        f"`{name.text}` is defined as {found}, and {wanted} here",
        notes=(Note(f"`{name.text}` is defined here", name.span),),
    )


def _expand(p: Parser, definition: Definition, opening: str, closing: str) -> None:
    name = p.advance()
    arguments, last = _read_arguments(p, name)
    if opening == "{" and not p.accept(";"):
        p.report("SQ102", f"expected `;` after `{name.text}(…)`, found {p.peek().describe()}")
    expansion = Expansion(name.text, cover(name.span, last.span))
    start = Span(name.span.source, name.span.start, name.span.end, expansion)
    end = Span(last.span.source, last.span.start, last.span.end, expansion)
    if definition.broken:
        body = [] if opening == "{" else [Token(Kind.NUMBER, "0", start)]
    else:
        _check_count(p, definition, name, arguments)
        _check_arguments(p, definition, name, arguments)
        body = _substitute(p, definition, arguments, expansion)
    first = Token(Kind.SYMBOL, opening, start, f"`{name.text}`")
    p.stream.push([first, *body, Token(Kind.SYMBOL, closing, end, f"the end of `{name.text}`")])


def _read_arguments(p: Parser, name: Token) -> tuple[list[list[Token]], Token]:
    """The tokens of each argument, and the closing parenthesis."""
    taken = [p.stream.advance()]
    arguments: list[list[Token]] = [[]]
    open_ = [")"]
    foreign: Token | None = None
    while open_:
        token = p.peek()
        if token.kind is Kind.END or len(taken) > MOST_TOKENS:
            p.stream.push(taken)
            p.braces_lost = True
            raise p.mistake("SQ101", f"the `(` of this use of `{name.text}` is never closed", name)
        if token.kind is Kind.SYMBOL and token.text in _OPENING and token.text != open_.pop():
            p.stream.push(taken)
            found = f"{token.describe()} closes nothing in the use of `{name.text}`"
            raise p.mistake("SQ101", found, token, notes=(Note("the use begins here", name.span),))
        if token.kind is Kind.SYMBOL and token.text in (";", "{"):
            foreign = foreign or token
        taken.append(p.advance())
        if token.kind is Kind.SYMBOL and token.text in _CLOSING:
            open_.append(_CLOSING[token.text])
        if len(open_) == 1 and token.kind is Kind.SYMBOL and token.text == ",":
            arguments.append([])
        elif open_:
            arguments[-1].append(token)
    if foreign is not None:
        found = f"{foreign.describe()} can not stand in an argument of `{name.text}`"
        raise p.mistake("SQ101", found, foreign)
    return ([] if arguments == [[]] else arguments), taken[-1]


def _check_count(
    p: Parser, definition: Definition, name: Token, arguments: list[list[Token]]
) -> None:
    wanted, found = len(definition.parameters), len(arguments)
    if wanted != found:
        raise p.mistake(
            "SQ208",
            f"`{name.text}` takes {counted(wanted, 'argument')}, found {found}",
            name,
            notes=(Note(f"`{name.text}` is defined here", definition.name.span),),
        )


def _check_arguments(
    p: Parser, definition: Definition, name: Token, arguments: list[list[Token]]
) -> None:
    for parameter, argument in zip(definition.parameters, arguments, strict=True):
        if not argument:
            raise p.mistake(
                "SQ101", f"the argument for `{parameter}` of `{name.text}` is empty", name
            )
        facts = p.definitions.facts(argument)
        times = definition.reads(parameter)
        if facts.draws and times > 1:
            raise p.mistake(
                "SQ122",
                f"the argument for `{parameter}` draws, and `{name.text}` reads it {times} times",
                name,
                help="`set` the draw first and pass the attribute",
            )
        captured = sorted(facts.reads & definition.facts.binds)
        if captured:
            raise p.mistake(
                "SQ122",
                f"the argument for `{parameter}` reads `{captured[0]}`, and the body of"
                f" `{name.text}` assigns that name",
                name,
                help="`set` the value under another name first and pass that",
            )
        if definition.statements and facts.live is not None:
            raise p.mistake(
                "SQ122",
                f"the argument for `{parameter}` reads `{facts.live}`, which changes while the"
                f" statements of `{name.text}` run",
                name,
                help="`set` the value first and pass the attribute",
            )


def _substitute(
    p: Parser, definition: Definition, arguments: list[list[Token]], expansion: Expansion
) -> list[Token]:
    """The body's tokens, each parameter replaced by its argument."""
    given = {
        parameter: _as_operand(argument, expansion)
        for parameter, argument in zip(definition.parameters, arguments, strict=True)
    }
    body: list[Token] = []
    for token in definition.body:
        if token.kind is Kind.NAME and token.text in given:
            body.extend(given[token.text])
        else:
            span = token.span
            moved = Span(span.source, span.start, span.end, expansion)
            body.append(token._replace(span=moved))
        if p.definitions.expanded + len(body) > MOST_TOKENS:
            use = root(expansion.use)
            raise p.limit(
                "SQ125",
                f"the definitions used here and above write out more than {MOST_TOKENS:,} tokens",
                Token(Kind.NAME, definition.name.text, use),
            )
    p.definitions.expanded += len(body)
    return body


def _as_operand(argument: list[Token], expansion: Expansion) -> list[Token]:
    """An argument as the body reads it: bare when it is a name or a member, else in parentheses."""
    if _is_bare(argument):
        return argument
    first, last = argument[0].span, argument[-1].span
    start = Span(first.source, first.start, first.end, expansion)
    end = Span(last.source, last.start, last.end, expansion)
    return [
        Token(Kind.SYMBOL, "(", start, "an expression"),
        *argument,
        Token(Kind.SYMBOL, ")", end, "the end of the argument"),
    ]


def _is_bare(argument: list[Token]) -> bool:
    if argument[0].kind is not Kind.NAME:
        return False
    if len(argument) > 2 and argument[-2].text == "." and argument[-1].kind is Kind.NAME:
        argument = argument[:-2]
    if len(argument) == 1:
        return True
    if argument[1].text != "[":
        return False
    open_ = 0
    for at, token in enumerate(argument[1:], 1):
        open_ += (token.text == "[") - (token.text == "]")
        if open_ == 0:
            return at == len(argument) - 1
    return False


def counted(number: int, noun: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
