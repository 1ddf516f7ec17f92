"""Pictures of a window in text: the reference's state at a failure.

    window      "b" "c" "d" "e" "f"
    Two-Stacks  F           B        front "bcd", back "ef"
    DABA        F           LRAB

    FiBA, min-arity 2
    3 "c"           agg "c", root: of all between its first child and its last
      1 "a"  2 "b"  agg "ab", left finger
      4 "d"  5 "e"  agg "de", right finger

Long windows are cut in their middle, deep trees at the bottom, with the number of omitted parts.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.bulk import Bulked
from swagproof.oracle.mistakes import count, show
from swagproof.oracle.trace import Step, asks, encode_answer, singly, take
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reports.cells import Cells, label_lines

WIDE: Final = 14
"""The width of the widest element in characters."""

_TUPLE: Final = re.compile(r'\{"tuple": \[([^\[\]]*)\]\}')

LONGEST: Final = 100_000
"""The length of the longest history that is drawn."""


def _draw_cell(value: Any, width: int = WIDE) -> str:
    """Return a value as JSON, with tuples in round brackets."""
    text = _TUPLE.sub(r"(\1)", json.dumps(encode_answer(value), ensure_ascii=False))
    return text if len(text) <= width else f"{text[: width - 3]}..."


# FIFO


def fifo(domain: Domain, steps: Sequence[Step]) -> str | None:
    """Draw the window with the front and back of Two-Stacks, and the pointers of DABA.  None for an empty window."""
    stacks, daba = TwoStacks[Any](domain.operation), Daba[Any](domain.operation)
    elements: list[Any] = []
    first = 0
    for step in singly(steps):
        for window in (stacks, daba):
            take(window, step, domain.lifted)
        elements += step.arguments
        first += step.name == "evict"
    if first == len(elements):
        return None
    row = Cells([_draw_cell(element) for element in elements[first:]])
    back = stacks.F.size
    products = f"front {_draw_cell(stacks.pi_F(), 30)}, back {_draw_cell(stacks.pi_B(), 30)}"
    begin = daba.deque.begin()
    pointers = {name: getattr(daba, name) - begin for name in "FLRAB"}
    marked = row.marks({"F": 0, "B": back})
    width = max(len(row.text()), len(marked))
    return label_lines(
        ("window", row.text()),
        ("Two-Stacks", f"{marked:<{width}}  {products}"),
        ("DABA", row.marks(pointers)),
    )


# Out of order

_LINES: Final = 14
"""The number of lines of the largest tree that is drawn in full."""


def tree(root: Any, name: str, shown: Callable[[Any], str] = _draw_cell) -> str:
    """Draw a B-tree or a FiBA, indented: each node with its entries and its aggregate; fingers and root are named."""
    lines = list(_lines(root, root, 0, shown, len(list(_nodes(root))) > _LINES))
    width = min(48, max(len(left) for left, _ in lines))
    return "\n".join([name, *(f"{left:<{width}}  {right}".rstrip() for left, right in lines)])


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _lines(node: Any, root: Any, depth: int, shown: Callable[[Any], str], cut: bool) -> Iterator[tuple[str, str]]:
    """Yield a line for each node; if the tree is cut, only those on its two edges."""
    entries = [f"{show(time)} {shown(value)}" for time, value in zip(node.times, node.values, strict=False)]
    if len(entries) > 6:
        entries = [*entries[:3], f"({len(entries) - 6} more)", *entries[-3:]]
    yield f"{'  ' * depth}{'  '.join(entries) or '(no entries)'}", f"agg {shown(node.agg)}{_role(node, root)}"
    edges = _edges(root)
    left_out: list[Any] = []
    for child in node.children:
        if cut and child not in edges:
            left_out += _nodes(child)
            if child is not node.children[-1] and node.children[node.children.index(child) + 1] not in edges:
                continue
            many = count(sum(len(below.times) for below in left_out), "entry")
            yield f"{'  ' * (depth + 1)}...", f"{count(len(left_out), 'node')} with {many}"
            left_out = []
        else:
            yield from _lines(child, root, depth + 1, shown, cut)


def _edges(root: Any) -> list[Any]:
    """Return the nodes on the paths from the root to its first leaf and to its last."""
    found: list[Any] = []
    for end in (0, -1):
        node = root
        while node.children:
            node = node.children[end]
            found.append(node)
    return found


def _role(node: Any, root: Any) -> str:
    if not hasattr(node, "left_spine"):
        return ""
    if node is root:
        return ", root: of all between its first child and its last" if node.children else ", root and both fingers"
    side = "left" if node.left_spine else "right" if node.right_spine else ""
    return f", {side} {'spine' if node.children else 'finger'}" if side else ""


def out_of_order(domain: Domain, steps: Sequence[Step]) -> str | None:
    """Draw the FiBA at min-arity 2.  None for an empty window."""
    window = Bulked[Any](domain.operation, 2)
    for step in steps:
        if not asks(step):
            take(window, step, domain.lifted)
    return tree(window.root, "FiBA, min-arity 2") if window.root.times else None


_DRAWN: Final[Mapping[str, Callable[[Domain, Sequence[Step]], str | None]]] = MappingProxyType(
    {"fifo": fifo, "out-of-order": out_of_order}
)
"""The function that draws each kind of window."""


def picture(window: str, domain: Domain, steps: Sequence[Step]) -> str | None:
    """Draw the reference's state after these operations.  None if there is nothing to draw, as for an empty window."""
    draw = _DRAWN.get(window)
    if draw is None or len(steps) > LONGEST:
        return None
    try:
        return draw(domain, steps)
    except Exception:  # a custom monoid may raise when another algorithm combines
        return None
