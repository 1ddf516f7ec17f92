"""The errata of *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021)."""

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
from swagproof.proofs.errata.erratum import Entry, Erratum, against, join, tell
from swagproof.proofs.explorer.histories import Run, histories, in_words, play_histories
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.in_order import two_stacks
from swagproof.proofs.in_order.pointer_states import PointerStates
from swagproof.proofs.ledger.claim import IN_ORDER
from swagproof.proofs.ledger.variants import BLIND_EVICT, Variant, wrong
from swagproof.reference.catalogue import DABA, DABA_LITE, TWO_STACKS, TWO_STACKS_LITE, Column


def shortest_history(column: Column, variant: Variant | None = None) -> str | None:
    """The shortest history on which a variant breaks a contract."""
    violation = first_violation(PointerStates(column.name, 4, variant))
    if violation is None:
        return None
    return f"{in_words(tuple(step for step in violation.trace if step != 'query'))}: {violation.check}"


# Definitions


def _inverse(order: str) -> Iterator[str]:
    """Whether the product of a, b and inv(a) in this order is b."""
    assert AFFINE.remove is not None
    lifted = [AFFINE.lift(sample) for sample in AFFINE.samples]
    for a, b in itertools.product(lifted, repeat=2):
        values = {"a": a, "b": b, "inv(a)": AFFINE.remove(a, AFFINE.identity)}
        result = reduce(AFFINE.combine, [values[name] for name in order.split()])
        if result != b:
            yield f"affine maps x -> s x + t modulo a prime, a = {a}, b = {b}: {order} = {result}"


_PRINTED_EVICTS: Final = (
    (TWO_STACKS, two_stacks.BLIND_EVICT),
    *((column, BLIND_EVICT) for column in (TWO_STACKS_LITE, DABA, DABA_LITE)),
)


def _empty_evict_printed() -> Iterator[str]:
    outcomes: list[str] = []
    for column, variant in _PRINTED_EVICTS:
        try:
            variant.of(column.algorithm)(CONCATENATION).evict()
            return
        except EmptyWindowError:
            return
        except IndexError as error:
            outcomes.append(f"{column.name}: {error}")
    yield "evict: " + "; ".join(outcomes)


def _empty_evict_corrected() -> Iterator[str]:
    for column, _ in _PRINTED_EVICTS:
        window = column.algorithm(CONCATENATION)
        try:
            window.evict()
            yield f"{column.name} does not refuse"
        except EmptyWindowError:
            window.insert("a")
            if window.query() != "a":
                yield f"{column.name}: insert a after a refused evict answers {window.query()!r}"


def _evict_unrefused(algorithm: type[Any]) -> Iterator[str]:
    try:
        algorithm(CONCATENATION).evict()
    except EmptyWindowError:
        return
    except IndexError:
        yield "evict: raises IndexError"


# Layout


def _prose_lines(shift: int) -> Iterator[str]:
    """Section 4 places the flip's steps at lines 11 to 14, B <- E at 15, aggB <- 1 at 16; compare, moved by `shift`."""
    (evict,) = (listing for listing in TWO_STACKS_LITE.listings if listing.name == "Two-Stacks Lite evict")
    said = {11: "I <- E - 1", 14: "*I <- *I ⊗ *(I + 1)", 15: "B <- E", 16: "aggB <- 1"}
    for line, step in said.items():
        printed = evict.lines[str(line + shift)].printed
        if printed != step:
            yield f"line {line + shift} of evict reads {printed}, not {step}"


def reading(name: str, column: Column, method: str, lines: tuple[int, int], by: int, *more: tuple[str, str]) -> Variant:
    "Another reading of a listing's lost indentation: lines from the first to the last moved right by `by` (left, if"
    "negative)."
    source = inspect.getsource(getattr(column.algorithm, method)).splitlines(keepends=True)
    source = [line[4:] for line in source]
    tags = [rf" l\.{number}[\],]" for number in lines]
    start, stop = (next(i for i, line in enumerate(source) if re.search(tag, line)) for tag in tags)
    block = source[start : stop + 1]
    moved = [" " * by + line if by > 0 else line[-by:] for line in block]
    return wrong(name, *((method, old, new) for old, new in more), (method, "".join(block), "".join(moved)))


READINGS: Final[tuple[tuple[Column, Variant], ...]] = (
    (TWO_STACKS_LITE, reading("l.14-15 inside the loop", TWO_STACKS_LITE, "evict", (14, 15), 4)),
    (TWO_STACKS_LITE, reading("l.16-17 inside the flip", TWO_STACKS_LITE, "evict", (16, 17), 4)),
    (DABA, reading("l.19-25 inside the flip", DABA, "fixup", (19, 25), 4)),
    (DABA, reading("l.21 is the else of l.17", DABA, "fixup", (19, 20), 4)),
    (
        DABA,
        reading(
            "l.17-25 after the singleton case too",
            DABA,
            "fixup",
            (17, 25),
            -4,
            ("    else:  # [DABA fixup l.16]\n", ""),
        ),
    ),
    (DABA_LITE, reading("l.20-26 inside the flip", DABA_LITE, "fixup", (20, 26), 4)),
    (DABA_LITE, reading("l.22 is the else of l.16", DABA_LITE, "fixup", (20, 21), 4)),
    (
        DABA_LITE,
        reading(
            "l.16-26 after the singleton case too",
            DABA_LITE,
            "fixup",
            (16, 26),
            -4,
            ("    else:  # [DABA Lite fixup l.15]\n", ""),
        ),
    ),
)


def _other_readings() -> Iterator[str]:
    found: list[str] = []
    for column, variant in READINGS:
        violation = shortest_history(column, variant)
        if violation is None:
            return
        found.append(f"{column.name}, {variant.name}: {violation}")
    yield "; ".join(found)


def _reading_taken() -> Iterator[str]:
    for column in {column.name: column for column, _ in READINGS}.values():
        yield from tell(shortest_history(column))


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


def _flip_calls(expected: Callable[[int], int]) -> Iterator[str]:
    for n in range(1, 5):
        calls = Run.of(TWO_STACKS_LITE.algorithm).play(("insert",) * n).step("evict")
        if calls != expected(n):
            yield f"{in_words(('insert',) * n + ('evict',))}: {calls} combine calls for {n} elements of l_B"


# DABA and DABA Lite


def _watch_fixup(algorithm: Any, look: Callable[[Any], None]) -> None:
    """From now on, have `look` see the algorithm whenever fixup is entered."""
    fixup = algorithm.fixup

    def watched() -> None:
        look(algorithm)
        fixup()

    algorithm.fixup = watched


def _singleton(allowed: tuple[int, ...]) -> Iterator[str]:
    """Fixup is entered with |l_F| = 0 and another |l_B| than allowed."""

    def met(word: tuple[str, ...]) -> list[int]:
        run = Run.of(DABA.algorithm)
        sizes: list[tuple[int, int]] = []
        _watch_fixup(run.algorithm, lambda s: sizes.append((s.B - s.F, s.E - s.B)))
        run.play(word)
        return [l_B for l_F, l_B in sizes if l_F == 0 and l_B not in allowed]

    for word in histories(5):
        for l_B in met(word):
            yield f"{in_words(word)}: fixup is entered with |l_F| = 0 and |l_B| = {l_B}"


@dataclass(frozen=True)
class Averages:
    """Combine calls an operation, over a long history of a window of `size` that slides."""

    insert: float
    evict: float


def sliding_averages(column: Column, size: int, rounds: int = 600) -> Averages:
    """Fill to `size`, then evict one and insert one, `rounds` times; the fill is not counted."""
    monoid = Counting(SUM)
    window = column.algorithm(monoid)
    for _ in range(size):
        window.insert(1)
    totals = [0, 0]
    for _ in range(rounds):
        monoid.calls = 0
        window.evict()
        totals[1] += monoid.calls
        monoid.calls = 0
        window.insert(1)
        totals[0] += monoid.calls
    return Averages(totals[0] / rounds, totals[1] / rounds)


def _average(column: Column, insert: float, evict: float) -> Iterator[str]:
    for size in range(2, 10):
        found = sliding_averages(column, size)
        if abs(found.insert - insert) > 0.1 or abs(found.evict - evict) > 0.1:
            yield f"{column.name}, window of {size}, evict and insert in turn: {found.insert:g} and {found.evict:g}"


def _account() -> Iterator[str]:
    for column, shrink in ((DABA, 3), (DABA_LITE, 2)):
        for history, run in play_histories(column.algorithm):
            owed = column.contract.savings(run.algorithm)
            most = run.inserts + shrink * (run.inserts + run.evicts + owed) / 2
            if run.monoid.calls > most:
                yield f"{history}: {run.monoid.calls} combine calls, more than {most:g}"


def _shrunk(last: int) -> Iterator[str]:
    """What the element that shrink gives to the leftmost portion holds: the product up to and with v_{B-F+last}."""
    for history, run in play_histories(DABA.algorithm):
        s = run.algorithm
        if not (s.F < s.L and s.L <= s.R and s.A < s.B):
            continue
        p = s.L - 1
        upto = s.B - s.F + last + 1
        if upto > run.window.size:
            yield f"{history}: *L.agg = {s.deque[p].agg}; there is no v_{upto - 1}"
        elif s.deque[p].agg != (product := run.window.product(p - s.F, upto)):
            yield f"{history}: *L.agg = {s.deque[p].agg}, not {product}"


def _boundary(singleton_moves: bool) -> Iterator[str]:
    """B moves in an operation without a flip; or, where the singleton case may move it too, in neither case."""

    def moved_alone(word: tuple[str, ...]) -> bool:
        run = Run.of(DABA.algorithm)
        cases: list[bool] = []
        _watch_fixup(run.algorithm, lambda s: cases.append(s.L == s.B if s.F != s.B else singleton_moves))
        run.play(word[:-1])
        before = run.algorithm.B
        run.step(word[-1])
        return run.algorithm.B != before and not cases[-1]

    for word in histories(5):
        if moved_alone(word):
            yield f"{in_words(word)}: B moves, and there was no flip"


def _direction(leftmost: str) -> Iterator[str]:
    """Pi_F reads the leftmost element; by the paper's own rule that sublist aggregates `leftmost`."""
    run = Run.of(DABA.algorithm).play(("insert",) * 3)
    s = run.algorithm
    reads_leftmost = s.pi_F() == s.deque[s.F].agg == run.window.product(0, s.B - s.F)
    rule = "to the right" if reads_leftmost else "to the left"
    if leftmost != rule:
        read = f"Pi_F = {s.pi_F()} is read at the leftmost element"
        yield f"{in_words(('insert',) * 3)}: {read}, so l_F aggregates {rule}"


def _names(names: tuple[str, ...]) -> Iterator[str]:
    kept = vars(DABA_LITE.algorithm(CONCATENATION))
    missing = [name for name in names if name not in kept]
    if missing:
        yield f"DABA Lite keeps {', '.join(n for n in kept if n.startswith('agg'))}; no {missing[0]}"


def _example(value: tuple[Any, int]) -> Iterator[str]:
    meant = (0, 1)  # the notation m x c of Figure 7: maximum m, occurring c times
    if value != meant:
        yield f"read as printed it is {value}, not maximum 0 occurring once"


def _count_min_has_no_inverse() -> Iterator[str]:
    """A count-min sketch is a row of counters, merged by adding: subtracting undoes it."""
    a, b = (2, 0, 1), (1, 1, 0)
    merged = tuple(x + y for x, y in zip(a, b, strict=True))
    undone = tuple(z - x for z, x in zip(merged, a, strict=True))
    if undone == b:
        yield f"counters {a} and {b} merge to {merged}; taking {a} away again leaves {undone}"


def _max_never_commutes() -> Iterator[str]:
    lifted = [MAX.lift(sample) for sample in MAX.samples]
    commutes = all(MAX.combine(a, b) == MAX.combine(b, a) for a, b in itertools.product(lifted, lifted))
    if commutes:
        yield "max itself commutes (only arg-max and M4 of that row do not)"


def _crosses_that_hold() -> Iterator[str]:
    """Of each row of crosses, an operator for which they hold: arg-max and M4 do not commute, max has no inverse."""
    ordered: tuple[Operation[Any, Any, Any], ...] = (ARG_MAX, M4)
    for operation in ordered:
        lifted = [operation.lift(sample) for sample in operation.samples]
        if all(operation.combine(a, b) == operation.combine(b, a) for a, b in itertools.product(lifted, lifted)):
            yield f"{operation.name} commutes on its samples"
    if MAX.remove:
        yield "max has an inverse"


erratum: Final = partial(Erratum, paper=IN_ORDER)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="DEF-1",
        place="section 2.1, left inverse",
        printed="A monoid has a left inverse when a b inv(a) = b for all a, b.",
        holds="inv(a) a b = b. The printed equation forces the monoid to commute (take b = 1, then multiply by a), "
        "which subtract-on-evict does not need.",
        searches=against(_inverse, "a b inv(a)", "inv(a) a b"),
    ),
    erratum(
        id="DEF-2",
        place="sections 3 to 6, evict",
        printed="Evict pops, whatever the window holds.",
        holds="Evict needs a non-empty window; the reference raises EmptyWindowError before it changes anything.",
        searches=(_empty_evict_printed, _empty_evict_corrected),
    ),
    erratum(
        id="LAY-1",
        place="listings; section 4, after the listing of evict",
        printed="The flip's loop is lines 11 to 14, B is set at line 15 and aggB at line 16.",
        holds="In the listing as supplied these are lines 10 to 13, 14 and 15: each listing is numbered from one too "
        "low, and numbers occur twice. Tags here name the function and the number as supplied.",
        searches=against(_prose_lines, 0, -1),
    ),
    erratum(
        id="LAY-2",
        place="listings of evict (section 4) and fixup (sections 5, 6), indentation lost",
        printed="Any nesting that the lines as supplied allow.",
        holds="Only the reading of the reference: the assignments after the flip's loop belong to the flip and not to "
        "the loop, the pop to neither; shift or shrink follows a flip within the same fixup.",
        searches=(_other_readings, _reading_taken),
    ),
    erratum(
        id="TAB-1",
        place="Table 1 (ticks lost; crosses read as: max-like neither invertible nor commutative, sketches not "
        "invertible)",
        printed="Mergeable sketches have no inverse, and max-like operators do not commute.",
        holds="Count-min is linear and has one; max, min and max-count commute. The crosses hold for some of each row "
        "only.",
        searches=(partial(join, _count_min_has_no_inverse, _max_never_commutes), _crosses_that_hold),
    ),
    erratum(
        id="TS-1",
        place="Theorems 3.2 and 4.2, amortised combine calls",
        printed="Insert invokes combine once, evict amortised once.",
        holds="Both at once do not hold: evict amortised once only if each insert is billed two. Calls of all inserts "
        "and evicts = 2 inserts - |B| for Two-Stacks, and at most that for Two-Stacks Lite.",
        searches=(
            partial(join, *(partial(_one_each, column.algorithm) for column in (TWO_STACKS, TWO_STACKS_LITE))),
            _two_coins,
        ),
    ),
    erratum(
        id="TS-2",
        place="Theorem 3.2, space",
        printed="Two-Stacks needs space for 2n partial aggregates.",
        holds="Between operations it does. The flip pushes before it pops [evict l.5, l.6], and peaks at 2n + 2.",
        searches=against(_peak, lambda n: 2 * n, lambda n: 2 * n + 2),
    ),
    erratum(
        id="TSL-1",
        place="Theorem 4.2, its proof",
        printed="The flip invokes combine once for every element of l_B; evict at most n times.",
        holds="The newest element needs none: n - 1 times, and the bound is not tight.",
        searches=against(_flip_calls, lambda n: n, lambda n: n - 1),
    ),
    erratum(
        id="TSL-2",
        place="section 4, listing of evict, l.9",
        printed="The condition B != E guards against an empty window.",
        holds="It guards the flip only: the pop that follows [l.16, l.17] still runs. Where the window is not empty "
        "it is never false (row two-stacks-lite/branches).",
        searches=against(_evict_unrefused, BLIND_EVICT.of(TWO_STACKS_LITE.algorithm), TWO_STACKS_LITE.algorithm),
    ),
    erratum(
        id="DABA-1",
        place="section 5, singleton case",
        printed="Fixup meets |l_F| = 0 only with |l_B| = 1, and then leaves a window of one element.",
        holds="Evicting the last element enters it with |l_B| = 0 and leaves an empty window. The precondition printed "
        "before covers this by its second part, the deduction from it does not.",
        searches=against(_singleton, (1,), (0, 1)),
    ),
    erratum(
        id="DABA-2",
        place="Theorems 5.2 and 6.2, averages",
        printed="On average DABA invokes combine 2.5 times an insert and 1.5 times an evict, DABA Lite 2 and 1 times.",
        holds="Only together, and on account: which operation pays for the shrinks depends on the history. Every "
        "shrink adds one element to l_A, every shift takes one: calls <= 2.5 inserts + 1.5 evicts + 1.5 |l_A| (Lite: "
        "2, 1, 1).",
        searches=(partial(join, partial(_average, DABA, 2.5, 1.5), partial(_average, DABA_LITE, 2, 1)), _account),
    ),
    erratum(
        id="DABA-3",
        place="section 5, shrink case",
        printed="Shrink sets *L.agg to v_{L-F} ... v_{B-F}, and *(A-1).agg to v_{A-F-1} ... v_{B-F}.",
        holds="Both products end at v_{B-F-1}: v_{B-F} is the first element of l_B, or none.",
        searches=against(_shrunk, 0, -1),
    ),
    erratum(
        id="DABA-4",
        place="section 5, intuitive view",
        printed="B moves only when a flip happens.",
        holds="It moves in the singleton case too; and when L, R, A have reached B in a window of one element, the "
        "next evict brings the singleton case and no flip.",
        searches=against(_boundary, False, True),
    ),
    erratum(
        id="DABA-5",
        place="sections 5 and 6, directions",
        printed="The leftmost portion of l_F is aggregated to the left, l_B to the right.",
        holds="By the same section's rule for Pi_p and its colours it is the other way round: the words are used for "
        "both.",
        searches=against(_direction, "to the left", "to the right"),
    ),
    erratum(
        id="DABAL-1",
        place="section 6, contents invariants",
        printed="The contents invariants speak of aggRA and aggR.",
        holds="Of aggRA and aggB; there is no aggR.",
        searches=against(_names, ("aggRA", "aggR"), ("aggRA", "aggB")),
    ),
    erratum(
        id="DABAL-2",
        place="section 6, running example of insert",
        printed="aggB = 0 * 1, with the monoid's operator.",
        holds="The pair written with a cross: maximum 0, occurring once.",
        searches=against(_example, MAX_COUNT.combine(MAX_COUNT.lift(0), MAX_COUNT.lift(1)), MAX_COUNT.lift(0)),
    ),
)
