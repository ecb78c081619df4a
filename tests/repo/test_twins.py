"""Every C++ twin names its Python file, and what it declares has the Python's names.

A twin may have more: what Python has built in (a heap, an order of doubles), and the data that
Python keeps elsewhere. It may not have a function or a class of the language under another name.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

# Python dispatches by tables, drives, has containers built in, and takes each iteration by itself;
# these folders have no twin.
WITHOUT_TWIN = {"binding", "steady", "structures", "tests"}
TWIN_OF = re.compile(r"// Twin of (?P<path>\S+\.py)[.,;](?:\s|$)")
FUNCTION = re.compile(r"^(?!using|return|else)[A-Za-z_][\w:<>,&* ]*?[ &*](?P<name>[a-z]\w*)\(")
TYPE = re.compile(r"^(?:class|struct) (?P<name>\w+) (?:final )?\{")
METHOD = re.compile(r"^  (?!explicit|using|return)[A-Za-z_][\w:<>,&* ]*?[ &*](?P<name>[a-z]\w*)\(")

NOT_IN_CPP: dict[str, set[str]] = {
    "src/serq/ir/nodes.py": {
        # kinds of `Node`, and words
        "Number", "Attribute", "Context", "Draw", "Call", "Unary", "Binary", "Conditional",
        # labels are for people
        "Pool.label", "Stage.label",
    },
    # the sentences of errors are in Python
    "src/serq/semantics/errors.py": {"RunError.diagnostic", "standstill"},
    "src/serq/semantics/expressions.py": {
        # cases of one loop
        "do_number", "do_attribute", "do_context", "do_draw", "do_call", "do_unary", "do_binary",
        "do_conditional",
        # nothing recurses
        "depth",
    },
    "src/serq/semantics/machine.py": {"Machine"},
    # the machine knows the time
    "src/serq/semantics/scope.py": {"Scope.now"},
    # the trace comes as values by slot
    "src/serq/semantics/workload.py": {"record_sessions"},
    # signals are Python's
    "src/serq/semantics/watch.py": {"Watch.interruptible"},
    # the columns of a run are in any order
    "src/serq/stats/quantile.py": {"ascending"},
    # Python reads what the engine has counted
    "src/serq/stats/log_histogram.py": {"LogHistogram.of"},
    # what a stage does alike is in `stage.cpp`, with the kinds' exceptions
    "src/serq/semantics/stages/fifo.py": {"Fifo.busy"},
    "src/serq/semantics/stages/flows.py": {"Shared.record"},
    "src/serq/semantics/stages/step.py": {
        "Step.averages", "Step.busy", "Step.record", "StepJob", "StepJob.admission",
    },
}  # fmt: skip
"""Public names of a Python file that its twin has no use for."""


RENAMED = {"averages": "restart"}
"""Methods whose twin does by itself what the callers of the Python do with the answer."""


def cpp_files(repository: Path) -> list[Path]:
    files = sorted(
        path
        for path in (repository / "cpp").rglob("*.?pp")
        if not WITHOUT_TWIN & set(path.relative_to(repository).parts)
    )
    assert files
    return files


def twin(path: Path) -> str:
    match = TWIN_OF.match(path.read_text(encoding="utf-8"))
    if match is None:
        pytest.fail(f"{path.name} does not begin with `// Twin of FILE.py.`")
    return match["path"]


def public_cpp(header: str) -> set[str]:
    """Free functions, and `Type.method`, that a header declares."""
    names: set[str] = set()
    owner, public = "", True
    for line in header.splitlines():
        if match := TYPE.match(line):
            owner, public = match["name"], line.startswith("struct")
            names.add(owner)
        elif line.startswith("}"):
            owner = ""
        elif line in (" public:", " private:"):
            public = line == " public:"
        elif owner and public and (match := METHOD.match(line)):
            names.add(f"{owner}.{match['name']}")
        elif not owner and (match := FUNCTION.match(line)):
            names.add(match["name"])
    return names


def public_python(source: str) -> set[str]:
    """Functions, classes and `Class.method` of a module, without private ones."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names.add(node.name)
            members = [item.name for item in node.body if isinstance(item, ast.FunctionDef)]
            names |= {f"{node.name}.{name}" for name in members if not name.startswith("_")}
    return {name for name in names if not name.startswith("_")}


def test_every_cpp_file_has_its_python_twin(repository: Path) -> None:
    for path in cpp_files(repository):
        python = repository / twin(path)
        assert python.exists(), f"{path.name} names {python}"
        assert python.stem == path.stem


def test_every_rule_of_the_definition_has_its_twin(repository: Path) -> None:
    twins = {twin(path) for path in cpp_files(repository)}
    semantics = repository / "src" / "serq" / "semantics"
    rules = {str(path.relative_to(repository)) for path in semantics.rglob("*.py")}
    assert {rule for rule in rules if not rule.endswith("__init__.py")} - twins == set()


def test_a_twin_has_the_names_of_its_python(repository: Path) -> None:
    """What a stage kind or a machine does is a free function or a method, as suits the language."""
    missing: dict[str, set[str]] = {}
    for path in cpp_files(repository):
        if path.suffix == ".hpp":
            python = twin(path)
            wanted = public_python((repository / python).read_text(encoding="utf-8"))
            wanted -= NOT_IN_CPP.get(python, set())
            bare = {
                RENAMED.get(name, name) for name in (each.rpartition(".")[2] for each in wanted)
            }
            text = path.read_text(encoding="utf-8") + implementations(path)
            absent = {name for name in bare if not re.search(rf"\b{name}\b", text)}
            if absent:
                missing[path.name] = absent
    assert missing == {}


def implementations(header: Path) -> str:
    """The text beside a header that implements it."""
    source = header.with_suffix(".cpp")
    return source.read_text(encoding="utf-8") if source.exists() else ""


def test_the_build_lists_every_cpp_file(repository: Path) -> None:
    listed = (repository / "CMakeLists.txt").read_text(encoding="utf-8")
    for path in sorted((repository / "cpp").rglob("*.cpp")):
        if "tests" not in path.parts:
            assert str(path.relative_to(repository)) in listed
    for path in sorted((repository / "cpp" / "tests").glob("*_test.cpp")):
        name = path.name.removesuffix("_test.cpp")
        assert re.search(rf"foreach\(name IN ITEMS [\w ]*\b{name}\b", listed), path.name
