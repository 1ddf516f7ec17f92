"""Cutters of the trees' loops, for three kinds of loop.

- A loop that goes up and changes the tree (`FocusCutter`): the cutter folds and forgets everything except Sub, Ctx and
  the clauses (swagproof.proofs.trees.whole.zipper), and takes a new focus.
- A loop that goes down a spine and repairs it (`DescentCutter`): the tree around its start stays known, and the spine
  is correct afterwards.
- A loop that changes nothing (`WalkCutter`): everything stays known, and the walk's position is another node.
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from swagproof.proofs.engine.loops import Changes
from swagproof.proofs.engine.obligation import COST, Obligation
from swagproof.proofs.engine.paths import Finished, Unsupported
from swagproof.proofs.engine.run import Cutter
from swagproof.proofs.engine.solver import Truth, z3
from swagproof.proofs.engine.values import Segment, SymbolicBool, SymbolicInt
from swagproof.proofs.lemmas.rebalancing_loops import FocusLoop, one_each_up
from swagproof.proofs.lemmas.walk_loops import Walk, Where
from swagproof.proofs.trees.entries import VALUE, Moment
from swagproof.proofs.trees.whole.substitutes import Neighbour, ToRepair
from swagproof.proofs.trees.whole.zipper import (
    TRUE,
    Kind,
    Spine,
    ZipperNode,
    ZipperRun,
    ZipperTree,
    freeze,
)


class TreeRun(ZipperRun):
    """A tree on one path, and its loops."""

    def cutter(self, method: str, loops: Sequence[Changes | None], number: int) -> Cutter:
        if (method, number) not in self.cutters:
            loop, changes = self.loops[method][number], loops[number]
            assert changes is not None
            label = f"{method}, loop {number + 1}"
            assert isinstance(loop, Walk | FocusLoop)
            kind = WalkCutter if isinstance(loop, Walk) else DescentCutter if loop.descends else FocusCutter
            self.cutters[method, number] = kind(self, loop, changes, label)
        return self.cutters[method, number]


class TreeCutter(Cutter):
    """A cutter of a while loop over the nodes of a tree."""

    run: ZipperRun

    def begin_while(self, items: Any) -> None:
        """Note that the loop is run; it must be a while."""
        if items is not None:
            raise Unsupported("a loop over a tree is a while")
        self.begin()

    def forget_value(self, name: str, value: Any) -> Any:
        """Forget a truth value; a loop over a tree carries no others, except its nodes."""
        if isinstance(value, bool | SymbolicBool):
            return SymbolicBool(self.run.truth(name))
        raise Unsupported(f"{name} is carried from turn to turn")

    def assume(self, local: dict[str, Any]) -> None:
        self.run.depth += 1
        self.run.know(self.loop.clauses, self.names(local))
        self.left = self.variant(local)

    def show_invariant(self, local: Mapping[str, Any], place: str) -> None:
        """Show the tree, and the clauses."""
        raise NotImplementedError

    def show_turn(self, local: Mapping[str, Any]) -> None:
        """Show what else one turn keeps."""

    def again(self, local: dict[str, Any]) -> None:
        """Show that the invariant is kept and the variant falls, and end the path."""
        self.show_invariant(local, "loop kept")
        self.show_turn(local)
        after = self.variant(local)
        self.run.claim("loop variant falls", z3.And(after >= 0, after < self.left))
        raise Finished


class FocusCutter(TreeCutter):
    """A cutter that forgets the tree: at the loop's head only Sub, Ctx and the clauses are known, for a new focus."""

    loop: FocusLoop

    def names(self, local: Mapping[str, Any]) -> dict[str, Any]:
        return {**local, "focus": local[self.loop.focus]}

    def enter(self, items: Any, local: dict[str, Any]) -> None:
        self.begin_while(items)
        self.show_invariant(local, "loop entered")
        # Values that are kept must be unknown too: then the rest is the same on each way here, and runs once.
        kept = [name for name in sorted(local) if name not in self.changes.variables]
        for name in kept:
            value = local[name]
            terms = {SymbolicBool: ("term",), SymbolicInt: ("term",), Moment: ("at",), Segment: ("lo", "hi")}
            if type(value) in terms and all(z3.is_const(getattr(value, part)) for part in terms[type(value)]):
                continue
            if value is not VALUE and not isinstance(value, ZipperTree | ToRepair | Neighbour | ZipperNode | None):
                raise Unsupported(f"{name} is known where {self.method} begins")
        self.run.go_on_once(self.method)

    def show_invariant(self, local: Mapping[str, Any], place: str) -> None:
        """Show the tree around the focus, and the clauses."""
        self.run.fold_focus(local[self.loop.focus])
        needed = [clause for clause in self.loop.clauses if clause not in self.loop.costs]
        self.run.show_left(needed, self.names(local), place)
        self.run.show(self.loop.costs, self.names(local), place)

    def forget(self) -> None:
        self.run.restart()

    def forget_value(self, name: str, value: Any) -> Any:
        return self.run.take(name=name) if name == self.loop.focus else super().forget_value(name, value)

    def forget_in_place(self, name: str, local: dict[str, Any]) -> None:
        """Do nothing: all nodes are forgotten."""

    def assume(self, local: dict[str, Any]) -> None:
        run, x = self.run, local[self.loop.focus]
        run.height_before, self.level = x.height, x.level
        if one_each_up in self.loop.costs:  # it is about the number of aggregates in all turns
            run.repairs = run.path.fresh("aggregates")
        super().assume(local)

    def show_turn(self, local: Mapping[str, Any]) -> None:
        x = local[self.loop.focus]
        kept = z3.Or(x.level <= x.height, x.level <= self.level)
        self.run.path.show(Obligation("a level no higher than before, or than where it is", COST), kept)
        self.run.show_left(self.loop.turn, self.names(local), "turn")


class DescentCutter(FocusCutter):
    """A cutter of a loop that goes down a spine and repairs it.

    The loop assigns only aggregates of nodes on that spine, strictly below its start; so everything known about the
    tree above stays known, and the spine is correct afterwards.  A turn is checked separately, with any node on the
    spine in focus.
    """

    def enter(self, items: Any, local: dict[str, Any]) -> None:
        self.begin_while(items)
        self.start = local[self.loop.focus]
        self.run.show_left(self.loop.clauses, self.names(local), "loop entered")
        run, tree = self.run, self.run.tree
        self.around_it, self.held = (run.E, run.B, run.n, run.levels, run.seen, run.focus), dict(vars(tree))
        self.repairs = run.repairs
        self.turns_on = self.run.choose(f"a turn of {self.method}", True, False)

    def forget(self) -> None:
        if self.turns_on:
            self.run.go_on_once(self.method)
            self.run.restart()

    def forget_value(self, name: str, value: Any) -> Any:
        if name != self.loop.focus:
            raise Unsupported(f"{name} is carried from turn to turn")
        if not self.turns_on:
            self.run.forget_tree()
        spine: Kind = "left spine" if self.loop.descends == "left" else "right spine"
        return self.run.take(spine, "the root", name=name)

    def assume(self, local: dict[str, Any]) -> None:
        x = local[self.loop.focus]
        if self.turns_on:
            self.run.path.assume(z3.And(self.run.has_arity(x), x.height > 0))
            super().assume(local)
            self.head, self.run.repairs = x, z3.IntVal(0)
        else:
            self.run.depth += 1
            self.run.path.assume(x.height == 0)

    def show_invariant(self, local: Mapping[str, Any], place: str) -> None:
        """Show that a turn goes to a child and assigns only the child's aggregate, and sees only these two nodes."""
        x, head, run = local[self.loop.focus], self.head, self.run
        down = x.up is head and not head.is_written() and not x.is_written(but=1) and run.keeps_tree()
        down = down and all(y in (x, head) for y in run.seen)
        self.run.claim("a turn repairs the child that it goes to, and nothing else", z3.BoolVal(down))
        self.run.path.show(
            Obligation("an aggregate on each level down", COST), self.run.repairs + x.height == self.head.height
        )
        self.run.show_left(self.loop.clauses, self.names(local), place)

    def leave(self) -> None:
        super().leave()
        run, tree = self.run, self.run.tree
        run.E, run.B, run.n, run.levels, run.seen, run.focus = self.around_it
        vars(tree).update(self.held)
        run.repairs = self.repairs + self.start.height
        side = 0 if self.loop.descends == "left" else 1
        self.start.spines[side] = Spine(TRUE, run.inner_ends(self.start)[side])


class WalkCutter(TreeCutter):
    """A cutter of a loop that changes nothing: its position becomes another node of the tree, where the walk may be.

    All facts stay known, except in a search, which forgets them so that the rest runs for one way in only.
    """

    loop: Walk

    def names(self, local: Mapping[str, Any]) -> dict[str, Any]:
        return {**local, "focus": local[self.loop.first], "start": self.start, "before": self.before}

    def enter(self, items: Any, local: dict[str, Any]) -> None:
        self.begin_while(items)
        node = local[self.loop.first]
        self.start, self.height = freeze(node), None
        """The node where the walk began; clauses mention it after the node itself is forgotten."""
        self.before = self.run.visits
        self.show_invariant(local, "loop entered")

    def show_invariant(self, local: Mapping[str, Any], place: str) -> None:
        """Show the clauses, and that nothing was written."""
        run = self.run
        run.claim("a walk changes nothing", z3.BoolVal(run.is_unwritten()))
        stands = [(local[name], where) for name, where in self.loop.nodes.items() if local[name] is not None]
        run.claim("a walk is where it may be", z3.And(*(self.may_stand(node, where) for node, where in stands)))
        run.claim(
            "a walk is as high on either side", z3.And(*(node.height == stands[0][0].height for node, _ in stands))
        )
        if self.loop.tells:
            run.claim("a search tells of each node that it visits", z3.BoolVal(run.last is local[self.loop.first]))
        run.show_left(self.loop.clauses, self.names(local), place)

    def may_stand(self, node: Any, where: Where) -> Truth:
        """Return whether the walk may be at this node: on its spine or at the root, and above or below its start."""
        if where not in ("anywhere", node.kind) and not node.on_top:
            return z3.BoolVal(False)
        start = self.start
        below = z3.And(node.height <= start.height, start.lo <= node.lo, node.hi <= start.hi)
        return node.height >= start.height if self.loop.up else below

    def forget(self) -> None:
        run, fresh = self.run, self.run.path.fresh
        if self.loop.tells:
            run.go_on_once(self.method)
            run.restart()
            self.start = SimpleNamespace(**{name: fresh(f"{name} where it began") for name in ("height", "lo", "hi")})
            run.visits, self.before = SymbolicInt(fresh("visits")), SymbolicInt(fresh("visits before"))

    def forget_value(self, name: str, value: Any) -> Any:
        run = self.run
        if name in self.loop.nodes:
            there = not self.loop.beyond or run.choose(name, True, False)
            node = self.take_node(name) if there else None
            if self.loop.tells and name == self.loop.first:
                run.last = node
            return node
        if type(value) is int or isinstance(value, SymbolicInt):
            return SymbolicInt(run.path.fresh(name))
        return super().forget_value(name, value)

    def take_node(self, name: str) -> Any:
        """Take any node of the tree where the walk may be, at the same height as the walk's other nodes."""
        run = self.run
        if self.height is None:
            self.height = run.path.fresh("height")
            start = self.start.height
            run.path.assume(self.height >= start if self.loop.up else self.height <= start)
        where = self.loop.nodes[name]
        kinds = [kind for kind in run.kinds if where == "anywhere" or kind in (where, "the root")]
        fits = {} if self.loop.up else {"left spine": self.start.lo == 0, "right spine": self.start.hi == run.n}
        focus, node = run.focus, run.take_clean(*kinds, name=name, height=self.height, fits=fits)
        run.focus = focus
        run.path.assume(self.may_stand(node, where))
        return node

    def forget_in_place(self, name: str, local: dict[str, Any]) -> None:
        """Refuse, in a search, values known before the loop, except the time."""
        kept = isinstance(local[name], Moment | ZipperTree) or name in self.loop.nodes
        if self.loop.tells and not kept:
            raise Unsupported(f"{name} is known where {self.method} begins")
