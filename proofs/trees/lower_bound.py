"""Theorem 2.2: no out-of-order window is faster than sorting; and FiBA's distance from that bound.

The theorem's proof has three parts, each checked as far as possible: the number of permutations that are out of order
by at most d (Lemma A.1), a bound on this number, and sorting with a window.  A comparison of two times has two
outcomes, so a window that makes the same comparisons with the same outcomes on two permutations cannot distinguish
them.  Runs show that all transcripts are different, so the longest has at least log2 of their number of comparisons.
"""

import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from swagproof.models.operations import FIRST
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import SymbolicInt, term
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Outcome, cite, code_of
from swagproof.proofs.ledger.theorem import conclude
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

Permutation = tuple[int, ...]


def distances(permutation: Sequence[int]) -> list[int]:
    """Return delta_i for each i: the number of elements before the i-th that are greater than it."""
    return [sum(earlier > element for earlier in permutation[:i]) for i, element in enumerate(permutation)]


def disorder(permutation: Sequence[int]) -> int:
    """Return the greatest delta_i: the least d with the permutation in G_d."""
    return max(distances(permutation), default=0)


def count(
    m: Any, d: Any, factorial: Callable[[Any], Any] = math.factorial, power: Callable[[Any, Any], Any] = operator.pow
) -> Any:
    """Return |G_d(X)| for |X| = m and 0 <= d <= m: d! (d+1)^(m-d) (Lemma A.1)."""
    return factorial(d) * power(d + 1, m - d)


def places(k: Any, d: Any) -> Any:
    """Return the number of places for the least of k elements with at most d others before it: min(k, d + 1)."""
    return min(k, d + 1)


def inserted_least(d: int, permutation: Permutation) -> Iterator[Permutation]:
    """Yield the permutations with a least element, 0, inserted at each of the first min(m, d + 1) places."""
    for i in range(places(len(permutation) + 1, d)):
        yield (*permutation[:i], 0, *permutation[i:])


LARGEST: Final = 8


def counted(formula: Callable[[int, int], int] = count, measure: Callable[[Sequence[int]], int] = disorder) -> Outcome:
    """Check by enumeration Lemma A.1, and that each of G_d(X) arises from just one of G_d for X without its least."""
    permutations = 0
    for m in range(LARGEST + 1):
        found = Counter(measure(permutation) for permutation in itertools.permutations(range(1, m + 1)))
        for d in range(m + 1):
            size = sum(number for most, number in found.items() if most <= d)
            permutations += size
            if size != formula(m, d):
                return Outcome("fails", f"|X| = {m}, d = {d}: {size} permutations, not {formula(m, d)}")
        if m == LARGEST:
            break
        for d in range(m + 2):
            smaller = (p for p in itertools.permutations(range(1, m + 1)) if measure(p) <= d)
            grown = [larger for p in smaller for larger in inserted_least(d, p)]
            if len(set(grown)) != len(grown) or len(grown) != formula(m + 1, d):
                return Outcome("fails", f"|X| = {m + 1}, d = {d}: {len(grown)} come of the step")
    return Outcome("holds", f"{permutations:,} permutations", {"permutations": permutations})


def closer_end(permutation: Sequence[int]) -> int:
    """Return the greatest out-of-order distance as defined in section 3.2: to the closer end of the window."""
    return max((min(greater, i - greater) for i, greater in enumerate(distances(permutation))), default=0)


# The size, by induction, for every m and d. G(m) is |G_d| for m elements: G(0) = 1, G(m+1) = G(m) min(m+1, d+1).

FACTORIAL: Final = z3.Function("factorial", z3.IntSort(), z3.IntSort())
"""The factorial, defined recursively: 0! = 1, (n+1)! = (n+1) n!."""
POWER: Final = z3.Function("power", z3.IntSort(), z3.IntSort(), z3.IntSort())
"""The power, defined recursively: b^0 = 1, b^(n+1) = b^n b."""


@dataclass(frozen=True)
class Sizes:
    """The statements about the sizes of G_d; a control replaces one of them."""

    places: Callable[[Any, Any], Any] = places
    count: Callable[..., Any] = count
    pair: Callable[[Integer], Integer] = lambda n: n
    """A lower bound on the product of two factors j + 1 and n - j of n!."""
    squared: Callable[[Integer], Integer] = lambda m: m + 1
    """A lower bound on m^2, from m = 2 on."""


def _closed_form(sizes: Sizes, path: Path) -> None:
    """Show the closed form: G(m) = m! up to m = d, and d! (d+1)^(m-d) from there on."""
    m, d, g = map(path.fresh, ("m", "d", "G"))
    path.assume(z3.And(m >= 0, d >= 0, FACTORIAL(0) == 1, FACTORIAL(m + 1) == (m + 1) * FACTORIAL(m)))
    path.assume(z3.And(POWER(d + 1, 0) == 1, POWER(d + 1, m + 1 - d) == POWER(d + 1, m - d) * (d + 1)))

    def closed(size: Integer) -> Integer:
        return z3.If(size <= d, FACTORIAL(size), sizes.count(size, d, FACTORIAL, POWER))

    more = term(sizes.places(SymbolicInt(m + 1), SymbolicInt(d)))
    path.show("closed form, of no elements", closed(z3.IntVal(0)) == 1)
    path.show("closed form, where its two cases meet", sizes.count(d, d, FACTORIAL, POWER) == FACTORIAL(d))
    path.show("closed form, one more", z3.Implies(g == closed(m), g * more == closed(m + 1)))


def _pairs(sizes: Sizes, path: Path) -> None:
    """Show n!^2 >= n^n: n! is the product of n .. n-j+1 and (n-j)!, and n!^2 one of n pairs (j+1) (n-j) >= n."""
    n, j, falling, power, product = map(path.fresh, ("n", "j", "falling", "power", "product"))
    path.assume(z3.And(0 <= j, j < n, FACTORIAL(0) == 1))
    path.assume(FACTORIAL(n - j) == (n - j) * FACTORIAL(n - j - 1))
    path.show("n! = n ... (n-j+1) (n-j)!, for j = 0", 1 * FACTORIAL(n - 0) == FACTORIAL(n))
    path.show(
        "n! = n ... (n-j+1) (n-j)!, one more",
        z3.Implies(
            falling * FACTORIAL(n - j) == FACTORIAL(n), falling * (n - j) * FACTORIAL(n - (j + 1)) == FACTORIAL(n)
        ),
    )
    path.show(
        "n! = n ... 1, for j = n", z3.Implies(falling * FACTORIAL(n - n) == FACTORIAL(n), falling == FACTORIAL(n))
    )
    pair = (j + 1) * (n - j)
    path.show("a pair is large", pair >= sizes.pair(n))
    path.assume(z3.And(product >= power, power >= 1, pair >= n))
    path.show("j pairs >= n^j, one more: the pair", product * pair >= product * n)
    path.show("j pairs >= n^j, one more", product * pair >= power * n)


def _growth(sizes: Sizes, path: Path) -> None:
    """Show G(m)^2 >= (d+1)^m from m = d + 1 on, where G(d+1) = (d+1)! and G(m+1) = G(m) (d+1)."""
    m, d, g, power = map(path.fresh, ("m", "d", "G", "power"))
    path.assume(z3.And(0 <= d, d < m, g * g >= power, power >= 1))
    more = term(sizes.places(SymbolicInt(m + 1), SymbolicInt(d)))
    path.show("one more element has d + 1 places", more == d + 1)
    path.assume(more == d + 1)
    path.show("one more: a square grows twice", g * g * more >= g * g)
    path.show("G^2 >= (d+1)^m, one more", (g * more) * (g * more) >= power * (d + 1))


def _all_orders(sizes: Sizes, path: Path) -> None:
    """Show (m^j)^2 >= (m+1)^j for m >= 2; with m!^2 >= m^m this gives m!^4 >= (m+1)^m, for d = m."""
    m, x, y = map(path.fresh, ("m", "x", "y"))
    path.show("m^2 is large", z3.Implies(m >= 2, m * m >= sizes.squared(m)))
    path.assume(z3.And(m >= 2, x >= 1, y >= 1, x * x >= y, m * m >= m + 1))
    path.show("(m^j)^2 >= (m+1)^j, one more: a factor", x * x * (m * m) >= y * (m * m))
    path.show("(m^j)^2 >= (m+1)^j, one more", (x * m) * (x * m) >= y * (m + 1))


def large(sizes: Sizes = Sizes()) -> Outcome:  # frozen
    """Show by induction |G_d|^2 >= (d+1)^m for d < m, and |G_m|^4 >= (m+1)^m for m >= 2."""
    report = Exploration()
    for statement in (_closed_form, _pairs, _growth, _all_orders):
        report.merge(explore(partial(statement, sizes)))
    return conclude(report)


# Sorting with a window


def _noted(compare: Callable[[int, int], bool]) -> Callable[[Any, Any], bool]:
    """Return a comparison of times that notes its outcome."""

    def note(time: Any, other: Any) -> bool:
        time.transcript.append(compare(time.rank, other.rank))
        return bool(time.transcript[-1])

    return note


class Time:
    """A time that keeps a transcript of every comparison in which it takes part."""

    __slots__ = ("rank", "transcript")
    __hash__ = None  # type: ignore[assignment]  # a hash would tell times apart without a comparison

    def __init__(self, rank: int, transcript: list[bool]) -> None:
        self.rank = rank
        self.transcript = transcript

    __eq__ = _noted(operator.eq)
    __lt__ = _noted(operator.lt)
    __le__ = _noted(operator.le)
    __gt__ = _noted(operator.gt)
    __ge__ = _noted(operator.ge)

    def __repr__(self) -> str:
        return f"t{self.rank}"


def sort(window: Any, permutation: Permutation) -> tuple[Permutation, tuple[bool, ...]]:
    """Sort with m inserts and m rounds of query and evict, 3m operations, with `first` and each time as its value.

    Return the sorted ranks and the transcript.
    """
    transcript: list[bool] = []
    for rank in permutation:
        time = Time(rank, transcript)
        window.insert(time, time)
    ranks: list[int] = []
    for _ in permutation:
        oldest = window.query()
        ranks.append(oldest.rank)
        window.evict(oldest)
    return tuple(ranks), tuple(transcript)


WINDOWS: Final[dict[str, Callable[[], Any]]] = {
    "window by definition": lambda: OutOfOrderWindow(FIRST),
    "B-tree": lambda: BTree(FIRST),
    "FiBA": lambda: Fiba(FIRST),
}


def reduction(window: Callable[[], Any], m: int = 6) -> Outcome:
    """Sort all permutations of m elements; compare the longest transcript of each G_d with log2 |G_d|."""
    transcripts: dict[tuple[bool, ...], Permutation] = {}
    longest = [0] * (m + 1)
    for permutation in itertools.permutations(range(1, m + 1)):
        ranks, transcript = sort(window(), permutation)
        if ranks != tuple(range(1, m + 1)):
            return Outcome("fails", f"{permutation} is sorted to {ranks}")
        like = transcripts.setdefault(transcript, permutation)
        if like != permutation:
            return Outcome("fails", f"{permutation} and {like} are told apart by no comparison")
        for d in range(disorder(permutation), m + 1):
            longest[d] = max(longest[d], len(transcript))
    for d, comparisons in enumerate(longest):
        if 2**comparisons < count(m, d):
            return Outcome("fails", f"d = {d}: {comparisons} comparisons for {count(m, d)} permutations")
    said = ", ".join(f"d = {d}: {n} >= {math.log2(count(m, d)):.1f}" for d, n in enumerate(longest))
    return Outcome("holds", f"{math.factorial(m)} permutations, comparisons at most: {said}", {"longest": longest})


def reductions(m: int = 6) -> Outcome:
    """Check the window by definition, the B-tree and FiBA."""
    found = {name: reduction(window, m) for name, window in WINDOWS.items()}
    for name, outcome in found.items():
        if outcome.verdict != "holds":
            return Outcome(outcome.verdict, f"{name}: {outcome.detail}")
    return Outcome("holds", "; ".join(f"{name}: {outcome.detail}" for name, outcome in found.items()))


# Wrong windows


class NewestOnly:
    """A wrong window that returns the newest insert, ignoring the order of time."""

    def __init__(self) -> None:
        self.times: list[Any] = []

    def insert(self, t: Any, v: Any) -> None:
        """Keep the time."""
        self.times.append(t)

    def evict(self, t: Any) -> None:
        """Remove the newest time."""
        self.times.pop()

    def query(self) -> Any:
        """Return the newest time."""
        return self.times[-1]


class Peeping(NewestOnly):
    """A wrong window that sorts by the ranks inside the times, without comparing times."""

    def query(self) -> Any:
        """Return the time with the least rank."""
        self.times.sort(key=lambda t: t.rank, reverse=True)
        return self.times[-1]


claim: Final = partial(Claim, algorithm="lower bound")

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="lower-bound/count",
        statement="For an ordered set X and 0 <= d <= |X|, d! (d+1)^(|X|-d) permutations are out of order by at most "
        "d; each comes of just one of the set without its least element, which goes to one of the first min(|X|, d+1) "
        "places.",
        source=cite(OUT_OF_ORDER, "Lemma A.1", compared="weaker: sets of the sizes in the scope"),
        kind="exhaustive",
        engine="enumeration",
        scope=f"|X| <= {LARGEST}, all d",
        code="the definition of G_d",
        check=counted,
        controls=(
            Control("(d+1)^|X|", partial(counted, lambda m, d: (d + 1) ** m)),
            Control("d! (d+1)^(|X|-d-1)", partial(counted, lambda m, d: count(m, d) // (d + 1))),
            Control("distance to the closer end, as in section 3.2", partial(counted, count, closer_end)),
        ),
        not_covered="larger sets",
    ),
    claim(
        id="lower-bound/constant",
        statement="log2 |G_d| >= m/2 log2(1+d) for 0 <= d < m, and >= m/4 log2(1+m) for d = m >= 2: without "
        "Stirling's formula, with a constant, and but for m = d = 1.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 2.2",
            place="its proof",
            compared="a part: how large the set of permutations is; stronger: with a constant",
        ),
        kind="proved",
        engine="induction, Z3",
        scope="every m and d",
        code=code_of(count),
        check=large,
        controls=(
            Control("a place more for each element", partial(large, Sizes(places=lambda k, d: min(k, d + 2)))),
            Control(
                "d! (d+1)^(m-d-1)",
                partial(large, Sizes(count=lambda m, d, factorial, power: factorial(d) * power(d + 1, m - d - 1))),
            ),
            Control("a pair is n + 1", partial(large, Sizes(pair=lambda n: n + 1))),
            Control("m^2 is m + 3", partial(large, Sizes(squared=lambda m: m + 3))),
        ),
        not_covered="that G_d grows so with each element: the step of lower-bound/count",
    ),
    claim(
        id="lower-bound/reduction",
        statement="A window sorts any permutation with 3m operations (m inserts, m rounds of query and evict), tells "
        "any two apart by comparisons of times, and so makes at least log2 |G_d| of them for some permutation in G_d.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 2.2",
            compared="weaker: three windows, not every one; comparisons of times are counted, and no time",
        ),
        kind="exhaustive",
        engine="run over times that count",
        scope="all permutations of 6 elements, all d",
        code="models.out_of_order.OutOfOrderWindow, reference.trees.b_tree.BTree, reference.trees.fiba.Fiba",
        check=reductions,
        controls=(
            Control("a stack in place of a window", partial(reduction, NewestOnly)),
            Control("a window that looks into the times", partial(reduction, Peeping)),
        ),
        not_covered="longer permutations, for which lower-bound/count and lower-bound/constant stand",
    ),
)
