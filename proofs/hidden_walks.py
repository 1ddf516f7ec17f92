"""Every operation beside the time that its paper claims for it, in what it touches: constants, logarithms, accounts.

The constants were measured (windows of 16, 64, 256 and 1024), and stand with a little slack; they are attributes and
entries, not combine calls, and so they are of this code alone.  What is of the paper is how they grow: a walk over the
window, which combines nothing and searches for nothing, goes beyond them.
"""

import bisect
import math
import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models.operations import MAX, SUM
from swagproof.proofs.costs import counts
from swagproof.proofs.costs.touch_bounds import OPERATIONS, Bounds, Step, claim, linear
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER, OURS, OUT_OF_ORDER, Claim, Source, cite
from swagproof.proofs.trees import runs
from swagproof.proofs.trees import searches as tree_cost
from swagproof.reference import catalogue


def fifo(history: str, n: int, monoid: Any = MAX) -> tuple[Sequence[Any], Iterator[Step]]:
    """A history first in, first out, a query after each step.

    Values fall, and begin anew after 2n + 1: what keeps maxima keeps all, and then none.
    """

    def steps() -> Iterator[Step]:
        size = inserted = 0
        for step in counts.HISTORIES[history](n):
            inserted += step == "insert"
            yield step, (-(inserted % (2 * n + 1)),) if step == "insert" else (), size, 0
            size += 1 if step == "insert" else -1
            yield "query", (), size, 0

    return (monoid,), steps()


def by_time(history: str, n: int, mu: int) -> tuple[Sequence[Any], Iterator[Step]]:
    """A history of a tree, a query after each step."""

    def steps() -> Iterator[Step]:
        times: list[int] = []
        for step, t in runs.HISTORIES[history](n):
            i = bisect.bisect_left(times, t)
            d = min(i, len(times) - i - (step == "evict"))
            yield step, (t, 1) if step == "insert" else (t,), len(times), d
            if step == "insert":
                times.insert(i, t)
            else:
                del times[i]
            yield "query", (), len(times), 0

    return (SUM, mu), steps()


def subranges(n: int, mu: int) -> tuple[Sequence[Any], Iterator[Step]]:
    """Ranges anywhere and at both ends; d is the greatest of their length and of both their ends' distances."""

    def steps() -> Iterator[Step]:
        chance = random.Random(runs.SEED)
        for t in range(n):
            yield "insert", (t, 1), t, 0
        for number in range(300):
            near = [chance.randrange(n if number % 3 == 0 else 14) for _ in range(2)]
            t_from, t_to = sorted(near if number % 3 < 2 else [n - 1 - t for t in near])
            d = max(t_to - t_from, *(min(t, n - 1 - t) for t in (t_from, t_to)))
            yield "range_query", (t_from, t_to), n, d

    return (SUM, mu), steps()


def batches(n: int, m: int, mu: int) -> tuple[Sequence[Any], Iterator[Step]]:
    """A tree that takes and loses m entries at a time, about n; d is m."""

    def steps() -> Iterator[Step]:
        for t in range(0, 4 * n, m):
            yield "bulk_insert", ([(t + i, 1) for i in range(m)],), n, m
            if t >= n:
                yield "bulk_evict", (t + m - n - 1,), n, m

    return (SUM, mu), steps()


def every_place(n: int) -> tuple[Sequence[Any], Iterator[Step]]:
    """Each place of FlatFAT written by itself, and what may be asked of it."""

    def steps() -> Iterator[Step]:
        for i in range(1, n + 1):
            yield "update", ([(i, 2)],), n, 0
            yield "prefix", (i,), n, 0
            yield "suffix", (i,), n, 0
            yield "aggregate", (), n, 0

    return (SUM, [1] * n), steps()


# Claims

FIFO_PLAYS: Final = {
    f"{history}, n = {n}": partial(fifo, history, n)
    for history, sizes in (
        ("sliding", (16, 64)),
        ("fill and drain", (16, 256)),
        ("random", (64,)),
        ("fill, evict once", (1024,)),
    )
    for n in sizes
}
FIFO_SCOPE: Final = (
    "sliding at n = 16 and 64, filled and drained at 16 and 256, by chance about 64, filled to 1024 and one evicted; "
    f"a query after each step; seed {counts.SEED}"
)
TREE_PLAYS: Final = {
    f"{history}, mu = {mu}, n = {n}": partial(by_time, history, n, mu)
    for history, mu, n in (
        ("last in, first out", 2, 256),
        ("in order", 2, 256),
        ("middle out", 2, 256),
        ("random", 2, 64),
        ("back and forth", 4, 64),
        ("fill and drain", 4, 64),
    )
}
TREE_SCOPE: Final = (
    "mu = 2: last in first out, in order and from the middle out at n = 256, at random about 64; mu = 4: back and "
    f"forth, filled and drained by chance at 64; a query after each step; seed {runs.SEED}"
)
COMPARED: Final = "stronger: with constants; weaker: what is touched is counted, and no time"


def in_order(statement: str) -> Source:
    """A theorem of 2021."""
    return cite(IN_ORDER, statement, compared=COMPARED)


WALK_DEQUE: Final = "for p in self.deque.pointers(): self.deque[p]"
WALK_TREE: Final = "for node in self.nodes(): node.arity"


def each(**most: float) -> Bounds:
    """The same for every window."""
    return Bounds({operation: linear(bound) for operation, bound in most.items()})


def amortised(query: float, **billed: float) -> Bounds:
    """A query by itself, the others on account."""
    return Bounds({"query": linear(query)}, {operation: linear(bound) for operation, bound in billed.items()})


_FINGERED: Final = linear(280, 60, of_distance=True)
"""What an insert or evict of FiBA is billed."""
FIBA_BOUNDS: Final = Bounds(
    {"insert": linear(230, 230), "evict": linear(230, 230), "query": linear(12)},
    {"insert": _FINGERED, "evict": _FINGERED},
)
FIBA_SAID: Final = (
    "all inserts and evicts together at most 280 + 60 log2(d + 2) each, one by itself at most 230 (1 + log2(n + 2)), a "
    "query 12."
)
_DESCENT: Final = linear(220, 60)
_BUFFERED: Final = linear(75, 25)
_LOGARITHMIC: Final = linear(60, 15)

_of_fifo: Final = partial(claim, plays=FIFO_PLAYS, scope=FIFO_SCOPE)
_of_tree: Final = partial(claim, plays=TREE_PLAYS, scope=TREE_SCOPE, walk=WALK_TREE)
_of_ranges: Final = partial(
    claim,
    plays={f"n = {n}, mu = {mu}": partial(subranges, n, mu) for n, mu in ((64, 2), (256, 2), (256, 4))},
    scope=f"mu = 2: 300 ranges anywhere and at the ends, of 64 and of 256 entries; mu = 4: of 256; seed {runs.SEED}",
    walk=WALK_TREE,
    operations=("range_query",),
)

CLAIMS: Final[tuple[Claim, ...]] = (
    _of_fifo(
        catalogue.TWO_STACKS,
        amortised(22, insert=85, evict=5),
        in_order("Theorem 3.2"),
        statement="all inserts and evicts together at most 85 an insert and 5 an evict, a query 22.",
        walk="for stack in (self.F, self.B): [stack[depth] for depth in range(stack.size)]",
    ),
    _of_fifo(
        catalogue.TWO_STACKS_LITE,
        amortised(16, insert=70, evict=5),
        in_order("Theorem 4.2"),
        statement="all inserts and evicts together at most 70 an insert and 5 an evict, a query 16.",
        walk=WALK_DEQUE,
    ),
    _of_fifo(
        catalogue.DABA,
        each(insert=250, evict=170, query=34),
        in_order("Theorem 5.2"),
        statement="an insert at most 250, an evict 170, a query 34, in the worst case.",
        walk=WALK_DEQUE,
    ),
    _of_fifo(
        catalogue.DABA_LITE,
        each(insert=210, evict=135, query=16),
        in_order("Theorem 6.2"),
        statement="an insert at most 210, an evict 135, a query 16, in the worst case.",
        walk=WALK_DEQUE,
    ),
    _of_fifo(
        catalogue.SUBTRACT_ON_EVICT,
        each(insert=100, evict=45, query=2),
        cite(IN_ORDER, place="section 8.3"),
        statement="an insert at most 100, an evict 45, a query 2, in the worst case.",
        walk=WALK_DEQUE,
        plays={name: partial(play, monoid=SUM) for name, play in FIFO_PLAYS.items()},
    ),
    _of_tree(
        catalogue.B_TREE,
        Bounds(
            {"insert": linear(200, 200), "evict": linear(200, 200), "query": linear(3)},
            {"insert": _DESCENT, "evict": _DESCENT},
        ),
        cite(OUT_OF_ORDER, "Theorem 3.2", compared=COMPARED),
        statement="an insert or evict at most 200 (1 + log2(n + 2)), all together 220 + 60 log2(n + 2) each, a query "
        "3.",
        more=(tree_cost.REPAIRS_ALL,),
    ),
    _of_tree(
        catalogue.FIBA,
        FIBA_BOUNDS,
        cite(OUT_OF_ORDER, "Theorem 3.4", compared=COMPARED),
        statement=FIBA_SAID,
        more=tree_cost.WRONG.pick("the search begins at the root", "repair goes on to the root"),
    ),
    _of_tree(
        catalogue.FIBA_BULK,
        FIBA_BOUNDS,
        cite(OUT_OF_ORDER, "Theorem 3.4", compared=COMPARED),
        statement=f"as of FiBA, entry by entry: {FIBA_SAID}",
    ),
    _of_ranges(
        catalogue.B_TREE,
        Bounds({"range_query": linear(110, 80)}),
        cite(OUT_OF_ORDER, place="section 3.1"),
        statement="a range query at most 110 + 80 log2(n + 2).",
        id="b-tree/range-touches",
    ),
    _of_ranges(
        catalogue.FIBA,
        Bounds({"range_query": linear(100, 105, of_distance=True)}),
        cite(OUT_OF_ORDER, "Theorem 4.2", compared=COMPARED),
        statement="a range query at most 100 + 105 log2(d + 2), where d is the greatest of its length and of the "
        "distances of its ends from the nearer end of the window.",
        id="fiba/range-touches",
    ),
    claim(
        catalogue.FIBA_BULK,
        Bounds(
            {},
            {
                "bulk_insert": lambda n, d: d * (210 + 12 * math.log2(n + 2)),
                "bulk_evict": linear(180, 100, of_distance=True),
            },
        ),
        cite(OURS),
        statement="all bulk operations together at most 210 + 12 log2(n + 2) for each entry that comes, and 180 + 100 "
        "log2(m + 2) for m that go.",
        walk=WALK_TREE,
        plays={
            f"{m} of {n}, mu = {mu}": partial(batches, n, m, mu)
            for n, m, mu in ((64, 1, 2), (256, 1, 2), (256, 32, 2), (256, 8, 4))
        },
        scope="in order, mu = 2: 1 at a time of 64, 1 and 32 of 256; mu = 4: 8 of 256; no draw",
        operations=("bulk_insert", "bulk_evict"),
        id="fiba-bulk/bulk-touches",
    ),
    claim(
        catalogue.FLAT_FAT,
        Bounds(
            {
                "update": linear(20, 22),
                "prefix": linear(14, 11),
                "suffix": linear(14, 11),
                "aggregate": linear(7),
            }
        ),
        cite(GENERAL, "Corollary 4.4", compared=COMPARED),
        statement="an update of one place at most 20 + 22 log2(n + 2), prefix and suffix 14 + 11 log2(n + 2), "
        "aggregate 7.",
        walk="for v in range(1, self.n + 1): self.T[v]",
        plays={f"n = {n}": partial(every_place, n) for n in (1, 2, 16, 64, 256)},
        scope="n = 1, 2, 16, 64, 256, every place",
        operations=("update", "prefix", "suffix", "aggregate"),
        kind="exhaustive",
    ),
    _of_fifo(
        catalogue.REACTIVE_AGGREGATOR,
        Bounds({"query": linear(150, 50)}, dict.fromkeys(OPERATIONS, _BUFFERED)),
        cite(GENERAL, "Theorem 4.1", compared=COMPARED),
        statement="all operations together at most 75 + 25 log2(n + 2) each, a query after each change 150 + 50 "
        "log2(n + 2).",
        walk="list(self.slots())",
    ),
    _of_fifo(
        catalogue.REACTIVE_AGGREGATOR_FIFO,
        Bounds({"query": linear(150, 50)}, dict.fromkeys(OPERATIONS, _BUFFERED)),
        cite(GENERAL, "Theorem 4.1", place="section 5.2", compared=COMPARED),
        statement="all operations together at most 75 + 25 log2(n + 2) each, a query after each change 150 + 50 "
        "log2(n + 2).",
        walk="[self.value(slot) for slot in self.slots()]",
    ),
    _of_fifo(
        catalogue.BASE_INTERVALS,
        Bounds({"query": linear(40, 17)}, dict.fromkeys(("insert", "evict"), _LOGARITHMIC)),
        cite(GENERAL, place="sections 6.2 and 7") & cite(IN_ORDER, place="section 8.1"),
        statement="all inserts and evicts together at most 60 + 15 log2(n + 2) each, a query 40 + 17 log2(n + 2).",
        walk="[list(level) for level in self.levels]",
    ),
    _of_fifo(
        catalogue.FLAT_FIT,
        Bounds({}, dict.fromkeys(OPERATIONS, linear(60))),
        cite(IN_ORDER, place="section 8.1"),
        statement="all operations together at most 60 each.",
        walk="list(self.pointers)",
    ),
    _of_fifo(
        catalogue.SLICK_DEQUE,
        Bounds({"evict": linear(12), "query": linear(6)}, {"insert": linear(25)}),
        cite(IN_ORDER, place="section 8.3") & cite(OUT_OF_ORDER, place="section 6"),
        statement="an evict at most 12, a query 6, all inserts together at most 25 each.",
        walk="list(self.candidates)",
    ),
)
