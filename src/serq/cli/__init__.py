"""The command `serq`: one module a verb, `main` joins them.

Verbs import what they need when they run, so that `serq --help` is there at once.
"""
