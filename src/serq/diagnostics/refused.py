"""What the system said when it did not read or write a file, and the way out.

Depends on suggestions.
"""

from __future__ import annotations

import errno
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Final

from serq.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from os import PathLike

AS_UTF_8: Final = "save it as UTF-8"
"""The way out for a text in another encoding."""

_FULL: Final = "free some space there, or write somewhere else"
_MOST_FILES: Final = 10_000

_READING: Final = {
    errno.EISDIR: "name a file in it",
    errno.EACCES: "change its permissions, or read it as a user who may",
    errno.EPERM: "change its permissions, or read it as a user who may",
}
_WRITING: Final = {
    errno.EISDIR: "name a file in it",
    errno.ENOTDIR: "what its path takes for a folder is a file: name another place",
    errno.EACCES: "name a place where you may write",
    errno.EPERM: "name a place where you may write",
    errno.EROFS: "name a place where you may write",
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.ENAMETOOLONG: "choose a shorter name",
}


def reason(error: OSError) -> str:
    """What the system said, as a part of a sentence."""
    return (error.strerror or str(error)).lower()


def reading(path: str | PathLike[str], error: OSError) -> str | None:
    """The way out for a file that was not read."""
    if error.errno not in (errno.ENOENT, errno.ENOTDIR):
        return _READING.get(error.errno or 0)
    file = Path(path)
    folder = file.parent
    if not folder.is_dir():
        return f"there is no folder `{folder}`"
    alike = [name for name in _files(folder) if Path(name).suffix == file.suffix]
    near = nearest(file.stem, (Path(name).stem for name in alike))
    if near is not None:
        return f"did you mean `{folder / (near + file.suffix)}`?"
    if file.is_absolute():
        return f"there is none in the folder `{folder}`"
    return f"its name is taken from the current folder, `{Path.cwd()}`"


def writing(path: str | PathLike[str], error: OSError) -> str | None:
    """The way out for a file that was not written."""
    if error.errno == errno.ENOENT:
        folder = Path(path).parent
        return f"there is no folder `{folder}`: make it, or write somewhere else"
    return _WRITING.get(error.errno or 0)


def _files(folder: Path) -> list[str]:
    """Names in a folder, as far as they are few and may be read."""
    names: list[str] = []
    try:
        for each in folder.iterdir():
            names.append(fspath(each.name))
            if len(names) == _MOST_FILES:
                break
    except OSError:
        return []
    return sorted(names)
