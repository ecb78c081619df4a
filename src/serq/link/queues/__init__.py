"""Queues to what they stand for: entries in the place of their calls, reads as runs over NICs
(contract §2, *Queues*). The rest of the linker, and the IR, know of no queue.
"""

from __future__ import annotations

from serq.link import tree
from serq.link.unit import Unit
from serq.syntax import ast


def lower(unit: Unit, program: ast.Program) -> ast.Program:
    """The program without queues; what is wrong with them is in the unit's findings.

    A program that has none is left as it is, and what lowers them not loaded.
    """
    if not program.queues and not _has_sugar(program):
        return program
    from serq.link.queues.lowering import lowered

    return lowered(unit, program)


def _has_sugar(program: ast.Program) -> bool:
    """Whether a program without queues has something to lower, or to refuse."""
    return any(
        isinstance(statement, ast.Transfer | ast.EntryCall)
        or (isinstance(statement, ast.Request) and statement.gateway is not None)
        for block in (program.session, program.server)
        if block is not None
        for statement in tree.statements(block)
    )
