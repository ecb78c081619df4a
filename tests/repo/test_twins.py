"""Every C++ twin names its Python file, and both have the same public functions."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

# Python dispatches by tables and drives; these folders of C++ have no twin.
WITHOUT_TWIN = {"binding", "tests"}
TWIN_OF = re.compile(r"// Twin of (?P<path>\S+\.py)\.(?:\s|$)")
FUNCTION = re.compile(r"^(?!using|return|else)[A-Za-z_][\w:<>,&* ]*?[ &*](?P<name>[a-z]\w*)\(")
TYPE = re.compile(r"^(?:class|struct) (?P<name>\w+) (?:final )?\{")
METHOD = re.compile(r"^  (?!explicit|using|return)[A-Za-z_][\w:<>,&* ]*?[ &*](?P<name>[a-z]\w*)\(")


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


def test_twins_have_the_same_public_names(repository: Path) -> None:
    headers = [path for path in cpp_files(repository) if path.suffix == ".hpp"]
    assert headers
    for path in headers:
        python = repository / twin(path)
        cpp_names = public_cpp(path.read_text(encoding="utf-8"))
        assert cpp_names == public_python(python.read_text(encoding="utf-8")), path.name


def test_the_build_lists_every_cpp_file(repository: Path) -> None:
    listed = (repository / "CMakeLists.txt").read_text(encoding="utf-8")
    for path in cpp_files(repository):
        if path.suffix == ".cpp":
            assert str(path.relative_to(repository)) in listed
    for path in sorted((repository / "cpp" / "tests").glob("*_test.cpp")):
        name = path.name.removesuffix("_test.cpp")
        assert re.search(rf"foreach\(name IN ITEMS [\w ]*\b{name}\b", listed), path.name
