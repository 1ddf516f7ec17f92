"""Runs of whole operations over trees of any height, with each method under its contract.

A method that has a loop or climbs is run by itself: its preconditions and postconditions are in
`proofs/lemmas/rebalancing_loops.py`.  `insert` and `evict` run with these methods replaced by their contracts: the
preconditions are shown, the postconditions assumed.  `touched` shows that a changed entry leaves the precondition of
rebalancing.

The walks of these methods, to an entry, to a leaf or up, have their own runs (swagproof.proofs.trees.whole.walk_runs),
and are replaced here by their contracts.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from swagproof.contracts.clause import Loops
from swagproof.contracts.trees import whole_operations
from swagproof.contracts.trees.coins import Table, coins
from swagproof.contracts.trees.walks import place_of_time
from swagproof.proofs.engine.obligation import COST, Obligation
from swagproof.proofs.engine.paths import Exploration, Path, Unsupported, explore, settle
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import SymbolicBool, term
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.lemmas import rebalancing_loops as contract
from swagproof.proofs.lemmas import walk_loops as tree_walks
from swagproof.proofs.trees.entries import VALUE, Change, Combined, place_of
from swagproof.proofs.trees.runnable import StandIn, make_runnable
from swagproof.proofs.trees.whole.substitutes import ToRepair
from swagproof.proofs.trees.whole.tree_loops import TreeRun
from swagproof.proofs.trees.whole.zipper import ZipperNode, ZipperRun, ZipperTree
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

ELSEWHERE: Final = frozenset({"__init__", "nodes", "size", "oldest", "youngest", "query_rec"})
"""Methods of a tree that no run here calls, or calls only by contract."""


def _list_methods(tree: type[Any]) -> tuple[str, ...]:
    """Return the methods of a tree and of its nodes that are run, for which no stand-in has a contract."""
    members = chain(inspect.getmembers(tree), inspect.getmembers(tree.Node))
    own = {name for name, member in members if inspect.isfunction(member) or isinstance(member, property)}
    return tuple(sorted(own - vars(ZipperNode).keys() - vars(ZipperTree).keys() - ELSEWHERE))


GIVEN: Final[dict[type[Any], contract.TreeClauses]] = {Fiba: contract.FIBA, BTree: contract.B_TREE}
LOOPS: Final[dict[type[Any], Loops]] = {
    Fiba: {**contract.FIBA.loops, **tree_walks.SEARCH, **tree_walks.ABOVE, **tree_walks.ENDS},
    BTree: {**contract.B_TREE.loops, **tree_walks.SEARCH_DOWN, **tree_walks.ABOVE, **tree_walks.ENDS},
}
OVER: Final = {
    tree: StandIn(_list_methods(tree), ZipperRun.NAMES, loops, ZipperNode, ZipperTree) for tree, loops in LOOPS.items()
}

# Preconditions and postconditions of methods


def assume_focus(run: ZipperRun, clauses: Any) -> tuple[Any, SymbolicBool, SymbolicBool]:
    """Take a tree around a focus, with the flags, and assume these clauses about them."""
    focus = run.take()
    hits = SymbolicBool(run.truth("hit_left")), SymbolicBool(run.truth("hit_right"))
    run.know(clauses, {"focus": focus, "hit_left": hits[0], "hit_right": hits[1]})
    return focus, *hits


def show_focus(run: ZipperRun, clauses: Any, left: Any, place: str = "") -> None:
    """Show that the tree around a focus is correct except for stale aggregates, and that the clauses hold."""
    focus, hit_left, hit_right = left if run.spines else (left, None, None)
    run.fold_focus(focus)
    run.show_left(clauses, {"focus": focus, "hit_left": hit_left, "hit_right": hit_right}, place)


def assume_flags(run: ZipperRun, focus: Any, clauses: Any) -> None:
    """Assume these clauses, with the initial flags of rebalancing."""
    run.know(clauses, {"focus": focus, "hit_left": focus.left_spine, "hit_right": focus.right_spine})


def show_whole(run: ZipperRun, focus: Any) -> None:
    """Show that the whole tree is correct."""
    run.fold_focus(focus)
    run.show_left((whole_operations.arity, contract.aggregate), {"focus": focus})
    run.claim("not below what is stale", z3.BoolVal(focus.kind != "neither" or not focus.dirty))
    if focus.has_spine(left=True):
        run.claim("the left spine is right", focus.spine_is_right(left=True))
    if focus.has_spine(left=False):
        run.claim("the right spine is right", focus.spine_is_right(left=False))


def rebalance_for_insert(run: ZipperRun) -> None:
    """Run `rebalance_for_insert` from the node to which an entry was added."""
    node = run.take()
    assume_flags(run, node, run.given.inserted)
    show_focus(run, run.given.done, run.tree.rebalance_for_insert(node), place="left")


def rebalance_for_evict(run: ZipperRun, *, substitutes: bool = False) -> None:
    """Run `rebalance_for_evict` from the leaf from which an entry was removed.

    If it substitutes one of an inner node, the leaf is below that node, which is to be repaired.
    """
    to_repair = take_to_repair(run) if substitutes else None
    node = run.take(*(run.kinds[:-1] if substitutes else run.kinds))
    run.path.assume(node.height == 0)
    assume_flags(run, node, run.given.evicted)
    arguments = (node, to_repair) if run.spines else (node,)
    show_focus(run, run.given.done, run.tree.rebalance_for_evict(*arguments), place="left")
    if to_repair is not None:
        run.claim("no entry of to_repair changes", z3.BoolVal(not to_repair.changed))


def take_to_repair(run: ZipperRun) -> ToRepair:
    """Return an inner node from which an entry is evicted."""
    run.substituting = True
    if run.spines:
        run.to_repair = run.path.fresh("height of to_repair")
        run.path.assume(run.to_repair >= 1)
    return ToRepair(run)


def evict_inner(run: ZipperRun) -> None:
    """Run `evict_inner` for an entry of an inner node, in a correct tree."""
    node = take_to_repair(run)
    if not run.spines:  # the result is the touched leaf, with the substitute in its place
        leaf = run.tree.evict_inner(node, node.idx)
        show_removed(run, leaf)
        show_substituted(run, leaf, node)
        show_focus(run, run.given.evicted, leaf)
        return
    top, *hits = run.tree.evict_inner(node, node.idx)
    run.claim("all that the substitute made stale is repaired", z3.Or(run.to_repair == -1, top.height >= run.to_repair))
    run.to_repair = None
    show_focus(run, run.given.done, (top, *hits), place="left")


# Changes of entries; `touched` shows that they leave the precondition of rebalancing


def show_added(run: ZipperRun, node: Any) -> None:
    """Show that the operation's entry is in the node: its time inserted, or its value behind the value at its time."""
    times, values = node.changed.get("times"), node.changed.get("values")
    run.claim("times and values are of the same entries", run.is_paired(node))
    run.claim("an entry was added, to this node", z3.BoolVal(node is run.focus and values is not None))
    if times is None:
        run.claim("what is given is combined with what was there", z3.BoolVal(isinstance(values.item, Combined)))
        number, held = node.number(values.place), values.item.held
        same = z3.And(2 * number == run.time.at, held.lo == number, held.hi == number + 1)
        run.claim("the entry at its time", same)
    else:
        given = times.how == "insert" and times.item is run.time and values.item is VALUE
        run.claim("what is given is inserted", z3.BoolVal(given))
        number, t = node.lo + times.place, run.time.at
        before, behind = z3.Or(number == 0, 2 * (number - 1) < t), z3.Or(number == run.n - 1, t < 2 * number)
        run.claim("entries are in the order of time", z3.And(before, behind))
    node.dirty, node.told = True, dict(node.changed)


def show_removed(run: ZipperRun, leaf: Any) -> None:
    """Show that an entry of the leaf was removed."""
    times = leaf.changed.get("times")
    run.claim("times and values are of the same entries", run.is_paired(leaf))
    taken = leaf is run.focus and times is not None and times.how == "remove"
    run.claim("an entry was taken from this leaf", z3.BoolVal(taken))
    leaf.dirty, leaf.told = True, dict(leaf.changed)


def show_substituted(run: ZipperRun, leaf: Any, node: ToRepair) -> None:
    """Show that the entry taken from the leaf replaces the entry next to it."""
    times, values = (node.changed.get(which, Change("remove", z3.IntVal(0))) for which in ("times", "values"))
    run.claim("the substitute is in its place", z3.BoolVal(times.how == values.how == "set"))
    number = leaf.lo + leaf.changed["times"].place
    run.claim("the substitute is next to the entry", z3.Or(number == node.evicted - 1, number == node.evicted + 1))
    run.claim("the substitute is in its place", z3.And(
        times.place == node.idx.term, values.place == node.idx.term, times.item.at == 2 * number,
        values.item.lo == number, values.item.hi == number + 1,
    ))  # fmt: skip


def repair(run: ZipperRun) -> None:
    """Show that repair_aggs turns the result of rebalancing into a correct tree."""
    top, hit_left, hit_right = assume_focus(run, run.given.done)
    height, level = run.start
    run.path.assume(z3.And(height == top.height, level == top.level))
    below = top.kind == "neither"
    run.tree.repair_aggs(*((top, hit_left, hit_right) if run.spines else (top,)))
    show_whole(run, run.focus)
    most = level - height if not run.spines else 2 * level - height if below else 1 + 2 * height
    run.path.show(Obligation("an aggregate on each level up, and on each down", COST), run.repairs <= most)


def insert(run: ZipperRun) -> None:
    """Run `insert` from a correct tree to a correct tree."""
    run.tree.insert(run.time, VALUE)
    run.claim("the tree is repaired", z3.BoolVal(run.stage == "repaired" and run.is_unwritten()))


def evict(run: ZipperRun) -> None:
    """Run `evict` from a correct tree to a correct tree."""
    run.tree.evict(run.time)
    if run.stage != "asked":
        run.claim("the tree is repaired", z3.BoolVal(run.stage == "repaired" and run.is_unwritten()))
        return
    number = run.path.fresh("any entry")
    run.claim("an evict of nothing changes nothing", z3.BoolVal(run.is_unwritten()))
    there = z3.And(0 <= number, number < run.n, 2 * number == run.time.at)
    run.claim("what is not found is not there", z3.Not(there))


def take_fingers(run: ZipperRun) -> None:
    """Take the fingers' leaves, or a root that is a leaf; in a tree without fingers, take the root."""
    if run.spines:
        left = run.take_clean("left spine", "the root", name="left finger")
        right = left if left.on_top else run.take_clean("right spine", name="right finger")
        run.path.assume(z3.And(left.height == 0, right.height == 0))
        if not left.on_top:
            run.take_clean("the root", name="root", height=run.levels)
        run.tree.left_finger, run.tree.right_finger = left, right
    else:
        run.take_clean("the root", name="root")
    run.tree_made_with = dict(vars(run.tree))


def query(run: ZipperRun) -> None:
    """Show that in a correct tree query is the product of the window, in at most two combine calls."""
    take_fingers(run)
    held = [(vars(node), dict(vars(node))) for node in run.seen]
    product = run.tree.query()
    whole = z3.And(product.lo == 0, product.hi == run.n)
    run.claim("the product of the window", z3.Or(whole, z3.And(product.empty, run.n == 0)))
    most = 2 if run.spines else 0
    run.claim("at most two combine calls, none without spines", z3.BoolVal(run.monoid.calls <= most))
    same = all(now[name] is was.get(name) for now, was in held for name in now)
    run.claim("a query changes nothing", z3.BoolVal(same and run.is_unwritten()))


def ask(run: ZipperRun) -> None:
    """Show that in a correct tree the time is compared with one of the root's, or with itself, and nothing changes."""
    root = run.take_clean("the root", name="root")
    run.tree.require_time(run.time)
    asked = [(one is run.time, place_of(other)) for one, other in run.compared]
    own = z3.Or(root.degree == 1, *(at == 2 * root.number(z3.IntVal(0)) for given, at in asked if given))
    run.claim("the time is compared", z3.And(z3.BoolVal(any(given for given, _ in asked)), own))
    run.claim("to ask changes nothing", z3.BoolVal(run.is_unwritten()))


def touched(run: ZipperRun, *, renumbers: bool = True) -> None:
    """Show that one changed entry in a correct tree leaves the precondition of rebalancing.

    By induction up from the change: x has it below, p is the parent, and the aggregates that p adds to Ctx(x) keep
    their products.  An aggregate keeps its product if it has none of the changed entries.  These are one at `least`,
    which is inserted between others, removed or combined; or one and its neighbour, in a leaf below x, which takes its
    place.  With the new numbers of entries, that product is the required one: ends and begins behind x, and E and B,
    are moved, as `ZipperRun.renumber` does.  A control leaves them unchanged (`renumbers`).
    """
    assume = run.path.assume
    x = run.take(dirty=False)
    how = run.choose("change", "inserted", "removed", "the next takes its place", "the previous takes its place")
    least, most = run.path.fresh("least"), run.path.fresh("most")
    substituted = how.endswith("place")

    def changes(lo: Any, hi: Any) -> Truth:
        """Return whether a product of these entries has a changed one."""
        return z3.And(lo < least, least < hi) if how == "inserted" else z3.And(lo <= most, least < hi)

    by = 0 if not renumbers else 1 if how == "inserted" else -1
    behind = most if how == "inserted" else most + 1  # from here on entries have new numbers

    def keeps(lo: Any, hi: Any, new_lo: Any, new_hi: Any) -> Truth:
        """Return the condition that a product has no changed entry, and has the same entries, with new numbers."""
        moved = z3.If(lo >= behind, 1 if how == "inserted" else -1, 0)
        same = z3.And(new_lo == lo + moved, new_hi == hi + moved)
        return z3.And(z3.Not(changes(lo, hi)), z3.Or(same, z3.And(lo == hi, new_lo == new_hi)))

    def end(b: Any) -> Any:
        """Return the new end of a child that ends at b."""
        return z3.If(x.hi <= b, b + by, b)

    def begin(b: Any) -> Any:
        """Return the new begin of a child that begins at b."""
        return z3.If(x.lo < b, b + by, b)

    own = how != "inserted" and run.choose("it is an entry of x", True, False)
    assume(z3.And(run.has_arity(x), x.is_right(), least <= most, most == (least + 1 if substituted else least)))
    if how == "inserted":
        assume(z3.And(x.lo <= least, least <= x.hi))
    elif how == "removed":
        assume(z3.And(x.lo <= least, least < x.hi))
        if own:  # one of x's own entries, so not one below a child at either end
            assume(z3.Or(x.height == 0, z3.And(least >= x.first_end, least < x.last_begin)))
    elif own:  # x is the child that gives up the other entry, and its parent is the node that receives it
        assume(z3.And((x.lo == most) if "next" in how else (x.hi == most), x.lo < x.hi))
    else:
        assume(z3.And(x.lo <= least, most < x.hi))
    E, B = run.inner_ends(x)
    oldest, youngest = run.path.fresh("lo"), run.path.fresh("hi")  # the numbers of any node on the left or right spine
    assume(z3.And(0 <= oldest, oldest <= E, B <= youngest, youngest <= run.n))
    left, right = (oldest, E, end(oldest), end(E)), (B, youngest, begin(B), begin(youngest))
    if x.on_top:
        if own and how == "removed":
            run.claim("the left spine below the root", z3.Or(x.height == 0, z3.Not(changes(*left[:2]))))
            run.claim("the right spine below the root", z3.Or(x.height == 0, z3.Not(changes(*right[:2]))))
        else:
            run.claim("the root", z3.BoolVal(True))
        return
    p = x.parent
    lo, hi = run.path.fresh("lo"), run.path.fresh("hi")
    assume(z3.And(p.is_right(), lo < hi, z3.Or(hi < x.lo, x.hi < lo)))
    moved = z3.If(x.hi < lo, by, 0)
    run.claim("a child beside x", keeps(lo, hi, lo + moved, hi + moved))
    if x.kind != "neither" and not (own and substituted):
        asked = {
            "the root": (end(E), begin(B)),
            "left spine": (end(p.end_of_first), end(E)),
            "right spine": (begin(B), begin(p.begin_of_last)),
        }[p.kind]
        run.claim("the parent, on a spine or the root", keeps(p.agg.lo, p.agg.hi, *asked))
    if run.spines and p.on_top and x.kind != "left spine":
        run.claim("the left spine", keeps(*left))
    if run.spines and p.on_top and x.kind != "right spine":
        run.claim("the right spine", keeps(*right))


# Methods replaced by their contracts


def find(run: ZipperRun, t: Any) -> Any:
    """Return, by the contract of a search, the node that has the operation's time, or the leaf where it belongs."""
    node = run.take_clean(name="found")
    run.know((place_of_time,), {"node": node, "t": t})
    node.find_time()
    return node


class ByContract:
    """Contracts of the methods that operations call; each method is run by itself."""

    run: ZipperRun

    def require_time(self, t: Any) -> None:
        """Require the operation's time before anything has changed."""
        self.run.claim("the time that was asked for", z3.BoolVal(t is self.run.time))
        self.run.claim("nothing is written before the time is found", z3.BoolVal(self.run.is_unwritten()))
        self.run.stage = "asked"

    def search_node(self, t: Any) -> Any:
        """Return the node that has the time, or the leaf where it belongs."""
        run = self.run
        run.claim("the time that was asked for", z3.BoolVal(t is run.time and run.stage == "asked"))
        run.claim("nothing is written before the time is found", z3.BoolVal(run.is_unwritten()))
        return find(run, t)

    def rebalance_for_insert(self, node: Any) -> Any:
        """Rebalance from the node to which an entry was added."""
        show_added(self.run, node)
        return self.rebalance(node, self.run.given.inserted)

    def rebalance_for_evict(self, node: Any, *to_repair: Any) -> Any:
        """Rebalance from the leaf from which an entry was removed."""
        run, repaired = self.run, self.run.substituting and self.run.spines
        show_removed(run, node)
        known = all(isinstance(one, ToRepair) if repaired else one is None for one in to_repair)
        run.claim("to_repair is the node with a substitute", z3.BoolVal(known and len(to_repair) == run.spines))
        if repaired:
            show_substituted(run, node, to_repair[0])
        elif run.stage != "substituted":
            taken = 2 * (node.lo + node.changed["times"].place) == run.time.at
            run.claim("the entry at the time given is taken", taken)
        return self.rebalance(node, run.given.evicted)

    def rebalance(self, node: Any, clauses: Any) -> Any:
        """Show the precondition of rebalancing, and return its result."""
        run = self.run
        show_focus(run, clauses, (node, node.left_spine, node.right_spine) if run.spines else node)
        return self.leave_rebalanced()

    def leave_rebalanced(self) -> Any:
        """Return a tree around a top that meets the postcondition of rebalancing."""
        run = self.run
        run.restart()
        run.stage = "rebalanced"
        left = assume_focus(run, run.given.done)
        return left if run.spines else left[0]

    def repair_aggs(self, *top: Any) -> None:
        """Repair a rebalanced tree."""
        self.run.claim("rebalanced, and not repaired yet", z3.BoolVal(self.run.stage == "rebalanced"))
        show_focus(self.run, self.run.given.done, top if self.run.spines else top[0])
        self.run.stage = "repaired"
        self.run.note_written()


class NodeByContract:
    """Contracts of the nodes' methods that operations call."""

    run: ZipperRun
    height: Integer

    def is_descendent(self, node: Any) -> bool:
        """Compare the heights of `to_repair` and of a node on the way from the leaf up."""
        if not isinstance(node, ToRepair):
            raise Unsupported("is_descendent of a node that is not to_repair")
        return settle(self.height <= self.run.to_repair)


class InnerByContract(ByContract):
    """Contracts of the methods that `insert` and `evict` call."""

    def evict_inner(self, node: Any, idx: Any) -> Any:
        """Evict an entry of an inner node."""
        run = self.run
        run.claim("an entry of an inner node", z3.And(node.height > 0, z3.BoolVal(node is run.focus)))
        run.claim("nothing is written before", z3.BoolVal(run.is_unwritten()))
        there = z3.And(0 <= term(idx), term(idx) < node.degree - 1, 2 * node.number(term(idx)) == run.time.at)
        run.claim("the entry at the time given is taken", there)
        if run.spines:
            return self.leave_rebalanced()
        run.restart()
        run.stage = "substituted"
        leaf = run.take()
        run.path.assume(leaf.height == 0)
        assume_flags(run, leaf, run.given.evicted)
        change = Change("remove", run.path.fresh("place"))
        leaf.changed = {"times": change, "values": change}
        return leaf


_RUNS: Final[dict[str, tuple[Callable[[ZipperRun], None], *tuple[type[Any], ...]]]] = {
    "ask": (ask,),
    "touched": (touched,),
    "rebalance for insert": (rebalance_for_insert,),
    "rebalance for evict": (rebalance_for_evict,),
    "rebalance with a substitute": (partial(rebalance_for_evict, substitutes=True),),
    "evict inner": (evict_inner, ByContract),
    "repair": (repair,),
    "insert": (insert, InnerByContract),
    "evict": (evict, InnerByContract),
    "query": (query,),
}
OPERATIONS: Final = tuple(_RUNS)


def explore_operation(
    operation: str,
    mutant: Mutant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
    algorithm: type[Any] = Fiba,
    table: Table = coins,
) -> Exploration:
    """Explore a method or an operation, along every path.  Raises ValueError if the mutant's old text is missing."""
    method, *contracts = _RUNS[operation]
    return explore_method(method, contracts, (NodeByContract,), mutant, enough, algorithm, table)


def explore_method(
    method: Callable[[TreeRun], None],
    of_tree: Sequence[type[Any]] = (),
    of_nodes: Sequence[type[Any]] = (),
    mutant: Mutant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
    algorithm: type[Any] = Fiba,
    table: Table = coins,
) -> Exploration:
    """Explore a method, with the methods in `of_tree` and `of_nodes` replaced by their contracts."""
    made = make_runnable(algorithm, mutant, OVER[algorithm]).algorithm  # type: ignore[arg-type]  # a class is hashable
    nodes = type(made.Node.__name__, (*of_nodes, made.Node), {})
    tree = type(made.__name__, (*of_tree, made), {"Node": nodes})
    cuts: dict[Any, list[bool]] = {}

    def run(path: Path) -> None:
        this = TreeRun(path, tree, GIVEN[algorithm], LOOPS[algorithm], spines=algorithm is Fiba, cuts=cuts, table=table)
        with this.guard():
            method(this)

    return explore(run, enough)
