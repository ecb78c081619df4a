"""The recorded answers of the reference: a file a group, a line a program, each under 200 lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.differential.answer import Answer

RECORDED = Path(__file__).resolve().parent / "recorded"
MOST_LINES = 200


def load() -> dict[str, Answer]:
    """Every recorded answer by the name of its program."""
    answers: dict[str, Answer] = {}
    for path in sorted(RECORDED.glob("*.json")):
        answers.update(json.loads(path.read_text(encoding="utf-8")))
    return answers


def save(groups: Mapping[str, Mapping[str, Answer]]) -> None:
    """Write a file for each group and remove the files of groups that are no more."""
    RECORDED.mkdir(exist_ok=True)
    for path in RECORDED.glob("*.json"):
        if path.stem not in groups:
            path.unlink()
    for group, answers in groups.items():
        lines = [
            f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(answer, separators=(',', ':'))}"
            for name, answer in answers.items()
        ]
        if len(lines) > MOST_LINES - 2:
            raise ValueError(f"{group}: {len(lines)} programs are too many for one file")
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (RECORDED / f"{group}.json").write_text(text, encoding="utf-8")
