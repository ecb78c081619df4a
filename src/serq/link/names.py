"""The names of a program: constants, attributes, observations, pools and stages.

One name may be a pool, a stage and a constant at once; an attribute, a constant and a name the
language supplies may not share one (contract §2, *Expressions*). Depends on `serq.syntax.ast`,
`serq.vocabulary` and the findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from serq.diagnostics import Note, Span, nearest
from serq.link.findings import Findings
from serq.records import Draft, Record
from serq.syntax import ast
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES
from serq.vocabulary.moments import CONTEXT_VARIABLES, SUPPLIED_NAMES

Candidates = Mapping[str, Note | None]
"""Names that may have been meant, with a note on where each comes from."""

MOST_SUGGESTIONS = 50
"""How often the nearest name is looked for in a program: it takes a look at all of them."""

REFUSED = "?"
"""A name no program can write: an expression that reads it has been refused already."""


class Family(Record):
    """A declared pool or stage: its members are `count` entries from `base` on."""

    name: str
    base: int
    count: int
    array: bool
    span: Span


class Constant(Record):
    """A `let`: its value, or None when it has none because of an error already reported."""

    value: float | None
    span: Span


class Names(Draft):
    """The tables, and where each name was declared first."""

    constants: dict[str, Constant] = field(default_factory=dict)
    attributes: dict[str, int] = field(
        default_factory=lambda: {name: slot for slot, name in enumerate(BUILTIN_ATTRIBUTES)}
    )
    attribute_spans: dict[str, Span] = field(default_factory=dict)
    assigned: Mapping[str, Span] = field(default_factory=dict)
    """What `set` and `choose` assign anywhere: the attributes, before they have slots."""
    observes: dict[str, int] = field(default_factory=dict)
    pools: dict[str, Family] = field(default_factory=dict)
    pool_declarations: dict[str, ast.Pool] = field(default_factory=dict)
    stages: dict[str, Family] = field(default_factory=dict)
    stage_declarations: dict[str, ast.Stage] = field(default_factory=dict)
    later_constants: Mapping[str, Span] = field(default_factory=dict)
    """Constants declared anywhere in the program, for the text of an error."""
    suggestions: int = 0
    """How often the nearest name was looked for."""

    def suggest(
        self, name: str, candidates: Callable[[], Candidates]
    ) -> tuple[str | None, tuple[Note, ...]]:
        """A help and notes that offer the nearest of `candidates`, unless that was done often."""
        if self.suggestions >= MOST_SUGGESTIONS:
            return None, ()
        self.suggestions += 1
        return suggestion(name, candidates())

    def known_constants(self) -> Candidates:
        """What a constant may read by name."""
        return {
            name: Note(f"the constant `{name}` is declared here", constant.span)
            for name, constant in self.constants.items()
        }

    def values(self) -> Candidates:
        """What an expression may read by name."""
        known: dict[str, Note | None] = dict.fromkeys(CONTEXT_VARIABLES)
        known |= self.known_constants()
        for name in self.attributes:
            span = self.attribute_spans.get(name)
            known[name] = None if span is None else Note(f"`{name}` is assigned here", span)
        return known

    def meaning(self, name: str) -> str | None:
        """What a name already is in the program, as the end of a sentence; None when nothing."""
        if name in SUPPLIED_NAMES:
            return "a name the language supplies"
        if name in BUILTIN_ATTRIBUTES:
            return "a built-in attribute"
        if name in self.attributes or name in self.assigned:
            return "an attribute of the session"
        if name in self.constants or name in self.later_constants:
            return "a constant"
        if name in self.pools:
            return "a pool"
        if name in self.stages:
            return "a stage"
        return None


def declare_pools(names: Names, pools: Iterable[ast.Pool], findings: Findings) -> None:
    """Number the pools in the order of their declarations; an array takes one number a member."""
    base = 0
    for pool in pools:
        if pool.name in names.pools:
            _duplicate("pool", pool.name, pool.name_span, names.pools[pool.name], findings)
            continue
        count = 1 if pool.size is None else pool.size
        names.pools[pool.name] = Family(
            pool.name, base, count, pool.size is not None, pool.name_span
        )
        names.pool_declarations[pool.name] = pool
        base += count


def declare_stages(names: Names, stages: Iterable[ast.Stage], findings: Findings) -> None:
    """Number the stages in the order of their declarations, like pools."""
    base = 0
    for stage in stages:
        if stage.name in names.stages:
            _duplicate("stage", stage.name, stage.name_span, names.stages[stage.name], findings)
            continue
        count = 1 if stage.size is None else stage.size
        names.stages[stage.name] = Family(
            stage.name, base, count, stage.size is not None, stage.name_span
        )
        names.stage_declarations[stage.name] = stage
        base += count


def _duplicate(kind: str, name: str, span: Span, first: Family, findings: Findings) -> None:
    findings.report(
        "SQ202",
        f"there is a {kind} `{name}` already; each {kind} has a name of its own",
        span,
        notes=[Note(f"`{name}` is declared here first", first.span)],
        help=f"rename one of the two, or declare an array `{kind} {name}[2]`",
    )


def check_constant_names(lets: Iterable[ast.Let], findings: Findings) -> None:
    """No constant takes a name the language supplies or a built-in attribute's."""
    for let in lets:
        if let.name in SUPPLIED_NAMES:
            _supplied(let.name, "a constant", let.name_span, findings)
        elif let.name in BUILTIN_ATTRIBUTES:
            findings.report(
                "SQ204",
                f"`{let.name}` is a built-in attribute of every session; a constant has a name "
                "of its own",
                let.name_span,
                help="give the constant another name",
            )


def check_attribute_names(names: Names, findings: Findings) -> None:
    """No attribute takes a name the language supplies or a constant's."""
    for name, span in names.attribute_spans.items():
        if name in SUPPLIED_NAMES:
            _supplied(name, "an attribute", span, findings)
        elif name in names.later_constants and name not in BUILTIN_ATTRIBUTES:
            findings.report(
                "SQ204",
                f"`{name}` is a constant, and is assigned here as an attribute of the session; "
                "an expression could not say which it reads",
                span,
                notes=[Note(f"the constant `{name}`", names.later_constants[name])],
                help="rename one of the two",
            )


def _supplied(name: str, kind: str, span: Span, findings: Findings) -> None:
    variable = CONTEXT_VARIABLES.get(name)
    meaning = "infinity" if variable is None else variable.meaning
    findings.report(
        "SQ203",
        f"`{name}` is supplied by the language ({meaning}); {kind} of that name would hide it",
        span,
        help=f"give {kind} another name",
    )


def suggestion(name: str, candidates: Candidates) -> tuple[str | None, tuple[Note, ...]]:
    """A help and notes that offer the nearest of `candidates`, where there is one."""
    near = nearest(name, candidates)
    if near is None:
        return None, ()
    note = candidates[near]
    return f"did you mean `{near}`?", () if note is None else (note,)
