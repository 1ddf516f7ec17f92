"""Searches for the errata and readings of *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021)."""

import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, Final

from swagproof.contracts.in_order.daba import lengths
from swagproof.contracts.space import stored_aggregates
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import AFFINE, ARG_MAX, CONCATENATION, M4, MAX, MAX_COUNT, SUM, Operation
from swagproof.proofs.errata.erratum import Searches, join
from swagproof.proofs.explorer.histories import HistoryRun, histories, in_words, play_histories
from swagproof.proofs.in_order import two_stacks
from swagproof.proofs.ledger.variants import BLIND_EVICT, Variant, wrong
from swagproof.reference.catalogue import DABA, DABA_LITE, TWO_STACKS, TWO_STACKS_LITE, Column
from swagproof.reference.in_order.daba import Daba


def first_wrong(column: Column, variant: Variant | None = None) -> Iterator[str]:
    """The shortest history on which an algorithm, or a variant of it, answers wrongly or breaks down."""
    algorithm = column.algorithm if variant is None else variant.of(column.algorithm)
    for word in histories(7):
        run = HistoryRun.of(algorithm)
        try:
            answer = run.play(word).algorithm.query()
        except Exception as error:
            yield f"{in_words(word)}: {type(error).__name__}: {error}"
            return
        if answer != run.window.query():
            yield f"{in_words(word)}: answers {answer!r}, not {run.window.query()!r}"
            return


# Definitions


def _inverse(order: str) -> Iterator[str]:
    """The window a, b, its product multiplied by an inverse to let a leave: whether b is left."""
    assert AFFINE.remove is not None
    lifted = [AFFINE.lift(sample) for sample in AFFINE.samples]
    for a, b in itertools.product(lifted, repeat=2):
        inverses = {f"inv({name})": AFFINE.remove(x, AFFINE.identity) for name, x in (("a", a), ("b", b))}
        result = reduce(AFFINE.combine, [({"a": a, "b": b} | inverses)[name] for name in order.split()])
        if result != b:
            yield (
                f"affine maps x -> s x + t modulo a prime, insert a = {a}, insert b = {b}, evict: {order} = {result}, "
                f"not {b}"
            )


_PRINTED_EVICTS: Final = (
    (TWO_STACKS, two_stacks.BLIND_EVICT),
    *((column, BLIND_EVICT) for column in (TWO_STACKS_LITE, DABA, DABA_LITE)),
)


def _empty_evict_listed(column: Column, variant: Variant) -> Iterator[str]:
    """Yield the error that a listing's evict raises on an empty window, unless it refuses properly."""
    try:
        variant.of(column.algorithm)(CONCATENATION).evict()
    except EmptyWindowError:
        return
    except IndexError as error:
        yield f"evict: {error}"


def _empty_evict_refused() -> Iterator[str]:
    for column, _ in _PRINTED_EVICTS:
        window = column.algorithm(CONCATENATION)
        try:
            window.evict()
            yield f"{column.name} does not refuse"
        except EmptyWindowError:
            window.insert("a")
            if window.query() != "a":
                yield f"{column.name}: insert a after a refused evict answers {window.query()!r}"


# Layout


def _prose_lines(through: bool) -> Iterator[str]:
    """The lines at which the prose of section 4 has the flip's steps: in numbers as supplied, or counted `through`."""
    numbered: dict[int, str] = {}
    for listing in TWO_STACKS_LITE.listings:
        for label, line in listing.lines.items():
            if through or listing.name == "Two-Stacks Lite evict":
                numbered[len(numbered) + 1 if through else int(label)] = line.printed
    said = {11: "I <- E - 1", 14: "*I <- *I ⊗ *(I + 1)", 15: "B <- E", 16: "aggB <- 1"}
    for number, step in said.items():
        if numbered[number] != step:
            yield f"line {number} reads {numbered[number]}, not {step}"


def nest_otherwise(name: str, column: Column, method: str, lines: tuple[int, int], by: int) -> Variant:
    """Another reading of lost indentation: lines from the first to the last moved right by `by`, or left by -`by`."""
    source = inspect.getsource(getattr(column.algorithm, method)).splitlines(keepends=True)
    source = [line[4:] for line in source]
    tags = [rf" l\.{number}[\],]" for number in lines]
    start, stop = (next(i for i, line in enumerate(source) if re.search(tag, line)) for tag in tags)
    block = source[start : stop + 1]
    moved = [" " * by + line if by > 0 else line[-by:] for line in block]
    return wrong(name, (method, "".join(block), "".join(moved)))


READINGS: Final[tuple[tuple[Column, Variant], ...]] = tuple(
    (column, nest_otherwise(name, column, method, lines, by))
    for name, column, method, lines, by in (
        ("l.7 inside the flip", TWO_STACKS, "evict", (7, 7), 4),
        ("l.14-15 inside the loop", TWO_STACKS_LITE, "evict", (14, 15), 4),
        ("l.14-15 after the flip", TWO_STACKS_LITE, "evict", (14, 15), -4),
        ("l.15 after the flip", TWO_STACKS_LITE, "evict", (15, 15), -4),
        ("l.16-17 inside the flip", TWO_STACKS_LITE, "evict", (16, 17), 4),
        ("l.19-25 inside the flip", DABA, "fixup", (19, 25), 4),
        ("l.21 is the else of l.17", DABA, "fixup", (19, 20), 4),
        ("l.23-25 after the else", DABA, "fixup", (23, 25), -4),
        ("l.24-25 after the else", DABA, "fixup", (24, 25), -4),
        ("l.18-19 after the flip", DABA_LITE, "fixup", (18, 19), -4),
        ("l.20-26 inside the flip", DABA_LITE, "fixup", (20, 26), 4),
        ("l.22 is the else of l.16", DABA_LITE, "fixup", (20, 21), 4),
        ("l.24-26 after the else", DABA_LITE, "fixup", (24, 26), -4),
        ("l.25-26 after the else", DABA_LITE, "fixup", (25, 26), -4),
    )
)


def _reading_taken() -> Iterator[str]:
    for column in {column.name: column for column, _ in READINGS}.values():
        yield from first_wrong(column)


# Two-Stacks and Two-Stacks Lite


def _one_each(algorithm: type[Any]) -> Iterator[str]:
    for history, run in play_histories(algorithm):
        allowed = run.inserts + run.evicts
        if run.monoid.calls > allowed:
            yield f"{history}: {run.monoid.calls} combine calls, {allowed} billed"


def _two_coins() -> Iterator[str]:
    for column in (TWO_STACKS, TWO_STACKS_LITE):
        for history, run in play_histories(column.algorithm):
            if run.monoid.calls > 2 * run.inserts:
                yield f"{history}: {run.monoid.calls} combine calls"


def _peak_of_flip(n: int) -> int:
    """Most partial aggregates kept within the flip of n elements: counted after every push, before the pop."""
    run = HistoryRun.of(TWO_STACKS.algorithm).play(("insert",) * n)
    counted: list[int] = []

    class Watched(Stack[Element[str]]):
        def push(self, item: Element[str]) -> None:
            super().push(item)
            counted.append(stored_aggregates(run.algorithm, str))

    run.algorithm.F = Watched()
    run.step("evict")
    return max(counted)


def _peak(bound: Callable[[int], int]) -> Iterator[str]:
    for n in range(1, 5):
        peak = _peak_of_flip(n)
        if peak > bound(n):
            yield f"{in_words(('insert',) * n + ('evict',))}: {peak} partial aggregates with n = {n}"


def _between_operations(bound: Callable[[int], int]) -> Iterator[str]:
    for history, run in play_histories(TWO_STACKS.algorithm):
        stored = stored_aggregates(run.algorithm, str)
        if stored > bound(run.window.size):
            yield f"{history}: {stored} partial aggregates with n = {run.window.size}"


# DABA and DABA Lite


def _entered(sizes: tuple[int, ...]) -> Iterator[str]:
    """Find a history after which fixup meets an empty l_F, and an l_B of none of these sizes."""
    found: list[int] = []

    class Entered(Daba[str]):
        def fixup(self) -> None:
            found.extend([lengths(self).B] if self.F == self.B else [])
            super().fixup()

    for word in histories(6):
        found.clear()
        HistoryRun.of(Entered).play(word)
        for size in found:
            if size not in sizes:
                yield f"{in_words(word)}: fixup meets |l_F| = 0 and |l_B| = {size}"
                return


@dataclass(frozen=True)
class Averages:
    """Combine calls an operation, over a long history of a window of `size` that slides."""

    insert: float
    evict: float


def sliding_averages(column: Column, size: int, rounds: int = 600, at_once: int = 1) -> Averages:
    """Fill to `size`, then evict and insert so many `at_once`, `rounds` of each in all; the fill is not counted."""
    monoid = Counting(SUM)
    window = column.algorithm(monoid)
    for _ in range(size):
        window.insert(1)
    totals = [0, 0]
    for _ in range(rounds // at_once):
        monoid.calls = 0
        for _ in range(at_once):
            window.evict()
        totals[1] += monoid.calls
        monoid.calls = 0
        for _ in range(at_once):
            window.insert(1)
        totals[0] += monoid.calls
    return Averages(totals[0] / rounds, totals[1] / rounds)


def _average(column: Column, insert: float, evict: float) -> Iterator[str]:
    for size, at_once in ((128, 64), *((size, 1) for size in range(2, 10))):
        found = sliding_averages(column, size, 640, at_once)
        if abs(found.insert - insert) > 0.1 or abs(found.evict - evict) > 0.1:
            said = f"{found.insert:g} calls an insert and {found.evict:g} an evict"
            yield f"{column.name}, window of {size}, evict {at_once} and insert {at_once} in turn: {said}"


def _account(shrunk: bool) -> Iterator[str]:
    """More calls than 2.5 inserts + 1.5 evicts (Lite: 2, 1), and 1.5 (Lite: 1) for each of l_A if `shrunk`."""
    turns = [(size, 1) for size in range(1, 10)] + [(8, 4), (16, 8)]
    slides = [("insert",) * size + (("evict",) * at_once + ("insert",) * at_once) * 20 for size, at_once in turns]
    for column, shrink in ((DABA, 3), (DABA_LITE, 2)):
        for word in itertools.chain(histories(7), slides):
            run = HistoryRun.of(column.algorithm).play(word)
            owed = column.contract.savings(run.algorithm) if shrunk else 0
            most = run.inserts + shrink * (run.inserts + run.evicts + owed) / 2
            if run.monoid.calls > most:
                yield f"{column.name}: {in_words(word)}: {run.monoid.calls} combine calls, more than {most:g}"


_LEFT, _ACCUMULATOR = (
    "combine(combine(self.pi_L(), self.pi_R()), self.pi_A())",
    "combine(self.deque[self.A - 1].val, self.pi_A())",
)


def _shrinks(name: str, change: Callable[[str], str]) -> Variant:
    """Return a mutant of DABA whose shrinks write other products."""
    return wrong(name, *(("fixup", each, change(each)) for each in (_LEFT, _ACCUMULATOR)))


TO_B: Final = _shrinks(
    "the products of a shrink end at v_{B-F}",
    lambda upto: f"{upto} if self.B == self.E else combine({upto}, self.deque[self.B].val)",
)
"""The shrink's products as printed, except where l_B is empty, as there is no v_{B-F}."""
WITHOUT_A: Final = _shrinks(
    "the products of a shrink end before l_A", lambda upto: upto.replace("self.pi_A()", "self.monoid.identity")
)


def _exchanged(name: str, first: str, second: str, between: str) -> Variant:
    """A fixup whose shrink makes its second write before its first one; `between` them l_L loses an element."""
    return wrong(name, ("fixup", f"{first}{between}{second}", f"{second}\n            {first}{between}pass"))


_AGAIN: Final = "  # [{0} fixup l.{1}]\n            self.L = self.L + 1  # [{0} fixup l.{2}]\n            "
EXCHANGED: Final = _exchanged(
    "DABA's two writes of a shrink exchanged",
    f"self.deque[self.L].agg = {_LEFT}",
    f"self.deque[self.A - 1].agg = {_ACCUMULATOR}",
    _AGAIN.format("DABA", 22, 23),
)
EXCHANGED_LITE: Final = _exchanged(
    "DABA Lite's two writes of a shrink exchanged",
    "self.deque[self.L] = combine(self.pi_L(), self.aggRA)",
    "self.deque[self.A - 1] = combine(self.deque[self.A - 1], self.pi_A())",
    _AGAIN.format("DABA Lite", 23, 24),
)


def _example(value: tuple[Any, int]) -> Iterator[str]:
    meant = (0, 1)  # the notation m x c of Figure 7: maximum m, occurring c times
    if value != meant:
        yield f"read as printed it is {value}, not maximum 0 occurring once"


def _sketches_are_not_invertible() -> Iterator[str]:
    """A count-min sketch is a row of counters, merged by adding: subtracting undoes it."""
    a, b = (2, 0, 1), (1, 1, 0)
    merged = tuple(x + y for x, y in zip(a, b, strict=True))
    undone = tuple(z - x for z, x in zip(merged, a, strict=True))
    if undone == b:
        yield f"count-min, counters {a} and {b} merge to {merged}; taking {a} away again leaves {undone}"


def _max_like_do_not_commute() -> Iterator[str]:
    lifted = [MAX.lift(sample) for sample in MAX.samples]
    if all(MAX.combine(a, b) == MAX.combine(b, a) for a, b in itertools.product(lifted, lifted)):
        yield "max itself commutes (of that row arg-max and M4 do not)"


def _crosses_that_hold() -> Iterator[str]:
    """Look, for each cross, for an operator of its row for which the property holds."""
    ordered: list[Operation[Any, Any, Any]] = [ARG_MAX, M4]
    for operation in ordered:
        lifted = [operation.lift(sample) for sample in operation.samples]
        if all(operation.combine(a, b) == operation.combine(b, a) for a, b in itertools.product(lifted, lifted)):
            yield f"{operation.name} commutes on its samples"
    if MAX.combine(1, 2) != MAX.combine(0, 2):
        yield "max tells by the maximum what has left"
    bits = (0b01, 0b11)
    if len({0b10 | b for b in bits}) == len(bits):
        yield "a Bloom filter tells by the union what was in the other"


SEARCHES: Final = {
    "DEF-1": Searches(
        printed=partial(_inverse, "a b inv(a)"),
        holds=partial(_inverse, "inv(a) a b"),
        wrong={"the inverse of the newest": partial(_inverse, "inv(b) a b")},
    ),
    "DABA-2": Searches(
        printed=partial(join, partial(_average, DABA, 2.5, 1.5), partial(_average, DABA_LITE, 2, 1)),
        holds=partial(_account, True),
        wrong={"with nothing owed for shrinks": partial(_account, False)},
    ),
    "DABA-1": Searches(
        printed=partial(_entered, (1,)),
        holds=partial(_entered, (0, 1)),
        wrong={"|l_B| = 0 alone": partial(_entered, (0,))},
    ),
    "DABA-3": Searches(
        mutants=(TO_B,),
        holds=partial(first_wrong, DABA, None),
        wrong={
            "as printed": partial(first_wrong, DABA, TO_B),
            "without the accumulator": partial(first_wrong, DABA, WITHOUT_A),
        },
    ),
    "DABAL-3": Searches(
        holds=partial(first_wrong, DABA_LITE, EXCHANGED_LITE), wrong={"of DABA": partial(first_wrong, DABA, EXCHANGED)}
    ),
    "DEF-2": Searches(
        holds=_empty_evict_refused,
        wrong={
            f"{column.name}, evict as listed": partial(_empty_evict_listed, column, variant)
            for column, variant in _PRINTED_EVICTS
        },
    ),
    "TAB-1": Searches(
        holds=_crosses_that_hold,
        wrong={
            "max-like operators do not commute": _max_like_do_not_commute,
            "mergeable sketches are not invertible": _sketches_are_not_invertible,
        },
    ),
    "TS-1": Searches(
        holds=_two_coins,
        wrong={
            f"{column.name}, one coin each": partial(_one_each, column.algorithm)
            for column in (TWO_STACKS, TWO_STACKS_LITE)
        },
    ),
    "TS-2": Searches(
        holds=partial(_between_operations, lambda n: 2 * n),
        wrong={"counted at every moment": partial(_peak, lambda n: 2 * n)},
    ),
    "LAY-1": Searches(holds=partial(_prose_lines, True), wrong={"as supplied": partial(_prose_lines, False)}),
    "LAY-2": Searches(
        holds=_reading_taken,
        wrong={f"{column.name}, {variant.name}": partial(first_wrong, column, variant) for column, variant in READINGS},
    ),
    "DABAL-2": Searches(
        holds=partial(_example, MAX_COUNT.lift(0)),
        wrong={"the operator": partial(_example, MAX_COUNT.combine(MAX_COUNT.lift(0), MAX_COUNT.lift(1)))},
    ),
}
