"""Exhaustive exploration of the trees: every reachable tree up to a number of entries, every operation from each.

Control flow in these algorithms looks at the order of times and never at a value, so a run over the free monoid and one
choice of times decides every monoid and every totally ordered type.  A state is all that an algorithm keeps: nodes,
entries, aggregates, parent pointers, spine flags and fingers, with the k-th entry given the k-th time and the k-th
letter again after each operation.  A tree that comes out the same as one seen before needs no second look; in any
other, every clause of the contracts is checked.

From each state: an insert into every gap (below the limit) and at every present time, an evict at every present time
and in every gap, a query, a query of every range with present times and gaps as ends, reversed ones too, and operations
with times that do not compare, which must be refused.

Reachable trees within reach are low.  `step_from_all` takes the same steps, once, from every tree of a given height
that meets the contracts, reachable or not: the step of an induction, in trees that are higher.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow, TimeError
from swagproof.proofs.explorer.walk import Counts, Violation, walk
from swagproof.proofs.ledger.variants import Edit, Variant
from swagproof.reference.catalogue import Column

FIRST_LETTER: Final = 0x3B1
LETTERS: Final = "".join(chr(code) for code in range(FIRST_LETTER, FIRST_LETTER + 4096))
"""The k-th entry of a state holds the k-th of these, at time 2k + 1; gap g, before entry g, is at time 2g."""
NEW: Final = "+"
"""The letter that an insert brings."""
GONE: Final = "-"
"""What an evicted letter turns into: no right tree contains it."""


class NodeVariant(Variant):
    """A named mistake in the nodes of a tree."""

    def of(self, algorithm: type) -> type[Any]:
        """The class with the mistake in its nodes.  ValueError when the reference no longer contains the line."""
        node = super().of(algorithm.Node)  # type: ignore[attr-defined]  # a tree has it
        return type(algorithm.__name__, (algorithm,), {"Node": node})


def wrong_node(name: str, *edits: tuple[str, str, str], hidden: str = "") -> NodeVariant:
    """A variant of the nodes from (method, old, new) triples."""
    return NodeVariant(name, tuple(Edit(*edit) for edit in edits), hidden)


# Histories


class Step(NamedTuple):
    """An operation in a state: `place` counts entries for a present time, gaps otherwise."""

    operation: str
    present: bool
    place: int


class Event(NamedTuple):
    """An operation as it is played: with a time, and a letter where it is an insert."""

    operation: str
    t: int
    letter: str = ""

    def __str__(self) -> str:
        return f"{self.operation} {self.t} {self.letter}".rstrip()


def events(steps: tuple[Step, ...], present: int = 0) -> list[Event]:
    """The history over times 1, 2, 3, ... and letters a, b, c, ...; it begins with `present` entries."""
    window = [k - present for k in range(present)]
    ever = list(window)  # all times of the history in their order, by the number of the step that brought them
    taken: list[tuple[str, int]] = []
    for number, step in enumerate(steps):
        if step.present:
            t = window[step.place]
        else:
            t = number
            ever.insert(ever.index(window[step.place]) if step.place < len(window) else len(ever), t)
        if step.operation == "insert" and not step.present:
            window.insert(step.place, t)
        elif step.operation == "evict" and step.present:
            del window[step.place]
        taken.append((step.operation, t))
    letters = iter((ascii_lowercase + LETTERS)[present:])
    times = {t: place for place, t in enumerate(ever, 1)}
    return [Event(operation, times[t], next(letters) if operation == "insert" else "") for operation, t in taken]


@dataclass(frozen=True)
class Place:
    """A state reached, and how: by steps from the empty window, or from a tree of `origin` entries."""

    state: tuple[Any, ...]
    size: int
    steps: tuple[Step, ...]
    origin: str = ""
    first: int = 0

    def taking(self, step: Step) -> "Place":
        """The way of this place, one step on; where it leads is filled in later."""
        return replace(self, steps=(*self.steps, step))

    @property
    def trace(self) -> tuple[str, ...]:
        """How to get here, in words."""
        steps = map(str, events(self.steps, self.first))
        return (f"from the tree {self.origin}", *steps) if self.origin else tuple(steps)


class TreeViolation(Violation):
    """Checks that failed in one state, and the history that led there."""

    def __init__(self, checks: tuple[str, ...], place: Place, detail: str = "") -> None:
        super().__init__(", ".join(checks) + detail, place.trace)
        object.__setattr__(self, "checks", checks)
        object.__setattr__(self, "place", place)

    checks: tuple[str, ...]
    place: Place

    def __str__(self) -> str:
        return f"{', '.join(self.trace) or 'at the start'}: {self.check}"


# States


def state_of(tree: Any, times: dict[Any, int], letters: dict[int, str], doubled: str = "") -> tuple[Any, ...]:
    """All that a tree keeps, with times and letters renamed; `doubled` is a product that counts as its first letter."""

    fingers = (tree.left_finger, tree.right_finger) if hasattr(tree, "left_finger") else None
    left_budget = 4 * len(times) + 16

    def renamed(value: str) -> str:
        if doubled:
            value = value.replace(doubled, doubled[0])
        return value.translate(letters)

    def visit(node: Any, parent: Any) -> tuple[Any, ...]:
        nonlocal left_budget
        left_budget -= 1
        if left_budget < 0:
            raise RecursionError("more nodes than entries: no tree")
        position = (
            (node.left_spine, node.right_spine, node is fingers[0], node is fingers[1], node.parent is parent)
            if fingers
            else (node.parent is parent,)
        )
        return (
            tuple([times.get(t) for t in node.times]),
            tuple([renamed(v) for v in node.values]),
            renamed(node.agg),
            position,
            tuple([visit(child, node) for child in node.children]),
        )

    return visit(tree.root, None)


def tree_of(algorithm: type[Any], min_arity: int, state: tuple[Any, ...], monoid: Counting[str]) -> Any:
    """A tree that is in this state.  Only the tree's own combine calls are counted, not those of its nodes."""
    tree = algorithm(monoid, min_arity)
    fingers = hasattr(tree, "left_finger")

    def build(state: tuple[Any, ...], parent: Any) -> Any:
        node = algorithm.Node(CONCATENATION)
        times, values, node.agg, position, children = state
        node.times, node.values, node.parent = list(times), list(values), parent
        if fingers:
            node.left_spine, node.right_spine, left, right, _ = position
            if left:
                tree.left_finger = node
            if right:
                tree.right_finger = node
        node.children = [build(child, node) for child in children]
        return node

    tree.root = build(state, None)
    return tree


@dataclass
class Explorer:
    """The exploration of one algorithm, or of a wrong variant of it."""

    column: Column
    algorithm: type[Any]
    min_arity: int

    def __post_init__(self) -> None:
        self.monoid = Counting(CONCATENATION)
        self.known: set[tuple[Any, ...]] = set()

    def start(self) -> Place:
        """The empty tree, checked."""
        tree = self.algorithm(self.monoid, self.min_arity)
        return self._reached(tree, OutOfOrderWindow(CONCATENATION), Place((), 0, ()))

    def grown(self, shape: "Shape") -> Place:
        """A tree of this shape that meets the contracts: aggregates by the algorithm's own repair, then checked."""
        tree = self.algorithm(CONCATENATION, self.min_arity)
        count = 0

        def build(shape: Shape, parent: Any) -> Any:
            nonlocal count
            node = self.algorithm.Node(CONCATENATION)
            node.parent = parent
            entries, below = shape
            for k in range(entries + 1):
                if below:
                    node.children.append(build(below[k], node))
                if k < entries:
                    node.times.append(2 * count + 1)
                    node.values.append(LETTERS[count])
                    count += 1
            return node

        tree.root = build(shape, None)
        if hasattr(tree, "left_finger"):
            tree.left_finger = tree.right_finger = tree.root
            while not tree.left_finger.is_leaf():
                tree.left_finger, tree.right_finger = tree.left_finger.children[0], tree.right_finger.children[-1]
                tree.left_finger.left_spine = tree.right_finger.right_spine = True
        down = list(tree.nodes())
        for node in (*reversed(down), *down):
            node.local_repair_agg()
        window = self.window(Place((), count, ()))
        return self._reached(tree, window, Place((), count, (), _drawn(tree.root), count))

    def tree(self, place: Place) -> Any:
        """A tree of one's own that is in the place's state."""
        return tree_of(self.algorithm, self.min_arity, place.state, self.monoid)

    def window(self, place: Place) -> OutOfOrderWindow[str]:
        """The window by definition in the place's state."""
        window: OutOfOrderWindow[str] = OutOfOrderWindow(CONCATENATION)
        window.times = list(range(1, 2 * place.size, 2))
        window.values = list(LETTERS[: place.size])
        return window

    def after(self, place: Place, limit: int) -> Iterator[Place]:
        """Every operation from a place; what must leave it as it is, first."""
        self._look(place)
        n = place.size
        if n < limit:
            for gap in range(n + 1):
                yield self._taken(place, Step("insert", False, gap))
        for k in range(n):
            yield self._taken(place, Step("insert", True, k))
            yield self._taken(place, Step("evict", True, k))
        for gap in range(n + 1):
            yield self._taken(place, Step("evict", False, gap))

    def _taken(self, place: Place, step: Step) -> Place:
        tree, window = self.tree(place), self.window(place)
        t = 2 * step.place + step.present
        way = place.taking(step)
        try:
            if step.operation == "insert":
                tree.insert(t, NEW)
                window.insert(t, NEW)
            else:
                tree.evict(t)
                window.evict(t)
        except Exception as error:
            check = f"{step.operation} completes"
            raise TreeViolation((check,), way, f" ({type(error).__name__}: {error})") from error
        return self._reached(tree, window, way)

    def _reached(self, tree: Any, window: OutOfOrderWindow[str], way: Place) -> Place:
        """The place of a tree; every clause is checked, unless a tree the same in everything was seen before."""
        doubled = ""
        letters = dict.fromkeys(range(FIRST_LETTER, FIRST_LETTER + len(window.values) + 2), GONE)
        for k, value in enumerate(window.values):
            letters[ord(value[0])] = LETTERS[k]
            if len(value) > 1:
                doubled = value
        try:
            state = state_of(tree, {t: 2 * k + 1 for k, t in enumerate(window.times)}, letters, doubled)
        except Exception as error:
            raise TreeViolation(("parents",), way, f" ({type(error).__name__}: {error})") from error
        if doubled or state not in self.known:  # a doubled value is one letter in the state
            self._check(tree, window, way)
            self.known.add(state)
        return replace(way, state=state, size=window.size)

    def _check(self, tree: Any, window: OutOfOrderWindow[str], way: Place) -> None:
        failed: list[str] = []
        tree.model = window
        for clause in self.column.contract.INVARIANT:
            try:
                holds = clause(tree)
            except Exception:
                holds = False
            if not holds:
                failed.append(clause.__name__)
        try:
            if tree.query() != window.query():
                failed.append("answer")
        except Exception:
            failed.append("answer")
        if failed:
            raise TreeViolation(tuple(failed), way)

    def _look(self, place: Place) -> None:
        """What changes nothing: queries, every range, and what is refused."""
        tree, n = self.tree(place), place.size
        self.monoid.calls = 0
        tree.query()
        if not self.column.contract.query_calls(n, self.monoid.calls):
            raise TreeViolation(("query calls",), place, f" ({self.monoid.calls})")
        everything = LETTERS[:n]
        tree.search_node = cache(tree.search_node)  # the tree stays as it is: each time is searched for once
        for t_from in range(2 * n + 1):
            for t_to in range(2 * n + 1):
                try:
                    answer = tree.range_query(t_from, t_to)
                except Exception as error:
                    answer = repr(error)
                if answer != everything[t_from // 2 : (t_to + 1) // 2]:
                    detail = _range_in_words(place, t_from, t_to, answer)
                    raise TreeViolation(("range answer",), place, detail)
        del tree.search_node
        self._refused(tree, place)
        times = {t: t for t in range(1, 2 * n, 2)}
        if state_of(tree, times, {}) != place.state:
            raise TreeViolation(("a query or a refused operation changes nothing",), place)

    def _refused(self, tree: Any, place: Place) -> None:
        refusals = [
            (tree.insert, (math.nan, NEW)),
            (tree.evict, (math.nan,)),
            (tree.range_query, (math.nan, 1)),
            (tree.range_query, (1, math.nan)),
            (tree.insert, (None, NEW)),
        ]
        for operation, arguments in refusals:
            try:
                operation(*arguments)
            except TimeError:
                continue
            except Exception as error:
                raised = f" ({type(error).__name__})"
            else:
                raised = ""
            raise TreeViolation((f"{operation.__name__} refuses what does not compare",), place, raised)


def _range_in_words(place: Place, t_from: int, t_to: int, answer: str) -> str:
    """The range among the times 1, 2, 3, ... of the entries in the state; a gap is written as a half."""

    def said(t: int) -> str:
        return str((t + 1) // 2) if t % 2 else f"{t // 2}.5"

    letters = {code: chr(ord("a") + k) for k, code in enumerate(map(ord, LETTERS[:26]))}
    right = LETTERS[t_from // 2 : (t_to + 1) // 2].translate(letters)
    return (
        f" (renamed to {LETTERS[: place.size].translate(letters) or 'nothing'} at 1 .. {place.size}: "
        f"from {said(t_from)} to {said(t_to)} is {answer.translate(letters)!r}, not {right!r})"
    )


Shape = tuple[int, tuple["Shape", ...]]
"""A node's entries, and the shapes of its children."""


def shapes(levels: int, min_arity: int, entries: int, least: int = 2) -> Iterator[tuple[Shape, int]]:
    """Every tree of so many levels with at most so many entries that meets the size invariants; and its entries.

    `least` is the least arity of the topmost node: 2 for the root.
    """
    for arity in range(least, 2 * min_arity + 1):
        for below, used in _rows(arity, levels - 1, min_arity, entries - (arity - 1)) if levels > 1 else [((), 0)]:
            if used + arity - 1 <= entries:
                yield (arity - 1, below), used + arity - 1


def _rows(count: int, levels: int, min_arity: int, entries: int) -> Iterator[tuple[tuple[Shape, ...], int]]:
    """Every sequence of `count` neighbours, with at most so many entries together."""
    if count == 0:
        yield (), 0
        return
    others = (count - 1) * (min_arity**levels - 1)
    for first, used in shapes(levels, min_arity, entries - others, min_arity):
        for rest, more in _rows(count - 1, levels, min_arity, entries - used):
            yield (first, *rest), used + more


def _drawn(node: Any) -> str:
    """A tree as text: ((1) 2 (3)) 4 ((5) 6 (7))."""
    parts: list[str] = []
    for k in range(node.arity):
        if node.children:
            parts.append(f"({_drawn(node.children[k])})")
        if k < len(node.times):
            parts.append(str((node.times[k] + 1) // 2))
    return " ".join(parts)


def explore(column: Column, min_arity: int, limit: int, variant: Variant | None = None) -> Counts:
    """Visit every tree with at most `limit` entries.  Returns (states, transitions); raises TreeViolation."""
    algorithm = column.algorithm if variant is None else variant.of(column.algorithm)
    explorer = Explorer(column, algorithm, min_arity)
    return walk(explorer.start(), lambda place: explorer.after(place, limit), lambda place: place.state)


def step_from_all(column: Column, min_arity: int, levels: int, entries: int, variant: Variant | None = None) -> Counts:
    """Take every operation, once, from every valid tree of so many levels with at most so many entries.

    Returns (trees stepped from, transitions); raises TreeViolation.
    """
    algorithm = column.algorithm if variant is None else variant.of(column.algorithm)
    explorer = Explorer(column, algorithm, min_arity)
    smallest_first = sorted(shapes(levels, min_arity, entries), key=lambda found: found[1])
    places = [explorer.grown(shape) for shape, _ in smallest_first]
    return Counts(len(places), sum(1 for place in places for _ in explorer.after(place, entries + 1)))


class Bound(NamedTuple):
    """How far an exploration goes: reachable trees to `entries`; with `levels`, one step from all of that height."""

    min_arity: int
    entries: int
    levels: int = 0

    def __str__(self) -> str:
        if self.levels:
            return (
                f"one operation from every valid tree of {self.levels} levels with up to {self.entries} entries, "
                f"min-arity {self.min_arity}"
            )
        return f"every reachable tree of up to {self.entries} entries, min-arity {self.min_arity}"


class Found(NamedTuple):
    """What an exploration came to: counts, or the checks that failed and the history in words."""

    counts: Counts
    checks: tuple[str, ...] = ()
    trace: str = ""
    events: tuple[Event, ...] = ()
    """The history from the empty window, to be played again; none where it began with a tree."""
    min_arity: int = 2


@cache
def explored(column: Column, bound: Bound, variant: Variant | None = None) -> Found:
    """One exploration; kept, so that every claim about the same algorithm rests on the same run."""
    try:
        if bound.levels:
            return Found(step_from_all(column, bound.min_arity, bound.levels, bound.entries, variant))
        return Found(explore(column, bound.min_arity, bound.entries, variant))
    except TreeViolation as violation:
        played = () if violation.place.origin else tuple(events(violation.place.steps))
        return Found(Counts(0, 0), violation.checks, str(violation), played, bound.min_arity)
