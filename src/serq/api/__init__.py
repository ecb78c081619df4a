"""The Python interface: compile a program, run it, read its report."""
