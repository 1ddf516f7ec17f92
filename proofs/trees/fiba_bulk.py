"""Bulk eviction and bulk insertion of FiBA: exhaustively right, and what they save.

From every shape that single and bulk operations reach, every cut, and bulk inserts into one place, two places and all
places.  At each new shape every clause of the contract is checked; and each tree that comes out must equal, node by
node, the tree of its shape with the entries that the loop over single operations leaves.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from swagproof.contracts.trees import fiba_bulk as contract
from swagproof.contracts.trees.augmented_tree import contents
from swagproof.models.monoid import A
from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.space import Place, Space
from swagproof.proofs.explorer.walk import Counts, first_violation, walk
from swagproof.proofs.ledger.claim import OURS, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.variants import Variant, WrongVariants
from swagproof.proofs.trees.runs import (
    EMPTY,
    Bounds,
    Shape,
    Step,
    counted,
    entries,
    grown,
    scope,
    shape_of,
    summing,
    take,
    within_bounds,
)
from swagproof.proofs.trees.runs import explore as explore_shapes
from swagproof.reference.catalogue import FIBA_BULK
from swagproof.reference.costs import levels
from swagproof.reference.trees.fiba import Fiba
from swagproof.reference.trees.fiba_bulk import BulkFiba


@dataclass(frozen=True)
class Bulk:
    """An operation on n entries at times 2, 4, ..., 2n: an evict, a bulk evict, or a bulk insert at some times."""

    operation: str
    times: tuple[float, ...]

    def on(self, window: Any, n: int) -> None:
        """Take it at once."""
        if self.operation == "bulk_insert":
            window.bulk_insert(self.pairs(n))
        else:
            getattr(window, self.operation)(*self.times)

    def one_by_one(self, window: Any, n: int) -> None:
        """The loop over single operations that says what it means."""
        if self.operation == "bulk_insert":
            for t, v in self.pairs(n):
                window.insert(t, v)
        else:
            first = self.times[0] if self.operation == "evict" else 0.0
            for t in range(2, 2 * n + 1, 2):
                if first <= t <= self.times[0]:
                    window.evict(t)

    def pairs(self, n: int) -> list[tuple[float, str]]:
        """The times with the letters that follow those of n entries."""
        return list(zip(self.times, LETTERS[n:], strict=False))

    def __str__(self) -> str:
        return f"{self.operation}({', '.join(f'{t:g}' for t in self.times)})"


def bulks(n: int, limit: int) -> Iterator[Bulk]:
    """The operations tried on n entries, with up to `limit` after: evicts and cuts at every entry and in every gap;
    inserts of any number into one gap, into any two places, and into all.
    """
    gaps, present = [float(t) for t in range(1, 2 * n + 2, 2)], [float(t) for t in range(2, 2 * n + 1, 2)]
    places, room = sorted(gaps + present), limit - n
    yield from (Bulk("evict", (t,)) for t in present)
    yield from (Bulk("bulk_evict", (t,)) for t in (0.0, *places, 2.0 * n + 2))
    yield Bulk("bulk_insert", ())
    yield from (Bulk("bulk_insert", tuple(gap + i / 64 for i in range(k))) for gap in gaps for k in range(1, room + 1))
    for i, first in enumerate(places):
        for second in places[i:]:
            if len({first, second}.intersection(gaps)) <= room:
                yield Bulk("bulk_insert", (first, second))
    if len(gaps) <= room:
        yield Bulk("bulk_insert", tuple(places))
    yield Bulk("bulk_insert", tuple(sorted(present * 2)))


def _differs(tree: Any, min_arity: int) -> str | None:
    """In what a tree differs from the one of its shape with the entries of its model."""
    if not contents(tree):
        return "contents"
    values = tree.model.values
    same = grown(Fiba(CONCATENATION, min_arity), shape_of(tree.root), lambda k: values[k - 1])
    nodes, others = list(tree.nodes()), list(same.nodes())
    place, other_place = ({node: i for i, node in enumerate(found)} for found in (nodes, others))
    for node, other in zip(nodes, others, strict=True):
        if place.get(node.parent) != other_place.get(other.parent):
            return "parents"
        for name in ("agg", "left_spine", "right_spine"):
            if getattr(node, name) != getattr(other, name):
                return f"{name} is {getattr(node, name)!r}, not {getattr(other, name)!r}"
    for name in ("left_finger", "right_finger"):
        if place.get(getattr(tree, name)) != other_place[getattr(same, name)]:
            return f"{name} is elsewhere"
    return None


def _window_of(n: int) -> OutOfOrderWindow[str]:
    """The window by definition, of n entries at times 2, 4, ..., 2n."""
    window: OutOfOrderWindow[str] = OutOfOrderWindow(CONCATENATION)
    window.times, window.values = list(range(2, 2 * n + 1, 2)), list(LETTERS[:n])
    return window


@dataclass(frozen=True)
class BulkStates(Space[Bulk]):
    """Every shape with at most `limit` entries that single and bulk operations reach; from each those of `bulks`."""

    made: type[Any]
    min_arity: int
    limit: int

    @cached_property
    def computed(self) -> list[Any]:
        """The nodes whose aggregates an operation has computed, one counter for all trees."""
        return []

    @cached_property
    def _watched(self) -> type[Any]:
        made, computed = self.made, self.computed

        def local_repair_agg(self: Any) -> None:
            computed.append(self)
            made.Node.local_repair_agg(self)

        node = type("FingerNode", (made.Node,), {"__slots__": (), "local_repair_agg": local_repair_agg})
        return type(made.__name__, (made,), {"Node": node})

    def starts(self) -> Iterator[Place[Bulk]]:
        yield self.thaw(EMPTY, ())

    def choices(self, place: Place[Bulk]) -> Iterator[Bulk]:
        return bulks(place.model.size, self.limit)

    def take(self, place: Place[Bulk], step: Bulk, before: Place[Bulk]) -> None:
        tree, n, computed = place.subject, before.model.size, self.computed
        step.one_by_one(place.model, n)
        computed.clear()
        try:
            step.on(tree, n)
        except Exception as error:
            raise self.violation(place, f"raised {type(error).__name__}: {error}") from error
        once = step.operation == "evict" or len(computed) == len(set(computed))
        self.require(place, "an aggregate is computed twice", once)
        differs = _differs(tree, self.min_arity)
        if differs:
            self.check(place)
            raise self.violation(place, differs)

    def check(self, place: Place[Bulk]) -> None:
        for clause in contract.INVARIANT:
            self.require(place, clause.__name__, clause(place.subject))

    def state(self, place: Place[Bulk]) -> Shape:
        return shape_of(place.subject.root)

    def freeze(self, place: Place[Bulk]) -> Shape:
        return self.state(place)

    def thaw(self, frozen: Shape, steps: tuple[Bulk, ...]) -> Place[Bulk]:
        tree = grown(self._watched(CONCATENATION, self.min_arity), frozen, lambda k: LETTERS[k - 1])
        tree.model = _window_of(entries(frozen))
        return Place(tree, tree.model, steps)


def explore(made: type[Any], min_arity: int, limit: int) -> Counts:
    """Every operation of `bulks` from every shape reached, the empty one first.  Raises Violation."""
    return walk(BulkStates(made, min_arity, limit))


# Cost


def cuts(made: type[Any], min_arity: int, limit: int) -> Counts:
    """Every cut of every shape: how many aggregates a bulk evict of m entries computes.  Raises Violation."""
    made, seen = counted(made), set[Shape]()

    def watch(tree: Any, step: Step, t: int) -> str | None:
        shape = shape_of(tree.root)
        for m in range(1, entries(shape) + 1 if shape not in seen else 0):
            live = grown(made(summing(), min_arity), shape)
            tally = live.monoid
            tally.clear()
            live.bulk_evict(2 * m)
            most = 2 * levels(m, min_arity) + 1 + 3 * tally.steps
            if tally.repairs > most:
                return f"{tally.repairs} aggregates in a bulk evict of {m} entries, not at most {most},"
        seen.add(shape)
        take(tree, step, t)
        return None

    return explore_shapes(lambda: Fiba(summing(), min_arity), limit, watch)


class Looped(BulkFiba[A]):
    """FiBA whose bulk evict is the loop over single evicts."""

    def bulk_evict(self, t: Any) -> None:
        """Evict the oldest until it is younger."""
        while self.root.arity > 1 and not t < self.left_finger.get_time(0):
            self.evict(self.left_finger.get_time(0))


# Wrong variants

WRONG: Final = WrongVariants(FIBA_BULK)
"""Each is killed by the exploration."""
WRONG.read(
    r"""
    a bulk evict keeps the entry at t itself
        cut: gone = i + found -> gone = i
    the climb ends at the left finger
        bulk_evict: while not top.is_root() and not t < top.parent.get_time(0): -> while False:
    the climb stops below an entry at t itself
        bulk_evict: not t < top.parent.get_time(0) -> top.parent.get_time(0) < t
    a cut leaves the children
        cut: , node.children[:gone] ->
        cut: node.times[:gone],\s -> node.times[:gone],\s
    the left finger stays on the leaf that is gone
        extend_left_spine: self.left_finger = node -> pass
    the path is not marked as left spine
        extend_left_spine: node.left_spine = True -> pass
    an empty root stays
        bulk_evict: while self.root.arity == 1 and not self.root.is_leaf(): -> while False:
    a mended node has no child to spare for the level below
        bulk_evict: if node is path[-1] else self.min_arity + 1 -> if True else 0
    the last node of the path is not mended
        bulk_evict: for node in path: -> for node in path[:-1]:
    an underflow above the path stays
        bulk_evict: if above is not None and above.arity < self.min_arity: -> if False:
    a merge makes a node too large
        mend: <= self.max_arity -> <= self.max_arity + 1
    mending moves one child only
        mend: while node.arity < least: -> if node.arity < least:
    the next search does not leave the leaf
        search_on: while not node.is_root(): -> while False:
    the next search stops below a separator at t itself
        search_on: t < node.parent -> t <= node.parent
    a bulk insert combines new with old
        put: node.values[i], v) -> v, node.values[i])
    a bulk insert splits no node
        bulk_insert: self.rebalance_for_insert(node) -> pass
    repairs stop at the changed nodes
        repair_changed: levels.setdefault(level + 1, {})[node.parent] = None -> pass
    repairs of a spine begin at the lowest changed node
        repair_changed: spines["root" if -> spines.setdefault("root" if
        repair_changed: "right"] = node -> "right", node)
    the root is not repaired
        repair_changed: if "root" in spines: -> if "nothing" in spines:
    a height decrease is not noted
        height_decrease: if self.put_off is not None: -> if False:
    what was put off waits on
        repair_changed: if "root" in spines: -> self.put_off = {}\n    if "root" in spines:
    aggregates are not put off (hidden: only the number of combine calls changes)
        repair_up:     if self.put_off is None:\n        Fiba.repair_up(self, *nodes)\n    else:
         ->     Fiba.repair_up(self, *nodes)\n    if self.put_off is not None:
    """
)


def refute(variant: Variant) -> Outcome:
    """The shortest operations on which the exploration refutes a wrong variant: of mu = 2 first, then of mu = 3."""
    made = variant.of(BulkFiba)
    for mu in (2, 3):
        violation = first_violation(BulkStates(made, mu, 10))
        if violation:
            return Outcome("fails", f"mu = {mu}: {violation}")
    return Outcome("holds", "not refuted")


# Claims

BOUNDS: Final = ((2, 10, (113, 15419)), (3, 10, (31, 4133)))
"""(mu, most entries, shapes and operations)."""
CUT_BOUNDS: Final = ((2, 10, (113, 3539)), (3, 10, (31, 882)))
DEEP: Final = ((2, 12, (295, 58543)),)


def explored(what: Callable[[type[Any], int, int], Counts], made: type[Any], bounds: Bounds) -> Outcome:
    """Explore within each bound."""
    return within_bounds(bounds, partial(what, made))


claim: Final = partial(
    Claim, source=cite(OURS), algorithm="FiBA, bulk", kind="exhaustive", engine="explorer", code=code_of(BulkFiba)
)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="fiba-bulk/explored",
        statement="Bulk evict and bulk insert do to the window what the loop over single operations does, keep every "
        "invariant of FiBA, and compute no aggregate twice.",
        scope=f"{scope(BOUNDS)}; every cut; inserts of any number into one gap, into any two places, into all",
        check=partial(explored, explore, BulkFiba, BOUNDS),
        controls=WRONG.pick(
            "a bulk evict keeps the entry at t itself",
            "a mended node has no child to spare for the level below",
            "a height decrease is not noted",
            "the next search stops below a separator at t itself",
            "repairs stop at the changed nodes",
            "what was put off waits on",
            "aggregates are not put off",
        ),
        reject=refute,
        not_covered="larger trees. Missing for every size: that mending a cut path from the top down leaves each of "
        "its nodes a sibling, and that repairing the changed nodes level by level leaves no aggregate stale: the path "
        "is a list of nodes, the changed ones a dictionary, and the proofs of fiba/proved-insert and -evict know one "
        "node in focus. fiba-bulk/long-runs is what stands instead",
        deep=Deep(scope(DEEP), partial(explored, explore, BulkFiba, DEEP)),
    ),
    claim(
        id="fiba-bulk/cost",
        statement="A bulk evict of m entries computes at most 2 floor(log_mu(m+1)) + 1 + 3 s aggregates, where s is "
        "the number of its steps of rebalancing.",
        scope=f"{scope(CUT_BOUNDS)}; every cut",
        check=partial(explored, cuts, BulkFiba, CUT_BOUNDS),
        controls=(Control("the loop over single evicts", partial(explored, cuts, Looped, CUT_BOUNDS)),),
        not_covered="larger trees: the lemma of fiba-bulk/explored is missing; the number of steps, amortised",
    ),
)
