"""What is said of the text of *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021)."""

import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, Final

from swagproof.contracts.space import stored_aggregates
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import AFFINE, ARG_MAX, CONCATENATION, M4, MAX, MAX_COUNT, SUM, Operation
from swagproof.proofs.errata.erratum import (
    Damage,
    Entry,
    Erratum,
    Form,
    Reading,
    Withdrawn,
    against,
    join,
)
from swagproof.proofs.explorer.histories import Run, histories, in_words, play_histories
from swagproof.proofs.in_order import two_stacks
from swagproof.proofs.ledger.claim import IN_ORDER
from swagproof.proofs.ledger.variants import BLIND_EVICT, Variant, wrong
from swagproof.reference.catalogue import DABA, DABA_LITE, SUBTRACT_ON_EVICT, TWO_STACKS, TWO_STACKS_LITE, Column


def first_wrong(column: Column, variant: Variant | None = None) -> Iterator[str]:
    """The shortest history on which an algorithm, or a variant of it, answers wrongly or breaks down."""
    algorithm = column.algorithm if variant is None else variant.of(column.algorithm)
    for word in histories(7):
        run = Run.of(algorithm)
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
    """What a listing's evict does to a window that holds nothing."""
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
    run = Run.of(TWO_STACKS.algorithm).play(("insert",) * n)
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


def _slide(size: int) -> tuple[tuple[str], ...]:
    """A window that is filled, and then slides."""
    return (("insert",),) * size + (("evict",), ("insert",)) * 6


def _account(shrunk: bool) -> Iterator[str]:
    """More calls than 2.5 inserts + 1.5 evicts (Lite: 2, 1), and 1.5 (Lite: 1) for each of l_A if `shrunk`."""
    turns = [(size, 1) for size in range(1, 10)] + [(8, 4), (16, 8)]
    slides = [("insert",) * size + (("evict",) * at_once + ("insert",) * at_once) * 20 for size, at_once in turns]
    for column, shrink in ((DABA, 3), (DABA_LITE, 2)):
        for word in itertools.chain(histories(7), slides):
            run = Run.of(column.algorithm).play(word)
            owed = column.contract.savings(run.algorithm) if shrunk else 0
            most = run.inserts + shrink * (run.inserts + run.evicts + owed) / 2
            if run.monoid.calls > most:
                yield f"{column.name}: {in_words(word)}: {run.monoid.calls} combine calls, more than {most:g}"


_LEFT, _ACCUMULATOR = (
    "combine(combine(self.pi_L(), self.pi_R()), self.pi_A())",
    "combine(self.deque[self.A - 1].val, self.pi_A())",
)


def _shrinks(name: str, change: Callable[[str], str]) -> Variant:
    """DABA, whose shrinks write other products."""
    return wrong(name, *(("fixup", each, change(each)) for each in (_LEFT, _ACCUMULATOR)))


TO_B: Final = _shrinks(
    "the products of a shrink end at v_{B-F}",
    lambda upto: f"{upto} if self.B == self.E else combine({upto}, self.deque[self.B].val)",
)
"""Where l_B is empty there is no v_{B-F}."""
WITHOUT_A: Final = _shrinks(
    "the products of a shrink end before l_A", lambda upto: upto.replace("self.pi_A()", "self.monoid.identity")
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
    """Of each cross, an operator of its row for which it holds."""
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


erratum: Final = partial(Erratum, paper=IN_ORDER)
reading: Final = partial(Reading, paper=IN_ORDER)
damage: Final = partial(Damage, paper=IN_ORDER)
withdrawn: Final = partial(Withdrawn, paper=IN_ORDER)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="DEF-1",
        place="section 2.1, left inverse",
        quotes=("A monoid has a left inverse if there exists", r"a\otimes b\otimes\textit{inv}(a)=b"),
        printed="A monoid has a left inverse when a b inv(a) = b for all a, b.",
        holds="inv(a) a b = b: the oldest stands on the left, and leaves there. As printed every monoid with a left "
        "inverse would commute (take b = 1, then multiply by a), and affine maps, a group, would have none.",
        searches=against(_inverse, "a b inv(a)", "inv(a) a b"),
        wrong={"the inverse of the newest": partial(_inverse, "inv(b) a b")},
        forms=(
            Form(
                SUBTRACT_ON_EVICT,
                None,
                (("insert", "a"), ("insert", "b"), ("evict",), ("query",)),
                "a stands on the left of ab, and is taken off there; an inverse on the right meets b first",
            ),
        ),
    ),
    erratum(
        id="DABA-2",
        place="Theorems 5.2 and 6.2, averages",
        quotes=(
            "on average 2.5 times per insert and 1.5 times per evict",
            "on average two times per insert and one time per evict",
        ),
        printed="On average, for nonempty windows, DABA invokes combine 2.5 times an insert and 1.5 times an evict, "
        "DABA Lite 2 and 1 times.",
        holds="Only together, and on account: the proof's 1.5 a fixup (Lite: 1) is an average over both operations, "
        "and which of them pays for the shrinks depends on the history. Every shrink adds one element to l_A, every "
        "shift takes one: calls <= 2.5 inserts + 1.5 evicts + 1.5 |l_A| (Lite: 2, 1, 1).",
        searches=(
            partial(join, partial(_average, DABA, 2.5, 1.5), partial(_average, DABA_LITE, 2, 1)),
            partial(_account, True),
        ),
        wrong={"with nothing owed for shrinks": partial(_account, False)},
        forms=(
            Form(DABA, None, _slide(3), "in a window of 3 each evict takes 3 calls, each insert 1, not 1.5 and 2.5"),
            Form(DABA_LITE, None, _slide(3), "in a window of 3 each evict takes 2 calls, each insert 1, not 1 and 2"),
        ),
    ),
    erratum(
        id="DABA-3",
        place="section 5, shrink case",
        quotes=(r"v_{L-F}\otimes\ldots\otimes v_{B-F}=", r"v_{A-F-1}\otimes\ldots\otimes v_{B-F}="),
        printed="Shrink sets *L.agg to v_{L-F} ... v_{B-F}, and *(A-1).agg to v_{A-F-1} ... v_{B-F}.",
        holds="Both products end at v_{B-F-1}, as the invariants have it, and as the products of sublists do that the "
        "same equations and the listing give: v_{B-F} is the first element of l_B, or none.",
        searches=against(partial(first_wrong, DABA), TO_B, None),
        wrong={"without the accumulator": partial(first_wrong, DABA, WITHOUT_A)},
        forms=(Form(DABA, TO_B),),
    ),
    reading(
        id="DEF-2",
        place="sections 2.1 and 3 to 6, evict",
        quotes=("removes the oldest item from the front of the sliding window",),
        gap="What evict does to an empty window, which has no oldest item.",
        taken="It is refused: EmptyWindowError is raised, and nothing has changed.",
        otherwise="The listings as they stand pop an element that is not there.",
        search=_empty_evict_refused,
        others={
            f"{column.name}, evict as listed": partial(_empty_evict_listed, column, variant)
            for column, variant in _PRINTED_EVICTS
        },
    ),
    reading(
        id="TAB-1",
        place="Table 1",
        quotes=("Max-like: max, min, argMax, maxCount, M4", "Bloom, CountMin, HyperLogLog"),
        gap="Whether a cross says of no operator in its row that it has the property, or that not all of them have it "
        "(ticks are lost in the text supplied).",
        taken="Not all of them have it.",
        otherwise="Read of every operator, crosses would be wrong: max commutes, and count-min can be subtracted.",
        search=_crosses_that_hold,
        others={
            "max-like operators do not commute": _max_like_do_not_commute,
            "mergeable sketches are not invertible": _sketches_are_not_invertible,
        },
    ),
    reading(
        id="TS-1",
        place="Theorems 3.2 and 4.2, amortised combine calls",
        quotes=("bill each call to insert two imaginary coins",),
        gap="What is billed where insert invokes combine once and evict amortised once.",
        taken="What the proofs bill: two coins an insert. They pay for everything, evict included: the calls of all "
        "inserts and evicts are at most 2 inserts, after any history.",
        otherwise="One coin an insert and one an evict do not pay for a flip before its elements have left.",
        search=_two_coins,
        others={
            f"{column.name}, one coin each": partial(_one_each, column.algorithm)
            for column in (TWO_STACKS, TWO_STACKS_LITE)
        },
    ),
    reading(
        id="TS-2",
        place="Theorem 3.2, space",
        quotes=("Two-Stacks requires space to store",),
        gap="Whether the 2n partial aggregates are counted within operations, too.",
        taken="They are counted between operations.",
        otherwise="Within a flip, which pushes before it pops [evict l.5, l.6], there are 2n + 2.",
        search=partial(_between_operations, lambda n: 2 * n),
        others={"counted at every moment": partial(_peak, lambda n: 2 * n)},
    ),
    reading(
        id="DABA-5",
        place="sections 5 and 6, directions",
        quotes=(
            "is aggregated to the left to facilitate eviction",
            "blue indicates aggregation to the right and green indicates aggregation to the left",
        ),
        gap="Which way a sublist is aggregated whose elements hold products up to its right end: the words are used "
        "for both.",
        taken="None of the words: the invariants' formulas say it without them.",
        otherwise="Nothing depends on it, as the listings agree with the formulas.",
    ),
    reading(
        id="DABAL-1",
        place="section 6, contents invariants",
        quotes=("specify the contents of the deque and of aggRA and aggR.",),
        gap="What aggR is, which is named here only.",
        taken="aggB, of which the formulas below speak.",
        otherwise="There is no other aggregate that it could be.",
    ),
    damage(
        id="LAY-1",
        place="listings; section 4, after the listing of evict",
        quotes=("rewrite the contents of deque in-place", "resets aggB to the monoid identity element"),
        gap="The numbers of lines: each listing as supplied begins anew with some number, and numbers occur twice.",
        taken="Numbered through section 4, from Pi_F on, the flip's lines are those of which the prose speaks, 11 to "
        "16. Tags name the function, and the number as supplied.",
        otherwise="In the numbers as supplied the prose is one line off.",
        search=partial(_prose_lines, True),
        others={"as supplied": partial(_prose_lines, False)},
    ),
    damage(
        id="LAY-2",
        place="listings of evict (sections 3, 4) and fixup (sections 5, 6)",
        gap="The indentation.",
        taken="That of the reference: the assignments after the flip's loop belong to the flip and not to the loop, "
        "the pop to neither; shift or shrink follows a flip within the same fixup, as the prose says.",
        otherwise="Answers are wrong, or an element is read that is not there.",
        search=_reading_taken,
        others={
            f"{column.name}, {variant.name}": partial(first_wrong, column, variant) for column, variant in READINGS
        },
    ),
    damage(
        id="DABAL-2",
        place="section 6, running example of insert",
        quotes=(r"procName{aggB}=0\otimes 1",),
        gap="The sign between 0 and 1, which is supplied as the monoid's operator, beside the remains of a macro.",
        taken="The pair that Figure 7 writes with a cross: maximum 0, occurring once.",
        otherwise="As a product it is another aggregate.",
        search=partial(_example, MAX_COUNT.lift(0)),
        others={"the operator": partial(_example, MAX_COUNT.combine(MAX_COUNT.lift(0), MAX_COUNT.lift(1)))},
    ),
    withdrawn(
        id="TSL-1",
        place="Theorem 4.2, its proof",
        accused="The flip invokes combine once for every element of l_B, evict at most n times: the newest element "
        "needs none, and the bound is not tight.",
        reason="The sentence counts one call more than there is, for which there is a coin: the bound is right, if not "
        "tight. The row two-stacks-lite/calls says n - 1.",
    ),
    withdrawn(
        id="TSL-2",
        place="section 4, listing of evict, l.9",
        accused="The condition B != E guards against an empty window, and does not: the pop that follows still runs.",
        reason="The paper does not say what the condition is for. That it is never false where F = B and the window is "
        "not empty is a fact of the listing (row two-stacks-lite/branches) and no mistake.",
    ),
    withdrawn(
        id="DABA-1",
        place="section 5, singleton case",
        accused="Fixup meets |l_F| = 0 only with |l_B| = 1, and then leaves a window of one element: evicting the last "
        "element enters it with |l_B| = 0.",
        reason="The precondition that the paper states has this case in its second part, and the assignments then "
        "change nothing: no answer, cost or bound is wrong.",
    ),
    withdrawn(
        id="DABA-4",
        place="section 5, intuitive view",
        accused="B moves only when a flip happens: it moves in the singleton case, too.",
        reason="The sentence is about B within a cycle from flip to flip, in a section that says it is intuitive; "
        "nothing is derived from it.",
    ),
)
