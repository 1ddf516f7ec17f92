"""Exhaustive exploration of the trees: every reachable tree up to a number of entries, every operation from each.

Times reveal only their order, and values nothing, so a run over the free monoid and one choice of times decides every
monoid and every totally ordered type.  A state is everything that an algorithm stores; after each operation the k-th
entry is renamed to the k-th time and the k-th letter.  A tree equal to an earlier one needs no second check; in every
other, each clause of the contracts is checked.

The operations from each state are an insert into every gap (below the limit) and at every present time, an evict at
every present time and in every gap, a query, a query of every range with present times and gaps as ends, including
reversed ranges, and operations with incomparable times, which must be refused.

Reachable trees within the bounds are low.  With `levels`, a bound takes one operation from every tree of that height
that meets the contracts, reachable or not: an induction step in higher trees.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from swagproof.contracts.space import stored_aggregates
from swagproof.contracts.trees.augmented_tree import space
from swagproof.contracts.trees.coins import operation_paid
from swagproof.contracts.trees.live import Live, coins_of, distance, entries_between
from swagproof.contracts.trees.walks import lowest_ancestor
from swagproof.models.out_of_order import OutOfOrderWindow, TimeError
from swagproof.proofs.explorer.freezing import Place
from swagproof.proofs.explorer.letters import LETTERS, WORDS, Ordered, Word, letter, ordered
from swagproof.proofs.explorer.space import Space, Violation, classes_beside
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.trees.costs import Costs, most_visits, range_costs, update_costs
from swagproof.proofs.trees.runs import Shape, Tally, counted, entries, grown, height_below
from swagproof.reference.catalogue import B_TREE, Column

# Histories


def time_at(window: OutOfOrderWindow[Word], place: float) -> Ordered:
    """Return the time of the entry at a place, or a time in the gap there; entries are at places 2, 4, ..., 2n."""
    k = max(min(int(place // 2), window.size), 1)  # number of entries up to the place
    return ordered(window.times[k - 1].at + place - 2 * k if window.size else place)


class TimedStep(NamedTuple):
    """An operation in a state: `place` is an index of entries for a present time, and of gaps otherwise.

    A history that begins with a tree has the first operation `from the tree`, with the number of entries.
    """

    operation: str
    present: bool
    place: int


def events(steps: tuple[TimedStep, ...], present: int = 0) -> list[str]:
    """Return the history over times 1, 2, 3, ... and letters a, b, c, ...; it begins with `present` entries."""
    window = [k - present for k in range(present)]
    ever = list(window)  # all times of the history in order, named by the number of the step that introduced them
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
    letters = iter(LETTERS[present:])
    times = {t: place for place, t in enumerate(ever, 1)}
    return [f"insert {times[t]} {next(letters)}" if name == "insert" else f"{name} {times[t]}" for name, t in taken]


# Shapes


def shapes(levels: int, min_arity: int, entries: int, least: int = 2) -> Iterator[tuple[Shape, int]]:
    """Yield each tree with these levels, at most this many entries and the size invariants, with its entries.

    `least` is the least arity of the topmost node: 2 for the root.
    """
    for arity in range(least, 2 * min_arity + 1):
        for below, used in _rows(arity, levels - 1, min_arity, entries - (arity - 1)) if levels > 1 else [((), 0)]:
            if used + arity - 1 <= entries:
                yield (arity - 1, below), used + arity - 1


def _rows(count: int, levels: int, min_arity: int, entries: int) -> Iterator[tuple[tuple[Shape, ...], int]]:
    """Yield every sequence of `count` neighbours with at most this many entries in total."""
    if count == 0:
        yield (), 0
        return
    others = (count - 1) * (min_arity**levels - 1)
    for first, used in shapes(levels, min_arity, entries - others, min_arity):
        for rest, more in _rows(count - 1, levels, min_arity, entries - used):
            yield (first, *rest), used + more


# Bounds


class Bound(NamedTuple):
    """A bound of an exploration: reachable trees up to `entries`; with `levels`, one step from all of that height."""

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


# The space


def window_of(n: int) -> OutOfOrderWindow[Word]:
    """Return the window by definition, with n entries at times 2, 4, ..., 2n."""
    window: OutOfOrderWindow[Word] = OutOfOrderWindow(WORDS)
    window.times, window.values = [ordered(2 * k) for k in range(1, n + 1)], [letter(k) for k in range(n)]
    return window


Refused: TypeAlias = tuple[tuple[str, tuple[Any, ...]], ...]
"""Operations with incomparable times."""
REFUSED: Final[Refused] = (
    ("insert", (math.nan, letter(0))),
    ("evict", (math.nan,)),
    ("range_query", (math.nan, ordered(1))),
    ("range_query", (ordered(1), math.nan)),
    ("insert", (None, letter(0))),
)


@dataclass(frozen=True)
class TreeStates(Space[TimedStep]):
    """The trees of an algorithm, or of a mutant of it, within a bound."""

    column: Column
    bound: Bound
    mutant: Mutant | None = None
    refused: ClassVar[Refused] = REFUSED

    @cached_property
    def made(self) -> type[Any]:
        """The algorithm or its mutant."""
        return self.column.algorithm if self.mutant is None else self.mutant.of(self.column.algorithm)

    @cached_property
    def algorithm(self) -> type[Any]:
        """The explored class: the algorithm with its costs counted."""
        return counted(self.made)

    @cached_property
    def monoid(self) -> Tally[Word]:
        return Tally(self.operator)

    @property
    def constants(self) -> tuple[Any, ...]:
        return *super().constants, self.algorithm, self.algorithm.Node, *classes_beside(self.made)

    def pieces(self, place: Place[TimedStep]) -> list[Word]:
        return place.model.values  # type: ignore[no-any-return]  # of a window of words

    @property
    def depth(self) -> int | None:  # type: ignore[override]  # of one space another than of the next
        return 1 if self.bound.levels else None

    def starts(self) -> Iterator[Place[TimedStep]]:
        _, entries, levels = self.bound
        if not levels:
            yield Place(self.algorithm(self.monoid, self.bound.min_arity), window_of(0))
            return
        smallest_first = sorted(shapes(levels, self.bound.min_arity, entries), key=lambda found: found[1])
        yield from (self.grown(shape) for shape, _ in smallest_first)

    def grown(self, shape: Shape) -> Place[TimedStep]:
        """Return a tree of this shape that meets the contracts, with aggregates from the algorithm's own repair."""
        tree = grown(self.algorithm(self.monoid, self.bound.min_arity), shape, lambda k: letter(k - 1), ordered)
        n = entries(shape)
        return Place(tree, window_of(n), (TimedStep(f"from the tree {_draw(tree.root)}", True, n),))

    def choices(self, place: Place[TimedStep]) -> Iterator[TimedStep]:
        n = place.model.size
        if n < self.bound.entries + bool(self.bound.levels):
            yield from (TimedStep("insert", False, gap) for gap in range(n + 1))
        for k in range(n):
            yield TimedStep("insert", True, k)
            yield TimedStep("evict", True, k)
        yield from (TimedStep("evict", False, gap) for gap in range(n + 1))

    def take(self, place: Place[TimedStep], step: TimedStep, before: Place[TimedStep]) -> None:
        time = time_at(place.model, 2 * step.place + (2 if step.present else 1))
        new = [letter(place.model.size)] if step.operation == "insert" else []
        n, d = place.model.size, distance(place.model.times, time)
        self.monoid.clear()
        coins = coins_of(place.subject)
        self.call(place, step.operation, time, *new)
        getattr(place.model, step.operation)(time, *new)
        paid = operation_paid(self.monoid.steps, coins, coins_of(place.subject))
        self.require_costs(place, update_costs(self.monoid, self.column is not B_TREE, self.bound.min_arity, n, d))
        self.require(place, "operation paid", paid)
        self.check_combined(place)

    def require_costs(self, place: Place[TimedStep], costs: Costs) -> None:
        """Require that the costs are within their bounds."""
        over = {name: spent for name, spent in costs.items() if spent[0] > spent[1]}
        if over:
            detail = f" ({', '.join(f'{count}, not at most {most}' for count, most in over.values())})"
            raise self.violation(place, *over, detail=detail)

    def check_combined(self, place: Place[TimedStep]) -> None:
        """Check a place with combined values, which has the same state as a checked one without."""
        if any(len(value.letters) > 1 for value in place.model.values):  # the state has one letter for it
            self.check(place)

    def words(self, steps: tuple[TimedStep, ...]) -> list[str]:
        begins = bool(steps) and steps[0].operation not in ("insert", "evict")
        return [steps[0].operation, *events(steps[1:], steps[0].place)] if begins else events(steps)

    def check(self, place: Place[TimedStep]) -> None:
        """Check every clause, the space and the result; the violation names all that fail."""
        tree, window = place.subject, place.model
        checks = {
            "space": space(window.size, stored_aggregates(tree, Word), self.bound.min_arity),
            "answer": self.call(place, "query") == window.query(),
        }
        tree.model = window
        self.require_clauses(place, self.column.contract.INVARIANT, tree, checks)
        del tree.model

    def after(self, place: Place[TimedStep]) -> Iterator[Place[TimedStep]]:
        self.look(place)
        yield from super().after(place)

    def look(self, place: Place[TimedStep]) -> None:
        """Check the calls that change nothing: queries, every range, and rejected arguments.  Raises Violation."""
        looked = self.thaw(self.freeze(place), place.steps)
        tree, window = looked.subject, looked.model
        self.monoid.calls = 0
        self.call(looked, "query")
        n, calls = window.size, self.monoid.calls
        if not self.column.contract.query_calls(n, calls):
            raise self.violation(place, "query calls", detail=f" ({calls})")
        first = window.times[0].at - 1 if n else 0
        ends = [ordered(at) for at in range(first, first + 2 * n + 1)]
        search, found = tree.search_node, dict[int, Any]()
        ancestor, live = tree.least_common_ancestor, Live(tree)

        tally, mu = self.monoid, self.bound.min_arity
        level = 0

        def search_once(t: Ordered) -> Any:
            if t.at not in found:
                tally.visits = 0
                found[t.at] = search(t)
                most = most_visits(self.column is not B_TREE, mu, n, distance(window.times, t))
                self.require_costs(place, {"nodes visited": (tally.visits, most)})
            return found[t.at]

        def lowest(node_from: Any, node_to: Any) -> Any:
            nonlocal level
            top = ancestor(node_from, node_to)
            assert lowest_ancestor(live, node_from, node_to, top), "a lower node has both below it"
            level = height_below(top)
            return top

        tree.least_common_ancestor = lowest
        tree.search_node = search_once  # the tree does not change, so each time is searched for once
        for i, t_from in enumerate(ends, 1):
            for j, t_to in enumerate(ends, 1):
                if j < i - 3 and not (j == 1 and i == len(ends)):  # only some of the ranges that end before they begin
                    continue
                tally.clear()
                answer = self.call(looked, "range_query", t_from, t_to, refused=Violation)
                k = (i - 1) // 2
                if i <= j:
                    times = window.times
                    reach = distance(times, t_from), distance(times, t_to), entries_between(times, t_from, t_to)
                    self.require_costs(place, range_costs(tally, level, mu, *reach))
                right = window.monoid.identity if j // 2 <= k else Word((k, j // 2))
                if answer != right:
                    detail = f" (from {i / 2:g} to {j / 2:g} of 1 .. {n} gives {answer!r}, not {right!r})"
                    raise self.violation(place, "range answer", detail=detail)
        del tree.search_node, tree.least_common_ancestor
        for name, arguments in self.refused:
            try:
                self.call(looked, name, *arguments, refused=TimeError)
            except TimeError:
                continue
            raise self.violation(place, f"{name} refuses what does not compare")
        self.require(place, "a query or a refused operation changes nothing", self.state(looked) == self.state(place))


def _draw(node: Any) -> str:
    """Return a tree as text: ((1) 2 (3)) 4 ((5) 6 (7))."""
    parts: list[str] = []
    for k in range(node.arity):
        if node.children:
            parts.append(f"({_draw(node.children[k])})")
        if k < len(node.times):
            parts.append(str(node.times[k].at // 2))
    return " ".join(parts)
