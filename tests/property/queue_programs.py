"""A strategy for programs with queues that try the names: parameters, `self`, what entries set and
bind, moments, entries that call entries, families of any size, sources, arguments that are
expressions. How the stations wait and share is the business of the other strategies.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.property.drawing import Draw, arrivals, maybe, number, one_of


def index(draw: Draw, size: int, name: str) -> str:
    """A member of a family of `size`, nothing for a single queue."""
    if not size:
        return ""
    return f"[{one_of(draw, '0', str(size - 1), f'{name} - {size} * floor({name} / {size})')}]"


def value(draw: Draw, *names: str) -> str:
    """A small positive number of what may be read."""
    name = one_of(draw, *names)
    return one_of(
        draw,
        f"{number(draw, 1, 3)}",
        name,
        f"{name} + 1",
        f"max({name}, 2)",
        f"(max j in 2 (j + {name}))",
        f"({name} > 2 ? 1 : {name} + 1)",
        f"near({name})",
    )


def statements(draw: Draw, own: str, *names: str) -> str:
    """Statements of an entry's body, `own` a pool of its queue."""
    made = ["set known = known + 1; mark moment;"]
    for _ in range(number(draw, 0, 3)):
        v = value(draw, *names)
        made.append(
            one_of(
                draw,
                f"run ({v});",
                f"set known = {v};",
                "mark moment;",
                f"observe seen = {v};",
                f"observe state = used({own});",
                f"run wire[{one_of(draw, '0', '1')}] ({v});",
                f"branch ({v} > 2) {{ set known = known + 1; }} else {{ mark moment; }}",
                f"choose known in 2 by (used({own}) * known, -{v});",
                "timed(known);",
            )
        )
    return " ".join(made)


def header(draw: Draw, own: str, size: int, body: str) -> str:
    """A hold of the queue's pool around a body."""
    names = ("prompt", "self + 1") if size else ("prompt", "cc")
    units = value(draw, *names)
    bound = one_of(draw, "", f"at admission (need = {value(draw, *names)}) ")
    if bound:
        units = one_of(draw, "need", f"need + {units}", units)
        body = one_of(draw, body, f"observe bound = need; {body}")
    reserve = one_of(draw, "", f"reserve ({units}) ", "reserve (3) ")
    cache = one_of(draw, "", " cache (prompt)", " cache (h)")
    return f"hold {own} ({units}) {reserve}{bound}{{ {body} }}{cache}"


def prefill_queue(draw: Draw, size: int) -> str:
    """A queue that leases what a decode takes."""
    family = f"[{size}]" if size else ""
    names = ("prompt", "self + 1", "h", "known + 1") if size else ("prompt", "h", "known + 1")
    body = statements(draw, "kv", *names)
    held = header(draw, "kv", size, body)
    before = statements(draw, "kv", *names)
    called = one_of(draw, "", "codec.prefill (prompt + 1); ", "codec.prefill (near(h)); ")
    return (
        f"queue P{family} : prefill {{ pool kv {{ cap 30; }} serve {one_of(draw, 'fifo', 'delay')};"
        f" nic ps (3); prefill (prompt) {{ {called}{before} {held} lease kv (inf) }} }}"
    )


def decode_queue(draw: Draw, size: int, source: int) -> str:
    """A queue that reads, over the relation or over links, or only gives back."""
    family = f"[{size}]" if size else ""
    names = ("prompt", "self + 1", "h", "known + 1") if size else ("prompt", "h", "known + 1")
    moved = one_of(
        draw,
        "transfer (prompt) from src to kv (1); ",
        "transfer on pull[0] (prompt) from src to kv (1); ",
        "copy.transfer (prompt) from src to kv (1); ",
    )
    at_source = maybe(draw, "run wire[src - 2 * floor(src / 2)] (1); ") if source else ""
    body = at_source + moved + statements(draw, "kv", *names)
    held = header(draw, "kv", size, body)
    local = header(draw, "kv", size, statements(draw, "kv", *names))
    return (
        f"queue D{family} : decode {{ pool kv {{ cap 30; }} serve {one_of(draw, 'fifo', 'delay')};"
        f" nic ps (2); decode (prompt) {{ {local} }} decode (prompt) from src {{ {held} }} }}"
    )


def route(draw: Draw, prefills: int, decodes: int) -> str:
    """What a gateway does with a request."""
    i, j = index(draw, prefills, "serial"), index(draw, decodes, "k")
    choose = maybe(draw, f"choose k in 2 by (used(P{i}.kv) + k); ")
    prompt = one_of(draw, "n", "n + 1", "2", "near(n)")
    after = one_of(
        draw,
        "",
        "observe at = P.moment; ",
        "observe kept = P.known + D.known; ",
        "mark routed; observe from_gw = gw.routed; ",
    )
    local = maybe(draw, f"D{j}.decode ({prompt}); ")
    first = f"P{i}.prefill ({prompt}); {local}D{j}.decode ({prompt}) from P{i}; {after}"
    return f"{choose}{first}P{i}.prefill (1); E.decode (1) from P{i};"


@st.composite
def queue_programs(draw: Draw) -> str:
    """A whole program."""
    prefills, decodes = number(draw, 0, 3), number(draw, 0, 3)
    latency = one_of(draw, "", "latency 0.5 ", "latency cc / 4 ")
    wait = one_of(draw, "", " latency 0.25")
    share = one_of(draw, "maxmin", "bottleneck")
    gauge = "P[0].kv" if prefills else "P.kv"
    return "\n".join(
        (
            "let cc = 2;",
            "def near(x) = x + 1 - floor(x / 2);",
            "def timed(x) { run (1 + x / 4); }",
            "stage wire[2] : delay;",
            "queue codec : prefill { serve delay; prefill (n) { set known = n; run (known); } }",
            f"queue pull[1] : link {{ serve ps (4){wait}; }}",
            "queue copy : link { pool room { cap 1; } serve fifo;"
            " transfer (n) { hold room (1) { run (n / 2); } } }",
            prefill_queue(draw, prefills),
            decode_queue(draw, decodes, prefills),
            f"D pull P {latency}share {share};",
            # Whatever the entries do, this one reads, so that there is something to share.
            "queue E : decode { pool kv { cap 99; } nic ps (9); decode (n) { }"
            " decode (n) from src { hold kv (n) { transfer (n) from src to kv (1); } } }",
            f"E pull P share {share};",
            f"queue gw : gateway {{ serve delay; route {{ {route(draw, prefills, decodes)} }} }}",
            f"gauge held = used({gauge});",
            f"workload {{ arrive {arrivals(draw)}; hidden h;"
            " init { set h = 2; set n = 2; set k = 0; }"
            " session { request gw; request gw; end; } }",
            f"run {{ horizon 40; seed {number(draw, 0, 9)}; }}",
        )
    )
