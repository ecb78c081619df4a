"""Strategies for what is no program: token soup, valid programs and IRs with pieces lost,
doubled, exchanged or replaced, characters nobody expects, numbers nobody means.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from conformance.loader import find_pages, load_page
from hypothesis import strategies as st

import serq
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import FUNCTIONS
from serq.vocabulary.keywords import KEYWORDS
from serq.vocabulary.moments import CONTEXT_VARIABLES
from tests.property.drawing import Draw

SUITE = Path(__file__).parents[2] / "conformance"

TOKEN = re.compile(r'"[^"]*"|[0-9][0-9._]*(?:[eE][+-]?[0-9]+)?|\w+|&&|\|\||[<>=!]=|\s+|.', re.S)

NUMBERS = [
    "0", "1", "2", "0.5", "-1", "1e308", "1e999", "1e-320", "1e10", "4096", "9007199254740993",
    "99999999999999999999", "inf", "-inf", "(0 / 0)", "1e15", "65536",
]  # fmt: skip
SIGNS = [*"(){}[],;:.=+-*/^<>!?~\"'`@#$%&|\\", "&&", "||", "<=", "==", "//", "/*", "*/"]
NAMES = ["kv", "x", "engine", "n", "K", "s", "j", "Ω", "名"]
CHARACTERS = ["\0", "\ufeff", "\u202e", "\u2028", "é", "🦜", "\x7f", "\x1c", "\r", "\ud800", "٣"]
WORDS = [
    *sorted(KEYWORDS), *CONTEXT_VARIABLES, *FUNCTIONS, *DISTRIBUTIONS, *BUILTIN_ATTRIBUTES,
    *NAMES, *NUMBERS, *SIGNS,
]  # fmt: skip

token_soup = st.lists(st.sampled_from([*WORDS, "\n", *CHARACTERS]), max_size=60).map(" ".join)


@cache
def suite_programs() -> list[str]:
    """The programs of the conformance suite that stand alone, and a few of the refused ones."""
    pages = find_pages(SUITE)
    cases = [case for page in pages for case in load_page(page) if not case.files]
    refused = [case.program for case in cases if case.expect is None]
    return [case.program for case in cases if case.expect is not None] + refused[::5]


@cache
def suite_irs() -> list[str]:
    """The IRs of those that link."""
    found = []
    for program in suite_programs():
        try:
            found.append(serq.compile(source=program).to_json())
        except serq.SerqError:
            continue
    return found


PROGRAMS = st.deferred(lambda: st.sampled_from(suite_programs()))
IRS = st.deferred(lambda: st.sampled_from(suite_irs()))


CHANGES = [
    "lose", "lose", "double", "double", "move", "move", "swap", "swap", "copy", "copy", "replace",
    "replace", "insert", "cut", "odd",
]  # fmt: skip


@st.composite
def mutated_texts(draw: Draw, base: st.SearchStrategy[str]) -> str:
    """A text with some pieces changed."""
    tokens = TOKEN.findall(draw(base))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 4]))):
        if not tokens:
            break
        start = draw(st.integers(0, len(tokens) - 1))
        end = min(len(tokens), start + draw(st.sampled_from([1, 1, 1, 2, 5, 20])))
        match draw(st.sampled_from(CHANGES)):
            case "lose":
                del tokens[start:end]
            case "double":
                tokens[start:start] = tokens[start:end]
            case "move":
                piece = tokens[start:end]
                del tokens[start:end]
                to = draw(st.integers(0, len(tokens)))
                tokens[to:to] = piece
            case "swap":
                other = draw(st.integers(0, len(tokens) - 1))
                tokens[start], tokens[other] = tokens[other], tokens[start]
            case "copy":
                tokens[start] = tokens[draw(st.integers(0, len(tokens) - 1))]
            case "replace":
                tokens[start] = draw(st.sampled_from(WORDS))
            case "insert":
                tokens.insert(start, f" {draw(st.sampled_from(WORDS))} ")
            case "cut":
                del tokens[start:]
            case "odd":
                tokens.insert(start, draw(st.sampled_from(CHARACTERS)))
    return "".join(tokens)


def broken_programs() -> st.SearchStrategy[str]:
    """Programs of the suite with a few slips."""
    return mutated_texts(PROGRAMS)


@st.composite
def odd_numbers(draw: Draw) -> str:
    """A program of the suite with other numbers in it."""
    tokens = TOKEN.findall(draw(PROGRAMS))
    places = [at for at, token in enumerate(tokens) if token[0].isdigit()]
    for _ in range(draw(st.integers(1, 3))):
        if places:
            tokens[draw(st.sampled_from(places))] = draw(st.sampled_from(NUMBERS))
    return "".join(tokens)


VALUES: list[Any] = [
    None, True, 0, 1, -1, 2, 3, 7, 99, 0.5, 1e308, -1e308, 1e-320, 2**63, 2**64, 10**30,
    "inf", "-inf", "nan", "", "Lru", "MaxMin", "Closed", "Turn", "End", "x", [], {}, [[]],
    {"Num": 1.0}, {"Num": "inf"}, {"Attr": 3}, {"Attr": -1}, {"Ctx": "Ntok"}, {"Ctx": "Waited"},
    {"Loop": 2}, {"Loop": 3}, {"Batch": 3}, {"Closed": 10**12}, {"Batch": 10**9},
    {"Poisson": 0.0}, {"Poisson": 1e300}, {"Renewal": {"Num": 1e-300}}, "ExclusivePrefill",
    {"Trace": 0.5}, {"Trace": -1.0},
    {"Sample": ["Exp", [{"Num": 1.0}]]}, {"Sample": ["Bernoulli", []]},
    {"Unary": ["Neg", {"Num": 1.0}]}, {"base": 0, "count": 1, "index": None},
    {"base": 0, "count": 2**40, "index": {"Num": 1.0}}, {"base": 9, "count": 9, "index": None},
    {"Call": ["Used", [{"Pool": {"base": 0, "count": 1, "index": None}}]]},
    {"Call": ["Min", [{"Expr": {"Num": 1.0}}]]},
    {"Binary": ["Pow", {"Num": 0.0}, {"Num": -1.0}]},
]  # fmt: skip


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Every container in the data with every key or index of it."""
    found: list[tuple[Any, Any]] = []
    pending = [data]
    while pending:
        here = pending.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here))
        for key in keys:
            found.append((here, key))
            if isinstance(here[key], dict | list):
                pending.append(here[key])
    return found


@st.composite
def broken_irs(draw: Draw) -> str:
    """An IR of the suite with data of the wrong kind, missing, doubled or exchanged."""
    data = json.loads(draw(IRS))
    for _ in range(draw(st.integers(1, 3))):
        places = _places(data)
        here, key = places[draw(st.integers(0, len(places) - 1))]
        match draw(st.sampled_from(["value", "value", "lose", "double", "other", "near"])):
            case "value":
                here[key] = deepcopy(draw(st.sampled_from(VALUES)))
            case "lose":
                del here[key]
            case "double" if isinstance(here, list):
                here.insert(key, deepcopy(here[key]))
            case "near" if isinstance(here[key], int | float):
                here[key] += draw(st.sampled_from([-1, 1, 0.5, 1000]))
            case _:
                other, other_key = places[draw(st.integers(0, len(places) - 1))]
                here[key] = deepcopy(other[other_key])
    return json.dumps(data)


def broken_ir_texts() -> st.SearchStrategy[str]:
    """The JSON of an IR with a few slips."""
    return mutated_texts(IRS)
