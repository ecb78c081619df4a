"""Which engines there are, and which of them this installation has.

An engine is loaded when it is asked for. Depends on the engines' packages, loaded late.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from serq.diagnostics import Diagnostic, SerqError, nearest

if TYPE_CHECKING:
    from serq.engines.protocol import Engine


class AbsentError(Exception):
    """This installation lacks the engine; the text says why and what to do."""


def _python() -> Engine:
    from serq.engines.python import PythonEngine

    return PythonEngine()


def _native() -> Engine:
    from serq import native

    if native.MISSING is not None:
        raise AbsentError(native.MISSING)
    from serq.engines.native import NativeEngine

    return NativeEngine()


_ENGINES: Final[dict[str, Callable[[], Engine]]] = {"native": _native, "python": _python}
"""By name, the one to be preferred first."""

NAMES: Final = tuple(_ENGINES)


def engine(name: str | None = None) -> Engine:
    """The engine `name`, or the best one there is.

    Raises `SerqError` (SQ506) when there is none of that name, or not in this installation.
    """
    if name is None:
        name = available()[0]
    if name not in _ENGINES:
        near = nearest(name, NAMES)
        listed = ", ".join(f"`{each}`" for each in NAMES)
        message = f"there is no engine `{name}`; the engines are {listed}"
        hint = f"did you mean `{near}`?" if near is not None else None
        raise SerqError([Diagnostic("SQ506", message, help=hint)])
    try:
        return _ENGINES[name]()
    except AbsentError as reason:
        message = f"the engine `{name}` is not present: {reason}"
        hint = f"run without `--engine`, or with one that is present: {', '.join(available())}"
        raise SerqError([Diagnostic("SQ506", message, help=hint)]) from None


def available() -> list[str]:
    """Names of the engines this installation has, the one to be preferred first."""
    return [name for name in NAMES if why_absent(name) is None]


def why_absent(name: str) -> str | None:
    """Why this installation lacks the engine `name`; None when it has it."""
    try:
        _ENGINES[name]()
    except AbsentError as reason:
        return str(reason)
    return None
