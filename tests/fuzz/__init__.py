"""Differential fuzzing: random programs on two implementations, and what they disagree about.

`python -m tests.fuzz --help` says how to run it. A disagreement is shrunk to a minimal program
and written as a page of the conformance suite. `programs` makes the programs, `answers` asks an
implementation, `compare` finds where two answers part, `known` lists what parts on purpose,
`shrink` makes a program smaller, `page` writes it down, `hunt` puts them together.
"""
