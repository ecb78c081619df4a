"""The README: what it reads out of reports is in them, and its tables are those of other pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import serq
from serq.trace.read import read_trace
from serq.trace.session import TimedSession
from tests.docs.pages import Page, read


@pytest.fixture(scope="module")
def readme(repository: Path) -> Page:
    return read(repository / "README.md")


def in_one_line(page: Page, heading: str) -> str:
    return " ".join(page.section(heading).split())


def test_what_it_reads_out_of_the_report(readme: Page, repository: Path) -> None:
    cap = 20000
    source = (repository / "examples" / "first.sq").read_text(encoding="utf-8")
    report = serq.run(serq.compile(source=source))
    ttft, engine = report.observes["ttft"], report.stages_named("engine")[0]
    (slots,), (kv,) = report.pools_named("slots"), report.pools_named("kv")
    less = serq.run(serq.compile(source=source.replace(f"cap {cap}", "cap 8000")))
    later = less.observes["ttft"]
    assert slots.preemptions == kv.preemptions == 0
    text = in_one_line(readme, "A program, and its report")
    for said in (
        f"time to first token is {1000 * ttft.mean:.0f} ms, 99 % of the requests had theirs "
        f"within {ttft.p99:.2f} s",
        f"running {100 * engine.utilization:.0f} % of the time (`util`) with "
        f"{engine.mean_number:.1f} requests on it (`number`), and ran "
        f"{engine.iterations:,} iterations",
        f"{kv.mean_used:,.0f} KV tokens in use on average of {cap:,} (`used`)",
        f"waited {1000 * slots.mean_wait:.1f} ms for a slot (`wait`), nobody was preempted",
        f"`cap 8000` for `kv` gives {less.pools_named('kv')[0].preemptions} preemptions, and the "
        f"mean TTFT goes from {1000 * ttft.mean:.0f} to {1000 * later.mean:.0f} ms, over "
        f"{later.count:,} first tokens",
    ):
        assert said in text


def test_it_replays_ten_minutes(readme: Page, repository: Path) -> None:
    """The sessions that the replayed program takes of its trace arrive in ten minutes."""
    assert "replay ten minutes of real conversation traffic" in " ".join(readme.text.split())
    program = serq.compile(repository / "examples" / "replay" / "azure_conv.sq")
    sessions = read_trace(repository / "examples" / "replay" / "azure2023_conv.csv")
    count = program.ir.arrivals
    assert count is not None
    times = [each.arrival for each in sessions if isinstance(each, TimedSession)]
    assert times[count - 1] <= 600.0 < times[count]


def test_its_speeds_are_those_of_the_page_about_them(readme: Page, repository: Path) -> None:
    page = read(repository / "docs" / "performance.md")
    measured = {row[0]: row[3:] for row in page.rows("Against the reference")}
    shown = re.findall(r"^\| `(\w+)`: .* \| (.*) \| (.*) \| (.*) \|$", readme.text, re.M)
    assert {name: list(numbers) for name, *numbers in shown} == measured
    for _, reference, ours, ratio in shown:
        theirs, mine = (float(number.replace(",", "")) for number in (reference, ours))
        # All three are rounded.
        assert theirs / (mine + 0.5) - 0.05 <= float(ratio) <= (theirs + 0.5) / (mine - 0.5) + 0.05
