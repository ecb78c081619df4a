"""Scenarios as files: JSON with one scenario, or with many in columns.

One scenario is an object with `name`, `config`, `clock`, `requests` and, where it was recorded,
`version`, `also`, `totals` and `expected`. Many are an object with `scenarios`, whose requests
and outcomes are rows under the file's `request_columns` and `expected_columns`.

Depends on the JSON reader, which knows the places of a document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, NoReturn

from serq.api.read_text import read_text
from serq.diagnostics import Diagnostic, SerqError, Source
from serq.ir import json_text
from serq.ir.json_text import Json, JsonPath
from serq.ir.shapes import describe, show_path
from serq.oracle.scenario import Clock, Config, Outcome, Scenario, Totals, Turn

MOST: Final = 2**31 - 1
"""The largest number of tokens, blocks or requests of a scenario."""

LATEST: Final = 1e9
"""The largest time of a scenario, in its clock."""

_LONGEST_NAME: Final = 100
_EXPECTED: Final = (
    "a file of scenarios is JSON with `config`, `clock` and `requests`, or many of them in "
    "`scenarios`; `serq oracle generate` writes one"
)
_COLUMNS: Final = ("session", "turn", "new", "out", "think", "forced")


def read_scenarios(path: str | PathLike[str]) -> list[Scenario]:
    """The scenarios of a file.

    Raises `SerqError`: SQ703 when it can not be read, SQ502 when it is no JSON, SQ706 when it
    is no scenario.
    """
    name = fspath(path)
    source = Source(name, read_text(Path(path), name))
    stem = re.sub(r"[^\w .+-]", "_", Path(path).stem)[:_LONGEST_NAME]
    try:
        document = json_text.parse(source)
    except SerqError as refused:
        raise SerqError([replace(each, help=_EXPECTED) for each in refused.diagnostics]) from None
    return _Reading(source).document(document, stem)


class _Reading:
    """A file being read: its text, in which the first thing that is wrong is shown."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def document(self, json: Json, stem: str) -> list[Scenario]:
        """One scenario or many."""
        document = self.object(json, ())
        if "scenarios" not in document:
            return [self.scenario(document, (), document, stem)]
        rows = self.array(document["scenarios"], ("scenarios",))
        return [
            self.scenario(self.object(row, ("scenarios", at)), ("scenarios", at), document, stem)
            for at, row in enumerate(rows)
        ]

    def scenario(
        self, json: Mapping[str, Json], path: JsonPath, document: Mapping[str, Json], stem: str
    ) -> Scenario:
        """One scenario, whose columns and version the document may state."""
        columns = self.words(document.get("request_columns", list(_COLUMNS)), ("request_columns",))
        rows = self.array(self.member(json, "requests", path), (*path, "requests"))
        turns = tuple(
            self.turn(self.row(row, columns, (*path, "requests", at)), (*path, "requests", at))
            for at, row in enumerate(rows)
        )
        scenario = Scenario(
            name=self.label(json.get("name", stem), (*path, "name")),
            config=self.config(self.member(json, "config", path), (*path, "config")),
            clock=self.clock(self.member(json, "clock", path), (*path, "clock")),
            turns=turns,
            version=self.label(document.get("version", ""), ("version",)),
            also=tuple(self.words(document.get("also", []), ("also",))),
            description=self.text(json.get("description", ""), (*path, "description")),
            reserve_full_prompt=self.truth(json.get("reserve_full_prompt", True), path),
            expected=self.outcomes(json, path, document),
            totals=self.totals(json, path),
        )
        self.check(scenario, path)
        return scenario

    def config(self, json: Json, path: JsonPath) -> Config:
        """The settings of the engine."""
        given = self.object(json, path)
        least = {"long_prefill_token_threshold": 0, "num_gpu_blocks": 2}
        numbers = {
            each.name: self.whole(self.member(given, each.name, path), (*path, each.name),
                                  least.get(each.name, 1))
            for each in fields(Config)
            if each.name != "enable_prefix_caching"
        }  # fmt: skip
        if numbers["max_num_batched_tokens"] < numbers["max_num_seqs"]:
            self.refuse(path, "should have a `max_num_batched_tokens` of at least `max_num_seqs`")
        caching = self.truth(given.get("enable_prefix_caching", True), path)
        return Config(**numbers, enable_prefix_caching=caching)

    def clock(self, json: Json, path: JsonPath) -> Clock:
        """The cost of an iteration; it must last."""
        given = self.object(json, path)
        for key in given:
            if key not in {each.name for each in fields(Clock)}:
                self.refuse((*path, key), "is no term of the clock; these are c, d, e, a and b")
        terms = {key: self.number(value, (*path, key)) for key, value in given.items()}
        if not terms.get("c", 0.0) > 0.0:
            self.refuse(path, "should have a `c` above 0, what every iteration lasts")
        return Clock(**terms)

    def turn(self, row: Mapping[str, Json], path: JsonPath) -> Turn:
        """One request."""
        least = {"session": 0, "turn": 0, "new": 1, "out": 1, "forced": 0}
        numbers = {
            key: self.whole(row.get(key, 0), (*path, key), bound) for key, bound in least.items()
        }
        return Turn(**numbers, think=self.number(row.get("think", 0), (*path, "think")))

    def outcomes(
        self, json: Mapping[str, Json], path: JsonPath, document: Mapping[str, Json]
    ) -> tuple[Outcome, ...]:
        """What was recorded of each request, when anything was."""
        columns = self.words(document.get("expected_columns", []), ("expected_columns",))
        found = []
        for at, row in enumerate(self.array(json.get("expected", []), (*path, "expected"))):
            here = (*path, "expected", at)
            found.append(self.outcome(self.row(row, columns, here), here))
        return tuple(found)

    def outcome(self, given: Mapping[str, Json], path: JsonPath) -> Outcome:
        """What was recorded of one request; steps and later admissions may be missing."""

        def moment(key: str) -> float:
            return self.number(self.member(given, key, path), (*path, key))

        def count(key: str) -> int:
            return self.whole(self.member(given, key, path), (*path, key), 0)

        def step(key: str) -> int | None:
            return self.whole(given[key], (*path, key), 1) if key in given else None

        again = None
        if "readmit_cached" in given:
            here = (*path, "readmit_cached")
            listed = self.array(given["readmit_cached"], here)
            again = tuple(self.whole(each, (*here, at), 0) for at, each in enumerate(listed))
        return Outcome(
            sent=moment("sent"),
            admitted=moment("admitted"),
            first=moment("first"),
            last=moment("last"),
            cached=count("cached"),
            preemptions=count("preemptions"),
            found_again=None if again is None else sum(again),
            readmit_cached=again,
            admitted_step=step("admitted_step"),
            first_step=step("first_step"),
            last_step=step("last_step"),
        )

    def totals(self, json: Mapping[str, Json], path: JsonPath) -> Totals | None:
        """The totals, when they were recorded."""
        if "totals" not in json:
            return None
        here = (*path, "totals")
        given = self.object(json["totals"], here)
        counts = {
            key: self.whole(self.member(given, key, here), (*here, key), 0)
            for key in ("iterations", "preemptions", "evicted_blocks")
        }
        return Totals(**counts, end=self.number(self.member(given, "end", here), (*here, "end")))

    def check(self, scenario: Scenario, path: JsonPath) -> None:
        """Requests in order, each of which an empty engine can hold."""
        here = (*path, "requests")
        if not scenario.turns:
            self.refuse(here, "should have a request")
        known: set[int] = set()
        for session in scenario.sessions:
            if session[0].session in known or [t.turn for t in session] != [*range(len(session))]:
                self.refuse(here, f"should list session {session[0].session} once, its turns "
                            "from 0 on")  # fmt: skip
            known.add(session[0].session)
        room = scenario.config.usable_tokens
        for at, (turn, prompt) in enumerate(scenario.prompts()):
            if prompt + turn.out - 1 > room:
                needed = f"needs {prompt + turn.out - 1} tokens of KV"
                self.refuse((*here, at), f"{needed}, more than the {room} that the engine has")
        if scenario.expected and len(scenario.expected) != len(scenario.turns):
            found = f"{len(scenario.expected)} for {len(scenario.turns)} requests"
            self.refuse((*path, "expected"), f"should have an outcome a request, but has {found}")

    # --- values ----------------------------------------------------------------------

    def refuse(self, path: JsonPath, why: str) -> NoReturn:
        """Raise SQ706 for the value at `path`, or the nearest one above that is there."""
        paths = {path[:length] for length in range(len(path) + 1)}
        places = json_text.locate(self.source, paths)
        span = next(
            (places[path[:n]] for n in range(len(path), -1, -1) if path[:n] in places), None
        )
        message = f"`{show_path(path)}` {why}"
        help = None if path else _EXPECTED
        raise SerqError([Diagnostic("SQ706", message, span, file=self.source.name, help=help)])

    def member(self, json: Mapping[str, Json], key: str, path: JsonPath) -> Json:
        """A member that must be there."""
        if key not in json:
            self.refuse(path, f"should have `{key}`")
        return json[key]

    def object(self, json: Json, path: JsonPath) -> dict[str, Json]:
        """An object."""
        if not isinstance(json, dict):
            self.refuse(path, f"should be an object, but is {describe(json)}")
        return json

    def array(self, json: Json, path: JsonPath) -> list[Json]:
        """An array."""
        if not isinstance(json, list):
            self.refuse(path, f"should be an array, but is {describe(json)}")
        return json

    def row(self, json: Json, columns: Sequence[str], path: JsonPath) -> Mapping[str, Json]:
        """An object, or an array under the names of its columns."""
        if isinstance(json, list) and len(json) == len(columns):
            return dict(zip(columns, json, strict=True))
        return self.object(json, path)

    def words(self, json: Json, path: JsonPath) -> list[str]:
        """An array of texts."""
        return [self.text(each, path) for each in self.array(json, path)]

    def text(self, json: Json, path: JsonPath) -> str:
        """A text."""
        if not isinstance(json, str):
            self.refuse(path, f"should be a text, but is {describe(json)}")
        return json

    def label(self, json: Json, path: JsonPath) -> str:
        """A name, which the program of the scenario shows."""
        text = self.text(json, path)
        if len(text) > _LONGEST_NAME or re.fullmatch(r"[\w .+-]*", text) is None:
            self.refuse(path, "should be a short name of letters, digits and `_ . + -`")
        return text

    def truth(self, json: Json, path: JsonPath) -> bool:
        """A truth value."""
        if not isinstance(json, bool):
            self.refuse(path, f"should be true or false, but is {describe(json)}")
        return json

    def whole(self, json: Json, path: JsonPath, least: int) -> int:
        """A whole number within the bounds."""
        value: Any = json
        if isinstance(json, bool) or not isinstance(json, int) or not least <= json <= MOST:
            self.refuse(path, f"should be a whole number from {least} on, but is {describe(json)}")
        return int(value)

    def number(self, json: Json, path: JsonPath) -> float:
        """A number from 0 on."""
        if isinstance(json, bool) or not isinstance(json, (int, float)):
            self.refuse(path, f"should be a number, but is {describe(json)}")
        if not 0 <= json <= LATEST:
            self.refuse(path, f"should be from 0 to {LATEST:g}, but is {describe(json)}")
        return float(json)
