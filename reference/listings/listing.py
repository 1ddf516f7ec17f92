"""The form of a listing: the lines that a paper prints, and the permitted differences of the code."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

TAG: Final = re.compile(r"\[([^\[\]]+?) l\.([\w-]+)(?:, ((?:erratum|reading) [A-Z]+-\d+))?\]")
"""A tag in the code: the listing, the line, and the erratum or reading that justifies a difference."""


class Line(NamedTuple):
    """A printed line."""

    depth: int
    """The depth of its indentation, as supplied."""
    printed: str
    form: str
    """The statement in the code: as printed, unless the line is prose, has no counterpart in Python, or is wrong."""
    entry: str | None
    """The erratum or the reading that justifies a different statement."""


class Listing:
    """A listing by its name in tags, `[Fig.7 l.62]`.

    In `text`, each printed line begins with its label.  A different form in the code is on the next line, after `=>`,
    preceded by the id of an erratum or a reading.  `spellings` maps Python expressions to the paper's spelling.
    `displaced` are the labels of lines whose indentation is lost in the supplied text.
    """

    def __init__(self, name: str, text: str, spellings: Mapping[str, str], displaced: str = "") -> None:
        self.name = name
        self.spellings = spellings
        self.displaced = frozenset(displaced.split())
        self.lines: dict[str, Line] = {}
        for label, margin, printed, below in re.findall(r"^ *([\w-]+) ( *)(.+)((?:\n *=>.*)*)$", text, re.MULTILINE):
            entry, form = re.fullmatch(r"(?:([A-Z]+-\d+): )?(.*)", re.sub(r"\n *=> ?", "", below)).groups()  # type: ignore[union-attr]  # it fits any text
            self.lines[label] = Line(len(margin), printed, form if below else printed, entry)


def governing(lines: Sequence[tuple[str, int]], label: str) -> str | None:
    """Return the label of the line that governs this one, from (label, indentation) pairs; None for the first."""
    number, depth = next((number, depth) for number, (other, depth) in enumerate(lines) if other == label)
    return next((other for other, above in reversed(lines[:number]) if above < depth), None)
