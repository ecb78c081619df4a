"""Reserved words (contract §2). A definition or a parameter may not take one as its name;
pools, stages, constants, attributes, observations and gauges may.
"""

from __future__ import annotations

KEYWORDS: frozenset[str] = frozenset(
    """
    admission admit arrivals arrive at batch bernoulli block bottleneck branch budget by cache
    cap choose chunk closed cost decode def delay drop else end evict exclusive fifo first fits
    from gauge grow growing hidden hold horizon in init latency lease let lifo link load loop
    lru mark maxmin memory nic none observe on ordered poisson pool preempt prefill ps pull
    queue release renewal request reserve reuse run seed serve server session set share spill
    stage step sum to tool trace transfer turn use via warmup when with workload
    """.split()
)

RETIRED: dict[str, str] = {
    "enter": "hold",
    "keep": "cache",
    "where": "at admission",
    "fit": "reserve",
    "admit": "hold",
}
"""Words of earlier versions, with what replaced them. They can not name a constant, an
attribute, a binding, a definition or a parameter, and are no statements."""

ITEMS: tuple[str, ...] = (
    "let", "use", "def", "pool", "stage", "workload", "session", "server", "queue", "run",
    "share", "gauge",
)  # fmt: skip
"""What may stand at the top level of a program."""

STATEMENTS: tuple[str, ...] = (
    "turn", "request", "set", "observe", "hold", "grow", "drop", "release", "load", "run",
    "branch", "loop", "choose", "end", "mark", "prefill", "transfer", "decode", "tool",
)  # fmt: skip
"""The words a statement may begin with."""

POOL_OPTIONS: tuple[str, ...] = ("cap", "block", "evict", "preempt", "queue", "admit", "spill")
STAGE_KINDS: tuple[str, ...] = ("fifo", "ps", "delay", "step")
STEP_OPTIONS: tuple[str, ...] = ("budget", "cost", "chunk", "serve", "memory")
ARRIVALS: tuple[str, ...] = ("poisson", "renewal", "closed", "batch", "trace", "none")
TRACE_ARRIVAL_OPTIONS: tuple[str, ...] = ("scale",)
WORKLOAD_ITEMS: tuple[str, ...] = ("arrive", "trace", "init", "turn", "session", "hidden")
RUN_OPTIONS: tuple[str, ...] = ("horizon", "warmup", "seed", "arrivals")
