"""Speed, measured.

`python -m bench.compare` beside the reference, `python -m bench.replications` in threads,
`python -m bench.scale` of fleets that grow.
"""
