"""How Sphinx renders the site. `python -m tools.site` stages the pages and calls it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pygments.lexers.configs import TOMLLexer
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import serq
from serq.highlight.lexer import SerqLexer

project = "serQ"
author = "the serQ authors"
copyright = "the serQ authors, Apache License 2.0"
release = version = serq.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
suppress_warnings = ["misc.highlighting_failure"]  # programs that are refused are shown as well
smartquotes = False  # quotes and dashes are as they are written

# --- Markdown ------------------------------------------------------------------------

myst_heading_anchors = 4  # a link names a heading as code hosts do

# --- Python --------------------------------------------------------------------------

default_role = "code"  # docstrings quote code as Markdown does
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_default_options = {"exclude-members": "__init__"}  # a report is not made by calling it
toc_object_entries_show_parents = "hide"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = True
# Every public name must be found; what it is made of inside, and other packages, are not here.
nitpick_ignore_regex = [("py:.*", r"(?!serq\.\w+$).*")]

# --- HTML ----------------------------------------------------------------------------

html_theme = "furo"
html_title = f"serQ {release}"
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["serq.css"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
html_theme_options = {"navigation_with_keys": True}
pygments_style = "github-light"
pygments_dark_style = "github-dark"


def show_one_branch(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Open the branch of the side bar that a page is in.

    All branches on every page would be as large as the site is.
    """
    toctree = context.get("toctree")
    if toctree is not None:
        context["toctree"] = lambda **asked: toctree(**asked | {"collapse": True})


def separate_quoted_code(
    _app: Sphinx, _what: str, _name: str, _object: object, _options: object, lines: list[str]
) -> None:
    """A letter behind quoted code, as in a plural, is no part of it."""
    lines[:] = [re.sub(r"`[^`]+`(?=\w)", r"\g<0>\\ ", line) for line in lines]


def setup(app: Sphinx) -> None:
    """The lexers of the blocks that Pygments does not know, the side bar, docstrings."""
    app.connect("autodoc-process-docstring", separate_quoted_code)
    app.connect("html-page-context", show_one_branch, priority=400)  # Furo asks at 500
    app.add_lexer("serq", SerqLexer)
    app.add_lexer("expect", TOMLLexer)
    app.add_lexer("csv", TextLexer)
