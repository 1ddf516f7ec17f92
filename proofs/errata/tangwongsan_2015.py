"""The errata of *General Incremental Sliding-Window Aggregation* (2015), sections 4 and 5.

FAT is FlatFAT, RA the Reactive Aggregator.  Those of operations, section 3, stand in `operations`, those of windows,
section 2, in `windows`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from swagproof.contracts.flat_trees.flat_fat import update_bound
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, SUM
from swagproof.proofs.errata.erratum import Entry, Erratum, against
from swagproof.proofs.explorer.histories import histories
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.flat_trees import flat_fat, reactive_aggregator_wrong
from swagproof.proofs.flat_trees.buffers import buffers
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.reference.catalogue import FLAT_FAT, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, Column

# FlatFAT

SINGLE_LEAF: Final = wrong("a single leaf has a parent", ("new", "if self.leaf(i) != self.root():", "if True:"))
NEXT_UNSET: Final = wrong("the next level is not begun", ("rewrite", "W_next: set[int] = set()", "pass"))
LEAF_FOR_LEFT: Final = wrong("leaf(v) stands for left(v)", ("rewrite", "self.T[self.left(v)]", "self.T[self.leaf(v)]"))


def _trees(variant: Variant | None) -> Iterator[str]:
    """The shortest call on a smallest tree that fails a check."""
    try:
        flat_fat.explore(variant, (1, 2, 4))
    except Violation as violation:
        yield str(violation)


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
    """A batch of events after which more places and nodes are written than the bound, of events, size and capacity."""
    for word in histories(4):
        window = REACTIVE_AGGREGATOR.algorithm(CONCATENATION, 8)
        for letter, step in zip(LETTERS, word, strict=False):
            window.insert(letter) if step == "insert" else window.evict()
        m, n, changes = len(word), window.n_tuples, len(window.pending)
        if window.capacity == 8 and n and changes > bound(m, n, window.capacity):
            said = f"n = {n}, m = {m}: {bound(m, n, 8):.2f}, and {changes} places changed"
            yield f"{', '.join(word)}: {said}"


# Reactive Aggregator

FRONT_LEFT: Final = reactive_aggregator_wrong.WRONG.get("the front is moved over one hole at most")


def _buffers(variant: Variant | None, column: Column = REACTIVE_AGGREGATOR) -> Iterator[str]:
    """The shortest history with a wrong answer or an error; the reference itself must pass every check."""
    how = {"any_order": column is REACTIVE_AGGREGATOR, "batches": True, "answers_only": variant is not None}
    violation = first_violation(*buffers(column, 4, (1, 2), variant=variant, **how))
    if violation:
        yield f"{', '.join(violation.trace)}: {violation.check}"


def _rise_and_fall(capacity: int) -> Iterator[tuple[str, Any, int, int]]:
    """FIFO histories, step by step: words, the window, its capacity before, and the evicts since the last resize."""
    for most in (1, 2, 3, 5, 9, 17, 33):
        window, evicts = REACTIVE_AGGREGATOR.algorithm(SUM, capacity), 0
        for number in range(1, 2 * most + 1):
            before = window.capacity
            window.insert(1) if number <= most else window.evict()
            evicts += number > most
            inserts = min(number, most)
            yield f"capacity {capacity}, {inserts} inserts, {number - inserts} evicts", window, before, evicts
            evicts = 0 if window.capacity != before else evicts


def _filled(least_capacity: int) -> Iterator[str]:
    for history, window, before, _ in _rise_and_fall(1):
        c, n = window.capacity, window.n_tuples - (window.capacity > before)  # the tuple that came is not there yet
        if c != before and c >= least_capacity and not (8 * n >= 3 * c and 2 * n <= c):
            yield f"{history}: resized to {c}, {n} tuples"


def _evicted(starts: Sequence[int]) -> Iterator[str]:
    """The capacity is halved although fewer than an eighth of it were evicted since the last resize."""
    for start in starts:
        for history, window, before, evicts in _rise_and_fall(start):
            if window.capacity < before and evicts < before / 8:
                yield f"{history}: shrunk from {before} after {evicts} evictions, not {before / 8:g}"


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


def _nodes(bound: Callable[[int], int]) -> Iterator[str]:
    for history, window, _, _ in _rise_and_fall(1):
        n, kept = window.n_tuples, window.fat.T.size
        if n and kept > bound(n):
            yield f"{history}: {n} tuples, {kept} places for partial aggregates, more than {bound(n)}"


def _swing(evicts: Callable[[int], int]) -> Iterator[str]:
    """From n + 1 tuples in capacity 2n, so many evicts do not bring the capacity to n."""
    for n in (4, 8, 16, 32):
        window = REACTIVE_AGGREGATOR.algorithm(SUM)
        while window.capacity < 2 * n:
            window.insert(1)
        for _ in range(evicts(n)):
            window.evict()
        if window.capacity != n:
            yield f"n = {n}: capacity {2 * n} with {n + 1} tuples, {evicts(n)} evicts: capacity {window.capacity}"


_W = reactive_aggregator_wrong

erratum: Final = partial(Erratum, paper=GENERAL)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="FAT-1",
        place="Algorithm 1, line 4; Algorithm 2, line 3",
        printed="W_1 is the set of the parents of the leaves.",
        holds="A single leaf is the root and has no parent: with n = 1, W_1 is empty.",
        searches=against(_trees, SINGLE_LEAF, None),
    ),
    erratum(
        id="FAT-2",
        place="Algorithm 1, line 9; Algorithm 2, line 8",
        printed="W_{l+1} is joined with the parent, and is never set before; at the root it is not even joined.",
        holds="W_{l+1} begins empty on each level.",
        searches=against(_trees, NEXT_UNSET, None),
    ),
    erratum(
        id="FAT-3",
        place="section 4.2.1, the example",
        printed="For v in W_1, T(v) is T(leaf(v)) ⊕ T(right(v)).",
        holds="T(v) is T(left(v)) ⊕ T(right(v)), as Algorithm 1 has it.",
        searches=against(_trees, LEAF_FOR_LEFT, None),
    ),
    erratum(
        id="FAT-4",
        place="section 4.2.2, the level l* and the end of the proof of Theorem 4.2 (ii), as supplied",
        printed="Update makes at most m + floor(log2(n / m)) m calls.",
        holds="It makes at most m + ceil(log2(n / m)) m, as the theorem says; l* = 1 + ceil(log2(n / m)).",
        searches=against(_worst_updates, _with_floor, update_bound),
    ),
    erratum(
        id="FAT-5",
        place="section 4.2.3, the invariant of Algorithm 3",
        printed="After line 4, a is the aggregate of all leaves to the left of a[i] below p.",
        holds="It is the aggregate of these and of a[i].",
        searches=against(_prefix_segments, False, True),
    ),
    erratum(
        id="FAT-6",
        place="Theorem 4.1",
        printed="After m events, with n elements left, a firing takes O(m + m log(n / m)) time.",
        holds="For n below m / 2 that is negative, for n = 0 it is nothing: n must be the capacity, and m the slots "
        "that were changed, at most one for each event.",
        searches=against(
            _firing, lambda m, n, c: m + m * math.log2(n / m), lambda m, n, c: m + m * max(0.0, math.log2(c / m))
        ),
    ),
    erratum(
        id="RA-1",
        place="section 5.1.1, compact",
        printed="The leaves are scanned, and values shifted left into the holes.",
        holds="In an inverted buffer the newest elements come first in the leaves: shift in the window's order, "
        "towards the front, around the end of the array.",
        searches=against(_buffers, _W.WRONG.get("compact goes by the order of the leaves"), None),
    ),
    erratum(
        id="RA-2",
        place="section 5.1.1, resize, silent on the order",
        printed="The data is copied over, skipping ⊥.",
        holds="It is copied in the window's order, the oldest into the first slot: an inverted buffer is no longer "
        "inverted.",
        searches=against(_buffers, _W.WRONG.get("resize goes by the order of the leaves"), None),
    ),
    erratum(
        id="RA-3",
        place="section 5.1.1, observation (i)",
        printed="After a resize the buffer is between 3/8 and 1/2 full.",
        holds="Where the capacity falls below 8 it may be 1/4 full, or empty.",
        searches=against(_filled, 1, 8),
    ),
    erratum(
        id="RA-4",
        place="section 5.1.1, after evicting",
        printed="When n_tuples < 1/4 n_capacity, the capacity is halved.",
        holds="A capacity of 1 stays.",
        searches=against(_buffers, _W.WRONG.get("the buffer shrinks to nothing"), None),
    ),
    erratum(
        id="RA-5",
        place="section 6.2, dynamic windows, on section 5.1.1",
        printed="The buffer is full when n_tuples = n_capacity.",
        holds="It is full when no slot is free behind the back; with holes n_tuples is less.",
        searches=against(_buffers, _W.WRONG.get("the buffer is full when n_tuples = n_capacity"), None),
    ),
    erratum(
        id="RA-6",
        place="section 5 against section 2.3",
        printed="On insert the element is stowed away in FlatFAT at once.",
        holds="Changes are noted and written by one update when the window fires (section 2.3); else m events cost "
        "more than Theorems 4.1 and 4.2 give them.",
        searches=against(_at_once, _W.WRONG.get("insert updates FlatFAT at once"), None),
    ),
    erratum(
        id="RA-7",
        place="section 5.2",
        printed="Without ⊥ the window's aggregate is that of the area from front to back, normal or inverted.",
        holds="An empty window has no such area; it is answered by the identity.",
        searches=(
            partial(
                _buffers, _W.WRONG_FIFO.get("query does not look whether the window is empty"), REACTIVE_AGGREGATOR_FIFO
            ),
            partial(_buffers, None, REACTIVE_AGGREGATOR_FIFO),
        ),
    ),
    erratum(
        id="RA-8",
        place="section 5.1.1, the front pointer, silent on holes",
        printed="When the oldest leaves, the front is the slot behind it.",
        holds="That may be a hole: the front moves on to the oldest element that is left, and the back likewise.",
        searches=against(_buffers, FRONT_LEFT, None),
    ),
    erratum(
        id="RA-9",
        place="sections 2.3 and 5.1.1, silent on how an evicted tuple is found",
        printed="The slot of a tuple is the one that it was inserted into.",
        holds="Compact and resize move it: its slot must be looked up by the tuple, and moved with it.",
        searches=against(_buffers, _W.WRONG.get("compact leaves the ticket map as it was"), None),
    ),
    erratum(
        id="RA-10",
        place="section 5.1.1, the cost of shrinking",
        printed="When the capacity c is halved, at least 1/8 c evictions came since the last resize.",
        holds="Where the first resize halves a capacity that the window began with, one may do: the account must open "
        "with a coin for each slot.",
        searches=against(_evicted, (1, 2, 4, 8, 16), (1,)),
    ),
    Erratum(
        paper=IN_ORDER,
        id="RA-11",
        place="section 8.1, of the Reactive Aggregator",
        printed="Where n is a power of two FlatFAT has n leaves and n interior nodes; above one it takes up to about "
        "4n.",
        holds="n leaves have n - 1 interior nodes; and as the capacity shrinks below a quarter only, it takes up to "
        "8n - 1.",
        searches=against(_nodes, lambda n: 4 * n, lambda n: 8 * n - 1),
    ),
    erratum(
        id="RA-12",
        place="section 6.2, dynamic windows",
        printed="From the capacity 2n just reached, n / 2 evictions bring it back to n.",
        holds="n + 1 elements are there, and n / 2 - 1 must be left: that takes n / 2 + 2.",
        searches=against(_swing, lambda n: n // 2, lambda n: n // 2 + 2),
    ),
)
