"""Costs of FiBA's operations, counted at every operation and compared with Theorems 3.4 and 4.2 with their constants.

The theorems say O(log d).  Here, with L = floor(log_mu(d + 1)), s the steps of rebalancing and n the entries before:

- a search visits at most 3 (L + 1) nodes.  Both climbs have reached level k only when neither subtree of level k - 1 on
  the spines has the time in it; each has at least mu^k - 1 entries, so mu^k <= d + 1.  The way down has k + 1 nodes.
- an insert or evict computes at most 2 L + 3 s + 1 aggregates: that of the node found, at most three for each step,
  then those on the way up to a spine, and from there down to the finger; both ways end at level L, or s levels above.
- it makes at most s <= floor(log_mu((n + 1) / 2)) + 1 steps: one on each level, and one for the height.
- computing one aggregate takes fewer than 4 mu combine calls.

For a range query, let d_from and d_to be the distances of its ends and n_sub the entries in it: the least common
ancestor is on a level l with mu^l <= d_from + d_to + n_sub + 1, and at most 1 + 4 mu l calls of queryRec follow.  (The
proof of Theorem 4.2 bounds l by n_sub alone: erratum COST-1.)
"""

import bisect
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees.augmented_tree import levels
from swagproof.contracts.trees.live import distance, entries_between
from swagproof.models.monoid import A
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.variants import WrongVariants, mutants_of
from swagproof.proofs.trees.coins import LEAST_MAX_ARITY
from swagproof.proofs.trees.out_of_order import SHARED_WRONG
from swagproof.proofs.trees.runs import (
    HISTORIES,
    SEED,
    Bounds,
    CountedTree,
    Shape,
    Step,
    counted,
    entries,
    explore,
    grown,
    height_of,
    scope,
    shape_of,
    summing,
    take,
    within_bounds,
)
from swagproof.reference.catalogue import B_TREE, FIBA
from swagproof.reference.costs import b_tree_calls, fiba_calls, most_steps, range_cost
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

# Insert and evict, Theorem 3.4


def overspent(tally: Any, mu: int, n: int, d: int) -> str | None:
    """Return what an insert or evict of FiBA at distance d of n entries has spent beyond the bounds above, or None."""
    level = levels(d, mu)
    return _first_over(
        {
            "nodes visited": (tally.visits, 3 * (level + 1)),
            "steps of rebalancing": (tally.steps, most_steps(n, mu)),
            "aggregates": (tally.repairs, 2 * level + 3 * tally.steps + 1),
            "combine calls": (tally.calls, fiba_calls(d, tally.steps, mu)),
        },
        f"mu = {mu}, distance {d} of {n}",
    )


def classic_overspent(tally: Any, mu: int, n: int, d: int) -> str | None:
    """Return what an insert or evict of the B-tree has spent beyond Theorem 3.2: with h = floor(log_mu((n + 1) / 2))
    levels below the root, h + 1 nodes visited, h + 1 steps, and h + 1 aggregates and 2 for each step; or None.
    """
    height = levels((n - 1) // 2, mu)
    return _first_over(
        {
            "nodes visited": (tally.visits, height + 1),
            "steps of rebalancing": (tally.steps, height + 1),
            "aggregates": (tally.repairs, height + 1 + 2 * tally.steps),
            "combine calls": (tally.calls, b_tree_calls(n, tally.steps, mu)),
        },
        f"mu = {mu}, {n} entries",
    )


def _first_over(spent: dict[str, tuple[int, int]], where: str) -> Obligation | None:
    return next(
        (
            Obligation(what, text=f"{number} {what}, not at most {most}: {where}")
            for what, (number, most) in spent.items()
            if number > most
        ),
        None,
    )


Judge = Callable[[Any, int, int, int], str | None]
"""(counts, mu, n, d) -> what is overspent."""


def count_step(tree: Any, step: Step, t: Any) -> Any:
    """Take a step.  Its counts."""
    tree.monoid.clear()
    take(tree, step, t)
    return tree.monoid


def on_every_shape(algorithm: type[Any], bounds: Bounds, judge: Judge = overspent) -> Outcome:
    """Every insert and evict from every shape, for each (mu, most entries, expected counts)."""
    made = counted(algorithm)

    def watch(tree: Any, step: Step, t: int) -> str | None:
        n = entries(shape_of(tree.root))
        before = (t - 1) // 2
        after = n - before - (t % 2 == 0)
        return judge(count_step(tree, step, t), tree.min_arity, n, min(before, after))

    return within_bounds(bounds, lambda mu, limit: explore(lambda: made(summing(), mu), limit, watch))


def along(
    algorithm: type[Any], judge: Judge = overspent, min_arities: Sequence[int] = (2, 3, 4, 8), n: int = 300
) -> Outcome:
    """Every insert and evict of every history."""
    operations = 0
    for mu in min_arities:
        for name, history in HISTORIES.items():
            tree, times = counted(algorithm)(summing(), mu), list[int]()
            for step, t in history(n):
                before = bisect.bisect_left(times, t)
                after = len(times) - before - (step == "evict")
                broken = judge(count_step(tree, step, t), mu, len(times), min(before, after))
                operations += 1
                if broken:
                    return Outcome("fails", f"{name}, mu = {mu}, operation {operations}: {broken}")
                if step == "insert":
                    times.insert(before, t)
                else:
                    del times[before]
    return Outcome("holds", f"{operations:,} operations", {"operations": operations})


# Range queries, Theorem 4.2


class RangedTree(CountedTree[A]):
    """A counted tree that notes the level of the last range query's least common ancestor."""

    def least_common_ancestor(self, node_from: Any, node_to: Any) -> Any:
        """As for any tree."""
        found = super().least_common_ancestor(node_from, node_to)
        self.level, node = 0, found
        while not node.is_leaf():
            self.level, node = self.level + 1, node.children[0]
        return found


def ranged(algorithm: type[Any]) -> type[Any]:
    """The tree with its range queries counted."""
    return type(f"Ranged{algorithm.__name__}", (RangedTree, counted(algorithm)), {})


def range_overspent(
    tree: Any, times: Sequence[Any], t_from: Any, t_to: Any, of_n_sub_alone: bool = False
) -> str | None:
    """Ask for a range.  What that has spent beyond the bounds above, or None."""
    mu = tree.min_arity
    d_from, d_to = distance(times, t_from), distance(times, t_to)
    n_sub = entries_between(times, t_from, t_to)
    tree.monoid.clear()
    tree.range_query(t_from, t_to)
    most_level = levels(n_sub if of_n_sub_alone else d_from + d_to + n_sub, mu)
    spent = {
        "nodes visited by searches": (tree.monoid.visits, 3 * (levels(d_from, mu) + levels(d_to, mu) + 2)),
        "levels up to the least common ancestor": (tree.level, most_level),
        "calls of queryRec": (tree.monoid.recursions, 1 + 4 * mu * tree.level),
        "combine calls": (tree.monoid.calls, range_cost(tree.level, mu)),
    }
    return _first_over(spent, f"mu = {mu}, {n_sub} entries, {d_from} and {d_to} from the ends")


def every_range(algorithm: type[Any], bounds: Bounds, of_n_sub_alone: bool = False) -> Outcome:
    """Every range, with entries and gaps as ends, of every shape."""
    made, asked = ranged(algorithm), 0

    def ask(mu: int, shape: Shape) -> str | None:
        nonlocal asked
        n = entries(shape)
        tree, times = grown(made(summing(), mu), shape), range(2, 2 * n + 1, 2)
        for t_from in range(2 * n + 2):
            for t_to in range(t_from, 2 * n + 2):
                asked += 1
                broken = range_overspent(tree, times, t_from, t_to, of_n_sub_alone)
                if broken:
                    return f"range({t_from}, {t_to}) of {shape}: {broken},"
        return None

    def explored(mu: int, limit: int) -> tuple[int, int]:
        seen = set[Shape]()

        def watch(tree: Any, step: Step, t: int) -> str | None:
            shape = shape_of(tree.root)
            broken = None if shape in seen else ask(mu, shape)
            seen.add(shape)
            take(tree, step, t)
            return broken

        return explore(lambda: Fiba(summing(), mu), limit, watch)

    outcome = within_bounds(bounds, explored)
    return replace(outcome, detail=f"{asked:,} ranges") if outcome.verdict == "holds" else outcome


def drawn_ranges(algorithm: type[Any], n: int = 1500, ranges: int = 1500) -> Outcome:
    """Ranges of every length, by chance, in large trees that have been filled by chance."""
    chance = random.Random(SEED)
    for mu in (2, 4, 8):
        times = list(range(n))
        chance.shuffle(times)
        tree = ranged(algorithm)(summing(), mu)
        for t in times:
            tree.insert(t, 1)
        times.sort()
        for _ in range(ranges):
            length = int(n ** chance.random())
            first = chance.choice((0, n - length, chance.randrange(n - length + 1)))
            broken = range_overspent(tree, times, first - chance.choice((0, 0.5)), first + length - 1)
            if broken:
                return Outcome("fails", broken)
    return Outcome("holds", f"{3 * ranges:,} ranges")


# Why max-arity 2 mu


def at_the_brink(algorithm: type[Any], mu: int, height: int, rounds: int = 16) -> tuple[int, float]:
    """Insert in order until the tree has this height; then evict and insert the newest.  (n, steps an operation)."""
    tree = counted(algorithm)(summing(), mu)
    n = 0
    while height_of(tree) < height:
        count_step(tree, "insert", n)
        n += 1
    steps = 0
    for _ in range(rounds):
        steps += count_step(tree, "evict", n - 1).steps + count_step(tree, "insert", n - 1).steps
    return n, steps / (2 * rounds)


def relapses(algorithm: type[Any], mu: int, heights: Sequence[int]) -> Outcome:
    """Check that an operation at the brink takes a step on every level, each time."""
    said: list[str] = []
    for height in heights:
        n, steps = at_the_brink(algorithm, mu, height)
        if steps < height:
            return Outcome("fails", f"height {height}, n = {n}: {steps:g} steps an operation")
        said.append(f"n = {n}: {steps:g}")
    return Outcome("holds", f"steps an operation, {', '.join(said)}")


# Mutants: the answers stay right, the cost does not

WRONG: Final = WrongVariants(FIBA, table="fiba", section="cost")
"""FiBA with a mistake that only its cost shows."""
ALONE: Final = mutants_of("b-tree", "cost, for one claim")
"""Each is for one claim alone."""
REPAIRS_ALL: Final = ALONE["every aggregate is computed at every update"]
"""Mutants of the classic B-tree."""


# Claims

SMALL: Final = ((2, 10, (113, 3539)), (3, 12, (59, 2114)))
DEEP: Final = ((2, 14, (846, 38773)), (3, 20, (768, 50429)))
DEEP_RANGES: Final = ((2, 10, (113, 3539)), (3, 16, (212, 10754)))
"""Bounds for range queries, of which there are many more."""
HEIGHTS: Final = tuple(range(1, 9))


claim: Final = partial(Claim, algorithm=FIBA.name, code=code_of(Fiba), not_covered="larger trees")
explored: Final = partial(claim, kind="exhaustive", engine="explorer")
sampled: Final = partial(claim, kind="sampled", engine="counted runs")

CLAIMS: Final[tuple[Claim, ...]] = (
    explored(
        id="fiba/cost",
        statement="An insert or evict at distance d visits at most 3 (L + 1) nodes, makes s <= floor(log_mu((n + 1) / "
        "2)) + 1 steps of rebalancing, computes at most 2 L + 3 s + 1 aggregates, with fewer than 4 mu combine calls "
        "each; L is floor(log_mu(d + 1)).",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.4",
            compared="stronger: with constants; weaker: nodes, steps and combine calls are counted, and no time",
        ),
        scope=f"{scope(SMALL)}, every insert and evict; for larger trees argued in the module, and sampled",
        check=partial(on_every_shape, Fiba, SMALL),
        deep=Deep(f"{scope(DEEP)}, every insert and evict", partial(on_every_shape, Fiba, DEEP)),
        reject=lambda variant: on_every_shape(variant.of(Fiba), SMALL),
        controls=(
            *WRONG,
            SHARED_WRONG.get("insert combines fifty times in vain"),
            Control("the classic B-tree", partial(on_every_shape, BTree, SMALL)),
        ),
    ),
    sampled(
        id="fiba/cost-along",
        statement="The same along histories: in order, last in first out, back and forth at every size, filled and "
        "drained by chance, at random, from the middle out.",
        source=cite(OUT_OF_ORDER, "Theorem 3.4", compared="an instance: the histories drawn"),
        scope=f"mu = 2, 3, 4, 8, windows of 300, seed {SEED}",
        check=partial(along, Fiba),
        reject=lambda variant: along(variant.of(Fiba)),
        controls=(
            *WRONG,
            Control("the classic B-tree", partial(along, BTree)),
        ),
        not_covered="other histories, larger windows",
    ),
    explored(
        id="fiba/range-cost",
        statement="For a range of n_sub entries, d_from and d_to from the ends: searches visit 3 (log_mu(d_from + 1) + "
        "log_mu(d_to + 1) + 2) nodes at most, the least common ancestor is on a level l with mu^l <= d_from + d_to + "
        "n_sub + 1, and there are at most 1 + 4 mu l calls of queryRec and 4 mu (2 l + 1) combine calls.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 4.2",
            compared="stronger: with constants; weaker: the least common ancestor is bounded by both distances, too; "
            "nodes and combine calls are counted, and no time",
        ),
        scope=f"{scope(SMALL)}, every range from entries or gaps to entries or gaps; for larger trees sampled",
        code=code_of(Fiba, "range_query"),
        check=partial(every_range, Fiba, SMALL),
        deep=Deep(
            f"{scope(DEEP_RANGES)}, every range from entries or gaps to entries or gaps",
            partial(every_range, Fiba, DEEP_RANGES),
        ),
        reject=lambda variant: every_range(variant.of(Fiba), SMALL),
        controls=(
            WRONG.get("the search begins at the root"),
            SHARED_WRONG.get("a range combines fifty times in vain"),
            Control("the level is bounded by n_sub alone", partial(every_range, Fiba, SMALL, of_n_sub_alone=True)),
        ),
        not_covered="larger trees; ranges that end before they begin",
    ),
    sampled(
        id="fiba/range-cost-drawn",
        statement="The same for ranges of every length in large trees.",
        source=cite(OUT_OF_ORDER, "Theorem 4.2", compared="an instance: the ranges drawn"),
        scope=f"mu = 2, 4, 8, n = 1500, 1500 ranges each, seed {SEED}",
        code=code_of(Fiba, "range_query"),
        check=partial(drawn_ranges, Fiba),
        controls=(Control("the classic B-tree", partial(drawn_ranges, BTree)),),
        not_covered="other ranges, larger trees",
    ),
    explored(
        id="b-tree/cost",
        statement="With h = floor(log_mu((n + 1) / 2)), an insert or evict visits at most h + 1 nodes, makes s <= h + "
        "1 steps of rebalancing and computes at most h + 1 + 2 s aggregates, with fewer than 4 mu combine calls each.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.2",
            compared="stronger: with constants; weaker: nodes, steps and combine calls are counted, and no time",
        ),
        algorithm=B_TREE.name,
        scope=f"{scope(SMALL)}, every insert and evict",
        code=code_of(BTree),
        check=partial(on_every_shape, BTree, SMALL, classic_overspent),
        deep=Deep(f"{scope(DEEP)}, every insert and evict", partial(on_every_shape, BTree, DEEP, classic_overspent)),
        reject=lambda variant: on_every_shape(variant.of(BTree), SMALL, classic_overspent),
        controls=(REPAIRS_ALL, SHARED_WRONG.get("insert combines fifty times in vain")),
    ),
    explored(
        id="b-tree/least-max-arity",
        statement="With max-arity 2 mu - 1, the least that a B-tree admits, rebalancing is not amortised O(1): at the "
        "brink of a height, every evict and insert of the newest takes a step on each level.",
        source=cite(OUT_OF_ORDER, place="section 3.2: why max-arity is 2 mu"),
        algorithm=B_TREE.name,
        engine="counted runs",
        scope=f"mu = 2, heights {HEIGHTS[0]} to {HEIGHTS[-1]}",
        code="reference.trees.b_tree.BTree, with max-arity 2 mu - 1",
        check=partial(relapses, LEAST_MAX_ARITY.of(BTree), 2, HEIGHTS),
        controls=(Control("max-arity 2 mu", partial(relapses, BTree, 2, HEIGHTS)),),
        not_covered="greater heights, other mu",
    ),
)
