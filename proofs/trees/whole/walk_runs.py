"""Walks in trees of any height that change nothing: to an entry, to a first or last leaf, up to an ancestor.

Each walk is run by itself, from a tree in which all aggregates are correct.  Runs of whole operations replace the walks
by the contracts shown here (swagproof.proofs.trees.whole.zipper_runs).
"""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.contracts.trees import ranges, walks
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.obligation import COST, Obligation
from swagproof.proofs.engine.paths import (
    Exploration,
    Path,
    Unsupported,
    explore,
    settle,
    show,
)
from swagproof.proofs.engine.run import Run, run_of_path
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.source.methods import source_of
from swagproof.proofs.engine.values import Container, Scalar, Segment, SegmentMonoid, SymbolicBool, SymbolicInt
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.lemmas import walk_loops as lemmas
from swagproof.proofs.trees.entries import Moment, in_range
from swagproof.proofs.trees.runnable import StandIn, make_runnable
from swagproof.proofs.trees.step_runs import explore_step
from swagproof.proofs.trees.whole.substitutes import ToRepair
from swagproof.proofs.trees.whole.tree_state import power
from swagproof.proofs.trees.whole.zipper import ZipperRun
from swagproof.proofs.trees.whole.zipper_runs import explore_method, find, take_fingers
from swagproof.reference.trees.augmented_tree import oldest, youngest
from swagproof.reference.trees.fiba import Fiba


def _cost(bound: str) -> Obligation:
    return Obligation(bound, COST)


class SearchByContract:
    """Contracts of the methods that a search calls on its way down."""

    run: ZipperRun

    def search_down(self, node: Any, t: Any) -> None:
        """Check the way down from a node that contains the time if any node does."""
        run = self.run
        run.claim("the time that was asked for", z3.BoolVal(t is run.time))
        run.show_left((walks.between,), {"node": node, "t": t})
        run.claim("a search changes nothing", z3.BoolVal(run.is_unwritten()))
        visits = SymbolicInt(node.height + 1) + run.visits
        if run.spines:
            run.claim(_cost("at most 3 nodes on each level up to the highest"), visits.term <= 3 * (node.height + 1))
            run.show_left((lemmas.far_from_the_ends,), {"left": node, "t": t}, COST)
        else:
            run.claim(_cost("a node on each level"), visits.term == run.levels + 1)
        run.last = run.reached = object()


def search(run: ZipperRun) -> None:
    """Run a search from the fingers, or the root, to any time."""
    take_fingers(run)
    node = run.tree.search_node(run.time)
    run.claim("where the way down has ended", z3.BoolVal(node is not None and node is run.reached))
    run.claim("a search changes nothing", z3.BoolVal(run.is_unwritten()))


def search_down(run: ZipperRun) -> None:
    """Run a search down from any node that contains the time if any node does."""
    node = run.take_clean(name="node")
    run.know((walks.between,), {"node": node, "t": run.time})
    run.tree.search_down(node, run.time)
    run.show_left((walks.place_of_time,), {"node": run.last, "t": run.time})
    run.claim("a search changes nothing", z3.BoolVal(run.is_unwritten()))
    loop: Any = run.cutters["search_down", 0]
    run.claim(_cost("after the first a node on each level"), run.visits.term <= loop.before.term + loop.start.height)


def go_to_end(run: ZipperRun, walk: Callable[[Any], tuple[Any, Any, Any]], last: bool) -> None:
    """Run a walk from any node below another to the first or last leaf below it."""
    start = run.take_clean(*run.kinds[:-1], name="node")
    leaf, t, value = walk(start)
    number = leaf.hi - 1 if last else leaf.lo
    run.claim("a leaf, and no root", z3.And(leaf.height == 0, z3.BoolVal(not leaf.on_top)))
    run.claim("it has the entry at that end", number == (start.hi - 1 if last else start.lo))
    run.claim("its time", t.at == 2 * number)
    run.claim("its value", z3.And(value.lo == number, value.hi == number + 1))
    run.claim("a walk changes nothing", z3.BoolVal(run.is_unwritten()))


def look_above(run: ZipperRun) -> None:
    """Run `is_descendent` for any node and a `to_repair` on the same path to the root, or gone."""
    node, run.to_repair = run.take_clean(name="node"), run.path.fresh("height of to_repair")
    run.path.assume(z3.Or(run.to_repair == -1, z3.And(1 <= run.to_repair, run.to_repair <= run.levels)))
    found = node.is_descendent(ToRepair(run))
    run.claim("it is where its height says", z3.BoolVal(found) == (node.height <= run.to_repair))
    run.claim("a walk changes nothing", z3.BoolVal(run.is_unwritten()))


def measure(run: ZipperRun, *, own: bool = True) -> None:
    """Bound the distance of any entry from the ends by the level of its node, by induction down from the root.

    The bound fails for entries below the node that are not its `own`.
    """
    assume, x = run.path.assume, run.take_clean(name="node")
    assume(z3.And(power(0) == 1, 1 <= power(x.height), power(x.height) <= power(x.height + 1)))
    inner = z3.And(x.first_end - x.lo >= power(x.height) - 1, x.hi - x.last_begin >= power(x.height) - 1)
    assume(z3.Implies(x.height > 0, inner))  # by the lemma `count_sizes`, like the bounds on rows below
    if not x.on_top:
        p = x.parent
        left, right = p.rows
        least = power(p.height) - 1
        assume(z3.Implies(left.count > 0, left.end - left.lo >= least))
        assume(z3.Implies(right.count > 0, right.hi - right.end >= least))
        run.know((lemmas.far_below,), {"node": p})
    run.show_left((lemmas.far_below,), {"node": x}, COST)
    i = run.path.fresh("i")
    assume(z3.And(0 <= i, i < x.degree - 1))
    for outermost in (z3.IntVal(1), x.degree - 1):  # all its entries are between these two
        x.bound(outermost)
    run.show_left((lemmas.far_entry,), {"node": x, "number": SymbolicInt(x.number(i) if own else x.lo)}, COST)


# Range queries


class RangeByContract:
    """Contracts of the methods that a range query calls."""

    run: ZipperRun

    def require_time(self, t: Any) -> None:
        """Record that this time was checked; every time here is valid."""
        self.run.claim("a time is asked about", z3.BoolVal(isinstance(t, Moment)))
        self.run.compared.append((t, t))

    def search_node(self, t: Any) -> Any:
        """Return the node that has the time, or the leaf where it belongs; both ends must have been compared before."""
        asked = [{id(one), id(other)} for one, other in self.run.compared]
        begin, both = {id(self.run.ends[0])}, set(map(id, self.run.ends))
        self.run.claim("both ends of the range compare", z3.BoolVal(begin in asked and both in asked))
        self.run.time = t
        return find(self.run, t)

    def least_common_ancestor(self, node_from: Any, node_to: Any) -> Any:
        """Return a node that has both nodes below it, or is one of them."""
        run, height = self.run, self.run.path.fresh("height")
        run.path.assume(z3.And(height >= node_from.height, height >= node_to.height))
        fits = {"left spine": z3.And(node_from.hi <= run.E, node_to.hi <= run.E),
                "right spine": z3.And(run.B <= node_from.lo, run.B <= node_to.lo)}  # fmt: skip
        top = run.take_clean(name="top", height=height, fits=fits)
        run.know((walks.common_ancestor,), {"node_from": node_from, "node_to": node_to, "answer": top})
        return top

    def query_rec(self, node: Any, t_from: Any, t_to: Any) -> Segment:
        """Return the product of the entries in the range below a node."""
        answer = Segment.unknown(self.run.path, "answer")
        self.run.know((ranges.range_product,), {"node": node, "t_from": t_from, "t_to": t_to, "answer": answer})
        return answer


def range_query(run: ZipperRun) -> None:
    """Run a range query for any range, including one that ends before it begins."""
    run.ends = t_from, t_to = Moment(run.path.fresh("t_from")), Moment(run.path.fresh("t_to"))
    answer = run.tree.range_query(t_from, t_to)
    wanted = in_range(0, SymbolicInt(run.n), t_from, t_to)
    same = z3.And(answer.lo == wanted.lo, answer.hi == wanted.hi)
    run.claim("the product of the range", z3.Or(z3.And(answer.empty, wanted.empty), same))
    run.claim("a range query changes nothing", z3.BoolVal(run.is_unwritten()))


# The least common ancestor: two ways up, whose nodes are known by their heights


class Way(Scalar):
    """A node on the way up from one of two nodes, known by its height; one level above the root it is None.

    The two ways are the same from the least common ancestor up.
    """

    __slots__ = ("height", "second")

    def __init__(self, second: Truth, height: Integer) -> None:
        self.second = second
        self.height = height

    def another(self, path: Path, name: str) -> "Way":
        return Way(z3.Bool(str(path.fresh(name))), path.fresh(name))

    @property
    def parent(self) -> "Way":
        """The parent; None for the root."""
        run = run_of_path()
        run.path.show("None has no parent", self.height <= run.top)
        return Way(self.second, self.height + 1)


class Met(Container):
    """The nodes that the climbs have visited: on each way, the nodes of heights start .. stop - 1."""

    name = "met"

    def __init__(self) -> None:
        self.stops = list(run_of_path().starts)

    def forget(self, path: Path) -> None:
        self.stops = [path.fresh("stop") for _ in self.stops]

    def terms(self) -> list[Any]:
        return list(self.stops)

    def add(self, node: Way) -> None:
        """Add the next node of its way."""
        run_of_path().path.show("nodes are met one after another", node.height == self.stop(node))
        first, second = self.stops
        self.stops = [z3.If(node.second, first, first + 1), z3.If(node.second, second + 1, second)]

    def stop(self, node: Way) -> Integer:
        """Return one more than the height of the last node visited on this node's way."""
        return z3.If(node.second, self.stops[1], self.stops[0])

    def __contains__(self, node: Way) -> bool:
        run, here = run_of_path(), node.height
        own, other = (
            z3.And(z3.If(second, run.starts[1], run.starts[0]) <= here, here < z3.If(second, *reversed(self.stops)))
            for second in (node.second, z3.Not(node.second))
        )
        return settle(z3.Or(own, z3.And(here >= run.least, other)))


def is_same(x: Any, y: Any) -> bool:
    """Return whether x is None; y must be None."""
    if y is not None or not isinstance(x, Way):
        raise Unsupported("`is` between nodes on two ways")
    return settle(x.height == run_of_path().top + 1)


class WaysRun(Run):
    """Two nodes of a tree, and the ways up from them."""

    NAMES: ClassVar[dict[str, Any]] = {"__is__": is_same, "set": Met}

    def __init__(self, path: Path) -> None:
        super().__init__(path, SegmentMonoid(), lemmas.COMMON)
        self.starts = path.fresh("height of node_from"), path.fresh("height of node_to")
        self.least, self.top = path.fresh("height of the least common ancestor"), path.fresh("height of the root")
        path.assume(z3.And(*(z3.And(0 <= start, start <= self.least) for start in self.starts)))
        path.assume(self.least <= self.top)

    def state(self) -> SimpleNamespace:
        return SimpleNamespace(
            least=SymbolicInt(self.least),
            height=lambda node: SymbolicInt(node.height),
            is_all_below=lambda met, node: SymbolicBool(met.stop(node) == node.height),
            are_both=lambda x, y: SymbolicBool(z3.And(x.second != y.second, self.is_on_way(x), self.is_on_way(y))),
            left_of=lambda node: SymbolicInt(self.top + 1 - node.height),
            is_at_end=lambda node: SymbolicInt(z3.If(node.height == self.top + 1, 1, 0)),
        )

    def is_on_way(self, node: Way) -> Truth:
        """Return whether the node is at or above the start of its way, and at most one level above the root."""
        return z3.And(z3.If(node.second, *reversed(self.starts)) <= node.height, node.height <= self.top + 1)


def find_common_ancestor(run: WaysRun, tree: type[Any]) -> None:
    """Run `least_common_ancestor` on any two nodes."""
    nodes = [Way(z3.BoolVal(second), start) for second, start in zip((False, True), run.starts, strict=True)]
    found = object.__new__(tree).least_common_ancestor(*nodes)
    run.path.show("a common ancestor", z3.And(run.least <= found.height, found.height <= run.top))
    run.path.show(_cost("the least"), found.height == run.least)


# Exploration


EXECUTES: Final[dict[str, tuple[str, ...]]] = {
    "search_node": ("search",),
    "search_path": ("search",),
    "search_down": ("search down",),
    "local_search": ("search down",),
    "oldest": ("oldest",),
    "youngest": ("youngest",),
    "is_descendent": ("above",),
    "least_common_ancestor": ("common ancestor",),
    "range_query": ("range",),
    "query_rec": ("recursion",),
}
"""The walks that run each method."""
WALKS: Final = frozenset(walk for walks in EXECUTES.values() for walk in walks)
_OF_TREE: Final[dict[str, tuple[Callable[[Any], None], *tuple[type[Any], ...]]]] = {
    "search": (search, SearchByContract),
    "search down": (search_down,),
    "above": (look_above,),
    "range": (range_query, RangeByContract),
}
_ENDS: Final = {"oldest": oldest, "youngest": youngest}


class Unwritten:
    """A tree to which a walk may not assign."""

    def __setattr__(self, name: str, value: Any) -> None:
        show("a walk changes nothing", z3.BoolVal(False))


CLIMBS: Final = StandIn(("least_common_ancestor",), WaysRun.NAMES, lemmas.COMMON, type("Plain", (), {}), Unwritten)


def explore_walk(
    walk: str,
    mutant: Mutant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
    algorithm: type[Any] = Fiba,
) -> Exploration:
    """Explore a walk, along every path.  Raises ValueError if the mutant's old text is missing."""
    if walk == "common ancestor":
        made = make_runnable(algorithm, mutant, CLIMBS).algorithm  # type: ignore[arg-type]  # a class is hashable

        def run(path: Path) -> None:
            this = WaysRun(path)
            with this.guard():
                find_common_ancestor(this, made)

        return explore(run, enough)
    if walk == "recursion":
        return explore_step(walk, mutant, enough, algorithm)
    if walk in _ENDS:
        function, source = _ENDS[walk], source_of(_ENDS[walk])
        for edit in mutant.edits if mutant else ():
            if source.count(edit.old) != 1:
                raise ValueError(f"{edit.old!r} is not in {walk}, once")
            source = source.replace(edit.old, edit.new)
        method = rewrite(function, ZipperRun.NAMES, source=source).method
        go = partial(go_to_end, walk=method, last=walk == "youngest")
        return explore_method(go, enough=enough, algorithm=algorithm)
    run_walk, *of_tree = _OF_TREE[walk]
    return explore_method(run_walk, of_tree, (), mutant, enough, algorithm)


# Sums


def count_sizes(spare: int = 1) -> Exploration:
    """Show that a node of height h other than the root has at least mu^(h+1) - `spare` entries below it.

    The proof is by induction on height.  A leaf has a - 1 entries.  An inner node has a children, each with at least
    mu^h - spare entries, and an entry between each two; by induction over the children, at least j mu^h entries are
    before child j, including the entry there.
    """
    mu, a, h, j, before, child = z3.Ints("mu a h j before child")

    def run(path: Path) -> None:
        path.assume(z3.And(mu >= 2, mu <= a, h >= 1, 0 <= j, j < a, power(0) == 1, power(h) >= 1))
        path.assume(z3.And(power(1) == mu * power(0), power(h + 1) == mu * power(h)))
        path.show("more on a higher level", power(h) <= power(h + 1))
        path.show("a leaf", a - 1 >= power(1) - spare)
        path.show("before the first child", 0 >= 0 * power(h))
        path.assume(z3.And(before >= j * power(h), child >= power(h) - spare))
        path.show("before the next child", before + child + 1 >= (j + 1) * power(h))
        path.show(
            "below the node", z3.Implies(before + child + 1 >= a * power(h), before + child >= power(h + 1) - spare)
        )

    return explore(run)


def explore_distances(*, own: bool = True) -> Exploration:
    """Explore the distances of entries from the ends, along every path."""
    return explore_method(partial(measure, own=own))


def add_up_repairs(most: int = 3) -> Exploration:
    """Add up the aggregates that an operation computes.

    k is the level of its entry, s the number of its steps, and `up` the number of levels on the substitute's way up.
    The operation computes one for the entry, three for each step, one for a node whose entry is substituted, and one on
    each level up to it.  From a top at height h and level l it computes 2 l - h more if the top is below a spine, else
    2 h + 1.  A step goes up one level at most.
    """
    k, s, up, h, level = z3.Ints("k s up h l")
    below = z3.Bool("below a spine")

    def run(path: Path) -> None:
        path.assume(z3.And(0 <= k, 0 <= s, 0 <= up, up <= k, 0 <= h, h <= z3.If(s < k, k, s), h <= level))
        path.assume(z3.Or(level <= h, level <= k))
        path.assume(z3.Implies(below, h < level))
        last = z3.If(below, 2 * level - h, 2 * h + 1)
        path.show(_cost("aggregates in all"), 1 + 3 * s + 1 + up + last <= 3 * k + 5 * s + most)

    return explore(run)
