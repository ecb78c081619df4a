"""The report as data frames. pandas and pyarrow are optional and imported when asked for.

Tables: `samples` (one row a record: observe, time, session, turn, value), `changes` (one row a
change of a gauge: gauge, time, value), `observes`, `gauges`, `stages`, `pools` (one row each,
columns named as in the JSON report). Depends on the report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq.diagnostics import nearest
from serq.report.rows import Pool, Stage

if TYPE_CHECKING:
    from serq.report.report import Report

TABLES = ("samples", "changes", "observes", "gauges", "stages", "pools")


def to_pandas(report: Report, table: str = "samples") -> Any:
    """A `pandas.DataFrame`. Raises `ImportError` without pandas, `ValueError` for a table no
    report has.
    """
    columns = _columns(report, table)
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("to_pandas needs pandas: pip install pandas") from None
    return pd.DataFrame(columns)


def to_arrow(report: Report, table: str = "samples") -> Any:
    """A `pyarrow.Table`. Raises `ImportError` without pyarrow, `ValueError` for a table no
    report has.
    """
    columns = _columns(report, table)
    try:
        import pyarrow as pa
    except ImportError:
        raise ImportError("to_arrow needs pyarrow: pip install pyarrow") from None
    return pa.table(columns)


def _columns(report: Report, table: str) -> dict[str, Any]:
    if table in ("samples", "changes") and not report.samples:
        raise ValueError(f"the run kept no {table}: it had `samples=False`")
    observes, gauges = list(report.observes.values()), list(report.gauges.values())
    match table:
        case "samples":
            names = [observe.name for observe in observes]
            fields = {"time": "times", "session": "sessions", "turn": "turns", "value": "samples"}
            return _joined("observe", names, observes, fields)
        case "changes":
            names = [gauge.name for gauge in gauges]
            return _joined("gauge", names, gauges, {"time": "times", "value": "values"})
        case "observes":
            return _rows(observes, ("name", "count", "mean", "ci", "cv2", "p99"))
        case "gauges":
            return _rows(gauges, ("name", "mean", "ci", "min", "max"))
        case "stages":
            return _rows(report.stages, Stage.__match_args__)
        case "pools":
            return _rows(report.pools, Pool.__match_args__)
    near = nearest(table, TABLES)
    hint = f"; did you mean {near!r}?" if near else ""
    raise ValueError(f"a report has no table {table!r}, it has {', '.join(TABLES)}{hint}")


def _rows(rows: list[Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: [getattr(row, name) for row in rows] for name in names}


def _joined(
    first: str, names: list[str], parts: list[Any], fields: dict[str, str]
) -> dict[str, Any]:
    """The arrays of all parts end to end, with the name of each row's part."""
    import numpy as np

    if not parts:
        return {first: np.empty(0, dtype=str), **{name: np.empty(0) for name in fields}}
    lengths = [len(getattr(part, next(iter(fields.values())))) for part in parts]
    columns: dict[str, Any] = {first: np.repeat(np.array(names), lengths)}
    for name, field in fields.items():
        columns[name] = np.concatenate([getattr(part, field) for part in parts])
    return columns
