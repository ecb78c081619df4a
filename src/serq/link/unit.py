"""One program being linked: its names, what was found wrong, and the IR so far.

Depends on the findings, names and the IR's spans.
"""

from __future__ import annotations

from dataclasses import field

from serq.diagnostics import Span
from serq.ir import nodes as ir
from serq.ir.spans import Path, SpanTable
from serq.link.findings import Findings
from serq.link.names import Names
from serq.records import Draft


class Unit(Draft):
    """What one pass over a program knows.

    `refused` holds the paths of IR parts whose text was refused, and those of single nodes of an
    expression (the expression's path and the node's number): the checks of the finished IR pass
    over them, so that one mistake makes one diagnostic. `terms` counts the terms of the
    program's aggregates, `written_out` the nodes that they and header bindings have.
    """

    findings: Findings
    names: Names = field(default_factory=Names)
    spans: SpanTable = field(default_factory=SpanTable)
    refused: set[Path] = field(default_factory=set)
    blocks: list[ir.Block] = field(default_factory=list)
    block_sizes: dict[str, float | None] = field(default_factory=dict)
    """What `blocksize` gives by pool: None after an error; a pool without blocks has no entry."""
    terms: int = 0
    written_out: int = 0

    def at(self, path: Path, span: Span) -> None:
        """Record where the part of the IR at `path` was written."""
        self.spans.add(path, self.findings.place(span))
