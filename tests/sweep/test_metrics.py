"""The numbers of a report by their paths."""

from __future__ import annotations

import json
import math

import pytest
from tests.sweep.programs import FLEET, QUEUE

import serq
from serq.diagnostics import SerqError
from serq.sweeps.metrics import check_metrics, default_metrics, parse_metric

PROGRAM = serq.compile(source=FLEET)
REPORT = serq.run(PROGRAM)


def read(path: str) -> float:
    metric = parse_metric(path)
    check_metrics([metric], PROGRAM.ir, "fleet.sq")
    return metric.read(REPORT)


def test_every_number_of_the_report_is_a_metric() -> None:
    report = json.loads(REPORT.json())
    groups = {name: report[name] for name in ("observes", "gauges")}
    for group, table in groups.items():
        for name, row in table.items():
            for field, value in row.items():
                assert read(f"{group}.{name}.{field}") == pytest.approx(value, nan_ok=True)
    for group in ("stages", "pools"):
        for row in report[group]:
            place = f"{group}.{row.pop('name')}[{row.pop('index')}]"
            for field, value in row.items():
                expected = math.nan if value is None else value
                assert read(f"{place}.{field}") == pytest.approx(expected, nan_ok=True)
    for fact in ("horizon", "end", "warmup", "events", "arrivals", "ended", "turns", "mean_live"):
        assert read(fact) == report[fact]


def test_quantiles_of_an_observation() -> None:
    samples = sorted(REPORT.observes["response"].samples)
    count = len(samples)
    assert read("observes.response.p50") == samples[math.ceil(0.5 * count) - 1]
    assert read("observes.response.p99.5") == samples[math.ceil(0.995 * count) - 1]
    assert read("observes.response.p0") == samples[0]
    assert read("observes.response.p100") == samples[-1]
    assert read("observes.response.p99") == REPORT.observes["response"].p99


def test_the_rate_is_the_sum_a_unit_of_measured_time() -> None:
    samples = REPORT.observes["response"].samples
    span = REPORT.end - REPORT.warmup
    assert read("observes.response.rate") == pytest.approx(samples.sum() / span)


def test_members_of_an_array_are_put_together() -> None:
    done = [stage.completed for stage in REPORT.stages_named("engine")]
    assert read("stages.engine[sum].completed") == sum(done)
    assert read("stages.engine[mean].completed") == sum(done) / 2
    assert read("stages.engine[max].completed") == max(done)
    assert read("stages.engine[min].completed") == min(done)
    assert math.isnan(read("stages.engine[7].completed"))


def test_the_interval_of_one_run() -> None:
    observe = REPORT.observes["response"]
    assert parse_metric("observes.response.mean").interval(REPORT) == observe.ci
    assert parse_metric("gauges.busiest.mean").interval(REPORT) == REPORT.gauges["busiest"].ci
    assert math.isnan(parse_metric("observes.response.p99").interval(REPORT))
    assert math.isnan(parse_metric("mean_live").interval(REPORT))


def test_a_name_may_have_dots() -> None:
    metric = parse_metric("pools.P.kv[1].mean_used")
    assert (metric.name, metric.member, metric.field) == ("P.kv", 1, "mean_used")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("ttft", "a number of the report such as"),
        ("mean_liv", "did you mean `mean_live`"),
        ("observes.ttft", "a number of the report such as"),
        ("observes.ttft.meen", "did you mean `mean`"),
        ("observes.ttft.p101", "a number that observes have"),
        ("stages.engine.p50", "a number that stages have"),
        ("observes.ttft[0].mean", "observes are no arrays"),
        ("pools.kv[median].stuck", "a number or one of sum, mean, min, max"),
    ],
)
def test_what_is_no_metric(path: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("[", r"\[")):
        parse_metric(path)


@pytest.mark.parametrize(
    ("path", "message", "hint"),
    [
        ("observes.respons.mean", "no `respons` among its observes", "did you mean `response`?"),
        ("pools.kv[0].stuck", "it has `slots`", None),
        ("gauges.x.mean", "it has `busiest`", None),
        ("stages.engine.iterations", "an array and none of its members", "`stages.engine[0]."),
    ],
)
def test_what_the_program_does_not_have(path: str, message: str, hint: str | None) -> None:
    with pytest.raises(SerqError) as refused:
        check_metrics([parse_metric(path)], PROGRAM.ir, "fleet.sq")
    (found,) = refused.value.diagnostics
    assert found.code == "SQ217"
    assert message in found.message
    assert (hint or "") in (found.help or "")


def test_metrics_when_none_are_named() -> None:
    def texts(source: str) -> list[str]:
        return [metric.text for metric in default_metrics(serq.compile(source=source).ir)]

    assert texts(QUEUE) == ["observes.response.mean", "observes.response.p99"]
    tested = QUEUE.replace(
        "observe response = now - sent;",
        "observe a = 2 > 1; observe response = now - sent; observe b = !(1 && 0);",
    )
    assert texts(tested) == [
        "observes.a.mean", "observes.response.mean", "observes.response.p99", "observes.b.mean",
    ]  # fmt: skip
    mixed = QUEUE.replace("end;", "observe response = 1 > 0; end;")
    assert texts(mixed) == ["observes.response.mean", "observes.response.p99"]
    unobserved = FLEET.replace("observe response = now - sent;", "")
    assert texts(unobserved) == ["gauges.busiest.mean"]
    assert texts("workload { arrive poisson (1); } run { horizon 1; }") == ["mean_live"]
