"""Text to syntax tree: lexer, parser and formatter. Knows nothing of the IR."""

from serq.syntax.parser import ParseResult, parse

__all__ = ["ParseResult", "parse"]
