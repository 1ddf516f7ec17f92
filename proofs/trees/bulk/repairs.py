"""Repair of the aggregates that bulk operations put off, for any tree, any noted nodes, and any one node of the tree.

The nodes of the tree stay as they are, and no more of them is known than how high they are and on which spine, or that
one is the root.  What is shown is shown of one node y, which is any: whether it is stale, waits or was computed is all
that the state is.  An aggregate that is computed is made of what is next to its node (row fiba/proved-repair), and so
can make stale

- the parent, where the node is on no spine and not the root;
- on a spine, the child that is on that spine.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal

from swagproof.contracts.trees import bulk_operations as contract
from swagproof.proofs.engine.paths import (
    Exploration,
    Finished,
    Path,
    Unsupported,
    enclosing_path,
    explore,
    settle,
    show,
)
from swagproof.proofs.engine.run import Cutter, Run
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import SegmentMonoid, SymbolicBool, SymbolicInt, term
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.trees.step_runs import StandIn, make_runnable
from swagproof.reference.trees.fiba_bulk import BulkFiba

Kind = Literal["up", "left", "right", "root"]
"""The kind of a node, which determines its aggregate."""

NO: Final = z3.BoolVal(False)
YES: Final = z3.BoolVal(True)
SIDES: Final = ("left", "right")


class Spot:
    """A node of the tree: how high it is, and what kind of aggregate it keeps.  Code can assign nothing of it."""

    __slots__ = ("above", "degree", "height", "is_y", "kind", "run", "under_y")

    def __init__(self, run: "RepairRun", kind: Kind, height: Integer, is_y: Truth | None = None) -> None:
        self.run = run
        self.kind = kind
        self.height = height
        self.degree = run.path.fresh("arity")
        self.above: Spot | None = None
        """The node as whose parent it was found."""
        one = height == run.height  # on a spine one is on each level
        self.is_y = NO if kind != run.kind else one if kind != "up" else run.truth("is y") if is_y is None else is_y
        self.under_y = run.truth("is below y")
        """True if y is the parent, for a node on no spine."""
        self.know()

    def know(self) -> None:
        """Assume the facts that hold for any node."""
        run, height = self.run, self.height
        top = (height == run.tallest) if self.kind == "root" else height < run.tallest
        least = z3.If(z3.And(z3.BoolVal(self.kind == "root"), height == 0), 1, 2)  # a window may be empty
        run.path.assume(z3.And(0 <= height, top, self.degree >= least, z3.Implies(self.is_y, height == run.height)))
        run.path.assume(z3.Implies(self.under_y, height + 1 == run.height))

    @property
    def left_spine(self) -> bool:
        """Return whether it is on the left spine."""
        return self.kind == "left"

    @property
    def right_spine(self) -> bool:
        """Return whether it is on the right spine."""
        return self.kind == "right"

    @property
    def arity(self) -> SymbolicInt:
        """a."""
        return SymbolicInt(self.degree)

    @property
    def parent(self) -> "Spot | None":
        """The node above."""
        run, height = self.run, self.height + 1
        if self.kind == "root":
            return None
        above = ("up", "left", "right") if self.kind == "up" else (self.kind,)
        kind: Kind = "root" if settle(height == run.tallest) else run.choose("parent", *above)
        if self.kind == "up" and kind != run.kind:
            run.path.assume(z3.Not(self.under_y))
        found = Spot(run, kind, height, self.under_y)
        if self.kind == "up":
            run.path.assume(found.is_y == self.under_y)
        found.above = self
        return found

    def is_root(self) -> bool:
        """Return whether it is the root."""
        return self.kind == "root"

    def has_agg_up(self) -> bool:
        """Return whether it keeps the aggregate of its subtree."""
        return self.kind == "up"

    def is_leaf(self) -> bool:
        """Return whether no node is below."""
        return settle(self.height == 0)

    def get_child(self, i: Any) -> "Spot":
        """z_i."""
        run = self.run
        run.path.show("the node has this child", z3.And(self.height > 0, 0 <= term(i), term(i) < self.degree))
        first, last = settle(term(i) == 0), settle(term(i) == self.degree - 1)
        kind: Kind = "left" if first and self.kind in ("left", "root") else "up"
        kind = "right" if last and self.kind in ("right", "root") else kind
        return Spot(run, kind, self.height - 1)

    def local_repair_agg(self) -> None:
        """The aggregate is what is next to the node, from now on."""
        run = self.run
        run.path.show("no aggregate is computed twice", z3.Not(z3.And(self.is_y, run.computed)))
        if self.kind in SIDES:
            run.path.show("cost: no higher than what has waited there", self.height <= run.highest[self.kind])
        run.last_computed = self
        feeds = {"up": self.under_y, "root": NO}.get(self.kind, NO)
        if self.kind in SIDES and self.kind == run.kind:
            feeds = run.height == self.height - 1
        run.stale = z3.And(z3.Not(self.is_y), z3.Or(run.stale, feeds))
        run.computed = z3.Or(run.computed, self.is_y)


class Levels:
    """A dict of dicts of nodes, by their level; or one that is empty, and stays so."""

    def __init__(self) -> None:
        self.run = _run()

    def __bool__(self) -> bool:
        run = self.run
        if run.choose("a level waits", True, False):
            run.path.assume(run.level <= run.tallest)
            return True
        run.path.assume(z3.Not(z3.Or(run.waits, *run.highest_waits.values())))
        return False

    def setdefault(self, level: Any, _: Any) -> "Level":
        """The nodes on a level."""
        return Level(self.run, term(level))

    def pop(self, level: Any, _: Any) -> "Level":
        """The same, and they wait no more."""
        run, taken = self.run, Level(self.run, term(level))
        here = run.height == taken.level
        run.comes, run.waits = z3.And(run.waits, here), z3.And(run.waits, z3.Not(here))
        for side in SIDES:
            here, waits = run.highest[side] == taken.level, run.highest_waits[side]
            run.highest_comes[side] = z3.And(waits, here)
            run.highest_waits[side] = z3.And(waits, z3.Not(here))
        return taken


class Level:
    """The nodes on one level that wait."""

    def __init__(self, run: "RepairRun", level: Integer) -> None:
        self.run = run
        self.level = level

    def __setitem__(self, node: Spot, _: None) -> None:
        run = self.run
        run.path.show("a node waits on its level", node.height == self.level)
        wanted = node is run.last_noted or (node.above is not None and node.above is run.last_computed)
        run.path.show("cost: what waits is noted, or the parent of what is computed", z3.BoolVal(wanted))
        run.waits = z3.Or(run.waits, node.is_y)
        if node.kind in SIDES:
            before = run.highest[node.kind]
            run.highest[node.kind] = z3.If(before < node.height, node.height, before)
            run.highest_waits[node.kind] = z3.Or(run.highest_waits[node.kind], before <= node.height)

    def take(self) -> Spot:
        """One that is still to come: each comes once."""
        run = self.run
        found = Spot(run, run.choose("node", "up", *SIDES, "root"), run.path.fresh("height"))
        run.path.assume(z3.And(found.height == self.level, z3.Implies(found.is_y, run.comes)))
        run.comes = z3.And(run.comes, z3.Not(found.is_y))
        if found.kind in SIDES:
            highest, comes = run.highest[found.kind], run.highest_comes[found.kind]
            run.path.assume(z3.And(highest >= found.height, z3.Implies(highest == found.height, comes)))
            run.highest_comes[found.kind] = z3.And(comes, highest != found.height)
        return found


class Gone:
    """A node that is noted, and no longer in the tree: row fiba-bulk/proved-evict says that it has no parent."""

    __slots__ = ("parent",)

    def __init__(self) -> None:
        self.parent = None


class NotedNodes:
    """The nodes that are noted."""

    def __init__(self, run: "RepairRun") -> None:
        self.run = run

    def take(self) -> "Spot | Gone":
        """One that is still to come."""
        run = self.run
        kind = run.choose("node", "gone", "up", *SIDES, "root")
        if kind == "gone":
            return Gone()
        found = Spot(run, kind, run.path.fresh("height"))
        run.path.assume(z3.Implies(found.is_y, run.comes))
        run.comes = z3.And(run.comes, z3.Not(found.is_y))
        run.last_noted = found
        if found.kind in SIDES and found.kind == run.kind:
            run.noted_comes = z3.And(run.noted_comes, found.height != run.noted_height)
        return found


def _run() -> "RepairRun":
    path = enclosing_path()
    assert path is not None
    return path.run  # type: ignore[no-any-return]  # repairs have no other


def is_same(x: Any, y: Any) -> bool:
    """x is y, where y is None or the root."""
    if y is not None and not (isinstance(y, Spot) and y.is_root()):
        raise Unsupported("`is` between nodes of which none is the root")
    return x is y or (isinstance(x, Spot) and y is not None and x.is_root())


class RepairRun(Run):
    """A tree, nodes that are noted, and one node, y."""

    NAMES: ClassVar[Mapping[str, Any]] = {"__dict__": Levels, "__is__": is_same}
    ERRORS: ClassVar[tuple[type[Exception], ...]] = (AttributeError, NameError)

    def __init__(self, path: Path, cuts: dict[Any, list[bool]]) -> None:
        super().__init__(path, SegmentMonoid(), contract.REPAIRS)
        fresh, self.cuts = path.fresh, cuts
        self.kind: Kind = self.choose("y", "up", *SIDES, "root")
        self.height, self.tallest = fresh("height of y"), fresh("height of the tree")
        top = (self.height == self.tallest) if self.kind == "root" else self.height < self.tallest
        self.base = [0 <= self.height, top]
        path.assume(z3.And(*self.base))
        self.noted_height = fresh("height of the highest noted node on the spine of y")
        self.base.append(z3.And(-1 <= self.noted_height, self.noted_height < self.tallest))
        path.assume(self.base[-1])
        self.noted_comes: Truth = self.noted_height >= 0
        self.last_noted: Spot | None = None
        self.last_computed: Spot | None = None
        self.computed: Truth = NO
        self.waits: Truth = NO
        self.level: Integer = z3.IntVal(0)
        """The level where the way up stands."""
        self.highest: dict[str, Integer] = {side: z3.IntVal(-1) for side in SIDES}
        self.highest_waits: dict[str, Truth] = dict.fromkeys(SIDES, NO)
        self.highest_comes: dict[str, Truth] = dict.fromkeys(SIDES, NO)
        self.comes: Truth = self.truth("y is noted")
        on_spine = self.kind in SIDES
        self.stale: Truth = self.truth("y is stale")
        path.assume(z3.Implies(self.stale, self.height <= self.noted_height if on_spine else self.comes))

    def truth(self, name: str) -> Truth:
        """A truth value about which nothing is known."""
        return z3.Bool(str(self.path.fresh(name)))

    def choose(self, name: str, *options: Any) -> Any:
        """One of the options, a path for each."""
        return next((o for o in options[:-1] if settle(self.truth(f"{name}: {o}"))), options[-1])

    def state(self) -> SimpleNamespace:
        return SimpleNamespace(
            stale=SymbolicBool(self.stale),
            waits=SymbolicBool(self.waits),
            comes=SymbolicBool(self.comes),
            computed=SymbolicBool(self.computed),
            noted_comes=SymbolicBool(self.noted_comes),
            noted_height=SymbolicInt(self.noted_height),
            height=SymbolicInt(self.height),
            tallest=SymbolicInt(self.tallest),
            side=self.kind if self.kind in SIDES else "",
            is_up=self.kind == "up",
            is_root=self.kind == "root",
            highest=SymbolicInt(self.highest.get(self.kind, z3.IntVal(-1))),
            highest_left=SymbolicInt(self.highest["left"]),
            highest_right=SymbolicInt(self.highest["right"]),
            left_waits=SymbolicBool(self.highest_waits["left"]),
            right_waits=SymbolicBool(self.highest_waits["right"]),
            left_comes=SymbolicBool(self.highest_comes["left"]),
            right_comes=SymbolicBool(self.highest_comes["right"]),
            height_of=lambda node: SymbolicInt(node.height),
        )

    def cutter(self, method: str, loops: Any, number: int) -> Cutter:
        if (method, number) not in self.cutters:
            loop = self.loops[method][number]
            assert loop is not None
            self.cutters[method, number] = RepairCutter(self, loop, loops[number], f"{method}, loop {number + 1}")
        return self.cutters[method, number]


class RepairCutter(Cutter):
    """Cuts a loop by forgetting all that is known of y but what never changes."""

    run: RepairRun

    def names(self, local: Mapping[str, Any]) -> dict[str, Any]:
        return dict(local)

    def enter(self, items: Any, local: dict[str, Any]) -> None:
        if self.running or not (items is None or isinstance(items, Level | NotedNodes)):
            raise Unsupported("a loop over nodes, that is not begun again before it has ended")
        self.running, self.nodes = True, items
        self.check(local, "loop entered: ")
        self.stays = {
            name: local[name] for name in ("root", *SIDES) if name in local.keys() - {*self.changes.variables}
        }

    def check(self, local: Mapping[str, Any], prefix: str) -> None:
        """The clauses, and that what is kept of a kind is of that kind."""
        for name in ("root", *SIDES):
            kept = local.get(name)
            kind = kept is None or (isinstance(kept, Spot) and kept.kind == name)
            self.run.path.show(f"{prefix}what is kept as {name} is that", z3.BoolVal(kind))
        self.note_level(local)
        self.run.show(self.loop.clauses, self.names(local), prefix)

    def note_level(self, local: Mapping[str, Any]) -> None:
        """Record the current level of the way up."""
        if "level" in local:
            self.run.level = term(local["level"])

    def forget(self) -> None:
        """Forget the path: the code that follows is run once for each kind of y, as it is the same on each path."""
        run = self.run
        cut = (self.method, run.kind, *(name for name, value in self.stays.items() if value is None))
        if run.cuts.setdefault(cut, run.path.taken[:]) != run.path.taken:
            raise Finished
        run.path.start_again_from(run.base or [])
        run.path.settled.clear()
        for kept in self.stays.values():
            if kept is not None:
                kept.know()
        run.stale, run.waits, run.comes = run.truth("stale"), run.truth("waits"), run.truth("comes")
        run.computed, run.noted_comes = run.truth("computed"), run.truth("noted comes")
        run.highest = {side: run.path.fresh(f"highest on the {side}") for side in SIDES}
        run.highest_waits = {side: run.truth(f"waits on the {side}") for side in SIDES}
        run.highest_comes = {side: run.truth(f"comes on the {side}") for side in SIDES}
        for side, top in run.highest.items():
            run.path.assume(z3.And(-1 <= top, top < run.tallest, z3.Implies(run.highest_waits[side], top >= 0)))
        if self.nodes is None:  # no loop over nodes is running
            run.path.assume(z3.Not(z3.Or(run.comes, run.noted_comes, *run.highest_comes.values())))

    def forget_value(self, name: str, value: Any) -> Any:
        run = self.run
        if name in ("root", *SIDES):
            return Spot(run, name, run.path.fresh(name)) if run.choose(f"{name} is kept", True, False) else None  # type: ignore[arg-type]  # a kind
        if type(value) is int or isinstance(value, SymbolicInt):
            return SymbolicInt(run.path.fresh(name))
        raise Unsupported(f"{name} is carried from turn to turn")

    def forget_in_place(self, name: str, local: dict[str, Any]) -> None:
        """Forget nothing: the state has all that is known of the levels."""

    def assume(self, local: dict[str, Any]) -> None:
        self.run.depth += 1
        self.note_level(local)
        self.run.know(self.loop.clauses, self.names(local))
        if self.nodes is None:
            self.left = self.variant(local)

    def more(self) -> SymbolicBool:
        run = self.run
        if settle(run.truth("a node comes")):
            return SymbolicBool(YES)
        run.path.assume(z3.Not(z3.Or(run.comes, run.noted_comes, *run.highest_comes.values())))
        return SymbolicBool(NO)

    def next(self) -> Any:
        assert self.nodes is not None
        return self.nodes.take()

    def again(self, local: dict[str, Any]) -> None:
        self.check(local, "loop kept: ")
        if self.nodes is None:
            after = self.variant(local)
            self.run.path.show("loop variant falls", z3.And(after >= 0, after < self.left))
        raise Finished


class Repaired:
    """The tree, of which repairs assign nothing."""

    run: RepairRun

    def __setattr__(self, name: str, value: Any) -> None:
        show("repairs assign aggregates alone", NO)

    @property
    def root(self) -> Spot:
        """The root."""
        run = _run()
        return Spot(run, "root", run.tallest)

    def level(self, node: Any) -> SymbolicInt:
        """Return the node's height, by contract."""
        show("a node of the tree waits, and no other", z3.BoolVal(isinstance(node, Spot)))
        return SymbolicInt(node.height)


def repair(run: RepairRun, tree: type[Any]) -> None:
    """From any nodes that are noted, so that what is stale is noted, or on a spine no higher than a noted node."""
    object.__new__(tree).repair_changed(NotedNodes(run))
    run.show((contract.consistent,), {})


OVER: Final = StandIn(
    ("repair_changed", "is_here"),
    RepairRun.NAMES,
    contract.REPAIRS,
    type("Plain", (), {}),
    Repaired,
)


def explore_repairs(
    variant: Variant | None = None, enough: Callable[[Exploration], bool] = lambda _: False
) -> Exploration:
    """The repairs, along every path.  ValueError when a variant's line is not there."""
    made = make_runnable(BulkFiba, variant, OVER).algorithm

    cuts: dict[Any, list[bool]] = {}

    def run(path: Path) -> None:
        this = RepairRun(path, cuts)
        with this.guard():
            repair(this, made)

    return explore(run, enough)
