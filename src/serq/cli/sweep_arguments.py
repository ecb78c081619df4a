"""What the options of `serq sweep` take, and what must be right among them before a file is opened.

Depends on click and the sweep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

import click

from serq.cli.arguments import ArgumentError
from serq.diagnostics import nearest
from serq.figures import FORMATS, check_installed
from serq.sweeps.grid import MOST_RUNS
from serq.sweeps.metrics import parse_metric
from serq.sweeps.values import Value, values_of

_MOST_SEEDS = 100_000


def varied(text: str) -> tuple[str, tuple[Value, ...]]:
    """`name=values`."""
    name, equals, values = text.partition("=")
    name = name.strip()
    if not equals or re.fullmatch(r"[^\W\d]\w*", name) is None:
        raise ValueError("`name=values`")
    return name, values_of(values)


def metric(text: str) -> str:
    """A number of the report."""
    return parse_metric(text).text


def seeds(text: str) -> tuple[int, ...]:
    """`1..5`, `1,4,9`, or both."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,20})\s*(?:\.\.\s*([0-9]{1,20})\s*)?", part, re.ASCII)
        if match is None:
            raise ValueError("seeds such as `1..5` or `1,4,9`")
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < 2**64 or last - first >= _MOST_SEEDS:
            raise ValueError(
                f"at most {_MOST_SEEDS:,} seeds from 0 to 2^64 - 1, in ascending order"
            )
        found += range(first, last + 1)
    if len(set(found)) < len(found):
        raise ValueError("seeds that are different: the same seed gives the same run")
    return tuple(found)


def named(text: str) -> tuple[str, str]:
    """`name=text`."""
    name, equals, rest = text.partition("=")
    if not equals or not name.strip() or not rest.strip():
        raise ValueError("`name=text`")
    return name.strip(), rest.strip()


def figure(text: str) -> str:
    """The name of a figure."""
    if Path(text).suffix.lower() not in FORMATS:
        raise ValueError(f"a file that ends in one of {', '.join(FORMATS)}")
    return text


def table_file(text: str) -> str:
    """The name of a file of runs; standard output has the table of means."""
    if file_name(text) == "-":
        raise ValueError("a file: standard output has the table, or with `--json` the runs as well")
    return text


def file_name(text: str) -> str:
    """A name."""
    if not text:
        raise ValueError("a name")
    return text


Values = tuple[Value, ...]


def check_options(
    sets: Mapping[str, Values],
    defs: Mapping[str, Values],
    baseline: tuple[str, Values] | None,
    options: Mapping[str, Any],
) -> None:
    """The options that speak of each other agree; raises `ArgumentError`."""
    ctx = click.get_current_context()
    both = sorted(sets.keys() & defs.keys())
    if both:
        message = f"`{both[0]}` is given with `--set` and with `--def`"
        raise ArgumentError(message, "a name is a constant or a definition", ctx)
    if options["seeds"] is not None and options["replications"] is not None:
        hint = "`--replications N` counts from the program's seed on"
        raise ArgumentError("`--seeds` and `--replications` are two ways to say one", hint, ctx)
    seeds = len(options["seeds"] or ()) or options["replications"] or 1
    runs = prod(len(values) for values in (*sets.values(), *defs.values())) * seeds
    if runs > MOST_RUNS:
        message = f"the sweep has {runs:,} runs, more than {MOST_RUNS:,}"
        raise ArgumentError(message, "take fewer values or replications", ctx)
    if baseline is None:
        return
    name, values = baseline
    swept = {**sets, **defs}.get(name, ())
    if len(swept) < 2:
        raise ArgumentError(f"`--baseline {name}` is not varied", "give it several values", ctx)
    if len(values) != 1 or values[0] not in swept:
        message = f"`--baseline {name}` must be one of the values of `{name}`"
        raise ArgumentError(message, ctx=ctx)


def check_figure(
    varied: Iterable[str], metrics: Sequence[str], plot: str | None, names: Iterable[str]
) -> None:
    """There is something to draw, and `--log` and `--label` are about it; raises
    `ArgumentError`, and `SerqError` (SQ509) when nothing can be drawn here.
    """
    ctx = click.get_current_context()
    known = [*varied, *metrics]
    for name in names:
        if plot is None:
            raise ArgumentError("`--log` and `--label` are about `--plot`", None, ctx)
        if name in known or (not metrics and _is_metric(name)):
            continue
        near = nearest(name, known)
        hint = f"did you mean `{near}`?" if near else f"what is drawn: {', '.join(known)}"
        raise ArgumentError(f"`{name}` is nothing that is drawn", hint, ctx)
    if plot is None:
        return
    if not varied:
        raise ArgumentError("`--plot` has nothing to draw", "vary a constant with `--set`", ctx)
    check_installed()


def _is_metric(text: str) -> bool:
    try:
        parse_metric(text)
    except ValueError:
        return False
    return True
