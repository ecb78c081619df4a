"""What the options of `serq fit` take, and which of them go together.

Depends on click and on the names of the models, coefficients and GPUs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from serq.cli.arguments import ArgumentError
from serq.diagnostics import SerqError
from serq.fit.gpus import find_gpu
from serq.fit.terms import COEFFICIENTS

FIGURES: Final = (".svg", ".png", ".pdf")
MODELS: Final = ("linear", "roofline")

STEPS: Final = "a log of engine steps"
RUN: Final = "a program and `--measured`"
CONFIG: Final = "`--from-config`"

_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "model": (STEPS,),
    "terms": (STEPS,),
    "resamples": (STEPS,),
    "train": (RUN,),
    "restarts": (RUN,),
    "engine": (RUN,),
    "sets": (RUN,),
    "defs": (RUN,),
    "gpu": (CONFIG,),
    "tp": (CONFIG,),
    "vllm_args": (CONFIG,),
    "batch": (CONFIG,),
    "weights": (CONFIG,),
    "force": (CONFIG,),
    "stage": (STEPS, RUN),
    "seed": (STEPS, RUN),
    "plot": (STEPS, RUN),
}
"""Which ways to fit each option belongs to."""


def chosen_way(
    file: str | None, measured: str | None, from_config: str | None, options: Mapping[str, Any]
) -> str:
    """The way to fit that the arguments choose. Raises `ArgumentError`."""
    if from_config is not None:
        way = CONFIG
        if file is not None or measured is not None:
            other = f"`{file}`" if file is not None else "`--measured`"
            raise ArgumentError(f"`--from-config` and {other} are two ways to fit: choose one")
        if options.get("gpu") is None:
            raise ArgumentError("`--from-config` needs a GPU", "say which one with `--gpu NAME`")
        try:
            find_gpu(options["gpu"])
        except SerqError as error:
            found = error.diagnostics[0]
            raise ArgumentError(f"`--gpu`: {found.message}", found.help) from None
    elif file is None:
        hint = "name a log of steps, a program with `--measured RUN`, or `--from-config CONFIG`"
        raise ArgumentError("there is nothing to fit", hint)
    else:
        way = RUN if measured is not None else STEPS
        if way == STEPS and file.endswith(".sq"):
            hint = "add `--measured RUN`, the result of a benchmark"
            raise ArgumentError(f"`{file}` is a program, and there is nothing to fit it to", hint)
    for name, value in options.items():
        ways = _OF.get(name, ())
        if value not in (None, (), False) and ways and way not in ways:
            flag = "--" + {"sets": "set", "defs": "def"}.get(name, name.replace("_", "-"))
            raise ArgumentError(f"`{flag}` goes with {' or '.join(ways)}, not with {way}")
    return way


def terms(text: str) -> tuple[str, ...]:
    """Coefficients with commas between them."""
    names = tuple(name.strip() for name in text.split(","))
    if not names or any(name not in COEFFICIENTS for name in names):
        raise ValueError(f"some of {','.join(COEFFICIENTS)}, with commas between them")
    return names


def figure(text: str) -> str:
    """The name of a figure."""
    if not text.lower().endswith(FIGURES):
        raise ValueError(f"a file that ends in one of {', '.join(FIGURES)}")
    return text


def file_name(text: str) -> str:
    """A name."""
    if not text:
        raise ValueError("a name")
    return text
