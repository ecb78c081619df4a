"""The TextMate grammar of serQ, which editors and code hosts read.

It is the table of `serq.highlight.rules`, and nothing more: what is generated lies in the
repository for those who have no Python. Depends on the rules.
"""

from __future__ import annotations

from serq.highlight.rules import RULES, SPANS, Category, Rule, Span

SCOPE = "source.serq"

Pattern = dict[str, object]


def grammar() -> dict[str, object]:
    """The grammar, as the JSON of a `.tmLanguage.json` file."""
    patterns = [*map(_rule, RULES[:2]), *map(_span, SPANS), *map(_rule, RULES[2:])]
    return {
        "information_for_contributors": "Made by `python -m tools.grammar`; edit "
        "src/serq/highlight/rules.py instead.",
        "name": "serQ",
        "scopeName": SCOPE,
        "fileTypes": ["sq"],
        "patterns": patterns,
    }


def _scope(category: Category) -> str:
    return f"{category.value}.serq"


def _rule(rule: Rule) -> Pattern:
    if len(rule.groups) == 1:
        return {"name": _scope(rule.groups[0]), "match": rule.pattern}
    captures = {
        str(number): {"name": _scope(category)}
        for number, category in enumerate(rule.groups, start=1)
        if category is not Category.BLANK
    }
    return {"match": rule.pattern, "captures": captures}


def _span(span: Span) -> Pattern:
    return {"name": _scope(span.category), "begin": span.begin, "end": span.end}
