"""What `serq --version` prints: this serQ, its engines, and the formats it reads and writes."""

from __future__ import annotations


def version_text() -> str:
    """Three lines; and one for each engine that is absent, with the reason."""
    from serq import IR_VERSION, REPORT_VERSION, __version__
    from serq.engines.registry import NAMES, why_absent

    absent = {name: why_absent(name) for name in NAMES}
    engines = [f"{name} ({'absent' if absent[name] else 'present'})" for name in NAMES]
    lines = [
        f"serq {__version__}",
        f"engines: {', '.join(engines)}",
        f"formats: IR version {IR_VERSION}, report version {REPORT_VERSION}",
        *(f"engine {name} is absent: {reason}" for name, reason in absent.items() if reason),
    ]
    return "\n".join(lines) + "\n"
