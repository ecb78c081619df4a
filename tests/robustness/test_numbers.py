"""Numbers that are none, infinite, negative, huge or tiny, wherever a program has a number: a
diagnostic or a report, and no run without end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

import serq
from tests.sandbox import Sandbox

SANDBOX = Sandbox()


@pytest.fixture(scope="module", autouse=True)
def closed_sandbox() -> Iterator[None]:
    yield
    SANDBOX.close()


PROGRAM = {
    "let": "1",
    "cap": "8",
    "block": "2",
    "servers": "2",
    "capacity": "1",
    "budget": "4",
    "cost": "1",
    "chunk": "2",
    "arrive": "poisson(0.5)",
    "units": "3",
    "reserve": "4",
    "reuse": "2",
    "cache": "3",
    "lease": "1",
    "grow": "1",
    "work": "2",
    "tokens": "3",
    "key": "size",
    "times": "2",
    "horizon": "20",
    "warmup": "1",
    "seed": "1",
}

TEXT = """let k = {let};
pool kv {{ cap {cap}; block {block}; evict by ({key}); preempt lifo; }}
stage line : fifo({servers});
stage shared : ps({capacity});
stage think : delay;
stage e : step {{ budget {budget}; cost {cost}; chunk {chunk}; memory kv; }}
workload {{ arrive {arrive}; }}
session {{
  turn;
  run shared ({work});
  hold kv ({units}) reserve ({reserve}) reuse ({reuse}) {{
    run line ({work});
    grow kv ({grow});
    run e prefill ({tokens}) growing kv;
  }} cache ({cache}) lease kv ({lease})
  run think (k);
  release kv;
  choose j in {times} by (j);
  observe chosen = j;
}}
run {{ horizon {horizon}; warmup {warmup}; seed {seed}; }}
"""

ODD = [
    "0 / 0",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e308 * 10",
    "1e-320",
    "1e300",
    "0.5",
    "inf - inf",
    "2^63",
]

NAN_REFUSED = {"let", "cap", "block", "servers", "horizon", "warmup", "seed"}
"""Constant positions: NaN in them does not link."""


def text(**changes: str) -> str:
    return TEXT.format(**{**PROGRAM, **changes})


def test_the_program_runs_as_it_is() -> None:
    assert SANDBOX.ask(text()) == "ran"


@pytest.mark.parametrize("place", [place for place in PROGRAM if place != "arrive"])
def test_odd_numbers(place: str) -> None:
    for number in ODD:
        answer = SANDBOX.ask(text(**{place: number}), seconds=20)
        assert answer.split()[0] in {"refused", "failed", "ran", "partial"}, (number, answer)
        if place in NAN_REFUSED and number in {"0 / 0", "inf - inf"}:
            assert answer.startswith("refused"), (number, answer)


ARRIVALS = ["poisson({})", "renewal({})", "renewal(~det({}))", "closed({})", "batch({})"]


@pytest.mark.parametrize("arrive", ARRIVALS)
def test_odd_arrivals(arrive: str) -> None:
    for number in ODD:
        answer = SANDBOX.ask(text(arrive=arrive.format(number)), seconds=20)
        allowed = {"refused", "failed"} | ({"ran", "partial"} if number not in BAD else set())
        assert answer.split()[0] in allowed, (number, answer)


BAD = {"0 / 0", "inf", "-inf", "-1", "inf - inf", "1e308 * 10"}
"""No rate, no gap, no count."""


# --- the same in an IR ------------------------------------------------------------------

FIELDS = [
    ("pools", 0, "cap"),
    ("pools", 0, "block"),
    ("stages", 0, "kind", "Fifo"),
    ("stages", 1, "kind", "Ps"),
    ("arrival", "Poisson"),
    ("horizon",),
    ("warmup",),
    ("seed",),
    ("slot_serial",),
    ("init",),
    ("version",),
]
VALUES: list[Any] = [
    None,
    "inf",
    "-inf",
    "nan",
    -1,
    0,
    1e308,
    1e-320,
    2**63,
    2**64,
    -(2**64),
    1.5,
    True,
    [],
    {},
]


@pytest.mark.parametrize("path", FIELDS, ids=lambda path: ".".join(map(str, path)))
def test_odd_numbers_in_an_ir(path: tuple[Any, ...]) -> None:
    program = json.loads(serq.compile(source=text()).to_json())
    for value in VALUES:
        data = deepcopy(program)
        here = data
        for key in path[:-1]:
            here = here[key]
        here[path[-1]] = value
        answer = SANDBOX.ask(json.dumps(data), "ir", seconds=20)
        assert answer.split()[0] in {"refused", "failed", "ran", "partial"}, (value, answer)


@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1E+400", "00", "1.", "0x1"]
)
def test_numbers_that_are_no_json(number: str) -> None:
    written = serq.compile(source=text()).to_json()
    for old in ('"cap": 8.0', '"horizon": 20.0', '"Num": 3.0'):
        assert old in written
        broken = written.replace(old, f"{old.split(':')[0]}: {number}", 1)
        answer = SANDBOX.ask(broken, "ir", seconds=20)
        assert answer.startswith("refused"), (number, old, answer)


@pytest.mark.parametrize("value", [None, "inf", 1e308, 10**400, "1", [1]])
def test_odd_numbers_in_presets(value: Any) -> None:
    data = json.loads(serq.compile(source=text()).to_json())
    for preset in (
        {"attrs": [[3, value]]},
        {"attrs": [], "turns": [[[3, value]]]},
        {"attrs": [[value, 1.0]]},
    ):
        data["arrival"] = {"Sessions": [preset]}
        answer = SANDBOX.ask(json.dumps(data), "ir", seconds=20)
        assert answer.split()[0] in {"refused", "failed", "ran"}, answer


def test_a_cycle_of_blocks_in_an_ir() -> None:
    data = json.loads(serq.compile(source=text()).to_json())
    for loop in ([{"Loop": 2}], [{"Loop": 3}], [{"Branch": [{"Num": 1.0}, 2, 2]}]):
        data["blocks"] = [[], [], loop, [{"Loop": 2}]]
        assert SANDBOX.ask(json.dumps(data), "ir").startswith("refused SQ507")
