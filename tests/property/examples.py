"""How many random examples a test tries.

The same ones on every run and machine. To look further, `SERQ_EXAMPLES=5000 pytest tests/property
--hypothesis-seed=7` tries so many others.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings


def examples(usual: int) -> settings:
    """`usual` examples, or as many as asked for."""
    wanted = os.environ.get("SERQ_EXAMPLES")
    return settings(
        max_examples=int(wanted or usual),
        derandomize=wanted is None,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
