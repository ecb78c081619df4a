"""What is generated and checked in is current."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

import serq
from serq import native


@pytest.mark.skipif(not native.AVAILABLE, reason=str(native.MISSING))
def test_the_stub_of_the_native_module_is_current(repository: Path) -> None:
    stubgen = pytest.importorskip("nanobind.stubgen")
    from serq.native import _engine

    generator = stubgen.StubGen(_engine)
    generator.put(_engine)
    checked_in = repository / "src" / "serq" / "native" / "_engine.pyi"
    assert generator.get() == checked_in.read_text(encoding="utf-8")


def test_the_version_is_the_installed_one() -> None:
    try:
        installed = metadata.version("serq")
    except metadata.PackageNotFoundError:
        pytest.skip("serq runs from its source tree, without an installation")
    assert serq.__version__ == installed
