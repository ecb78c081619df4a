"""Statistics of a run, each rule in a module of its own: time averages, running moments,
quantiles, batch means, step functions, token gaps (contract §3, *Statistics* and *Gauges*).

Sums are written left to right, never with the built-in `sum`, whose compensation differs between
Python versions. Depends on nothing of ours.
"""
