"""A compiled program: its IR, where its parts were written, where its trace is looked for.

Depends on the IR.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from serq.diagnostics import Diagnostic, SerqError
from serq.ir import nodes
from serq.ir.spans import SpanTable


class Program:
    """A compiled program.

    `ir` is the program as data, `name` what a reader knows it by, `spans` the places of its
    parts in the text (None when it came from an IR), `warnings` what was found that refuses
    nothing. A relative trace is read against `folder` (the program file's; None is the current
    directory).
    """

    def __init__(
        self,
        ir: nodes.Program,
        *,
        name: str = "<program>",
        spans: SpanTable | None = None,
        folder: Path | None = None,
        warnings: Sequence[Diagnostic] = (),
    ) -> None:
        self.ir = ir
        self.name = name
        self.spans = spans
        self.folder = folder
        self.warnings = tuple(warnings)

    @staticmethod
    def from_json(text: str, *, name: str = "<ir>") -> Program:
        """An IR read from its JSON. Raises `SerqError` (SQ1, SQ4, SQ5) when it is none.

        A relative trace in it is read against the current directory.
        """
        from serq.ir.read import read_json

        result = read_json(text, name)
        if result.program is None:
            raise SerqError(result.diagnostics)
        return Program(result.program, name=name, warnings=result.diagnostics)

    def to_json(self) -> str:
        """The IR as JSON, as `serq ir` prints it, without a final line break."""
        from serq.ir.write import write_json

        return write_json(self.ir)

    def write(self, path: str | PathLike[str]) -> None:
        """Write the IR's JSON to a file. Raises `OSError` when that can not be done."""
        from serq.ir.write import json_chunks

        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(json_chunks(self.ir))
            file.write("\n")

    def trace_path(self) -> Path | None:
        """Where the trace is read from; None without a trace."""
        if self.ir.trace is None:
            return None
        return Path(self.ir.trace) if self.folder is None else self.folder / self.ir.trace

    def _repr_svg_(self) -> str:
        """The deployment's figure, for a notebook."""
        from serq.api.draw import draw

        return draw(self)

    def summary(self) -> str:
        """How large the program is, in one line."""
        return (
            f"{len(self.ir.pools)} pool(s), {len(self.ir.stages)} stage(s), "
            f"{len(self.ir.attributes)} attribute(s), {len(self.ir.blocks)} block(s)"
        )

    def __repr__(self) -> str:
        return f"Program({self.name!r}: {self.summary()})"
