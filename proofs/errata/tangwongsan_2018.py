"""Errata and readings of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), except those on costs."""

import itertools
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final

from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.errata.erratum import Searches, join, tell
from swagproof.proofs.explorer.freezing import Place
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.trees.costs import Costs
from swagproof.proofs.trees.fiba import WRONG
from swagproof.proofs.trees.out_of_order import CHEAP, GROWING, SHARED_WRONG, spaces
from swagproof.proofs.trees.runs import HISTORIES
from swagproof.proofs.trees.shapes import Bound, TimedStep, TreeStates
from swagproof.reference.catalogue import B_TREE, FIBA, Column

MIN_ARITIES: Final = (2, 3, 4, 8)
"""The min-arities measured in the paper, and one between them."""


class _Answers(TreeStates):
    """A space that checks only the answers that a user sees."""

    def check(self, place: Place[TimedStep]) -> None:
        answer, right = place.subject.query(), place.model.query()
        self.require(place, f"query is {answer!r}, not {right!r}", answer == right)

    def require_costs(self, place: Place[TimedStep], costs: Costs) -> None:
        """Allow any cost."""


PLAYED: Final = (*GROWING[:4], *CHEAP[-2:])
"""The bounds for searching traces that readers can replay; those from an empty window come first."""


def _explore(column: Column, mutant: Mutant, bounds: tuple[Bound, ...] = PLAYED) -> Iterator[str]:
    """Search for the shortest history with a wrong answer, on the smallest tree."""
    for bound in bounds:
        violation = first_violation(_Answers(column, bound, mutant))
        if violation:
            yield _play(mutant.of(column.algorithm)(CONCATENATION, bound.min_arity), violation)
            return


def _play(tree: Any, violation: Violation) -> str:
    """Return the violation with the letters of its own history, as a reader sees them; the explorer renames them."""
    if not violation.trace[0].startswith("insert"):
        return str(violation)
    window, said = OutOfOrderWindow(CONCATENATION), f"min-arity {tree.min_arity}: {', '.join(violation.trace)}"
    try:
        for step in violation.trace:
            name, t, *letter = step.split()
            for each in (window, tree):
                getattr(each, name)(int(t), *letter)
        if tree.query() != window.query():
            return f"{said}: query answers {tree.query()!r}, not {window.query()!r}"
        for ends in itertools.product(range(len(violation.trace) + 1), repeat=2):
            answer, right = tree.range_query(*ends), window.range_query(*ends)
            if answer != right:
                return f"{said}: from {ends[0]} to {ends[1]} answers {answer!r}, not {right!r}"
    except Exception as error:
        return f"{said}: {type(error).__name__}: {error}"
    return str(violation)


def _run_on(*columns: Column) -> Iterator[str]:
    """Search for a violation by exploring with every check, and by longer histories with each min-arity."""
    for column in columns:
        yield from tell(first_violation(*spaces(column, None, CHEAP)) or _wrong_along(column))


@cache
def _wrong_along(column: Column) -> str | None:
    for min_arity, (name, history) in itertools.product(MIN_ARITIES, HISTORIES.items()):
        tree: Any = column.algorithm(CONCATENATION, min_arity)
        window = OutOfOrderWindow(CONCATENATION)
        for number, (step, t) in enumerate(history(40)):
            for each in (tree, window):
                getattr(each, step)(t, *(LETTERS[number % len(LETTERS)] if step == "insert" else ""))
            middle = window.times[window.size // 2] if window.size else t
            ranges = ((t, middle), (middle, t))
            right = tree.query() == window.query() and all(
                tree.range_query(*ends) == window.range_query(*ends) for ends in ranges
            )
            if not right:
                return f"{column.name}, min-arity {min_arity}, {name}, {number + 1} operations"
    return None


# Definitions


def _windows(most: int) -> Iterator[OutOfOrderWindow[str]]:
    for n in range(most + 1):
        window: OutOfOrderWindow[str] = OutOfOrderWindow(CONCATENATION)
        for t in range(1, n + 1):
            window.insert(t, LETTERS[t - 1])
        yield window


def _root_of_empty(least: Callable[[int], int]) -> Iterator[str]:
    for column, min_arity, n in itertools.product((B_TREE, FIBA), MIN_ARITIES, range(3)):
        tree = column.algorithm(CONCATENATION, min_arity)
        for t in range(1, n + 1):
            tree.insert(t, "a")
        if tree.root.arity < least(n):
            yield f"{column.name}, window of {n}: a(root) = {tree.root.arity}"


Pick = Callable[[list[int]], int]


def _range_ends(first: Pick, last: Pick) -> Iterator[str]:
    """Search for a range whose product by the statement differs from the preceding sentence's, or from trees' answers.

    The statement picks the `first` i with t_from <= t_i and the `last` with t_i <= t_to; trees have every min-arity.
    """
    for window in (*_windows(4), *list(_windows(12))[-1:]):
        n = window.size
        trees = [column.algorithm(CONCATENATION, min_arity) for column in (B_TREE, FIBA) for min_arity in MIN_ARITIES]
        for number, tree in enumerate(trees):
            for t in window.times if number % 2 else reversed(window.times):
                tree.insert(t, window.values[t - 1])
        for t_from, t_to in itertools.product(range(n + 2), repeat=2):
            from_on = [i for i, t in enumerate(window.times) if t_from <= t]
            up_to = [i for i, t in enumerate(window.times) if t <= t_to]
            if not set(from_on) & set(up_to):
                continue  # "if the subrange contains no values"
            i_from, i_to = first(from_on), last(up_to)
            said = "".join(window.values[i_from : i_to + 1])
            meant = "".join(v for t, v in zip(window.times, window.values, strict=True) if t_from <= t <= t_to)
            if said != meant or any(tree.range_query(t_from, t_to) != said for tree in trees):
                yield (
                    f"times 1 .. {n}, values {''.join(window.values)}, from {t_from} to {t_to}: i_from = {i_from + 1}, "
                    f"i_to = {i_to + 1}, which is {said!r}; the values whose times fall between are {meant!r}"
                )


def _distances(before: Callable[[int], int], size: Callable[[int, int], int]) -> Iterator[str]:
    """Search for an entry whose d is wrongly 0 or not 0, or a range with a wrong number n_sub of entries."""
    for n in range(1, 5):
        for i_from in range(1, n + 1):
            if (min(before(i_from), n - i_from) == 0) != (i_from in (1, n)):
                yield f"n = {n}: d of entry {i_from} is {min(before(i_from), n - i_from)}"
            for i_to in range(i_from, n + 1):
                if size(i_from, i_to) != len(range(i_from, i_to + 1)):
                    yield f"n = {n}: entries {i_from} .. {i_to} are {size(i_from, i_to)}"


# Figure 7, l.62

SILENT_ON_THE_LEFT: Final = WRONG.get("a sibling on the left spine goes unnoticed [l.62 as printed]")
REPAIRING_ALL: Final = wrong(
    "l.62 as printed, and split, merge and move repair every aggregate that they touch, the parent's first",
    *((edit.method, edit.old, edit.new) for edit in SILENT_ON_THE_LEFT.edits),
    ("repair_up", "for node in nodes:", "for node in reversed(nodes):"),
    ("repair_up", "node.local_repair_agg_if_up()", "node.local_repair_agg()"),
)

# Figure 10

BEFORE_LAST: Final = SHARED_WRONG.get("a range leaves out the child before the last [l.20 as printed]")
BEYOND_LAST: Final = wrong(
    "i + 1 <= arity - 1 [l.20]", ("query_rec", "i + 1 < node.arity - 1", "i + 1 <= node.arity - 1")
)
SEARCHES: Final = {
    "FIBA-2": Searches(
        printed=partial(_range_ends, max, min),
        holds=partial(_range_ends, min, max),
        wrong={
            "the smallest of both": partial(_range_ends, min, min),
            "the largest of both": partial(_range_ends, max, max),
        },
    ),
    "FIBA-3": Searches(
        mutants=(SILENT_ON_THE_LEFT, REPAIRING_ALL),
        printed=partial(join, *(partial(_explore, FIBA, each) for each in (SILENT_ON_THE_LEFT, REPAIRING_ALL))),
        holds=partial(_run_on, FIBA),
        wrong={
            "the left spine in place of the right": partial(
                _explore, FIBA, WRONG.get("a sibling on the right spine goes unnoticed")
            )
        },
    ),
    "FIBA-4": Searches(
        mutants=(BEFORE_LAST,),
        printed=partial(join, *(partial(_explore, column, BEFORE_LAST) for column in (B_TREE, FIBA))),
        holds=partial(_run_on, B_TREE, FIBA),
        wrong={"i + 1 <= arity - 1": partial(_explore, FIBA, BEYOND_LAST)},
    ),
    "FIBA-1": Searches(
        holds=partial(_root_of_empty, lambda n: 2 if n else 1),
        wrong={"the empty window's root has arity 2": partial(_root_of_empty, lambda n: 2)},
    ),
    "FIBA-6": Searches(
        holds=partial(_distances, lambda i: i - 1, lambda i_from, i_to: i_to - i_from + 1),
        wrong={"to the letter": partial(_distances, lambda i: i, lambda i_from, i_to: i_to - i_from)},
    ),
}
