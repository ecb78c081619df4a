"""Nothing here can run without the native engine."""

import pytest

from serq import native


@pytest.fixture(autouse=True)
def _present() -> None:
    if not native.AVAILABLE:
        pytest.skip(str(native.MISSING))
