"""What vLLM's own scheduler does with a scenario, beside what serQ's program of it does.

A scenario (`scenario`) is a handful of requests and the settings of one engine. `program` writes
it as a serQ program over the library `serq:vllm`, `simulate` runs that, `driver` puts the same
requests through the scheduler of an installed vLLM, and `difference` finds where the two part.
`generate` draws scenarios from a seed.
"""
