"""How sessions arrive and what their turns ask for, in words. Depends on the IR and its words."""

from __future__ import annotations

from typing import Final

from serq.ir.nodes import Batch, Closed, Observe, Poisson, Program, Renewal, Sessions, Set
from serq.view.words import Words, number

_MOST_LINES: Final = 8


def arrival_title(program: Program, words: Words) -> str:
    """The law of arrivals."""
    arrival = program.arrival
    match arrival:
        case Poisson():
            title = f"poisson ({number(arrival.rate)})"
        case Renewal():
            title = f"renewal {words.argument(arrival.gap)}"
        case Closed():
            title = f"closed ({arrival.count:,})"
        case Batch():
            title = f"batch ({arrival.count:,})"
        case Sessions():
            title = f"{len(arrival.sessions):,} given sessions"
        case _:
            return "no arrivals"
    return title if program.arrivals is None else f"{title}, {program.arrivals:,} in all"


def arrival_lines(program: Program, words: Words) -> list[str]:
    """What a session starts with, what each turn brings, and what the scheduler can not see."""
    lines: list[str] = []
    if program.trace is not None:
        lines.append(f"trace {program.trace}{' ordered' if program.trace_ordered else ''}")
    for name, block in (("init", program.init), ("turn", program.turn)):
        for statement in program.blocks[block]:
            if isinstance(statement, Set):
                value = words.expression(statement.value)
                lines.append(f"{name}: {words.attribute(statement.slot)} = {value}")
            elif isinstance(statement, Observe):
                lines.append(f"{name}: observe {program.observes[statement.observe]}")
    if program.hidden:
        lines.append("hidden: " + ", ".join(words.attribute(slot) for slot in program.hidden))
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"and {len(lines) - _MOST_LINES + 1} more"]
    return lines
