"""The notebook of the examples runs, and shows what its programs and reports are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import serq

NOTEBOOK = Path("examples") / "notebook" / "first.ipynb"


@pytest.fixture(scope="module")
def outputs() -> list[dict[str, Any]]:
    """What the last output of each code cell holds, by type."""
    path = Path(__file__).parents[2] / NOTEBOOK
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    assert not any(cell.get("outputs") for cell in notebook.cells), "the file is kept without them"
    client = NotebookClient(notebook, timeout=120, kernel_name="python3",
                            resources={"metadata": {"path": str(path.parent)}})  # fmt: skip
    client.execute()
    return [cell.outputs[-1]["data"] for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.filterwarnings("default")  # of the notebook's own machinery
def test_a_program_is_its_figure_and_a_report_its_tables(
    outputs: list[dict[str, Any]], repository: Path
) -> None:
    program = serq.compile(repository / "examples" / "first.sq")
    assert outputs[0]["image/svg+xml"] == serq.draw(program)
    assert outputs[1]["text/html"] == serq.run(program)._repr_html_()
    usual, smaller = outputs[2]["text/plain"].strip("[]").split(", ")
    assert float(smaller) > 5 * float(usual), "less memory, later first tokens"
