"""A tree of any height as a value: a node in focus, the folded tree below it, and a context around it.

A proof about whole operations covers trees of every size, although the code that it runs reads only a few nodes.  So a
tree is represented by a zipper (Huet), and only two predicates about it are known:

- *Sub(y)*: y and all nodes below it have the arities, heights, contents, parents, spine flags and aggregates that the
  contracts require;
- *Ctx(y)*: so do all other nodes of the tree, around the hole at y, except for the aggregates that may be stale there
  (rules 1 to 4 of `proofs/lemmas/rebalancing_loops.py`).

Both are inductive, and reading a node is one step of the induction: `y.parent` unfolds Ctx once, a child or sibling
unfolds Sub once.  An unfolded node is a Python object, which the code under proof assigns unchanged.  At a loop's head
and back edge, everything is folded, with an obligation for each part of the predicates, and then forgotten.  The run
takes a new focus, about which only the predicates and the loop's clauses are known.

Entries are numbered in the order of time.  The product of entries lo .. hi - 1 is the segment [lo, hi); a stale
aggregate is any segment. E is the end of the root's first child, B the begin of its last.  The aggregates on a spine
are correct for one value of E or B, because one split of the root's first child makes the whole left spine stale.
Children that the code does not read are a `ChildRow`: their number, their begin and end, and the end of the outermost.

The entries of a node are known only by their numbers (swagproof.proofs.trees.entries); edits of them are run.

The effect of the steps' inner parts on nodes whose children are folded, and the product of a node's parts, are assumed
clause by clause from `contracts/trees/parts.py`.  Runs over lists of entries and children show the same clauses of the
code (swagproof.proofs.trees.step_runs).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal

from swagproof.contracts.clause import Clause, Loops
from swagproof.contracts.trees import parts
from swagproof.contracts.trees.coins import Table, coins
from swagproof.proofs.engine.paths import Finished, Path, Unsupported, formula, remember, settle, show
from swagproof.proofs.engine.run import Run, run_of_path
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import Segment, SegmentMonoid, SymbolicInt, identical, term
from swagproof.proofs.lemmas.rebalancing_loops import TreeClauses
from swagproof.proofs.trees.entries import Change, EntryMonoid, HasEntries, Moment, Which, find_place
from swagproof.proofs.trees.whole.substitutes import ToRepair, find_substitute
from swagproof.proofs.trees.whole.tree_state import TreeState, power

Kind = Literal["neither", "left spine", "right spine", "the root"]
"""The position of a node, which determines its aggregate."""

TRUE: Final = z3.BoolVal(True)
_ZERO: Final = z3.IntVal(0)


@dataclass
class ChildRow:
    """A row of folded children, each with the entry between it and the next child towards the unfolded ones."""

    count: Integer
    lo: Integer
    hi: Integer
    end: Integer
    """The end of the outermost child (for a row on the left), or its begin (on the right)."""
    spine: "Spine"
    """The outermost child's spine, if it is on one, from that child down."""


@dataclass(frozen=True)
class Spine:
    """The correctness `known` of the aggregates on a spine strictly below a node, for the value `of` of E or B."""

    known: Truth
    of: Integer


def freeze(y: "ZipperNode") -> SimpleNamespace:
    """Return a record of a node's present state."""
    kept = "arity", "lo", "hi", "end_of_first", "begin_of_last", "height", "kind", "left_spine", "right_spine"
    return SimpleNamespace(**{name: getattr(y, name) for name in kept})


class Children:
    """The children of a node, as far as code uses them as a list."""

    def __init__(self, node: "ZipperNode") -> None:
        self.node = node

    def __bool__(self) -> bool:
        return settle(self.node.height > 0)

    def index(self, child: "ZipperNode") -> SymbolicInt:
        """Return the place of an unfolded child."""
        assert child.place is not None
        return SymbolicInt(child.place)


class Finger:
    """A finger with its initial target: the leaf on its spine, or a root that is a leaf."""

    __slots__ = ("spine",)

    def __init__(self, spine: Kind) -> None:
        self.spine = spine

    def points_at(self, node: "ZipperNode") -> Truth:
        """Return whether this node is its target."""
        return z3.And(z3.BoolVal(node.hole.kind in (self.spine, "the root")), node.hole.height == 0)


class ZipperNode(HasEntries):
    """A node in focus or near it.  Its children are folded, or `rows` on the left and right of unfolded `nodes`."""

    def __init__(self, run: "ZipperRun", kind: Kind, height: Integer, depth: Integer) -> None:
        fresh, assume = run.path.fresh, run.path.assume
        self.run = run
        self.monoid: SegmentMonoid = run.monoid
        self.height = height
        self.depth = depth
        self.on_top = kind == "the root"
        self.left_spine = kind == "left spine"
        self.right_spine = kind == "right spine"
        self.degree, self.lo, self.hi = fresh("arity"), fresh("lo"), fresh("hi")
        self.first_end, self.last_begin = fresh("end of the first child"), fresh("begin of the last child")
        self.spines = [run.unknown_spine(left=True), run.unknown_spine(left=False)]
        """The left and right spines strictly below this node, while its children are folded."""
        self.agg = Segment.unknown(run.path, "aggregate")
        self.nodes: list[ZipperNode] = []
        """The unfolded children, next to each other; none while all children are folded."""
        self.rows: list[ChildRow] = []
        self.up: Any = None
        """The parent, once it is unfolded."""
        self.place: Any = None
        """The node's index among its parent's children, then."""
        self.dirty = False
        """True if Ctx around this node has stale aggregates."""
        self.gone = False
        self.changed: dict[Which, Change] = {}
        """The changes of its entries."""
        self.told: dict[Which, Change] = {}
        """The changes that were shown to be those of the operation."""
        self.name = str(self.degree)
        self.asked: dict[str, Integer] = {}
        """The children whose begin was used."""
        self.hole = freeze(self)
        """The node as it was taken: any other node in its place must fit there, too."""
        assume((depth == 0) if self.on_top else (depth > 0))
        assume(z3.And(height + depth == run.levels, 0 <= self.lo, self.hi <= run.n))
        assume(z3.And(self.shape(), run.reaches_ends(self, kind), self.level >= height, self.level <= run.levels))
        if self.on_top:
            assume(z3.Implies(height > 0, z3.And(run.E == self.first_end, run.B == self.last_begin)))
        self.coins_before = run.coins(self)
        self.made_with = self.written
        run.seen.append(self)

    def __getattr__(self, name: str) -> Any:
        raise Unsupported(f"{name} of a node that was forgotten, or that nodes here do not have")

    @property
    def kind(self) -> Kind | Literal["both spines"]:
        """The node's kind, by its flags; the root has none."""
        if self.on_top + self.left_spine + self.right_spine > 1:
            return "both spines"
        return (
            "the root" if self.on_top else "left spine" if self.left_spine
            else "right spine" if self.right_spine else "neither"
        )  # fmt: skip

    # Known facts

    def shape(self) -> Truth:
        """Return the constraint on the begins and ends of a folded node's children."""
        a, lo, hi, first, last = self.degree, self.lo, self.hi, self.first_end, self.last_begin
        one = z3.And(lo < hi, first == hi, last == lo)
        more = z3.And(lo < first, first + 2 * a - 3 <= last, last < hi, z3.Implies(a == 2, last == first + 1))
        leaf = z3.And(first == lo, last == hi, hi - lo == a - 1)
        return z3.And(a >= 1, self.height >= 0, z3.If(self.height == 0, leaf, z3.If(a == 1, one, more)))

    @property
    def end_of_first(self) -> Integer:
        """The end of the first child."""
        if not self.nodes:
            return self.first_end
        return z3.If(self.rows[0].count == 0, self.nodes[0].hi, self.rows[0].end)

    @property
    def begin_of_last(self) -> Integer:
        """The begin of the last child."""
        if not self.nodes:
            return self.last_begin
        return z3.If(self.rows[1].count == 0, self.nodes[-1].lo, self.rows[1].end)

    def has_spine(self, *, left: bool) -> bool:
        """Return whether its first child is on the left spine, or its last child on the right spine."""
        return bool(self.run.spines and (self.on_top or (self.left_spine if left else self.right_spine)))

    def is_right(self) -> Truth:
        """Return whether the stored aggregate is the product that section 3.2 defines for the node's position."""
        if self.kind == "both spines" or not isinstance(self.agg, Segment):  # pyright: ignore[reportUnnecessaryIsInstance]  # as code under proof assigned it
            return z3.BoolVal(False)
        E, B = self.run.inner_ends(self)
        lo, hi = {
            "neither": (self.lo, self.hi),
            "the root": (self.end_of_first, self.begin_of_last) if self.run.spines else (self.lo, self.hi),
            "left spine": (self.end_of_first, E),
            "right spine": (B, self.begin_of_last),
        }[self.kind]
        return z3.Or(z3.And(self.agg.lo == lo, self.agg.hi == hi), z3.And(self.agg.empty, lo == hi))

    def spine_is_right(self, *, left: bool) -> Truth:
        """Return whether the aggregates on a spine strictly below it are correct."""
        spine = self.spines[0 if left else 1]
        return z3.Or(self.height == 0, z3.And(spine.known, spine.of == self.run.inner_ends(self)[0 if left else 1]))

    @property
    def written(self) -> tuple[Any, ...]:
        """All values of the node that code may assign."""
        return self.agg, self.left_spine, self.right_spine, self.monoid, *self.changed.values()

    def is_written(self, but: int = 0) -> bool:
        """Return whether code has assigned any of these values, except the first `but`."""
        now, then = self.written[but:], self.made_with[but:]
        return len(now) != len(then) or any(x is not y for x, y in zip(now, then, strict=True))

    @property
    def level(self) -> Integer:
        """The height of the lowest node at or above it that is on a spine or is the root."""
        if self.kind != "neither":
            return self.height
        return z3.Int(f"level of {self.name}") if self.up is None else self.up.level

    # Entries

    @property
    def has_time(self) -> Truth:
        """Return whether an entry is at the operation's time."""
        return z3.Bool(f"t at {self.name}")

    @property
    def place_of_time(self) -> Integer:
        """The index of the entry at the operation's time, if there is one."""
        return z3.Int(f"place of t at {self.name}")

    @property
    def begins(self) -> Any:
        """The function from a child's index to its begin."""
        return z3.Function(f"begin of child at {self.name}", z3.IntSort(), z3.IntSort())

    def bound(self, j: Integer) -> Integer:
        """Return the begin of child j before any step; for j = a, two past the last entry below."""
        if self.run.steps:
            raise Unsupported("an entry is looked at after a step was taken")
        j, a, begins = z3.simplify(j), self.degree, self.begins
        if j.sexpr() not in self.asked:
            ends = ((z3.IntVal(0), self.lo), (z3.IntVal(1), self.first_end + 1), (a - 1, self.last_begin),
                    (a, self.hi + 1))  # fmt: skip
            others = (
                z3.Implies(
                    z3.And(0 <= i, i <= a),
                    z3.If(i <= j, begins(i) + 2 * (j - i) <= begins(j), begins(j) + 2 * (i - j) <= begins(i)),
                )
                for i in self.asked.values()
            )
            inside = z3.And(self.lo + 2 * j <= begins(j), begins(j) + 2 * (a - j) <= self.hi + 1)
            known = z3.And(inside, *others, *(z3.Implies(j == i, begins(j) == end) for i, end in ends))
            remember(z3.Implies(z3.And(self.height > 0, a >= 2, 0 <= j, j <= a), known))
            self.asked[j.sexpr()] = j
        return begins(j)

    def find_time(self) -> None:
        """Assume that an entry at the operation's time, if there is one, is one of this node's."""
        there, at = z3.And(0 <= self.place_of_time, self.place_of_time < self.degree - 1), self.run.time.at
        self.run.path.assume(z3.Implies(self.has_time, z3.And(there, 2 * self.number(self.place_of_time) == at)))

    def number(self, i: Integer) -> Integer:
        """Return the number of entry i."""
        return z3.If(self.height == 0, self.lo + i, self.bound(i + 1) - 1)

    # Attributes that the code reads

    @property
    def arity(self) -> SymbolicInt:
        """The arity a."""
        return SymbolicInt(self.degree)

    @property
    def children(self) -> Children:
        """The children z_0 ... z_{a-1}, or none."""
        return Children(self)

    @property
    def parent(self) -> Any:
        """The parent, which is unfolded on reading."""
        if not self.on_top and self.up is None:
            self.run.unfold_parent(self)
        return self.up

    def is_root(self) -> bool:
        """Return whether the node is the root."""
        return self.on_top

    def get_child(self, i: Any) -> Any:
        """Unfold and return z_i: any child at first, later one next to an unfolded child."""
        i = z3.simplify(term(i))
        if not self.nodes:
            return self.run.unfold_child(self, i)
        found = next((child for child in self.nodes if settle(child.place == i)), None)
        return self.run.unfold_sibling(self, i) if found is None else found

    def product_of_parts(self, first: Any, last: Any) -> Segment:
        """Return, by contract, the product of all entries and of the aggregates of children first .. last - 1."""
        run = self.run
        run.claim("times and values are of the same entries", run.is_paired(self))
        run.repairs = run.repairs + 1
        outermost = (0 <= term(first), term(first) <= 1, self.degree - 1 <= term(last), term(last) <= self.degree)
        some = z3.And(z3.Or(self.height == 0, self.degree >= 2), *outermost)
        run.claim(
            "all parts, or all but an outermost child",
            z3.Or(z3.And(term(first) == 0, term(last) == self.degree), some),
        )
        answer = Segment.unknown(run.path, "product")
        left, right = self.has_spine(left=True), self.has_spine(left=False)
        used = z3.Or(z3.And(left, term(first) == 0), z3.And(right, term(last) == self.degree))
        if settle(z3.And(self.height > 0, used)):  # the aggregate of a child on a spine, which may be any segment
            return answer
        for number, child in enumerate(self.nodes):
            place = self.rows[0].count + number
            outside = z3.Or(place < term(first), place >= term(last))
            run.claim("a product is made of aggregates that are right", z3.Or(outside, child.is_right()))
        run.know((parts.product_of_all,), {"node": self, "first": first, "last": last, "answer": answer})
        return answer

    # The inner parts of the steps, by contract; swagproof.proofs.trees.step_runs shows the contracts of the code

    def reshape(self) -> None:
        """Forget the arity and the numbers of the entries below it."""
        names = "arity", "lo", "hi", "end of the first child", "begin of the last child"
        self.degree, self.lo, self.hi, self.first_end, self.last_begin = map(self.run.path.fresh, names)

    def split_off(self, arity: Any) -> "ZipperNode":
        """Keep the first `arity` children; move the next entry up, and the rest to a new next sibling."""
        run, above = self.run, self.parent
        assert above is not None
        run.claim("a split is of an overflow", self.degree == 2 * run.mu + 1)
        run.claim("a split keeps some, and not all", z3.And(2 <= term(arity), term(arity) < self.degree))
        sibling = type(self)(run, "neither", self.height, self.depth)
        sibling.coins_before, run.steps = _ZERO, run.steps + 1
        sibling.up, sibling.place = above, self.place + 1
        sibling.spines[1] = self.spines[1]
        was, was_parent = freeze(self), freeze(above)
        self.reshape()
        above.degree, sibling.right_spine, self.right_spine = run.path.fresh("arity"), self.right_spine, False
        run.know(parts.SPLIT_OFF, {"node": self, "sibling": sibling, "parent": above, "arity": arity,
                                   "was": was, "was_parent": was_parent})  # fmt: skip
        run.path.assume(self.shape())
        above.nodes.insert(above.nodes.index(self) + 1, sibling)
        return sibling

    def beside(self, step: int, i: Any) -> "ZipperNode":
        """Return the unfolded neighbour on one side, beyond entry i of the parent."""
        assert self.up is not None
        nodes: list[ZipperNode] = self.up.nodes
        index = nodes.index(self) + step
        self.run.claim("there is a sibling on this side", z3.BoolVal(0 <= index < len(nodes)))
        self.run.claim("the entry between", term(i) == (self if step > 0 else nodes[index]).place)
        return nodes[index]

    def absorb_next(self, i: Any) -> None:
        """Absorb the entry behind this node, which is child i, and then all of the next sibling."""
        run, above, sibling = self.run, self.up, self.beside(1, i)
        was, was_sibling, was_parent = freeze(self), freeze(sibling), freeze(above)
        self.reshape()
        above.degree, self.right_spine = run.path.fresh("arity"), sibling.right_spine
        run.know(parts.ABSORB_NEXT, {"node": self, "parent": above,
                                     "was": was, "was_sibling": was_sibling, "was_parent": was_parent})  # fmt: skip
        self.spines[1] = sibling.spines[1]
        above.nodes.remove(sibling)
        sibling.gone, run.steps = True, run.steps + 1

    def take_from_next(self, i: Any) -> None:
        """Rotate an entry to the left: the first child of the next sibling becomes the last here."""
        self.take_from(self.beside(1, i), parts.TAKE_FROM_NEXT)

    def take_from_previous(self, i: Any) -> None:
        """Rotate an entry to the right: the last child of the previous sibling becomes the first here."""
        self.take_from(self.beside(-1, i), parts.TAKE_FROM_PREVIOUS)

    def take_from(self, sibling: "ZipperNode", clauses: Sequence[Clause]) -> None:
        """Move a child of the sibling to this node."""
        run = self.run
        run.claim("a sibling of one child keeps it", sibling.degree >= 2)
        run.steps, run.moved = run.steps + 1, True
        was, was_sibling = freeze(self), freeze(sibling)
        self.reshape()
        sibling.reshape()
        run.know(clauses, {"node": self, "sibling": sibling, "was": was, "was_sibling": was_sibling})
        run.path.assume(sibling.shape())


def compare(t: Moment, other: Moment) -> None:
    """Stand in for `require_ordered`: any two times here are comparable."""
    run_of_path().compared.append((t, other))
    show("times are compared", z3.BoolVal(isinstance(t, Moment) and isinstance(other, Moment)))  # pyright: ignore[reportUnnecessaryIsInstance]  # the code under proof is not checked


def tell(node: Any) -> None:
    """Stand in for `yield node` in a search."""
    run = node.run
    run.last, run.visits = node, run.visits + 1


def take_last(told: None) -> Any:
    """Return the last node that a search has yielded."""
    return run_of_path().last


def is_same(x: Any, y: Any) -> bool:
    """Return whether x is y; for to_repair by height, as x is on the way up from the leaf, for a finger by place."""
    for one, other in ((x, y), (y, x)):
        if isinstance(other, ToRepair):
            return one is other or (isinstance(one, ZipperNode) and settle(one.height == one.run.to_repair))
        if isinstance(other, Finger):
            return one is other or (isinstance(one, ZipperNode) and settle(other.points_at(one)))
    return identical(x, y)


class ZipperTree:
    """The attributes of the tree that the code under proof sees, besides its own methods."""

    run: "ZipperRun"
    monoid: SegmentMonoid
    root: Any
    left_finger: Any
    right_finger: Any
    min_arity: SymbolicInt
    max_arity: SymbolicInt

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign a finger; only contracts may assign the root, because only a change of height does."""
        finger = self.run.spines and name in ("left_finger", "right_finger")
        show("a tree keeps its root and what it is made with", z3.BoolVal(finger))
        vars(self)[name] = value

    def height_increase(self) -> None:
        """Apply the contract: add a root of arity 1 above the old one, which is on both spines until it is split."""
        run, old = self.run, self.root
        run.E, run.B = run.path.fresh("E"), run.path.fresh("B")
        run.levels = run.levels + 1
        vars(self)["root"] = new = run.node_class(run, "the root", old.height + 1, _ZERO)
        new.coins_before, run.steps = _ZERO, run.steps + 1
        old.on_top = False
        if run.spines:
            old.left_spine = old.right_spine = True
        old.up, old.place, old.depth, new.nodes = new, _ZERO, z3.IntVal(1), [old]
        run.know((parts.raised_root,), {"root": new, "node": old})
        new.rows = [run.row(_ZERO, new.lo, new.lo, Spine(TRUE, run.E), left=True),
                    run.row(_ZERO, new.hi, new.hi, Spine(TRUE, run.B), left=False)]  # fmt: skip

    def height_decrease(self) -> None:
        """Apply the contract: remove a root without an entry above its only child, which is on no spine."""
        run, old = self.run, self.root
        run.claim("the root has one child", old.degree == 1)
        if run.to_repair is not None and settle(old.height == run.to_repair):
            run.to_repair = z3.IntVal(-1)
        (vars(self)["root"],) = old.nodes
        was = freeze(self.root)
        old.gone, run.steps, run.levels = True, run.steps + 1, run.levels - 1
        self.root.on_top, self.root.left_spine, self.root.right_spine = True, False, False
        self.root.up, self.root.depth = None, _ZERO
        run.know((parts.lowered_root,), {"root": self.root, "was": was})


_ARITY, _MU = z3.Ints("a mu")


@cache
def _coins_term(table: Table, on_top: bool) -> Integer:
    """Return the number of coins at a node, as one term."""
    found: Integer = _ZERO
    for count in range(1, 5):
        found = z3.If(formula(lambda: table(SymbolicInt(_ARITY), SymbolicInt(_MU), on_top) == count), count, found)  # noqa: B023  # called here
    return found


class ZipperRun(Run):
    """A tree on one path: ghost variables, folding and unfolding."""

    NAMES: ClassVar[Mapping[str, Any]] = {
        "__is__": is_same, "bisect_left": find_place,
        "oldest": partial(find_substitute, oldest=True), "youngest": partial(find_substitute, oldest=False),
        "len": lambda entries: entries.size, "require_ordered": compare, "__yield__": tell, "__last__": take_last,
    }  # fmt: skip
    ERRORS: ClassVar[tuple[type[Exception], ...]] = (AttributeError, NameError)

    def __init__(
        self,
        path: Path,
        tree: type[Any],
        given: TreeClauses,
        loops: Loops,
        *,
        spines: bool,
        cuts: dict[Any, list[bool]],
        table: Table = coins,
    ) -> None:
        super().__init__(path, EntryMonoid(), loops)
        self.given = given
        self.spines = spines
        """True if the tree has spines; the classic B-tree has none."""
        self.cuts = cuts
        """The path that first reached each cut; the code after the cut runs for that path only."""
        self.table = table
        """A function from a node to its number of coins."""
        self.mu = path.fresh("mu")
        self.to_repair: Integer | None = None
        """The height of the inner node to be repaired, in a tree with spines; -1 once it is gone."""
        self.substituting = False
        """True if an entry of an inner node is evicted."""
        self.start = path.fresh("height where repair began"), path.fresh("level where repair began")
        """The height and the level of `top`."""
        self.height_before = self.start[0]
        """The height of the focus before a turn."""
        self.time = Moment(path.fresh("t"))
        """The time passed to the operation."""
        self.focus: Any = None
        """The node that was taken last; the facts about the tree are about its surroundings."""
        self.folded: list[ZipperNode] = []
        """The nodes that were shown to meet Sub and Ctx."""
        self.node_class: Any = tree.Node
        self.tree = object.__new__(tree)
        bounds = {"min_arity": SymbolicInt(self.mu), "max_arity": SymbolicInt(2 * self.mu)}
        vars(self.tree).update(run=self, monoid=self.monoid, **bounds)
        self.stage: Literal["right", "asked", "substituted", "rebalanced", "repaired"] = "right"
        """The stage of an operation whose methods are replaced by their contracts."""
        self.compared: list[tuple[Moment, Moment]] = []
        """The pairs of times that were compared."""
        self.ends: tuple[Moment, ...] = ()
        """The ends of the range in a range query."""
        self.base = [self.mu >= 2]
        path.assume(self.mu >= 2)
        self.forget_tree()

    def forget_tree(self) -> None:
        """Begin with another tree, about which nothing is known yet."""
        fresh = self.path.fresh
        self.E, self.B, self.n, self.levels = fresh("E"), fresh("B"), fresh("n"), fresh("height of the tree")
        self.seen: list[ZipperNode] = []
        self.visits: Any = 0
        self.last: Any = None
        """The last node that a search has yielded."""
        self.reached: Any = None
        """The node at which the search ended on its way down, by contract."""
        self.steps, self.moved = 0, False
        self.repairs: Integer = _ZERO
        """The number of aggregates computed."""
        vars(self.tree).update(root=None, left_finger=Finger("left spine"), right_finger=Finger("right spine"))
        self.tree_made_with = dict(vars(self.tree))
        """The attributes of the tree that the code under proof has not assigned."""
        self.path.assume(self.n >= 0)

    def size(self) -> Integer:
        return self.mu + self.n

    def besides(self) -> Sequence[Truth]:
        """Return the conditions that folded subtrees have enough entries for their height, for small mu and heights.

        Proofs need only one entry, except for claims about cost.
        """
        return [fact for y in self.seen if not y.gone for fact in self.fits_in(y)]

    def fits_in(self, y: ZipperNode) -> Iterator[Truth]:
        """Yield the condition for each of the node's children that is folded."""

        def holds(count: Any, entries: Any) -> Truth:
            """Return whether this many children can have this many entries, with an entry next to each."""
            cases = [
                z3.And(self.mu == mu, y.height == h, count * mu**h <= entries, entries <= count * (2 * mu) ** h)
                for mu in (2, 3)
                for h in (1, 2, 3, 4)
            ]
            return z3.Or(y.height == 0, count == 0, *cases)

        if not y.nodes:
            yield from (holds(y.degree, y.hi - y.lo + 1), holds(1, y.first_end - y.lo + 1))
            yield holds(1, y.hi - y.last_begin + 1)
            return
        left, right = y.rows
        yield from (holds(row.count, row.hi - row.lo) for row in (left, right))
        yield z3.Or(left.count == 0, holds(1, left.end - left.lo + 1))
        yield z3.Or(right.count == 0, holds(1, right.hi - right.end + 1))

    def draw(self, model: Model) -> str:
        """Draw a line for each node, from the top: entries and products [lo, hi), without hi."""
        return self.example(model).replace("; ", "\n")

    def example(self, model: Model) -> str:
        """Return the unfolded nodes as text, from the top."""
        value = partial(model.eval, model_completion=True)
        drawn = [f"mu = {value(self.mu)}"]
        for y in sorted((y for y in self.seen if not y.gone), key=lambda y: -value(y.height).as_long()):
            drawn.append(
                f"{y.kind}, height {value(y.height)}: arity {value(y.degree)}, entries [{value(y.lo)}, {value(y.hi)}), "
                + (
                    f"stores [{value(y.agg.lo)}, {value(y.agg.hi)})"
                    if isinstance(y.agg, Segment)
                    else "stores no product"
                )  # as before
                + ("" if z3.is_true(value(y.is_right())) else ", which is not right")
            )
        return "; ".join(drawn)

    def restart(self) -> None:
        """Forget all facts; later obligations rest only on later assumptions."""
        self.path.start_again_from(self.base or [])
        self.path.settled.clear()
        for y in self.seen:
            vars(y).clear()
        self.forget_tree()
        if self.to_repair is not None:
            self.to_repair = self.path.fresh("height of to_repair")

    def go_on_once(self, cut: str) -> None:
        """End this path if another path has come to the same cut before, because the rest is the same."""
        if self.cuts.setdefault(cut, self.path.taken[:]) != self.path.taken:
            raise Finished

    def claim(self, what: str, fact: Truth) -> None:
        """State an obligation, and end the path if it fails."""
        failures = len(self.path.report.failures)
        self.path.show(what, z3.simplify(fact))
        if len(self.path.report.failures) > failures:
            raise Finished

    def truth(self, name: str) -> Truth:
        """Return a truth value about which nothing is known."""
        return z3.Bool(str(self.path.fresh(name)))

    def unknown_spine(self, *, left: bool) -> Spine:
        """Return a spine that may or may not be correct, for the current E or B."""
        return Spine(self.truth("the spine is right"), self.E if left else self.B)

    def choose(self, name: str, *options: Any, fits: Mapping[Any, Truth] | None = None) -> Any:
        """Return one of the options, on a separate path for each that may fit."""
        asked = ((o, z3.And(self.truth(f"{name}: {o}"), (fits or {}).get(o, TRUE))) for o in options[:-1])
        return next((o for o, chosen in asked if settle(chosen)), options[-1])

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of node in this tree."""
        return ("neither", "left spine", "right spine", "the root") if self.spines else ("neither", "the root")

    def take(
        self,
        *kinds: Kind,
        dirty: bool = True,
        name: str = "focus",
        height: Integer | None = None,
        fits: Mapping[Any, Truth] | None = None,
    ) -> Any:
        """Take any node of the tree; only its shape is known, and its kind must be one that `fits`."""
        height = self.path.fresh("height") if height is None else height
        *others, last = kinds or self.kinds  # the root is last
        self.path.assume(z3.And(0 <= height, height <= self.levels))
        kind = last if last == "the root" and (not others or settle(height == self.levels)) else ""
        kind = kind or self.choose(name, *reversed(others if last == "the root" else (*others, last)), fits=fits)
        node = self.node_class(self, kind, height, self.path.fresh("depth"))
        node.dirty = dirty
        if kind == "the root":
            self.set_root(node)
        self.focus = node
        return node

    def take_clean(self, *kinds: Kind, name: str, **more: Any) -> Any:
        """Take a node of a tree in which all aggregates are correct."""
        node = self.take(*kinds, dirty=False, name=name, **more)
        self.path.assume(z3.And(self.has_arity(node), node.is_right()))
        if not node.on_top:  # by the lemma `count_sizes` in swagproof.proofs.trees.whole.walk_runs
            self.path.assume(node.hi - node.lo >= power(node.height + 1) - 1)
        for left, where in ((True, "left spine"), (False, "right spine")):
            if self.spines and node.kind in (where, "the root"):
                self.path.assume(node.spine_is_right(left=left))
        return node

    def set_root(self, root: ZipperNode) -> None:
        """Set the root of the tree as part of its initial state; code that assigns the root does not call this."""
        vars(self.tree)["root"] = self.tree_made_with["root"] = root

    def renumber(self, node: ZipperNode, by: int) -> None:
        """Renumber the entries behind a leaf that has gained or lost an entry."""
        self.claim("entries come and go in leaves", node.height == 0)
        self.claim("nothing was looked at above a node that is touched", z3.BoolVal(node.up is None))
        self.E, self.B = z3.If(node.hi <= self.E, self.E + by, self.E), z3.If(node.lo < self.B, self.B + by, self.B)
        self.n, node.degree, node.hi = self.n + by, node.degree + by, node.hi + by
        node.last_begin = node.hole.hi = node.hi

    def is_paired(self, node: Any) -> Truth:
        """Return whether the times and the values have changed at the same place."""
        times, values = (node.changed.get(which) for which in ("times", "values"))
        if times is None:
            return z3.BoolVal(values is None or values.how == "set")
        return z3.BoolVal(False) if values is None or times.how != values.how else times.place == values.place

    # Values that clauses use

    def state(self) -> Any:
        return TreeState(self)

    def coins(self, y: ZipperNode) -> Integer:
        """Return Lemma C.1's coins at a node, as the contract counts them."""
        return z3.substitute(_coins_term(self.table, y.on_top), (_ARITY, y.degree), (_MU, self.mu))

    def inner_ends(self, node: ZipperNode) -> tuple[Integer, Integer]:
        """Return E and B: computed if the root is unfolded above the node, else their former values."""
        while node.up is not None:
            node = node.up
        return (node.end_of_first, node.begin_of_last) if node.on_top else (self.E, self.B)

    def reaches_ends(self, node: ZipperNode, kind: Kind) -> Truth:
        """Return whether a left spine is in the root's first child, from the oldest entry on; a right one likewise."""
        E, B = self.inner_ends(node)
        left = {"the root": node.lo == 0, "left spine": z3.And(node.lo == 0, node.hi <= E)}
        right = {"the root": node.hi == self.n, "right spine": z3.And(B <= node.lo, node.hi == self.n)}
        return z3.And(left.get(kind, TRUE), right.get(kind, TRUE))

    def has_arity(self, node: ZipperNode) -> Truth:
        """Return the condition mu <= a <= 2 mu; for the root 2 <= a, or 1 <= a if it is a leaf."""
        least = z3.If(node.height == 0, 1, 2) if node.on_top else self.mu
        return z3.And(least <= node.degree, node.degree <= 2 * self.mu)

    def is_unwritten(self) -> bool:
        """Return whether code has assigned nothing to any node or to the tree."""
        return not any(y.is_written() for y in self.seen) and self.keeps_tree()

    def keeps_tree(self) -> bool:
        """Return whether code has assigned nothing to the tree."""
        held, made_with = vars(self.tree), self.tree_made_with
        return held.keys() == made_with.keys() and all(made_with[name] is held[name] for name in held)

    def note_written(self) -> None:
        """Make the present attributes the reference for later checks that code assigns nothing."""
        for y in self.seen:
            y.made_with = y.written
        self.tree_made_with = dict(vars(self.tree))

    # Unfolding

    def row(self, count: Integer, lo: Integer, hi: Integer, spine: Spine, *, left: bool) -> ChildRow:
        """Return a row of adjacent children: those before the unfolded child, or those behind it."""
        end = self.path.fresh("end of the outermost")
        some = z3.And(lo < end, end + 2 * count - 1 <= hi) if left else z3.And(lo + 2 * count - 1 <= end, end < hi)
        one = end == (hi - 1 if left else lo + 1)
        self.path.assume(z3.And(count >= 0, z3.If(count == 0, lo == hi, some), z3.Implies(count == 1, one)))
        return ChildRow(count, lo, hi, end, spine)

    def hang(self, x: ZipperNode, p: ZipperNode, place: Integer, left: Spine, right: Spine) -> None:
        """Put x below p, as its only unfolded child, between rows of folded ones with these spines."""
        x.up, x.place, p.nodes = p, place, [x]
        p.rows = [self.row(place, p.lo, x.lo, left, left=True),
                  self.row(p.degree - 1 - place, x.hi, p.hi, right, left=False)]  # fmt: skip

    def unfold_parent(self, x: ZipperNode) -> None:
        """Unfold Ctx(x), for x other than the root: its parent, whose other children are Sub, and Ctx of the parent."""
        assume = self.path.assume
        below = self.to_repair is not None and settle(x.height < self.to_repair)
        above = self.kinds[:-1] if x.kind == "neither" else (x.kind,)
        kind = "the root" if settle(x.height + 1 == self.levels) else self.choose("parent", *above)
        p = self.node_class(self, kind, x.height + 1, x.depth - 1)
        if kind == "the root":
            self.set_root(p)
            if below:
                assume(p.height >= self.to_repair)
        if x.kind == "neither":
            assume(x.level == p.level)
        passed = x.dirty and x.kind == "neither"
        known = self.truth("the spine is right") if passed and kind in ("left spine", "right spine") else TRUE
        self.hang(x, p, self.path.fresh("place"), Spine(known, self.E), Spine(known, self.B))
        p.dirty = x.dirty
        assume(z3.And(self.has_arity(p), p.first_end == p.end_of_first, p.last_begin == p.begin_of_last))
        if self.spines and kind in ("left spine", "the root"):
            assume((x.place == 0) if x.left_spine else (x.place > 0))
        if self.spines and kind in ("right spine", "the root"):
            assume((x.place == p.degree - 1) if x.right_spine else (x.place < p.degree - 1))
        if not below and not passed:
            assume(p.is_right())

    def unfold_sibling(self, p: ZipperNode, i: Integer) -> Any:
        """Unfold the child behind the unfolded ones, or the child before them."""
        after = z3.is_true(z3.simplify(i == p.nodes[-1].place + 1))
        if not after and not z3.is_true(z3.simplify(i == p.nodes[0].place - 1)):
            raise Unsupported(f"child {i} of a node of which others are unfolded")
        row = p.rows[after]
        self.claim("the node has this child", row.count >= 1)
        one = settle(row.count == 1)
        on_spine = one and p.has_spine(left=not after)
        kind: Kind = "neither" if not on_spine else "right spine" if after else "left spine"
        s = self.node_class(self, kind, p.height - 1, p.depth + 1)
        s.place, s.up = i, p
        if after:
            self.path.assume(s.lo == row.lo + 1)
            rest = self.row(row.count - 1, s.hi, row.hi, row.spine, left=False)
        else:
            self.path.assume(s.hi == row.hi - 1)
            rest = self.row(row.count - 1, row.lo, s.lo, row.spine, left=True)
        p.nodes.insert(len(p.nodes) if after else 0, s)
        p.rows[after] = rest
        self.path.assume((s.lo if after else s.hi) == row.end if one else rest.end == row.end)
        known = z3.And(row.spine.known, row.spine.of == self.inner_ends(s)[after]) if on_spine else TRUE
        self.path.assume(z3.And(self.has_arity(s), z3.Implies(known, s.is_right())))
        if on_spine:
            self.path.assume(z3.Implies(known, s.spine_is_right(left=not after)))
        return s

    def unfold_child(self, x: ZipperNode, place: Integer) -> Any:
        """Unfold Sub(x): one of its children.  Nothing is known about the aggregate of a child on a spine."""
        self.claim("the node has this child", z3.And(x.height > 0, 0 <= place, place < x.degree))
        first = x.has_spine(left=True) and settle(place == 0)
        last = x.has_spine(left=False) and not first and settle(place == x.degree - 1)
        kind: Kind = "left spine" if first else "right spine" if last else "neither"
        c = self.node_class(self, kind, x.height - 1, x.depth + 1)
        spines = list(x.spines)
        if first or last:  # the row on this side is empty
            spines[last] = Spine(TRUE, self.B if last else self.E)
        self.hang(c, x, place, *spines)
        self.path.assume(z3.And(self.has_arity(c), x.first_end == x.end_of_first, x.last_begin == x.begin_of_last))
        if not x.dirty:
            self.path.assume(z3.And(c.lo == x.bound(place), c.hi == x.bound(place + 1) - 1))
        if kind == "neither":
            self.path.assume(c.is_right())
        return c

    # Folding

    def fold(self, p: ZipperNode) -> None:
        """Fold Sub(p) from its rows and the children between them, except for its own arity and aggregate."""
        (row_left, row_right), nodes, claim = p.rows, p.nodes, self.claim
        for child in nodes:
            if child.nodes:
                self.fold(child)
        self.folded += nodes
        claim("arity counts the children", p.degree == row_left.count + len(nodes) + row_right.count)
        begins = [row_left.hi, *(node.hi + 1 for node in nodes[:-1])]
        whole = z3.And(row_left.lo == p.lo, nodes[-1].hi == row_right.lo, row_right.hi == p.hi)
        claim("what is below a node is what was", whole)
        no_left, no_right = settle(row_left.count == 0), settle(row_right.count == 0)
        for place, (child, begin) in enumerate(zip(nodes, begins, strict=True)):
            left = place == 0 and no_left and p.has_spine(left=True)
            right = place == len(nodes) - 1 and no_right and p.has_spine(left=False)
            claim("what is below a node is what was", child.lo == begin)
            claim("arity", self.has_arity(child))
            claim("height", child.height == p.height - 1)
            claim("parent", z3.BoolVal(child.up is p))
            flags = (child.on_top, child.left_spine, child.right_spine)
            claim("spine flags", z3.BoolVal(flags == (False, left, right)))
            if child.kind == "neither":
                claim("aggregate of a subtree", child.is_right())
        ends = self.inner_ends(p)
        p.spines = [row_left.spine, row_right.spine]
        for side, (outer, none) in enumerate(((nodes[0], no_left), (nodes[-1], no_right))):
            if none and outer.kind != "neither":
                p.spines[side] = Spine(z3.And(outer.is_right(), outer.spine_is_right(left=side == 0)), ends[side])
        p.first_end, p.last_begin, p.nodes = p.end_of_first, p.begin_of_last, []

    def fold_focus(self, x: ZipperNode) -> None:
        """Fold the focus: it fills the hole from which it was taken, and the rest meets Ctx."""
        self.show_fingers()
        self.folded = []
        self.fold_up(x)
        alone = all(y.gone or y in self.folded or not y.is_written() for y in self.seen)
        self.claim("what is not around the focus is as it was", z3.BoolVal(alone))
        told = all(y.changed == y.told and y.monoid is self.monoid for y in self.seen)
        self.claim("entries are as they were, but those that the operation is about", z3.BoolVal(told))

    def fold_up(self, x: ZipperNode) -> None:
        """Fold a node and the unfolded nodes above it."""
        claim = self.claim
        self.folded.append(x)
        if x.nodes:
            self.fold(x)
        claim("on one spine at most", z3.BoolVal(x.kind != "both spines"))
        claim("spines reach the ends", z3.BoolVal(x.kind in self.kinds) and self.reaches_ends(x, x.kind))  # type: ignore[arg-type]  # as claimed
        if not x.on_top:
            was = x.hole
            claim("what is below a node is what was", z3.And(x.lo == was.lo, x.hi == was.hi, x.height == was.height))
            claim("spine flags", z3.BoolVal(x.kind == was.kind))
        if x.up is not None:  # it was read for its aggregate, on a spine
            claim(
                "only above a spine is all right", z3.BoolVal(self.spines and x.kind in ("left spine", "right spine"))
            )
            self.fold_up(x.up)
            claim("aggregate above", x.up.is_right())
            if x.up.on_top:
                claim("the other spine", x.up.spine_is_right(left=x.kind == "right spine"))

    def show_fingers(self) -> None:
        """Show that each finger is the leaf on its own spine, or a root without children."""
        for finger, where in ((self.tree.left_finger, "left spine"), (self.tree.right_finger, "right spine")):
            own = not isinstance(finger, Finger) or finger.spine == where
            for y in self.seen if self.spines else ():
                here = z3.And(z3.BoolVal(not y.gone and (y.on_top or y.kind in (where, "both spines"))), y.height == 0)
                pointed = finger.points_at(y) if isinstance(finger, Finger) else z3.BoolVal(y is finger)
                self.claim("fingers", z3.And(z3.BoolVal(own), here == pointed))

    # Loops, and methods by contract

    def show_left(self, clauses: Sequence[Clause], local: Mapping[str, Any], place: str = "") -> None:
        """Show clauses, and end the path if one fails."""
        failures = len(self.path.report.failures)
        self.show(clauses, local, place)
        if len(self.path.report.failures) > failures:
            raise Finished
