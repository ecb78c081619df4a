"""Where a file of the repository stands on the site.

Pages get a place of their own; programs get a page that shows them; the executable definition is
shown by its chapter; any other file that a page links to is offered as it is. Depends on nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]

ERRORS = "src/serq/diagnostics/pages"
DEFINITION = "src/serq/semantics"

_ALONE = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "editors/vscode/README.md": "vscode.md",
    ERRORS: "errors/index.md",
    DEFINITION: "definition.md",
}
_FOLDERS = {
    "docs/": "",
    "conformance/": "conformance/",
    "examples/": "examples/",
    f"{ERRORS}/": "errors/",
}
_PROGRAMS = {"examples/": "examples/", "src/serq/lib/": "library/"}


@dataclass(frozen=True, slots=True)
class Target:
    """What a link leads to on the site: a path in the staged tree."""

    path: PurePosixPath
    copied: bool = False
    """Whether it is a file that is offered as it is, or a folder that is shown."""


def page(repository_path: str) -> PurePosixPath | None:
    """The staged page of a Markdown file or a program of the repository; None when it has none."""
    if repository_path in _ALONE:
        return PurePosixPath(_ALONE[repository_path])
    for folder, place in _PROGRAMS.items():
        if repository_path.startswith(folder) and repository_path.endswith(".sq"):
            path = PurePosixPath(place + repository_path.removeprefix(folder))
            return path.with_suffix(".md")
    if repository_path.startswith(f"{DEFINITION}/"):
        return PurePosixPath(_ALONE[DEFINITION])
    for folder, place in _FOLDERS.items():
        if repository_path.startswith(folder) and repository_path.endswith(".md"):
            path = PurePosixPath(place + repository_path.removeprefix(folder))
            return path.with_name("index.md") if path.name == "README.md" else path
    return None


def target(repository_path: str) -> Target | None:
    """Where a link to a file or folder of the repository leads; None when the site lacks it."""
    path = page(repository_path)
    if path is None and (ROOT / repository_path).is_dir():
        path = page(f"{repository_path.rstrip('/')}/README.md")
    if path is not None:
        return Target(path)
    if (ROOT / repository_path).is_file():
        if repository_path.startswith("docs/"):
            return Target(PurePosixPath(repository_path.removeprefix("docs/")), copied=True)
        path = PurePosixPath("files", repository_path)
        # Sphinx would look for a page.
        return Target(path.with_suffix(".md.txt") if path.suffix == ".md" else path, copied=True)
    if (ROOT / repository_path).is_dir():
        return Target(PurePosixPath("files", f"{repository_path.rstrip('/')}.md"), copied=True)
    return None


def sources() -> list[str]:
    """Every Markdown file of the repository that has a page, sorted."""
    found = [path for path in _ALONE if path.endswith(".md") and path != "README.md"]
    for folder in _FOLDERS:
        found += [str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*.md")]
    return sorted(set(found))


def programs() -> list[str]:
    """Every program of the repository that has a page, sorted."""
    paths = [path for folder in _PROGRAMS for path in (ROOT / folder).rglob("*.sq")]
    return sorted(str(path.relative_to(ROOT)) for path in paths)
