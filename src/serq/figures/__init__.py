"""How every figure of numbers looks: colours, lines, letters, and a file that is the same bytes for
the same figure.

Depends on matplotlib, which is optional and imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from serq.diagnostics import Diagnostic, SerqError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: Final = (".svg", ".png", ".pdf")
MISSING: Final = 'a figure needs matplotlib: pip install "serq[plot]"'

# Okabe and Ito's colours, which people with any kind of colour vision tell apart.
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_INK, _FAINT = "#222222", "#d9d9d9"
_STYLE: Final = {
    "svg.hashsalt": "serq",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10.0,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": _FAINT,
    "grid.linewidth": 0.6,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "text.color": _INK,
    "legend.frameon": False,
    "savefig.facecolor": "white",
}
_UNDATED: Final[dict[str, dict[str, Any]]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def ending(path: str | PathLike[str]) -> str:
    """The format a file's name asks for. Raises `ValueError` when it is none of `FORMATS`."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        listed = ", ".join(FORMATS)
        raise ValueError(f"the name of a figure ends in one of {listed}, not `{fspath(path)}`")
    return suffix.removeprefix(".")


def check_present() -> None:
    """Raise `ImportError` when matplotlib is not installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise ImportError(MISSING) from None


def check_installed() -> None:
    """Raise `SerqError` (SQ509) when matplotlib is not installed: before a command begins."""
    try:
        check_present()
    except ImportError:
        what, _, way = MISSING.partition(": ")
        raise SerqError([Diagnostic("SQ509", what, help=way)]) from None


@contextmanager
def style() -> Iterator[None]:
    """Draw in the style of all figures, whatever the user's own settings are."""
    check_present()
    import matplotlib as mpl

    settings: Any = {**mpl.rcParamsDefault, **_STYLE}
    with mpl.rc_context(settings):
        yield


def write(figure: Figure, path: str | PathLike[str], kind: str) -> None:
    """Write a figure in the format `kind`, within `style`."""
    figure.savefig(path, format=kind, dpi=150, metadata=_UNDATED[kind])
