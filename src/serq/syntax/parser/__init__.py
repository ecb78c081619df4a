"""Tokens to a syntax tree, by hand: one function a construct, every mistake of a file at once."""

from serq.syntax.parser.program import ParseResult, parse

__all__ = ["ParseResult", "parse"]
