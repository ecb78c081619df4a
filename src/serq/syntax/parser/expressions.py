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
from serq.syntax.parser.state import MOST_LEVELS, MOST_OPERANDS, Parser, UnparsableError
from serq.syntax.parser.unsupported import refuse_dotted
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
    p.operands = 0
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
    """`NAME` or `NAME [ index ]`: a pool or a stage."""
    name = p.expect_name(f"the name of {what}")
    refuse_dotted(p, name)
    if not p.accept("["):
        return ast.Name(name.text, name.span)
    index = parse_expression(p)
    last = p.expect("]", f"after the index of `{name.text}`")
    refuse_dotted(p, name)
    return ast.Indexed(name.text, index, cover(name.span, last.span), name.span)


def parse_single(p: Parser, what: str) -> ast.Name:
    """The name of a pool or a stage that takes no index."""
    name = p.expect_name(f"the name of {what}")
    refuse_dotted(p, name)
    return ast.Name(name.text, name.span)


def _parse_conditional(p: Parser) -> ast.Expression:
    with p.nesting():
        operands = [_parse_operand(p)]
        waiting: list[Token] = []
        while (operator := p.peek()).kind is Kind.SYMBOL and operator.text in _LEVELS:
            level = _LEVELS[operator.text]
            _reduce(operands, waiting, level + 1)
            if level == _COMPARISON and waiting and _LEVELS[waiting[-1].text] == level:
                raise _refuse_chain(p, waiting[-1], operator)
            _reduce(operands, waiting, level)
            waiting.append(p.advance())
            operands.append(_parse_operand(p))
        _reduce(operands, waiting, 0)
        test = operands[0]
        if not p.accept("?"):
            return test
        then = _parse_conditional(p)
        p.expect(":", "between the two values of `? :`")
        otherwise = _parse_conditional(p)
        return ast.Conditional(test, then, otherwise, cover(test.span, otherwise.span))


def _reduce(operands: list[ast.Expression], waiting: list[Token], level: int) -> None:
    """Give every waiting operator that binds at least as tightly as `level` its operands."""
    while waiting and _LEVELS[waiting[-1].text] >= level:
        operator, right, left = waiting.pop(), operands.pop(), operands.pop()
        span = cover(left.span, right.span)
        operands.append(ast.Binary(operator.text, left, right, span, operator.span))


def _refuse_chain(p: Parser, first: Token, second: Token) -> UnparsableError:
    return p.mistake(
        "SQ109",
        f"`{second.text}` compares a comparison: a comparison has two sides",
        help=f"write two of them, `… {first.text} x && x {second.text} …`",
        notes=(Note("the first comparison", first.span),),
    )


def _parse_operand(p: Parser) -> ast.Expression:
    p.operands += 1
    if p.operands > MOST_OPERANDS:
        raise p.limit("SQ112", f"an expression has more than {MOST_OPERANDS:,} operands", p.peek())
    prefixes = _prefixes(p)
    with p.nesting(len(prefixes)):
        if is_use(p):
            expand_expression(p)
        if p.accept("("):
            value = _parse_conditional(p)
            p.expect(")", "after the expression in parentheses")
        elif p.at("~"):
            return _prefixed(prefixes, _parse_draw(p))
        elif p.at_kind(Kind.NAME):
            value = _parse_word(p)
        else:
            value = _parse_number(p)
        if p.at(operators.POWER):
            operator = p.advance()
            with p.nesting():
                right = _parse_operand(p)
            span = cover(value.span, right.span)
            value = ast.Binary(operator.text, value, right, span, operator.span)
    return _prefixed(prefixes, value)


def _prefixes(p: Parser) -> list[Token]:
    prefixes: list[Token] = []
    while p.peek().text in operators.UNARY and len(prefixes) <= MOST_LEVELS:
        prefixes.append(p.advance())
    return prefixes


def _prefixed(prefixes: list[Token], value: ast.Expression) -> ast.Expression:
    for prefix in reversed(prefixes):
        value = ast.Unary(prefix.text, value, cover(prefix.span, value.span))
    return value


def _parse_number(p: Parser) -> ast.Expression:
    if not p.at_kind(Kind.NUMBER):
        raise p.mistake("SQ101", f"expected an expression, found {p.peek().describe()}")
    token = p.advance()
    return ast.Number(number_value(token.text), token.span)


def _parse_draw(p: Parser) -> ast.Expression:
    sign = p.advance()
    name = p.expect_name("the name of a distribution after `~`")
    p.expect("(", f"after `~{name.text}`")
    arguments = _parse_arguments(p, name)
    return ast.Draw(name.text, arguments, p.from_last(sign.span), name.span)


def _parse_word(p: Parser) -> ast.Expression:
    name = p.advance()
    if name.text in AGGREGATES and p.at_kind(Kind.NAME) and p.at("in", 1):
        return _parse_aggregate(p, name)
    if p.accept("("):
        if name.text not in FUNCTIONS:
            p.early.append(name)
        arguments = _parse_arguments(p, name)
        return ast.Call(name.text, arguments, p.from_last(name.span), name.span)
    refuse_dotted(p, name)
    if p.at("["):
        raise p.mistake(
            "SQ101",
            f"`{name.text}[…]` is a pool or a stage, and has no value by itself",
            help=f"a function reads its state, as in `used({name.text}[…])`",
        )
    return ast.Name(name.text, name.span)


def _parse_arguments(p: Parser, name: Token) -> tuple[ast.Expression, ...]:
    """Arguments up to and with the closing parenthesis."""
    arguments: list[ast.Expression] = []
    while not (p.at(")") and not arguments):
        arguments.append(_parse_argument(p, name, len(arguments)))
        if not p.accept(","):
            break
    p.expect(")", f"after the arguments of `{name.text}`")
    return tuple(arguments)


def _parse_argument(p: Parser, function: Token, position: int) -> ast.Expression:
    first = p.peek()
    if first.kind is Kind.NAME and p.at("[", 1):
        opening = p.peek(1)
        member = _parse_member(p)
        if not (p.at(",") or p.at(")")):
            raise p.mistake(
                "SQ101",
                f"`{first.text}[…]` stands alone as an argument of `{function.text}`",
                opening,
            )
        return member
    value = _parse_conditional(p)
    _refuse_parenthesised_name(p, function, position, first, value)
    return value


def _parse_member(p: Parser) -> ast.Expression:
    name = p.advance()
    p.advance()
    index = _parse_conditional(p)
    last = p.expect("]", f"after the index of `{name.text}`")
    return ast.Indexed(name.text, index, cover(name.span, last.span), name.span)


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


def _parse_aggregate(p: Parser, function: Token) -> ast.Expression:
    index = p.advance()
    p.advance()
    count = _parse_count(p)
    p.expect("(", f"before the term of `{function.text} {index.text} in …`")
    term = _parse_conditional(p)
    last = p.expect(")", f"after the term of `{function.text} {index.text} in …`")
    span = cover(function.span, last.span)
    return ast.Aggregate(function.text, index.text, count, term, span, index.span)


def _parse_count(p: Parser) -> ast.Expression:
    """How many terms: a number, a constant's name, or an expression in parentheses."""
    if is_use(p):
        expand_expression(p)
    if p.accept("("):
        count = _parse_conditional(p)
        p.expect(")", "after the number of terms")
        return count
    if p.at_kind(Kind.NAME):
        name = p.advance()
        return ast.Name(name.text, name.span)
    return _parse_number(p)
