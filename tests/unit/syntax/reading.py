"""Reading texts for the tests of the syntax: the tree, the mistakes, an expression as one line."""

from __future__ import annotations

from collections.abc import Mapping

from serq.diagnostics import Diagnostic, Source
from serq.syntax import ast, parse


def program(
    text: str,
    libraries: Mapping[str, str] | None = None,
    definitions: Mapping[str, str] | None = None,
) -> ast.Program:
    """The tree of a text without mistakes."""
    result = parse(
        Source("program.sq", text),
        read_library=(libraries or {}).__getitem__,
        definitions=definitions,
    )
    assert result.program is not None, [str(found) for found in result.diagnostics]
    assert result.diagnostics == []
    return result.program


def mistakes(
    text: str,
    libraries: Mapping[str, str] | None = None,
    definitions: Mapping[str, str] | None = None,
) -> list[Diagnostic]:
    """What is wrong with a text."""

    def read(path: str) -> str:
        if path not in (libraries or {}):
            raise FileNotFoundError(2, "No such file or directory")
        return (libraries or {})[path]

    result = parse(Source("program.sq", text), read_library=read, definitions=definitions)
    assert (result.program is None) == bool(result.diagnostics)
    return result.diagnostics


def places(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of every mistake."""
    return [
        (found.code, found.span.start_line, found.span.start_column)
        for found in mistakes(text)
        if found.span is not None
    ]


def one(text: str) -> Diagnostic:
    """The only mistake of a text."""
    found = mistakes(text)
    assert len(found) == 1, [str(mistake) for mistake in found]
    return found[0]


def session(statements: str) -> tuple[ast.Statement, ...]:
    """The statements of a session that says these."""
    block = program(f"session {{ {statements} }}").session
    return block.statements if block is not None else ()


def value(text: str) -> str:
    """An expression, read and shown."""
    return shown(program(f"let x = {text};").lets[-1].value)


def shown(node: ast.Expression | None) -> str:
    """An expression with a parenthesis around every operator."""
    match node:
        case None:
            return "nothing"
        case ast.Number():
            return f"{node.value:g}"
        case ast.Name():
            return node.name
        case ast.Indexed():
            return f"{node.name}[{shown(node.index)}]"
        case ast.Draw():
            return f"~{node.distribution}({', '.join(map(shown, node.arguments))})"
        case ast.Call():
            return f"{node.function}({', '.join(map(shown, node.arguments))})"
        case ast.Aggregate():
            return f"{node.function} {node.index} in {shown(node.count)} ({shown(node.term)})"
        case ast.Unary():
            return f"({node.operator}{shown(node.operand)})"
        case ast.Binary():
            return f"({shown(node.left)} {node.operator} {shown(node.right)})"
        case ast.Conditional():
            return f"({shown(node.test)} ? {shown(node.then)} : {shown(node.otherwise)})"
