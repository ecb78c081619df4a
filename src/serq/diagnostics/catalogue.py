"""The catalogue of codes: one row a kind of finding.

A code is never reused and never changes its meaning. A name says what is wrong, not how to
repair it. Every code has a page `pages/CODE.md` that explains it with a bad and a good
program; both programs are tests. Ranges: SQ0 characters, SQ1 syntax, SQ2 names, SQ3 moments
and effects, SQ4 structure, SQ5 IR and engines, SQ6 run, SQ7 traces and files, SQ8 lints and
notes, SQ9 defects of serQ itself.
"""

from __future__ import annotations

from serq.records import Record


class Code(Record):
    """A kind of finding: its code and its name."""

    code: str
    name: str


_NAMES: dict[str, str] = {
    # characters
    "SQ001": "unexpected-character",
    "SQ002": "unterminated-string",
    "SQ003": "malformed-number",
    "SQ004": "unterminated-comment",
    # syntax
    "SQ101": "expected-token",
    "SQ102": "missing-semicolon",
    "SQ103": "unclosed-block",
    "SQ104": "unknown-statement",
    "SQ105": "statement-out-of-place",
    "SQ106": "duplicate-clause",
    "SQ107": "missing-clause",
    "SQ108": "reserved-word-as-name",
    "SQ109": "chained-comparison",
    "SQ110": "unknown-item",
    "SQ111": "unknown-option",
    "SQ112": "nested-too-deeply",
    "SQ113": "retired-word",
    "SQ114": "no-stage-for-form",
    "SQ115": "several-stages-for-form",
    "SQ116": "request-without-server",
    "SQ117": "server-without-request",
    "SQ120": "definition-used-before-defined",
    "SQ121": "definition-of-wrong-kind",
    "SQ122": "definition-argument-misused",
    "SQ123": "unreadable-library",
    "SQ124": "library-item-not-allowed",
    "SQ125": "expansion-too-large",
    "SQ126": "source-too-large",
    "SQ130": "binding-misused",
    "SQ131": "binding-reads-live-state",
    "SQ140": "entry-reads-outside",
    "SQ141": "pool-of-another-queue",
    "SQ142": "parameter-assigned",
    "SQ143": "call-misses-its-entry",
    "SQ144": "nothing-leased-to-take",
    "SQ145": "entries-in-a-cycle",
    "SQ146": "read-without-relation",
    "SQ147": "queue-parts-out-of-order",
    "SQ148": "entry-of-no-role",
    "SQ149": "latency-not-allowed",
    # names
    "SQ201": "unknown-name",
    "SQ202": "duplicate-declaration",
    "SQ203": "supplied-name-taken",
    "SQ204": "constant-and-attribute",
    "SQ205": "unknown-pool",
    "SQ206": "unknown-stage",
    "SQ207": "unknown-function",
    "SQ208": "wrong-argument-count",
    "SQ209": "wrong-argument-kind",
    "SQ210": "index-on-single",
    "SQ211": "index-missing",
    "SQ212": "index-out-of-range",
    "SQ213": "old-spelling",
    "SQ214": "unknown-override",
    "SQ215": "families-do-not-match",
    "SQ216": "unknown-distribution",
    "SQ217": "unknown-metric",
    "SQ220": "unknown-queue",
    "SQ221": "unknown-entry",
    "SQ222": "not-a-gateway",
    "SQ223": "member-out-of-place",
    # moments and effects
    "SQ301": "read-at-wrong-moment",
    "SQ302": "draw-not-allowed",
    "SQ303": "stale-live-state",
    "SQ304": "hidden-attribute",
    "SQ305": "cached-without-cache",
    "SQ306": "not-a-constant",
    "SQ307": "live-state-in-gauge",
    # structure
    "SQ401": "constant-is-nan",
    "SQ402": "constant-out-of-range",
    "SQ403": "array-size-not-allowed",
    "SQ404": "mode-required",
    "SQ405": "mode-forbidden",
    "SQ406": "growing-outside-hold",
    "SQ407": "release-outside-hold",
    "SQ408": "guard-not-a-test",
    "SQ409": "statement-not-for-workload",
    "SQ410": "rate-not-positive",
    "SQ411": "count-not-whole",
    "SQ412": "warmup-after-horizon",
    "SQ413": "no-horizon",
    "SQ414": "admission-stage-not-step",
    "SQ415": "flow-not-allowed",
    "SQ416": "share-missing-or-unused",
    "SQ417": "lease-of-other-pool",
    "SQ418": "load-outside-hold",
    "SQ419": "arrivals-limit-not-allowed",
    "SQ420": "aggregate-not-allowed",
    "SQ421": "reuse-without-cache",
    # IR and engines
    "SQ501": "version-mismatch",
    "SQ502": "malformed-json",
    "SQ503": "wrong-shape",
    "SQ504": "index-out-of-table",
    "SQ505": "engine-lacks-construct",
    "SQ506": "engine-not-present",
    "SQ507": "cycle-of-blocks",
    "SQ508": "override-not-for-ir",
    "SQ509": "package-not-present",
    # run
    "SQ601": "test-not-zero-or-one",
    "SQ602": "index-out-of-range-in-run",
    "SQ603": "allocation-exceeded",
    "SQ604": "time-stands-still",
    "SQ605": "drain-incomplete",
    "SQ606": "gap-not-positive",
    "SQ607": "hold-missing-in-run",
    "SQ608": "too-many-sessions",
    "SQ610": "too-much-memory",
    # traces and files
    "SQ701": "malformed-trace-line",
    "SQ702": "empty-trace",
    "SQ703": "unreadable-file",
    "SQ704": "unwritable-output",
    "SQ705": "trace-not-inlinable",
    "SQ706": "malformed-scenario",
    "SQ711": "trace-without-arrivals",
    "SQ712": "trace-not-read",
    "SQ713": "malformed-log",
    # measurements
    "SQ720": "malformed-measurements",
    "SQ721": "measurements-do-not-fit",
    "SQ722": "hardware-not-known",
    # lints and notes
    "SQ801": "observation-never-held",
    "SQ802": "session-stuck",
    "SQ803": "amount-taken-as-zero",
    "SQ804": "session-rejected",
    "SQ805": "trace-cut-off",
    "SQ806": "trace-over-early",
    # ours
    "SQ901": "invariant-broken",
}

CATALOGUE: dict[str, Code] = {code: Code(code, name) for code, name in _NAMES.items()}
