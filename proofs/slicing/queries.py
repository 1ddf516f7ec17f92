"""Exhaustive exploration of slicing operators: every stream of every length, for every query up to a bound.

A stream in order is a sequence of steps in time.  The state of an operator is finite, except for the length of a
slice's partial aggregate: once a partial equals the product of its records, the definition may keep one record in their
place.  So an exploration of all states, with times counted from the period of the clock, decides streams of any length;
streams may begin and continue anywhere in time.  The invariants, answers and combine calls are checked after every
step.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import lcm
from typing import Any, ClassVar, Final

from swagproof.contracts.slicing import slices as contract
from swagproof.contracts.space import stored_aggregates
from swagproof.models.operations import CONCATENATION
from swagproof.models.sliced import SlicedWindows
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.explorer.freezing import Place, Role
from swagproof.proofs.explorer.letters import LETTERS, Word, letter
from swagproof.proofs.explorer.space import Call, Space, Violation, classes_beside, contract_state
from swagproof.proofs.explorer.walk import find_once, judge
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.mutants import Mutant, class_of, contract_violated_by
from swagproof.reference.catalogue import PAIRS, PANES, STARTS, Column

Query = tuple[int, int]


@dataclass(frozen=True)
class PeriodicStates(Space[Call]):
    """The states of an operator over periodic queries, with times counted from the period of its clock."""

    far: ClassVar[Sequence[int]] = (0, -1, 1, 0, -9, 2, 0, -(10**9), 2**31, 0, 2**63)
    made: Any

    @property
    def asked(self) -> tuple[Sequence[Query], Sequence[int]]:
        """The periodic queries, and the gaps of sessions."""
        raise NotImplementedError

    @cached_property
    def period(self) -> int:
        """The time after which the periodic queries repeat."""
        return lcm(*(slide for _, slide in self.asked[0]))

    @property
    def constants(self) -> tuple[Any, ...]:
        return *super().constants, *classes_beside(self.made)

    def new(self) -> Any:
        """Return a new operator."""
        return self.made(self.monoid, self.asked[0])

    def starts(self) -> Iterator[Place[Call]]:
        try:
            yield Place(self.new(), SlicedWindows(self.operator, *self.asked))
        except Exception as error:
            raise Violation(self._of_these(f"raised {type(error).__name__}: {error}"), ()) from error

    def violation(self, place: Place[Call], *checks: str, detail: str = "") -> Violation:
        return super().violation(place, self._of_these(checks[0]), *checks[1:], detail=detail)

    def _of_these(self, check: str) -> Obligation:
        """Return the check's name with these queries."""
        periodic, sessions = self.asked
        return Obligation(check, f"{list(periodic)}, sessions {list(sessions)}" if sessions else str(list(periodic)))

    def clock(self, place: Place[Call]) -> int | None:
        """Return the current time; None before the first."""
        return place.subject.clock  # type: ignore[no-any-return]  # of any class

    def numbering(self, place: Place[Call]) -> tuple[Callable[[int], int], bool]:
        """Renumber times from the beginning of the clock's period."""
        clock = self.clock(place)
        begin = 0 if clock is None else clock - clock % self.period
        return lambda t: t - begin, clock is not None

    def elsewhere(self, base: int) -> Callable[[int], int]:
        return lambda t: t + base * self.period

    def pieces(self, place: Place[Call]) -> list[Word]:
        return [v for _, v in place.model.records if v.parts]


@dataclass(frozen=True)
class SliceStates(PeriodicStates):
    """Every state of an operator over some queries: the clock's place in their period, and the slices."""

    positions: ClassVar[Mapping[str, Role]] = dict.fromkeys(("clock", "begin", "records", "watermark"), "values")
    most: ClassVar[int] = 500
    queries: tuple[Query, ...]
    kept: Callable[[Any], bool]
    """The bound on the number of slices kept."""

    @property
    def asked(self) -> tuple[Sequence[Query], Sequence[int]]:
        return self.queries, ()

    def choices(self, place: Place[Call]) -> Iterator[Call]:
        """Yield steps in time, up to one after which no slice is kept."""
        reach = max(range_ + slide for range_, slide in self.queries)
        ahead = range(-self.period, self.period) if place.subject.clock is None else range(reach + 1)
        yield from (Call("insert at", more) for more in ahead)

    def words(self, steps: tuple[Call, ...]) -> Iterator[str]:
        return (f"insert at {t}" for t in itertools.accumulate(step.argument for step in steps))

    def take(self, place: Place[Call], step: Call, before: Place[Call]) -> None:
        sliced, model = place.subject, place.model
        t = step.argument if sliced.clock is None else sliced.clock + step.argument
        new = letter(len(before.steps))
        self.monoid.calls = 0
        answers = self.call(place, "insert", t, new)
        calls, expected = self.monoid.calls, model.advance(t)
        model.insert(t, new)
        if answers != expected:
            raise self.violation(place, f"answers {answers}, not {expected}")
        whole = contract.whole(sliced, [(begin, end) for _, begin, end, _ in expected])
        edges = [{sliced.edge(u) for u, _ in model.records if a <= u < b} for _, a, b, _ in expected]
        few = contract.record_calls(calls, sum(len(found) - 1 for found in edges))
        checks = {"whole": whole, "record calls": few, self.kept.__name__: self.kept(sliced)}
        checks["space"] = stored_aggregates(sliced, Word) <= contract.space_bound(sliced)
        self.require_clauses(place, contract.INVARIANT, contract_state(place, "edge"), checks)
        model.records = [(held.begin, held.partial) for held in sliced.slices]  # a window has all of a slice or none


def queries_up_to(alone: int, together: int) -> Iterator[tuple[Query, ...]]:
    """Yield every query with range and slide up to `alone`, and every two with both up to `together`."""
    for range_, slide in itertools.product(range(1, alone + 1), repeat=2):
        yield ((range_, slide),)
    yield from itertools.combinations(itertools.product(range(1, together + 1), repeat=2), 2)


KEPT: Final = {PANES: contract.panes_kept, PAIRS: contract.pairs_kept, STARTS: contract.starts_kept}
"""The slicing techniques, each with its bound on the number of slices kept."""


def spaces(column: Column, bound: tuple[int, int], mutant: Mutant | None = None) -> list[SliceStates]:
    """Return the spaces of every query up to a bound, and every two, for a technique or a mutant of it."""
    made = class_of(column, mutant)
    return [SliceStates(made, queries, KEPT[column]) for queries in queries_up_to(*bound)]


def exploration(columns: Sequence[Column], bound: tuple[int, int], expected: tuple[int, int]) -> Outcome:
    """Explore every query up to a bound, and every two, for techniques, and check the counts."""
    return judge(find_once(*(space for column in columns for space in spaces(column, bound))), expected)


def violated_contract(column: Column, mutant: Mutant) -> str | None:
    """Return the contract that a short stream violates, under full contracts, or an exception that is raised."""
    made = class_of(column, mutant, checked=True)

    def play(queries: Sequence[Query], gaps: tuple[int, ...]) -> None:
        sliced = made(CONCATENATION, queries)
        for t, each in zip(itertools.accumulate((0, *gaps, 9)), LETTERS, strict=False):
            sliced.insert(t, each)

    runs = itertools.product(queries_up_to(4, 3), itertools.product(range(4), repeat=3))
    return next(filter(None, (contract_violated_by(partial(play, *run)) for run in runs)), None)
