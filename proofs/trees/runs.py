"""B-trees run and watched: every reachable shape up to a bound, or long histories; and what operations cost, counted.

What a tree does depends on its shape and on where the time falls, on no value.  So for cost a state is a shape: for
each node the number of its entries and the shapes of its children.  The k-th entry of a shape has time 2k, the gaps
around it 2k - 1 and 2k + 1.  `explore` takes, from every shape, an insert and an evict of every entry and of every gap.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from swagproof.models.monoid import A, Counting, Monoid
from swagproof.models.operations import SUM
from swagproof.proofs.explorer.space import Place, Space
from swagproof.proofs.explorer.walk import Counts, find, judge, walk
from swagproof.proofs.ledger.claim import Outcome
from swagproof.reference.trees.augmented_tree import AugmentedTree
from swagproof.reference.trees.fiba import Fiba

Shape: TypeAlias = "tuple[int, tuple[Shape, ...]]"
"""A node's number of entries, and the shapes of its children."""

Step = Literal["insert", "evict"]


# Counting


class Tally(Counting[A]):
    """A monoid that counts its combine calls, and carries the other counts of the tree that it was given to."""

    def __init__(self, monoid: Monoid[A]) -> None:
        super().__init__(monoid)
        self.visits = self.steps = self.repairs = self.recursions = 0

    def clear(self) -> None:
        """All counts to 0."""
        self.calls = self.visits = self.steps = self.repairs = self.recursions = 0


class CountedTree(AugmentedTree[A, Any]):
    """A mix-in placed before a tree, which is given a Tally: `class CountedFiba(CountedTree, Fiba)`.

    Counted: nodes visited by searches, steps of rebalancing (split, merge, move, height increase, height decrease),
    nodes whose aggregate is computed anew, and calls of query_rec.
    """

    def search_path(self, t: Any) -> Iterator[Any]:
        """The path, each node counted as a visit."""
        for node in super().search_path(t):
            self.monoid.visits += 1  # type: ignore[attr-defined]  # a Tally
            yield node

    def _step(self) -> None:
        self.monoid.steps += 1  # type: ignore[attr-defined]  # a Tally

    def split(self, node: Any) -> None:
        """A step."""
        self._step()
        super().split(node)

    def merge(self, parent: Any, node_idx: int, sibling_idx: int) -> Any:
        """A step."""
        self._step()
        return super().merge(parent, node_idx, sibling_idx)

    def move(self, parent: Any, node_idx: int, sibling_idx: int) -> None:
        """A step."""
        self._step()
        super().move(parent, node_idx, sibling_idx)

    def height_increase(self) -> None:
        """A step."""
        self._step()
        super().height_increase()

    def height_decrease(self) -> None:
        """A step."""
        self._step()
        super().height_decrease()

    def query_rec(self, node: Any, t_from: Any, t_to: Any) -> A:
        """A recursion."""
        self.monoid.recursions += 1  # type: ignore[attr-defined]  # a Tally
        return super().query_rec(node, t_from, t_to)


def counted(algorithm: type[Any]) -> type[Any]:
    """The tree with its counts kept in the Tally that it must be given as its monoid."""

    def local_repair_agg(self: Any) -> None:
        self.monoid.repairs += 1
        algorithm.Node.local_repair_agg(self)

    node = type(algorithm.Node.__name__, (algorithm.Node,), {"__slots__": (), "local_repair_agg": local_repair_agg})
    return type(f"Counted{algorithm.__name__}", (CountedTree, algorithm), {"Node": node})


# Shapes


def shape_of(node: Any) -> Shape:
    """The shape of what is below a node."""
    return len(node.times), tuple(shape_of(child) for child in node.children)


def entries(shape: Shape) -> int:
    """Return how many entries a shape has."""
    return shape[0] + sum(entries(child) for child in shape[1])


def height_of(tree: Any) -> int:
    """Return how many levels are below the root."""
    node, height = tree.root, 0
    while not node.is_leaf():
        node, height = node.children[0], height + 1
    return height


EMPTY: Final[Shape] = (0, ())


def grown(tree: Any, shape: Shape, value: Callable[[int], Any] = lambda k: 1, time: Callable[[int], Any] = int) -> Any:
    """The tree, new and empty before, with this shape: entry k, from 1, has `time(2k)` and `value(k)`."""
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
    """Mark the spine from below the root to the finger, which is returned."""
    while not node.is_leaf():
        node = node.children[end]
        setattr(node, spine, True)
    return node


class ShapeStep(NamedTuple):
    """An insert or an evict at a time of a tree of n entries."""

    operation: Step
    t: int
    n: int

    def __str__(self) -> str:
        kind = "gap" if self.t % 2 else "entry"
        return f"{self.operation}-{kind}-{(self.t + 1) // 2}-of-{self.n + self.t % 2}"


Watch = Callable[[Any, Step, int], str | None]
"""(tree, step, time): take the step, and say what is wrong with what it did, or None."""


@dataclass(frozen=True)
class ShapeStates(Space[ShapeStep]):
    """Every shape with at most `limit` entries; from each every insert and every evict, those that combine with a
    present entry or find none included.

    A place is frozen into its shape, and a tree of that shape is grown for every step: no tree is kept.
    """

    tree: Callable[[], Any]
    """Makes an empty one."""
    limit: int
    watch: Watch

    def starts(self) -> Iterator[Place[ShapeStep]]:
        yield self.thaw(EMPTY, ())

    def choices(self, place: Place[ShapeStep]) -> Iterator[ShapeStep]:
        n = place.model
        yield from (ShapeStep("insert", t, n) for t in range(1, 2 * n + 2) if n < self.limit or t % 2 == 0)
        yield from (ShapeStep("evict", t, n) for t in range(1, 2 * n + 2))

    def take(self, place: Place[ShapeStep], step: ShapeStep, before: Place[ShapeStep]) -> None:
        try:
            wrong = self.watch(place.subject, step.operation, step.t)
        except Exception as error:
            raise self.violation(place, f"{step.operation} raised {type(error).__name__}: {error}") from error
        if wrong:
            raise self.violation(place, wrong)

    def state(self, place: Place[ShapeStep]) -> Shape:
        return self.freeze(place)

    def freeze(self, place: Place[ShapeStep]) -> Shape:
        if place.frozen is None:
            place.frozen = shape_of(place.subject.root)
            place.model = entries(place.frozen)
        return place.frozen  # type: ignore[no-any-return]  # just made

    def thaw(self, frozen: Shape, steps: tuple[ShapeStep, ...]) -> Place[ShapeStep]:
        return Place(grown(self.tree(), frozen), None, steps)


def explore(tree: Callable[[], Any], limit: int, watch: Watch) -> Counts:
    """Every step from every shape, watched.  Raises Violation."""
    return walk(ShapeStates(tree, limit, watch))


Bounds: TypeAlias = "Sequence[tuple[int, int, tuple[int, int]]]"
"""Bounds of explorations: (mu, most entries, expected numbers of shapes and steps)."""


def scope(bounds: Bounds) -> str:
    """The bounds in words."""
    return "; ".join(f"mu = {mu}, every shape with at most {limit} entries" for mu, limit, _ in bounds)


def within_bounds(bounds: Bounds, explore: Callable[[int, int], tuple[int, int]]) -> Outcome:
    """Explore for each (mu, most entries), and hold the counts against those expected."""
    said: list[str] = []
    for mu, limit, expected in bounds:
        outcome = judge(find(partial(explore, mu, limit)), expected)
        if outcome.verdict != "holds":
            return outcome
        said.append(f"mu = {mu}: {outcome.detail}")
    return Outcome("holds", "; ".join(said))


def take(tree: Any, step: Step, t: Any) -> None:
    """Insert 1 at t, or evict t."""
    if step == "insert":
        tree.insert(t, 1)
    else:
        tree.evict(t)


# Histories


SEED: Final = 2018


def in_order(n: int) -> Iterator[tuple[Step, int]]:
    """Fill to n, then evict the oldest and insert a newest: first in, first out."""
    for t in range(n):
        yield "insert", t
    for t in range(2 * n):
        yield "evict", t
        yield "insert", n + t


def last_in_first_out(n: int) -> Iterator[tuple[Step, int]]:
    """Fill to n from the newest to the oldest, then evict and insert the oldest: section 5.1's case d = n."""
    for t in range(n):
        yield "insert", -t
    for _ in range(n):
        yield "evict", 1 - n
        yield "insert", 1 - n


def back_and_forth(n: int) -> Iterator[tuple[Step, int]]:
    """Grow in order; at every size, evict the newest and insert it again: no boundary at which to stay is missed."""
    for t in range(n):
        yield "insert", t
        for _ in range(2):
            yield "evict", t
            yield "insert", t


def fill_and_drain(n: int) -> Iterator[tuple[Step, int]]:
    """Fill to n by chance, drain by chance; three times."""
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
    """Fill to n; then insert or evict anywhere, by chance."""
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
    """Insert at the middle, always; then evict at the middle, always."""
    for k in range(n):
        yield "insert", k if k % 2 else -k
    for k in reversed(range(n)):
        yield "evict", k if k % 2 else -k
    for k in reversed(range(n)):
        yield "insert", k if k % 2 else -k
    for k in range(n):
        yield "evict", k if k % 2 else -k


HISTORIES: Final[dict[str, Callable[[int], Iterator[tuple[Step, int]]]]] = {
    "in order": in_order,
    "last in, first out": last_in_first_out,
    "back and forth": back_and_forth,
    "fill and drain": fill_and_drain,
    "random": at_random,
    "middle out": middle_out,
}


def summing() -> Tally[Any]:
    """A counting monoid for when the values do not matter."""
    return Tally(SUM)
