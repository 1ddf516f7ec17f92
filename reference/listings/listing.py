"""What a listing is: the lines that a paper prints, and where the code may say them otherwise."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

TAG: Final = re.compile(r"\[([^\[\]]+?) l\.([\w-]+)(?:, ((?:erratum|reading) [A-Z]+-\d+))?\]")
"""A tag in the code: the listing, the line, and the erratum or reading by which the code says something else."""


class Line(NamedTuple):
    """A printed line."""

    depth: int
    """How far it is indented, as supplied."""
    printed: str
    form: str
    """What the code says: what is printed, but where that is prose, or has no like in Python, or is wrong."""
    entry: str | None
    """The erratum or the reading by which the code says something else."""


class Listing:
    """A listing by its name in tags, `[Fig.7 l.62]`.

    In `text` each printed line has its label in front, and below it, behind `=>`, the form that the code has instead,
    the name of an erratum or a reading before that.  `spellings` are the paper's for expressions of Python.
    `displaced` are the labels of lines whose indentation the supplied text has lost: the code nests them otherwise.
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
    """The line under which this one stands, of (label, indentation); None for the first."""
    number, depth = next((number, depth) for number, (other, depth) in enumerate(lines) if other == label)
    return next((other for other, above in reversed(lines[:number]) if above < depth), None)
