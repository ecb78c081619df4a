"""A program from the text of its JSON.

The version is looked at first, then the form, then the rules of a finished IR. Members nobody
knows are accepted, a whole number is accepted where a float is expected. Depends on
`serq.ir.program_json`, `serq.ir.json_text` and `serq.ir.validate`.
"""

from __future__ import annotations

from dataclasses import field

from serq.diagnostics import Diagnostic, SerqError, Source, Span, has_errors
from serq.ir import json_text
from serq.ir.json_text import Json
from serq.ir.nodes import Program
from serq.ir.program_json import PROGRAM
from serq.ir.shapes import MOST_FINDINGS, Mismatch, MismatchError, Place, describe
from serq.ir.validate import validate
from serq.ir.version import IR_VERSION
from serq.records import Draft


class ReadResult(Draft):
    """The program, when the document states one; what was found, errors and others."""

    program: Program | None
    diagnostics: list[Diagnostic] = field(default_factory=list)


def read_json(text: str, name: str) -> ReadResult:
    """Read an IR. `name` is what the reader knows the text by, such as its path.

    The diagnostics are SQ502 (not JSON), SQ112 (nested beyond the limit), SQ501 (another
    version), SQ503 (a value of the wrong shape; at most `MOST_FINDINGS` of them) and those of
    `serq.ir.validate`.
    """
    source = Source(name, text)
    try:
        json = json_text.parse(source)
    except SerqError as refused:
        return ReadResult(None, refused.diagnostics)
    version = _version(json, source)
    if version is not None:
        return ReadResult(None, [version])
    findings: list[Mismatch] = []
    try:
        program = PROGRAM.decode(json, Place(findings))
    except MismatchError:
        return ReadResult(None, _placed(findings, source))
    diagnostics = validate(program, None, name)
    return ReadResult(None if has_errors(diagnostics) else program, diagnostics)


def _version(json: Json, source: Source) -> Diagnostic | None:
    """What is wrong with the version, if anything."""
    if not isinstance(json, dict) or "version" not in json:
        found = describe(json) if not isinstance(json, dict) else "an object without `version`"
        message = f"an IR is an object with a `version`; this is {found}"
        hint = "`serq ir PROGRAM.sq` writes an IR"
        return Diagnostic("SQ503", message, _first(source), help=hint)
    version = json["version"]
    if type(version) is int and version == IR_VERSION:
        return None
    span = json_text.locate(source, {("version",)}).get(("version",))
    if type(version) is not int:
        message = f"`version` should be a whole number, but is {describe(version)}"
        return Diagnostic("SQ503", message, span)
    message = f"this IR has version {version}; this serQ reads and writes version {IR_VERSION}"
    hint = "write it again from its program with `serq ir`, or use a serQ of that version"
    return Diagnostic("SQ501", message, span, help=hint)


def _first(source: Source) -> Span:
    start = len(source.text) - len(source.text.lstrip())
    return Span(source, start, min(start + 1, len(source.text)))


def _placed(findings: list[Mismatch], source: Source) -> list[Diagnostic]:
    """The mismatches as diagnostics, in the order of the text."""
    places = json_text.locate(source, {finding.path for finding in findings})
    found = [
        Diagnostic(
            "SQ503",
            finding.message,
            places.get(finding.path),
            help=finding.help,
            file=source.name,
        )
        for finding in findings
    ]
    found.sort(key=lambda each: each.span.start if each.span is not None else 0)
    if len(found) == MOST_FINDINGS:
        more = f"these are the first {MOST_FINDINGS} mismatches; there may be more"
        last = found[-1]
        found[-1] = Diagnostic(
            last.code, last.message, last.span, help=last.help or more, file=last.file
        )
    return found
