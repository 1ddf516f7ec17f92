"""Exhaustive exploration of shared windows: every state reachable, every value and every lookup from each.

OrderedSharing looks at values only by comparing them, so what matters of a value is its rank among those that are still
kept: the tuples of the largest window and the answers in the tree.  From each state the explorer inserts every rank
that there is, equal to a kept value or between two of them.  There are finitely many such states for a set of windows,
so a walk over them decides every stream of every length over every total order.

The reference is run as it is.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, Final

from icontract import ViolationError

from swagproof.contracts.sharing import ordered_sharing, stream_sharing, timegram
from swagproof.contracts.sharing.ordered_sharing import INVARIANT, Account
from swagproof.models.containers.search_tree import Node, SearchTree
from swagproof.models.monoid import Counting, Monoid
from swagproof.models.operations import CONCATENATION, MAX, MIN, SUM
from swagproof.models.shared import Registry, SharedWindows
from swagproof.proofs.explorer.histories import LETTERS
from swagproof.proofs.explorer.walk import Counts, Violation, walk
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.sharing.ordered_sharing import OrderedSharing, OrderedSharingMin, Window
from swagproof.reference.sharing.stream_sharing import NaiveStream, Query
from swagproof.reference.sharing.timegram import Bucket, TimeGram

Step = tuple[str, Any]
"""An operation and its argument: ("insert", value), ("lookup", size), ("max", size), ..."""


@dataclass
class Place:
    """A state reached: the algorithm there, the stream by definition, and all steps that led there."""

    algorithm: Any
    model: SharedWindows[Any]
    steps: tuple[Step, ...]
    answer: Any = None
    """Of the last step."""

    def taken(self, algorithm: Any, step: Step) -> "Place":
        """The place after a step of this copy of the algorithm; the step is taken, and the model follows an insert.

        Returns it with the answer as `answer`.  Raises Violation for an exception.
        """
        name, argument = step
        after = Place(algorithm, self.model, (*self.steps, step))
        try:
            after.answer = getattr(algorithm, name)(argument)
        except Exception as error:
            raise after.violation(f"{name} raised {type(error).__name__}: {error}") from error
        if name == "insert":
            after.model = SharedWindows(self.model.monoid)
            after.model.registry = self.model.registry
            after.model.values = [*self.model.values, argument][-self.model.registry.largest :]
        return after

    def violation(self, check: str) -> Violation:
        """That a check fails here."""
        return Violation(check, tuple(in_words(self.steps)))

    def require(self, clauses: Iterable[Callable[[Any], bool]], *methods: str) -> None:
        """Every clause holds of the algorithm's attributes, its methods named, and `model`.  Raises Violation."""
        s = self.algorithm
        state = SimpleNamespace(**vars(s), **{name: getattr(s, name) for name in methods}, model=self.model)
        for clause in clauses:
            if not clause(state):
                raise self.violation(clause.__name__)


def in_words(steps: Sequence[Step]) -> Iterator[str]:
    """A history as a reader writes it; floats, which the explorer makes up, by their rank from 1."""
    floats = sorted({argument for _, argument in steps if isinstance(argument, float)})
    for number, (name, argument) in enumerate(steps, 1):
        said = floats.index(argument) + 1 if isinstance(argument, float) else argument
        yield f"{name} {said}{',' if number < len(steps) else ''}"


def start(shared: Any, monoid: Monoid[Any], sizes: Sequence[int]) -> Place:
    """The place behind the registrations."""
    model = SharedWindows(monoid)
    for size in sizes:
        shared.register(size)
        model.register(size)
    return Place(shared, model, tuple(("register", size) for size in sizes))


# OrderedSharing


Tree = Node[Window[Any]] | None


def clone(algorithm: Any) -> Any:
    """A copy of an OrderedSharing that shares nothing but values.  TypeError for an attribute of another kind."""
    made = object.__new__(type(algorithm))
    windows = {size: Window(w.answer, w.ts, w.size) for size, w in algorithm.windows.items()}
    for name, value in vars(algorithm).items():
        if isinstance(value, SearchTree):
            made.tree = SearchTree()
            made.tree.root, made.tree.visits = _copied(value.root, windows), value.visits
        elif name == "windows":
            made.windows = windows
        elif isinstance(value, deque):
            setattr(made, name, value.copy())
        elif isinstance(value, Registry | int):  # the registry is closed
            setattr(made, name, value)
        else:
            raise TypeError(f"{name} is a {type(value).__name__}: the explorer cannot copy it")
    return made


def _copied(node: Tree, windows: dict[int, Window[Any]]) -> Tree:
    if node is None:
        return None
    left, right = _copied(node.left, windows), _copied(node.right, windows)
    return Node(left, windows[node.item.size], right, node.height)


def state_of(algorithm: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """What tells states apart: ranks of tuples and answers, ages while they matter, the tree's shape, the model."""
    kept = sorted({*values, *algorithm.tuples, *(w.answer for w in algorithm.tree)})
    rank = {value: number for number, value in enumerate(kept)}
    stray = tuple(w.size for w in algorithm.windows.values() if w.ts != -math.inf)
    newest = [rank[v] for v in values], [rank[v] for v in algorithm.tuples]
    return *map(tuple, newest), _shape(algorithm.tree.root, rank, algorithm.currentTime), stray


def _shape(node: Tree, rank: dict[Any, int], now: int) -> Any:
    if node is None:
        return None
    w = node.item
    age = now - w.ts if now - w.ts < w.size else math.inf
    return _shape(node.left, rank, now), (w.size, rank[w.answer], age), _shape(node.right, rank, now)


def values_between(kept: Iterable[float]) -> list[float]:
    """A value of every rank beside the kept ones: equal to one, below all, between two, above all.

    Raises ArithmeticError where floats leave no room between two, after some fifty halvings.
    """
    ordered = sorted(set(kept))
    if not ordered:
        return [0.0]
    gaps = [(a + b) / 2 for a, b in pairwise(ordered)]
    if not all(a < gap < b for gap, (a, b) in zip(gaps, pairwise(ordered), strict=True)):
        raise ArithmeticError("no float between two neighbours")
    return [ordered[0] - 1, *ordered, *gaps, ordered[-1] + 1]


def explore(
    sizes: Sequence[int],
    algorithm: type[OrderedSharing[Any]] = OrderedSharing,
    variant: Variant | None = None,
    *,
    values: Sequence[Any] | None = None,
    longest: int | None = None,
    answers_only: bool = False,
) -> Counts:
    """Visit every state of OrderedSharing over windows of these sizes.  Returns counts; raises Violation.

    `values`: the stream's values; by default every rank.  `longest`: tuples in the longest stream; by default any.
    Checked: every clause of the invariant at each state, and at each step the answer and the account; `answers_only`
    checks answers alone, so that a mistake is shown by a wrong answer.
    """
    made = (algorithm if variant is None else variant.of(algorithm))()
    begin = start(made, MIN if issubclass(algorithm, OrderedSharingMin) else MAX, sizes)

    def following(place: Place) -> Iterator[Place]:
        s = place.algorithm
        before = ordered_sharing.account(s)
        if longest is None or s.currentTime < longest:
            choices = values_between([*s.tuples, *(w.answer for w in s.tree)]) if values is None else values
            for value in choices:
                after = place.taken(clone(s), ("insert", value))
                if not answers_only:
                    _check_insert(before, after, value)
                yield after
        for size in sizes:
            after = place.taken(clone(s), ("lookup", size))
            if after.answer != after.model.lookup(size):
                raise after.violation("answer")
            if not answers_only:
                _check_lookup(before, after, size)
            yield after

    def state(place: Place) -> Any:
        found = state_of(place.algorithm, place.model.values)
        return found if longest is None else (found, place.algorithm.currentTime)

    return walk(begin, following, state, lambda place: place.require(() if answers_only else INVARIANT, "worse"))


def _check_insert(before: Account, after: Place, value: Any) -> None:
    now = ordered_sharing.account(after.algorithm)
    if not ordered_sharing.insert_paid(before, now):
        raise after.violation("insert paid")
    if not ordered_sharing.insert_validates(before, now, value):
        raise after.violation("insert validates")


def _check_lookup(before: Account, after: Place, size: int) -> None:
    now = ordered_sharing.account(after.algorithm)
    if not ordered_sharing.lookup_paid(before, now, size):
        raise after.violation("lookup paid")
    if not ordered_sharing.lookup_validates(before, now, size):
        raise after.violation("lookup validates")


# TimeGram


GRID: Final = (1, 5, 2)
"""[L, R] and K of the TimeGram explored: two buckets of width 2."""
VALUES: Final = (0, 1, 2, 3, 4, 5, 6, 8)
"""Both sides of every boundary, L and R themselves, and values outside on either side."""
BOUNDS: Final[dict[str, tuple[Callable[[Any, list[Any]], bool], Callable[[int], int]]]] = {
    "max": (timegram.max_contains, lambda n: 1),
    "min": (timegram.min_contains, lambda n: 1),
    "sum": (timegram.sum_contains, lambda n: n),
    "avg": (timegram.avg_contains, lambda n: 1),
}
"""What the bounds of a lookup contain, and how many buckets wide they are over n tuples."""


def explore_timegram(sizes: Sequence[int], variant: Variant | None = None) -> Counts:
    """Visit every state of a TimeGram over windows of these sizes, made wider once at any time.  Raises Violation.

    Checked at each state: every clause of the invariant, and all five lookups of every window.
    """
    begin = start((TimeGram if variant is None else variant.of(TimeGram))(*GRID), SUM, sizes)

    def following(place: Place) -> Iterator[Place]:
        for value in VALUES:
            yield place.taken(_gram_clone(place.algorithm), ("insert", value))
        if ("widen", 2) not in place.steps:
            yield place.taken(_gram_clone(place.algorithm), ("widen", 2))

    def state(place: Place) -> Any:
        s = place.algorithm
        buckets = tuple((b.index, tuple(s.now - ts for ts in b.timestamps)) for b in s.buckets)
        return buckets, tuple(s.homes), s.width, tuple(place.model.values)

    def check(place: Place) -> None:
        s = place.algorithm
        place.require(timegram.INVARIANT, "boundaries")
        for size in sizes:
            window = place.model.window(size)
            asked = place.taken(s, ("count", size))
            if not timegram.count_is(asked.answer, window):
                raise asked.violation("count is exact")
            for name, (contains, times) in BOUNDS.items():
                asked = place.taken(s, (name, size))
                if not contains(asked.answer, window):
                    raise asked.violation(f"{name} contains")
                if not timegram.tight(asked.answer, s.width, times(len(window))):
                    raise asked.violation(f"{name} is tight")

    return walk(begin, following, state, check)


def _gram_clone(gram: Any) -> Any:
    made = object.__new__(type(gram))
    vars(made).update(vars(gram))
    made.buckets = [Bucket(bucket.index, bucket.timestamps.copy()) for bucket in gram.buckets]
    made.homes = gram.homes.copy()
    return made


# The naive algorithm


def explore_stream(sizes: Sequence[int], tuples: int, variant: Variant | None = None) -> Counts:
    """Visit every state of the naive algorithm within that many tuples, all letters distinct.  Raises Violation."""
    begin = start(
        (NaiveStream if variant is None else variant.of(NaiveStream))(Counting(CONCATENATION)), CONCATENATION, sizes
    )

    def following(place: Place) -> Iterator[Place]:
        inserted = sum(1 for name, _ in place.steps if name == "insert")
        steps: list[Step] = [("lookup", size) for size in begin.model.registry.sizes]
        if inserted < tuples:
            steps.append(("insert", LETTERS[inserted]))
        for step in steps:
            before = stream_sharing.account(place.algorithm)
            calls = place.algorithm.monoid.calls
            after = place.taken(_stream_clone(place.algorithm), step)
            now = stream_sharing.account(after.algorithm)
            if step[0] == "lookup" and after.answer != after.model.lookup(step[1]):
                raise after.violation("answer")
            paid = (
                stream_sharing.insert_paid(before, now)
                if step[0] == "insert"
                else stream_sharing.lookup_paid(before, now, step[1])
            )
            place.algorithm.monoid.calls = calls
            if not paid:
                raise after.violation(f"{step[0]} paid")
            yield after

    def state(place: Place) -> Any:
        queues = tuple((tuple(q.input_queue), tuple(q.output_queue)) for q in place.algorithm.queries)
        return queues, tuple(place.model.values)

    return walk(begin, following, state, lambda place: place.require(stream_sharing.INVARIANT))


def _stream_clone(shared: Any) -> Any:
    made = object.__new__(type(shared))
    vars(made).update(vars(shared))
    made.queries = [Query(q.size, q.input_queue.copy(), q.output_queue.copy()) for q in shared.queries]
    return made


# Wrong variants


def first_violation(explorations: Iterable[Callable[[], Counts]]) -> Violation | None:
    """The first violation, shortest in its exploration; None when there is none."""
    for explored in explorations:
        try:
            explored()
        except Violation as violation:
            return violation
    return None


def contract_that_rejects(
    variant: Variant, algorithm: type[Any], checked: type[Any], arguments: Sequence[Any], trace: Sequence[str]
) -> str | None:
    """The contract that a trace, as a Violation tells it, violates on a wrong variant; None when it violates none.

    Where the mistake makes the code itself raise before any contract is looked at, the exception.  Linear-time clauses
    are looked at only where ICONTRACT_SLOW is set.
    """
    wrong = variant.of(algorithm)
    mixins = checked.__mro__[1 : checked.__mro__.index(algorithm)]
    through_super = {name for mixin in mixins for name in vars(mixin)}  # these call the algorithm's own, found behind
    inner = {e.method: vars(wrong)[e.method] for e in variant.edits if e.method not in through_super}
    try:
        shared = type(checked.__name__, (checked, wrong), inner)(*arguments)
        for step in " ".join(trace).split(", "):
            name, argument = step.split()
            getattr(shared, name)(argument if argument.isalpha() else int(argument))
    except ViolationError as violation:
        return str(violation).split("\n")[1].partition(":")[0]
    except Exception as error:
        return type(error).__name__
    return None
