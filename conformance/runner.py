"""Runs one case on one engine and says what came of it.

A case whose program is refused demands exactly the marked diagnostics, on their lines; any other
case demands a report. Engines are named as `serq run --engine` names them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.answers import differences
from conformance.loader import Case, Refusal

SKIPS = Path(__file__).resolve().parent / "skips.toml"
PROGRAM = "program.sq"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an engine made of a case: its report if it gave one, and every complaint about it."""

    report: Any
    complaints: tuple[str, ...]


def engines_present() -> list[str]:
    """The engines this installation has, the executable definition first."""
    from serq.engines import available

    return list(available())


def engines_wanted(wanted: str, present: Sequence[str]) -> list[str]:
    """`all` or one name, checked against what is there."""
    if wanted == "all":
        return list(present)
    if wanted not in present:
        raise ValueError(f"no engine is called {wanted!r} here; present: {', '.join(present)}")
    return [wanted]


def load_skips(path: Path = SKIPS) -> dict[str, dict[str, str]]:
    """Engine, case or page, reason: what an engine is known to fail."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def skip_reason(case: Case, engine: str, skips: Mapping[str, Mapping[str, str]]) -> str | None:
    """Why the engine is known to fail the case: by its own name, or by that of its page."""
    known = skips.get(engine, {})
    return known.get(case.name) or known.get(case.page_name)


def run_case(case: Case, engine: str, folder: Path) -> Outcome:
    """Compile and run the case's program; `folder` is an empty one for its files."""
    import serq

    try:
        program = _compile(case, folder)
        report = serq.run(program, engine=engine)
    except serq.SerqError as error:
        return Outcome(None, tuple(_refusal_complaints(case, error.diagnostics)))
    if case.expect is None:
        wanted = ", ".join(f"{r.code} on line {r.line}" for r in case.refusals)
        return Outcome(report, (f"the program was run, but should be refused: {wanted}",))
    wrong = differences(case.expect, report, case.level)
    return Outcome(report, tuple(str(difference) for difference in wrong))


def _compile(case: Case, folder: Path) -> Any:
    import serq

    if not case.files:
        return serq.compile(source=case.program)
    for name, text in {**case.files, PROGRAM: case.program}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return serq.compile(path=folder / PROGRAM)


def _refusal_complaints(case: Case, diagnostics: Sequence[Any]) -> list[str]:
    """Where the diagnostics and the marked lines part."""
    left = list(case.refusals)
    complaints: list[str] = []
    for diagnostic in diagnostics:
        if diagnostic.severity != "error":
            continue
        match = next((refusal for refusal in left if _answers(refusal, diagnostic, case)), None)
        if match is None:
            complaints.append(f"not expected: {diagnostic}")
        else:
            left.remove(match)
    complaints.extend(
        f"expected {refusal.code} {refusal.part!r} on line {refusal.line} of "
        f"{refusal.file or 'the program'}"
        for refusal in left
    )
    return complaints


def _answers(refusal: Refusal, diagnostic: Any, case: Case) -> bool:
    """Whether this is the diagnostic demanded: code, place, and the part of the message.

    A complaint about a data file (a trace) has its place there, so the marker stands on any line
    of the program.
    """
    if diagnostic.code != refusal.code or refusal.part not in diagnostic.message:
        return False
    if diagnostic.span is None:
        return True
    name = Path(diagnostic.span.source.name).name
    if name in case.files and name.endswith(".csv"):
        return True
    in_file = name == refusal.file if refusal.file else name not in case.files
    return bool(in_file and diagnostic.span.start_line == refusal.line)
