"""Engines: what runs a program. `registry.engine(name)` gives one, `protocol` says what one is."""

from serq.engines.registry import available, engine, why_absent

__all__ = ["available", "engine", "why_absent"]
