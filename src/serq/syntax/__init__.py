"""Text to syntax tree: lexer and parser; `serq.syntax.format` lays a text out. Knows nothing of
the IR.
"""

from serq.syntax.parser import ConstantResult, ParseResult, parse, parse_constant

__all__ = ["ConstantResult", "ParseResult", "parse", "parse_constant"]
