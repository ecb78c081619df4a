"""`python -m tests.differential.record`: record anew what the reference, pyserq 0.1.2, answers.

Nothing of ours is asked: the recorded answers are the reference's alone. Run it after a program was
added or changed, and review the difference.
"""

from __future__ import annotations

import sys

from tests.differential.answer import Answer, answer_of
from tests.differential.corpus import Placed, Subject, subjects
from tests.differential.recorded import save

VERSION = "0.1.2"
MOST_EVENTS = 20_000


def reference_answer(subject: Subject) -> Answer:
    """What the reference says of a program. Raises ValueError when it refuses it."""
    import pyserq

    with Placed(subject.program, subject.files) as path:
        program = pyserq.compile(path=path)
        report = pyserq.run(program)
    if report.events > MOST_EVENTS:
        raise ValueError(f"{subject.name}: {report.events} events are too many for a test")
    return answer_of(subject.program, program.to_json(), report)


def main() -> int:
    """Record every program; nothing is written when the reference refuses one."""
    import pyserq

    if pyserq.__version__ != VERSION:
        print(f"the reference is pyserq {VERSION}, not {pyserq.__version__}", file=sys.stderr)
        return 1
    groups: dict[str, dict[str, Answer]] = {}
    refused = 0
    for subject in subjects():
        try:
            groups.setdefault(subject.group, {})[subject.name] = reference_answer(subject)
        except ValueError as error:
            refused += 1
            print(f"{subject.name}: {error}", file=sys.stderr)
    if refused:
        return 1
    save(groups)
    print(f"{sum(map(len, groups.values()))} programs in {len(groups)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
