"""How sessions arrive and what their turns ask for, in words. Depends on the IR and its words."""

from __future__ import annotations

from typing import Final, assert_never

from serq.ir.nodes import (
    Batch,
    Closed,
    NoArrivals,
    Observe,
    Poisson,
    Program,
    Renewal,
    Sessions,
    Set,
    Statement,
    TraceArrivals,
)
from serq.view.words import Words, number

_MOST_LINES: Final = 6


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
        case TraceArrivals():
            scale = "" if arrival.scale == 1.0 else f" scale ({number(arrival.scale)})"
            title = f"trace{scale}"
        case Sessions():
            title = f"{len(arrival.sessions):,} given sessions"
        case NoArrivals():
            return "no arrivals"
        case _:
            assert_never(arrival)
    return title if program.arrivals is None else f"{title}, {program.arrivals:,} in all"


def arrival_groups(program: Program, words: Words) -> list[tuple[str, list[str]]]:
    """What a session starts with, what each turn brings, and what the scheduler can not see."""
    groups: list[tuple[str, list[str]]] = []
    if program.trace is not None:
        timed = isinstance(program.arrival, TraceArrivals)
        order = "ordered" if program.trace_ordered or timed else "in random order"
        groups.append(("trace", [f"{program.trace}, {order}"]))
    for name, block in (("init", program.init), ("turn", program.turn)):
        lines = [workload_line(program, words, each) for each in program.blocks[block]]
        if len(lines) > _MOST_LINES:
            lines = [*lines[: _MOST_LINES - 1], f"and {len(lines) - _MOST_LINES + 1} more"]
        if lines:
            groups.append((name, lines))
    if program.hidden:
        names = ", ".join(words.attribute(slot) for slot in program.hidden)
        groups.append(("hidden", [names]))
    return groups


def workload_line(program: Program, words: Words, statement: Statement) -> str:
    """A statement of an `init` or `turn` block: these set and observe."""
    if isinstance(statement, Observe):
        name = program.observes[statement.observe]
        return f"observe {name} = {words.expression(statement.value)}"
    assert isinstance(statement, Set)
    return f"{words.attribute(statement.slot)} = {words.expression(statement.value)}"
