"""Sphinx's configuration of the manual; docs/makers/manual.py assembles its pages, and calls Sphinx."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

project = "swagproof"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click"]
html_theme = "furo"
html_title = "swagproof"
html_copy_source = False
myst_heading_anchors = 4
# The explorer is in a folder of the site.
myst_url_schemes = {"http": None, "https": None, "explore": "{{path}}#{{fragment}}"}
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_default_options = {"no-value": True}
suppress_warnings = ["ref.python"]  # an attribute called as some type is
exclude_patterns = ["doctrees"]

_MARKUP = re.compile(r"(`[^`]*`|\*\*[^*]+\*\*|(?<![\w*])\*[A-Za-z][^*]*\*(?![\w*]))|([*_|\\])")
"""Code and emphasis, which stay; or a sign that reStructuredText would take for its own."""


def _kind(line: str) -> str:
    return "blank" if not line.strip() else "code" if line.startswith("    ") else "text"


def as_restructured(lines: list[str]) -> Iterator[str]:
    """A docstring's lines: text with code in backticks, sessions, and indented blocks that are shown as they are.

    >>> list(as_restructured(["The sum v_0 ... v_i of", "", "    a  b", "", ">>> 1 + 1", "2"]))
    ['The sum v\\\\_0 ... v\\\\_i of', '', '::', '', '    a  b', '', '>>> 1 + 1', '2']
    """
    session = False
    previous = "blank"
    for line in lines:
        session = line.startswith(">>>") or (session and bool(line.strip()))
        kind = _kind(line)
        if session:
            yield line
        elif kind == "code":
            if previous != "code":
                yield from ("::", "")
            yield line
        else:
            yield _MARKUP.sub(lambda found: found[1] or f"\\{found[2]}", line)
        if kind != "blank" or previous != "code":
            previous = kind


def _rewrite(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = [line for line, _ in groupby(as_restructured(lines))] if lines else lines


def setup(app: Any) -> None:
    """Docstrings are plain text with code in backticks, not Sphinx's markup."""
    app.connect("autodoc-process-docstring", _rewrite)
