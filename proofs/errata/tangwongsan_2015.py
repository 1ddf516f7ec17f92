"""What is said of the text of *General Incremental Sliding-Window Aggregation* (2015), sections 4 and 5.

FAT is FlatFAT, RA the Reactive Aggregator.  Those of operations, section 3, stand in `operations`, those of windows,
section 2, in `windows`.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Any, Final

from swagproof.contracts.flat_trees.flat_fat import update_bound
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, SUM
from swagproof.proofs.errata.erratum import Damage, Entry, Erratum, Form, Reading, Withdrawn, against
from swagproof.proofs.explorer.histories import histories
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.flat_trees import reactive_aggregator_wrong
from swagproof.proofs.flat_trees.buffers import buffers
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.reference.catalogue import FLAT_FAT, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, Column

# FlatFAT

SINGLE_LEAF: Final = wrong("a single leaf has a parent", ("new", "if self.leaf(i) != self.root():", "if True:"))
NEXT_UNSET: Final = wrong("the next level is not begun", ("rewrite", "W_next: set[int] = set()", "pass"))
LEAF_FOR_LEFT: Final = wrong("leaf(v) stands for left(v)", ("rewrite", "self.T[self.left(v)]", "self.T[self.leaf(v)]"))


def _trees(variant: Variant | None) -> Iterator[str]:
    """A smallest tree of letters that breaks down, or that answers wrongly after new, or after the update of a leaf."""
    algorithm = FLAT_FAT.algorithm if variant is None else variant.of(FLAT_FAT.algorithm)
    for n in (1, 2, 4, 8):
        for changed in range(n + 1):
            letters = list(LETTERS[:n])
            said = f"new({''.join(letters)})"
            try:
                fat = algorithm(CONCATENATION, letters)
                if changed:
                    letters[changed - 1] = "X"
                    said += f", update({changed}, X)"
                    fat.update([(changed, "X")])
                answers = [fat.aggregate(), *(fat.prefix(i) + fat.suffix(i) for i in range(1, n + 1))]
            except Exception as error:
                yield f"{said}: {type(error).__name__}: {error}"
                return
            right = ["".join(letters), *("".join(letters[:i] + letters[i - 1 :]) for i in range(1, n + 1))]
            if answers != right:
                yield f"{said}: aggregate is {answers[0]}, not {right[0]}"


def _worst_updates(bound: Callable[[int, int], int]) -> Iterator[str]:
    """An update of m of n places that makes more calls than the bound."""
    for n in (1, 2, 4, 8, 16):
        for m in range(1, n + 1):
            places = _spread(n, m)
            counting = Counting(CONCATENATION)
            fat = FLAT_FAT.algorithm(counting, LETTERS[:n])
            counting.calls = 0
            fat.update([(i, "X") for i in places])
            if counting.calls > bound(n, m):
                yield f"n = {n}, update of {places}: {counting.calls} calls, more than {bound(n, m)}"


def _spread(n: int, m: int) -> list[int]:
    """m of the places 1 .. n, as far from each other as can be."""
    order = sorted(range(n), key=lambda i: int(format(i, f"0{n.bit_length()}b")[::-1], 2))
    return sorted(i + 1 for i in order[:m])


def _with_floor(n: int, m: int) -> int:
    return m + math.floor(math.log2(Fraction(n, m))) * m


def _prefix_segments(with_own: bool) -> Iterator[str]:
    """After line 4 of prefix(i) at p, a is the aggregate of the leaves left of a[i] below p; with a[i], or without."""
    for n in (2, 4, 8):
        results: list[str] = []

        class Recording(Counting[str]):
            def combine(self, a: str, b: str, results: list[str] = results) -> str:
                results.append(super().combine(a, b))
                return results[-1]

        fat = FLAT_FAT.algorithm(Recording(CONCATENATION), LETTERS[:n])
        for i in range(1, n + 1):
            results.clear()
            fat.prefix(i)
            v, seen = fat.leaf(i), list(results)
            while v != fat.root():
                p = fat.parent(v)
                if v == fat.right(p):
                    first = p
                    while first < n:
                        first = fat.left(first)
                    said = LETTERS[first - n : i if with_own else i - 1]
                    a = seen.pop(0)
                    if a != said:
                        yield f"n = {n}, prefix({i}): a is {a} at p = {p}, not {said}"
                v = p


def _firing(bound: Callable[[int, int, int], float]) -> Iterator[str]:
    """A batch of events after which more places are to be written than the bound, of events, size and capacity."""
    for start in (1, 2, 8, 16):
        for word in histories(5):
            window = REACTIVE_AGGREGATOR.algorithm(CONCATENATION, start)
            for letter, step in zip(LETTERS, word, strict=False):
                window.insert(letter) if step == "insert" else window.evict()
            m, n, changes = len(word), window.n_tuples, len(window.pending)
            if n and changes > (most := bound(m, n, window.capacity)):
                said = f"n = {n}, m = {m}: {most:.2f}, and {changes} places changed"
                yield f"capacity {start}, {', '.join(word)}: {said}"


# Reactive Aggregator

FRONT_LEFT: Final = wrong(
    "the front is moved on by one slot, and an evict asks for nothing",
    (
        "skip_holes",
        "while self.n_tuples and self.tickets[self.F] is None:",
        "if self.n_tuples and self.tickets[self.F] is None:",
    ),
    ("clear", 'assert ticket is not None, f"slot {slot} is a hole"', "pass"),
)


def _buffers(variant: Variant | None, column: Column = REACTIVE_AGGREGATOR) -> Iterator[str]:
    """The shortest history with a wrong answer or an error; the reference itself must pass every check."""
    wanted = variant is not None
    how = {"any_order": column is REACTIVE_AGGREGATOR, "batches": wanted, "answers_only": wanted}
    for capacity in (1, 2):
        violation = first_violation(*buffers(column, 4, (capacity,), variant=variant, **how))
        if violation:
            algorithm = column.algorithm if variant is None else variant.of(column.algorithm)
            yield f"capacity {capacity}, {_play(algorithm(CONCATENATION, capacity), violation)}"
            return


def _play(window: Any, violation: Violation) -> str:
    """The history of a violation, and what it answers in the end or how it breaks down; the check where it does not."""
    tickets, answer, said = dict[str, Any](), None, ", ".join(violation.trace)
    for step in violation.trace:
        name, *letters = step.split()
        try:
            if name == "insert":
                tickets[letters[0]] = window.insert(*letters)
            elif name == "evict":
                oldest, ticket = next(iter(tickets)), tickets.pop(letters[0])
                window.evict() if letters == [oldest] else window.evict(ticket)
            else:
                answer = window.query()
        except Exception as error:
            return f"{said}: {type(error).__name__}: {error}"
    right = "".join(tickets)
    return f"{said}: {violation.check if answer in (None, right) else f'answers {answer!r}, not {right!r}'}"


@dataclass
class _Life:
    """A buffer, what happened to it, and what its last step did."""

    start: int
    """The capacity that it begins with."""
    window: Any = field(init=False)
    steps: list[str] = field(default_factory=list[str])
    before: int = 0
    """The capacity before the last step."""
    tuples: int = 0
    """How many were there when the last step was resizing: one that comes is put in after it."""
    evicts: int = 0
    halved: int = 0
    """Slots of all buffers that were halved."""
    resizes: int = 0
    since_resize: int = 0
    """Evicts since the last resize but one that the last step made."""
    used: bool = False
    """Whether a quarter of the capacity was in use at some time, before the last step, since it was so large."""
    _used_now: bool = False

    def __post_init__(self) -> None:
        self.window = REACTIVE_AGGREGATOR.algorithm(SUM, self.start)

    def step(self, place: int | None = None) -> "_Life":
        """Insert, or evict the tuple at this place, 0 for the oldest."""
        self.since_resize *= self.window.capacity == self.before
        self.before, self.used = self.window.capacity, self._used_now
        if place is None:
            self.window.insert(1)
        else:
            self.window.evict(sorted(self.window.slot_of)[place])
            self.evicts += 1
            self.since_resize += 1
        self.steps.append("insert" if place is None else "evict" if place == 0 else f"evict number {place}")
        self.tuples = self.window.n_tuples - (self.window.capacity > self.before)
        self.resizes += self.window.capacity != self.before
        self.halved += self.before * (self.window.capacity < self.before)
        self._used_now = 4 * self.window.n_tuples >= self.window.capacity or (
            self._used_now and self.window.capacity == self.before
        )
        return self

    def __str__(self) -> str:
        runs = [(step, len(list(run))) for step, run in groupby(self.steps)]
        return ", ".join([f"capacity {self.start}", *(f"{n} {step}s" if n > 1 else step for step, n in runs)])


CAPACITIES: Final = tuple(2**k for k in range(11))


def _lives(capacities: Sequence[int] = CAPACITIES) -> Iterator[_Life]:
    """After each step: buffers that are filled and emptied, twice, to several sizes; and some that live at random."""
    for start in capacities:
        for most in (1, 2, 3, 5, 9, 17, 33, 129):
            life = _Life(start)
            for place in 2 * [*most * [None], *most * [0]]:
                yield life.step(place)
    for start in capacities[:6]:
        chance, life = random.Random(start), _Life(start)
        for number in range(400):
            grows = chance.random() < (0.7 if number % 100 < 50 else 0.3)
            n = life.window.n_tuples
            yield life.step(None if grows or not n else chance.randrange(n))


def _filled(least: Callable[[_Life], bool]) -> Iterator[str]:
    """After a resize more than half of the buffer is in use, or less than 3/8 where that is the least."""
    for life in _lives():
        c = life.window.capacity
        if c != life.before and not (2 * life.tuples <= c and (8 * life.tuples >= 3 * c or not least(life))):
            yield f"{life}: resized from {life.before} to {c}, {life.tuples} tuples"


def _evicted() -> Iterator[str]:
    """The capacity is halved, not for the first time, although fewer than an eighth were evicted since the last."""
    for life in _lives():
        if life.window.capacity < life.before and life.resizes > 1 and life.since_resize < life.before / 8:
            said = f"evictions since the last resize: {life.since_resize}, not {life.before / 8:g}"
            yield f"{life}: shrunk from {life.before}; {said}"


def _halvings(saved: Fraction) -> Iterator[str]:
    """An eighth of each buffer that was halved is more than all evictions, and so much for each slot at the start."""
    for life in _lives():
        if Fraction(life.halved, 8) > life.evicts + saved * life.start:
            yield f"{life}: {life.halved} slots of buffers that were halved, {life.evicts} evictions"


def _at_once(variant: Variant | None) -> Iterator[str]:
    """So many inserts into an empty window of capacity 8, and a query, make more calls than Theorem 4.2 gives m."""
    algorithm = REACTIVE_AGGREGATOR.algorithm if variant is None else variant.of(REACTIVE_AGGREGATOR.algorithm)
    for m in range(1, 9):
        counting = Counting(CONCATENATION)
        window = algorithm(counting, 8)
        for letter in LETTERS[:m]:
            window.insert(letter)
        window.query()
        if counting.calls > update_bound(8, m):
            yield f"capacity 8, {m} inserts and a query: {counting.calls} calls, more than {update_bound(8, m)}"


def _nodes(capacities: Sequence[int], least: int, bound: Callable[[int, int], int]) -> Iterator[str]:
    """A window of so many tuples at least takes more places than the bound, of its size and its first capacity."""
    for life in _lives(capacities):
        n, kept = life.window.n_tuples, life.window.fat.T.size
        if n >= least and kept > bound(n, life.start):
            yield f"{life}: {n} tuples, {kept} places for partial aggregates, more than {bound(n, life.start)}"


_W = reactive_aggregator_wrong


def _over_buffers(capacity: int, times: int, says: str) -> tuple[Form, ...]:
    """A buffer that begins with so many slots: so often an element comes, and leaves."""
    return (Form(REACTIVE_AGGREGATOR, None, (("insert",), ("evict_oldest",)) * times, says, {"capacity": capacity}),)


erratum: Final = partial(Erratum, paper=GENERAL)
reading: Final = partial(Reading, paper=GENERAL)
damage: Final = partial(Damage, paper=GENERAL)
withdrawn: Final = partial(Withdrawn, paper=GENERAL)

_trees_taken: Final = partial(_trees, None)
_taken: Final = partial(_buffers, None)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="RA-3",
        place="section 5.1.1, observation (i)",
        quotes=(
            r"after a resize operation, the buffer is between $\frac{3}{8}n_{\text{capacity}}$ and "
            r"$\frac{1}{2}n_{\text{capacity}}$ full",
        ),
        printed="After a resize the buffer is between 3/8 and 1/2 full.",
        holds="After doubling it is, and after halving it is at most 1/2 full; it is 3/8 full "
        "at least where 16 slots or more were halved of which a quarter had been in use. Else it may be empty: a "
        "buffer that begins with 16 to 1,024 slots is, after insert, evict.",
        searches=against(
            _filled,
            lambda life: life.window.capacity >= 8,
            lambda life: life.window.capacity > life.before or (life.before >= 16 and life.used),
        ),
        wrong={
            "where 16 slots or more were halved": partial(_filled, lambda life: life.before >= 16),
            "where a quarter had been in use": partial(
                _filled, lambda life: life.window.capacity > life.before or life.used
            ),
        },
        forms=_over_buffers(16, 1, "halved from 16 slots to 8, the buffer is empty"),
    ),
    erratum(
        id="RA-10",
        place="section 5.1.1, the cost of shrinking",
        quotes=(
            "when the capacity is shrunk in half, at least",
            "evictions must have happened since the last resize",
        ),
        printed="When the capacity c is halved, at least 1/8 c evictions came since the last resize.",
        holds="One may do, as often as halvings follow each other in a buffer that is nearly empty. The amortised cost "
        "is right where its account opens with a quarter of a coin for each slot of the first buffer: all halvings, at "
        "an eighth of a coin a slot, cost at most these and one coin for each eviction.",
        searches=(_evicted, partial(_halvings, Fraction(1, 4))),
        wrong={
            "nothing saved at the start": partial(_halvings, Fraction(0)),
            "an eighth of a coin for each slot at the start": partial(_halvings, Fraction(1, 8)),
        },
        forms=_over_buffers(32, 2, "each evict halves the buffer: between the two there is one eviction, not 16 / 8"),
    ),
    Erratum(
        paper=IN_ORDER,
        id="RA-11",
        place="sections 8.1 and 8.2, space of the Reactive Aggregator",
        quotes=("the space can be up to", "for all SWAG algorithms from Section 8.1"),
        printed="The Reactive Aggregator takes space for about 4n partial aggregates at most.",
        holds="A FlatFAT with just enough slots does. The Reactive Aggregator of 2015 gives up half of them only when "
        "less than a quarter is in use: with n of 1 or more it takes up to 8n - 1, or twice the slots that it began "
        "with, less one.",
        searches=(
            partial(_nodes, (1,), 64, lambda n, start: 7 * n),
            partial(_nodes, CAPACITIES, 1, lambda n, start: max(8 * n, 2 * start) - 1),
        ),
        wrong={"8n - 1, whatever it began with": partial(_nodes, CAPACITIES, 1, lambda n, start: 8 * n - 1)},
        forms=(
            Form(
                REACTIVE_AGGREGATOR,
                None,
                (("insert",),) * 9 + (("evict_oldest",),) * 5,
                "4 tuples are left, and there are 31 places for partial aggregates: 4n is 16",
            ),
        ),
    ),
    reading(
        id="FAT-1",
        place="Algorithm 1, line 4; Algorithm 2, line 3",
        quotes=(r"\texttt{parent}(\texttt{leaf}(loc_i)) \mid i = 1, \dots, m",),
        gap="What the parent of a single leaf is, which is the root: n = 1 is a power of two.",
        taken="There is none, and W_1 is empty.",
        otherwise="A node that is not there is rewritten.",
        search=_trees_taken,
        others={"W_1 has the parent of each leaf": partial(_trees, SINGLE_LEAF)},
    ),
    reading(
        id="FAT-2",
        place="Algorithm 1, line 9; Algorithm 2, line 8",
        quotes=(r"W_{\ell+1} = W_{\ell+1} \cup \{\texttt{parent}(v)\}",),
        gap="What W_{l+1} is before the first parent joins it; none does at the root.",
        taken="It is empty.",
        otherwise="It is nothing that could be joined, or looked at for being empty.",
        search=_trees_taken,
        others={"it is not begun": partial(_trees, NEXT_UNSET)},
    ),
    reading(
        id="FAT-5",
        place="section 4.2.3, the invariant of Algorithm 3",
        quotes=("contains the aggregate of all the leaves to the left of",),
        gap="Whether a[i] is among the leaves to the left of a[i].",
        taken="It is, as line 1 sets a to it.",
        otherwise="Without it the invariant does not hold.",
        search=partial(_prefix_segments, True),
        others={"without a[i]": partial(_prefix_segments, False)},
    ),
    reading(
        id="FAT-6",
        place="Theorem 4.1",
        quotes=("is the number of window events after the previous firing and n is the window size",),
        gap="What the bound says of more events than there are elements left, where log(n / m) is below 0.",
        taken="n is the capacity, which is at most 4n or what it began with, and the logarithm is 0 at least: m events "
        "change m places at most, besides what compact and resize write, of which section 5.1.1 gives an account.",
        otherwise="Of n as the window's size the bound would be no cost at all.",
        search=partial(_firing, lambda m, n, c: m + m * max(0.0, math.log2(c / m))),
        others={"n is the window's size": partial(_firing, lambda m, n, c: m + m * math.log2(n / m))},
    ),
    reading(
        id="RA-1",
        place="section 5.1.1, compact",
        quotes=(r"values left to fill in holes",),
        gap="What left is in an inverted buffer, where the newest elements come first among the leaves.",
        taken="Towards the front, in the window's order, around the end of the array.",
        otherwise="By the order of the leaves the window loses its own.",
        search=_taken,
        others={"left among the leaves": partial(_buffers, _W.WRONG.get("compact goes by the order of the leaves"))},
    ),
    reading(
        id="RA-2",
        place="section 5.1.1, resize",
        quotes=("creates a new FlatFAT, and copies the data over",),
        gap="In which order the data is copied.",
        taken="In the window's, the oldest into the first slot: an inverted buffer is no longer inverted.",
        otherwise="By the order of the leaves the window loses its own.",
        search=_taken,
        others={
            "by the order of the leaves": partial(_buffers, _W.WRONG.get("resize goes by the order of the leaves"))
        },
    ),
    reading(
        id="RA-4",
        place="section 5.1.1, after evicting",
        quotes=("to shrink the capacity by half",),
        gap="What half of a capacity of 1 is.",
        taken="A capacity of 1 stays.",
        otherwise="A buffer of no slots has no room, nor twice as much.",
        search=_taken,
        others={"it is halved": partial(_buffers, _W.WRONG.get("the buffer shrinks to nothing"))},
    ),
    reading(
        id="RA-6",
        place="section 5 against section 2.3",
        quotes=(
            "RA lifts the tuple using the lift function and stows it away in the FlatFAT",
            "the reactive aggregator lifts the relevant input values based on the relevant aggregation operations, and "
            "updates FlatFAT",
        ),
        gap="Whether FlatFAT is updated on each insert, or when the window triggers.",
        taken="Tuples are lifted at once, changes noted, and written by one update when the window triggers.",
        otherwise="An update for each insert costs more than Theorem 4.2 gives one of m places.",
        search=partial(_at_once, None),
        others={"at once": partial(_at_once, _W.WRONG.get("insert updates FlatFAT at once"))},
    ),
    reading(
        id="RA-7",
        place="section 5.2",
        quotes=("the area from the front pointer to the back pointer",),
        gap="What is occupied, and what is answered, where the window is empty.",
        taken="Nothing; the identity.",
        otherwise="Front and back tell of a part of the buffer that holds no tuple.",
        search=partial(_buffers, None, REACTIVE_AGGREGATOR_FIFO),
        others={
            "the area from front to back": partial(
                _buffers, _W.WRONG_FIFO.get("query does not look whether the window is empty"), REACTIVE_AGGREGATOR_FIFO
            )
        },
    ),
    reading(
        id="RA-8",
        place="section 5.1.1, the front pointer",
        quotes=("the starting point and the ending point of the circular buffer",),
        gap="Where the front is when the oldest has left and holes are behind it.",
        taken="At the oldest element that is left, and the back likewise at the newest.",
        otherwise="At the slot behind it, it may be at a hole, and the next evict of the oldest finds no tuple there.",
        search=_taken,
        others={"the slot behind": partial(_buffers, FRONT_LEFT)},
    ),
    reading(
        id="RA-9",
        place="sections 2.3 and 5.1.1, evict",
        quotes=("they are removed from the buffer, and their locations are marked with",),
        gap="How the location of a tuple that leaves is found.",
        taken="It is looked up by the tuple, and moved with it by compact and resize.",
        otherwise="In the slot into which it was put there may be another after a compact.",
        search=_taken,
        others={"the slot of its insert": partial(_buffers, _W.WRONG.get("compact leaves the ticket map as it was"))},
    ),
    damage(
        id="FAT-3",
        place="section 4.2.1, the example",
        quotes=(r"T(v) \leftarrow T(\texttt{leaf}(v)) \oplus T(\texttt{right}(v))",),
        gap="The name of the left child, supplied as leaf; Algorithm 1 and the sentence before have it.",
        taken="T(v) is T(left(v)) ⊕ T(right(v)).",
        otherwise="A leaf has no leaf(v).",
        search=_trees_taken,
        others={"leaf(v)": partial(_trees, LEAF_FOR_LEFT)},
    ),
    damage(
        id="FAT-4",
        place="section 4.2.2, the level l* and the end of the proof of Theorem 4.2 (ii)",
        quotes=(r"at most $m + \lfloor \log_2(n/m) \rfloor \cdot m$",),
        gap="The brackets around log2(n / m), supplied as floors; the theorem and the lines between have ceilings.",
        taken="m + ceil(log2(n / m)) m calls at most, with l* = 1 + ceil(log2(n / m)).",
        otherwise="With floors the bound is too low.",
        search=partial(_worst_updates, update_bound),
        others={"floors": partial(_worst_updates, _with_floor)},
    ),
    withdrawn(
        id="RA-5",
        place="section 6.2, dynamic windows",
        accused="The buffer is full when n_tuples = n_capacity: with holes it is full with fewer.",
        reason="The sentence is about an experiment without holes, and section 5.1.1 says that a buffer with holes may "
        "be full with fewer.",
    ),
    withdrawn(
        id="RA-12",
        place="section 6.2, dynamic windows",
        accused="From the capacity 2n just reached, n / 2 evictions bring it back to n: it takes n / 2 + 2.",
        reason="The sentence describes an experiment with large n, in which two evictions more are nothing; it does "
        "not say how many tuples there are when the evictions begin.",
    ),
)
