"""Drawing a compiled program. Depends on the figures."""

from __future__ import annotations

from typing import Final, Literal, overload

from serq.api.program import Program

FORMATS: Final = ("svg", "tikz", "png")
VIEWS: Final = ("deployment", "session")


@overload
def draw(
    program: Program,
    format: Literal["svg", "tikz"] = "svg",
    view: str = "deployment",
    *,
    dark: bool | None = None,
) -> str: ...
@overload
def draw(
    program: Program,
    format: Literal["png"],
    view: str = "deployment",
    *,
    dark: bool | None = None,
) -> bytes: ...
@overload
def draw(
    program: Program, format: str, view: str = "deployment", *, dark: bool | None = None
) -> str | bytes: ...
def draw(
    program: Program,
    format: str = "svg",
    view: str = "deployment",
    *,
    dark: bool | None = None,
) -> str | bytes:
    """Draw a program. The same program gives the same bytes.

    Args:
        program: What `compile` gave.
        format: `svg` and `tikz` give text, `png` bytes (two pixels a point).
        view: `deployment` is the queueing network with its pools, `session` the statements.
        dark: Dark paper; light when False. None lets an SVG follow its reader's screen; the
            other formats are light then.

    Raises:
        SerqError: A PNG is wanted and the packages of `serq[png]` are not there (SQ509).
        TypeError: `program` is none, say the name of a file that is yet to be compiled.
        ValueError: No such format or view.
    """
    if not isinstance(program, Program):
        raise TypeError(f"draw() takes what compile() gives, not {program!r}")
    if format not in FORMATS:
        raise ValueError(f"format is one of {', '.join(FORMATS)}, not {format!r}")
    if view not in VIEWS:
        raise ValueError(f"view is one of {', '.join(VIEWS)}, not {view!r}")
    from serq.view.deployment import deployment
    from serq.view.palette import DARK, LIGHT
    from serq.view.session import session

    figure = (deployment if view == "deployment" else session)(program.ir)
    if format == "png":
        from serq.view.png import png

        return png(figure, dark=bool(dark))
    if format == "tikz":
        from serq.view.tikz import tikz

        return tikz(figure, dark=bool(dark))
    from serq.view.svg import svg

    return svg(figure, None if dark is None else DARK if dark else LIGHT)
