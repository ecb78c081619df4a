"""A scenario as a serQ program, over the definitions of `src/serq/lib/vllm.sq`.

The sessions replay a trace: each turn thinks at a delay stage, is sent, and is one
`vllm_request_with`. A moment is observed for every request at its last token.

Depends on the Python interface.
"""

from __future__ import annotations

from collections.abc import Mapping

from serq.api.compile import compile
from serq.api.program import Program
from serq.oracle.scenario import Scenario
from serq.trace import TraceSession, TraceTurn

_TEXT = """\
// Scenario {name}, as vLLM {version} or one like it runs it.
use "serq:vllm";

let max_num_batched_tokens = {c.max_num_batched_tokens};
let max_num_seqs = {c.max_num_seqs};
let num_gpu_blocks = {c.num_gpu_blocks};  // block 0 is vLLM's null block
let block_size = {c.block_size};
let long_prefill_token_threshold = {c.long_prefill_token_threshold};
let alone_escapes = {alone:d};
let reserve_full = {scenario.reserve_full_prompt:d};
let enable_prefix_caching = {c.enable_prefix_caching:d};

pool reqs {{ cap max_num_seqs; admit via engine; }}
pool kv {{ cap (num_gpu_blocks - 1) * block_size; block block_size; evict lru; preempt lifo; }}
stage engine : step {{
  budget max_num_batched_tokens;
  chunk vllm_chunk(reqs, long_prefill_token_threshold, alone_escapes);
  cost vllm_step({k.c!r}, {k.d!r}, {k.e!r}, {k.a!r}, {k.b!r});
  memory kv;
}}
stage thinking : delay;

workload {{
  arrive batch ({sessions});
  trace "{name}.csv" ordered;
  hidden out;
  init {{ set said = 0; }}
}}

session {{
  loop {{
    turn;
    run thinking (think);
    set sent = now;
    set prompt = said + new;
    set matching = forced ? forced - 1 : said;
    vllm_request_with(reqs, kv, engine, prompt, out, matching,
                      long_prefill_token_threshold, alone_escapes, reserve_full,
                      enable_prefix_caching);
    observe sent = sent;
    observe admitted = admitted;
    observe first = first_token;
    observe last = now;
    observe cached = hit;
    observe found_again = found_again;
    observe preemptions = preemptions;
    set said = prompt + out;
    branch (more) {{ }} else {{ end; }}
  }}
}}

run {{ horizon 1e15; }}
"""


def program_text(scenario: Scenario, version: str = "") -> str:
    """The program, as `version` of vLLM (the recorded one without it) runs the scenario."""
    return _TEXT.format(
        name=scenario.name,
        scenario=scenario,
        version=version or scenario.version or "v1",
        c=scenario.config,
        k=scenario.clock,
        alone=scenario.alone_escapes(version),
        sessions=len(scenario.sessions),
    )


def compile_scenario(
    scenario: Scenario, version: str = "", defs: Mapping[str, str] | None = None
) -> Program:
    """The program compiled; its trace is `trace_of`, and no file.

    `defs` replaces bodies of the library's expression definitions. Raises `SerqError`.
    """
    text = program_text(scenario, version)
    return compile(source=text, name=f"<{scenario.name}>", defs=defs or {})


def trace_of(scenario: Scenario) -> tuple[TraceSession, ...]:
    """The sessions that the program replays."""
    return tuple(
        tuple(TraceTurn(turn.new, turn.out, turn.think, turn.forced) for turn in session)
        for session in scenario.sessions
    )
