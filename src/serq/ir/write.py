"""A program as the text of its JSON, version 10, byte for byte as such files are written.

Depends on `serq.ir.program_json` and `serq.ir.json_text`.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq.ir import json_text
from serq.ir.nodes import Program
from serq.ir.program_json import PROGRAM


def write_json(program: Program) -> str:
    """Pretty JSON of the program, without a final newline; `read_json` reads it back."""
    return "".join(json_chunks(program))


def json_chunks(program: Program) -> Iterator[str]:
    """The same in pieces, for a program whose JSON is larger than the memory should be."""
    return json_text.chunks(PROGRAM.encode(program))
