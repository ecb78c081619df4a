"""Expressions (contract §2, *Expressions*).

Precedence, lowest first: `? :` (right), `||`, `&&`, one comparison, `+ -`, `* /`, the prefixes
`- !`, `^` (a prefix may stand right of it, and it binds tighter than one left of it), atoms. The
operators of one level are read in a loop, so a long sum costs no depth. Depends on the parser's
state, the definitions and the vocabulary.
"""

from __future__ import annotations

from serq.diagnostics import Note
from serq.syntax import ast
from serq.syntax.lexer import number_value
from serq.syntax.parser.expansion import expand_expression, is_use
from serq.syntax.parser.heights import Heights
from serq.syntax.parser.state import MOST_LEVELS, MOST_OPERANDS, Parser, UnparsableError
from serq.syntax.tokens import Kind, Token, cover
from serq.vocabulary import operators
from serq.vocabulary.functions import AGGREGATES, FUNCTIONS
from serq.vocabulary.functions import Kind as Takes

_COMPARISON = 3
_LEVELS = {
    operators.OR: 1,
    operators.AND: 2,
    **dict.fromkeys(operators.COMPARISONS, _COMPARISON),
    **dict.fromkeys(operators.ADDITIVE, 4),
    **dict.fromkeys(operators.MULTIPLICATIVE, 5),
}


def parse_expression(p: Parser) -> ast.Expression:
    """A whole expression, in no other one."""
    p.heights = Heights()
    return _parse_conditional(p)


def parse_keys(p: Parser, after: str) -> tuple[ast.Expression, ...]:
    """`( expression, … )`: at least one key."""
    p.expect("(", f"after `{after}`")
    keys = [parse_expression(p)]
    while p.accept(","):
        keys.append(parse_expression(p))
    p.expect(")", f"after the keys of `{after}`")
    return tuple(keys)


def parse_parenthesised(p: Parser, after: str) -> ast.Expression:
    """`( expression )`, where a clause wants the parentheses."""
    p.expect("(", f"after `{after}`")
    value = parse_expression(p)
    p.expect(")", f"after the value of `{after}`")
    return value


def parse_reference(p: Parser, what: str) -> ast.Reference:
    """`NAME` or `NAME [ index ]`, with `. NAME` after it in a queue: a pool or a stage."""
    name = p.expect_name(f"the name of {what}")
    if not p.accept("["):
        return _end_name(p, name)
    index = parse_expression(p)
    return _end_index(p, name, index)


def parse_single(p: Parser, what: str) -> ast.Name:
    """The name of a pool or a stage that takes no index."""
    name = p.expect_name(f"the name of {what}")
    return ast.Name(name.text, name.span)


def _end_name(p: Parser, name: Token) -> ast.Name:
    """The rest of `NAME` or `QUEUE . NAME`, which is one name."""
    part = _parse_part(p)
    if part is None:
        return ast.Name(name.text, name.span)
    return ast.Name(f"{name.text}.{part.text}", cover(name.span, part.span))


def _end_index(p: Parser, name: Token, index: ast.Expression) -> ast.Indexed:
    """The rest of `NAME [ index ]` or `QUEUE [ index ] . NAME`."""
    last = p.expect("]", f"after the index of `{name.text}`")
    part = _parse_part(p)
    if part is None:
        return ast.Indexed(name.text, index, cover(name.span, last.span), name.span)
    whole = cover(name.span, part.span)
    return ast.Indexed(f"{name.text}.{part.text}", index, whole, name.span)


def _parse_part(p: Parser) -> Token | None:
    """`. NAME`, where it stands."""
    if not (p.at(".") and p.at_kind(Kind.NAME, 1)):
        return None
    p.advance()
    return p.advance()


def _parse_conditional(p: Parser) -> ast.Expression:
    p.deepen()
    chain = _Chain(p, _parse_operand(p))
    while (operator := p.peek()).kind is Kind.SYMBOL and operator.text in _LEVELS:
        chain.make_room(operator)
        chain.add(p.advance(), _parse_operand(p))
    value = chain.end()
    if p.accept("?"):
        then = _parse_conditional(p)
        p.expect(":", "between the two values of `? :`")
        otherwise = _parse_conditional(p)
        value = ast.Conditional(value, then, otherwise, cover(value.span, otherwise.span))
    p.levels -= 1
    return value


class _Chain:
    """Operands with operators between them, joined as soon as precedence allows."""

    def __init__(self, p: Parser, first: ast.Expression) -> None:
        self._p = p
        self._operands = [first]
        self._waiting: list[Token] = []

    def make_room(self, operator: Token) -> None:
        """Join what binds tighter than the operator that comes next, or as tightly."""
        level = _LEVELS[operator.text]
        self._join(level + 1)
        if level == _COMPARISON and self._waiting and _LEVELS[self._waiting[-1].text] == level:
            raise _refuse_chain(self._p, self._waiting[-1], operator)
        self._join(level)

    def add(self, operator: Token, operand: ast.Expression) -> None:
        """Add an operator and the operand after it."""
        self._waiting.append(operator)
        self._operands.append(operand)

    def end(self) -> ast.Expression:
        """The whole chain as one expression."""
        self._join(0)
        return self._operands[0]

    def _join(self, level: int) -> None:
        """Give every waiting operator that binds at least as tightly as `level` its operands."""
        while self._waiting and _LEVELS[self._waiting[-1].text] >= level:
            operator = self._waiting.pop()
            right, left = self._operands.pop(), self._operands.pop()
            span = cover(left.span, right.span)
            joined = ast.Binary(operator.text, left, right, span, operator.span)
            if self._p.heights.add(joined) > MOST_OPERANDS:
                found = f"an expression has more than {MOST_OPERANDS:,} operands in a row"
                raise self._p.limit("SQ112", found, operator)
            self._operands.append(joined)


def _refuse_chain(p: Parser, first: Token, second: Token) -> UnparsableError:
    return p.mistake(
        "SQ109",
        f"`{second.text}` compares a comparison: a comparison has two sides",
        help=f"write two of them, `… {first.text} x && x {second.text} …`",
        notes=(Note("the first comparison", first.span),),
    )


def _parse_operand(p: Parser) -> ast.Expression:
    prefixes = _prefixes(p)
    p.deepen(len(prefixes))
    if is_use(p):
        expand_expression(p)
    if p.accept("("):
        value = _parse_conditional(p)
        p.expect(")", "after the expression in parentheses")
    elif sign := p.accept("~"):
        return _prefixed(p, prefixes, _parse_call(p, sign))
    elif p.at("in", 2) and p.peek().text in AGGREGATES and p.at_kind(Kind.NAME, 1):
        value = _parse_aggregate(p)
    elif p.at_kind(Kind.NAME):
        value = _parse_call(p, None) if p.at("(", 1) else _parse_name(p)
    else:
        value = _parse_number(p)
    if p.at(operators.POWER):
        operator = p.advance()
        p.deepen()
        right = _parse_operand(p)
        p.levels -= 1
        value = ast.Binary(
            operator.text, value, right, cover(value.span, right.span), operator.span
        )
    return _prefixed(p, prefixes, value)


def _prefixed(p: Parser, prefixes: list[Token], value: ast.Expression) -> ast.Expression:
    p.levels -= len(prefixes)
    for prefix in reversed(prefixes):
        value = ast.Unary(prefix.text, value, cover(prefix.span, value.span))
    return value


def _prefixes(p: Parser) -> list[Token]:
    prefixes: list[Token] = []
    while p.peek().text in operators.UNARY and len(prefixes) <= MOST_LEVELS:
        prefixes.append(p.advance())
    return prefixes


def _parse_number(p: Parser) -> ast.Expression:
    if not p.at_kind(Kind.NUMBER):
        raise p.mistake("SQ101", f"expected an expression, found {p.peek().describe()}")
    token = p.advance()
    return ast.Number(number_value(token.text), token.span)


def _parse_name(p: Parser) -> ast.Expression:
    name = p.advance()
    whole = _end_name(p, name)
    if p.at("["):
        _refuse_member_of_moment(p, name)
        raise p.mistake(
            "SQ101",
            f"`{name.text}[…]` is a pool or a stage, and has no value by itself",
            help=f"a function reads its state, as in `used({name.text}[…])`",
        )
    return whole


def _refuse_member_of_moment(p: Parser, name: Token) -> None:
    """`QUEUE [ index ] . NAME` as a value: what a queue sets is the request's."""
    ahead, open_ = 1, 1
    while open_ and not p.at_kind(Kind.END, ahead):
        open_ += p.at("[", ahead) - p.at("]", ahead)
        ahead += 1
    if p.at(".", ahead) and p.at_kind(Kind.NAME, ahead + 1):
        part = p.peek(ahead + 1).text
        raise p.mistake(
            "SQ223",
            f"`{name.text}[…].{part}` is no value: what a queue marks or sets is the request's,"
            " and no member's",
            name,
            help=f"write `{name.text}.{part}`",
        )


def _parse_call(p: Parser, sign: Token | None) -> ast.Expression:
    """`name ( argument, … )`, a draw when a `~` stood before it."""
    name = p.expect_name("the name of a distribution after `~`") if sign else p.advance()
    p.expect("(", f"after `~{name.text}`")
    arguments: list[ast.Expression] = []
    while not (p.at(")") and not arguments):
        first = p.peek()
        if first.kind is Kind.NAME and p.at("[", 1):
            p.advance()
            opening = p.advance()
            index = _parse_conditional(p)
            arguments.append(_end_member(p, name, first, opening, index))
        else:
            value = _parse_conditional(p)
            _refuse_parenthesised_name(p, name, len(arguments), first, value)
            arguments.append(value)
        if not p.accept(","):
            break
    last = p.expect(")", f"after the arguments of `{name.text}`")
    if sign is not None:
        return ast.Draw(name.text, tuple(arguments), cover(sign.span, last.span), name.span)
    if name.text not in FUNCTIONS:
        p.early.append(name)
    return ast.Call(name.text, tuple(arguments), cover(name.span, last.span), name.span)


def _end_member(
    p: Parser, function: Token, name: Token, opening: Token, index: ast.Expression
) -> ast.Expression:
    """The rest of `name [ index ]` as an argument, which it must be alone."""
    member = _end_index(p, name, index)
    if not (p.at(",") or p.at(")")):
        found = f"`{name.text}[…]` stands alone as an argument of `{function.text}`"
        raise p.mistake("SQ101", found, opening)
    return member


def _refuse_parenthesised_name(
    p: Parser, function: Token, position: int, first: Token, value: ast.Expression
) -> None:
    """A pool or a stage is written bare: in parentheses it would be a value."""
    row = FUNCTIONS.get(function.text)
    if row is None or position >= len(row.parameters) or first.text != "(":
        return
    takes = row.parameters[position]
    if takes is not Takes.VALUE and isinstance(value, ast.Name):
        raise p.mistake(
            "SQ209",
            f"`{function.text}` takes the name of {takes.value} here, without parentheses",
            function,
        )


def _parse_aggregate(p: Parser) -> ast.Expression:
    """`max j in count (term)`; the count is a number, a name, or an expression in parentheses."""
    function, index, _ = p.advance(), p.advance(), p.advance()
    count: ast.Expression
    if is_use(p):
        expand_expression(p)
    if p.accept("("):
        count = _parse_conditional(p)
        p.expect(")", "after the number of terms")
    elif p.at_kind(Kind.NAME):
        name = p.advance()
        count = ast.Name(name.text, name.span)
    else:
        count = _parse_number(p)
    p.expect("(", f"before the term of `{function.text} {index.text} in …`")
    term = _parse_conditional(p)
    last = p.expect(")", f"after the term of `{function.text} {index.text} in …`")
    span = cover(function.span, last.span)
    return ast.Aggregate(function.text, index.text, count, term, span, index.span)
