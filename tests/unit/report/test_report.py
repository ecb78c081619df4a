import json
import sys
from array import array
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.report.examples import ENGINE, KV, REQS, TOOL, measurements, observed, report

from serq.report.measurements import GaugeMeasurements


def test_json_is_one_line_in_the_order_of_the_format() -> None:
    member = replace(KV, index=1)
    gauge = GaugeMeasurements("load", array("d", [0.0]), array("d", [1e-7]))
    measured = measurements(
        observes=[observed("a", [0.0, 1e21])], gauges=[gauge], stages=[TOOL], pools=[member]
    )
    assert report(measured).json() == (
        '{"serq_version":"9.9.9","horizon":20000,"end":20000,"warmup":2000,"seed":1,'
        '"events":9212861,"arrivals":9905,"ended":8903,"turns":43947,"mean_live":5.9768,'
        '"observes":{"a":{"count":2,"mean":500000000000000000000,"ci":null,"cv2":2,'
        '"p99":1000000000000000000000}},'
        '"gauges":{"load":{"mean":0.0000001,"ci":0,"min":0.0000001,"max":0.0000001}},'
        '"stages":[{"name":"tool","index":null,"mean_number":5.822,"utilization":0.998,'
        '"completed":35044,"throughput":1.946888888888889,"mean_wait":0,"mean_service":2.9903,'
        '"iterations":0,"prefill_only":0,"decode_only":0,"mixed":0,"mean_decodes":0,'
        '"mean_decode_batch":null,"mean_decode_step":null,"mean_itl":null,"itl_p50":null,'
        '"itl_p99":null}],'
        '"pools":[{"name":"kv","index":1,"mean_used":729.76,"mean_cached":28515.4,'
        '"mean_queue":0,"mean_holders":0.153,"mean_wait":null,"admissions":48810,'
        '"evicted_entries":218,"evicted_units":1760208,"preemptions":0,"spills":0,'
        '"rejected":0,"stuck":0}]}'
    )


def test_json_of_an_interrupted_run_says_so_and_a_name_is_escaped() -> None:
    measured = replace(measurements(observes=[observed('a"\n', [1.0])]), partial=True)
    document = json.loads(report(measured).json())
    assert document["partial"] is True
    assert list(document["observes"]) == ['a"\n']


def test_rows_are_found_by_name() -> None:
    stages = [replace(ENGINE, index=0), replace(ENGINE, index=1), TOOL]
    made = report(measurements(stages=stages, pools=[KV, REQS], observes=[observed("a", [1.0])]))
    assert made.stage("engine") is made.stages[0]
    assert made.stages_named("engine") == made.stages[:2]
    assert made.pool("reqs") is made.pools[1]
    assert made.pools_named("none") == []
    assert made.observe("a") is made.observes["a"]
    assert made.stage("x") is None
    assert made.pool("x") is None
    assert made.observe("x") is None
    assert made.gauge("x") is None


def test_samples_are_read_only_arrays() -> None:
    observe = report(measurements(observes=[observed("a", [1.0, 2.5])])).observes["a"]
    assert observe.samples.tolist() == [1.0, 2.5]
    assert observe.times.tolist() == [0.0, 1.0]
    assert observe.sessions.tolist() == [7, 7]
    assert observe.turns.tolist() == [1, 1]
    assert observe.samples.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        observe.samples[0] = 3.0


def test_an_observation_without_records_has_empty_arrays_of_the_same_types() -> None:
    observe = report(measurements(observes=[observed("a", [])])).observes["a"]
    assert observe.samples.size == 0
    assert observe.samples.dtype == np.float64
    assert observe.sessions.dtype == np.uint64


def test_p99_takes_records_that_are_no_number_as_least() -> None:
    nan = float("nan")
    made = report(measurements(observes=[observed("a", [nan, 3.0, nan, 2.0, nan])]))
    assert made.observes["a"].p99 == 3.0
    assert np.isnan(report(measurements(observes=[observed("a", [nan])])).observes["a"].p99)


def test_frames() -> None:
    pandas = pytest.importorskip("pandas")
    gauge = GaugeMeasurements("g", array("d", [0.0, 5.0]), array("d", [1.0, 2.0]))
    observes = [observed("a", [1.0, 2.0]), observed("b", [3.0])]
    made = report(measurements(observes=observes, gauges=[gauge], stages=[TOOL], pools=[KV]))
    samples = made.to_pandas()
    assert isinstance(samples, pandas.DataFrame)
    assert samples.to_dict("list") == {
        "observe": ["a", "a", "b"],
        "time": [0.0, 1.0, 0.0],
        "session": [7, 7, 7],
        "turn": [1, 1, 1],
        "value": [1.0, 2.0, 3.0],
    }
    assert made.to_pandas("changes")["value"].tolist() == [1.0, 2.0]
    assert made.to_pandas("observes")["count"].tolist() == [2, 1]
    assert made.to_pandas("gauges")["name"].tolist() == ["g"]
    assert made.to_pandas("stages")["completed"].tolist() == [35044]
    assert made.to_pandas("pools")["admissions"].tolist() == [48810]
    assert len(report(measurements()).to_pandas()) == 0


def test_arrow_tables() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    made = report(measurements(observes=[observed("a", [1.0, 2.0])], stages=[TOOL]))
    table = made.to_arrow()
    assert isinstance(table, pyarrow.Table)
    assert table.column("value").to_pylist() == [1.0, 2.0]
    assert made.to_arrow("stages").num_rows == 1


def test_a_frame_needs_its_package_and_a_known_table(monkeypatch: pytest.MonkeyPatch) -> None:
    made = report(measurements())
    with pytest.raises(ValueError, match="did you mean 'pools'"):
        made.to_pandas("pool")
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        made.to_pandas()
    with pytest.raises(ImportError, match="pip install pyarrow"):
        made.to_arrow()


def test_a_notebook_shows_escaped_tables() -> None:
    made = report(measurements(observes=[observed("a<b", [1.0])], stages=[ENGINE]))
    html = made._repr_html_()
    assert html.count("<table>") == 3
    assert "a&lt;b" in html
    assert "a<b" not in html
