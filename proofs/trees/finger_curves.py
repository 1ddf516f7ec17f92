"""Curves of the out-of-order trees: counted work against distance, window size, range and batch (Figures 11 and 13).

The paper measures time; here the work is counted.  A bound next to a measurement is the inequality of `costs`, summed
over the counted operations, with the rebalancing steps that they made.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from swagproof.contracts.trees.augmented_tree import levels
from swagproof.contracts.trees.coins import MOST_BILLED
from swagproof.proofs.costs.curves import Experiment, Point
from swagproof.proofs.ledger.claim import OURS, OUT_OF_ORDER
from swagproof.proofs.trees.coins import LEAST_MAX_ARITY
from swagproof.proofs.trees.costs import at_the_brink
from swagproof.proofs.trees.runs import HISTORIES, Step, Tally, count_step, counted, summing
from swagproof.reference.catalogue import DABA, DABA_LITE, TWO_STACKS, TWO_STACKS_LITE
from swagproof.reference.costs import fiba_calls
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba
from swagproof.reference.trees.fiba_bulk import BulkFiba

SIZE: Final = 2**11
"""The number n of entries in the window, unless n is the x-axis."""
ROUNDS: Final = 64
TREES: Final = tuple(
    (f"{name}, mu = {mu}", made, mu) for name, made in (("FiBA", Fiba), ("B-tree", BTree)) for mu in (2, 4, 8)
)


def _filled(made: type[Any], mu: int, times: Sequence[int]) -> Any:
    tree = counted(made)(summing(), mu)
    for t in times:
        tree.insert(t, 1)
    return tree


def _round(tree: Any, mu: int, *steps: tuple[Step, int, int]) -> tuple[int, int]:
    """Take these steps, each with its time and distance, and query; return the combine calls and their bound."""
    calls, most = 0, 2
    for step, t, d in steps:
        tally = count_step(tree, step, t)
        calls, most = calls + tally.calls, most + fiba_calls(d, tally.steps, mu)
    tree.monoid.clear()
    tree.query()
    return calls + tree.monoid.calls, most


def _visits(xs: Sequence[int]) -> Iterator[Point]:
    for name, made, mu in TREES:
        tree = _filled(made, mu, range(SIZE))
        for d in xs:
            tree.monoid.clear()
            tree.search_node(SIZE - d - 0.5)
            yield Point(name, d, tree.monoid.visits, 3 * (levels(d, mu) + 1) if made is Fiba else None)


def _rounds(xs: Sequence[int]) -> Iterator[Point]:
    """Yield the rounds of section 5.1: with d high times in the window, evict the oldest low one, insert the next."""
    for name, made, mu in TREES:
        for d in xs:
            tree = _filled(made, mu, [*range(SIZE - d), *range(10 * SIZE, 10 * SIZE + d)])
            calls = most = 0
            for i in range(ROUNDS):
                made_now, bound = _round(tree, mu, ("evict", i, 0), ("insert", SIZE - d + i, d))
                calls, most = calls + made_now, most + bound
            yield Point(name, d, calls / ROUNDS, most / ROUNDS if made is Fiba else None)


def _fifo(xs: Sequence[int]) -> Iterator[Point]:
    """Yield n rounds of section 5.3: evict the oldest, insert a newest, and query."""
    for name, made, mu in TREES:
        for n in xs:
            tree = _filled(made, mu, range(n))
            calls = most = 0
            for t in range(n):
                made_now, bound = _round(tree, mu, ("evict", t, 0), ("insert", n + t, 0))
                calls, most = calls + made_now, most + bound
            yield Point(name, n, calls / n, most / n if made is Fiba else None)
    for column in (TWO_STACKS, TWO_STACKS_LITE, DABA, DABA_LITE):
        for n in xs:
            monoid: Tally[Any] = summing()
            window = column.algorithm(monoid)
            for _ in range(n):
                window.insert(1)
            monoid.clear()
            for _ in range(n):
                window.evict()
                window.insert(1)
                window.query()
            yield Point(column.name, n, monoid.calls / n)


def _ranges(xs: Sequence[int]) -> Iterator[Point]:
    """Yield the queries of section 4 for the newest n_sub entries."""
    for name, made, mu in TREES:
        tree = _filled(made, mu, range(SIZE))
        for n_sub in xs:
            tree.monoid.clear()
            tree.range_query(SIZE - n_sub, SIZE - 1)
            nodes = tree.monoid.visits + tree.monoid.recursions
            d = min(SIZE - n_sub, n_sub - 1)
            most = 3 * (levels(d, mu) + 2) + 1 + 4 * mu * levels(d + n_sub, mu)
            yield Point(name, n_sub, nodes, most if made is Fiba else None)


def _histories(xs: Sequence[int]) -> Iterator[Point]:
    for name, history in HISTORIES.items():
        for n in xs:
            tree, steps, operations = counted(Fiba)(summing(), 2), 0, 0
            for step, t in history(n):
                steps, operations = steps + count_step(tree, step, t).steps, operations + 1
            yield Point(name, n, steps / operations, MOST_BILLED)


def _brink(xs: Sequence[int]) -> Iterator[Point]:
    """Evict and insert the newest repeatedly, when the tree has just gained a level."""
    for name, made in (("max-arity 2 mu", BTree), ("max-arity 2 mu - 1", LEAST_MAX_ARITY.of(BTree))):
        for height in xs:
            _, steps = at_the_brink(made, 2, height)
            yield Point(name, height, steps, 2 if made is BTree else None)


def _loop(tree: Any, m: int) -> None:
    for t in range(m):
        tree.evict(t)


def _bulk_evict(xs: Sequence[int]) -> Iterator[Point]:
    batches: tuple[tuple[str, Callable[[Any, int], None]], ...] = (
        ("one by one", _loop),
        ("bulk evict", lambda tree, m: tree.bulk_evict(m - 1)),
    )
    for mu in (2, 4, 8):
        for name, evict in batches:
            for m in xs:
                tree = _filled(BulkFiba, mu, range(SIZE))
                tree.monoid.clear()
                evict(tree, m)
                most = 4 * mu * (2 * levels(m, mu) + 1 + 3 * tree.monoid.steps)
                yield Point(f"{name}, mu = {mu}", m, tree.monoid.calls, None if evict is _loop else most)


def _bulk_insert(xs: Sequence[int]) -> Iterator[Point]:
    """Insert m late entries between two neighbours in the middle of the window."""
    for mu in (2, 4, 8):
        for m in xs:
            late = [(SIZE // 2 + (i + 1) / (m + 1), 1) for i in range(m)]
            one, bulk = (_filled(BulkFiba, mu, range(SIZE)) for _ in range(2))
            one.monoid.clear()
            for t, v in late:
                one.insert(t, v)
            bulk.monoid.clear()
            bulk.bulk_insert(late)
            most = 4 * mu * (m + 2 * levels(SIZE // 2, mu) + 3 * bulk.monoid.steps)
            yield Point(f"one by one, mu = {mu}", m, one.monoid.calls)
            yield Point(f"bulk insert, mu = {mu}", m, bulk.monoid.calls, most)


_DISTANCES: Final = (0, 1, 4, 16, 64, 256, 1023)
_BATCHES: Final = (1, 4, 16, 64, 256, 1024)

EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    Experiment(
        "fiba/visits",
        f"Nodes visited in a search, window of {SIZE}",
        f"{OUT_OF_ORDER}, Theorem 3.4, T_search",
        "out-of-order distance d, entries",
        "nodes a search",
        _visits,
        _DISTANCES,
    ),
    Experiment(
        "fiba/distance",
        f"Combine calls at an out-of-order distance, window of {SIZE}",
        f"{OUT_OF_ORDER}, Figure 11",
        "out-of-order distance d, entries",
        "combine calls a round of evict, insert and query",
        _rounds,
        _DISTANCES,
    ),
    Experiment(
        "fiba/fifo",
        "Combine calls, first in first out",
        f"{OUT_OF_ORDER}, Figure 13",
        "window size n, entries",
        "combine calls a round of evict, insert and query",
        _fifo,
        (16, 64, 256, 1024),
    ),
    Experiment(
        "fiba/ranges",
        f"Nodes visited and queryRec calls for the last n_sub of {SIZE} entries",
        f"{OUT_OF_ORDER}, Theorem 4.2",
        "range n_sub, entries",
        "nodes a range query",
        _ranges,
        (1, 4, 16, 64, 256, 1024, SIZE),
    ),
    Experiment(
        "fiba/rebalancing",
        "Rebalancing over whole histories from the empty window, mu = 2",
        f"{OUT_OF_ORDER}, Lemma C.1",
        "window size n, entries",
        "steps of rebalancing an insert or evict",
        _histories,
        (16, 64, 256),
    ),
    Experiment(
        "b-tree/brink",
        "Rebalancing at the brink of a height, mu = 2",
        f"{OUT_OF_ORDER}, section 3.2, Lemma C.1",
        "height, levels",
        "steps of rebalancing an insert or evict",
        _brink,
        (1, 2, 4, 6, 8),
    ),
    Experiment(
        "fiba-bulk/evict",
        f"Combine calls to evict the oldest m of {SIZE} entries",
        OURS,
        "batch m, entries",
        "combine calls a batch",
        _bulk_evict,
        _BATCHES,
    ),
    Experiment(
        "fiba-bulk/insert",
        f"Combine calls to insert m late entries into the middle of {SIZE}",
        OURS,
        "batch m, entries",
        "combine calls a batch",
        _bulk_insert,
        _BATCHES,
    ),
)
