"""An answer to a program, small enough to be kept: numbers of a report, digests of the rest.

The IR and the arrays of samples are kept as digests (the beginning of SHA-256): of the IR as data
(its JSON with keys in order and every number spelled one way), of an array as little-endian
doubles. In both, -0.0 is 0.0 and there is one value that is not a number: the reference's empty
sums are -0.0, ours are not.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from conformance.answers import answers_of

RELATIVE = 1e-9
"""How far two floats of a report may be apart, of the larger one. Counts and arrays may not."""

DIGITS = 16
"""Hexadecimal digits kept of a digest: 64 bits tell a mistake as well as 256."""

Answer = dict[str, Any]


def answer_of(program_text: str, ir_json: str, report: Any) -> Answer:
    """What is kept of a run: `text` tells which program it answers."""
    answer: Answer = {
        "text": text_digest(program_text),
        "ir": _short(canonical(json.loads(ir_json)).encode()),
    }
    for key, value in answers_of(report).items():
        if key != "notes":  # the reference keeps them to its text
            answer[key] = _kept(value)
    return answer


def text_digest(program_text: str) -> str:
    """Which program it is: an answer to another text is stale."""
    return _short(program_text.encode())


def _short(data: bytes) -> str:
    return sha256(data).hexdigest()[:DIGITS]


def canonical(data: Any) -> str:
    """JSON of `data` in which equal data have one spelling."""
    return json.dumps(_spelled(data), sort_keys=True, separators=(",", ":"))


def _spelled(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _spelled(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_spelled(value) for value in data]
    if isinstance(data, float) and data.is_integer():
        return int(data)
    return data


def digest(values: Sequence[float]) -> str:
    """A digest of an array as little-endian doubles."""
    plain = (math.nan if math.isnan(value) else value + 0.0 for value in map(float, values))
    return _short(struct.pack(f"<{len(values)}d", *plain))


def _kept(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _kept(part) for key, part in value.items()}
    if isinstance(value, list):
        return digest(value)
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value


def differences(ours: Any, theirs: Any, path: str = "") -> Iterator[str]:
    """Where two answers part: one line a field."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in [*theirs, *(key for key in ours if key not in theirs)]:
            where = f"{path}.{key}" if path else key
            if key in ours and key in theirs:
                yield from differences(ours[key], theirs[key], where)
            else:
                yield f"{where}: only {'serQ' if key in ours else 'the reference'} has it"
    elif not _same(ours, theirs):
        yield f"{path}: {ours!r}, the reference has {theirs!r}"


def _same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=RELATIVE)
    return bool(ours == theirs)
