"""Trees with counted costs, trees of given shapes, and histories for the measurements."""

import random
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, TypeAlias

from swagproof.models.monoid import A, Counting, Monoid
from swagproof.models.operations import SUM
from swagproof.models.out_of_order import MINUS_INFINITY, PLUS_INFINITY
from swagproof.reference.trees.augmented_tree import AugmentedTree
from swagproof.reference.trees.fiba import Fiba

Shape: TypeAlias = "tuple[int, tuple[Shape, ...]]"
"""A node's number of entries, and the shapes of its children."""

Step = Literal["insert", "evict"]


# Counting


class Tally(Counting[A]):
    """A monoid that counts its combine calls, and keeps the other counts of the tree that uses it."""

    def __init__(self, monoid: Monoid[A]) -> None:
        super().__init__(monoid)
        self.clear()

    def clear(self) -> None:
        """Set all counts to 0."""
        self.calls = self.visits = self.steps = self.repairs = self.recursions = self.depth = 0
        self.unstored: dict[int, int] = {}
        """Calls of query_rec that read no stored up-aggregate, by their depth."""
        self.off_chain = False
        """True if query_rec was called for the whole of a node without an up-aggregate."""


def _counted_step(name: str) -> Any:
    """Return the method of `CountedTree` that counts a step and takes it."""

    def step(self: Any, *arguments: Any) -> Any:
        self._step()
        return getattr(super(CountedTree, self), name)(*arguments)

    return step


class CountedTree(AugmentedTree[A, Any]):
    """A mix-in placed before a tree whose monoid is a Tally: `class CountedFiba(CountedTree, Fiba)`.

    It counts nodes visited by searches, steps of rebalancing (split, merge, move, height increase, height decrease),
    nodes whose aggregate is computed, and calls of query_rec.
    """

    monoid: Tally[A]  # pyright: ignore[reportIncompatibleVariableOverride]  # the tree is given one

    def search_path(self, t: Any) -> Iterator[Any]:
        """Count each node as a visit."""
        for node in super().search_path(t):
            self.monoid.visits += 1
            yield node

    def _step(self) -> None:
        self.monoid.steps += 1

    split, merge, move = map(_counted_step, ("split", "merge", "move"))
    height_increase, height_decrease = map(_counted_step, ("height_increase", "height_decrease"))

    def query_rec(self, node: Any, t_from: Any, t_to: Any) -> A:
        """Count a recursion."""
        tally = self.monoid
        tally.recursions += 1
        whole = t_from is MINUS_INFINITY and t_to is PLUS_INFINITY
        if not (whole and node.has_agg_up()):
            tally.unstored[tally.depth] = tally.unstored.get(tally.depth, 0) + 1
            tally.off_chain |= whole
        tally.depth += 1
        answer = super().query_rec(node, t_from, t_to)
        tally.depth -= 1
        return answer


def counted(algorithm: type[Any]) -> type[Any]:
    """Return the tree with its counts kept in the Tally that it must receive as its monoid."""

    def local_repair_agg(self: Any) -> None:
        self.monoid.repairs += 1
        algorithm.Node.local_repair_agg(self)

    node = type(algorithm.Node.__name__, (algorithm.Node,), {"__slots__": (), "local_repair_agg": local_repair_agg})
    return type(f"Counted{algorithm.__name__}", (CountedTree, algorithm), {"Node": node})


# Shapes


def entries(shape: Shape) -> int:
    """Return the number of entries in a shape."""
    return shape[0] + sum(entries(child) for child in shape[1])


def height_below(node: Any) -> int:
    """Return the number of levels below a node."""
    height = 0
    while not node.is_leaf():
        node, height = node.children[0], height + 1
    return height


def height_of(tree: Any) -> int:
    """Return the number of levels below the root."""
    return height_below(tree.root)


def grown(tree: Any, shape: Shape, value: Callable[[int], Any] = lambda k: 1, time: Callable[[int], Any] = int) -> Any:
    """Give an empty tree this shape and return it: entry k, from 1, has `time(2k)` and `value(k)`."""
    count = 0

    def entry(node: Any) -> None:
        nonlocal count
        count += 1
        node.times.append(time(2 * count))
        node.values.append(value(count))

    def grow(node: Any, shape: Shape) -> Any:
        size, children = shape
        for i in range(size + 1):
            if children:
                child = grow(tree.Node(tree.monoid), children[i])
                child.parent = node
                node.children.append(child)
            if i < size:
                entry(node)
        return node

    grow(tree.root, shape)
    nodes = list(tree.nodes())
    if isinstance(tree, Fiba):
        tree.left_finger, tree.right_finger = _edge(tree.root, 0, "left_spine"), _edge(tree.root, -1, "right_spine")
    for node in [node for node in reversed(nodes) if node.has_agg_up()]:  # children first
        node.local_repair_agg()
    for node in [node for node in nodes if not node.has_agg_up()]:  # parents first
        node.local_repair_agg()
    return tree


def _edge(node: Any, end: Literal[0, -1], spine: str) -> Any:
    """Mark the spine from below the root to the finger, and return the finger."""
    while not node.is_leaf():
        node = node.children[end]
        setattr(node, spine, True)
    return node


def count_step(tree: Any, step: Step, t: Any) -> Tally[Any]:
    """Insert 1 at t, or evict t, and return the counts."""
    tree.monoid.clear()
    take(tree, step, t)
    return tree.monoid  # type: ignore[no-any-return]  # of a counted tree


def take(tree: Any, step: Step, t: Any) -> None:
    """Insert 1 at t, or evict t."""
    if step == "insert":
        tree.insert(t, 1)
    else:
        tree.evict(t)


# Histories


SEED: Final = 2018


def in_order(n: int) -> Iterator[tuple[Step, int]]:
    """Fill to n, then repeatedly evict the oldest and insert a newest: first in, first out."""
    for t in range(n):
        yield "insert", t
    for t in range(2 * n):
        yield "evict", t
        yield "insert", n + t


def last_in_first_out(n: int) -> Iterator[tuple[Step, int]]:
    """Fill to n from the newest to the oldest, then evict and insert the oldest repeatedly: section 5.1, d = n."""
    for t in range(n):
        yield "insert", -t
    for _ in range(n):
        yield "evict", 1 - n
        yield "insert", 1 - n


def back_and_forth(n: int) -> Iterator[tuple[Step, int]]:
    """Grow in order; at every size, evict the newest and insert it again, so that no boundary is missed."""
    for t in range(n):
        yield "insert", t
        for _ in range(2):
            yield "evict", t
            yield "insert", t


def fill_and_drain(n: int) -> Iterator[tuple[Step, int]]:
    """Fill to n in random order, drain in random order; three times."""
    chance = random.Random(SEED)
    for _ in range(3):
        times = list(range(n))
        chance.shuffle(times)
        for t in times:
            yield "insert", t
        chance.shuffle(times)
        for t in times:
            yield "evict", t


def at_random(n: int) -> Iterator[tuple[Step, int]]:
    """Fill to n; then insert or evict at random places."""
    chance = random.Random(SEED)
    times = list(range(0, 8 * n, 8))
    for t in times:
        yield "insert", t
    for _ in range(6 * n):
        if times and chance.random() < 0.5:
            i = chance.randrange(len(times))
            times[i], times[-1] = times[-1], times[i]
            yield "evict", times.pop()
        else:
            t = chance.randrange(8 * n)
            if t not in times:
                times.append(t)
                yield "insert", t


def middle_out(n: int) -> Iterator[tuple[Step, int]]:
    """Always insert at the middle; then always evict at the middle."""
    times = [k if k % 2 else -k for k in range(n)]
    yield from (("insert", t) for t in times)
    yield from (("evict", t) for t in reversed(times))
    yield from (("insert", t) for t in reversed(times))
    yield from (("evict", t) for t in times)


HISTORIES: Final[dict[str, Callable[[int], Iterator[tuple[Step, int]]]]] = {
    "in order": in_order,
    "last in, first out": last_in_first_out,
    "back and forth": back_and_forth,
    "fill and drain": fill_and_drain,
    "random": at_random,
    "middle out": middle_out,
}


def summing() -> Tally[Any]:
    """Return a counting monoid for runs whose values do not matter."""
    return Tally(SUM)
