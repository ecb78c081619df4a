"""From a file or a text to a program, with what the outside changes about it.

Depends on the front end, the IR and diagnostics.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import SupportsFloat, SupportsIndex

from serq.api.program import Program
from serq.api.read_text import read_text
from serq.diagnostics import Diagnostic, SerqError, Source, has_errors
from serq.link.overrides import Overrides

_NOTHING: Mapping[str, float | str] = {}
_NO_BODY: Mapping[str, str] = {}


def compile(
    path: str | PathLike[str] | None = None,
    *,
    source: str | None = None,
    sets: Mapping[str, float | str] = _NOTHING,
    defs: Mapping[str, str] = _NO_BODY,
    seed: int | None = None,
    horizon: float | None = None,
    warmup: float | None = None,
    arrivals: int | None = None,
    trace: str | PathLike[str] | None = None,
    name: str = "<string>",
) -> Program:
    """Compile a program file, or a program given as text.

    A file whose name ends in `.json` and a text that starts with `{` are read as an IR.

    Args:
        path: The program's file. Libraries and a relative trace are found from its folder.
        source: The program's text, instead of a file; relative paths in it are taken from the
            current directory.
        sets: Values of declared constants: a number, or the text of an expression.
        defs: Bodies of expression definitions.
        seed: The seed of the run, from 0 to 2^64 - 1.
        horizon: The end of the run, in the program's clock.
        warmup: The start of measurement, in the program's clock.
        arrivals: The number of sessions that arrive, at least 1.
        trace: The trace to replay; a relative path is taken from the current directory.
        name: What diagnostics call the text of `source`.

    Raises:
        SerqError: The program is refused; every finding is in its `diagnostics`. A `trace` that
            the program does not read is refused too (SQ712).
        TypeError: Both or neither of `path` and `source` are given, or an option is no number.
        ValueError: An option is out of its range.
    """
    if (path is None) == (source is None):
        raise TypeError("compile() takes either a path or source=, and not both")
    overrides = _overrides(
        sets, seed=seed, horizon=horizon, warmup=warmup, arrivals=arrivals, trace=trace
    )
    folder: Path | None = None
    if path is not None:
        name, folder = fspath(path), Path(path).parent
        source = read_text(Path(path), name)
    assert source is not None
    try:
        if name.endswith(".json") or source.lstrip().startswith("{"):
            program = _read_ir(source, name, overrides, defs)
        else:
            program = _compile_text(
                Source(name, source), overrides, defs, folder if trace is None else None
            )
    except SerqError as refused:
        raise _better(refused, source, name) from None
    if trace is not None:
        _check_trace_is_read(program)
    return program


def _better(refused: SerqError, source: str, name: str) -> SerqError:
    """What refused the text; of one that is something else than a program, that alone."""
    from serq.api.no_program import no_program

    found = no_program(source, name)
    return refused if found is None else SerqError([found])


def _compile_text(
    source: Source, overrides: Overrides, defs: Mapping[str, str], folder: Path | None
) -> Program:
    from serq.link import link
    from serq.syntax import parse

    parsed = parse(source, definitions=defs, sets=overrides.sets)
    if parsed.program is None or has_errors(parsed.diagnostics):
        raise SerqError(parsed.diagnostics)
    linked = link(parsed.program, overrides)
    found = [*parsed.diagnostics, *linked.diagnostics]
    if linked.program is None:
        raise SerqError(found)
    return Program(
        linked.program, name=source.name, spans=linked.spans, folder=folder, warnings=found
    )


def _read_ir(text: str, name: str, overrides: Overrides, defs: Mapping[str, str]) -> Program:
    """An IR with the options of its run replaced; constants and definitions are gone from it."""
    from serq.ir.validate import validate

    program = Program.from_json(text, name=name)
    for option, given in (("--set", overrides.sets), ("--def", defs)):
        if given:
            message = f"`{option}` changes the text of a program; this is an IR, which has none"
            hint = f"compile the program itself with `{option}`"
            raise SerqError([Diagnostic("SQ508", message, file=name, help=hint)])
    options = ("seed", "horizon", "warmup", "arrivals", "trace")
    changed = {
        option: getattr(overrides, option)
        for option in options
        if getattr(overrides, option) is not None
    }
    if changed:
        program.ir = replace(program.ir, **changed)
        found = validate(program.ir, None, name)
        if has_errors(found):
            raise SerqError(found)
        program.warnings = tuple(found)
    return program


def _check_trace_is_read(program: Program) -> None:
    """A trace from outside is one that the program replays."""
    from serq.ir.trace_use import reads_trace

    if reads_trace(program.ir):
        return
    message = f"the trace `{program.ir.trace}` is given, and the program reads nothing of a trace"
    hint = (
        "leave it out; or take a `turn;` and read `new`, `out` and `think`, or let sessions "
        "`arrive trace;`"
    )
    raise SerqError([Diagnostic("SQ712", message, file=program.name, help=hint)])


def _overrides(
    sets: Mapping[str, float | str],
    *,
    seed: int | None,
    horizon: float | None,
    warmup: float | None,
    arrivals: int | None,
    trace: str | PathLike[str] | None,
) -> Overrides:
    """The options, each of its type and within its range."""
    for name, value in {"horizon": horizon, "warmup": warmup}.items():
        if value is not None and not isinstance(value, SupportsFloat):
            raise TypeError(f"{name} is a number, not {value!r}")
    for name, count in {"seed": seed, "arrivals": arrivals}.items():
        if count is not None and not isinstance(count, SupportsIndex):
            raise TypeError(f"{name} is a whole number, not {count!r}")
    if not isinstance(sets, Mapping):
        raise TypeError(f"sets gives constants values, such as {{'rate': 2}}; it is no {sets!r}")
    for name, given in sets.items():
        if not isinstance(given, (str, SupportsFloat)):
            raise TypeError(f"sets[{name!r}] is a number or the text of an expression: {given!r}")
    if seed is not None and not 0 <= index(seed) < 2**64:
        raise ValueError(f"seed must be a whole number from 0 to 2^64 - 1, not {seed}")
    if horizon is not None and not 0 < horizon < math.inf:
        raise ValueError(f"horizon must be a finite number above 0, not {horizon}")
    if warmup is not None and not 0 <= warmup < math.inf:
        raise ValueError(f"warmup must be a finite number from 0 on, not {warmup}")
    if arrivals is not None and not 1 <= index(arrivals) < 2**64:
        raise ValueError(f"arrivals must be a whole number from 1 on, not {arrivals}")
    return Overrides(
        sets=dict(sets),
        seed=None if seed is None else index(seed),
        horizon=None if horizon is None else float(horizon),
        warmup=None if warmup is None else float(warmup),
        arrivals=None if arrivals is None else index(arrivals),
        trace=None if trace is None else fspath(trace),
    )
