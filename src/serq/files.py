"""Files that are whole or as they were: written under another name beside, then renamed.

A link stays and what it leads to is written; a device or a pipe is never renamed over, and gets
what was written elsewhere. Depends on diagnostics.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path
from shutil import copyfileobj
from tempfile import mkstemp

from serq.diagnostics import Diagnostic, SerqError, refused


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A file to write instead of `path`, which it becomes when nothing went wrong.

    It lies in the same folder, so that what is read beside `path` is found beside it, and has its
    suffix. Raises `SerqError` (SQ704) when it can not be written.
    """
    try:
        special = _is_special(Path(path))
        target = Path(path) if special else Path(path).resolve()
        folder = None if special else target.parent
        descriptor, name = mkstemp(prefix=".serq-", suffix=target.suffix, dir=folder)
        os.close(descriptor)
        staged = Path(name)
        try:
            yield staged
            if special:
                with staged.open("rb") as written, target.open("wb") as stream:
                    copyfileobj(written, stream)
            else:
                staged.chmod(_mode(target))
                staged.replace(target)
        finally:
            staged.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None


def check(path: str | os.PathLike[str]) -> None:
    """Raise `SerqError` (SQ704) when a file can not be made there: said before a long run."""
    target = Path(path).resolve()
    try:
        if target.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder")
        if _is_special(Path(path)):
            return
        descriptor, name = mkstemp(prefix=".serq-", dir=target.parent)
        os.close(descriptor)
        Path(name).unlink()
    except OSError as error:
        raise _unwritable(path, error) from None


def _is_special(target: Path) -> bool:
    """Whether there is something that is no file and no folder, such as `/dev/null`."""
    return target.exists() and not target.is_file() and not target.is_dir()


def _mode(target: Path) -> int:
    """The permissions of a file that is there, or those that new files of this process have."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _unwritable(path: str | os.PathLike[str], error: OSError) -> SerqError:
    name = os.fspath(path)
    message = f"`{name}` can not be written: {refused.reason(error)}"
    hint = refused.writing(name, error)
    return SerqError([Diagnostic("SQ704", message, help=hint, file=name)])
