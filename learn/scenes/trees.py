"""The B-tree and FiBA as drawn in their paper: nodes of entries, each with its aggregate.

An entry is identified by its time, so splits, merges and moves appear as entries that change their node.  A node shows
the kind of its aggregate (up, inner, left, right) and the elements in it; its head names spines and fingers, and local
variables that hold the node, such as the positions of the search and of rebalancing.  Entries that only local variables
hold during a split or merge are drawn next to the tree.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from swagproof.learn.scenes.scene import HEIGHT, Canvas, Scene, Shape, show, text_width

LEVEL: Final = 140.0
GAP: Final = 22.0
PAD: Final = 6.0
HEAD: Final = 18.0
"""The height of a node's head, with its name and the variables that hold it, which no edge crosses."""
NODE: Final = HEAD + 2 * HEIGHT + 2 * PAD
TOP: Final = 12.0
MOST: Final = 40
"""The greatest number of nodes drawn; of a larger tree those below the middle are omitted, and counted."""


class Box:
    """A drawn node with the boxes of its children; in a large tree, only of those at its two sides."""

    def __init__(
        self, node: Any, heads: Mapping[int, float], depth: int = 0, is_cut: bool = False, side: bool = True
    ) -> None:
        self.node, self.depth, self.x = node, depth, 0.0
        self.widths = [text_width(show(value)[0], f"t {time}", 40) for time, value in _entries(node)]
        text, note = show(node.agg)
        content = max(sum(self.widths), text_width(text, f"inner · {note}")) + 2 * PAD
        self.width = max(124, content, heads.get(id(node), 0))
        sides = {id(child) for child in (*node.children[:1], *node.children[-1:])} if side else set[int]()
        drawn = [child for child in node.children if not is_cut or depth < 1 or id(child) in sides]
        self.hidden = sum(1 for child in node.children if child not in drawn for _ in _walk(child))
        """The number of omitted nodes below it."""
        self.children = [Box(child, heads, depth + 1, is_cut, id(child) in sides) for child in drawn]
        self.below = sum(child.span for child in self.children) + GAP * max(len(drawn) - 1, 0)
        self.span: float = max(self.width, self.below)

    @property
    def y(self) -> float:
        """The top of its frame."""
        return TOP + self.depth * LEVEL

    def all(self) -> Iterator["Box"]:
        """Yield this box and all boxes below."""
        yield self
        for child in self.children:
            yield from child.all()

    def move_to(self, x: float) -> None:
        """Move this box, and all boxes below, to the right of x."""
        self.x = x + (self.span - self.width) / 2
        at = x + (self.span - self.below) / 2
        for child in self.children:
            child.move_to(at)
            at += child.span + GAP


def _entries(node: Any) -> list[tuple[Any, Any]]:
    """Return the entries of a node; during a change it may have more times than values, or fewer."""
    return list(zip_longest(node.times, node.values, fillvalue="…"))


def kind_of(node: Any, root: Any) -> tuple[str, str]:
    """Return the kind of a node's aggregate, and the role of its shapes."""
    if not hasattr(node, "left_spine"):
        return "up", "in-F"
    if node is root:
        return "inner", "in-A"
    if node.left_spine:
        return "left", "in-L"
    return ("right", "in-R") if node.right_spine else ("up", "in-F")


def _name(node: Any, s: Any) -> str:
    """Return the description of a node in its head."""
    kind, _ = kind_of(node, s.root)
    return "root" if node is s.root else f"{kind} spine" if kind in ("left", "right") else ""


def _is_node(value: Any) -> bool:
    return (
        not isinstance(value, type) and hasattr(value, "times") and hasattr(value, "children") and hasattr(value, "agg")
    )


def _held_entries(local: Mapping[str, Any], boxes: list[Box]) -> list[tuple[Any, Any]]:
    """Return the entries that variables hold but no node does, because they arrive or move."""
    inside = [time for box in boxes for time in box.node.times]
    pairs = [("t", "v"), ("t_leaf", "v_leaf")]
    held = {local[t]: local[v] for t, v in pairs if t in local and v in local}
    return [(t, v) for t, v in held.items() if t not in inside]


class _Tree(Canvas):
    """A picture of a tree."""

    def __init__(self, s: Any) -> None:
        super().__init__()
        self.s = s
        self.seen: Counter[Any] = Counter()
        """The number of drawn entries at each time: while an entry moves, it can be in two nodes."""

    def entry(self, time: Any, value: Any, x: float, y: float, width: float) -> None:
        """Draw an entry; one that is in two nodes while it moves has two ids."""
        self.seen[time] += 1
        id_ = f"entry {time}" + (f" again {self.seen[time]}" if self.seen[time] > 1 else "")
        text, says = show(value)[0], f"time {time}: {show(value)[0]}"
        self.cell(id_, x, y, width, text, f"t {time}", style="value", links="times values", says=says)

    def node(self, box: Box, id_: str, variables: Sequence[str], name: str) -> None:
        """Draw the frame of a node with its head, its entries, its aggregate, and the edges to its children."""
        node, bottom = box.node, box.y + NODE
        kind, role = kind_of(node, self.s.root)
        text, note = show(node.agg)
        says = f"{name or 'node'} with {len(node.times)} entries, {kind} aggregate {text}"
        links = "children parent arity left_spine right_spine root"
        self.shapes.append(Shape(id_, "frame", box.x, box.y, box.width, NODE, name, "", role, links, "", says))
        at = box.x + 10 + 6.2 * len(name)
        for variable in variables:
            width = 7.2 * len(variable)
            self.pointer(variable, at + width / 2, box.y, 1, f"{variable} is {says}", "variable stacked")
            at += width + 8
        x = box.x + (box.width - sum(box.widths)) / 2
        for (time, value), width in zip(_entries(node), box.widths, strict=True):
            self.entry(time, value, x, box.y + HEAD, width - 2)
            x += width
        self.value(f"agg {id_}", box.x + PAD, box.y + HEAD + HEIGHT + PAD, box.width - 2 * PAD, node.agg,
                   f"{kind} aggregate", note=f"{kind} · {note}" if note else kind, style=f"aggregate {role}",
                   links="agg")  # fmt: skip
        for place, child in enumerate(box.children):
            start = box.x + box.width * (place + 0.5) / len(box.children), bottom
            self.edge(f"edge {id_} {place}", start, (child.x + child.width / 2, child.y), links="children parent")
        if box.hidden:
            self.label(f"more {id_}", box.x, bottom + 8, f"… {box.hidden} nodes more")
        fingers = [finger for finger in ("left_finger", "right_finger") if getattr(self.s, finger, None) is node]
        for place, finger in enumerate(fingers):
            style, h = "finger stacked" if place else "finger", 14.0 + 15 * place
            self.pointer(finger, box.x + box.width / 2, bottom + 2, h, f"{finger} is {says}", style, finger)


def draw_tree(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw a B-tree or a FiBA, and next to it the nodes and entries that only local variables hold."""
    nodes = list(_walk(s.root))
    callers: Mapping[str, Any] = local.get("callers", local)
    variables: dict[int, list[str]] = {}
    for name, value in local.items():
        if _is_node(value) and name != "self":
            variables.setdefault(id(value), []).append(name)
    heads = {node: 80 + sum(7.2 * len(name) + 8 for name in names) for node, names in variables.items()}
    root = Box(s.root, heads, is_cut=len(nodes) > MOST)
    root.move_to(24)
    boxes = list(root.all())
    height = max(box.depth for box in boxes)
    there = {time for node in nodes for time in node.times}
    loose = {id(node): node for node in callers.values() if _is_node(node) and not there.issuperset(node.times)}
    right = 24 + root.span + GAP
    for node in loose.values():
        box = Box(node, heads)
        box.children = []  # they are in the tree, or drawn with it as nodes of their own
        box.x = right
        right += box.width + GAP
        boxes.append(box)
    tree, numbers = _Tree(s), Counter[str]()
    for box in boxes:
        is_loose = id(box.node) in loose
        level = "beside" if is_loose else str(height - box.depth)
        name = "not in the tree" if is_loose else _name(box.node, s)
        tree.node(box, f"node {level}.{numbers[level]}", variables.get(id(box.node), []), name)
        numbers[level] += 1
    held = _held_entries(callers, boxes)
    y = TOP + (NODE + GAP) * bool(loose)
    if held:
        tree.label("name held", right, y + 4, "held")
    for place, (time, value) in enumerate(held):
        tree.entry(time, value, right + place * 60, y + HEAD + PAD, 54)
    entries = sum(len(box.node.times) for box in boxes)
    beside = f", {len(held)} entry held beside it" if held else ""
    says = f"{entries} entries in {len(nodes)} nodes, height {height}{beside}"
    return tree.compose(says, floor=TOP + height * LEVEL + NODE + 30)


def _walk(node: Any) -> Iterator[Any]:
    yield node
    for child in node.children:
        yield from _walk(child)
