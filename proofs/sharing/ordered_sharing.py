"""Claims about OrderedSharing, and the mutants that the checks must reject."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations
from typing import Any, Final

from swagproof.models.operations import FIRST, MAX, MIN, Operation
from swagproof.proofs.engine.paths import Exploration, Path, formula
from swagproof.proofs.engine.paths import explore as explore_paths
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.explorer.walk import find_once, first_violation, judge, refute
from swagproof.proofs.ledger.claim import SHARING, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.theorem import Theorem, conclude
from swagproof.proofs.ledger.variants import Variant, WrongVariants, mutants_of
from swagproof.proofs.sharing import ordered_runs
from swagproof.proofs.sharing.lookups import BY_READING, OrderedStates, contract_that_rejects
from swagproof.reference.catalogue import ORDERED_SHARING
from swagproof.reference.sharing.ordered_sharing import CheckedOrderedSharing, OrderedSharing, OrderedSharingMin

Sizes = tuple[int, ...]


def window_sets(largest: int) -> tuple[Sizes, ...]:
    """All sets of windows of at most that size, those of smaller windows first."""
    sizes = range(1, largest + 1)
    sets = [chosen for number in sizes for chosen in combinations(sizes, number)]
    return tuple(sorted(sets, key=lambda chosen: (chosen[-1], len(chosen))))


# As printed, or as it may be read

WRONG: Final = WrongVariants(ORDERED_SHARING, table="ordered-sharing")
"""Each is rejected by the explorer and by a contract."""

STAMPS_NOW: Final = WRONG.get("a re-calculated answer is stamped with the current time")
KEEPS_ITSELF: Final = WRONG.get("lookup leaves the window itself in the tree")
LEAVES_INVALID: Final = WRONG.get("insert leaves the invalid windows that it meets")
ALONE: Final = mutants_of("ordered-sharing", "for one claim")
"""Each is for one claim alone."""
LEAVES_INVALID_REPAIRS: Final = ALONE["insert leaves the invalid windows that it meets, and lookup repairs the tree"]
MIN_SEARCHED_AS_MAX: Final = ALONE["for min, insert searches as for max"]


UPDATES_SMALLEST: Final = WRONG.get("insert updates the smallest window that it beats")
VALID_TOO_LONG: Final = WRONG.get("an answer is valid for one tuple too long")
OTHERS_SIZE: Final = WRONG.get("a larger window's answer is compared with that window's size")
FORGETS_TIMESTAMP: Final = WRONG.get("insert forgets the timestamp")
NO_REPAIR: Final = ALONE["insert does not repair the tree"]
VALIDITY_NOT_ASKED: Final = ALONE["insert takes the largest window that it beats, valid or not"]
UNSEEN: Final = tuple(mutants_of("ordered-sharing", "unseen").values())
"""Mutants that only an exploration of the whole state, from any state, over opaque values can reject."""
BORN_VALID: Final = WRONG.get("windows are valid when registered")


# Theorems about every set of windows

AFFECTS: Final[dict[str, tuple[str, ...]]] = {
    "__init__": ("start",),
    "within": ("valid", "largest_valid"),
    "before": ("lookup",),
}
"""The runs that a change in a method affects, if not the run of that method alone."""


def _run_operation(
    operation: ordered_runs.OrderedOperation, variant: Variant | None, enough: Callable[[Exploration], bool]
) -> Exploration:
    algorithm = OrderedSharing if variant is None else variant.of(OrderedSharing)
    return ordered_runs.explore_operation(operation, algorithm, enough)


def _affected(variant: Variant) -> list[ordered_runs.OrderedOperation]:
    methods = [edit.method for edit in variant.edits]
    changed = [each for method in methods for each in AFFECTS.get(method, (method,))]
    return [operation for operation in ordered_runs.OPERATIONS if operation in changed or not methods]


PROVED: Final[Theorem[ordered_runs.OrderedOperation]] = Theorem(
    explore=_run_operation, runs=ordered_runs.OPERATIONS, rests_on=ordered_runs.OPERATIONS, affected=_affected
)


def _check_parts(variant: Variant, *parts: ordered_runs.OrderedOperation) -> Outcome:
    """Return what of the reference is proved of these parts is so of the variant, of which they are all that
    differs."""
    report = Exploration()
    for each in parts:
        report.merge(_run_operation(each, variant, lambda report: False))
    return conclude(report)


def _min_is_the_same(variant: Variant | None = None) -> Outcome:
    """Min has max's methods but for `worse`, which asks for the other rank."""
    algorithm = OrderedSharingMin if variant is None else variant.of(OrderedSharingMin)
    report = ordered_runs.explore_operation("worse", algorithm)
    for method in (each for each in ordered_runs.METHODS if each != "worse"):
        if getattr(algorithm, method) is not getattr(OrderedSharing, method):
            report.merge(ordered_runs.explore_operation(method, algorithm))  # type: ignore[arg-type]  # a name of an operation
    return conclude(report)


def _spaces(variant: Variant) -> list[OrderedStates]:
    """Return what shows a mistake, the smallest set of windows first."""
    return [OrderedStates(sizes, variant) for sizes in window_sets(3)]


def refuted(variant: Variant) -> str | None:
    """Return what the explorer finds, shortest over the smallest set of windows that shows it."""
    return refute(*_spaces(variant))


def violated_contract(variant: Variant) -> str | None:
    """The contract that the same trace violates on the variant under contracts.  To be run with full contracts."""
    found = first_violation(*_spaces(variant))
    return contract_that_rejects(variant, OrderedSharing, CheckedOrderedSharing, (), found)


def explore(sets: Iterable[Sizes], mins: Iterable[Sizes], expected: tuple[int, int]) -> Outcome:
    """Explore sets of windows for max, and sets of windows for min, and check the number of states."""
    spaces = [OrderedStates(sizes) for sizes in sets]
    spaces += [OrderedStates(sizes, None, OrderedSharingMin) for sizes in mins]
    return judge(find_once(*spaces), expected)


def _reject(variant: Variant) -> Outcome:
    made = OrderedSharingMin if variant is MIN_SEARCHED_AS_MAX else OrderedSharing
    found = first_violation(*(OrderedStates(sizes, variant, made) for sizes in window_sets(3)))
    return judge(found, (0, 0)) if found else Outcome("holds", "not refuted")


# Theorems about max and min themselves, over integers: every finite set of values of a total order maps into them.


def _better_or_equal(operation: Operation[Any, Any, Any], a: Any, b: Any) -> Any:
    """a is at least as good as b."""
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
            report.merge(explore_paths(partial(Path.show, name=said, claim=holds)))
    return conclude(report, among=f", for {' and '.join(operation.name for operation in operations)}")


PAIRS: Final[tuple[Sizes, ...]] = ((5,), (1, 5), (2, 5), (3, 5), (4, 5))

LARGER: Final = "larger windows: ordered-sharing/proved has all, search-tree/proved the shape of every tree"
OF_THE_TREE: Final = (
    "the tree, which is there by its contract: see search-tree/proved; values that are equal and not the same; "
    f"{BY_READING}"
)
claim: Final = partial(
    Claim,
    algorithm=ORDERED_SHARING.name,
    kind="proved",
    engine="symbolic execution, Z3",
    scope="any set of windows of any sizes, any stream over any total order, lookups anywhere: by induction",
    code=code_of(OrderedSharing),
    not_covered=OF_THE_TREE,
)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="ordered-sharing/proved",
        statement="Whatever windows are registered, for max: before and after every insert and lookup the windows in "
        "the tree are in the order of sizes, answers and timestamps, every valid window's answer and timestamp are "
        "right (corrected), and the smallest window in the tree that is not smaller decides validity. Every lookup is "
        "right; it validates its window and all smaller ones, and no window loses its validity; an insert validates "
        "the largest window that it beats and all smaller ones, and any other loses its validity by age alone. An "
        "insert takes at most 3 ways down the tree, a lookup of a valid window one, of another at most 2 and 3 for "
        "each window that it validates; and both 2 for each window that leaves the tree.",
        source=cite(
            SHARING,
            place="sections 6.1, 6.2.1, 6.3.2 and 6.4, as corrected (errata OS-1, OS-2, OS-7; reading OS-5)",
            compared="corrected, for every set of windows",
        ),
        check=PROVED.check,
        reject=PROVED.reject,
        controls=(
            *(variant for variant in WRONG if variant.name != "windows are hung below each other"),
            ALONE["an insert keeps its value besides"],
            ALONE["1000 tuples are kept"],
            ALONE["time is a float"],
        ),
    ),
    claim(
        id="ordered-sharing/proved-min",
        statement="For min: the same. Its methods are those of max but for `worse`, which asks for the order the other "
        "way round, and nothing else compares values.",
        source=cite(SHARING, place="section 6.3.2.3 (reading OS-10)"),
        scope="as ordered-sharing/proved, which is shown of ranks, in whichever direction they go",
        check=_min_is_the_same,
        controls=(MIN_SEARCHED_AS_MAX,),
        code=code_of(OrderedSharingMin),
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
        check=partial(explore, window_sets(3), window_sets(3), (1792, 17154)),
        controls=(*WRONG, *UNSEEN, MIN_SEARCHED_AS_MAX),
        reject=_reject,
        not_covered=LARGER,
        deep=Deep(
            "all 15 sets of windows of at most 4 tuples, for max also the 5 sets of one or two windows with one of 5 "
            f"tuples; {EVERY_STREAM}",
            partial(explore, (*window_sets(4), *PAIRS), window_sets(4), (73042, 898289)),
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
        id="ordered-sharing/repair-wasted",
        statement="Once invalid windows are removed where insert meets them (readings OS-4, OS-5), the repair "
        "of step 2d finds nothing to do: without it an insert keeps every invariant and all that is promised of it.",
        source=cite(SHARING, place="section 6.3.2.1, step 2d", compared="stronger: the step is not needed"),
        check=partial(_check_parts, NO_REPAIR, "insert"),
        reject=PROVED.reject,
        controls=(ALONE["insert leaves the invalid windows, and does not repair the tree"],),
        code=f"variant {NO_REPAIR.name!r} of reference.sharing.ordered_sharing",
    ),
    claim(
        id="ordered-sharing/validity-not-asked",
        statement="Step 1 need not ask whether a window is valid: every tuple newer than an answer in the tree is "
        "worse than it, so a value that beats an answer is the greatest of that window, valid or not. Without the "
        "question the search is the simple binary search of the text, no window is left to be met again, and no "
        "repair is needed.",
        source=cite(SHARING, place="section 6.3.2.1, step 1", compared="stronger: the question is not needed"),
        check=partial(_check_parts, VALIDITY_NOT_ASKED, "largest_valid"),
        reject=PROVED.reject,
        controls=(LEAVES_INVALID, UPDATES_SMALLEST),
        code=f"variant {VALIDITY_NOT_ASKED.name!r} of reference.sharing.ordered_sharing",
    ),
)
