"""The samples of a report as CSV files: `NAME.csv` for each observation, `gauge/NAME.csv` for
each gauge (contract §3, *Statistics* and *Gauges*).

Everything is written under temporary names first and renamed when all of it is there, so a
disk that fills leaves no half-written file. Depends on the report.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from errno import EACCES, ENOTDIR
from os import W_OK, X_OK, PathLike, access, fspath, strerror
from pathlib import Path
from typing import TYPE_CHECKING

from serq.diagnostics import Diagnostic, SerqError, refused
from serq.report.numbers import plain

if TYPE_CHECKING:
    from serq.report.report import Report


def write(report: Report, folder: str | PathLike[str]) -> None:
    """Write the files into `folder`, which is made when it is not there.

    An observation's file has the columns `time,session,turn,value`, one line a record after
    warm-up; a gauge's has `time,value`, one line a change from time 0 on. Raises `SerqError`
    (SQ704) when something can not be written; no file is changed then.
    """
    if not report.samples:
        message = f"there are no samples to write into `{fspath(folder)}`: the run kept none"
        hint = "run with samples"
        raise SerqError([Diagnostic("SQ704", message, help=hint, file=fspath(folder))])
    from tempfile import mkdtemp

    target = Path(folder)
    files = dict(_files(report, fspath(folder)))
    made = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        staged = Path(mkdtemp(prefix=".serq-", dir=target))
    except OSError as error:
        raise _unwritable(fspath(folder), error) from None
    try:
        for name, lines in files.items():
            _write_lines(staged / name, lines)
        for name in files:
            (target / name).parent.mkdir(exist_ok=True)
            (staged / name).replace(target / name)
    except OSError as error:
        raise _unwritable(fspath(folder), error) from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)
        if made and not any(target.iterdir()):
            target.rmdir()


def check_folder(
    folder: str | PathLike[str], observes: Iterable[str] = (), trace: Path | None = None
) -> None:
    """Raise `SerqError` (SQ704) when `folder` is, or would be, where nothing can be written, or
    where the samples of one of `observes` would take the place of the trace that is replayed.

    Said before a long run, not after it.
    """
    target = Path(folder)
    for name in observes:
        if trace is not None and (target / f"{name}.csv").resolve() == trace.resolve():
            message = f"the samples of `{name}` would be written over the trace `{trace}`"
            hint = "choose another folder with `--dump`"
            raise SerqError([Diagnostic("SQ704", message, help=hint, file=fspath(folder))])
    try:
        there = next(path for path in (target, *target.absolute().parents) if path.exists())
        if not there.is_dir():
            raise NotADirectoryError(ENOTDIR, f"`{there}` is a file")
        if not access(there, W_OK | X_OK):
            raise PermissionError(EACCES, strerror(EACCES))
    except OSError as error:
        raise _unwritable(fspath(folder), error) from None


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)


def _files(report: Report, folder: str) -> Iterator[tuple[str, Iterator[str]]]:
    for observe in report.observes.values():
        made = observe.measured
        rows = zip(made.times, made.sessions, made.turns, made.samples, strict=True)
        yield _file_name(observe.name, folder), _observe_lines(rows)
    for gauge in report.gauges.values():
        changes = zip(gauge.measured.times, gauge.measured.values, strict=True)
        yield f"gauge/{_file_name(gauge.name, folder)}", _gauge_lines(changes)


def _observe_lines(rows: Iterable[tuple[float, int, int, float]]) -> Iterator[str]:
    yield "time,session,turn,value\n"
    for time, session, turn, value in rows:
        yield f"{plain(time)},{session},{turn},{plain(value)}\n"


def _gauge_lines(changes: Iterable[tuple[float, float]]) -> Iterator[str]:
    yield "time,value\n"
    for time, value in changes:
        yield f"{plain(time)},{plain(value)}\n"


def _file_name(name: str, folder: str) -> str:
    """The file of an observation or a gauge; a name that would leave the folder is refused."""
    if not name or name.startswith(".") or any(c in "/\\:" or not c.isprintable() for c in name):
        message = f"the name `{name}` can not be a file's in `{folder}`"
        raise SerqError([Diagnostic("SQ704", message, file=folder)])
    return f"{name}.csv"


def _unwritable(folder: str, error: OSError) -> SerqError:
    message = f"the samples can not be written into `{folder}`: {refused.reason(error)}"
    hint = "nothing was changed there; choose another folder with `--dump`"
    return SerqError([Diagnostic("SQ704", message, help=hint, file=folder)])
