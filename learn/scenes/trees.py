"""The B-tree and FiBA as their paper draws them: nodes of entries, each with the aggregate that it keeps.

An entry is known by its time, so splits, merges and moves are seen as entries that change their node.  A node says
which of the four kinds of aggregate it keeps (up, inner, left, right) beside what it is the product of; spines and
fingers are named above.  Local variables that hold a node point at it: where the search is, where rebalancing has come.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from swagproof.learn.products import Product
from swagproof.learn.scenes.scene import Scene, Shape, cell, compose, edge, label, pointer, text_width

ENTRY: Final = 36.0
AGG: Final = 36.0
LEVEL: Final = 148.0
GAP: Final = 22.0
PAD: Final = 6.0
TOP: Final = 40.0
MOST: Final = 40
"""Nodes that are drawn; of a larger tree those below the middle are left out, and how many is said."""


@dataclass
class Box:
    """A node where it is drawn."""

    node: Any
    depth: int
    width: float
    widths: list[float]
    children: list["Box"] = field(default_factory=list["Box"])
    span: float = 0
    x: float = 0
    hidden: int = 0
    """Nodes below it that are left out."""

    @property
    def y(self) -> float:
        """The top of its frame."""
        return TOP + self.depth * LEVEL

    def all(self) -> Iterator["Box"]:
        """This box and all below."""
        yield self
        for child in self.children:
            yield from child.all()


def _show(value: Any) -> tuple[str, str]:
    return (value.text, value.span) if isinstance(value, Product) else (str(value), "")


def _count(node: Any) -> int:
    return 1 + sum(map(_count, node.children))


def _measure(node: Any, depth: int, is_cut: bool, is_edge: bool) -> Box:
    entries = list(zip(node.times, node.values, strict=False))
    widths = [text_width(_show(value)[0], f"t {time}", 40) for time, value in entries]
    width = max(sum(widths) + 2 * PAD, text_width(_show(node.agg)[0], f"inner · {_show(node.agg)[1]}") + 2 * PAD, 96)
    box = Box(node, depth, width, widths)
    last = len(node.children) - 1
    for place, child in enumerate(node.children):
        if is_cut and depth >= 1 and not (is_edge and place in (0, last)):
            box.hidden += _count(child)
        else:
            box.children.append(_measure(child, depth + 1, is_cut, is_edge and place in (0, last)))
    below = sum(child.span for child in box.children) + GAP * max(len(box.children) - 1, 0)
    box.span = max(width, below)
    return box


def _place(box: Box, x: float) -> None:
    box.x = x + (box.span - box.width) / 2
    below = sum(child.span for child in box.children) + GAP * max(len(box.children) - 1, 0)
    at = x + (box.span - below) / 2
    for child in box.children:
        _place(child, at)
        at += child.span + GAP


def kind_of(node: Any, root: Any) -> tuple[str, str]:
    """The kind of aggregate that a node keeps, and the role of its shapes."""
    if not hasattr(node, "left_spine"):
        return "up", "in-F"
    if node is root:
        return "inner", "in-A"
    if node.left_spine:
        return "left", "in-L"
    return ("right", "in-R") if node.right_spine else ("up", "in-F")


def _name(node: Any, s: Any) -> str:
    """What a node is, in the words above it."""
    kind, _ = kind_of(node, s.root)
    if node is s.root:
        return "root"
    where = "finger" if node in (getattr(s, "left_finger", None), getattr(s, "right_finger", None)) else "spine"
    return f"{kind} {where}" if kind in ("left", "right") else ""


def draw_tree(s: Any, local: Mapping[str, Any]) -> Scene:
    """A B-tree or a FiBA."""
    count = _count(s.root)
    root = _measure(s.root, 0, count > MOST, True)
    _place(root, 24)
    shapes: list[Shape] = []
    edges: list[Shape] = []  # below all else
    boxes = list(root.all())
    numbers: dict[int, int] = {}
    height = max(box.depth for box in boxes)
    named: dict[int, list[str]] = {}
    for name, value in local.items():
        if any(value is box.node for box in boxes):
            named.setdefault(id(value), []).append(name)
    for box in boxes:
        node, level = box.node, height - box.depth
        number = numbers[level] = numbers.get(level, -1) + 1
        id_ = f"node {level}.{number}"
        kind, role = kind_of(node, s.root)
        name = _name(node, s)
        says = f"{name or 'node'} with {len(node.times)} entries, {kind} aggregate {_show(node.agg)[0]}"
        frame = Shape(id_, "frame", box.x, box.y, box.width, ENTRY + AGG + 3 * PAD, name, "", role,
                      "children parent arity left_spine right_spine root", "", says)  # fmt: skip
        shapes.append(frame)
        x = box.x + (box.width - sum(box.widths)) / 2
        for time, value, width in zip(node.times, node.values, box.widths, strict=False):
            text, _ = _show(value)
            shapes.append(
                cell(f"entry {time}", x, box.y + PAD, width - 2, text, f"t {time}", h=ENTRY, style="value",
                     links="times values", says=f"time {time}: {text}")
            )  # fmt: skip
            x += width
        text, note = _show(node.agg)
        agg = f"{kind} aggregate {text}{f', the product of {note}' if note else ''}"
        shapes.append(
            cell(f"agg {id_}", box.x + PAD, box.y + ENTRY + 2 * PAD, box.width - 2 * PAD, text,
                 f"{kind} · {note}" if note else kind, h=AGG,
                 style=f"aggregate {role}", links="agg", says=agg)
        )  # fmt: skip
        bottom = box.y + ENTRY + AGG + 3 * PAD
        for place, child in enumerate(box.children):
            start = box.x + box.width * (place + 0.5) / len(box.children), bottom
            end = child.x + child.width / 2, child.y
            edges.append(edge(f"edge {id_} {place}", start, end, links="children parent"))
        if box.hidden:
            shapes.append(label(f"more {id_}", box.x, bottom + 8, f"… {box.hidden} nodes more", style="quiet"))
        for place, variable in enumerate(named.get(id(node), [])):
            shapes.append(
                pointer(variable, box.x + 16 + place * 62, bottom + 2, 14, f"{variable} is {says}", "variable")
            )
        fingers = [finger for finger in ("left_finger", "right_finger") if getattr(s, finger, None) is node]
        for place, finger in enumerate(fingers):
            style = "pointer finger stacked" if place else "pointer finger"
            shapes.append(
                Shape(f"pointer {finger}", "pointer", box.x + box.width / 2, bottom + 20, h=14.0 + 15 * place,
                      text=finger.replace("_", " "), style=style, links=finger, says=f"{finger} is {says}")
            )  # fmt: skip
    entries = sum(len(box.node.times) for box in boxes)
    shapes.append(label("floor", 2, TOP + height * LEVEL + ENTRY + AGG + 3 * PAD + 52, ""))
    says = f"{entries} entries in {count} nodes, height {height}"
    return compose([*edges, *shapes], says)
