"""Errata and readings of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), except those on costs."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from swagproof.contracts.trees.fiba import spine
from swagproof.models.monoid import Monoid
from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.errata.erratum import Searches, join, tell
from swagproof.proofs.errata.tangwongsan_2021 import nest_otherwise
from swagproof.proofs.explorer.letters import LETTERS, letter
from swagproof.proofs.explorer.space import Place, Violation
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.proofs.trees.fiba import WRONG
from swagproof.proofs.trees.out_of_order import CHEAP, GROWING, SHARED_WRONG, spaces
from swagproof.proofs.trees.runs import HISTORIES
from swagproof.proofs.trees.shapes import Bound, TimedStep, TreeStates
from swagproof.reference.catalogue import B_TREE, FIBA, Column
from swagproof.reference.trees.fiba import Fiba

MIN_ARITIES: Final = (2, 3, 4, 8)
"""The min-arities that the paper measures, and one between."""


class _Answers(TreeStates):
    """A space that checks only the answers that a user sees."""

    def check(self, place: Place[TimedStep]) -> None:
        answer, right = place.subject.query(), place.model.query()
        self.require(place, f"query is {answer!r}, not {right!r}", answer == right)


PLAYED: Final = (*GROWING[:4], *CHEAP[-2:])
"""The bounds for searching traces that readers can play; those from an empty window come first."""


def _explore(column: Column, variant: Variant, bounds: tuple[Bound, ...] = PLAYED) -> Iterator[str]:
    """Look for the shortest history with a wrong answer, of a tree as small as possible."""
    for bound in bounds:
        violation = first_violation(_Answers(column, bound, variant))
        if violation:
            yield _play(variant.of(column.algorithm)(CONCATENATION, bound.min_arity), violation)
            return


def _play(tree: Any, violation: Violation) -> str:
    """Return the violation with the letters of its own history, as a player sees them; the explorer renames them."""
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
    """Look for a violation by exploring with every check, and by longer histories with each min-arity."""
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
    """The product from the `first` i with t_from <= t_i to the `last` i with t_i <= t_to, against the sentence before.

    And against what trees of every min-arity answer, filled in order and backwards.
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
    """d is 0 for the first and for the last entry alike, and n_sub is the number of entries."""
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
LAST_INDEX: Final = wrong(
    "getTime and getChild give the last [l.11, l.13]",
    ("query_rec", "node.get_time(0)", "node.get_time(node.arity - 2)"),
    ("query_rec", "node.get_child(0)", "node.get_child(node.arity - 1)"),
)

# Layout, aggregates

UP_AT_ROOT: Final = wrong(
    "the root keeps its up-aggregate",
    ("local_repair_agg", "product_of_parts(1, self.arity - 1)", "product_of_parts(0, self.arity)"),
    part="Node",
)


def _either(name: str, side: str) -> Variant:
    """`or` binds closer than `and` in the line that asks whether a spine is to be repaired."""
    printed = f"top.{side}_spine or (top.is_root() and hit_{side})"
    return wrong(name, ("repair_aggs", printed, f"(top.{side}_spine or top.is_root()) and hit_{side}"))


OR_FIRST: Final = (_either("(leftSpine or isRoot) and hitLeft [l.30]", "left"), _either("the same [l.35]", "right"))


def _nested(name: str, method: str, first: int, last: int, by: int) -> Variant:
    return nest_otherwise(name, FIBA, method, (first, last), by)


READINGS: Final[tuple[Variant, ...]] = (
    _nested("l.21 inside the else", "evict", 21, 21, 4),
    _nested("l.39 after its loop", "repair_aggs", 39, 39, -4),
    wrong(
        "l.67 is the else of l.63, l.69-71 are not in the loop",
        (
            "rebalance_for_evict",
            "            else:  # [Fig.7 l.67]\n"
            "                node = parent  # [Fig.7 l.68]\n"
            "        else:  # [Fig.7 l.69]\n"
            "            self.move(parent, node_idx, sibling_idx)  # [Fig.7 l.70]\n"
            "            node = parent  # [Fig.7 l.71]\n",
            "        else:\n            node = parent\n",
        ),
    ),
    _nested("l.72-75 after the loop", "rebalance_for_evict", 72, 75, -4),
)
"""The indentation of Figure 7 as supplied, where the reference has another: each place by itself."""

HARMLESS: Final = _nested("l.46 outside the if, as supplied", "rebalance_for_insert", 46, 46, -4)
"""A variant that repairs spines more often than necessary; its answers are right."""

APART: Final = (Bound(2, 4), Bound(2, 7), Bound(2, 10), Bound(3, 17, 3), Bound(2, 13, 3))
"""The bounds within which the readings differ."""


def _reading_taken() -> Iterator[str]:
    yield from _run_on(FIBA)
    yield from _explore(FIBA, HARMLESS)


# Which aggregates an operation changes


class _Watched(Fiba[str]):
    """FiBA, telling which nodes an operation searches and restructures."""

    def __init__(self, monoid: Monoid[str], min_arity: int = 2) -> None:
        Fiba.__init__(self, monoid, min_arity)
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.met: set[Any] = set()
        self.root_involved = False
        self.climbed = 0  # levels, as rebalancing takes one step on each

    def involve(self, *nodes: Any) -> None:
        self.met.update(nodes)
        self.climbed += 1
        self.root_involved = self.root_involved or any(node.is_root() for node in nodes)

    def search_path(self, t: Any) -> Iterator[Any]:
        for node in Fiba.search_path(self, t):
            self.met.add(node)
            yield node

    def rebalance_for_evict(self, node: Any, to_repair: Any) -> tuple[Any, bool, bool]:
        above = node
        while to_repair is not None and above is not to_repair:  # the way down to the substitute
            self.met.add(above)
            above = above.parent
        return Fiba.rebalance_for_evict(self, node, to_repair)

    def split(self, node: Any) -> None:
        Fiba.split(self, node)
        self.involve(node, node.parent, node.parent.children[node.parent.children.index(node) + 1])

    def merge(self, parent: Any, node_idx: int, sibling_idx: int) -> Any:
        self.involve(parent, parent.children[node_idx], parent.children[sibling_idx])
        return Fiba.merge(self, parent, node_idx, sibling_idx)

    def move(self, parent: Any, node_idx: int, sibling_idx: int) -> None:
        self.involve(parent, parent.children[node_idx], parent.children[sibling_idx])
        Fiba.move(self, parent, node_idx, sibling_idx)


def _changed_elsewhere(allowed: Callable[[_Watched, set[Any]], bool]) -> Iterator[str]:
    """The shortest history whose last operation changes aggregates of nodes it neither searched nor restructured."""

    class Elsewhere(TreeStates):
        def freeze(self, place: Place[TimedStep]) -> Any:
            if place.frozen is None:
                place.subject.forget()
            return super().freeze(place)

        def after(self, place: Place[TimedStep]) -> Iterator[Place[TimedStep]]:
            for k in range(place.model.size):
                self.step(place, TimedStep("insert", True, k))
                self.step(place, TimedStep("evict", True, k))
            for gap in range(place.model.size + 1):
                self.step(place, TimedStep("insert", False, gap))
            yield from super().after(place)

        def step(self, place: Place[TimedStep], step: TimedStep) -> None:
            taken = self.thaw(self.freeze(place), (*place.steps, step))
            tree = taken.subject
            before = {node: node.agg for node in tree.nodes()}
            tree.forget()
            new = [letter(taken.model.size)] if step.operation == "insert" else []
            getattr(tree, step.operation)(step.time_in(taken.model), *new)
            nodes = list(tree.nodes())
            elsewhere = {node for node in nodes if before.get(node, node.agg) != node.agg} - tree.met
            check = f"nodes that change and are neither: {len(elsewhere)} of {len(nodes)}"
            self.require(taken, check, allowed(tree, elsewhere))

    violation = first_violation(Elsewhere(replace(FIBA, algorithm=_Watched), Bound(2, 10)))
    if violation:
        yield f"{', '.join(violation.trace)}: {violation.check}"


def _only_on_spines(tree: _Watched, elsewhere: set[Any]) -> bool:
    sides = [elsewhere.intersection(spine(tree, end)) for end in (0, -1)]
    within = all(len(side) <= tree.climbed for side in sides)
    return not elsewhere or (tree.root_involved and within and elsewhere == set().union(*sides))


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
    "FIBA-8": Searches(
        holds=partial(_changed_elsewhere, _only_on_spines),
        wrong={"the nodes restructured alone": partial(_changed_elsewhere, lambda tree, elsewhere: not elsewhere)},
    ),
    "FIBA-5": Searches(holds=partial(_run_on, B_TREE, FIBA), wrong={"the last": partial(_explore, FIBA, LAST_INDEX)}),
    "FIBA-7": Searches(
        holds=_reading_taken,
        wrong={variant.name: partial(_explore, FIBA, variant, APART) for variant in (*READINGS, *OR_FIRST)},
    ),
    "FIBA-10": Searches(holds=partial(_run_on, FIBA), wrong={UP_AT_ROOT.name: partial(_explore, FIBA, UP_AT_ROOT)}),
}
