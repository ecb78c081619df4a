"""What a reader of a report should know that its numbers do not show.

A test that never held, sessions that preempt themselves without progress, amounts that were
negative or no number and were taken as 0, sessions a pool rejected (contract §3, *Statistics*); a
trace that was replayed in part, or was over long before the end.
Depends on the IR, for what an observation observes and where it was written.
"""

from __future__ import annotations

from serq.diagnostics import Diagnostic, Severity
from serq.ir.nodes import Binary, Expression, Observe, Program, Unary
from serq.ir.spans import Path, SpanTable
from serq.report.columns import column
from serq.report.measurements import Measurements, ObserveMeasurements
from serq.report.rows import label
from serq.vocabulary.operators import NOT, TESTS

LEAST_SAMPLES = 40
LONG_TAIL = 0.1
"""The share of the measured time without arrivals that is noted, after the end of a trace."""


def find_notes(
    measured: Measurements, program: Program, spans: SpanTable | None
) -> list[Diagnostic]:
    """SQ801 to SQ806, in that order, each in the order of the report."""
    return [
        *_tests_that_never_held(measured, program, spans),
        *_stuck_pools(measured),
        *_zeroed_amounts(measured, spans),
        *_rejecting_pools(measured, spans),
        *_trace_and_horizon(measured, program, spans),
    ]


def is_test(expression: Expression) -> bool:
    """Whether the outermost operator makes a 0 or a 1."""
    match expression:
        case Binary(operator, _, _):
            return operator in TESTS
        case Unary(operator, _):
            return operator == NOT
        case _:
            return False


def observed_tests(program: Program) -> dict[int, Path]:
    """The observations every `observe` of which is of a test, so that their samples are 0 or 1,
    and where the first one stands.
    """
    tests: dict[int, Path] = {}
    others: set[int] = set()
    for block_id, block in enumerate(program.blocks):
        for at, statement in enumerate(block):
            if not isinstance(statement, Observe):
                continue
            if is_test(statement.value):
                tests.setdefault(statement.observe, ("blocks", block_id, at))
            else:
                others.add(statement.observe)
    return {number: place for number, place in tests.items() if number not in others}


def _tests_that_never_held(
    measured: Measurements, program: Program, spans: SpanTable | None
) -> list[Diagnostic]:
    tests = observed_tests(program)
    found: list[Diagnostic] = []
    for number, observe in enumerate(measured.observes):
        count, all_zero = _count_and_zero(observe)
        if number in tests and count >= LEAST_SAMPLES and all_zero:
            message = f"observe {observe.name} is constant 0 over {count} samples"
            span = spans.find(tests[number]) if spans is not None else None
            found.append(Diagnostic("SQ801", message, span, severity=Severity.NOTE))
    return found


def _count_and_zero(observe: ObserveMeasurements) -> tuple[int, bool]:
    """How many records there are, and whether all are 0."""
    if observe.summary is not None:
        return observe.summary.count, observe.summary.all_zero
    return len(observe.samples), all(value == 0 for value in observe.samples)


def _stuck_pools(measured: Measurements) -> list[Diagnostic]:
    counts = column(measured.pools, "stuck")
    stuck = [measured.pools[number] for number, count in enumerate(counts) if count > 0]
    return [
        Diagnostic(
            "SQ802",
            f"{pool.stuck} session{'s' * (pool.stuck != 1)} preempted again at pool"
            f" {label(pool.name, pool.index)} without having advanced",
            severity=Severity.WARNING,
            help="the hold fits when admitted and can never grow to what its body needs: "
            "`reserve` what it will need, or enlarge the pool",
        )
        for pool in stuck
    ]


def _zeroed_amounts(measured: Measurements, spans: SpanTable | None) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for zeroed in measured.zeroed:
        span = spans.find(zeroed.path) if spans is not None else None
        amounts = (
            "a negative or NaN amount was"
            if zeroed.count == 1
            else (f"{zeroed.count} negative or NaN amounts were")
        )
        found.append(
            Diagnostic(
                "SQ803",
                f"{amounts} taken as 0",
                span,
                severity=Severity.NOTE,
                file=None if span is not None else _place_in_ir(zeroed.path),
            )
        )
    return found


def _rejecting_pools(measured: Measurements, spans: SpanTable | None) -> list[Diagnostic]:
    """One note a declared pool: the members of a family are counted together."""
    counts = column(measured.pools, "rejected")
    if not any(counts):
        return []
    rejected: dict[str, int] = {}
    declared: dict[str, int] = {}
    for number, (name, count) in enumerate(
        zip(column(measured.pools, "name"), counts, strict=True)
    ):
        declared.setdefault(name, number)
        rejected[name] = rejected.get(name, 0) + count
    return [
        Diagnostic(
            "SQ804",
            f"{count} session{'s' * (count != 1)} rejected at pool {name}: a hold asked for more"
            " than its cap, which can never be given",
            spans.find(("pools", declared[name])) if spans is not None else None,
            severity=Severity.WARNING,
            help="a rejected session ends there and is missing from what is observed after its "
            "hold; enlarge `cap`, or ask for less",
        )
        for name, count in rejected.items()
        if count > 0
    ]


def _trace_and_horizon(
    measured: Measurements, program: Program, spans: SpanTable | None
) -> list[Diagnostic]:
    """How the horizon and the end of a trace that arrives at its own times lie to each other."""
    trace = measured.replayed
    if trace is None or program.arrivals is not None or measured.partial:
        return []
    span = spans.find(("arrival",)) if spans is not None else None
    if measured.arrivals < trace.sessions:
        message = (
            f"{measured.arrivals} of the trace's {trace.sessions} sessions arrived by the horizon; "
            f"the last one arrives at {trace.last_arrival:.12g}"
        )
        return [Diagnostic("SQ805", message, span, severity=Severity.NOTE)]
    if measured.end - trace.last_arrival > LONG_TAIL * (measured.end - measured.warmup):
        message = (
            f"the trace's last session arrived at {trace.last_arrival:.12g}, and the averages go "
            f"on to {measured.end:.12g}"
        )
        help = f"`arrivals {trace.sessions};` in `run` ends it when all sessions have left"
        return [Diagnostic("SQ806", message, span, severity=Severity.NOTE, help=help)]
    return []


def _place_in_ir(path: Path) -> str:
    """What a place is called where there is no text."""
    from serq.ir.shapes import show_path

    return f"`{show_path(path)}` of the IR"
