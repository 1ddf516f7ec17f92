"""Claims about OrderedSharing, and the mutants that the checks must reject."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations
from typing import Any, Final

from swagproof.models.operations import FIRST, MAX, MIN, Operation
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.explorer.walk import find_once, judge, search
from swagproof.proofs.ledger.claim import SHARING, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, algorithm_of, mutants_of
from swagproof.proofs.ledger.theorem import ENGINE, conclude, runs_of_class
from swagproof.proofs.sharing import ordered_runs
from swagproof.proofs.sharing.lookups import BY_READING, MutantSearch, OrderedStates
from swagproof.reference.catalogue import ORDERED_SHARING
from swagproof.reference.sharing.ordered_sharing import OrderedSharing, OrderedSharingMin

Sizes = tuple[int, ...]


def window_sets(largest: int) -> tuple[Sizes, ...]:
    """Return all sets of windows up to this size, those of smaller windows first."""
    sizes = range(1, largest + 1)
    sets = [chosen for number in sizes for chosen in combinations(sizes, number)]
    return tuple(sorted(sets, key=lambda chosen: (chosen[-1], len(chosen))))


WRONG: Final = Mutants(ORDERED_SHARING, table="ordered-sharing")
"""Mutants that the explorer and a contract must reject."""
ALONE: Final = mutants_of("ordered-sharing", "for one claim")
"""Mutants that a single claim must reject."""
MIN_SEARCHED_AS_MAX: Final = ALONE["for min, insert searches as for max"]
UNSEEN: Final = tuple(mutants_of("ordered-sharing", "unseen").values())
"""Mutants that only an exploration of the whole state, from any state, over opaque values can reject."""

RUNS: Final = runs_of_class(
    made=partial(algorithm_of, ORDERED_SHARING),
    runs=ordered_runs.RUNS,
    run_with={"within": ("valid", "largest_valid"), "before": ("lookup",)},
)
PROVED: Final = RUNS.theorem()


def _wasted_steps() -> Outcome:
    """Show that one step of each of two methods can be omitted without affecting the theorems."""
    report = RUNS.run("insert", ALONE["insert does not repair the tree"])
    report.merge(RUNS.run("largest_valid", ALONE["insert takes the largest window that it beats, valid or not"]))
    return conclude(report)


# Explorations


def _spaces(mutant: Mutant, made: type[Any] = OrderedSharing) -> list[OrderedStates]:
    """Return the spaces in which a mutant is searched for, the smallest set of windows first."""
    return [OrderedStates(sizes, mutant, made) for sizes in window_sets(3)]


SEARCH: Final = MutantSearch(ORDERED_SHARING, _spaces)


def explored(sets: Iterable[Sizes], mins: Iterable[Sizes], expected: tuple[int, int]) -> Outcome:
    """Explore sets of windows for max and for min, and check the number of states."""
    spaces = [OrderedStates(sizes) for sizes in sets]
    spaces += [OrderedStates(sizes, None, OrderedSharingMin) for sizes in mins]
    return judge(find_once(*spaces), expected)


def _reject(mutant: Mutant) -> Outcome:
    return search(*_spaces(mutant, OrderedSharingMin if mutant == MIN_SEARCHED_AS_MAX else OrderedSharing))


# Theorems about max and min themselves, over integers: every finite set of values of a total order maps into them.


def _better_or_equal(operation: Operation[Any, Any, Any], a: Any, b: Any) -> Any:
    """Return whether a is at least as good as b."""
    return a >= b if operation is not MIN else a <= b


def _never_worse(operation: Operation[Any, Any, Any]) -> Any:
    """One more tuple, older than all others, leaves the answer as good as it was."""
    x, rest = SymbolicInt(z3.Int("x")), SymbolicInt(z3.Int("rest"))
    return formula(lambda: _better_or_equal(operation, operation.combine(x, rest), rest))


def _newest_wins(operation: Operation[Any, Any, Any]) -> Any:
    """If a window x, rest is beaten or equalled by a new value, that is the answer of rest, new: and of every part."""
    x, rest, new = (SymbolicInt(z3.Int(name)) for name in ("x", "rest", "new"))

    def holds() -> bool:
        if not _better_or_equal(operation, new, operation.combine(x, rest)):
            return True
        return bool(operation.combine(rest, new) == new) and bool(new == operation.combine(x, new))

    return formula(holds)


def _holder_serves(operation: Operation[Any, Any, Any]) -> Any:
    """If the answer of older, rest is the value of a tuple of rest = left, tuple, right, it is the answer of rest."""
    older, left, value, right = (SymbolicInt(z3.Int(name)) for name in ("older", "left", "value", "right"))

    def holds() -> bool:
        rest = operation.combine(operation.combine(left, value), right)
        return bool(operation.combine(older, rest) != value) or bool(rest == value)

    return formula(holds)


EVERY_STREAM: Final = "every stream of every length over every total order, with lookups anywhere"
ORDERS: Final = (_never_worse, _newest_wins, _holder_serves)


def _prove_orders(*operations: Operation[Any, Any, Any], theorems: Sequence[Callable[..., Any]] = ORDERS) -> Outcome:
    report = Exploration()
    for theorem in theorems:
        for operation in operations:
            said, holds = f"{theorem.__doc__} For {operation.name}", theorem(operation)
            report.merge(explore(partial(Path.show, name=said, claim=holds)))
    return conclude(report, among=f", for {' and '.join(operation.name for operation in operations)}")


PAIRS: Final[tuple[Sizes, ...]] = ((5,), (1, 5), (2, 5), (3, 5), (4, 5))


claim: Final = partial(
    Claim,
    algorithm=ORDERED_SHARING.name,
    kind="proved",
    engine=ENGINE,
    scope="any set of windows of any sizes, any stream over any total order, lookups anywhere: by induction",
    code=code_of(OrderedSharing),
    not_covered="the tree, which is there by its contract: see search-tree/proved; values that are equal and not the "
    f"same; {BY_READING}",
)
"""A claim, by default a proved one for every set of windows."""


CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="ordered-sharing/proved",
        statement="Whatever windows are registered, for max: before and after every insert and lookup the windows in "
        "the tree are in the order of sizes, answers and timestamps, every valid window's answer and timestamp are "
        "right (corrected), and the smallest window in the tree that is not smaller decides validity. Every lookup is "
        "right; it validates its window and all smaller ones, and no window loses its validity; an insert validates "
        "the largest window that it beats and all smaller ones, and any other loses its validity by age alone. An "
        "insert takes at most 3 ways down the tree, a lookup of a valid window one, of another at most 2 and 3 for "
        "each window that it validates; and both 2 for each window that leaves the tree. For min: the same. Its "
        "methods are those of max but for `worse`, which asks for the order the other way round, and nothing else "
        "compares values.",
        source=cite(
            SHARING,
            place="sections 6.1, 6.2.1, 6.3.2, 6.3.2.3 and 6.4, as corrected (errata OS-1, OS-2, OS-7; readings OS-5, "
            "OS-10)",
            compared="corrected, for every set of windows",
        ),
        code=f"{code_of(OrderedSharing)}, OrderedSharingMin",
        check=PROVED.check,
        reject=PROVED.reject,
    ),
    claim(
        id="ordered-sharing/explored",
        statement="For max and for min: every lookup is right; the tree is in the order of sizes and of answers, and "
        "every valid window's answer and timestamp are right (corrected); the smallest window in the tree that is not "
        "smaller decides validity; an insert validates the largest window that it beats and all smaller ones, a lookup "
        "its window and all smaller ones; an insert visits O(log |W|) nodes on account, a lookup of a valid window "
        "O(log |W|).",
        source=cite(SHARING, place="sections 6.1 to 6.4, as corrected (errata OS-1, OS-2, OS-7; reading OS-5)"),
        kind="exhaustive",
        engine="explorer",
        scope=f"all 7 sets of windows of at most 3 tuples; {EVERY_STREAM}: values by rank, ages as far as they matter",
        check=partial(explored, window_sets(3), window_sets(3), (1792, 17154)),
        controls=(*WRONG, *UNSEEN),
        reject=_reject,
        not_covered="larger windows: ordered-sharing/proved has all, search-tree/proved the shape of every tree",
        deep=Deep(
            "all 15 sets of windows of at most 4 tuples, for max also the 5 sets of one or two windows with one of 5 "
            f"tuples; {EVERY_STREAM}",
            partial(explored, (*window_sets(4), *PAIRS), window_sets(4), (73042, 898288)),
        ),
    ),
    claim(
        id="ordered-sharing/orders",
        statement="Of two windows the larger has an answer at least as good: W_i.size < W_j.size makes W_i.answer <= "
        "W_j.answer (erratum OS-2: not <). If a new value equals or beats the answer of a window, it is the answer of "
        "that window and of all smaller ones after the insert. The answer of a larger window is the window's own if "
        "its tuple is among the window's (erratum OS-1).",
        source=cite(
            SHARING,
            "property (2)",
            place="sections 6.1, 6.2 and 6.2.1; errata OS-1, OS-2",
            compared="corrected: <= where < is printed",
        ),
        engine="the operation's own combine, Z3",
        scope="all integers, so all finite streams over a total order; any window size, by induction",
        code="models.operations: max, min",
        check=partial(_prove_orders, MAX, MIN),
        controls=tuple(
            Control(
                f"the oldest value instead of the greatest: {theorem.__doc__}",
                partial(_prove_orders, FIRST, theorems=(theorem,)),
            )
            for theorem in ORDERS
        ),
        not_covered="",
    ),
    claim(
        id="ordered-sharing/wasted-steps",
        statement="Once invalid windows are removed where insert meets them (readings OS-4, OS-5), the repair "
        "of step 2d finds nothing to do: without it an insert keeps every invariant and all that is promised of it. "
        "Step 1 need not ask whether a window is valid: every tuple newer than an answer in the tree is "
        "worse than it, so a value that beats an answer is the greatest of that window, valid or not. Without the "
        "question the search is the simple binary search of the text, no window is left to be met again, and no "
        "repair is needed.",
        source=cite(
            SHARING, place="section 6.3.2.1, steps 1 and 2d", compared="stronger: neither step is needed as printed"
        ),
        check=_wasted_steps,
        reject=PROVED.reject,
        code="reference.sharing.ordered_sharing without fix in insert, without the loop of largest_valid",
    ),
)
