"""The version of the IR's JSON form: a program written by another version is refused (SQ501)."""

from __future__ import annotations

from typing import Final

IR_VERSION: Final = 10
