from array import array
from dataclasses import replace

from tests.unit.report.examples import (
    ENGINE,
    KV,
    PAGE,
    REQS,
    TOOL,
    measurements,
    observed,
    program,
    report,
)

from serq.diagnostics import Source, Span
from serq.ir import nodes as ir
from serq.ir.spans import SpanTable
from serq.report.measurements import GaugeMeasurements, ZeroedAmount
from serq.report.report import Report

TEST = ir.Binary(">", ir.Attribute(0), ir.Number(0.0))


def test_the_page_of_the_tutorial() -> None:
    measured = measurements(stages=[ENGINE, TOOL], pools=[KV, REQS])
    assert report(measured).text() == PAGE


def test_observations_and_gauges() -> None:
    half = GaugeMeasurements("half", array("d", [0.0, 11000.0]), array("d", [0.0, 1.0]))
    measured = measurements(
        observes=[observed("ttft", [1.0, 2.0, 6.0]), observed("größer", [])], gauges=[half]
    )
    # ttft: mean 3, variance 7, cv2 7/9. half: 0 over ten windows and 1 over ten: the windows'
    # variance is 20 (1/2)^2 / 19, the half-width 2.093 sqrt(5/19/20).
    assert report(measured).text().splitlines()[1:] == [
        "",
        "observe  count    mean  95% CI    cv2     p99",
        "-------  -----  ------  ------  -----  ------",
        "ttft         3  3.0000    ±inf  0.778  6.0000",
        "größer       0     NaN    ±inf    NaN     NaN",
        "",
        "gauge    mean   95% CI     min     max",
        "-----  ------  -------  ------  ------",
        "half   0.5000  ±0.2401  0.0000  1.0000",
    ]


def test_the_table_of_step_stages_only_when_asked_for() -> None:
    measured = measurements(stages=[replace(ENGINE, index=0), TOOL])
    with_steps = report(measured).text(steps=True).splitlines()
    assert report(measured).text().splitlines() == with_steps[:-4]
    # idle is 1 - 0.001 - 0.125 - 0.0117
    assert with_steps[-4:] == [
        "",
        "step       prefill only  decode only  mixed   idle  decodes  decode batch  decode step"
        "   itl p50   itl p99",
        "---------  ------------  -----------  -----  -----  -------  ------------  -----------"
        "  --------  --------",
        "engine[0]         0.001        0.125  0.012  0.862    0.141         1.032     0.000230"
        "  0.000220  0.003100",
    ]


def test_a_test_that_never_held_is_noted_under_its_table() -> None:
    measured = measurements(observes=[observed("hit", [0.0] * 40)], stages=[TOOL])
    lines = report(measured, program(("hit", TEST), ("hit", ir.Unary("!", TEST)))).text()
    assert lines.splitlines()[4:7] == [
        "hit         40  0.0000  ±0.0000  NaN  0.0000",
        "note: observe hit is constant 0 over 40 samples",
        "",
    ]


def test_what_is_no_test_or_too_short_or_held_once_is_not_noted() -> None:
    of = program(("hit", TEST), ("hit", ir.Attribute(0)))
    zeros = [0.0] * 40
    assert report(measurements(observes=[observed("hit", zeros)]), of).notes == []
    of = program(("hit", TEST))
    assert report(measurements(observes=[observed("hit", zeros[1:])]), of).notes == []
    assert report(measurements(observes=[observed("hit", [*zeros, 1.0])]), of).notes == []


def test_a_stuck_pool_is_named_under_the_pools() -> None:
    stuck = replace(KV, index=1, stuck=3)
    lines = report(measurements(pools=[stuck])).text().splitlines()
    assert lines[-1] == ("stuck: 3 sessions preempted again at pool kv[1] without having advanced")


def test_an_amount_taken_as_zero_is_noted_with_its_place() -> None:
    source = Source("p.sq", "session {\n  hold kv (0 - 1) { }\n}")
    spans = SpanTable()
    spans.add(("blocks", 2, 0), Span(source, 12, 20))
    path = ("blocks", 2, 0, "pools", 0, "units")
    measured = replace(measurements(), zeroed=[ZeroedAmount(path, 12), ZeroedAmount(path, 1)])
    placed = Report(measured, program(), serq_version="1", spans=spans).text().splitlines()
    assert placed[1:] == [
        "note: 12 negative or NaN amounts were taken as 0 at p.sq:2:3",
        "note: a negative or NaN amount was taken as 0 at p.sq:2:3",
    ]
    unplaced = report(measured).text().splitlines()
    assert unplaced[-1].endswith("taken as 0 at `blocks[2][0].pools[0].units` of the IR")


def test_an_interrupted_run_says_so() -> None:
    measured = replace(measurements(stages=[TOOL]), end=1234.5, partial=True)
    lines = report(measured).text().splitlines()
    assert lines[1:3] == ["partial: interrupted at 1234.5", ""]
    assert "NaN" in lines[5]  # no throughput over no time: it was interrupted before the warm-up
