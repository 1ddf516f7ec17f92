"""The table of bounds on the attributes and entries that each operation may touch, over some histories.

Combine calls do not count a walk over the window that combines nothing.  `touches` counts every attribute and entry
that an operation reads or writes; this table bounds the touches of each operation by itself (`each`), and of all
together since the object was created (`account`).  The constants are measured, with a little slack, and so belong to
this code; their growth is the papers'.  A mutant is the algorithm with `walk` hidden in one of its operations.
"""

import bisect
import inspect
import math
import random
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

from support.running.touches import Touches

from swagproof.models.operations import MAX, SUM
from swagproof.models.windows.window import Count, Event, Time, Window
from swagproof.proofs.costs import counts
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.trees import costs, runs
from swagproof.reference import catalogue as c
from swagproof.reference.catalogue import Entry
from swagproof.reference.slicing.cutty import CountMarks

Bound: TypeAlias = Callable[[int, int], float]
"""(n, d) -> touches, for n entries that matter to an operation, and d from the target to the nearer end."""
Step: TypeAlias = tuple[str, tuple[Any, ...], int, int]
"""An operation, its arguments, n and d before it."""
Play: TypeAlias = tuple[Sequence[Any], Callable[[], Iterator[Step]]]
"""The arguments of the constructor, and the steps of a history."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """The bounds on touches of an algorithm's operations, over the histories of `plays`."""

    entry: Entry
    plays: Mapping[str, Play]
    each: Mapping[str, Bound] = field(default_factory=dict[str, Bound])
    """The bound of an operation by itself, in the worst case."""
    account: Mapping[str, Bound] = field(default_factory=dict[str, Bound])
    """The amount that an operation adds to the allowance of all operations named here."""
    walk: str
    """A statement that walks over everything that the algorithm stores."""
    more: Sequence[Mutant] = ()
    """Further mutants."""

    def mutants(self) -> Iterator[Mutant]:
        """Yield the algorithm with the walk hidden in each operation, and further mutants."""
        for operation in dict.fromkeys([*self.each, *self.account]):
            source = inspect.getsource(getattr(self.entry.algorithm, operation)).strip()
            header = re.match(r"def .*? -> .*?:", source, re.S)
            assert header, operation
            edit = operation, header[0], f"{header[0]}\n    {self.walk}"
            yield wrong(f"{operation} walks over the window", edit)
        yield from self.more

    def check(self, mutant: Mutant | None = None) -> str:
        """Return the first operation of the algorithm, or a mutant, that exceeds its bound, or ""."""
        algorithm = self.entry.algorithm if mutant is None else mutant.of(self.entry.algorithm)
        return next(filter(None, (self._play(name, algorithm) for name in self.plays)), "")

    def _play(self, name: str, algorithm: type[Any]) -> str:
        touches = Touches()
        arguments, steps = self.plays[name]
        window = touches.watch(algorithm)(*deepcopy(arguments))  # discretisation functions have counters
        spent, may = 0, 0.0
        for operation, given, n, d in steps():
            do = getattr(window, operation)
            touches.count = 0
            answer = do(*given)
            if isinstance(answer, Iterator):
                deque(answer, 0)  # a generator runs when its items are requested
            said = f"{name}, {operation} at {n} entries"
            if operation in self.each and touches.count > self.each[operation](n, d):
                return f"{said} touches {touches.count}, not {self.each[operation](n, d):.0f}"
            if operation in self.account:
                spent, may = spent + touches.count, may + self.account[operation](n, d)
                if spent > may:
                    return f"{said}: all together have touched {spent:,}, not {may:,.0f}"
        return ""


def check(entry: Entry, mutant: Mutant | None = None) -> str:
    """Return the first operation of an algorithm that exceeds its bound, or ""."""
    return next(filter(None, (row.check(mutant) for row in ROWS if row.entry is entry)), "")


# Bounds


def log(base: float, factor: float = 0.0) -> Bound:
    """base + factor log2(n + 2)."""
    return lambda n, d: base + factor * math.log2(n + 2)


def log_of_distance(base: float, factor: float) -> Bound:
    """base + factor log2(d + 2)."""
    return lambda n, d: base + factor * math.log2(d + 2)


def proportional(base: float, factor: float) -> Bound:
    """base + factor n."""
    return lambda n, d: base + factor * n


def where_any(busy: Bound, idle: float) -> Bound:
    """`busy` if n is positive, otherwise `idle`."""
    return lambda n, d: busy(n, d) if n else idle


def constant(**most: float) -> dict[str, Bound]:
    """Return constant bounds, by operation."""
    return {operation: log(bound) for operation, bound in most.items()}


# Histories


def fifo(history: str, n: int) -> Iterator[Step]:
    """Yield a FIFO history with a query after each step; values fall, and restart after 2n + 1."""
    size = inserted = 0
    for step in counts.HISTORIES[history](n):
        inserted += step == "insert"
        yield step, (-(inserted % (2 * n + 1)),) if step == "insert" else (), size, 0
        size += 1 if step == "insert" else -1
        yield "query", (), size, 0


def by_time(history: str, n: int) -> Iterator[Step]:
    """Yield a history of a tree, with a query after each step."""
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


def subranges(n: int) -> Iterator[Step]:
    """Yield ranges anywhere and at both ends; d is the greatest of their length and of both their ends' distances."""
    chance = random.Random(runs.SEED)
    for t in range(n):
        yield "insert", (t, 1), t, 0
    for number in range(300):
        near = [chance.randrange(n if number % 3 == 0 else 14) for _ in range(2)]
        t_from, t_to = sorted(near if number % 3 < 2 else [n - 1 - t for t in near])
        d = max(t_to - t_from, *(min(t, n - 1 - t) for t in (t_from, t_to)))
        yield "range_query", (t_from, t_to), n, d


def batches(n: int, m: int) -> Iterator[Step]:
    """Yield bulk operations of m entries on a tree of about n; d is m."""
    for t in range(0, 4 * n, m):
        yield "bulk_insert", ([(t + i, 1) for i in range(m)],), n, m
        if t >= n:
            yield "bulk_evict", (t + m - n - 1,), n, m


def places(n: int) -> Iterator[Step]:
    """Yield a write of each place of FlatFAT, and all its queries."""
    for i in range(1, n + 1):
        yield "update", ([(i, 2)],), n, 0
        yield "prefix", (i,), n, 0
        yield "suffix", (i,), n, 0
        yield "aggregate", (), n, 0


def records(*queries: tuple[int, int]) -> Iterator[Step]:
    """Yield 600 records, four at each time; n is the number of times in the windows that are over by then."""
    for number in range(600):
        t, over = number // 4, 0
        if number % 4 == 0:
            over = sum(range_ * ((t - range_) // slide - (t - 1 - range_) // slide) for range_, slide in queries)
        yield "insert", (t, 1), over, 0


def counted(range_: int, slide: int) -> Iterator[Step]:
    """Run Cutty with windows by count; n is a window's slices if a record begins or ends a slice, otherwise 0."""
    for number in range(4 * range_):
        busy = number % slide == 0 or (number + 1 - range_) % slide == 0
        yield "insert", (Event(number, 1), 1), range_ // slide if busy else 0, 0


def cells(most: int) -> Iterator[Step]:
    """Yield a record in each cell in any order, then one more in each; d is 1 if a slice is created among n."""
    order = random.Random(2021).sample(range(most), most)
    for n, cell in enumerate(order):
        yield "insert", (4 * cell, 1), n, 1
    for cell in order:
        yield "insert", (4 * cell + 1, 1), most, 0


def tuples(sizes: Sequence[int], lookups: Sequence[str], every: int) -> Iterator[Step]:
    """Yield 600 tuples whose values fall and restart; n is the size of a lookup's window, or of all together."""
    for size in sizes:
        yield "register", (size,), 0, 0
    for number in range(600):
        held = sum(min(number + 1, size) for size in sizes)
        yield "insert", (-(number % (2 * sizes[-1] + 1)),), held, 0
        if number % every == 0:
            for size in sizes:
                for lookup in lookups:
                    yield lookup, (size,), min(number + 1, size), 0


def events(keys: int, shown: int) -> Iterator[Step]:
    """Yield 900 elements of each key in turn; every `shown` of them a window of n = `shown` new elements triggers."""
    for number in range(900):
        n = shown if (number // keys + 1) % shown == 0 else 0
        yield "feed", (Event(number // keys, 1, number % keys),), n, 0


# The table

FIFO_PLAYS: Final = {
    f"{history}, n = {n}": ((MAX,), partial(fifo, history, n))
    for history, sizes in {
        "sliding": (16, 64), "fill and drain": (16, 256), "random": (64,), "fill, evict once": (1024,),
    }.items()
    for n in sizes
}  # fmt: skip
TREE_PLAYS: Final = {
    f"{history}, mu = {mu}, n = {n}": ((SUM, mu), partial(by_time, history, n))
    for history, mu, n in (
        ("last in, first out", 2, 256),
        ("in order", 2, 256),
        ("middle out", 2, 256),
        ("random", 2, 64),
        ("back and forth", 4, 64),
        ("fill and drain", 4, 64),
    )
}
RANGE_PLAYS: Final = {
    f"n = {n}, mu = {mu}": ((SUM, mu), partial(subranges, n)) for n, mu in ((64, 2), (256, 2), (256, 4))
}
SLICE_PLAYS: Final = {
    name: ((SUM, queries), partial(records, *queries))
    for name, queries in (("60 by 1", ((60, 1),)), ("64 by 16, 30 by 8", ((64, 16), (30, 8))))
}


def event_plays(*arguments: Any) -> dict[str, Play]:
    """Return histories of one key with long windows, and of many keys with short ones."""
    return {
        name: ((window, *arguments), partial(events, keys, shown))
        for name, window, keys, shown in (
            ("256 by 4", Window(Count(256), Count(4)), 1, 4),
            ("256 by 64", Window(Count(256), Count(64)), 1, 64),
            ("4 by 4 of 200 keys", Window(Count(4), Count(4)), 200, 4),
            ("100 in time", Window(Time(100), Time(1)), 1, 1),
        )
    }


WALK_DEQUE: Final = "for p in self.deque.pointers(): self.deque[p]"
WALK_TREE: Final = "for node in self.nodes(): node.arity"
_fifo: Final = partial(Row, plays=FIFO_PLAYS)
_tree: Final = partial(Row, plays=TREE_PLAYS, walk=WALK_TREE)
_ranges: Final = partial(Row, plays=RANGE_PLAYS, walk=WALK_TREE)
_fiba: Final = partial(
    _tree,
    each={"insert": log(230, 230), "evict": log(230, 230), "query": log(12)},
    account=dict.fromkeys(("insert", "evict"), log_of_distance(280, 60)),
)
_buffer: Final = partial(
    _fifo, each={"query": log(150, 50)}, account=dict.fromkeys(("insert", "evict", "query"), log(75, 25))
)

ROWS: Final[tuple[Row, ...]] = (
    _fifo(entry=c.TWO_STACKS, each=constant(query=22), account=constant(insert=85, evict=5),
          walk="for stack in (self.F, self.B): [stack[depth] for depth in range(stack.size)]"),
    _fifo(entry=c.TWO_STACKS_LITE, each=constant(query=16), account=constant(insert=70, evict=5), walk=WALK_DEQUE),
    _fifo(entry=c.DABA, each=constant(insert=250, evict=170, query=34), walk=WALK_DEQUE),
    _fifo(entry=c.DABA_LITE, each=constant(insert=210, evict=135, query=16), walk=WALK_DEQUE),
    Row(entry=c.SUBTRACT_ON_EVICT, plays={name: ((SUM,), steps) for name, (_, steps) in FIFO_PLAYS.items()},
        each=constant(insert=100, evict=45, query=2), walk=WALK_DEQUE),
    _tree(entry=c.B_TREE, each={"insert": log(200, 200), "evict": log(200, 200), "query": log(3)},
          account=dict.fromkeys(("insert", "evict"), log(220, 60)), more=tuple(costs.ALONE)),
    _fiba(entry=c.FIBA, more=costs.WRONG.pick("the search begins at the root", "repair goes on to the root")),
    _fiba(entry=c.FIBA_BULK),
    _ranges(entry=c.B_TREE, each={"range_query": log(110, 80)}),
    _ranges(entry=c.FIBA, each={"range_query": log_of_distance(100, 105)}),
    Row(
        entry=c.FIBA_BULK,
        plays={
            f"{m} of {n}, mu = {mu}": ((SUM, mu), partial(batches, n, m))
            for n, m, mu in ((64, 1, 2), (256, 1, 2), (256, 32, 2), (256, 8, 4))
        },
        account={
            "bulk_insert": lambda n, d: d * (210 + 12 * math.log2(n + 2)),
            "bulk_evict": log_of_distance(180, 100),
        },
        walk=WALK_TREE,
    ),
    Row(entry=c.FLAT_FAT, plays={f"n = {n}": ((SUM, [1] * n), partial(places, n)) for n in (1, 2, 16, 64, 256)},
        each={"update": log(20, 22), "prefix": log(14, 11), "suffix": log(14, 11), "aggregate": log(7)},
        walk="for v in range(1, self.n + 1): self.T[v]"),
    _buffer(entry=c.REACTIVE_AGGREGATOR, walk="list(self.slots())"),
    _buffer(entry=c.REACTIVE_AGGREGATOR_FIFO, walk="[self.value(slot) for slot in self.slots()]"),
    _fifo(entry=c.BASE_INTERVALS, each={"query": log(40, 17)}, account=dict.fromkeys(("insert", "evict"), log(60, 15)),
          walk="[list(level) for level in self.levels]"),
    _fifo(entry=c.FLAT_FIT, account=constant(insert=60, evict=60, query=60), walk="list(self.pointers)"),
    _fifo(entry=c.SLICK_DEQUE, each=constant(evict=12, query=6), account=constant(insert=25),
          walk="list(self.candidates)"),
    *(
        Row(
            entry=entry,
            plays=SLICE_PLAYS,
            each={"insert": proportional(45, 5)},
            walk="[held.begin for held in self.slices]",
        )
        for entry in (c.PANES, c.PAIRS, c.STARTS)
    ),
    Row(entry=c.CUTTY,
        plays={f"{r} by {s}": ((SUM, [CountMarks(r, s)]), partial(counted, r, s))
               for r, s in ((16, 1), (256, 1), (256, 8))},
        each={"insert": where_any(proportional(600, 40), 42)}, account={"insert": where_any(log(60, 62), 42)},
        walk="[list(noted) for noted in self.open]"),
    Row(entry=c.STREAM_SLICING,
        plays={f"{most} cells": ((SUM, [(8, 4)]), partial(cells, most)) for most in (16, 64, 256)},
        each={"insert": lambda n, d: (1 + d) * log(20, 75)(n, d) + (200 + 7 * n) * d},
        walk="[begin for begin in self.begins]"),
    Row(entry=c.STREAM,
        plays={f"windows of 4 and {n}": ((SUM,), partial(tuples, (4, n), ("lookup",), 97)) for n in (16, 256)},
        each={"insert": proportional(40, 2)}, account={"insert": proportional(37, 2), "lookup": log(16)},
        walk="[list(query.output_queue) for query in self.queries]"),
    Row(
        entry=c.TIMEGRAM,
        plays={
            f"windows of 4 and {n}": ((-600, 0, 10), partial(tuples, (4, n), ("max", "min", "count", "sum", "avg"), 20))
            for n in (16, 256)
        },
        each=constant(insert=90, max=95, min=95, count=125, sum=195, avg=310),
        walk="[list(bucket.timestamps) for bucket in self.buckets]",
    ),
    Row(entry=c.ORDERED_SHARING,
        plays={f"every {k}th looked up": ((), partial(tuples, (4, 64, 256), ("lookup",), k)) for k in (1, 17, 97)},
        each={"insert": log(140), "lookup": proportional(210, 12)}, walk="list(self.tuples)"),
    Row(entry=c.WINDOWING, plays=event_plays(), each={"feed": proportional(110, 10)},
        account={"feed": proportional(80, 20)},
        walk="[(key, list(each.held)) for key, each in self.partitions.items()]"),
    Row(entry=c.AGGREGATE, plays=event_plays(SUM), account={"feed": proportional(310, 20)},
        walk="[key for key in self.groups]"),
)  # fmt: skip
"""The bounds on the touches of each operation, by algorithm."""
