import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serq.diagnostics import Diagnostic, SerqError, Source
from serq.ir import json_text

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64), 2**64)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def parse(text: str) -> json_text.Json:
    return json_text.parse(Source("a.json", text))


def refusal(text: str) -> Diagnostic:
    with pytest.raises(SerqError) as caught:
        parse(text)
    (found,) = caught.value.diagnostics
    return found


@given(values)
def test_reads_what_the_standard_library_writes(value: Any) -> None:
    assert parse(json.dumps(value)) == value
    assert parse(json.dumps(value, ensure_ascii=False, indent=1)) == value


@given(values)
def test_reads_what_it_writes_and_so_does_the_standard_library(value: Any) -> None:
    text = json_text.write(value)
    assert parse(text) == value
    assert json.loads(text) == value


def test_layout_is_two_blanks_a_level_and_no_final_newline() -> None:
    text = json_text.write({"a": [1, {}, []], "b\n": {"c": -0.5}})
    assert text == (
        '{\n  "a": [\n    1,\n    {},\n    []\n  ],\n  "b\\n": {\n    "c": -0.5\n  }\n}'
    )


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("", "a.json:1:1", "expected a value, found the end of the file"),
        ("\ufeff{}", "a.json:1:1", "the file starts with a byte order mark"),
        ('{\n  "a": NaN}', "a.json:2:8", "expected a value, found `NaN`"),
        ("[Infinity]", "a.json:1:2", "expected a value, found `Infinity`"),
        ("[1,]", "a.json:1:4", "expected a value, found `]`"),
        ("[1 2]", "a.json:1:4", "expected `,` or `]`, found `2`"),
        ("[01]", "a.json:1:3", "expected `,` or `]`, found `1`"),
        ('{"a" 1}', "a.json:1:6", "expected `:`, found `1`"),
        ("{a: 1}", "a.json:1:2", "expected a key in quotes, found `a`"),
        ('{"a": 1, "a": 2}', "a.json:1:10", "the key `a` stands twice in one object"),
        ('["a\nb"]', "a.json:1:2", "expected a value, found a string that never ends"),
        ('["\\x"]', "a.json:1:3", "`\\x` is no escape of a JSON string"),
        (
            '["\\ud800"]',
            "a.json:1:2",
            "a string with half of a surrogate pair, which is no character",
        ),
        ("[1e999]", "a.json:1:2", "the number `1e999` is too large for a float"),
        ("[1] x", "a.json:1:5", "`x` after the end of the document"),
        ("[1", "a.json:1:3", "expected `,` or `]`, found the end of the file"),
    ],
)
def test_text_that_is_not_json_is_refused_with_its_place(
    text: str, where: str, message: str
) -> None:
    found = refusal(text)
    assert (found.code, found.where(), found.message) == ("SQ502", where, message)


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert parse('"\\ud83d\\ude00"') == "😀"


def test_a_long_whole_number_is_a_float_and_a_very_long_one_is_refused_at_once() -> None:
    assert parse("1" + "0" * 40) == 1e40
    start = time.perf_counter()
    assert refusal("9" * 200_000).code == "SQ502"
    assert time.perf_counter() - start < 1


def test_deep_nesting_is_read_and_absurd_nesting_is_refused_quickly() -> None:
    deep = parse("[" * 90_000 + "]" * 90_000)
    assert isinstance(deep, list)
    start = time.perf_counter()
    assert refusal("[" * 1_000_000).code == "SQ112"
    assert refusal('{"a":' * 1_000_000).code == "SQ112"
    assert time.perf_counter() - start < 5


def test_locate_finds_values_by_path() -> None:
    source = Source("a.json", '{"a": [1, {"b\\"": [true]}], "c": {}, "d": -2e1}')
    paths: set[json_text.JsonPath] = {("a",), ("a", 0), ("a", 1, 'b"', 0), ("c",), ("d",), ("e",)}
    found = json_text.locate(source, paths)
    assert {path: span.text for path, span in found.items()} == {
        ("a",): "[",
        ("a", 0): "1",
        ("a", 1, 'b"', 0): "true",
        ("c",): "{",
        ("d",): "-2e1",
    }
