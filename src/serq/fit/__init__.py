"""From measurements to the numbers of a program: the cost of an iteration, overheads, memory.

Five ways lead to them, a module each: `regression` and `roofline` from a log of the engine's
steps, `search` from an ordinary benchmark result by replaying it, `calibration` the two overhead
constants from light-load runs, `analytic` from a model's configuration and a GPU's data sheet.
The others read (`rows`, `steps`, `measured`, `model_config`, `gpus`), replay (`replay`), tell
(`tables`, `plots`) and write (`rewrite`, `deployment`).

Depends on the Python interface; NumPy, SciPy and matplotlib are loaded by the functions that
need them.
"""
