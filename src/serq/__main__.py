"""Where the command `serq` begins, and `python -m serq`.

Loading the command takes a good part of a short one's time. Ctrl-C in that time ends it as Ctrl-C
later does, without a traceback; the handler is set before anything else is loaded.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130

FEWER_COLLECTIONS = 50_000
"""New objects after which Python looks for garbage: loading makes many, and hardly any is that."""


def main() -> NoReturn:
    """The command `serq`."""
    gc.set_threshold(FEWER_COLLECTIONS)
    before = signal.getsignal(signal.SIGINT)
    try:
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)
        from serq.cli.main import command_status

        signal.signal(signal.SIGINT, before)
        sys.exit(command_status())
    except KeyboardInterrupt:
        _leave(signal.SIGINT, None)


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """End at once. Nothing is open yet, and an import that is broken off may say anything."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
