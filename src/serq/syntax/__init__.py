"""Text to syntax tree: lexer, parser and formatter. Knows nothing of the IR."""

from serq.syntax.format import FormatResult, format_source
from serq.syntax.parser import ConstantResult, ParseResult, parse, parse_constant

__all__ = [
    "ConstantResult",
    "FormatResult",
    "ParseResult",
    "format_source",
    "parse",
    "parse_constant",
]
