"""Tokens to a syntax tree, by hand: one function a construct, every mistake of a file at once."""

from serq.syntax.parser.program import (
    ConstantResult,
    ParseResult,
    parse,
    parse_constant,
)

__all__ = ["ConstantResult", "ParseResult", "parse", "parse_constant"]
