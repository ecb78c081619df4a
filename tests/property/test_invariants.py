"""What holds in every reachable state of random programs.

Allocated and cached units fit every pool and are what sessions hold and entries have; a session is
in one place; all that arrived live or have ended; time never goes back; residents stand in the
order of their admission; an iteration keeps to its budget.
"""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given

import serq
from serq.api.trace import read_program_trace
from serq.report.options import RunOptions
from serq.semantics.errors import RunError
from tests.property.checked_machine import CheckedMachine
from tests.property.examples import examples
from tests.property.kernel_programs import kernel_programs
from tests.property.programs import valid_programs


def check_every_state(source: str) -> None:
    """Run the program on a machine that checks itself."""
    program = serq.compile(source=source)
    options = RunOptions(
        trace=read_program_trace(program), spans=program.spans, limit_events=100_000
    )
    machine = CheckedMachine(program.ir, options)
    with suppress(RunError):
        machine.run()
    assert machine.checks >= machine.happened


@examples(100)
@given(valid_programs())
def test_every_state_of_a_crowded_deployment_is_sound(source: str) -> None:
    check_every_state(source)


@examples(70)
@given(kernel_programs())
def test_every_state_of_the_whole_kernel_is_sound(source: str) -> None:
    check_every_state(source)
