"""Spans, diagnostics, the catalogue of codes and their renderers. Imports nothing of ours."""

from serq.diagnostics.catalogue import CATALOGUE, Code
from serq.diagnostics.diagnostic import Diagnostic, Note, SerqError, Severity, has_errors
from serq.diagnostics.span import Expansion, Source, Span
from serq.diagnostics.suggest import nearest

__all__ = [
    "CATALOGUE",
    "Code",
    "Diagnostic",
    "Expansion",
    "Note",
    "SerqError",
    "Severity",
    "Source",
    "Span",
    "has_errors",
    "nearest",
]
