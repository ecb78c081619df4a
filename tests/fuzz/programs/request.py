"""A serving engine's request: admission, prefill, decode and release, in one of many shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.programs.deployment import Pool, Stage
from tests.fuzz.programs.scope import Held, Scope

if TYPE_CHECKING:
    from tests.fuzz.programs.statements import Session


def write_request(session: Session, scope: Scope, stage: Stage) -> str:
    """A hold of slots and memory around a prefill and a decode on `stage`."""
    chance, deployment = session.chance, session.deployment
    memory = deployment.pool(stage.memory)
    slots = [p for p in deployment.used_as("slots") if p.engine == stage.name]
    engine, kv = session.reference(stage), session.reference(memory)
    prompt = prompt_of(session, memory)
    reads_cache = chance.often(0.75)
    binding, units, reserve, known = header(session, engine, kv, prompt, reads_cache)
    parts = [f"{kv} ({units}){reserve}"]
    held = [Held(kv, memory, "")]
    around = {h.pool.name for h in scope.held}
    if slots and slots[0].name not in around and chance.often(0.85):
        reference = session.reference(slots[0])
        parts.insert(0, f"{reference} (1)")
        held.insert(0, Held(reference, slots[0], "1"))
        if chance.often(0.2):
            parts.reverse()
    growing = f" growing {kv}" if chance.often(0.9) else ""
    hit = f"min(cached, {known} - 1)" if reads_cache else "0"
    inner = Scope((*scope.held, *held), reads_cache, True, scope.depth + 1)
    between = session.block(inner, chance.pick(0, 0, 0, 1, 2))
    prefill = session.serve(stage, engine, "prefill", f"({known} - c){growing};")
    length = decode_length(session, prompt, known)
    decode = session.serve(stage, engine, "decode", f"({length}){growing};")
    kept = chance.pick(f"{known}", "K + n + o", "n", f"({prompt}) + o - 1", "0")
    cache = f" cache ({kept})" if reads_cache else ""
    reuse = chance.maybe(f" reuse ({chance.pick('4', 'n', '0', 'K', 'n - 1')})", 0.3 * reads_cache)
    lease = session.lease([h for h in held if h.pool is memory])
    return (
        f"hold {', '.join(parts)}{reuse}{binding} {{\n"
        f"set c = {hit};\n{chance.maybe('observe wait = now - t0;')}\n"
        f"{prefill}\n"
        f"observe ttft = now - t0;\n{between}\n"
        f"{decode}\n}}{cache}{lease}"
    )


def prompt_of(session: Session, memory: Pool) -> str:
    """How long the prompt is: mostly it fits, with room to spare or without."""
    chance, cap = session.chance, memory.cap
    fits = [f"min(K + n, {max(cap // 2, 1)})", f"min(K + n, {max(cap - 6, 1)})", f"min(n, {cap})"]
    return chance.pick(*fits, *fits, "K + n" if not session.deployment.closed else "min(n, 3)")


def header(
    session: Session, engine: str, kv: str, prompt: str, reads_cache: bool
) -> tuple[str, str, str, str]:
    """The `at admission` clause, the units, the reserve, and the name of the known tokens."""
    chance = session.chance
    again = f"known = (computed < {prompt} ? {prompt} : computed + 1)"
    bound = again if chance.often(0.6) else f"known = {prompt}"
    hit = f"min(cachedin({kv}), known - 1)" if reads_cache else "0"
    units = chance.pick(
        f"min(known, hit + budget_left({engine}))",
        f"min(known, hit + budget_left({engine}))",
        "min(known, 3)", "known", "1", "hit", "known / 2",
    )  # fmt: skip
    reserve = chance.pick("", "", " reserve (known)", " reserve (known + 1)", " reserve (hit + 1)")
    return f" at admission ({bound}, hit = {hit})", units, reserve, "known"


def decode_length(session: Session, prompt: str, known: str) -> str:
    """How many tokens are decoded: the rest of the answer, or all of it."""
    rest = f"o - 1 - ({known} - ({prompt}))"
    return session.chance.pick("o - 1", rest, rest, "o", "min(o, 4)", "0")
