"""Pictures: values made of shapes with stable ids, and the canvas to draw them.

A page that drew by itself would be a second implementation of every structure.  So Python makes the scene, and `svg.py`
renders it.  The page only moves shapes from their old places to the new ones, by their ids.

Positions are in pixels of the picture's own space.  Text is monospaced, so that a cell's width is known without a
browser.
"""

import re
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from swagproof.learn.products import Product

CHARACTER: Final = 8.5
"""The width of a character at the size of a value."""
SMALL: Final = 6.6
"""The width of a character at the size of a note."""

MARGIN: Final = 16.0
HEIGHT: Final = 38.0
"""The height of a cell."""

Kind = Literal["cell", "pointer", "bracket", "edge", "label", "frame"]


@dataclass(frozen=True)
class Shape:
    """A shape that moves as a whole."""

    id: str
    kind: Kind
    x: float
    y: float
    w: float = 0
    h: float = 0
    text: str = ""
    note: str = ""
    """A second line in small letters, such as the elements of a partial aggregate."""
    style: str = ""
    """Its roles, as classes of `site/scene.css`."""
    links: str = ""
    """The fields of the state that it shows, separated by blanks."""
    place: str = ""
    """The place of a clause's range that it shows, such as `deque[@3]`."""
    says: str = ""
    """The tooltip, also for screen readers."""


@dataclass(frozen=True)
class Scene:
    """A picture of a state."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    says: str
    """A sentence that describes the state."""


def show(value: Any) -> tuple[str, str]:
    """Return the text and the note of a cell: for a partial aggregate, its value and its elements."""
    return (value.text, value.span) if isinstance(value, Product) else (str(getattr(value, "value", value)), "")


def text_width(text: str, note: str = "", least: float = 34) -> float:
    """Return the width of a cell with this text and this note."""
    return max(least, len(text) * CHARACTER + 14, len(note) * SMALL + 10)


class Canvas:
    """A picture under construction.  Edges are drawn below everything else."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.edges: list[Shape] = []

    def cell(
        self, id: str, x: float, y: float, w: float, text: str, note: str = "", h: float = HEIGHT, **more: str
    ) -> None:
        """Draw a box with a text, and a note below it; `more` are the shape's style, links, place and says."""
        self.shapes.append(Shape(id, "cell", x, y, w, h, text, note, **more))

    def value(self, id: str, x: float, y: float, w: float, value: Any, what: str, note: str = "", **more: str) -> None:
        """Draw a box with a value and its elements or a note; `what` describes it."""
        text, span = show(value)
        says = f"{what}: {text}{f', the product of {span}' if span else ''}"
        self.shapes.append(Shape(id, "cell", x, y, w, HEIGHT, text, note or span, says=says, **more))

    def pointer(
        self, name: str, x: float, y: float, h: float = 14, says: str = "", style: str = "", links: str = ""
    ) -> None:
        """Draw a name with an arrow up to its target; the tip is at (x, y)."""
        shown, role = name.replace("_", " ") if links else name, f"pointer {style}".strip()
        self.shapes.append(Shape(f"pointer {name}", "pointer", x, y, 0, h, shown, "", role, links or name, "", says))

    def bracket(self, id: str, x: float, y: float, w: float, text: str, *, style: str = "", links: str = "") -> None:
        """Draw a bracket over a part of a row, with its name above."""
        self.shapes.append(Shape(id, "bracket", x, y, w, 8, text, "", style, links, "", text))

    def label(self, id: str, x: float, y: float, text: str, *, style: str = "quiet", links: str = "") -> None:
        """Draw a text."""
        self.shapes.append(Shape(id, "label", x, y, len(text) * SMALL, 14, text, "", style, links))

    def row(self, text: str, y: float, links: str = "") -> None:
        """Draw the name of a row, left of it."""
        self.label(f"name {text}", 2, y, text, links=links)

    def edge(self, id: str, start: tuple[float, float], end: tuple[float, float], links: str = "") -> None:
        """Draw a line between two points."""
        self.edges.append(Shape(id, "edge", *start, end[0] - start[0], end[1] - start[1], links=links))

    def add(self, scene: Scene, dx: float, dy: float) -> None:
        """Draw another picture in this one."""
        self.shapes += [replace(shape, x=shape.x + dx, y=shape.y + dy) for shape in scene.shapes]

    def compose(self, says: str, floor: float = 0) -> Scene:
        """Return the scene of these shapes, of the size that they need, and at least down to `floor`."""
        shapes = (*self.edges, *self.shapes)
        right = max((shape.x + max(shape.w, 0) for shape in shapes), default=0)
        bottom = max((shape.y + max(shape.h, 0) + 16 * (shape.kind == "pointer") for shape in shapes), default=0)
        return Scene(right + MARGIN, max(bottom + MARGIN, floor + 30), shapes, name_one(says))


_ONE: Final = re.compile(
    r"(?<![.…\w])1 (?:(element|candidate|slot|tuple|place|step|node|slice|window|bucket|row)s|(entr|quer)ies)\b"
)


def name_one(text: str) -> str:
    """Replace plurals after the number 1 by singulars.

    >>> name_one("1 entries in 1 nodes, 21 slots")
    '1 entry in 1 node, 21 slots'
    """
    return _ONE.sub(lambda found: f"1 {found[1] or f'{found[2]}y'}", text)
