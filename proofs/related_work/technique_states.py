"""Exhaustive exploration of FlatFIT, SlickDeque and stream slicing.

FlatFIT's control flow inspects no value: over distinct letters its states are buffers and pointers.  SlickDeque asks
which of two values an operator selects, so it runs with every associative operator that selects, over up to three
values.  Stream slicing runs on every stream, in any order, with watermarks anywhere, whose records are within a span of
time; if its operator commutes, values are bags of letters.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final
from zlib import crc32

from swagproof.contracts.related_work import flat_fit as flat_fit_contract
from swagproof.contracts.related_work import slick_deque as slick_deque_contract
from swagproof.contracts.related_work import stream_slicing as stream_slicing_contract
from swagproof.contracts.space import stored_aggregates
from swagproof.models.fifo import EmptyWindowError, FifoWindow
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.explorer.freezing import Place, Role
from swagproof.proofs.explorer.letters import LETTERS, WORDS, LetterWindow, Selected, Word, letter, spell
from swagproof.proofs.explorer.space import Call, Space, Violation, classes_beside, contract_state
from swagproof.proofs.slicing.queries import PeriodicStates

# FIFO windows with lookups


@dataclass(frozen=True)
class LookupStates(Space[Call]):
    """Every state of a FIFO window with lookups of its newest elements, of at most `limit` elements.

    After every step its answer, combine calls and account, and every clause of the invariant, are checked.
    """

    made: Any
    limit: int
    contract: ClassVar[Any]

    @property
    def most(self) -> int:  # type: ignore[override]  # of one space more than of the next
        return int(2 * 3**self.limit)

    @property
    def constants(self) -> tuple[Any, ...]:
        return *super().constants, self.made, *classes_beside(self.made)

    def starts(self) -> Iterator[Place[Call]]:
        yield Place(self.made(self.monoid), self.window())

    def window(self) -> Any:
        """Return the window by definition."""
        return LetterWindow()

    def elements(self) -> Sequence[Any]:
        """Return the elements that may be inserted; None for the next letter."""
        return (None,)

    def words(self, steps: tuple[Call, ...]) -> Iterator[str]:
        letters = iter(LETTERS)
        for step in steps:
            new = step.name == "insert" and step.argument is None
            yield f"insert {next(letters)}" if new else str(step)

    def stored(self, place: Place[Call]) -> int:
        """Return the number of stored partial aggregates."""
        return stored_aggregates(place.subject, Word)

    def choices(self, place: Place[Call]) -> Iterator[Call]:
        if place.model.size < self.limit:
            yield from (Call("insert", element) for element in self.elements())
        yield Call("evict")
        yield Call("query")
        yield from (Call("lookup", newest) for newest in range(place.model.size + 1))

    def take(self, place: Place[Call], step: Call, before: Place[Call]) -> None:
        model, contract, n = place.model, self.contract, place.model.size
        savings = getattr(contract, "savings", lambda algorithm: None)
        saved = savings(place.subject)
        arguments = (model.next,) if step == ("insert", None) else step.arguments
        self.monoid.calls = 0
        refused, answer = False, None
        try:
            answer = self.call(place, step.name, *arguments, refused=EmptyWindowError)
        except EmptyWindowError:
            refused = True
        calls = self.monoid.calls
        checks: dict[str, object] = {}
        empty = step.name == "evict" and n == 0
        self.require(place, "evict of an empty window, and nothing else, is refused", refused == empty)
        if step.name in ("query", "lookup"):
            asked = n if step.argument is None else step.argument
            self.require(place, "answer", answer == model.product(n - asked, n))
            checks[f"{step.name} calls"] = getattr(contract, f"{step.name}_calls")(asked, calls)
            checks["shortened"] = not hasattr(contract, "shortened") or contract.shortened(place.subject, asked)
        else:
            if not refused:
                getattr(model, step.name)(*arguments)
            checks[f"{step.name} calls"] = getattr(contract, f"{step.name}_calls")(n, calls)
        paid = getattr(contract, f"{step.name}_paid", None)
        if paid is not None:
            checks[f"{step.name} paid"] = paid(calls, saved, savings(place.subject))
        checks["space"] = contract.space(model.size, self.stored(place))
        self.require_clauses(place, contract.INVARIANT, contract_state(place), checks)


@dataclass(frozen=True)
class FlatFitStates(LookupStates):
    """The states of FlatFIT: buffers and pointers, as it inspects no value."""

    lookups: bool = True
    contract: ClassVar[Any] = flat_fit_contract

    def choices(self, place: Place[Call]) -> Iterator[Call]:
        return (step for step in super().choices(place) if self.lookups or step.name != "lookup")

    def take(self, place: Place[Call], step: Call, before: Place[Call]) -> None:
        super().take(place, step, before)
        self._lead_nowhere(place.subject, lambda i: 0)

    def thaw(self, frozen: Any, steps: tuple[Call, ...]) -> Place[Call]:
        """Redirect the pointers of free slots and of the newest element, which are unused, to arbitrary slots."""
        place, where = super().thaw(frozen, steps), crc32(frozen[0])
        self._lead_nowhere(place.subject, lambda i: (where >> i) % len(place.subject.pointers))
        return place

    def _lead_nowhere(self, s: Any, anywhere: Callable[[int], int]) -> None:
        c = len(s.pointers)
        for i in range(max(s.size - 1, 0), c):
            s.pointers[(s.front + i) % c] = anywhere(i)


# Operators that select an operand


class Table:
    """An operator over k values given by its table, with an identity; code may only test which operand it selected."""

    identity: ClassVar[Selected] = Selected()

    def __init__(self, size: int, chosen: Sequence[int]) -> None:
        self.size = size
        self.chosen = tuple(chosen)
        self.values = tuple(Selected((k, k + 1)) for k in range(size))

    def combine(self, x: Selected, y: Selected) -> Selected:
        """Return x ⊗ y."""
        if not x.parts or not y.parts:
            return x if x.parts else y
        return self.values[self.chosen[x.parts[0] * self.size + y.parts[0]]]


def selective(most: int) -> Iterator[Table]:
    """Yield every associative operator over up to this many values for which x ⊗ y is x or y."""
    for size in range(1, most + 1):
        numbers = range(size)
        for chosen in itertools.product(*((x,) if x == y else (x, y) for x in numbers for y in numbers)):
            table = Table(size, chosen)
            combine, values = table.combine, table.values
            if all(
                combine(combine(x, y), z) == combine(x, combine(y, z)) for x in values for y in values for z in values
            ):
                yield table


TABLES: Final = tuple(selective(3))
"""Every such operator over up to three values."""


@dataclass(frozen=True)
class SlickDequeStates(LookupStates):
    """The states of SlickDeque with a selecting operator: the window's values, and the candidates among them."""

    table: Table
    contract: ClassVar[Any] = slick_deque_contract

    @property
    def operator(self) -> Table:
        return self.table

    def window(self) -> FifoWindow[Any]:
        return FifoWindow(self.table)

    positions: ClassVar[Mapping[str, Role]] = {"oldest": "values", "position": "values"}
    far: ClassVar[Sequence[int]] = (0, 1, 2, 3, 10**9, 2**31 - 1, 2**31, 2**53, 2**63)

    def pieces(self, place: Place[Call]) -> int:
        return 0

    def origin(self, place: Place[Call]) -> int:
        return int(place.subject.oldest)

    def elements(self) -> Sequence[Any]:
        return self.table.values

    def take(self, place: Place[Call], step: Call, before: Place[Call]) -> None:
        super().take(place, step, before)
        place.model._products.clear()  # the definition's cache is not part of the state

    def violation(self, place: Place[Call], *checks: str, detail: str = "") -> Violation:
        return super().violation(place, Obligation(checks[0], f"table {self.table.chosen}"), *checks[1:], detail=detail)


def slick_deque_spaces(made: Any, limit: int) -> list[SlickDequeStates]:
    """Return the spaces of SlickDeque with at most `limit` elements, one for each operator that selects."""
    return [SlickDequeStates(made, limit, table) for table in TABLES]


# Stream slicing

LETTERS_SORTED: Final[Operation[str, str, str]] = replace(
    CONCATENATION,
    name="sorted concatenation",
    combine=lambda a, b: "".join(sorted(a + b)),
    commutative=True,
    remove=None,
)
"""The free commutative monoid over letters, which distinguishes any two bags."""
WORDS_SORTED: Final[Operation[Word, Word, Word]] = replace(
    WORDS,
    name="sorted words",
    combine=lambda a, b: spell(sorted(a.letters + b.letters)),
    commutative=True,
    remove=None,
)
"""The free commutative monoid over opaque values."""

QUERIES: Final[tuple[tuple[tuple[tuple[int, int], ...], tuple[int, ...]], ...]] = (
    (((2, 1),), ()),
    (((3, 2),), ()),
    (((1, 2),), ()),
    (((4, 2),), ()),
    ((), (2,)),
    (((2, 2), (3, 1)), ()),
    ((), (1, 2)),
    (((3, 2),), (2,)),
    (((2, 4),), (3,)),
)
"""The periodic queries and session gaps over which stream slicing is explored."""


def stream_words(longest: int, times: int) -> Iterator[tuple[tuple[str, int], ...]]:
    """Yield every stream of records at these times in any order, with watermarks between and a last one past all."""
    steps = [("record", t) for t in range(times)] + [("watermark", t) for t in range(1, times + 1)]
    for length in range(1, longest + 1):
        for word in itertools.product(steps, repeat=length):
            watermark = 0
            for kind, t in word:
                if t < watermark or (kind == "watermark" and t == watermark):
                    break
                watermark = t if kind == "watermark" else watermark
            else:
                yield (*word, ("watermark", times + 9))


@dataclass(frozen=True)
class StreamSlicingStates(PeriodicStates):
    """Every state of stream slicing over some queries, within `span` units of time.

    The kept records, and the watermark with the records to come, are within the span.  Once the store has the product
    of a slice's records, the definition may keep that product in their place, at the slice's first time, and nothing at
    later times: every window and every session has a whole slice or none of it.
    """

    positions: ClassVar[Mapping[str, Role]] = dict.fromkeys(
        ("watermark", "begins", "lasts", "times", "records"), "values"
    )
    queries: tuple[tuple[tuple[int, int], ...], tuple[int, ...]]
    commutative: bool
    span: int

    @property
    def asked(self) -> tuple[Sequence[tuple[int, int]], Sequence[int]]:
        return self.queries

    @property
    def most(self) -> int:  # type: ignore[override]  # of one space more than of the next
        return int(4 ** (self.span + 1))

    @property
    def bags(self) -> bool:  # type: ignore[override]  # of one space another than of the next
        return self.commutative

    @property
    def operator(self) -> Any:
        return WORDS_SORTED if self.commutative else WORDS

    def new(self) -> Any:
        return self.made(self.monoid, *self.queries, commutative=self.commutative)

    def clock(self, place: Place[Call]) -> int | None:
        """Return the watermark; before the first watermark, the first time; None before that."""
        slicing = place.subject
        return slicing.begins[0] if slicing.watermark is None and slicing.begins else slicing.watermark  # type: ignore[no-any-return]  # of any class

    def choices(self, place: Place[Call]) -> Iterator[Call]:
        """Yield records and watermarks, by their distance from the clock."""
        slicing, clock = place.subject, self.clock(place)
        if clock is None:
            yield from (Call(name, at) for at in range(-self.period, self.period) for name in ("insert", "advance"))
            return
        first, last = (slicing.begins[0] - clock, slicing.lasts[-1] - clock) if slicing.begins else (0, 0)
        earliest = last - self.span + 1 if slicing.watermark is None else 0
        yield from (Call("insert", at) for at in range(earliest, min(first, 0) + self.span))
        reach = max([*(sum(query) for query in self.queries[0]), *self.queries[1]])
        yield from (Call("advance", at) for at in range(earliest, max(last, 0) + reach + 1))

    def words(self, steps: tuple[Call, ...]) -> Iterator[str]:
        """Yield the steps with times from 0 on."""
        clock, told = None, False
        for step in steps:
            t = step.argument + (clock or 0)
            yield f"{'record' if step.name == 'insert' else 'watermark'} {t}"
            if step.name == "advance" or not told:
                clock = t if step.name == "advance" or clock is None else min(clock, t)
            told = told or step.name == "advance"

    def take(self, place: Place[Call], step: Call, before: Place[Call]) -> None:
        slicing, model, t = place.subject, place.model, step.argument + (self.clock(place) or 0)
        if step.name == "insert":
            new = letter(len(model.records))
            self.call(place, "insert", t, new)
            model.insert(t, new)
        else:
            answers, expected = self.call(place, "advance", t), model.advance(t)
            if answers != expected:
                raise self.violation(place, f"answers {[tuple(answer) for answer in answers]}, not {expected}")
        self.require_clauses(place, stream_slicing_contract.INVARIANT, contract_state(place))
        kept = list(zip(slicing.begins, slicing.lasts, strict=True))
        products = [model.product_between(begin, last) for begin, last in kept]
        model.records = [
            (t, self.operator.identity if t > begin else product)
            for (begin, last), product in zip(kept, products, strict=True)
            for t in range(begin, last + 1)
        ]


def stream_slicing_spaces(made: Any, span: int) -> list[StreamSlicingStates]:
    """Return the spaces of each of `QUERIES`, with an operator that commutes and one that does not."""
    kinds = itertools.product((True, False), QUERIES)
    return [StreamSlicingStates(made, queries, commutative, span) for commutative, queries in kinds]
