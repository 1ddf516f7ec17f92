"""A balanced binary search tree that stores a sequence; each search passes its own predicate.

OrderedSharing keeps its windows in one tree and searches it by answer and by size, which is sound only while both
orders agree.  So the tree stores a sequence, and each search passes a predicate that changes at most once from left to
right.  If the predicate changes more often, the search still descends and returns what a real tree would.  Items need
no order of their own.

Heights are balanced as in an AVL tree: a tree of n items has height at most 1.4405 log2(n + 2).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import floor, log2
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node(Generic[T]):
    """An item between two sub-trees."""

    left: "Node[T] | None"
    item: T
    right: "Node[T] | None"
    height: int


class SearchTree(Generic[T]):
    """Items from left to right.  Search, insert and remove visit at most `highest(n)` nodes per descent.

    >>> tree = SearchTree[int]()
    >>> for item in (3, 1, 2):
    ...     tree.insert(item, lambda other: other < item)
    >>> list(tree), tree.first(lambda item: item > 1), tree.last(lambda item: item < 1)
    ([1, 2, 3], 2, None)
    >>> tree.remove(2, lambda other: other < 2); list(tree)
    [1, 3]
    """

    def __init__(self) -> None:
        self.root: Node[T] | None = None
        self.visits = 0
        """The number of visited nodes so far: the unit of the cost claims."""

    def __iter__(self) -> Iterator[T]:
        """Yield the items from left to right.  Not counted: for stating invariants."""
        path: list[Node[T]] = []
        node = self.root
        while node is not None or path:
            while node is not None:
                path.append(node)
                node = node.left
            node = path.pop()
            yield node.item
            node = node.right

    def first(self, holds: Callable[[T], bool]) -> T | None:
        """Return the leftmost item for which `holds`, or None.  From some item on it must hold for all."""
        found: T | None = None
        node = self.root
        while node is not None:
            self.visits += 1
            if holds(node.item):
                found, node = node.item, node.left
            else:
                node = node.right
        return found

    def last(self, holds: Callable[[T], bool]) -> T | None:
        """Return the rightmost item for which `holds`, or None.  Up to some item it must hold for all."""
        found: T | None = None
        node = self.root
        while node is not None:
            self.visits += 1
            if holds(node.item):
                found, node = node.item, node.right
            else:
                node = node.left
        return found

    def insert(self, item: T, before: Callable[[T], bool]) -> None:
        """Insert the item behind all items that are `before` it."""
        self.root = self._with(self.root, item, before)

    def remove(self, item: T, before: Callable[[T], bool]) -> None:
        """Remove the item, which comes after those that are `before` it.  Raises KeyError if it is absent."""
        self.root = self._without(self.root, item, before)

    def _with(self, node: Node[T] | None, item: T, before: Callable[[T], bool]) -> Node[T]:
        if node is None:
            return _node(None, item, None)
        self.visits += 1
        if before(node.item):
            return _balanced(node.left, node.item, self._with(node.right, item, before))
        return _balanced(self._with(node.left, item, before), node.item, node.right)

    def _without(self, node: Node[T] | None, item: T, before: Callable[[T], bool]) -> Node[T] | None:
        if node is None:
            raise KeyError(f"{item!r} is not where the order says")
        self.visits += 1
        if node.item == item:
            return self._joined(node.left, node.right)
        if before(node.item):
            return _balanced(node.left, node.item, self._without(node.right, item, before))
        return _balanced(self._without(node.left, item, before), node.item, node.right)

    def _joined(self, left: Node[T] | None, right: Node[T] | None) -> Node[T] | None:
        """Join two neighbouring sub-trees; the leftmost item on the right becomes the root."""
        if left is None or right is None:
            return left or right
        successor, rest = self._without_first(right)
        return _balanced(left, successor, rest)

    def _without_first(self, node: Node[T]) -> tuple[T, Node[T] | None]:
        self.visits += 1
        if node.left is None:
            return node.item, node.right
        item, rest = self._without_first(node.left)
        return item, _balanced(rest, node.item, node.right)


def height(node: Node[T] | None) -> int:
    """The number of nodes on the longest path down."""
    return 0 if node is None else node.height


def highest(n: int) -> int:
    """The greatest height of a tree of n items.  Argued: an AVL tree of height h has at least F(h+2) - 1 items."""
    return floor(1.4405 * log2(n + 2))


def balanced(node: Node[T] | None) -> bool:
    """Return whether all recorded heights are right, and those of siblings differ by at most one."""
    if node is None:
        return True
    left, right = height(node.left), height(node.right)
    return (
        abs(left - right) <= 1 and node.height == 1 + max(left, right) and balanced(node.left) and balanced(node.right)
    )


def _node(left: Node[T] | None, item: T, right: Node[T] | None) -> Node[T]:
    return Node(left, item, right, 1 + max(height(left), height(right)))


def _balanced(left: Node[T] | None, item: T, right: Node[T] | None) -> Node[T]:
    """Join an item and two sub-trees, whose heights differ by at most two, with at most two rotations."""
    if left is not None and left.height > height(right) + 1:
        if height(left.left) >= height(left.right):
            return _node(left.left, left.item, _node(left.right, item, right))
        inner = left.right
        assert inner is not None
        return _node(_node(left.left, left.item, inner.left), inner.item, _node(inner.right, item, right))
    if right is not None and right.height > height(left) + 1:
        if height(right.right) >= height(right.left):
            return _node(_node(left, item, right.left), right.item, right.right)
        inner = right.left
        assert inner is not None
        return _node(_node(left, item, inner.left), inner.item, _node(inner.right, right.item, right.right))
    return _node(left, item, right)
