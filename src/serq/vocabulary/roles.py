"""The roles a queue may play, and the entry each has (contract §2, *Queues*).

The roles and the signatures of their entries are the language's; a program declares queues.
"""

from __future__ import annotations

from serq.records import Record


class Role(Record):
    """A role and the verb of its entry."""

    name: str
    verb: str
    parameters: int
    """How many parameters the entry has."""
    takes_source: bool
    """Whether a second entry may name a source with `from`."""
    example: str
    """The entry as it is written."""


ROLES: dict[str, Role] = {
    row.name: row
    for row in (
        Role("gateway", "route", 0, takes_source=False, example="route { … }"),
        Role("prefill", "prefill", 1, takes_source=False, example="prefill (prompt) { … }"),
        Role("decode", "decode", 1, takes_source=True, example="decode (prompt) { … }"),
        Role("link", "transfer", 1, takes_source=False, example="transfer (n) { … }"),
    )
}

VERBS: dict[str, Role] = {role.verb: role for role in ROLES.values()}

QUEUE_PARTS: tuple[str, ...] = ("pool", "serve", "nic")
"""What a queue declares before its entries."""

SERVING_WORDS: tuple[str, ...] = ("prefill", "decode", "link", "gateway", "transfer", "tool")
"""Words that begin or name something else where a queue is called: no queue has such a name."""
