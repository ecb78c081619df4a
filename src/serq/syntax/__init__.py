"""Text to syntax tree: lexer, parser and formatter. Knows nothing of the IR."""

from serq.syntax.format import FormatResult, format_source
from serq.syntax.parser import ParseResult, parse

__all__ = ["FormatResult", "ParseResult", "format_source", "parse"]
