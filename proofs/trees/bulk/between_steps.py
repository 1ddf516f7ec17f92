"""A tree of any height between the steps of a bulk operation, in which aggregates wait.

It is the zipper of swagproof.proofs.trees.whole.zipper, and what is known of a node is another thing: not that its
aggregate is right, but that it is *consistent*, that is what localRepairAgg would compute from what is next to it now,
or noted, or on a spine below a noted node of that spine.  Aggregates are not computed here, so whether a node is
consistent can change only with what its aggregate is made of: its entries, which nodes its children are, whether it is
the root or on a spine, and, on a spine, which node its parent is and whether that is the root.  So of each node that a
step changes in one of these it is to be shown that it is noted; of a child on a spine that is not unfolded and gets
another parent, or a parent that was or is the root, that it is noted or stays on that spine below a noted node.

Who is below a noted node stays so: nodes leave a spine where their place on it is taken by one that is noted, or where
they become the root, and then their own outermost children are noted.

While a prefix is evicted (`evicting`), entries keep their numbers, and the tree begins at `low`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from swagproof.contracts.trees.bulk_operations import LOOPS
from swagproof.contracts.trees.walks import Walk
from swagproof.contracts.trees.whole_operations import FIBA
from swagproof.proofs.engine.loops import Changes
from swagproof.proofs.engine.paths import Finished, Path, Unsupported, settle
from swagproof.proofs.engine.run import Cutter
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import SymbolicBool, SymbolicInt, term
from swagproof.proofs.trees.whole.entries import VALUE, Moment
from swagproof.proofs.trees.whole.tree_loops import FocusCutter, TreeRun, WalkCutter
from swagproof.proofs.trees.whole.tree_state import TreeState
from swagproof.proofs.trees.whole.zipper import TRUE, Children, Finger, Kind, ZipperNode, ZipperTree

_ZERO: Final = z3.IntVal(0)


class Outermost:
    """The first or the last child of a node, which is not unfolded, to be noted and for nothing else."""

    __slots__ = ("above", "side")

    def __init__(self, above: "WaitingNode", side: str) -> None:
        self.above = above
        self.side = side


class OutermostChildren(Children):
    """Children, the outermost of which can be noted."""

    node: "WaitingNode"

    def __getitem__(self, part: slice) -> list[Outermost]:
        sides = {(None, 1): "left spine", (-1, None): "right spine"}
        side = sides.get((part.start, part.stop)) if part.step is None else None
        if side is None:
            raise Unsupported("children other than the first or the last")
        return [Outermost(self.node, side)] if self else []


class Noted:
    """The nodes that wait."""

    def __setitem__(self, node: Any, _: None) -> None:
        if isinstance(node, Outermost):
            node.above.noted_below.add(node.side)
        else:
            node.noted = True


class WaitingNode(ZipperNode):
    """A node whose aggregate may wait."""

    run: "WaitingRun"

    def __init__(self, run: "WaitingRun", kind: Kind, height: Integer, depth: Integer) -> None:
        super().__init__(run, kind, height, depth)
        self.changes_children = False
        """True if the node has other children, or is new."""
        self.noted = False
        self.noted_below: set[str] = set()
        """On which spines its outermost child is noted."""
        self.shaken: set[str] = set()
        """On which spines its outermost child may have another parent, or one that has become the root or was it."""
        self.stood = self.where
        """The node's kind when it was taken."""

    @property
    def where(self) -> tuple[bool, bool, bool]:
        """Return whether it is the root, on the left spine, on the right spine."""
        return self.on_top, self.left_spine, self.right_spine

    def is_right(self) -> Truth:
        """Return True: no aggregate is computed, so nothing is known of any."""
        return TRUE

    def spine_is_right(self, *, left: bool) -> Truth:
        """The same."""
        return TRUE

    @property
    def children(self) -> OutermostChildren:
        """z_0 ... z_{a-1}, or none."""
        return OutermostChildren(self)

    def show_noted(self) -> None:
        """It is noted, if what its aggregate is made of has changed, and so is what is below it on a spine."""
        claim = self.run.claim
        changed = self.changes_children or bool(self.changed) or self.where != self.stood
        claim("a node that changes is noted", z3.BoolVal(self.noted or not changed))
        for side in self.shaken:
            below = (self.noted and self.kind == side) or side in self.noted_below
            claim("what is on a spine below another node is noted", z3.Or(self.height == 0, z3.BoolVal(below)))
        claim("no aggregate is computed", z3.BoolVal(self.agg is self.made_with[0]))

    # The inner parts of the steps

    def split_off(self, arity: Any) -> "WaitingNode":
        """As of any node: a child on the right spine is the new sibling's then."""
        sibling: Any = super().split_off(arity)
        self.changes_children = sibling.changes_children = sibling.up.changes_children = True
        self.shaken.discard("right spine")
        if sibling.right_spine:
            sibling.shaken.add("right spine")
        return sibling  # type: ignore[no-any-return]  # of the same class

    def absorb_next(self, i: Any) -> None:
        """As of any node: a child on the right spine is this node's then."""
        super().absorb_next(i)
        assert isinstance(self.up, WaitingNode)
        self.changes_children = self.up.changes_children = True
        if self.right_spine:
            self.shaken.add("right spine")

    def take_from(self, sibling: Any, clauses: Any) -> None:
        """As of any node: the child that moves is on no spine, as it has a sibling on either side."""
        super().take_from(sibling, clauses)
        assert isinstance(self.up, WaitingNode)
        self.changes_children = sibling.changes_children = self.up.changes_children = True


class WaitingTree(ZipperTree):
    """The tree, and what waits."""

    run: "WaitingRun"
    put_off: Noted

    def height_increase(self) -> None:
        """Apply the contract; nodes below the old root on either spine are below no root then."""
        old = self.root
        super().height_increase()
        self.root.changes_children = True
        old.shaken |= {"left spine", "right spine"}

    def height_decrease(self) -> None:
        """Apply the contract; nodes below the new root on either spine are below a root then."""
        super().height_decrease()
        self.root.shaken |= {"left spine", "right spine"}

    def drop(self, node: WaitingNode, gone: Any) -> None:
        """Apply the contract: remove the first entries of a node, and the children before them, and note it.

        What is noted of what goes is a child of the node, and so gets no parent: nothing further down is noted.
        """
        run, k = self.run, term(gone)
        run.claim("what is dropped is at the focus", z3.BoolVal(node is run.focus and node.parts is None))
        run.claim("what is dropped is on the left", z3.BoolVal(node.on_top or node.left_spine))
        run.claim("the last child stays", z3.And(0 <= k, k < node.degree))
        leaf, hi = node.height == 0, node.hi
        lo, first = z3.If(leaf, node.lo + k, node.bound(k)), z3.If(leaf, node.lo + k, node.bound(k + 1) - 1)
        degree, last = node.degree - k, node.last_begin
        run.low = run.path.fresh("low")
        node.reshape()
        for now, then in ((run.low, lo), (node.lo, lo), (node.hi, hi), (node.degree, degree),
                          (node.first_end, first), (node.last_begin, last)):  # fmt: skip
            run.path.assume(now == then)
        run.path.assume(node.shape())
        node.name, node.asked, node.changes_children = str(node.degree), {}, True
        if node.on_top:
            run.E = node.first_end
        node.noted = True


class WaitingState(TreeState):
    """Symbolic functions that clauses may use in addition."""

    run: "WaitingRun"

    def __init__(self, run: "WaitingRun") -> None:
        super().__init__(run)
        self.low = SymbolicInt(run.low)
        self.kept_height, self.kept_begin, self.kept_first = map(SymbolicInt, run.kept)


class WaitingRun(TreeRun):
    """A tree between steps on one path."""

    def __init__(self, path: Path, tree: type[Any], cuts: dict[Any, list[bool]], *, evicting: bool) -> None:
        self.evicting = evicting
        self.left_is_open = evicting
        """True if the left spine is not marked yet below the focus; nothing is known of the left finger then."""
        self.low: Integer = _ZERO
        """The number of the first entry that is left."""
        self.kept = path.fresh("height"), path.fresh("begin"), path.fresh("end of the first child")
        """The height, begin and end of the first child that a node keeps when it is unfolded again."""
        self.floor: Integer | None = None
        """The height below which nothing is noted, if set."""
        self.pairs: Any = None
        """The pairs that a bulk insert is given."""
        self.searched = False
        """True if the time was searched for, or the pairs."""
        self.filled: ZipperNode | None = None
        """The node whose arity a clause bounds, and nothing else."""
        super().__init__(path, tree, FIBA, LOOPS, spines=True, cuts=cuts)

    def forget_tree(self) -> None:
        super().forget_tree()
        if self.evicting:
            self.low = self.path.fresh("low")
            self.path.assume(z3.And(0 <= self.low, self.low <= self.n))
        vars(self.tree).update(put_off=Noted())
        self.tree_made_with = dict(vars(self.tree))

    def state(self) -> Any:
        return WaitingState(self)

    def cutter(self, method: str, loops: Any, number: int) -> Cutter:
        if (method, number) not in self.cutters:
            loop, changes = self.loops[method][number], loops[number]
            assert loop is not None
            kinds: Mapping[str, type[Cutter]] = {
                "fill": FillCutter, "rebalance_for_evict": StepsCutter, "rebalance_for_insert": StepsCutter,
                "evict_until": DownCutter, "insert_sorted": PairsCutter,
            }  # fmt: skip
            kind = WalkCutter if isinstance(loop, Walk) else kinds[method]
            self.cutters[method, number] = kind(self, loop, changes, f"{method}, loop {number + 1}")
        return self.cutters[method, number]

    def reaches_ends(self, node: ZipperNode, kind: Any) -> Truth:
        """A left spine begins at the first entry that is left."""
        E, B = self.inner_ends(node)
        left = {"the root": node.lo == self.low, "left spine": z3.And(node.lo == self.low, node.hi <= E)}
        right = {"the root": node.hi == self.n, "right spine": z3.And(B <= node.lo, node.hi == self.n)}
        return z3.And(left.get(kind, TRUE), right.get(kind, TRUE))

    def has_arity(self, node: ZipperNode) -> Truth:
        """As ever, but of a node that is being filled."""
        return TRUE if node is self.filled else super().has_arity(node)

    def unfold_child(self, x: ZipperNode, place: Integer) -> Any:
        """As ever; where the left spine is not marked yet, the first child may be on no spine, and the only child of a
        root was its last."""
        if not self.left_is_open:
            return super().unfold_child(x, place)
        self.claim("the first child", z3.And(x.height > 0, place == 0))
        only = x.on_top and settle(x.degree == 1)
        marked = not only and self.choose("marked", True, False)
        kind: Kind = "right spine" if only else "left spine" if marked else "neither"
        c = self.node_class(self, kind, x.height - 1, x.depth + 1)
        c.place, c.up = place, x
        x.parts = [self.row(_ZERO, x.lo, c.lo, x.spines[0], left=True), c,
                   self.row(x.degree - 1, c.hi, x.hi, x.spines[1], left=False)]  # fmt: skip
        self.path.assume(z3.And(self.has_arity(c), x.first_end == x.end_of_first(), x.last_begin == x.begin_of_last()))
        return c

    def unfold_sibling(self, p: ZipperNode, i: Integer) -> Any:
        """As ever; of a child whose place is known, though not by its name."""
        assert p.parts is not None
        after = z3.simplify(p.parts[-2].place + 1)
        return super().unfold_sibling(p, after if settle(i == after) else i)

    def unfold_parent(self, x: ZipperNode) -> None:
        """As ever; and the node is where its place says."""
        super().unfold_parent(x)
        if not self.steps and x.up is not None and x.place is not None:
            begin, behind = x.up.bound(x.place), x.up.bound(x.place + 1)
            self.path.assume(z3.And(x.lo == begin, x.hi == behind - 1))

    # Folding

    def fold_focus(self, x: ZipperNode) -> None:
        """And what has changed is noted."""
        for y in self.seen:
            if not y.gone:
                y.show_noted()
                noted = y.noted or y.noted_below
                above = TRUE if self.floor is None or not noted else y.height >= self.floor
                self.claim("nothing further down is noted", above)
        super().fold_focus(x)

    def fold_up(self, x: ZipperNode) -> None:
        """Fold a node, and what was unfolded above it: what is not right there waits."""
        claim = self.claim
        self.folded.append(x)
        if x.parts is not None:
            self.fold(x)
        claim("on one spine at most", z3.BoolVal(x.kind != "both spines"))
        claim("spines reach the ends", z3.BoolVal(x.kind in self.kinds) and self.reaches_ends(x, x.kind))
        if x.up is not None:
            claim("arity", self.has_arity(x.up))
            self.fold_up(x.up)
        elif not x.on_top:
            lo, hi, height, kind = x.hole
            lo = self.low if kind == "left spine" else lo
            claim("what is below a node is what was", z3.And(x.lo == lo, x.hi == hi, x.height == height))
            claim("spine flags", z3.BoolVal(x.kind == kind))

    def fingers(self) -> Iterator[tuple[Any, Kind]]:
        """Yield the fingers, without the left one while the left spine is not marked."""
        return (each for each in super().fingers() if not self.left_is_open or each[1] == "right spine")

    def show_fingers(self) -> None:
        """And the right one does not point where the left one did, which may be gone."""
        super().show_fingers()
        right = self.tree.right_finger
        stale = self.left_is_open and isinstance(right, Finger) and right.left
        self.claim("the right finger is not where the left one was", z3.BoolVal(not stale))

    def show_costs(self, height: Integer) -> None:
        """Check the nodes that steps at a node at this height have noted.

        On the left spine and at the root, a noted node is at most one level higher, and only after a step.  On the
        right spine it is no higher, and there is none without a step.  Elsewhere there is at most one for each step,
        and its parent is noted, too.
        """
        show = self.path.show
        noted = [y for y in self.seen if y.noted and not y.gone]
        elsewhere = [y for y in noted if y.kind == "neither"]
        show("cost: one for each step is on no spine", z3.BoolVal(len(elsewhere) <= self.steps))
        above = (y.up is not None and y.up.noted and (y.up.on_top or y.up.left_spine) for y in elsewhere)
        show("cost: the parent of such is noted, and on the left", z3.BoolVal(all(above)))
        most = height + (1 if self.steps else 0)
        for y in noted:
            if y.kind in ("left spine", "the root"):
                show("cost: no higher than the parent on the left", y.height <= most)
            if y.kind == "right spine":
                show("cost: no higher on the right", z3.And(y.height <= height, z3.BoolVal(self.steps >= 1)))
        for y in (y for y in self.seen if y.noted_below and not y.gone):
            show("cost: no higher on the right", z3.And(y.height <= height, z3.BoolVal(self.steps >= 1)))

    # A node that is still there when others have changed

    def retake(self, node: Any, *kinds: Kind, height: Integer | None = None) -> None:
        """The tree as others have left it: the same node, of which nothing is known but where it may be, and how high
        it is where that is given.  Facts about numbers stay true."""
        n, low = self.n, self.low
        for y in self.seen:
            vars(y).clear()
        if self.evicting:
            self.evicting = False
            self.forget_tree()
            self.evicting = True
        else:
            self.forget_tree()
        self.n, self.low = n, low
        new = self.take(*kinds, dirty=False, height=height)
        vars(node).update(vars(new))
        self.seen[self.seen.index(new)] = self.focus = node
        if node.on_top:
            self.set_root(node)


class CostsCutter(FocusCutter):
    """Cuts a loop before which no more was noted than steps at its focus note."""

    run: WaitingRun

    def enter(self, items: Any, local: dict[str, Any]) -> None:
        if self.run.evicting:
            self.run.show_costs(local[self.loop.focus].height)
        super().enter(items, local)


class StepsCutter(CostsCutter):
    """Cuts a loop of steps upwards.  A turn looks at nothing below where it stands.  The node where it stands stays in
    the tree, with its first child, after an insert; after an evict it does so on the left spine and at the root."""

    def forget_value(self, name: str, value: Any) -> Any:
        if name == self.loop.focus and self.run.evicting:
            return self.run.take("left spine", "the root", dirty=False, name=name)
        return super().forget_value(name, value)

    def assume(self, local: dict[str, Any]) -> None:
        super().assume(local)
        self.head = x = local[self.loop.focus]
        self.run.steps = 0
        self.was = x.height, x.lo, x.end_of_first(), x.on_top or x.left_spine, self.run.tree.left_finger

    def again(self, local: dict[str, Any]) -> None:
        x, run = self.head, self.run
        height, lo, first, on_left, finger = self.was
        run.claim("a turn looks at nothing below", z3.And(*(y.height >= height for y in run.seen)))
        if on_left or self.method.startswith("rebalance_for_insert"):
            kept = z3.And(x.height == height, x.lo == lo, z3.Or(height == 0, x.end_of_first() == first))
            run.claim("the node stays, and keeps its first child", z3.And(z3.BoolVal(not x.gone), kept))
        if on_left:
            run.claim("the node stays on the left", z3.BoolVal(x.on_top or x.left_spine))
        run.claim("the left finger stays", z3.BoolVal(run.tree.left_finger is finger))
        if run.evicting:
            run.show_costs(height)
            focus = local[self.loop.focus]
            run.path.show("cost: a turn takes a step, and goes up one level at most", z3.And(
                z3.BoolVal(run.steps >= 1), focus.height <= height + 1,
            ))  # fmt: skip
        super().again(local)


class DownCutter(CostsCutter):
    """Cuts the loop that cuts the nodes of a path from the top down."""

    def forget_value(self, name: str, value: Any) -> Any:
        if name == self.loop.focus:
            return self.run.take("left spine", "the root", dirty=False, name=name)
        return super().forget_value(name, value)

    def again(self, local: dict[str, Any]) -> None:
        self.run.floor = local[self.loop.focus].height
        self.run.show_costs(self.run.floor + 1)
        super().again(local)


class FillCutter(CostsCutter):
    """Cuts the loop that moves children from the next sibling to a node, which it goes on to call by its name."""

    def names(self, local: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().names(local), "beside": self.beside}

    def find_beside(self, node: Any) -> None:
        """The next sibling."""
        self.beside = node.parent.get_child(1)

    def show_invariant(self, local: Mapping[str, Any], prefix: str) -> None:
        self.find_beside(local["node"])
        self.run.filled = local["node"]
        super().show_invariant(local, prefix)
        self.run.filled = None

    def forget_in_place(self, name: str, local: dict[str, Any]) -> None:
        if name == self.loop.focus:
            self.run.retake(local[name], "left spine")
            self.find_beside(local[name])

    def again(self, local: dict[str, Any]) -> None:
        self.run.show_costs(local[self.loop.focus].height)
        super().again(local)


class PairsCutter(Cutter):
    """Cuts the loop over pairs: each is put into any tree that is one between steps, from any node where it may be."""

    run: WaitingRun
    changes: Changes

    def enter(self, items: Any, local: dict[str, Any]) -> None:
        if not isinstance(items, Pairs) or self.running:
            raise Unsupported("the loop is over the pairs, and not begun again before it has ended")
        self.running = True
        self.run.fold_focus(local["node"])
        self.show(local["node"], items.first, "loop entered: ")

    def show(self, node: Any, t: Moment, prefix: str) -> None:
        """The clauses, of a time that is the next."""
        self.run.show_left(self.loop.clauses, {"node": node, "t": t}, prefix)

    def forget(self) -> None:
        self.run.go_on_once(self.method)
        self.run.restart()

    def forget_value(self, name: str, value: Any) -> Any:
        if name == "node":
            return self.run.take(dirty=False, name=name)
        return None

    def forget_in_place(self, name: str, local: dict[str, Any]) -> None:
        """Pairs are any."""

    def assume(self, local: dict[str, Any]) -> None:
        self.node = local["node"]

    def more(self) -> SymbolicBool:
        return SymbolicBool(self.run.truth("a pair more"))

    def next(self) -> Any:
        run = self.run
        run.time = Moment(run.path.fresh("t"))
        run.know(self.loop.clauses, {"node": self.node, "t": run.time})
        return run.time, VALUE

    def again(self, local: dict[str, Any]) -> None:
        run, node = self.run, local["node"]
        run.claim("the pair is put, and rebalanced", z3.BoolVal(run.stage == "rebalanced"))
        run.fold_focus(node)
        later = Moment(run.path.fresh("t"))
        run.path.assume(later.at >= run.time.at)
        self.show(node, later, "loop kept: ")
        raise Finished


class Pairs:
    """Pairs that are sorted by time."""

    def __init__(self, run: WaitingRun) -> None:
        self.run = run
        self.first = Moment(run.path.fresh("t"))

    def __bool__(self) -> bool:
        return settle(self.run.truth("there are pairs"))

    def __getitem__(self, i: Any) -> Any:
        self.run.claim("the first pair", z3.BoolVal(type(i) is int and i == 0))
        return self.first, VALUE
