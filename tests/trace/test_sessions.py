"""Which requests of a log are turns of one session, and that nothing of their load is lost."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import serq
from tests.trace.importing import HEADER, imported

QUICK = settings(max_examples=60, derandomize=True, deadline=None, database=None)


def request(time: int, prompt: int, answer: int, ids: list[int]) -> str:
    record = {
        "timestamp": time,
        "input_length": prompt,
        "output_length": answer,
        "hash_ids": ids,
    }
    return json.dumps(record) + "\n"


def test_a_prompt_that_contains_the_conversation_is_its_next_turn() -> None:
    # 1000 tokens are one full block and a part of one; the next prompt begins with the full one
    text = request(0, 1100, 50, [0, 1, 2]) + request(3000, 1700, 20, [0, 1, 3, 4])
    rows, done = imported("mooncake", text)
    assert rows == ["0,0,1100,50,0,0,0", "0,1,550,20,3,0,0"]
    assert done.reuse.repeated == 2 * 512
    assert done.reuse.kept == 1150


def test_a_common_system_prompt_says_nothing() -> None:
    # block 0 is everybody's: the third request begins with it as the first two do
    text = "".join(request(t, 1300 + 700 * t, 5, [0, 10 * t + 1, 10 * t + 2]) for t in range(3))
    assert imported("mooncake", text)[1].sessions == 3


def test_a_prompt_without_the_answer_starts_a_session() -> None:
    text = request(0, 1100, 50, [0, 1, 2]) + request(3000, 1120, 20, [0, 1, 3])
    assert imported("mooncake", text)[1].sessions == 2


def test_nobody_goes_on_at_the_instant_of_the_turn_before() -> None:
    text = request(0, 1100, 50, [0, 1, 2]) + request(0, 1700, 20, [0, 1, 3, 4])
    assert imported("mooncake", text)[1].sessions == 2


def test_a_branch_of_a_conversation_is_a_session_of_its_own() -> None:
    text = (
        request(0, 1100, 50, [0, 1, 2])
        + request(1000, 1700, 20, [0, 1, 3, 4])
        + request(2000, 1800, 20, [0, 1, 5, 6])  # another way to go on from the first turn
        + request(3000, 2400, 20, [0, 1, 3, 7, 8])  # and the first way goes on
    )
    rows, _ = imported("mooncake", text)
    assert [tuple(row.split(",")[:2]) for row in rows] == [
        ("0", "0"), ("0", "1"), ("0", "2"), ("1", "0"),
    ]  # fmt: skip


def test_sessions_need_the_order_of_time() -> None:
    from tests.trace.importing import refused

    text = request(5, 600, 5, [0, 1]) + request(4, 600, 5, [2, 3])
    assert "earlier than the one before" in refused("mooncake", text).message
    assert imported("mooncake", text.replace('"timestamp": 4', '"timestamp": 6'))[1].sessions == 2


@st.composite
def logs(draw: st.DrawFn) -> list[tuple[int, int, int, list[int]]]:
    """Requests of a few conversations whose prompts grow, fork and start over."""
    time, fresh = 0, 0
    found: list[tuple[int, int, int, list[int]]] = []
    for _ in range(draw(st.integers(1, 25))):
        time += draw(st.integers(0, 3000))
        answer = draw(st.integers(1, 700))
        base = draw(st.sampled_from([None, *found])) if found else None
        kept = 0 if base is None else draw(st.integers(0, base[1] // 512))
        ids = [] if base is None else base[3][:kept]
        grown = 0 if base is None or not draw(st.booleans()) else base[1] + base[2]
        prompt = max(512 * kept, grown) + draw(st.integers(1, 1500))
        while len(ids) < -(-prompt // 512):
            fresh += 1
            ids = [*ids, fresh]
        found.append((time, prompt, answer, ids))
    return found


@QUICK
@given(logs())
def test_every_request_keeps_its_prompt_and_its_answer(
    requests: list[tuple[int, int, int, list[int]]],
) -> None:
    rows, done = imported("mooncake", "".join(request(*each) for each in requests))
    assert done.requests == len(requests)
    context: dict[str, int] = {}
    arrivals: dict[str, float] = {}
    replayed: list[tuple[int, int, int]] = []
    for row in rows:
        session, turn, new, out, think, _, arrival = row.split(",")
        prompt = int(new) + (context[session] if int(turn) else 0)
        sent = float(arrivals[session]) + float(think) if int(turn) else float(arrival)
        arrivals[session] = sent
        assert int(new) >= 1
        context[session] = prompt + int(out)
        replayed.append((round(1000 * sent), prompt, int(out)))
    origin = requests[0][0]
    # sent at the recorded time, since think is the gap between sends here
    assert Counter(replayed) == Counter((t - origin, p, a) for t, p, a, _ in requests)


@QUICK
@given(
    st.lists(st.integers(0, 10**10), min_size=1, max_size=30).map(sorted),
    st.integers(0, 59),
)
def test_an_imported_azure_log_is_replayed_at_its_own_times(ticks: list[int], second: int) -> None:
    lines = ["TIMESTAMP,ContextTokens,GeneratedTokens"]
    for tick in ticks:
        whole, rest = divmod(tick + second * 10**7, 10**7)
        hours, minutes, seconds = whole // 3600, whole // 60 % 60, whole % 60
        lines.append(f"2023-11-16 {hours:02d}:{minutes:02d}:{seconds:02d}.{rest:07d},10,2")
    rows, _ = imported("azure", "\n".join(lines) + "\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
        source = f'workload {{ arrive trace; trace "{path}"; }}'
        source += " session { turn; observe at = now; end; } run { horizon 1e9; }"
        report = serq.run(serq.compile(source=source))
    # the difference of two ticks of 100 ns, correctly rounded
    assert report.observes["at"].samples.tolist() == [(tick - ticks[0]) / 10**7 for tick in ticks]
