"""Claims about TimeGram, and the mutants that the checks must reject.

TimeGram runs over unknown values, bounds and widths: real numbers, which include integers and Fractions, with integers
for the buckets' numbers.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from swagproof.contracts.sharing import timegram as contract
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.explorer.walk import find_once, judge
from swagproof.proofs.ledger.claim import SHARING, Claim, Control, Deep, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, algorithm_of, mutants_of
from swagproof.proofs.ledger.theorem import conclude, runs_of_class
from swagproof.proofs.sharing import timegram_runs as runs
from swagproof.proofs.sharing.lookups import BY_READING, GRID, MutantSearch, TimeGramStates
from swagproof.proofs.sharing.timegram_numbers import SymbolicReal, by_buckets, grid_laws, real_term
from swagproof.reference.catalogue import TIMEGRAM
from swagproof.reference.sharing.timegram import TimeGram

WRONG: Final = Mutants(TIMEGRAM, table="timegram")
"""Mutants that the explorer and a contract must reject."""
UNSEEN: Final = tuple(mutants_of("timegram", "unseen").values())
"""Mutants that only an exploration of the whole state, from any state, can reject."""

# Explorations

SETS: Final = ((1,), (2,), (1, 2))
MORE_SETS: Final = (*SETS, (1, 3))


def _spaces(mutant: Mutant | None, sets: Sequence[tuple[int, ...]] = SETS) -> list[TimeGramStates]:
    return [TimeGramStates(sizes, mutant) for sizes in sets]


def _explored(sets: Sequence[tuple[int, ...]]) -> str:
    return (
        f"{len(sets)} sets of windows of at most {max(map(max, sets))} tuples, two buckets of width 2, widened once at "
        "any time; all streams of any length over 8 values on, between and outside the boundaries"
    )


SEARCH: Final = MutantSearch(TIMEGRAM, _spaces, GRID)


# Theorems about the buckets of values


def _grid(algorithm: type[TimeGram], path: Path) -> Any:
    """Return a TimeGram with any L, any width, and any number of buckets between L and R."""
    gram: Any = object.__new__(algorithm)
    gram.low, gram.width = _any("L"), _any("w")
    gram.buckets = SymbolicReal(z3.ToReal(path.fresh("K")))
    path.assume(z3.And(gram.buckets.term >= 1, gram.width.term > 0))
    gram.high = gram.low + gram.buckets * gram.width
    return gram


def _order_multiples(path: Path, gram: Any, *numbers: SymbolicReal) -> None:
    """Assume the order of the multiples of w > 0: of whole numbers x > y, x w >= (y + 1) w."""
    w, terms = gram.width.term, [*map(real_term, numbers)]
    for x in terms:
        for y in terms:
            path.assume(z3.Implies(z3.And(z3.IsInt(x), z3.IsInt(y), x > y), x * w >= y * w + w))


def _any(name: str) -> SymbolicReal:
    """Return any real number."""
    return SymbolicReal(z3.Real(name))


def any_value(algorithm: type[TimeGram], path: Path) -> None:
    """Prove that a value is within its bucket, of the given width, and a value in [L, R] in one of the K buckets."""
    gram, value = _grid(algorithm, path), _any("v")
    index = gram.bucket_of(value)
    _order_multiples(path, gram, index, gram.buckets, SymbolicReal(z3.RealVal(0)))
    left, right = gram.boundaries(index)
    path.show("placed", formula(lambda: left <= value <= right))
    path.show("tight", formula(lambda: contract.tight((left, right), gram.width, 1)))
    inside = formula(lambda: gram.low <= value <= gram.high)
    of_the_k = formula(lambda: index >= 0 and index * gram.width < gram.high - gram.low)
    path.show("K buckets are enough for [L, R]", z3.Implies(inside, of_the_k))


def two_values(algorithm: type[TimeGram], path: Path) -> None:
    """Prove that the greater of two values is in the same bucket or in one above, and that buckets do not overlap."""
    gram, value, other = _grid(algorithm, path), _any("v"), _any("u")
    path.assume(formula(lambda: value <= other))
    lower, upper = gram.bucket_of(value), gram.bucket_of(other)
    _order_multiples(path, gram, lower, upper)
    path.show("buckets are in the order of values", formula(lambda: lower <= upper))
    apart = formula(lambda: lower < upper)
    left, right = gram.boundaries(lower)[1], gram.boundaries(upper)[0]
    path.show("disjoint", z3.Implies(apart, formula(lambda: left <= right)))


VALUES: Final[dict[str, Callable[[type[TimeGram], Path], None]]] = {"any value": any_value, "two values": two_values}
_made: Final = partial(algorithm_of, TIMEGRAM)
PLACED: Final = runs_of_class(made=_made, runs=VALUES).theorem()

# Theorems about operations


def _lemmas() -> Exploration:
    report = explore(partial(grid_laws, 0))
    report.merge(explore(partial(by_buckets, 1)))
    return report


_OPERATIONS: Final = runs_of_class(made=_made, runs=runs.RUNS, run_with={"belonging": ("belonging", *runs.LOOKUPS)})
KEEPS: Final = _OPERATIONS.theorem(runs=runs.UPDATES, lemmas=_lemmas)
BOUNDS: Final = _OPERATIONS.theorem(runs=("belonging", *runs.LOOKUPS), lemmas=_lemmas)
ALL: Final = "any number of windows of any sizes, any stream of real numbers, any"
CODE: Final = code_of(TimeGram, f"__init__, {', '.join(runs.METHODS)}")

CLAIMS: Final[tuple[Claim, ...]] = (
    PLACED.claim(
        id="timegram/placed",
        statement="Every value, also outside [L, R], is within the boundaries of its bucket, which are a width apart; "
        "the values of [L, R] have K buckets. Buckets are in the order of values, and do not overlap: so the first "
        "bucket from above with a tuple of W bounds the greatest value of W.",
        source=cite(SHARING, place="sections 3.2.2, c) and d), and 3.2.3, a) and b)"),
        algorithm=TIMEGRAM.name,
        scope="every L, width, K and value, as real numbers",
        code=code_of(TimeGram, "bucket_of", "boundaries"),
    ),
    KEEPS.claim(
        id="timegram/proved",
        statement="Whatever windows are registered, insert, remove_oldest and widen keep: each tuple of the largest "
        "window has a home, which is a bucket within whose boundaries its value is; its timestamp is in that bucket "
        "and in no other, and no bucket has another timestamp, or none; bucket_at keeps buckets in the order of "
        "their numbers, and timestamps are noted as they ascend.",
        source=cite(SHARING, place="sections 3.2.2 and 5.4", compared="stronger: what the listing keeps, written out"),
        algorithm=TIMEGRAM.name,
        scope=f"{ALL} L and R > L, K, and factors; refusals too: by induction",
        code=CODE,
        controls=(
            Control(
                "a grid becomes wider by one more than the factor", lambda: conclude(explore(partial(grid_laws, 1)))
            ),
        ),
        not_covered="the registry, which is there by its contract: see shared-windows/registry; exact, which refuses "
        f"floats and makes Fractions of ints: tested; bisect, which is Python's; {BY_READING}",
    ),
    BOUNDS.claim(
        id="timegram/bounds",
        statement="After any stream, however many buckets there are, the answers [l, r] of max, min, sum and average "
        "contain the exact ones, none is given of no tuples, and count is exact: tuples that are counted by buckets "
        "are all tuples of W. A look-up changes nothing.",
        source=cite(SHARING, place="section 3.2.3; e) as corrected (erratum TG-4)"),
        algorithm=TIMEGRAM.name,
        scope=f"{ALL} L, R and K, widened at any time: from every state that timegram/proved keeps",
        code=CODE,
        controls=(Control("a tuple is in two buckets", lambda: conclude(explore(partial(by_buckets, 2)))),),
        not_covered="how tight the bounds are: see timegram/placed and timegram/explored; the registry, exact and "
        "bisect, as in timegram/proved",
    ),
    Claim(
        id="timegram/inspected",
        statement="An insert looks for two buckets, its own and that of the oldest timestamp; max, min, sum and count "
        "inspect every bucket that is not empty at most once, average twice.",
        source=cite(SHARING, place="section 3.2.5, as read (reading TG-5)"),
        algorithm=TIMEGRAM.name,
        kind="exhaustive",
        engine="explorer",
        scope=_explored(SETS),
        check=lambda mutant=None: judge(find_once(*_spaces(mutant)), (310, 2635), own=("inspected",)),
        code=code_of(TimeGram),
        not_covered="finding a bucket among B: O(log B) steps",
    ),
    Claim(
        id="timegram/explored",
        statement="The buckets hold the timestamps of the largest window, each where its value is, also after "
        "widening; every answer contains the exact one and is as wide as said: max, min and average one bucket, sum n.",
        source=cite(SHARING, place="section 3.2"),
        algorithm=TIMEGRAM.name,
        kind="exhaustive",
        engine="explorer",
        scope=_explored(SETS),
        check=lambda mutant=None: judge(find_once(*_spaces(mutant)), (310, 2635)),
        deep=Deep(_explored(MORE_SETS), lambda: judge(find_once(*_spaces(None, MORE_SETS)), (1480, 12580))),
        controls=(*WRONG, *UNSEEN),
        code=code_of(TimeGram),
        not_covered="values that are no numbers: buckets are found by arithmetic; other values and widths: see "
        "timegram/placed, proved of all; larger windows",
    ),
)
