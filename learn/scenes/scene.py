"""Pictures: a small value of shapes with stable ids, made in Python once and shown everywhere.

Problem: the page, a notebook and the movie of a failing trace show the same state, and a page that drew by itself would
be a second implementation of every structure.  So Python makes the scene, and `svg.py` draws it.  The viewers only move
shapes from their old places to the new ones, by their ids.

Positions are in pixels of the picture's own space.  Text is monospaced, so that a cell's width is known without a
browser.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from swagproof.learn.products import Product

CHARACTER: Final = 8.5
"""Width of a character at the size of a value."""
SMALL: Final = 6.6
"""Width of a character at the size of a note."""

Kind = Literal["cell", "pointer", "bracket", "edge", "label", "frame"]


@dataclass(frozen=True)
class Shape:
    """Something that is drawn, and moves as one."""

    id: str
    kind: Kind
    x: float
    y: float
    w: float = 0
    h: float = 0
    text: str = ""
    note: str = ""
    """A second line in small letters: what a partial aggregate is the product of."""
    style: str = ""
    """Its roles, as classes of `site/scene.css`."""
    links: str = ""
    """The fields of the state that it shows, between blanks."""
    place: str = ""
    """The place of a clause's range that it shows: `deque[@3]`."""
    says: str = ""
    """The text for a pointer that rests on it, and for a screen reader."""


@dataclass(frozen=True)
class Scene:
    """A state as a picture."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    says: str
    """The state in one sentence."""


def show(value: Any) -> tuple[str, str]:
    """Text and note of a cell that holds a value: of a partial aggregate, its value and the elements in it."""
    return (value.text, value.span) if isinstance(value, Product) else (str(getattr(value, "value", value)), "")


def text_width(text: str, note: str = "", least: float = 34) -> float:
    """Return how wide a cell with this text and this note must be."""
    return max(least, len(text) * CHARACTER + 14, len(note) * SMALL + 10)


def cell(
    id: str,
    x: float,
    y: float,
    w: float,
    text: str,
    note: str = "",
    *,
    h: float = 30,
    style: str = "",
    links: str = "",
    place: str = "",
    says: str = "",
) -> Shape:
    """A box with a value, and what it is the product of."""
    return Shape(id, "cell", x, y, w, h, text, note, style, links, place, says)


def pointer(name: str, x: float, y: float, h: float = 12, says: str = "", style: str = "") -> Shape:
    """A name with an arrow up to what it points at; its tip is at (x, y)."""
    return Shape(f"pointer {name}", "pointer", x, y, 0, h, name, "", f"pointer {style}".strip(), name, "", says)


def bracket(id: str, x: float, y: float, w: float, text: str, *, style: str = "", links: str = "") -> Shape:
    """A bracket over a part of a row, with its name above."""
    return Shape(id, "bracket", x, y, w, 8, text, "", style, links, "", text)


def label(id: str, x: float, y: float, text: str, *, style: str = "", links: str = "") -> Shape:
    """Words."""
    return Shape(id, "label", x, y, len(text) * SMALL, 14, text, "", style, links)


def edge(id: str, start: tuple[float, float], end: tuple[float, float], *, style: str = "", links: str = "") -> Shape:
    """A line from here to there."""
    return Shape(id, "edge", *start, end[0] - start[0], end[1] - start[1], style=style, links=links)


def extent(shapes: Iterable[Shape], margin: float = 16) -> tuple[float, float]:
    """Width and height that hold all of these."""
    shapes = list(shapes)
    right = max((shape.x + max(shape.w, 0) for shape in shapes), default=0)
    bottom = max((shape.y + max(shape.h, 0) + (16 if shape.kind == "pointer" else 0) for shape in shapes), default=0)
    return right + margin, bottom + margin


_ONE: Final = re.compile(
    r"(?<![.…\w])1 (?:(element|candidate|slot|tuple|place|step|node|slice|window|bucket|row)s|(entr|quer)ies)\b"
)


def name_one(text: str) -> str:
    """The same words with singulars where there is one.

    >>> name_one("1 entries in 1 nodes, 21 slots")
    '1 entry in 1 node, 21 slots'
    """
    return _ONE.sub(lambda found: f"1 {found[1] or f'{found[2]}y'}", text)


def compose(shapes: Sequence[Shape], says: str, floor: float = 0) -> Scene:
    """The scene of these shapes, as large as they need, and down to `floor` at least."""
    width, height = extent(shapes)
    return Scene(width, max(height, floor + 30), tuple(shapes), name_one(says))
