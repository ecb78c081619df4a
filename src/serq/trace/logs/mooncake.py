"""Mooncake (Qin et al., FAST 2025): JSON lines, a request a line.

`timestamp` is in milliseconds, `input_length` and `output_length` are the tokens of prompt and
answer, `hash_ids` has an id for each block of 512 tokens of the prompt: equal ids mean that the
prompts are equal up to the end of that block. Which requests are turns of one session is told by
these ids (`serq.trace.sessions`). There are no times of answers. Depends on the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from serq.diagnostics import SerqError
from serq.trace.logs import guess
from serq.trace.logs.document import decode
from serq.trace.logs.log import Log
from serq.trace.logs.request import MOST_SECONDS, Request, nanoseconds
from serq.trace.logs.table import MOST_TOKENS

BLOCK_TOKENS: Final = 512
_MILLISECONDS: Final = 1000


def read(log: Log) -> Iterator[Request]:
    """The requests, in the order of the lines."""
    log.linked = True
    for line in log.lines():
        try:
            record = decode(line)
        except ValueError as error:
            help = guess.hint(line, "mooncake")
            reason = getattr(error, "msg", str(error)).lower()
            raise log.refuse(f"this is no line of JSON: {reason}", help) from None
        if not isinstance(record, dict):
            raise log.refuse("a request is an object", guess.hint(line, "mooncake"))
        yield Request(
            _sent(log, record),
            _tokens(log, record, "input_length"),
            _tokens(log, record, "output_length"),
            blocks=_blocks(log, record),
            block_tokens=BLOCK_TOKENS,
        )


def _sent(log: Log, record: dict[str, Any]) -> int:
    wanted = f"a time in milliseconds, at most {MOST_SECONDS} s"
    found = nanoseconds(_number(log, record, "timestamp", wanted), a_second=_MILLISECONDS)
    if found is None:
        raise _refuse(log, record, "timestamp", wanted)
    return found


def _tokens(log: Log, record: dict[str, Any], name: str) -> int:
    wanted = "a number of tokens, whole and not negative"
    value = _number(log, record, name, wanted)
    if not 0 <= value <= MOST_TOKENS or value != int(value):
        raise _refuse(log, record, name, wanted)
    return int(value)


def _number(log: Log, record: dict[str, Any], name: str, wanted: str) -> Decimal:
    value = record.get(name)
    if type(value) is int:
        return Decimal(value)
    if isinstance(value, Decimal) and value.is_finite():
        return value
    raise _refuse(log, record, name, wanted)


def _blocks(log: Log, record: dict[str, Any]) -> tuple[int, ...]:
    ids = record.get("hash_ids", [])
    if not isinstance(ids, list) or not all(type(each) is int for each in ids):
        raise _refuse(log, record, "hash_ids", "an array of whole numbers")
    return tuple(ids)


def _refuse(log: Log, record: dict[str, Any], name: str, wanted: str) -> SerqError:
    if name not in record:
        return log.refuse(f"the request has no `{name}`", guess.hint(log.line, "mooncake"))
    start = max(log.line.find(f'"{name}"'), 0)
    message = f"`{name}` is {wanted}, not `{str(record[name])[:30]}`"
    return log.refuse(message, start=start, end=start + len(name) + 2)
