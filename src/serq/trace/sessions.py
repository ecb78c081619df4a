"""Which requests of a log are turns of one session, and what each adds to its prompt.

A request is the next turn of a session when its prompt contains what the session has said so
far: it is longer than the prompt and the answer of the turn before, and it belongs to the same
conversation. `new` is what it adds, so that prompt = earlier prompts and answers + `new` holds for
every turn as in the log; a prompt that starts over starts a session.

A log names conversations, or tells them by the content of the prompt, an id a block. Then a
session is continued by a request that begins with all full blocks of its last prompt, provided
the last of those blocks is no other session's too (a common system prompt says nothing), and
that it was sent later. What the ids say and sessions can not keep is counted: `Reuse`.

Depends on `serq.trace.logs`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from serq.trace.logs.request import Request

_SHARED = -1


class Row(NamedTuple):
    """A line of a trace: the session's number, and the turn's; times in nanoseconds."""

    session: int
    turn: int
    new: int
    out: int
    think: int
    arrival: int


@dataclass(slots=True)
class Reuse:
    """Prompt tokens of a log with block ids: all, those whose block an earlier request had, and
    those that are context of the request's session.
    """

    prompt: int = 0
    repeated: int = 0
    kept: int = 0


class _Last(NamedTuple):
    """The last turn of a session."""

    turn: int
    sent: int
    answered: int | None
    context: int  # tokens of prompt and answer
    blocks: int  # full ones of the prompt


class Sessions:
    """The sessions of a log, request by request in the order of their times."""

    def __init__(self) -> None:
        self.arrivals = array("q")
        self.last: list[_Last] = []
        self.open: dict[str, int] = {}  # the session of a conversation
        self.owners: dict[int, int] = {}  # of a block: the session, or `_SHARED`
        self.tips: dict[int, int] = {}  # the last full block of a session's last prompt
        self.session, self.turn = array("q"), array("q")
        self.new, self.out, self.think = array("q"), array("q"), array("q")
        self.overlaps = 0
        self.restarts = 0
        self.reuse = Reuse()

    def add(self, request: Request) -> None:
        """Take a request into account, which is not earlier than the one before."""
        known = self._count(request)
        found = self._continued(request)
        if found is None:
            found = len(self.arrivals)
            self.arrivals.append(request.sent)
            for block in request.blocks[:known]:
                self.owners[block] = _SHARED
            turn, new, think = 0, request.prompt, 0
            self.last.append(_Last(0, 0, None, 0, 0))
        else:
            before = self.last[found]
            turn, new = before.turn + 1, request.prompt - before.context
            think = request.sent - (before.sent if before.answered is None else before.answered)
            self.overlaps += think < 0
            self.reuse.kept += min(before.context, request.prompt)
        for block in request.blocks[known:]:
            self.owners[block] = found
        self._note(found, turn, request)
        for column, value in (
            (self.session, found),
            (self.turn, turn),
            (self.new, new),
            (self.out, request.answer),
            (self.think, max(think, 0)),
        ):
            column.append(value)

    def _count(self, request: Request) -> int:
        """How many of the blocks, from the first on, earlier requests had."""
        if not request.blocks:
            return 0
        known = 0
        while known < len(request.blocks) and request.blocks[known] in self.owners:
            known += 1
        self.reuse.prompt += request.prompt
        self.reuse.repeated += min(known * request.block_tokens, request.prompt)
        return known

    def _continued(self, request: Request) -> int | None:
        """The session whose next turn the request is."""
        if request.session is not None:
            found = self.open.get(request.session)
            if found is not None and request.prompt <= self.last[found].context:
                self.restarts += 1
                return None
            return found
        for at in range(len(request.blocks) - 1, -1, -1):
            block = request.blocks[at]
            found = self.tips.get(block)
            if found is None or self.owners.get(block) == _SHARED:
                continue
            last = self.last[found]
            if last.blocks == at + 1 and request.prompt > last.context and request.sent > last.sent:
                return found
        return None

    def _note(self, session: int, turn: int, request: Request) -> None:
        """The request is the session's last turn now."""
        full = 0
        if request.session is not None:
            self.open[request.session] = session
        elif request.blocks:
            full = min(request.prompt // request.block_tokens, len(request.blocks))
            if full:
                self.tips[request.blocks[full - 1]] = session
        context = request.prompt + request.answer
        self.last[session] = _Last(turn, request.sent, request.answered, context, full)

    def rows(self) -> Iterator[Row]:
        """The turns, session by session in the order of their arrivals."""
        order = sorted(range(len(self.session)), key=self.session.__getitem__)
        for at in order:
            session = self.session[at]
            yield Row(
                session,
                self.turn[at],
                self.new[at],
                self.out[at],
                self.think[at],
                self.arrivals[session],
            )
