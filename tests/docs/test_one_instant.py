"""The page on what happens at one instant: every rule is a sentence with its case."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.pages import read

RULE = re.compile(r"^(?P<number>\d+)\. +(?P<text>.+?)(?=^\d+\. |^## |\Z)", re.M | re.S)
CASE = re.compile(r"\[case\]\(\.\./(?P<page>conformance/\S+\.md)#(?P<anchor>\S+)\)$")


def test_every_rule_is_a_sentence_with_a_case_of_its_own(repository: Path) -> None:
    page = read(repository / "docs" / "one-instant.md")
    rules = list(RULE.finditer(page.prose()))
    assert [int(rule["number"]) for rule in rules] == list(range(1, len(rules) + 1))
    assert len(rules) >= 40
    cases = []
    for rule in rules:
        text = " ".join(rule["text"].split())
        sentence, _, _ = text.partition(" [case]")
        assert sentence.endswith("."), text
        assert sentence.count(". ") == 0, f"one sentence: {text}"
        case = CASE.search(text)
        assert case is not None, text
        assert case["anchor"] in read(repository / case["page"]).anchors(), text
        cases.append((case["page"], case["anchor"]))
    assert len(set(cases)) == len(cases)


def test_rules_that_are_named_are_there(repository: Path) -> None:
    text = read(repository / "docs" / "one-instant.md").text
    named = {int(number) for number in re.findall(r"\(rule (\d+)\)", text)}
    assert named
    assert max(named) <= len(RULE.findall(text))
