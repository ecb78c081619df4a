"""Convert the Azure LLM inference trace 2023 to serQ's trace CSV.

    python convert_azure.py AzureLLMInferenceTrace_conv.csv azure2023_conv.csv

Every request becomes a session of one turn: `new` is its `ContextTokens`, `out` its
`GeneratedTokens`, and `think` the time in seconds from the first request of the trace to this
one, to the millisecond. A program that starts all sessions at time 0 and lets each wait
`think` before it sends its request therefore replays the trace at its own arrival times.
"""

from __future__ import annotations

import csv
import sys
from datetime import datetime
from pathlib import Path

HEADER = """\
# Azure LLM inference trace 2023, conversation: {count} requests of {minutes:.0f} minutes.
# Origin: AzurePublicDataset, AzureLLMInferenceTrace_conv.csv (Patel et al., Splitwise, ISCA 2024).
# Licence: CC-BY 4.0. Converted by convert_azure.py: think = seconds since the first request.
session,turn,new,out,think
"""


def convert(source: Path, target: Path) -> None:
    """Write `target` from `source`; the rows must be in the order of their times."""
    with source.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    # The trace writes seven decimals; Python's clock has six.
    times = [datetime.fromisoformat(row["TIMESTAMP"][:26]) for row in rows]
    offsets = [(time - times[0]).total_seconds() for time in times]
    with target.open("w", newline="", encoding="utf-8") as file:
        file.write(HEADER.format(count=len(rows), minutes=offsets[-1] / 60))
        for number, (row, offset) in enumerate(zip(rows, offsets, strict=True)):
            file.write(f"{number},1,{row['ContextTokens']},{row['GeneratedTokens']},{offset:.3f}\n")


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
