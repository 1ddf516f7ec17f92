"""Exhaustive exploration of slicing operators: every stream of every length, for every query up to a bound.

A stream in order is a sequence of steps in time.  What an operator keeps is finite, up to the length of a slice's
partial aggregate: once a partial is seen to be the product of its records, the definition may hold one record in their
place.  So a walk over all that is kept, times counted from the period in which the clock stands, decides streams
without end; and streams begin, and go on, anywhere in time.  The invariants, answers and combine calls are checked
after every step.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import lcm
from typing import Any, ClassVar, Final

from swagproof.contracts.slicing import slices as contract
from swagproof.contracts.space import stored_aggregates
from swagproof.models.operations import CONCATENATION
from swagproof.models.sliced import SlicedWindows
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.explorer.letters import LETTERS, WORDS, Word, letter
from swagproof.proofs.explorer.space import Call, Place, Role, Space, Violation, classes_beside, contract_state
from swagproof.proofs.explorer.walk import Counts, find, judge, walk
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.variants import Variant, class_of, contract_violated_by
from swagproof.reference.catalogue import PAIRS, PANES, STARTS, Column
from swagproof.reference.slicing import pairs

Query = tuple[int, int]


@dataclass(frozen=True)
class SliceStates(Space[Call]):
    """Every state of an operator over some queries: where its clock stands in their period, and the slices it keeps."""

    positions: ClassVar[Mapping[str, Role]] = dict.fromkeys(("clock", "begin", "records", "watermark"), "values")
    far: ClassVar[Sequence[int]] = (0, -1, 1, 0, -9, 2, 0, -(10**9), 2**31, 0, 2**63)
    most: ClassVar[int] = 500
    made: Any
    queries: tuple[Query, ...]
    kept: Callable[[Any], bool]
    """The bound on the number of slices kept."""

    @cached_property
    def period(self) -> int:
        """After which the queries begin again."""
        return lcm(*(slide for _, slide in self.queries))

    @cached_property
    def reach(self) -> int:
        """A gap in time after which nothing is kept."""
        return max(range_ + slide for range_, slide in self.queries)

    @property
    def constants(self) -> tuple[Any, ...]:
        return *super().constants, *classes_beside(self.made)

    def starts(self) -> Iterator[Place[Call]]:
        try:
            yield Place(self.made(self.monoid, self.queries), SlicedWindows(WORDS, self.queries))
        except Exception as error:
            raise Violation(f"raised {type(error).__name__}: {error}", ()) from error

    def choices(self, place: Place[Call]) -> Iterator[Call]:
        ahead = range(-self.period, self.period) if place.subject.clock is None else range(self.reach + 1)
        yield from (Call("insert at", more) for more in ahead)

    def words(self, steps: tuple[Call, ...]) -> Iterator[str]:
        return (f"insert at {t}" for t in itertools.accumulate(step.argument for step in steps))

    def numbering(self, place: Place[Call]) -> tuple[Callable[[int], int], bool]:
        """Times within the period in which the clock stands."""
        clock = place.subject.clock
        begin = 0 if clock is None else clock - clock % self.period
        return lambda t: t - begin, clock is not None

    def elsewhere(self, base: int) -> Callable[[int], int]:
        return lambda t: t + base * self.period

    def pieces(self, place: Place[Call]) -> list[Word]:
        return [v for _, v in place.model.records]

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
        model.records = [(held.begin, held.partial) for held in sliced.slices]  # a window holds all of a slice, or none


def queries_up_to(alone: int, together: int) -> Iterator[tuple[Query, ...]]:
    """Every query with range and slide up to `alone`, and every two with both up to `together`."""
    for range_, slide in itertools.product(range(1, alone + 1), repeat=2):
        yield ((range_, slide),)
    few = [(range_, slide) for range_ in range(1, together + 1) for slide in range(1, together + 1)]
    yield from itertools.combinations(few, 2)


KEPT: Final = {
    PANES.algorithm: contract.panes_kept,
    PAIRS.algorithm: contract.pairs_kept,
    STARTS.algorithm: contract.starts_kept,
}


def exploration(
    column: Column, alone: int, together: int, expected: tuple[int, int], variant: Variant | None = None
) -> Outcome:
    """Explore every query, and every two of them; hold the counts against the ones expected."""
    made, kept = class_of(column, variant), KEPT[column.algorithm]

    def run() -> Counts:
        visited = Counts(0, 0)
        for queries in queries_up_to(alone, together):
            try:
                visited = visited.add(walk(SliceStates(made, queries, kept)))
            except Violation as violation:
                raise replace(violation, check=Obligation(violation.check, str(list(queries)))) from violation
        return visited

    return judge(find(run), expected)


def violated_contract(column: Column, variant: Variant) -> str | None:
    """The contract that a short stream violates, under full contracts; or what the mistake makes the code raise."""
    made = class_of(column, variant, checked=True)

    def play(queries: Sequence[Query], gaps: tuple[int, ...]) -> None:
        sliced = made(CONCATENATION, queries)
        for t, each in zip(itertools.accumulate((0, *gaps, 9)), LETTERS, strict=False):
            sliced.insert(t, each)

    runs = itertools.product(queries_up_to(4, 3), itertools.product(range(4), repeat=3))
    return next(filter(None, (contract_violated_by(partial(play, *run)) for run in runs)), None)


# How many slices queries share


def edges_seen(column: Column, queries: Sequence[Query], made: Any = None) -> list[int]:
    """The edges in one period, by asking the operator at every time."""
    sliced = (made or column.algorithm)(CONCATENATION, queries)
    period = lcm(*(slide for _, slide in queries))
    return [t for t in range(period) if sliced.edge(t) == t]


def shared_counts(sets: Iterable[tuple[Query, ...]], variant: Variant | None = None) -> Outcome:
    """Window starts are among the edges of shared pairs, these among those of shared panes."""
    module = pairs if variant is None else variant.rewrite(pairs)
    number = fewer = 0
    for queries in sets:
        number += 1
        starts, of_pairs, of_panes = (set(edges_seen(column, queries)) for column in (STARTS, PAIRS, PANES))
        if not starts <= of_pairs <= of_panes:
            return Outcome("fails", f"{queries}: edges {starts}, {of_pairs}, {of_panes}")
        lengths = module.shared_slices(queries)
        if sorted(of_pairs) != [0, *itertools.accumulate(lengths)][:-1]:
            return Outcome("fails", f"{queries}: shared_slices gives {lengths}, the edges are {sorted(of_pairs)}")
        fewer += len(of_pairs) < len(of_panes)
    return Outcome("holds", f"{number} sets of queries; in {fewer} of them pairs are strictly fewer than panes")
