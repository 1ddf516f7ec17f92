"""Symbolic runs of OrderedSharing: induction over operations, for every set of windows, stream and total order.

From any state that meets the contracts the reference's own method is run, and the clauses are shown for the resulting
state.  Values are represented by ranks, which are numbers: every finite set of values of a total order maps into them.
The tuple that arrived at time t has the rank `value(t)`.  Other methods use `worse` by its contract: the value of lower
rank is worse.  A run of `worse` shows this for max, if ranks ascend with values, and for min, if they descend.  Code
that compares values directly cannot know which of the two holds.  So one proof covers maxima and minima.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.contracts.sharing import ordered_sharing as contract
from swagproof.proofs.engine.arrays import Selection
from swagproof.proofs.engine.loops import Changes, rewrite
from swagproof.proofs.engine.paths import Path, formula, settle
from swagproof.proofs.engine.records import NUMBER
from swagproof.proofs.engine.run import Cutter, only, run_of_path, show_kept
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import SegmentMonoid, SymbolicInt, term
from swagproof.proofs.sharing import ordered_values as values
from swagproof.proofs.sharing.ordered_values import ASCENDING, TUPLES, Age, Ranked, SymbolicSharedWindow
from swagproof.proofs.sharing.shared_runs import WINDOWS, SharedRun
from swagproof.reference.sharing import ordered_sharing as module
from swagproof.reference.sharing.ordered_sharing import OrderedSharing, OrderedSharingMin

METHODS: Final = (
    "register", "insert", "lookup", "worse", "refuse_unordered", "within", "valid", "largest_valid", "remove_up_to",
    "fix", "discard", "recalculate", "before",
)  # fmt: skip


class WindowCutter(Cutter):
    """A cutter of loops whose variables hold a window or None."""

    run: "OrderedRun"

    def forget_value(self, name: str, value: Any) -> Any:
        if not (value is None or isinstance(value, SymbolicSharedWindow)):
            return super().forget_value(name, value)
        self.changing.add(name)
        self.kinds[name] = {type(None), SymbolicSharedWindow}
        return self.run.maybe(name)

    def next(self) -> Any:
        """Take the next item; for selected items, also mention the previous turn's place, to which clauses refer."""
        if isinstance(self.items, Selection):
            self.items.place(self.done.term - 1)
        return super().next()


class OrderedRun(SharedRun):
    """A run over any windows, any stream, any tree."""

    NAMES: ClassVar[Mapping[str, Any]] = {
        **SharedRun.NAMES,
        "min": lambda x, y: SymbolicInt(z3.If(term(x) < term(y), term(x), term(y))),
        "Window": lambda answer, ts, size: (answer, ts, size),
        "NEVER": values.NEVER,
        "__is__": values.is_same,
        "__select__": lambda *parts: run_of_path().select(*parts),
        "_smaller_than": lambda w: run_of_path().smaller_than(w),
    }

    def __init__(self, path: Path, algorithm: type) -> None:
        super().__init__(path, SegmentMonoid(), contract.LOOPS)
        self.T = path.fresh("T")
        path.assume(self.T >= 0)
        self.values = z3.Function("value", NUMBER, NUMBER)
        self.newest = Ranked(self.values(self.T + 1))
        self.selections: list[Selection] = []
        self.for_max = not issubclass(algorithm, OrderedSharingMin)
        self.found: SymbolicSharedWindow | None = None
        """The window found by a method that is replaced by its contract."""
        self.history: list[Any] = []
        """The facts known about every state so far: loops relate their changes to the state before."""
        self.asked_for, self.best = path.fresh("size"), path.fresh("the best of the window")
        self.smaller_than: Any = rewrite(module._smaller_than, {}).method  # pyright: ignore[reportPrivateUsage]  # part of what is proved
        self.make(
            only(algorithm, METHODS),
            registry=self.registry,
            windows=values.Windows(path, self.registry),
            currentTime=values.Clock(self.T),
        )
        self.object.worse = Ranked.is_worse
        self.object.tree, self.object.tuples = values.SymbolicSearchTree(self), values.Tuples(self)
        self.ghosts["model"] = values.Stream(self, self.T)

    def know(self, clauses: Sequence[Any], local: Mapping[str, Any]) -> None:
        super().know(clauses, local)
        self.history += self.known[self.latest :]

    def begin(self, clauses: Sequence[Any], **local: Any) -> SimpleNamespace:
        """Assume the clauses about the initial state, and return that state."""
        self.know(clauses, local)
        return self.state()

    def window(self, name: str) -> SymbolicSharedWindow:
        """Return any registered window."""
        size = self.path.fresh(name)
        self.path.assume(self.object.windows.holds(size))
        self.mention(size, WINDOWS)
        return SymbolicSharedWindow(self.object.windows, size)

    def maybe(self, name: str) -> SymbolicSharedWindow | None:
        """Return any registered window, or None on another branch."""
        return self.window(name) if settle(z3.Bool(str(self.path.fresh(f"{name} is there")))) else None

    def promise(self, method: str, **local: Any) -> None:
        """Replace a method by its contract: its containers are forgotten, and its postcondition assumed."""
        self.show(contract.REQUIRES[method], local, f"{method} is called")
        old, this = self.state(), self.object
        for container in (this.windows, this.tree, this.tuples):
            container.forget(self.path)
        self.know(contract.PROMISES[method], {**local, "old": old})

    def call_by_contract(self) -> None:
        """Replace the methods that insert and lookup call by their contracts."""
        this = self.object

        def largest_valid(newValue: Any) -> Any:  # the method's own parameter name
            self.found = w = self.maybe("w")
            self.promise("largest_valid", w=w, newValue=newValue)
            return w

        def recalculate(w: Any) -> Any:
            validated = self.select(self.registry.sizes, lambda size: size <= w.size, this.windows.__getitem__)
            self.promise("recalculate", w=w, validated=validated, done=validated.size)
            return validated

        def valid(w: Any) -> Any:
            self.show(contract.REQUIRES["valid"], {}, "valid is called")
            self.found = holder = self.maybe("holder")
            this.tree.ways = this.tree.ways + 1
            self.know(contract.PROMISES["valid"], {"w": w, "holder": holder})
            return holder

        def fix(w: Any) -> None:
            self.show(contract.REQUIRES["fix"], {"w": w}, "fix is called")
            this.tree.ways = this.tree.ways + 1  # all other parts are unchanged, so nothing is forgotten

        this.valid = valid
        this.refuse_unordered = lambda v: None
        this.largest_valid = largest_valid
        this.remove_up_to = lambda size: self.promise("remove_up_to", size=size)
        this.fix = fix
        this.recalculate = recalculate

    def forget_fields(self, cutter: Cutter) -> None:
        self.known = list(self.history)
        if self.base is not None and self.depth == 0 and cutter.changes.writes:  # nothing else is known any more
            self.facts = []
            for known in self.known:
                known.begin_again()
            self.mentioned.clear()
            self.registry.begin_again()
            for selection in self.selections:
                selection.begin()

    def instantiate(self, places: Sequence[tuple[Integer, str]]) -> None:
        """Instantiate the facts about each window: its registration, its validation, and the time of its answer."""
        super().instantiate(places)
        if self.object is None or not hasattr(self.object, "tree"):
            return
        times: list[tuple[Integer, str]] = []
        for place, of in places:
            if of == WINDOWS:
                self.object.tree.has(place)
                for selection in self.selections:
                    selection.number(self.registry.rank(place))
                times.append((z3.simplify(self.object.windows.load("ts", place)), TUPLES))
        if times:
            super().instantiate(times)

    def select(self, *parts: Any) -> Selection:
        """Return a list selected from another."""
        selection = Selection(*parts)
        self.selections.append(selection)
        return selection

    def cutter(self, method: str, loops: Sequence[Changes | None], number: int) -> Cutter:
        cutter = super().cutter(method, loops, number)
        if type(cutter) is Cutter:
            cutter = self.cutters[method, number] = WindowCutter(self, cutter.loop, cutter.changes, method)
        return cutter

    def show_selected(self, validated: Any, w: SymbolicSharedWindow) -> None:
        """Show that the validated windows are w and all smaller ones, in the order of their sizes."""
        size = self.path.fresh("v")
        self.mention(size, WINDOWS)
        is_one = isinstance(validated, Selection) and validated in self.selections
        all_smaller = formula(lambda: validated.wanted(SymbolicInt(size))) == (size <= w.place) if is_one else False
        own = formula(lambda: validated.made(SymbolicInt(size)).size == SymbolicInt(size)) if is_one else False
        same = z3.And(own, all_smaller) if is_one else z3.BoolVal(False)
        self.path.show("those validated are w and all smaller windows", z3.Implies(self.registry.has(size), same))

    def best_of(self, size: SymbolicInt) -> None:
        """Assume the definition of the answer of a window with tuples: there is a best one among them."""
        best, T = self.best, self.T
        self.path.assume(self.asked_for == size.term)
        first = z3.If(T < size.term, z3.IntVal(1), T - size.term + 1)
        self.path.assume(z3.Implies(z3.And(T > 0, size.term >= 1), z3.And(first <= best, best <= T)))
        self.mention(best, TUPLES)
        hole = self.path.fresh("any")
        inside = z3.And(T > 0, first <= hole, hole <= T)
        beats = formula(lambda: self.object.worse(Ranked(self.values(best)), Ranked(self.values(hole))))
        self.learn_of(TUPLES, hole, z3.Implies(inside, z3.Not(beats)))

    def is_as_it_was(self, old: Any) -> bool:
        """Return whether nothing has changed except the number of searches in the tree."""
        held = [
            [*state.windows.terms(), *state.tuples.terms(), state.tree.members, state.tree.length]
            for state in (self.object, old)
        ]
        return all(now.eq(then) for now, then in zip(*held, strict=True))

    def serves(self, state: Any, by: Integer, size: Integer, T: Integer) -> Truth:
        """Return whether a window makes one of this size valid: it is in the tree, not smaller, and recent."""
        w = state.windows.item(by)
        return z3.And(state.tree.has(by), by >= size, (Age(T - w.ts.term, w.ts.never) < SymbolicInt(size)).term)

    def spent(self, old: Any) -> tuple[Integer, Integer]:
        """Return the new descents of the tree and its new windows; a descent visits at most its height in nodes."""
        tree = self.object.tree
        return tree.ways - old.tree.ways, tree.length - old.tree.length


def start(algorithm: type, path: Path) -> None:
    """Show that initially nothing is registered and nothing is kept."""
    new = algorithm()
    empty = not (new.registry.sizes or new.windows or list(new.tree) or new.tuples or new.currentTime)
    path.show("it begins with nothing", z3.BoolVal(empty))
    kept = vars(new).keys() == {"registry", "windows", "tree", "tuples", "currentTime"}
    path.show("it begins with its attributes alone", z3.BoolVal(kept and type(new.currentTime) is int))
    path.show("no number of tuples is too many", z3.BoolVal(new.tuples.maxlen is None))


def register(run: OrderedRun) -> None:
    """Run `register` of a window before the first tuple, or have it refused."""
    run.begin(contract.KEPT)
    size = run.register(run.T)
    made = run.object.windows.made
    run.path.show("each window is kept once", z3.And(len(made) == 1, *(each == size for each in made)))
    run.registry.register(size)
    run.show(contract.KEPT, {})


def insert(run: OrderedRun) -> None:
    """Run `insert` of the next tuple."""
    path = run.path
    old = run.begin(contract.KEPT)
    run.call_by_contract()
    run.mention(run.T + 1, TUPLES)
    run.attempt(lambda: run.object.insert(run.newest))
    path.show("T counts the tuples", term(run.object.currentTime) == run.T + 1)
    path.show("the stream has begun", z3.BoolVal(run.registry.begun == 1))
    spent, more = run.spent(old)
    path.show("insert paid", spent + 2 * more <= 3)
    size, beaten = path.fresh("size"), run.window("beaten").place
    was = old.windows.item(beaten)
    beats = z3.Not(formula(lambda: run.object.worse(run.newest, was.answer)))
    of_it = z3.And(1 <= size, size <= beaten, run.serves(old, beaten, beaten, run.T + 1), beats)
    w = run.found
    serves = z3.BoolVal(False) if w is None else run.serves(run.state(), w.place, size, run.T + 1)
    path.show("insert validates", z3.Implies(of_it, serves))
    other, by = run.window("other").place, run.window("by").place
    servants = [by] if w is None else [by, w.place]
    still = z3.Or(*(run.serves(run.state(), servant, other, run.T + 1) for servant in servants))
    path.show("insert keeps what is valid", z3.Implies(run.serves(old, by, other, run.T + 1), still))
    run.ghosts["model"] = values.Stream(run, run.T + 1)
    run.show(contract.KEPT, {})


def lookup(run: OrderedRun) -> None:
    """Run `lookup` of any registered window; any other is refused."""
    path = run.path
    size = SymbolicInt(path.fresh("size"))
    run.best_of(size)
    old = run.begin(contract.KEPT)
    run.call_by_contract()
    answer = run.attempt(lambda: run.object.lookup(size))
    path.show("answer", formula(lambda: answer == run.ghosts["model"].lookup(size)))
    path.show("T counts the tuples", term(run.object.currentTime) == run.T)
    spent, more = run.spent(old)
    if run.is_as_it_was(old):
        valid = z3.BoolVal(False) if run.found is None else run.serves(old, run.found.place, size.term, run.T)
        path.show("lookup paid", z3.If(valid, spent <= 1, z3.And(run.T == 0, spent <= 2)))
        path.show("lookup validates", z3.Or(valid, run.T == 0))
        return
    (validated,) = run.selections
    other, by = run.window("other").place, run.window("by").place
    path.show("none serves what is validated", z3.Not(run.serves(old, by, size.term, run.T)))
    path.show("lookup paid", spent + 2 * more <= 2 + 3 * validated.length)
    had = z3.Or(run.serves(old, by, other, run.T), other <= size.term)
    has = z3.Or(run.serves(run.state(), by, other, run.T), run.serves(run.state(), other, other, run.T))
    path.show("lookup validates", z3.Implies(had, has))
    run.show(contract.KEPT, {})


def worse(run: OrderedRun) -> None:
    """Show that `worse` selects the value of lower rank; ranks ascend with values for max, and descend for min."""
    x, y = (Ranked(run.path.fresh(name)) for name in ("x", "y"))
    run.path.assume(ASCENDING if run.for_max else z3.Not(ASCENDING))
    del run.object.worse
    with run.guard():
        answer = run.object.worse(x, y)
    run.path.show("worse is of lower rank", z3.BoolVal(bool(answer)) == (x.term < y.term))


def validity(run: OrderedRun) -> None:
    """Show that, if the answer of any window not smaller is recent enough, the smallest such in the tree serves."""
    run.begin(contract.KEPT)
    size, by = run.window("size").place, run.window("by").place
    holder, hole = run.path.fresh("holder"), run.path.fresh("any")
    tree, there = run.object.tree, z3.Bool("there is one")
    smallest = z3.Implies(z3.And(tree.members[hole], hole >= size), z3.And(there, holder <= hole))
    run.learn_of(WINDOWS, hole, smallest)
    run.path.assume(z3.Implies(there, z3.And(tree.has(holder), holder >= size)))
    run.mention(holder, WINDOWS)
    w = run.object.windows.item(by)
    defined = z3.And(by >= size, (Age(run.T - w.ts.term, w.ts.never) < SymbolicInt(size)).term)
    run.path.show("validity", z3.Implies(defined, z3.And(there, run.serves(run.state(), holder, size, run.T))))


def refuse_unordered(run: OrderedRun) -> None:
    """Show that no value of the order is refused."""
    run.begin(())
    with run.guard():
        run.object.refuse_unordered(run.newest)
    run.path.show("what has a place in the order is not refused", z3.BoolVal(True))


def _show_part(method: str, run: OrderedRun) -> None:
    """Run a method that insert or lookup calls, and show its contract."""
    path, this, local = run.path, run.object, dict[str, Any]()
    if method == "largest_valid":
        local["newValue"] = run.newest
    elif method == "remove_up_to":
        local["size"] = SymbolicInt(path.fresh("size"))
    else:
        local["w"] = w = run.window("w")
        path.assume(w.answer.there if method == "fix" else z3.BoolVal(True))
    old = run.begin(contract.REQUIRES[method], **local)
    run.base = path.solver.facts
    with run.guard():
        found = getattr(this, method)(*local.values())
    if method == "largest_valid":
        local["w"] = found
        path.show("a window is found, or none", z3.BoolVal(found is None or isinstance(found, SymbolicSharedWindow)))
    if method in ("valid", "fix"):
        path.show("one way down", z3.And(this.tree.ways == old.tree.ways + 1, this.tree.length == old.tree.length))
    if method == "valid":
        local["holder"] = found
        path.show("whether a window is valid is asked, and nothing is changed", z3.BoolVal(run.is_as_it_was(old)))
    if method == "recalculate" and found is not None:
        run.show_selected(found, local["w"])
        local |= {"validated": found, "done": found.size}
    run.show(contract.PROMISES[method], {**local, "old": old})


def _run(operation: Callable[[OrderedRun], None], algorithm: type, path: Path) -> None:
    """Run one operation along one path."""
    this = OrderedRun(path, algorithm)
    kept = dict(this.attributes)
    operation(this)
    for method in set(METHODS) - kept.keys():  # replacements installed during the run
        vars(this.object).pop(method, None)
    if operation is not worse:  # `worse` itself runs without its replacement
        show_kept(this, kept, "currentTime")


def _worse_of_min(algorithm: type, path: Path) -> None:
    """Run `worse` for min, and show that the rest is the code for max."""
    own = [name for name in METHODS if getattr(OrderedSharingMin, name) is not getattr(OrderedSharing, name)]
    path.show("min has the methods of max, but for worse", z3.BoolVal(own == ["worse"]))
    _run(worse, OrderedSharingMin, path)


PARTS: Final = ("valid", "fix", "remove_up_to", "largest_valid", "recalculate")
RUNS: Final[Mapping[str, Callable[[Any, Path], None]]] = {
    "start": start,
    **{each.__name__: partial(_run, each) for each in (register, refuse_unordered, validity, worse)},
    "worse of min": _worse_of_min,
    **{name: partial(_run, partial(_show_part, name)) for name in PARTS},
    **{each.__name__: partial(_run, each) for each in (insert, lookup)},
}
