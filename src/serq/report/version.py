"""The version of the report's JSON form: it moves when a member changes its name or meaning."""

from __future__ import annotations

from typing import Final

REPORT_VERSION: Final = 1
