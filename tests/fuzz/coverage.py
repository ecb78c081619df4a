"""What a program met when it ran: how much of the language a hunt has seen at work."""

from __future__ import annotations

from collections.abc import Iterator

from serq.ir import nodes as ir
from tests.fuzz.answers import Answer


def met(answer: Answer) -> Iterator[str]:
    """What happened in the run, and which constructs the program has."""
    if answer.outcome == "failed":
        yield from answer.codes
    if answer.program is None:
        return
    yield from constructs(answer.program)
    if answer.outcome != "ran":
        return
    pools, stages = answer.report["pools"], answer.report["stages"]
    for word, counter in (
        ("preempting", "preemptions"),
        ("evicting", "evicted_entries"),
        ("spilling", "spills"),
        ("rejecting", "rejected"),
        ("stuck", "stuck"),
        ("queueing", "mean_queue"),
        ("caching", "mean_cached"),
    ):
        if any(pool[counter] for pool in pools):
            yield word
    if any(stage["mixed"] for stage in stages):
        yield "mixed iterations"
    if sum(1 for stage in stages if stage["iterations"]) > 1:
        yield "several engines"
    if any("taken as 0" in note for note in answer.exact[2]):
        yield "amounts taken as 0"
    if answer.report["events"] > 100:
        yield "over 100 events"


def constructs(program: ir.Program) -> Iterator[str]:
    """Constructs by the name of what they do."""
    statements = [statement for block in program.blocks for statement in block]
    runs = [each for each in statements if isinstance(each, ir.Run)]
    holds = [each for each in statements if isinstance(each, ir.Hold)]
    steps = [each.kind for each in program.stages if isinstance(each.kind, ir.Step)]
    present = {
        "leasing": any(hold.lease is not None for hold in holds),
        "reserving": any(part.reserve is not None for hold in holds for part in hold.pools),
        "reusing": any(hold.reuse is not None for hold in holds),
        "loading": any(isinstance(each, ir.Load) for each in statements),
        "releasing": any(isinstance(each, ir.Release) for each in statements),
        "growing": any(run.growing is not None for run in runs)
        or any(isinstance(each, ir.Grow) for each in statements),
        "choosing": any(isinstance(each, ir.Choose) for each in statements),
        "flows": any(run.also for run in runs),
        "gauges": bool(program.gauges),
        "a trace": program.trace is not None,
        "exclusive prefill": any(isinstance(kind.serve, ir.ExclusivePrefill) for kind in steps),
        "serve by": any(isinstance(k.serve, ir.ServeBy) and k.serve.keys for k in steps),
        "queue by": any(pool.queue is not None for pool in program.pools),
        "evict by": any(pool.evict is not None for pool in program.pools),
        "admit via": any(pool.admit_via is not None for pool in program.pools),
        "an arrival limit": program.arrivals is not None,
        "hidden attributes": bool(program.hidden),
    }
    return (word for word, there in present.items() if there)
