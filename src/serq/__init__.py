"""serQ: a language in which an LLM serving deployment is a program."""

__version__ = "0.1.0"
