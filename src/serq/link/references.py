"""References: a pool or a stage by its name, or a member of an array by its index.

A constant index is folded to its number; whether a member has that number is a check of the
finished IR. Depends on names, the evaluation of constants and the unit.
"""

from __future__ import annotations

from functools import partial

from serq.diagnostics import Note, Span
from serq.link.names import Candidates, Family
from serq.link.unit import Unit
from serq.syntax import ast


def name_of(reference: ast.Reference) -> Span:
    """Where the name of a reference stands."""
    return reference.span if isinstance(reference, ast.Name) else reference.name_span


def find_pool(unit: Unit, name: str, span: Span) -> Family | None:
    """The pool of that name; None, with a finding, when there is none."""
    return _find(unit, name, span, "pool", unit.names.pools)


def find_stage(unit: Unit, name: str, span: Span) -> Family | None:
    """The stage of that name; None, with a finding, when there is none."""
    return _find(unit, name, span, "stage", unit.names.stages)


def _find(unit: Unit, name: str, span: Span, kind: str, known: dict[str, Family]) -> Family | None:
    family = known.get(name)
    if family is None:
        notes, help = _other(unit, name, kind, known)
        code = "SQ205" if kind == "pool" else "SQ206"
        unit.findings.report(code, f"there is no {kind} `{name}`", span, notes=notes, help=help)
    return family


def _declared(kind: str, known: dict[str, Family]) -> Candidates:
    return {
        name: Note(f"the {kind} `{name}` is declared here", family.span)
        for name, family in known.items()
    }


def _other(
    unit: Unit, name: str, kind: str, known: dict[str, Family]
) -> tuple[tuple[Note, ...], str]:
    """What the name may have been meant for."""
    help, notes = unit.names.suggest(name, partial(_declared, kind, known))
    if help is not None:
        return notes, help
    other, families = ("stage", unit.names.stages) if kind == "pool" else ("pool", unit.names.pools)
    if name in families:
        return (Note(f"`{name}` is a {other}", families[name].span),), f"name a {kind} here"
    if not known:
        return (), f"declare it: `{kind} {name} …`"
    listed = ", ".join(f"`{one}`" for one in list(known)[:8]) + (", …" if len(known) > 8 else "")
    return (), f"the program's {kind}s are {listed}"


def index_missing(unit: Unit, family: Family, span: Span) -> None:
    """Report that an array was named without saying which member."""
    unit.findings.report(
        "SQ211",
        f"`{family.name}` is an array of {family.count}; say which member",
        span,
        notes=[Note(f"`{family.name}` is declared here", family.span)],
        help=f"write `{family.name}[0]`, or an index the session computes",
    )
