"""Random well-typed programs over the whole language, from a seed.

A program is made from the outside in: a `Profile` says what it has much of, a `Deployment` what
pools and stages there are, and statements and expressions are drawn for the scope they stand in,
so that nearly every program links. Sizes are small: memory is short, queues form, and a few
hundred events see growth, preemption, eviction and blocked heads meet. A program's times are
either all multiples of a quarter, so that many events fall on one instant, or anything.
"""

from tests.fuzz.programs.families import FAMILIES, WELL_TYPED, program

__all__ = ["FAMILIES", "WELL_TYPED", "program"]
