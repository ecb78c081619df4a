"""Lints: programs that are well formed and almost certainly not what was meant (contract §3,
*Lints*; *Pools* for `cached` and `reuse`).

Each is an error, and is asked of a program from text alone: an IR that a tool wrote runs as it
is. Depends on the walk, `serq.vocabulary` and the report.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import NamedTuple

from serq.diagnostics import Diagnostic
from serq.ir.nodes import Attribute, Branch, Call, Hold, Number, Program, Set, Statement
from serq.ir.spans import Path, SpanTable
from serq.ir.validate_report import Checks
from serq.ir.validate_scopes import MOST_ENTRIES
from serq.ir.walk import Part, expressions, nested_blocks, nodes
from serq.records import Draft
from serq.vocabulary.functions import FUNCTIONS


def lint(
    program: Program,
    spans: SpanTable | None = None,
    name: str | None = None,
    refused: AbstractSet[Path] = frozenset(),
) -> list[Diagnostic]:
    """What the lints find in a program whose blocks do not recurse; `refused` parts are passed
    over.
    """
    checks = Checks(program, spans, name, refused)
    _Lints(checks).follow(program.session)
    return checks.diagnostics


class Stale(NamedTuple):
    """An attribute that was set from live state: the function it read, and where."""

    function: str
    path: Path


class _Frame(Draft):
    """A block being followed: the hold around it, and what leaving it puts back."""

    block: int
    hold: Hold | None
    position: int = 0
    undo: list[tuple[int, Stale | None]] = field(default_factory=list)
    outside: dict[int, Stale] | None = None


class _Lints(Draft):
    """The session followed block by block. `stale` holds what the block at hand knows to have
    been set from live state; what a branch or loop sets is forgotten behind it.
    """

    checks: Checks
    stale: dict[int, Stale] = field(default_factory=dict)
    frames: list[_Frame] = field(default_factory=list)

    def follow(self, session: int) -> None:
        """Look at every statement the session runs."""
        blocks = self.checks.program.blocks
        self.frames.append(_Frame(session, None))
        entries = 1
        while self.frames and entries <= MOST_ENTRIES:
            frame = self.frames[-1]
            if frame.position == len(blocks[frame.block]):
                self._leave(self.frames.pop())
                continue
            statement = blocks[frame.block][frame.position]
            path: Path = ("blocks", frame.block, frame.position)
            frame.position += 1
            self._look(statement, path, frame)
            inner = nested_blocks(statement)
            entries += len(inner)
            for block in reversed(inner):
                self.frames.append(self._enter(statement, block, frame))

    def _enter(self, statement: Statement, block: int, frame: _Frame) -> _Frame:
        """A nested block: a hold's body starts afresh, other blocks go on from here."""
        if not isinstance(statement, Hold):
            return _Frame(block, frame.hold)
        entered = _Frame(block, statement, outside=self.stale)
        self.stale = {}
        return entered

    def _leave(self, frame: _Frame) -> None:
        for slot, before in reversed(frame.undo):
            if before is None:
                self.stale.pop(slot, None)
            else:
                self.stale[slot] = before
        if frame.outside is not None:
            self.stale = frame.outside

    def _look(self, statement: Statement, path: Path, frame: _Frame) -> None:
        parts = expressions(statement)
        if frame.hold is not None and frame.hold.cache is None:
            for part in parts:
                self._check_cached(part, path)
        match statement:
            case Set():
                self._set(statement, path, frame)
            case Hold():
                self._check_header(parts, path)
                if statement.reuse is not None and statement.cache is None:
                    self.checks.report(
                        "SQ421",
                        "`reuse` bounds the cached prefix a hold consumes, and a hold without "
                        "`cache` consumes none",
                        (*path, "reuse"),
                        help="add `cache (…)`; `cache (0)` consumes the prefix and keeps nothing",
                    )
            case Branch():
                self._check_guard(statement, path)
            case _:
                pass

    def _set(self, statement: Set, path: Path, frame: _Frame) -> None:
        slot = statement.slot
        frame.undo.append((slot, self.stale.get(slot)))
        function = _live_function(statement)
        if function is None:
            self.stale.pop(slot, None)
        else:
            self.stale[slot] = Stale(function, path)

    def _check_header(self, parts: tuple[Part, ...], path: Path) -> None:
        """No header and no cache clause reads what was set from live state."""
        reported: set[int] = set()
        for part in parts:
            if part.path[0] == "lease":
                continue
            for number, node in enumerate(nodes(part.expression)):
                if not isinstance(node, Attribute) or node.slot in reported:
                    continue
                stale = self.stale.get(node.slot)
                if stale is not None:
                    reported.add(node.slot)
                    self._report_stale(node.slot, stale, (*path, *part.path), number)

    def _report_stale(self, slot: int, stale: Stale, path: Path, number: int) -> None:
        name = self.checks.attribute(slot)
        self.checks.report(
            "SQ303",
            f"`{name}` holds what `{stale.function}` was when the session got to the `set`; by "
            "the admission it may be another",
            path,
            node=number,
            notes=self.checks.note(f"`{name}` is set here", stale.path),
            help=f"read it at the admission: `at admission ({name} = …)`",
        )

    def _check_cached(self, part: Part, path: Path) -> None:
        """`cached` is not read in a hold that consumes no prefix."""
        slot = self.checks.program.slots.cached
        for number, node in enumerate(nodes(part.expression)):
            if isinstance(node, Attribute) and node.slot == slot:
                self.checks.report(
                    "SQ305",
                    "`cached` is 0 in a hold without `cache`, which consumes no prefix",
                    (*path, *part.path),
                    node=number,
                    help="add `cache (…)` to the hold; `cache (0)` keeps nothing",
                )

    def _check_guard(self, branch: Branch, path: Path) -> None:
        """A constant guard is 0 or 1."""
        if not isinstance(branch.test, Number) or branch.test.value in (0.0, 1.0):
            return
        value = f"{branch.test.value:.12g}"
        fraction = 0.0 < branch.test.value < 1.0
        help = f"a draw is written `branch with ({value})`" if fraction else "write a comparison"
        message = f"the guard is {value}; a guard is a test, which is 0 or 1"
        self.checks.report("SQ408", message, (*path, "test"), help=help)


def _live_function(statement: Set) -> str | None:
    """The first function of live state that a set reads."""
    for node in nodes(statement.value):
        if isinstance(node, Call):
            function = FUNCTIONS.get(node.function)
            if function is not None and function.live:
                return node.function
    return None
