"""What the checks of a finished IR find: places where they are known, else the part's name.

Depends on the nodes, spans and diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import field

from serq.diagnostics import Diagnostic, Note
from serq.ir.nodes import Program
from serq.ir.spans import Path, SpanTable
from serq.records import Draft
from serq.vocabulary.moments import Moment


class Checks(Draft):
    """A program being checked. `refused` holds the paths of parts that were refused before, and
    of nodes of expressions, the expression's path and the node's number.
    """

    program: Program
    spans: SpanTable | None
    name: str | None
    refused: AbstractSet[Path] = frozenset()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    checked: set[tuple[int, Moment]] = field(default_factory=set)
    """Expressions that were checked: the members of an array share theirs."""
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    def report(
        self,
        code: str,
        message: str,
        path: Path,
        *,
        node: int | None = None,
        help: str | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        """Record an error in the part at `path`, or of one node of the expression there."""
        if (path if node is None else (*path, node)) in self.refused:
            return
        span = None if self.spans is None else self.spans.find(path, node or 0)
        key: tuple[object, ...] = (code, message, self._family(path))
        if span is not None:
            key = (code, id(span.source), span.start, span.end, message)
        if key in self._seen:
            return
        self._seen.add(key)
        if span is None:
            subject = self.subject(path)
            message = f"{subject}: {message}" if subject else message
        self.diagnostics.append(
            Diagnostic(
                code,
                message,
                span,
                notes=tuple(notes),
                help=help,
                file=None if span is not None else self.name,
            )
        )

    def note(self, text: str, path: Path) -> list[Note]:
        """A note on another part, when its place is known."""
        span = None if self.spans is None else self.spans.find(path)
        return [] if span is None else [Note(text, span)]

    def _family(self, path: Path) -> object:
        """What stands for a part without a place: an array for each of its members."""
        if path[0] == "pools" and isinstance(path[1], int):
            return ("pools", self.program.pools[path[1]].name)
        if path[0] == "stages" and isinstance(path[1], int):
            return ("stages", self.program.stages[path[1]].name)
        return path

    def subject(self, path: Path) -> str:
        """The part of the program a path lies in, in words."""
        program = self.program
        match path:
            case ("pools", int(i), *_):
                return f"pool `{program.pools[i].label}`"
            case ("stages", int(i), *_):
                return f"stage `{program.stages[i].label}`"
            case ("gauges", int(i), *_):
                return f"gauge `{program.gauges[i].name}`"
            case ("blocks", int(block), int(statement), *_):
                roots = {program.init: "init", program.turn: "turn", program.session: "session"}
                where = f"`{roots[block]}`" if block in roots else f"block {block}"
                return f"{where}, statement {statement + 1}"
            case ("horizon" | "warmup" | "seed" | "arrivals",):
                return "run"
            case (str(part), *_):
                return part
            case _:
                return ""

    def attribute(self, slot: int) -> str:
        """The name of the attribute in a slot."""
        attributes = self.program.attributes
        return attributes[slot] if 0 <= slot < len(attributes) else f"slot {slot}"
