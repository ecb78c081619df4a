"""Figures of a program: the deployment as a queueing network, the session as a flow.

A figure is a pure function of the IR: the same IR gives the same bytes. Layouts make a `Figure`,
renderers write it as SVG or TikZ. Depends on the IR and what is below it.
"""
