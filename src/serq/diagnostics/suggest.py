"""The nearest known name to a misspelt one.

A suggestion is made when exactly one candidate is nearest by Levenshtein distance, within
two edits (one for names under four characters); capitals and small letters are told apart only
when no candidate is the same but for them.
"""

from __future__ import annotations

from collections.abc import Iterable


def edit_distance(first: str, second: str, limit: int) -> int:
    """Levenshtein distance, or `limit + 1` as soon as it must exceed `limit`."""
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    previous = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        current = [i]
        for j, b in enumerate(second, 1):
            substitution = previous[j - 1] + (a != b)
            current.append(min(previous[j] + 1, current[j - 1] + 1, substitution))
        if min(current) > limit:
            return limit + 1
        previous = current
    return previous[-1]


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The one candidate nearest to `name`, or None when none or several are."""
    known = dict.fromkeys(candidates)
    same = [each for each in known if each != name and each.casefold() == name.casefold()]
    if len(same) == 1:
        return same[0]
    limit = 2 if len(name) >= 4 else 1
    letters = set(name)
    best: str | None = None
    best_distance = limit + 1
    for candidate in known:
        if candidate == name or len(letters.difference(candidate)) > limit:
            continue  # each letter the candidate lacks is an edit
        distance = edit_distance(name, candidate, limit)
        if distance < best_distance:
            best, best_distance = candidate, distance
        elif distance == best_distance and distance <= limit:
            best = None
    return best
