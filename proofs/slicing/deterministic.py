"""Exhaustive exploration of Cutty with all possible deterministic windows, on streams of any length, up to a bound.

Cutty knows the stream only by the marks that the discretisation functions return for an item.  So the explorer makes
them return everything that is allowed: for each query, any number of windows begin with a record, end with it, or ended
before it; and queries that look back ask for any record within reach.  Control flow depends on no value, so over
distinct letters one run decides every monoid.  After every step the partial aggregates are compared with their
products.  Then the definition may keep one record for each slice, and numbers are counted from the first slice, which
makes the state finite.  So streams are unbounded; only the numbers of open windows and slices are bounded.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

from swagproof.contracts.slicing import cutty as contract
from swagproof.contracts.slicing.slice_store import set_anew_when_full
from swagproof.contracts.space import stored_aggregates
from swagproof.models.discretisation import Looks, Marks
from swagproof.models.marked import MarkedWindows
from swagproof.models.operations import CONCATENATION
from swagproof.models.windows.window import WindowError
from swagproof.proofs.explorer.freezing import Place, Role
from swagproof.proofs.explorer.letters import LETTERS, WORDS, Word, letter
from swagproof.proofs.explorer.space import Space, classes_beside, contract_state
from swagproof.proofs.ledger.mutants import Mutant, class_of, contract_violated_by
from swagproof.reference.catalogue import CUTTY
from swagproof.reference.slicing import cutty

Said = tuple[tuple[Marks, ...], tuple[Looks, ...]]
"""The marks and looks that the functions of all queries return for one item."""


@dataclass(frozen=True)
class Bounds:
    """The bounds of an exploration: numbers of queries, open windows and slices."""

    deterministic: int
    looking_back: int
    windows: int
    """The most open windows of one query."""
    begin: int
    """The most windows of one query that begin with one record."""
    slices: int
    """The most slices kept."""


def in_words(record: bool, marks: tuple[Marks, ...], looks: tuple[Looks, ...]) -> str:
    """Return an item as text, for a trace."""
    said = [
        ", ".join(f"{name} {number}" for name, number in zip(mark._fields, mark, strict=True) if number) or "nothing"
        for mark in marks
    ]
    said += [f"over {look.over}, end {look.end}, reach {look.reach}" for look in looks]
    return f"{'record' if record else 'tell'}({'; '.join(said)})"


def functions(deterministic: int, looking_back: int) -> tuple[list[Any], list[Any]]:
    """Return discretisation functions for items that contain their own marks."""

    def part(kind: int, query: int) -> Any:
        return lambda item: item[kind][query]

    return [part(0, query) for query in range(deterministic)], [part(1, query) for query in range(looking_back)]


def _list_marks(begun: int, record: bool, bounds: Bounds) -> Iterator[Marks]:
    for over in range(begun + 1):
        for begin in range(bounds.begin + 1 if record else 1):
            most = begun - over + begin
            for end in range(most + 1 if record else 1):
                if most - end <= bounds.windows:
                    yield Marks(begin, end, over)


def _list_looks(reach: int, record: bool, bounds: Bounds) -> Iterator[Looks]:
    """Yield looks with at most one ending window; the reach stays or advances, and must advance if slices run out.

    Records are numbered from the newest, 0; the record that arrives is 1.
    """
    asked: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    asked += [((), (a,)) for a in range(reach, 1)]
    if record:
        asked += [((a,), ()) for a in range(reach, 2)]
    for end, over in asked:
        for later in range(reach, record + 1):
            if record - later < bounds.slices:
                yield Looks(end, over, later)


@dataclass(frozen=True)
class CuttyStates(Space[tuple[bool, Said]]):
    """Every state of Cutty within the bounds."""

    positions: ClassVar[Mapping[str, Role]] = dict.fromkeys(
        ("first", "last", "base", "open", "begun", "cuts", "reach", "gone"), "values"
    )
    most: ClassVar[int] = 600
    made: Any
    bounds: Bounds

    @cached_property
    def _functions(self) -> tuple[list[Any], list[Any]]:
        return functions(self.bounds.deterministic, self.bounds.looking_back)

    @property
    def constants(self) -> tuple[Any, ...]:
        deterministic, looking_back = self._functions
        return *super().constants, *deterministic, *looking_back, *classes_beside(self.made)

    def starts(self) -> Iterator[Place[tuple[bool, Said]]]:
        model = MarkedWindows(WORDS, self.bounds.deterministic, self.bounds.looking_back)
        yield Place(self.made(self.monoid, *self._functions), model)

    def choices(self, place: Place[tuple[bool, Said]]) -> Iterator[tuple[bool, Said]]:
        model = place.model
        for record in (True, False):
            marks = itertools.product(*(_list_marks(len(begun), record, self.bounds) for begun in model.begun))
            looks = [_list_looks(reach - model.number, record, self.bounds) for reach in model.reach]
            for said in itertools.product(marks, list(itertools.product(*looks))):
                yield record, said

    def after(self, place: Place[tuple[bool, Said]]) -> Iterator[Place[tuple[bool, Said]]]:
        return (reached for reached in super().after(place) if len(reached.model.cuts) <= self.bounds.slices)

    def words(self, steps: tuple[tuple[bool, Said], ...]) -> Iterator[str]:
        return (in_words(record, *said) for record, said in steps)

    def pieces(self, place: Place[tuple[bool, Said]]) -> list[Word]:
        return place.model.records  # type: ignore[no-any-return]  # of windows of words

    def origin(self, place: Place[tuple[bool, Said]]) -> int:
        return int(place.subject.store.first)

    def take(self, place: Place[tuple[bool, Said]], step: tuple[bool, Said], before: Place[tuple[bool, Said]]) -> None:
        s, model, fat = place.subject, place.model, place.subject.store.fat
        record, (marks, asked) = step
        looks = tuple(_count_from(model.number, *look) for look in asked)
        letters = (letter(len(model.records)),) if record else ()
        self.monoid.calls = 0
        answers = self.call(place, "insert" if record else "tell", (marks, looks), *letters)
        calls, expected = self.monoid.calls, model.item(marks, looks, *letters)
        if answers != expected:
            raise self.violation(place, f"answers {[tuple(answer) for answer in answers]}, not {expected}")
        cut = record and (any(mark.begin for mark in marks) or bool(looks))
        moved = s.store.fat is not fat
        stored, store = cut and before.subject.is_active, before.subject.store
        left = store.fat.n - store.place(store.last) if stored else 1
        few = contract.calls(calls, cut, stored, len(answers), s.store.fat.n, moved)
        checks = {
            "calls": few,
            "space": stored_aggregates(s, Word) <= contract.space_bound(s),
            "set anew": set_anew_when_full(moved, left),
        }
        if not record:
            checks["tell calls"] = contract.tell_calls(calls, len(answers), s.store.fat.n)
        self.require_clauses(place, contract.INVARIANT, contract_state(place), checks)
        _merge_records(s, model)


def _count_from(number: int, end: Sequence[int], over: Sequence[int], reach: int) -> Looks:
    return Looks(tuple(number + a for a in end), tuple(number + a for a in over), number + reach)


def _merge_records(s: Any, model: MarkedWindows[Word]) -> None:
    """Merge the records of each slice into one with the slice's number; a window has a whole slice or none."""
    store = s.store
    numbers = dict(zip(model.cuts, range(store.first, s.number + 1), strict=False))
    model.records = [*map(store.slice, range(store.first, s.number)), *[s.active] * s.is_active]
    model.begun = [[numbers[a] for a in begun] for begun in model.begun]
    model.cuts, model.gone = [*numbers.values()], store.first - 1


def spaces(bounds: Bounds, mutant: Mutant | None = None) -> CuttyStates:
    """Return the space within these bounds, for the reference or a mutant."""
    return CuttyStates((cutty if mutant is None else mutant.rewrite(cutty)).Cutty, bounds)


SHORT = (Marks(), Marks(1), Marks(1, 1), Marks(0, 1), Marks(0, 0, 1), Marks(1, 0, 1), Marks(2, 0, 0))


def violated_contract(mutant: Mutant) -> str | None:
    """Return the contract that a short stream violates, under full contracts, or an exception that is raised."""
    made = class_of(CUTTY, mutant, checked=True)

    def play(marks: tuple[Marks, ...]) -> None:
        s = made(CONCATENATION, *functions(1, 0))
        with suppress(WindowError):  # impossible marks
            for letter, mark in zip(LETTERS, marks, strict=False):
                s.insert(((mark,), ()), letter)
            s.tell(((Marks(),), ()))

    runs = (marks for length in range(1, 6) for marks in itertools.product(SHORT, repeat=length))
    return next(filter(None, (contract_violated_by(partial(play, marks)) for marks in runs)), None)
