"""What `serq --version` prints: this serQ, its engines, and the formats it reads and writes."""

from __future__ import annotations


def version_text() -> str:
    """Four lines."""
    from serq import IR_VERSION, REPORT_VERSION, __version__, native
    from serq.engines.registry import NAMES, why_absent

    absent = {name: why_absent(name) for name in NAMES}
    engines = [f"{name} ({'absent' if absent[name] else 'present'})" for name in NAMES]
    module = "present" if native.AVAILABLE else f"absent: {native.MISSING}"
    return (
        f"serq {__version__}\n"
        f"engines: {', '.join(engines)}\n"
        f"formats: IR version {IR_VERSION}, report version {REPORT_VERSION}\n"
        f"native module: {module}\n"
    )
