"""The B-tree and FiBA as their paper draws them: nodes of entries, each with the aggregate that it keeps.

An entry is known by its time, so splits, merges and moves are seen as entries that change their node.  A node says
which of the four kinds of aggregate it keeps (up, inner, left, right) beside what it is the product of; spines and
fingers are named in its head.  Local variables that hold a node are named there too: where the search is, where
rebalancing has come.  What a split or a merge holds in local variables alone stands beside the tree, until it is in it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from swagproof.learn.scenes.scene import Scene, Shape, cell, compose, edge, label, pointer, show, text_width

ENTRY: Final = 36.0
AGG: Final = 36.0
LEVEL: Final = 136.0
GAP: Final = 22.0
PAD: Final = 6.0
HEAD: Final = 18.0
"""Height of the head of a node, where no edge goes: its name, and the variables that hold it."""
NODE: Final = HEAD + ENTRY + AGG + 2 * PAD
TOP: Final = 12.0
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


def _count(node: Any) -> int:
    return 1 + sum(map(_count, node.children))


def _entries(node: Any) -> list[tuple[Any, Any]]:
    """The entries of a node; in the middle of a change it may have more times than values, or fewer."""
    return list(zip_longest(node.times, node.values, fillvalue="…"))


def _measure(node: Any, depth: int, is_cut: bool, is_edge: bool, heads: Mapping[int, float]) -> Box:
    widths = [text_width(show(value)[0], f"t {time}", 40) for time, value in _entries(node)]
    width = max(
        sum(widths) + 2 * PAD,
        text_width(show(node.agg)[0], f"inner · {show(node.agg)[1]}") + 2 * PAD,
        124,
    )
    width = max(width, heads.get(id(node), 0))
    box = Box(node, depth, width, widths)
    last = len(node.children) - 1
    for place, child in enumerate(node.children):
        if is_cut and depth >= 1 and not (is_edge and place in (0, last)):
            box.hidden += _count(child)
        else:
            box.children.append(_measure(child, depth + 1, is_cut, is_edge and place in (0, last), heads))
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
    """Return what a node is, in the words of its head."""
    kind, _ = kind_of(node, s.root)
    return "root" if node is s.root else f"{kind} spine" if kind in ("left", "right") else ""


def _is_node(value: Any) -> bool:
    return (
        not isinstance(value, type) and hasattr(value, "times") and hasattr(value, "children") and hasattr(value, "agg")
    )


def _held_entries(local: Mapping[str, Any], boxes: list[Box]) -> list[tuple[Any, Any]]:
    """The entries that variables hold and no node does: one that arrives, or moves."""
    inside = [time for box in boxes for time in box.node.times]
    pairs = [("t", "v"), ("t_leaf", "v_leaf")]
    held = {local[t]: local[v] for t, v in pairs if t in local and v in local}
    return [(t, v) for t, v in held.items() if t not in inside]


def draw_tree(s: Any, local: Mapping[str, Any]) -> Scene:
    """A B-tree or a FiBA, and beside it what only local variables hold."""
    count = _count(s.root)
    callers: Mapping[str, Any] = local.get("callers", local)
    variables: dict[int, list[str]] = {}
    for name, value in local.items():
        if _is_node(value) and name != "self":
            variables.setdefault(id(value), []).append(name)
    heads = {node: 80 + sum(7.2 * len(name) + 8 for name in names) for node, names in variables.items()}
    root = _measure(s.root, 0, count > MOST, True, heads)
    _place(root, 24)
    boxes = list(root.all())
    height = max(box.depth for box in boxes)
    there = {time for node in _walk(s.root) for time in node.times}
    loose = {id(node): node for node in callers.values() if _is_node(node) and not there.issuperset(node.times)}
    right = 24 + root.span + GAP
    for node in loose.values():
        box = _measure(node, 0, True, False, heads)
        box.children = []  # its children are in the tree, or drawn with it as nodes of their own
        box.span = box.width
        _place(box, right)
        right += box.width + GAP
        boxes.append(box)
    shapes: list[Shape] = []
    edges: list[Shape] = []  # below all else
    numbers: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for box in boxes:
        is_loose = id(box.node) in loose
        level = "beside" if is_loose else str(height - box.depth)
        id_ = f"node {level}.{numbers[level]}"
        numbers[level] += 1
        names = variables.get(id(box.node), [])
        _draw_node(s, box, id_, names, "not in the tree" if is_loose else _name(box.node, s), seen, shapes, edges)
    held = _held_entries(callers, boxes)
    for place, (time, value) in enumerate(held):
        text, _ = show(value)
        if place == 0:
            shapes.append(label("name held", right, TOP + 4 + (NODE + GAP) * bool(loose), "held", style="quiet"))
        shapes.append(_entry(time, text, right + place * 60, TOP + HEAD + PAD + (NODE + GAP) * bool(loose), 54, seen))
    entries = sum(len(box.node.times) for box in boxes)
    beside = f", {len(held)} entry held beside it" if held else ""
    return compose(
        [*edges, *shapes],
        f"{entries} entries in {count} nodes, height {height}{beside}",
        floor=TOP + height * LEVEL + NODE + 30,
    )


def _walk(node: Any) -> Iterator[Any]:
    yield node
    for child in node.children:
        yield from _walk(child)


def _entry(time: Any, text: str, x: float, y: float, width: float, seen: Counter[str]) -> Shape:
    """An entry; one that is in two nodes while it moves has two ids."""
    id_ = f"entry {time}"
    seen[id_] += 1
    again = f" again {seen[id_]}" if seen[id_] > 1 else ""
    return cell(f"{id_}{again}", x, y, width, text, f"t {time}", h=ENTRY, style="value", links="times values",
                says=f"time {time}: {text}")  # fmt: skip


def _draw_node(
    s: Any,
    box: Box,
    id_: str,
    variables: list[str],
    name: str,
    seen: Counter[str],
    shapes: list[Shape],
    edges: list[Shape],
) -> None:
    """The frame of a node with its head, its entries, its aggregate, and the edges to its children."""
    node = box.node
    kind, role = kind_of(node, s.root)
    text, note = show(node.agg)
    says = f"{name or 'node'} with {len(node.times)} entries, {kind} aggregate {text}"
    shapes.append(
        Shape(id_, "frame", box.x, box.y, box.width, NODE, name, "", role,
              "children parent arity left_spine right_spine root", "", says)
    )  # fmt: skip
    at = box.x + 10 + 6.2 * len(name)
    for variable in variables:
        width = 7.2 * len(variable)
        shapes.append(pointer(variable, at + width / 2, box.y, 1, f"{variable} is {says}", "variable stacked"))
        at += width + 8
    x = box.x + (box.width - sum(box.widths)) / 2
    for (time, value), width in zip(_entries(node), box.widths, strict=True):
        shapes.append(_entry(time, show(value)[0], x, box.y + HEAD, width - 2, seen))
        x += width
    agg = f"{kind} aggregate {text}{f', the product of {note}' if note else ''}"
    shapes.append(
        cell(f"agg {id_}", box.x + PAD, box.y + HEAD + ENTRY + PAD, box.width - 2 * PAD, text,
             f"{kind} · {note}" if note else kind, h=AGG, style=f"aggregate {role}", links="agg", says=agg)
    )  # fmt: skip
    bottom = box.y + NODE
    for place, child in enumerate(box.children):
        start = box.x + box.width * (place + 0.5) / len(box.children), bottom
        edges.append(edge(f"edge {id_} {place}", start, (child.x + child.width / 2, child.y), links="children parent"))
    if box.hidden:
        shapes.append(label(f"more {id_}", box.x, bottom + 8, f"… {box.hidden} nodes more", style="quiet"))
    fingers = [finger for finger in ("left_finger", "right_finger") if getattr(s, finger, None) is node]
    for place, finger in enumerate(fingers):
        style = "pointer finger stacked" if place else "pointer finger"
        shapes.append(
            Shape(f"pointer {finger}", "pointer", box.x + box.width / 2, bottom + 2, h=14.0 + 15 * place,
                  text=finger.replace("_", " "), style=style, links=finger, says=f"{finger} is {says}")
        )  # fmt: skip
