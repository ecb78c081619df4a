"""The serving forms: `prefill`, `decode`, `tool` and the run of a `transfer` are runs at the stage
that plays the role (contract §2, *The serving vocabulary*).

A form finds its stage among those declared above it: the one named like the role, else, for
prefill and decode, the step engine. Depends on references and the unit.
"""

from __future__ import annotations

from serq.diagnostics import Note, Span
from serq.link.names import Family
from serq.link.references import find_stage
from serq.link.unit import Unit
from serq.syntax import ast

ENGINE_ROLES = ("prefill", "decode")
"""Roles that a step engine plays, whatever it is called."""


def names_of(role: str) -> tuple[str, ...]:
    """What a stage that plays a role is called."""
    return ("link", "transfer") if role == "transfer" else (role,)


def stage_for(unit: Unit, program: ast.Program, form: ast.Serving) -> Family | None:
    """The stage a form runs at; None, with a finding, when there is none or there are several."""
    above = program.stages[: form.declared]
    if form.on is not None:
        return _named(unit, form, form.on, {stage.name for stage in above})
    known = {stage.name: stage for stage in reversed(above)}
    candidates = [known[name] for name in names_of(form.role) if name in known]
    if not candidates and form.role in ENGINE_ROLES:
        candidates = [stage for stage in above if isinstance(stage.kind, ast.Step)]
    if len(candidates) == 1:
        return unit.names.stages.get(candidates[0].name)
    if candidates:
        _several(unit, form, candidates)
    else:
        _none(unit, program, form)
    return None


def _named(unit: Unit, form: ast.Serving, on: ast.Reference, above: set[str]) -> Family | None:
    span = on.span if isinstance(on, ast.Name) else on.name_span
    family = find_stage(unit, on.name, span)
    if family is not None and on.name not in above:
        unit.findings.report(
            "SQ206",
            f"the stage `{on.name}` is declared below `{form.role} on {on.name}`; a serving form "
            "names a stage declared above it",
            span,
            notes=[Note(f"`{on.name}` is declared here", family.span)],
            help=f"move the declaration of `{on.name}` above the session",
        )
        return None
    return family


def _none(unit: Unit, program: ast.Program, form: ast.Serving) -> None:
    role = form.role
    below = [stage for stage in program.stages[form.declared :] if _plays(stage, role)]
    named = " or ".join(f"`{name}`" for name in names_of(role))
    engine = ", or one step engine," if role in ENGINE_ROLES else ""
    unit.findings.report(
        "SQ114",
        f"no stage above plays `{role}`; that is a stage named {named}{engine} declared above",
        form.role_span,
        notes=[Note(f"`{stage.name}` is declared below", stage.name_span) for stage in below[:1]],
        help=f"name the stage: `{role} on STAGE (…)`",
    )


def _plays(stage: ast.Stage, role: str) -> bool:
    engine = role in ENGINE_ROLES and isinstance(stage.kind, ast.Step)
    return engine or stage.name in names_of(role)


def _several(unit: Unit, form: ast.Serving, candidates: list[ast.Stage]) -> None:
    listed = " and ".join(f"`{stage.name}`" for stage in candidates[:4])
    notes = [Note(f"`{stage.name}` is declared here", stage.name_span) for stage in candidates[:4]]
    unit.findings.report(
        "SQ115",
        f"{listed} each play `{form.role}`; the form needs one stage",
        form.role_span,
        notes=notes,
        help=f"name the stage: `{form.role} on {candidates[0].name} (…)`",
    )


def mode_at(unit: Unit, form: ast.Serving, stage: Family) -> str:
    """The role's mode on a step engine, `plain` elsewhere."""
    kind = unit.names.stage_declarations[stage.name].kind
    return form.role if isinstance(kind, ast.Step) and form.role in ENGINE_ROLES else "plain"


def place_of(form: ast.Serving) -> Span:
    """Where the form names its stage."""
    return form.role_span if form.on is None else form.on.span
