"""Diagnostics for a reader: a person (`text`), a program (`json`), a review on GitHub (`github`).

Each module has `render(diagnostics) -> str`; every finding ends with a line break. Depends on
`serq.diagnostics` alone.
"""
