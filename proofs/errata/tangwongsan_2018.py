"""The errata of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), but for those about cost."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees.fiba import spine
from swagproof.models.monoid import Monoid
from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.errata.erratum import Entry, Erratum, against, tell
from swagproof.proofs.errata.tangwongsan_2021 import nest_otherwise
from swagproof.proofs.explorer.space import Place
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.ledger.claim import OUT_OF_ORDER
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.proofs.trees.fiba import WRONG
from swagproof.proofs.trees.out_of_order import CHEAP, SHARED_WRONG, spaces
from swagproof.proofs.trees.shapes import NEW, Bound, Step, TreeStates
from swagproof.reference.catalogue import B_TREE, FIBA
from swagproof.reference.trees.fiba import Fiba


def _explore(variant: Variant | None) -> Iterator[str]:
    return tell(first_violation(*spaces(FIBA, variant, CHEAP)))


# Definitions


def _windows(most: int) -> Iterator[OutOfOrderWindow[str]]:
    for n in range(most + 1):
        window: OutOfOrderWindow[str] = OutOfOrderWindow(CONCATENATION)
        for t in range(1, n + 1):
            window.insert(t, chr(ord("a") + t - 1))
        yield window


def _root_of_empty(least: Callable[[int], int]) -> Iterator[str]:
    for column, n in itertools.product((B_TREE, FIBA), range(3)):
        tree = column.algorithm(CONCATENATION)
        for t in range(1, n + 1):
            tree.insert(t, "a")
        if tree.root.arity < least(n):
            yield f"{column.name}, window of {n}: a(root) = {tree.root.arity}"


Pick = Callable[[list[int]], int]


def _range_ends(first: Pick, last: Pick) -> Iterator[str]:
    """The range from the `first` index i with t_from <= t_i to the `last` i with t_i <= t_to, against the sentence."""
    for window in _windows(3):
        for t_from, t_to in itertools.product(range(5), repeat=2):
            meant = [i for i, t in enumerate(window.times) if t_from <= t <= t_to]
            from_on = [i for i, t in enumerate(window.times) if t_from <= t]
            up_to = [i for i, t in enumerate(window.times) if t <= t_to]
            if not meant:
                continue
            i_from, i_to = first(from_on), last(up_to)
            if list(range(i_from, i_to + 1)) != meant:
                yield (
                    f"times 1 .. {window.size}, from {t_from} to {t_to}: i_from = {i_from + 1}, i_to = {i_to + 1}, but "
                    f"between them are entries {meant[0] + 1} .. {meant[-1] + 1}"
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


# Figure 10

NO_INDEX: Final = wrong(
    "getTime and getChild without an index [l.11, l.13]",
    ("query_rec", "node.get_time(0)", "node.get_time()"),
    ("query_rec", "node.get_child(0)", "node.get_child()"),
)
# Layout


def _supplied_else() -> Variant:
    return wrong(
        "l.67 is the else of l.63, l.69-71 are not in the loop",
        (
            "rebalance_for_evict",
            "            else:  # [Fig.7 l.67, indented otherwise: erratum FIBA-7]\n"
            "                node = parent  # [Fig.7 l.68]\n"
            "        else:  # [Fig.7 l.69, indented otherwise: erratum FIBA-7]\n"
            "            self.move(parent, node_idx, sibling_idx)  # [Fig.7 l.70]\n"
            "            node = parent  # [Fig.7 l.71]\n",
            "        else:\n            node = parent\n",
        ),
    )


def _reading(name: str, method: str, first: int, last: int, by: int) -> Variant:
    return nest_otherwise(name, FIBA, method, (first, last), by)


READINGS: Final[tuple[Variant, ...]] = (
    _reading("l.21 inside the else, as supplied", "evict", 21, 21, 4),
    _reading("l.27 after its loop", "repair_aggs", 27, 27, -4),
    wrong(
        "l.30 is (leftSpine or isRoot) and hitLeft",
        (
            "repair_aggs",
            "top.left_spine or (top.is_root() and hit_left)",
            "(top.left_spine or top.is_root()) and hit_left",
        ),
    ),
    _reading("l.34 after its loop", "repair_aggs", 34, 34, -4),
    wrong(
        "l.35 is (rightSpine or isRoot) and hitRight",
        (
            "repair_aggs",
            "top.right_spine or (top.is_root() and hit_right)",
            "(top.right_spine or top.is_root()) and hit_right",
        ),
    ),
    _reading("l.39 after its loop, as supplied", "repair_aggs", 39, 39, -4),
    _reading("l.49-50 after the loop", "rebalance_for_insert", 49, 50, -4),
    _supplied_else(),
    _reading("l.72-75 after the loop, as supplied", "rebalance_for_evict", 72, 75, -4),
    _reading("l.72-75 in the else of l.69", "rebalance_for_evict", 72, 75, 4),
    _reading("l.88-90 after the loop", "evict_inner", 88, 90, -4),
    _reading("l.90 after the loop", "evict_inner", 90, 90, -4),
)
"""What else the lines of Figures 7 and 8 may be taken to say."""

HARMLESS: Final = _reading("l.46 outside the if, as supplied", "rebalance_for_insert", 46, 46, -4)
"""It repairs a spine more often than it must; the aggregates are right."""


APART: Final = (Bound(2, 4), Bound(2, 7), Bound(2, 10), Bound(3, 17, 3), Bound(2, 13, 3))
"""Where the readings come apart."""


def _other_readings() -> Iterator[str]:
    found = [(variant, first_violation(*spaces(FIBA, variant, APART))) for variant in READINGS]
    if not all(violation for _, violation in found):
        return
    yield "; ".join(f"{variant.name}: {violation}" for variant, violation in found if violation)


def _reading_taken() -> Iterator[str]:
    yield from _explore(None)
    yield from _explore(HARMLESS)


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
        def after(self, place: Place[Step]) -> Iterator[Place[Step]]:
            for k in range(place.model.size):
                self.step(place, Step("insert", True, k))
                self.step(place, Step("evict", True, k))
            for gap in range(place.model.size + 1):
                self.step(place, Step("insert", False, gap))
            yield from super().after(place)

        def step(self, place: Place[Step], step: Step) -> None:
            taken = self.thaw(self.freeze(place), (*place.steps, step))
            tree = taken.subject
            before = {node: node.agg for node in tree.nodes()}
            tree.forget()
            getattr(tree, step.operation)(step.time, *([NEW] if step.operation == "insert" else []))
            nodes = list(tree.nodes())
            elsewhere = {node for node in nodes if before.get(node, node.agg) != node.agg} - tree.met
            check = f"nodes that change and are neither: {len(elsewhere)} of {len(nodes)}"
            self.require(taken, check, allowed(tree, elsewhere))

    violation = first_violation(Elsewhere(replace(FIBA, algorithm=_Watched), Bound(2, 12)))
    if violation:
        yield f"{', '.join(violation.trace)}: {violation.check}"


def _only_on_spines(tree: _Watched, elsewhere: set[Any]) -> bool:
    sides = [elsewhere.intersection(spine(tree, end)) for end in (0, -1)]
    within = all(len(side) <= tree.climbed for side in sides)
    return not elsewhere or (tree.root_involved and within and elsewhere == set().union(*sides))


erratum: Final = partial(Erratum, paper=OUT_OF_ORDER)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="FIBA-1",
        place="section 3.1, size invariants",
        printed="The root has arity 2 at least.",
        holds="Unless the window is empty: then the root is a leaf without entries, of arity 1.",
        searches=against(_root_of_empty, lambda n: 2, lambda n: 2 if n else 1),
    ),
    erratum(
        id="FIBA-2",
        place="section 2, query(t_from, t_to), and Theorems 4.1 and 4.2",
        printed="A range goes from the largest i with t_from <= t_i to the smallest i with t_i <= t_to.",
        holds="From the smallest i with t_from <= t_i to the largest i with t_i <= t_to.",
        searches=(partial(_range_ends, max, min), partial(_range_ends, min, max)),
    ),
    erratum(
        id="FIBA-3",
        place="Figure 7, rebalanceForEvict, l.62",
        printed="A sibling can tell of the right spine only.",
        holds="Of the left spine too: the last child of a root with two children has its sibling there, and no choice. "
        "Without the symmetric step a move or merge leaves the left spine stale.",
        searches=against(_explore, WRONG.get("a sibling on the left spine goes unnoticed [l.62 as printed]"), None),
    ),
    erratum(
        id="FIBA-4",
        place="Figure 10, queryRec, l.20",
        printed="Between two entries of a node, there is a child to look at when i + 1 < arity - 2.",
        holds="When i + 1 < arity - 1, that is, i + 1 <= arity - 2: the last entry but one has a child behind it too.",
        searches=against(
            _explore, SHARED_WRONG.get("a range leaves out the child before the last [l.20 as supplied]"), None
        ),
    ),
    erratum(
        id="FIBA-5",
        place="Figure 10, queryRec, l.11 and l.13, as supplied",
        printed="getTime and getChild are called without an index.",
        holds="With index 0: the first time, and the child before it.",
        searches=against(_explore, NO_INDEX, None),
    ),
    erratum(
        id="FIBA-6",
        place="Theorem 4.2, d_from, d_to and n_sub",
        printed="The distance of entry i of n is min(i, n - i), the size of the subwindow is i_to - i_from.",
        holds="With entries counted from 1: min(i - 1, n - i), and i_to - i_from + 1; and each logarithm is of one "
        "more.",
        searches=(
            partial(_distances, lambda i: i, lambda i_from, i_to: i_to - i_from),
            partial(_distances, lambda i: i - 1, lambda i_from, i_to: i_to - i_from + 1),
        ),
    ),
    erratum(
        id="FIBA-7",
        place="Figures 7 and 8, indentation lost, as supplied",
        printed="Any nesting that the lines as supplied allow.",
        holds="Only the reading of the reference; l.46 alone may stand outside its if, where it costs repairs and "
        "breaks nothing.",
        searches=(_other_readings, _reading_taken),
    ),
    erratum(
        id="FIBA-8",
        place="section 3.2 (iii) and appendix B, proof of Theorem 3.4",
        printed="An aggregate changes only if its node is on the search path or involved in rebalancing.",
        holds="When rebalancing reaches the root, the rest of a spine changes with it: nodes that were neither. They "
        "are on each spine no more than the levels that rebalancing climbed, so the bound on repairs stands.",
        searches=against(_changed_elsewhere, lambda tree, elsewhere: not elsewhere, _only_on_spines),
    ),
)
