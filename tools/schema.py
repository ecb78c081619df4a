"""Write the JSON Schema of the IR: `python -m tools.schema`.

The schema is made of the shapes in `serq.ir`; run this after a change there. A test says when the
file is out of date.
"""

from __future__ import annotations

import json
from pathlib import Path

from serq.ir.schema import schema

FILE = Path(__file__).parents[1] / "docs" / "ir.schema.json"


def text() -> str:
    """The file as it should be."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    print(FILE.relative_to(FILE.parents[1]))
