"""The report of a run: what a person reads, with the names of the JSON report.

Depends on the measurements an engine filled, and on `serq.stats` for what they add up to.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from serq.diagnostics import Diagnostic
from serq.ir.nodes import Program
from serq.ir.spans import SpanTable
from serq.report.gauge import Gauge
from serq.report.measurements import Measurements
from serq.report.notes import find_notes
from serq.report.observe import Observe
from serq.report.rows import Pool, Stage, pool_rows, stage_rows

if TYPE_CHECKING:
    from os import PathLike


class Report:
    """One run: `horizon`, `end`, `warmup` in the program's clock, `seed`, counters over the
    whole run (`events`, `arrivals`) or after warm-up (`ended`, `turns`), the time average of
    live sessions `mean_live`; `observes` and `gauges` by name, `stages` and `pools` as rows.

    `engine` names the engine that ran it, `partial` says that it was interrupted at `end`,
    `samples` whether it kept its samples, and `notes` tells what the numbers do not show.
    """

    def __init__(
        self,
        measured: Measurements,
        program: Program,
        *,
        serq_version: str,
        spans: SpanTable | None = None,
    ) -> None:
        self.serq_version = serq_version
        self.engine = measured.engine
        self.partial = measured.partial
        self.samples = measured.samples
        self.horizon = measured.horizon
        self.end = measured.end
        self.warmup = measured.warmup
        self.seed = measured.seed
        self.events = measured.events
        self.arrivals = measured.arrivals
        self.ended = measured.ended
        self.turns = measured.turns
        self.mean_live = measured.mean_live
        self.observes: dict[str, Observe] = {
            observe.name: Observe(observe) for observe in measured.observes
        }
        self.gauges: dict[str, Gauge] = {
            gauge.name: Gauge(gauge, measured.warmup, measured.end, samples=measured.samples)
            for gauge in measured.gauges
        }
        self.notes: list[Diagnostic] = find_notes(measured, program, spans)
        self._measured_stages = measured.stages
        self._measured_pools = measured.pools

    @cached_property
    def stages(self) -> list[Stage]:
        """A row for each stage, in the order of the program."""
        return stage_rows(self._measured_stages, self.end - self.warmup)

    @cached_property
    def pools(self) -> list[Pool]:
        """A row for each pool, in the order of the program."""
        return pool_rows(self._measured_pools)

    def observe(self, name: str) -> Observe | None:
        """The observation `name`, or None."""
        return self.observes.get(name)

    def gauge(self, name: str) -> Gauge | None:
        """The gauge `name`, or None."""
        return self.gauges.get(name)

    def stage(self, name: str) -> Stage | None:
        """The first stage named `name`, or None."""
        return next(iter(self.stages_named(name)), None)

    def stages_named(self, name: str) -> list[Stage]:
        """Every stage named `name`: the members of an array, in index order."""
        return [stage for stage in self.stages if stage.name == name]

    def pool(self, name: str) -> Pool | None:
        """The first pool named `name`, or None."""
        return next(iter(self.pools_named(name)), None)

    def pools_named(self, name: str) -> list[Pool]:
        """Every pool named `name`: the members of an array, in index order."""
        return [pool for pool in self.pools if pool.name == name]

    def json(self) -> str:
        """The report as one line of JSON, as `serq run --json` prints it."""
        from serq.report.json import render

        return render(self)

    def text(self, *, steps: bool = False) -> str:
        """The report as tables, as `serq run` prints them; `steps` adds that of step stages."""
        from serq.report.text import render

        return render(self, steps=steps)

    def dump(self, folder: str | PathLike[str]) -> None:
        """Write the samples as CSV files, as `serq run --dump` does (`serq.report.dump`)."""
        from serq.report.dump import write

        write(self, folder)

    def to_pandas(self, table: str = "samples") -> Any:
        """A pandas data frame of one table (`serq.report.frames`)."""
        from serq.report.frames import to_pandas

        return to_pandas(self, table)

    def to_arrow(self, table: str = "samples") -> Any:
        """An Arrow table of one table (`serq.report.frames`)."""
        from serq.report.frames import to_arrow

        return to_arrow(self, table)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        partial = ", partial" if self.partial else ""
        return f"Report(end={self.end!r}, events={self.events}, ended={self.ended}{partial})"

    def _repr_html_(self) -> str:
        """The tables, for a notebook."""
        from serq.report.html import render

        return render(self)
