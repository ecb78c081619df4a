"""Write the TextMate grammar of the VS Code extension: `python -m tools.grammar`.

The grammar is made of `serq.highlight.rules`, and so of the words of `serq.vocabulary`; run this
after a change there. A test says when the file is out of date.
"""

from __future__ import annotations

import json
from pathlib import Path

from serq.highlight.textmate import grammar

FILE = Path(__file__).parents[1] / "editors" / "vscode" / "syntaxes" / "serq.tmLanguage.json"


def text() -> str:
    """The file as it should be."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    print(FILE.relative_to(FILE.parents[3]))
