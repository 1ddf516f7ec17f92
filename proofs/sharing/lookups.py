"""Exhaustive exploration of shared windows: every reachable state, every value and every lookup from each.

OrderedSharing only compares values, and the values passed to it here allow nothing else.  So a value matters only by
its rank among the kept ones: the tuples of the largest window and the answers in the tree.  From each state the
explorer inserts a value of every rank, equal to a kept value or between two of them.  There are finitely many such
states for a set of windows, so their exploration decides every stream of every length over every total order.

The reference runs unchanged.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Final
from zlib import crc32

from swagproof.contracts.sharing import ordered_sharing, stream_sharing, timegram
from swagproof.models.operations import MAX, MIN, SUM
from swagproof.models.shared import SharedWindows
from swagproof.proofs.explorer.freezing import Place, Role
from swagproof.proofs.explorer.letters import LETTERS, Ordered, Word, letter, ordered
from swagproof.proofs.explorer.space import Call, Space, contract_state
from swagproof.proofs.explorer.walk import first_violation, refute
from swagproof.proofs.ledger.mutants import Mutant, contract_violated_by
from swagproof.reference.catalogue import Column
from swagproof.reference.sharing.ordered_sharing import NEVER, OrderedSharing, OrderedSharingMin
from swagproof.reference.sharing.stream_sharing import NaiveStream
from swagproof.reference.sharing.timegram import Bucket, TimeGram


@dataclass(frozen=True)
class SharedStates(Space[Call]):
    """Every state of an algorithm for windows of these sizes, or of a mutant of it."""

    far: ClassVar[Sequence[int]] = (*range(8, 300), *(10**9, 2**31, 2**53, 2**63) * 25)
    """Numbers of tuples so far, greater than the size of the largest window."""
    most: ClassVar[int] = 2000
    sizes: tuple[int, ...]
    mutant: Mutant | None = None
    original: ClassVar[type[Any]]

    @cached_property
    def made(self) -> type[Any]:
        """The explored class."""
        return self.original if self.mutant is None else self.mutant.of(self.original)

    @property
    def constants(self) -> tuple[Any, ...]:
        return *super().constants, self.made

    def pieces(self, place: Place[Call]) -> int | Sequence[Word]:
        return 0

    def new(self) -> Any:
        """Return the subject before any registration."""
        return self.made()

    def starts(self) -> Iterator[Place[Call]]:
        shared, model = self.new(), SharedWindows(self.operator)
        for size in self.sizes:
            shared.register(size)
            model.register(size)
        yield Place(shared, model, tuple(Call("register", size) for size in self.sizes))

    def answer(self, place: Place[Call], step: Call) -> Any:
        """Apply a step to the subject, and an insert to the model, which keeps at most the largest window."""
        answer = self.call(place, step.name, step.argument)
        if step.name == "insert":
            model = place.model
            model.values = [*model.values, step.argument][-model.registry.largest :]
        return answer


BY_READING: Final = "that the code is what the paper says in prose: by reading alone"
"""A property that no check of these algorithms covers."""

# OrderedSharing


def values_between(kept: Iterable[Ordered]) -> list[Ordered]:
    """Return a value of every rank among the kept ones: equal to one, below all, between two, above all."""
    ranks = sorted({value.at for value in kept})
    if not ranks:
        return [ordered(0)]
    gaps = [(a + b) / 2 for a, b in pairwise(ranks)]
    return [ordered(at) for at in (ranks[0] - 2, *ranks, *gaps, ranks[-1] + 2)]


@dataclass(frozen=True)
class OrderedStates(SharedStates):
    """The states of OrderedSharing.

    Every clause of the invariant is checked at each state, and the answer and the account at each step.
    """

    positions: ClassVar[Mapping[str, Role]] = {"currentTime": "values", "ts": "values"}
    idle: ClassVar[Mapping[str, str]] = {"visits": "nodes looked at so far: the account asks what an operation adds"}
    algorithm: type[OrderedSharing[Any]] = OrderedSharing
    values: tuple[Any, ...] | None = None
    """The values of the stream; by default one of every rank."""
    longest: int | None = None
    """The number of tuples in the longest stream; by default unbounded."""
    answers_only: bool = False
    """True to check only answers, so that a wrong answer shows a mutant."""

    @property
    def original(self) -> type[Any]:  # type: ignore[override]  # of one space another than of the next
        return self.algorithm

    @property
    def operator(self) -> Any:
        return MIN if issubclass(self.algorithm, OrderedSharingMin) else MAX

    @property
    def most(self) -> int:  # type: ignore[override]  # of one space more than of the next
        return int(12 ** max(self.sizes)) if self.longest is None else Space.most

    def numbering(self, place: Place[Call]) -> tuple[Callable[[int], int], bool]:
        """Count times from the present; times before the largest window are all equal."""
        s = place.subject
        largest, now = s.registry.largest, s.currentTime
        if self.longest is not None or len(s.tuples) < largest:
            return lambda ts: ts, False
        return lambda ts: max(ts - now, -largest), True

    def elsewhere(self, base: int) -> Callable[[int], int]:
        before = self.sizes[-1] + base % 3
        return lambda ts: base + (ts if ts > -self.sizes[-1] else -before)

    def choices(self, place: Place[Call]) -> Iterator[Call]:
        s = place.subject
        if self.longest is None or s.currentTime < self.longest:
            every = range(len(self._values(place))) if self.values is None else self.values
            yield from (Call("insert", value) for value in every)
        yield from (Call("lookup", size) for size in self.sizes)

    def take(self, place: Place[Call], step: Call, before: Place[Call]) -> None:
        name, argument = step.name, self._given(place, step)
        before_it = ordered_sharing.account(place.subject)
        answer = self.answer(place, Call(name, argument))
        if name == "lookup":
            self.require(place, "answer", answer == place.model.lookup(argument))
        _answer_nothing(place.subject, None)
        if self.answers_only:
            return
        accounts = before_it, ordered_sharing.account(place.subject)
        if name == "insert":
            checks = {
                "insert paid": ordered_sharing.insert_paid(*accounts),
                "insert validates": ordered_sharing.insert_validates(*accounts, argument),
            }
        else:
            checks = {
                "lookup paid": ordered_sharing.lookup_paid(*accounts, argument),
                "lookup validates": ordered_sharing.lookup_validates(*accounts, argument),
            }
        if not all(checks.values()):
            self.require_clauses(place, ordered_sharing.INVARIANT, contract_state(place, "worse"), checks)

    def check(self, place: Place[Call]) -> None:
        if not self.answers_only:
            self.require_clauses(place, ordered_sharing.INVARIANT, contract_state(place, "worse"))

    def words(self, steps: tuple[Call, ...]) -> Iterator[str]:
        """Yield the steps, with the explorer's values as ranks from 1; the history is run again to compute them."""
        (place,) = self.starts()
        said: list[tuple[str, Any]] = []
        for name, argument in steps:
            given = self._given(place, Call(name, argument))
            said.append((name, given))
            if name != "register":
                with suppress(Exception):  # the error that ends the trace
                    getattr(place.subject, name)(given)
        ranks = sorted({given.at for _, given in said if type(given) is Ordered})
        return (f"{name} {ranks.index(given.at) + 1 if type(given) is Ordered else given}" for name, given in said)

    def thaw(self, frozen: Any, steps: tuple[Call, ...]) -> Place[Call]:
        """Replace the answers of windows without an answer by any value, because they are unused."""
        place = super().thaw(frozen, steps)
        anything = [None, *place.subject.tuples]
        _answer_nothing(place.subject, anything[crc32(frozen[0]) % len(anything)])
        return place

    def _given(self, place: Place[Call], step: Call) -> Any:
        """Return the argument of a step: a value by its rank among the kept values."""
        made_up = step.name == "insert" and self.values is None
        return self._values(place)[step.argument] if made_up else step.argument

    def _values(self, place: Place[Call]) -> list[Ordered]:
        return values_between([*place.subject.tuples, *(w.answer for w in place.subject.tree)])


def _answer_nothing(s: OrderedSharing[Any], anything: Any) -> None:
    for w in s.windows.values():
        if w.ts == NEVER and s.tuples:
            w.answer = anything


# TimeGram


WIDEN: Final = Call("widen", 2)
GRID: Final = (1, 5, 2)
"""L, R and K of the explored TimeGram: two buckets of width 2."""
VALUES: Final = (0, 1, 2, 3, 4, 5, 6, 8)
"""Values on both sides of every boundary, L and R themselves, and values outside on either side."""
BOUNDS: Final[dict[str, tuple[Callable[[Any, list[Any]], bool], Callable[[int], int]]]] = {
    "max": (timegram.max_contains, lambda n: 1),
    "min": (timegram.min_contains, lambda n: 1),
    "sum": (timegram.sum_contains, lambda n: n),
    "avg": (timegram.avg_contains, lambda n: 1),
}
"""The check of each lookup's bounds, and their width in buckets for n tuples."""


class CountedTimeGram(TimeGram):
    """TimeGram for max, with the inspected buckets as `touched`."""

    def __init__(self, low: int, high: int, buckets: int) -> None:
        super().__init__(low, high, buckets)
        self.touched = 0

    def bucket_at(self, index: int) -> Bucket:
        """Count one bucket for each insert or removal."""
        self.touched += 1
        return super().bucket_at(index)

    def belonging(self, bucket: Bucket, window: int) -> int:
        """Count one inspected bucket."""
        self.touched += 1
        return super().belonging(bucket, window)

    def lookup(self, size: int) -> Any:
        """Return the bounds of the greatest value."""
        return self.max(size)


@dataclass(frozen=True)
class TimeGramStates(SharedStates):
    """The states of a TimeGram that is widened once at any time.

    Every clause of the invariant, and all five lookups of every window, are checked at each state; at each insert and
    lookup also the number of inspected buckets.
    """

    positions: ClassVar[Mapping[str, Role]] = {"now": "values", "timestamps": "values"}
    idle: ClassVar[Mapping[str, str]] = {"touched": "buckets inspected so far, which the explorer counts"}

    @cached_property
    def made(self) -> type[Any]:
        return CountedTimeGram if self.mutant is None else self.mutant.checked(TimeGram, CountedTimeGram)

    def origin(self, place: Place[Call]) -> int | None:
        s = place.subject
        return s.now if len(s.homes) >= s.registry.largest else None

    @property
    def operator(self) -> Any:
        return SUM

    def new(self) -> Any:
        return self.made(*GRID)

    def choices(self, place: Place[Call]) -> Iterator[Call]:
        yield from (Call("insert", value) for value in VALUES)
        if WIDEN not in place.steps:
            yield WIDEN

    def take(self, place: Place[Call], step: Call, before: Place[Call]) -> None:
        self.answer(place, step)

    def check(self, place: Place[Call]) -> None:
        s = place.subject
        self.require_clauses(place, timegram.INVARIANT, contract_state(place, "boundaries"))
        for size in self.sizes:
            window = place.model.window(size)
            asked, count = self._ask(place, "count", size)
            self.require(asked, "count is exact", timegram.count_is(count, window))
            for name, (contains, times) in BOUNDS.items():
                asked, bounds = self._ask(place, name, size)
                tight = timegram.tight(bounds, s.width, times(len(window)))
                checks = {f"{name} contains": contains(bounds, window), f"{name} is tight": tight}
                self.require_clauses(asked, (), checks=checks)

    def _ask(self, place: Place[Call], name: str, size: int) -> tuple[Place[Call], Any]:
        asked = Place(place.subject, place.model, (*place.steps, Call(name, size)))
        return asked, self.answer(asked, asked.steps[-1])

    def answer(self, place: Place[Call], step: Call) -> Any:
        """Apply a step, and check the number of buckets that it inspects."""
        s = place.subject
        most = 2 if step.name == "insert" else len(s.buckets) * (2 if step.name == "avg" else 1)
        limit = s.touched + most
        answer = super().answer(place, step)
        self.require(place, "inspected", step == WIDEN or s.touched <= limit)
        return answer


# The naive algorithm


@dataclass(frozen=True)
class StreamStates(SharedStates):
    """The states of the naive algorithm for a bounded number of tuples, all letters distinct."""

    tuples: int = 8
    original: ClassVar[type[Any]] = NaiveStream

    def new(self) -> Any:
        return self.made(self.monoid)

    def pieces(self, place: Place[Call]) -> Sequence[Word]:
        return place.model.values  # type: ignore[no-any-return]  # of windows of words

    def choices(self, place: Place[Call]) -> Iterator[Call]:
        yield from (Call("lookup", size) for size in place.model.registry.sizes)
        if sum(step.name == "insert" for step in place.steps) < self.tuples:
            yield Call("insert")

    def words(self, steps: tuple[Call, ...]) -> Iterator[str]:
        letters = iter(LETTERS)
        return (f"insert {next(letters)}" if step.name == "insert" else str(step) for step in steps)

    def take(self, place: Place[Call], step: Call, before: Place[Call]) -> None:
        self.monoid.calls = 0
        was = stream_sharing.account(place.subject)
        given = step if step.name == "lookup" else Call("insert", letter(place.model.size))
        answer = self.answer(place, given)
        now = stream_sharing.account(place.subject)
        if step.name == "lookup":
            self.require(place, "answer", answer == place.model.lookup(step.argument))
            checks = {
                "lookup paid": stream_sharing.lookup_paid(was, now, step.argument),
                "lookup leaves": stream_sharing.lookup_leaves(was, now, step.argument),
            }
        else:
            checks = {
                "insert paid": stream_sharing.insert_paid(was, now),
                "insert answers": stream_sharing.insert_answers(was, now),
            }
        self.require_clauses(place, (), checks=checks)

    def check(self, place: Place[Call]) -> None:
        self.require_clauses(place, stream_sharing.INVARIANT, contract_state(place))


# Mutants


@dataclass(frozen=True)
class MutantSearch:
    """A search for mutants of an algorithm: by exploring spaces, and by playing what is found on the checked class."""

    column: Column
    spaces: Callable[[Mutant], Sequence[SharedStates]]
    """The function that returns the spaces of a mutant, those that find short traces first."""
    arguments: Sequence[Any] = ()
    """The arguments of the checked class."""

    def refuted(self, mutant: Mutant) -> str | None:
        """Return the explorer's shortest finding, in the first space that has one."""
        return refute(*self.spaces(mutant))

    def violated_contract(self, mutant: Mutant) -> str | None:
        """Return the contract that the same trace violates, or an exception; requires full contracts."""
        violation = first_violation(*self.spaces(mutant))

        def play() -> None:
            shared = mutant.checked(self.column.algorithm, self.column.checked)(*self.arguments)
            for step in violation.trace if violation else ():
                name, argument = step.split()
                getattr(shared, name)(argument if argument.isalpha() else int(argument))

        return contract_violated_by(play)
