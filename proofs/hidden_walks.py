"""Every operation beside the time that its paper claims for it, in what it touches: constants, logarithms, accounts.

The constants were measured (windows of 16, 64, 256 and 1024), and stand with a little slack; they are attributes and
entries, not combine calls, and so they are of this code alone.  What is of the paper is how they grow: a walk over the
window, which combines nothing and searches for nothing, goes beyond them.
"""

import bisect
import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

from swagproof.models.operations import MAX, SUM
from swagproof.proofs.costs import counts
from swagproof.proofs.costs.touches import Touches
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER, OUT_OF_ORDER, Claim, Kind, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.proofs.trees import runs
from swagproof.proofs.trees import searches as tree_cost
from swagproof.reference import catalogue
from swagproof.reference.catalogue import Column

Bound: TypeAlias = Callable[[int, int], float]
"""(n, d) -> touches, for n entries in the window and d between the one looked for and the nearer end."""


def linear(base: float, factor: float = 0.0, *, of_distance: bool = False) -> Bound:
    """base + factor log2(n + 2), or of d."""
    return lambda n, d: base + factor * math.log2((d if of_distance else n) + 2)


@dataclass(frozen=True)
class Bounds:
    """What operations may touch."""

    each: Mapping[str, Bound]
    """An operation by itself, in the worst case."""
    account: Mapping[str, Bound] = field(default_factory=dict[str, Bound])
    """What an operation adds to that which all those named here may have touched since the window was empty."""


Step: TypeAlias = tuple[str, tuple[Any, ...], int, int]
"""An operation, its arguments, n and d before it."""
Play: TypeAlias = Callable[[], tuple[Sequence[Any], Iterator[Step]]]
"""The arguments with which a window is made, and what is then asked of it."""


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


def every_place(n: int) -> tuple[Sequence[Any], Iterator[Step]]:
    """Each place of FlatFAT written by itself, and what may be asked of it."""

    def steps() -> Iterator[Step]:
        for i in range(1, n + 1):
            yield "update", ([(i, 2)],), n, 0
            yield "prefix", (i,), n, 0
            yield "suffix", (i,), n, 0
            yield "aggregate", (), n, 0

    return (SUM, [1] * n), steps()


def within(algorithm: type[Any], plays: Mapping[str, Play], bounds: Bounds) -> Outcome:
    """Play, and hold every operation against its bounds."""
    operations = 0
    most: dict[str, int] = {}
    for name, play in plays.items():
        touches = Touches()
        arguments, steps = play()
        window = touches.watch(algorithm)(*arguments)
        spent, may = 0, 0.0
        for operation, given, n, d in steps:
            do = getattr(window, operation)
            touches.count = 0
            do(*given)
            operations += 1
            most[operation] = max(most.get(operation, 0), touches.count)
            said = f"{name}, {operation} at {n} entries"
            if operation in bounds.each and touches.count > bounds.each[operation](n, d):
                return Outcome("fails", f"{said} touches {touches.count}, not {bounds.each[operation](n, d):.0f}")
            if operation in bounds.account:
                spent, may = spent + touches.count, may + bounds.account[operation](n, d)
                if spent > may:
                    return Outcome("fails", f"{said}: all together have touched {spent:,}, not {may:,.0f}")
    found = ", ".join(f"{operation} {count:,}" for operation, count in most.items())
    return Outcome("holds", f"{operations:,} operations; at most: {found}", {"operations": operations})


# Claims


def walks(column: Column, walk: str, *operations: str) -> Iterator[Variant]:
    """The algorithm with a walk over all that it keeps hidden in each of the operations."""
    for operation in operations:
        header = re.match(r"def .*? -> .*?:", inspect.getsource(getattr(column.algorithm, operation)).strip(), re.S)
        assert header, operation
        edit = operation, header[0], f"{header[0]}\n    {walk}"
        yield wrong(f"{operation} walks over the window", edit, hidden="only what is touched changes")


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
OPERATIONS: Final = ("insert", "evict", "query")
COMPARED: Final = "stronger: with constants; weaker: what is touched is counted, and no time"


def claim(
    column: Column,
    bounds: Bounds,
    source: Source,
    *,
    statement: str,
    walk: str,
    plays: Mapping[str, Play] = FIFO_PLAYS,
    scope: str = FIFO_SCOPE,
    operations: Sequence[str] = OPERATIONS,
    kind: Kind = "sampled",
    more: Sequence[Variant] = (),
) -> Claim:
    """A row of what the operations of an algorithm touch."""
    return Claim(
        id=f"{column.slug}/touches",
        statement=f"Attributes and entries touched: {statement}",
        source=source,
        algorithm=column.name,
        kind=kind,
        engine="counted touches",
        scope=scope,
        code=code_of(column.algorithm, *operations),
        check=lambda variant=None: within(
            column.algorithm if variant is None else variant.of(column.algorithm), plays, bounds
        ),
        controls=(*walks(column, walk, *operations), *more),
        not_covered="other histories, larger windows; copies that Python makes without asking: of a list that grows, "
        "`set(kept)`, `[] + kept`",
    )


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

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        catalogue.TWO_STACKS,
        amortised(22, insert=85, evict=5),
        in_order("Theorem 3.2"),
        statement="all inserts and evicts together at most 85 an insert and 5 an evict, a query 22.",
        walk="for stack in (self.F, self.B): [stack[depth] for depth in range(stack.size)]",
    ),
    claim(
        catalogue.TWO_STACKS_LITE,
        amortised(16, insert=70, evict=5),
        in_order("Theorem 4.2"),
        statement="all inserts and evicts together at most 70 an insert and 5 an evict, a query 16.",
        walk=WALK_DEQUE,
    ),
    claim(
        catalogue.DABA,
        each(insert=250, evict=170, query=34),
        in_order("Theorem 5.2"),
        statement="an insert at most 250, an evict 170, a query 34, in the worst case.",
        walk=WALK_DEQUE,
    ),
    claim(
        catalogue.DABA_LITE,
        each(insert=210, evict=135, query=16),
        in_order("Theorem 6.2"),
        statement="an insert at most 210, an evict 135, a query 16, in the worst case.",
        walk=WALK_DEQUE,
    ),
    claim(
        catalogue.SUBTRACT_ON_EVICT,
        each(insert=100, evict=45, query=2),
        cite(IN_ORDER, place="section 8.3"),
        statement="an insert at most 100, an evict 45, a query 2, in the worst case.",
        walk=WALK_DEQUE,
        plays={name: partial(play, monoid=SUM) for name, play in FIFO_PLAYS.items()},
    ),
    claim(
        catalogue.B_TREE,
        Bounds(
            {"insert": linear(200, 200), "evict": linear(200, 200), "query": linear(3)},
            {"insert": _DESCENT, "evict": _DESCENT},
        ),
        cite(OUT_OF_ORDER, "Theorem 3.2", compared=COMPARED),
        statement="an insert or evict at most 200 (1 + log2(n + 2)), all together 220 + 60 log2(n + 2) each, a query "
        "3.",
        walk=WALK_TREE,
        plays=TREE_PLAYS,
        scope=TREE_SCOPE,
        more=(tree_cost.REPAIRS_ALL,),
    ),
    claim(
        catalogue.FIBA,
        FIBA_BOUNDS,
        cite(OUT_OF_ORDER, "Theorem 3.4", compared=COMPARED),
        statement=FIBA_SAID,
        walk=WALK_TREE,
        plays=TREE_PLAYS,
        scope=TREE_SCOPE,
        more=tree_cost.WRONG.pick("the search begins at the root", "repair goes on to the root"),
    ),
    claim(
        catalogue.FIBA_BULK,
        FIBA_BOUNDS,
        cite(OUT_OF_ORDER, "Theorem 3.4", compared=COMPARED),
        statement=f"as of FiBA, entry by entry: {FIBA_SAID}",
        walk=WALK_TREE,
        plays=TREE_PLAYS,
        scope=TREE_SCOPE,
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
    claim(
        catalogue.REACTIVE_AGGREGATOR,
        Bounds({"query": linear(150, 50)}, dict.fromkeys(OPERATIONS, _BUFFERED)),
        cite(GENERAL, "Theorem 4.1", compared=COMPARED),
        statement="all operations together at most 75 + 25 log2(n + 2) each, a query after each change 150 + 50 "
        "log2(n + 2).",
        walk="list(self.slots())",
    ),
    claim(
        catalogue.REACTIVE_AGGREGATOR_FIFO,
        Bounds({"query": linear(150, 50)}, dict.fromkeys(OPERATIONS, _BUFFERED)),
        cite(GENERAL, "Theorem 4.1", place="section 5.2", compared=COMPARED),
        statement="all operations together at most 75 + 25 log2(n + 2) each, a query after each change 150 + 50 "
        "log2(n + 2).",
        walk="[self.value(slot) for slot in self.slots()]",
    ),
    claim(
        catalogue.BASE_INTERVALS,
        Bounds({"query": linear(40, 17)}, dict.fromkeys(("insert", "evict"), _LOGARITHMIC)),
        cite(GENERAL, place="sections 6.2 and 7") & cite(IN_ORDER, place="section 8.1"),
        statement="all inserts and evicts together at most 60 + 15 log2(n + 2) each, a query 40 + 17 log2(n + 2).",
        walk="[list(level) for level in self.levels]",
    ),
    claim(
        catalogue.FLAT_FIT,
        Bounds({}, dict.fromkeys(OPERATIONS, linear(60))),
        cite(IN_ORDER, place="section 8.1"),
        statement="all operations together at most 60 each.",
        walk="list(self.pointers)",
    ),
    claim(
        catalogue.SLICK_DEQUE,
        Bounds({"evict": linear(12), "query": linear(6)}, {"insert": linear(25)}),
        cite(IN_ORDER, place="section 8.3") & cite(OUT_OF_ORDER, place="section 6"),
        statement="an evict at most 12, a query 6, all inserts together at most 25 each.",
        walk="list(self.candidates)",
    ),
)
