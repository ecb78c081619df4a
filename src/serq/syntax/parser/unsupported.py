"""Constructs of the contract that this version refuses: queues and what belongs to them.

Each is read over whole, so that one construct is one diagnostic, and a refusal says what to write
instead: pools, a stage and a `hold` say what a queue says. Depends on the parser's state.
"""

from __future__ import annotations

from serq.syntax.parser.state import Parser, UnparsableError
from serq.syntax.tokens import Kind, Token

_INSTEAD = "declare the pools and the stage of the queue at top level, and hold them in the session"


def unsupported(p: Parser, token: Token, what: str, instead: str = _INSTEAD) -> UnparsableError:
    """A construct is refused at its first token; the caller reads over the rest."""
    return p.mistake("SQ128", f"{what} not supported yet", token, help=instead)


def refuse_dotted(p: Parser, name: Token) -> None:
    """Refuse `QUEUE.name`, a pool, a stage or a moment of a queue."""
    if p.at(".") and p.at_kind(Kind.NAME, 1):
        raise unsupported(
            p, name, f"`{name.text}.{p.peek(1).text}` names a part of a queue: queues are"
        )
