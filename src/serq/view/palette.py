"""The paint of every style, on light and on dark paper. Depends on the figure's styles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from serq.view.figure import Style

FONTS: Final = (
    "'Source Sans 3', 'Source Sans Pro', 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', "
    "sans-serif"
)


@dataclass(frozen=True, slots=True)
class Scheme:
    """Colours by name."""

    paper: str
    ink: str
    soft: str
    line: str
    card: str
    pool: str
    tint: str
    units: str
    cache: str
    cache_line: str
    leave: str
    decode: str
    prefill: str
    bar: str
    router: str
    scope: str


LIGHT: Final = Scheme(
    paper="#ffffff",
    ink="#1b2430",
    soft="#5a6572",
    line="#3f4b59",
    card="#ffffff",
    pool="#4a74b8",
    tint="#f3f7fd",
    units="#8fb0e3",
    cache="#a9dcc0",
    cache_line="#3c8f66",
    leave="#e6f6ee",
    decode="#e0913a",
    prefill="#f3cf9d",
    bar="#f4f5f7",
    router="#eef0f3",
    scope="#f7f8fa",
)
DARK: Final = Scheme(
    paper="#0f141a",
    ink="#e8edf3",
    soft="#9eabb9",
    line="#a3b0bd",
    card="#1a2129",
    pool="#7fa6e6",
    tint="#141d2a",
    units="#4c78bd",
    cache="#2f6b4d",
    cache_line="#6cc498",
    leave="#173026",
    decode="#e39a48",
    prefill="#7d5a2c",
    bar="#232b35",
    router="#2a333d",
    scope="#151b22",
)


@dataclass(frozen=True, slots=True)
class Paint:
    """How a style is painted: names of colours, the width of lines, their dashes."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 1.2
    dash: tuple[float, ...] = ()


PAINTS: Final[dict[Style, Paint]] = {
    Style.STATION: Paint("card", "line", 1.5),
    Style.STACK: Paint("card", "line", 1.0),
    Style.SLOT: Paint("line"),
    Style.QUEUE: Paint(None, "line", 1.2),
    Style.POOL: Paint("tint"),
    Style.POOL_EDGE: Paint(None, "pool", 1.3, (5, 4)),
    Style.ADMISSION: Paint("card", "pool", 1.2),
    Style.RELEASE: Paint("leave", "cache_line", 1.0),
    Style.UNITS: Paint("units", "pool", 1.0),
    Style.CACHED: Paint("cache", "cache_line", 1.0),
    Style.FREE: Paint("card", "pool", 1.0),
    Style.BUDGET: Paint("bar", "soft", 1.0),
    Style.DECODE: Paint("decode"),
    Style.PREFILL: Paint("prefill"),
    Style.ROUTER: Paint("router", "line", 1.5),
    Style.TERMINAL: Paint("line"),
    Style.PLAIN: Paint("scope", "soft", 1.0),
    Style.LOOP: Paint(None, "soft", 1.0),
    Style.FLOW: Paint(None, "line", 1.4),
    Style.BACK: Paint(None, "line", 1.4),
    Style.ADMIT: Paint(None, "pool", 1.3, (2, 3)),
    Style.TIER: Paint(None, "cache_line", 1.3, (7, 3)),
    Style.NAME: Paint("ink"),
    Style.NOTE: Paint("soft"),
    Style.LABEL: Paint("ink"),
    Style.MARK: Paint("ink"),
    Style.POOL_NAME: Paint("pool"),
}
