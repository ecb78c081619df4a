"""A source text to a syntax tree (contract §2).

Every mistake of the text is reported, in its order, and none raises. Depends on the items.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from serq.diagnostics import Diagnostic, Note, Source, Span, has_errors, nearest
from serq.records import Record
from serq.syntax import ast
from serq.syntax.lexer import scan
from serq.syntax.parser.definitions import Definitions
from serq.syntax.parser.items import Items, parse_items
from serq.syntax.parser.libraries import Libraries
from serq.syntax.parser.sides import check_sides
from serq.syntax.parser.state import MOST_CHARACTERS, AbandonedError, Parser, TokenStream
from serq.syntax.parser.statements import statement_help
from serq.syntax.tokens import root


class ParseResult(Record):
    """The tree, None when there is an error, and what there is to say, in the text's order."""

    program: ast.Program | None
    diagnostics: list[Diagnostic]


class ConstantResult(Record):
    """The expression of a constant given from outside, None when it is none, and why."""

    expression: ast.Expression | None
    diagnostics: list[Diagnostic]


def parse(
    source: Source,
    *,
    read_library: Callable[[str], str] | None = None,
    definitions: Mapping[str, str] | None = None,
    sets: Mapping[str, float | str] | None = None,
) -> ParseResult:
    """Read a program.

    `read_library` returns the text of a library by its path, relative paths already taken from
    the file that uses it, and may raise OSError or ValueError; the file system by default.
    `definitions` replaces bodies of expression definitions by name (`--def`), `sets` the values
    of constants (`--set`) as far as an array's size reads them; the tree keeps the program's own.
    """
    given = {name: parse_constant(name, text).expression for name, text in (sets or {}).items()}
    replaced = {name: value for name, value in given.items() if value is not None}
    p = Parser(Definitions(dict(definitions or {})), replaced)
    items = Items(Libraries(source, read_library))
    if len(source.text) > MOST_CHARACTERS:
        message = f"the text has {len(source.text):,} characters, more than {MOST_CHARACTERS:,}"
        return ParseResult(None, [Diagnostic("SQ126", message, Span(source, 0, 0))])
    whole = False
    try:
        p.stream = TokenStream(scan(source, p.add))
        parse_items(p, items)
        check_sides(p, items)
        _check_definitions(p, items)
        _check_replacements(p, source)
        whole = True
    except AbandonedError:
        pass
    except RecursionError:
        _report_depth(p)
    with suppress(AbandonedError):
        _check_calls(p)
    found = sorted(_with_ways_out(p.diagnostics), key=lambda d: _place(d, source))
    sound = whole and not has_errors(found)
    return ParseResult(items.program(source) if sound else None, found)


def _with_ways_out(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings with what other languages' habits tell of them, loaded where there are some."""
    if not found:
        return []
    from serq.syntax.parser.habits import with_way_out

    return [with_way_out(each) for each in found]


def parse_constant(name: str, given: float | str) -> ConstantResult:
    """The value of `--set name=given`: a number, or the text of one expression."""
    source = Source(f"--set {name}", given if isinstance(given, str) else repr(float(given)))
    whole = Span(source, 0, max(len(source.text), 1))
    if not isinstance(given, str):
        return ConstantResult(ast.Number(float(given), whole), [])
    end = "\n;" if "//" in given else ";"  # a comment does not hide the end
    parsed = parse(Source(source.name, f"let {name} = {given}{end}"))
    if parsed.program is None:
        return ConstantResult(None, parsed.diagnostics)
    if len(parsed.program.lets) == 1:
        return ConstantResult(parsed.program.lets[0].value, parsed.diagnostics)
    message, hint = "the value of a constant is one expression", "such as `--set rate=2.5`"
    found = Diagnostic("SQ101", message, whole, help=hint)
    return ConstantResult(None, [*parsed.diagnostics, found])


def _place(diagnostic: Diagnostic, source: Source) -> int:
    if diagnostic.span is None:
        return -1
    outer = root(diagnostic.span)
    return outer.start if outer.source is source else -1


def _report_depth(p: Parser) -> None:
    """The caller's own calls left too little of the interpreter's stack."""
    span = p.last.span if p.last is not None else None
    p.diagnostics.append(Diagnostic("SQ112", "this is nested too deeply to be read here", span))


def _check_calls(p: Parser) -> None:
    """What was called like a definition: a definition below it, or nothing that is known."""
    p.doubtful, p.skipped = False, 0
    for word in (*p.early, *p.unknown_statements):
        definition = p.definitions.known.get(word.text)
        if definition is not None and word.text not in p.definitions.misplaced:
            p.report(
                "SQ120",
                f"`{word.text}` is used before it is defined",
                word,
                notes=(Note("it is defined here", definition.name.span),),
                help="move the definition above its first use",
            )
    for word in p.unknown_statements if not p.library_missing else ():
        if word.text not in p.definitions.known:
            message = f"`{word.text}` is no statement and no definition"
            p.report("SQ104", message, word, help=statement_help(p, word))


def _check_definitions(p: Parser, items: Items) -> None:
    """A definition has a name of its own among the pools, stages and constants."""
    declared: dict[str, tuple[str, Span]] = {}
    for what, rows in (("pool", items.pools), ("stage", items.stages), ("constant", items.lets)):
        for row in rows:
            declared.setdefault(row.name, (what, row.name_span))
    for name, definition in p.definitions.known.items():
        if name in declared and not definition.broken:
            what, span = declared[name]
            p.report(
                "SQ202",
                f"`{name}` is a definition, and a {what} has the same name",
                definition.name,
                notes=(Note(f"the {what}", span),),
            )


def _check_replacements(p: Parser, source: Source) -> None:
    """Every `--def` names a definition."""
    known = sorted(p.definitions.known)
    for name in p.definitions.replacements:
        if name not in p.definitions.known:
            guess = nearest(name, known)
            listed = p.one_of(known) if known else "none"
            p.add(
                Diagnostic(
                    "SQ214",
                    f"`--def {name}` replaces a definition, and the program has none of that name",
                    help=f"did you mean `{guess}`?" if guess else f"it defines {listed}",
                    file=source.name,
                )
            )
