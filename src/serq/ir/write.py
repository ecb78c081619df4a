"""A program as the text of its JSON, version 10, byte for byte as such files are written.

Depends on `serq.ir.program_json` and `serq.ir.json_text`.
"""

from __future__ import annotations

from serq.ir import json_text
from serq.ir.nodes import Program
from serq.ir.program_json import PROGRAM


def write_json(program: Program) -> str:
    """Pretty JSON of the program, without a final newline; `read_json` reads it back."""
    return json_text.write(PROGRAM.encode(program))
