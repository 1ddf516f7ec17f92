"""Symbolic runs of TimeGram: induction over operations, for every set of windows, every stream and any widening.

From any state that meets the contracts the reference's own method is run, and the clauses are shown for the resulting
state; for a lookup, its bounds contain the exact answer.  Tuples are identified by the times of their arrival, and
their values are any real numbers.  The known facts about the grid are that buckets do not overlap, and that a wider
bucket contains the buckets that it replaces (`grid_laws`).

Sum and count add up buckets, and the definition adds up tuples.  The two are equal because each tuple of a window is in
one bucket; the proof is an induction over tuples and one over buckets (`by_buckets`).  `belonging` shows for every
state that the clauses admit that the buckets have this property.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.contracts.sharing import timegram as contract
from swagproof.models.shared import Registry
from swagproof.proofs.engine.arrays import ByPlace, Enumerated, Selection, SymbolicRow, SymbolicSequence
from swagproof.proofs.engine.paths import Path, Unsupported, formula
from swagproof.proofs.engine.records import NUMBER
from swagproof.proofs.engine.run import only, run_of_path, show_kept, show_unchanged
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import SegmentMonoid, SymbolicInt, term
from swagproof.proofs.sharing.shared_runs import SharedRun
from swagproof.proofs.sharing.timegram_buckets import BUCKETS, HOMES, Buckets, NewBucket, SymbolicBucket, Timestamps
from swagproof.proofs.sharing.timegram_numbers import (
    HOME,
    Home,
    Low,
    SymbolicReal,
    Value,
    Width,
    order_law,
    widened_law,
)

UPDATES: Final = ("start", "register", "remove_oldest", "insert", "widen")
LOOKUPS: Final = ("max", "min", "count", "sum", "avg")
METHODS: Final = (
    "register", "insert", *LOOKUPS, "widen", "belonging", "bucket_at", "remove_oldest", "bucket_of", "boundaries",
)  # fmt: skip
"""The methods to run, and the constructor."""

_REAL: Final = z3.RealSort()


class GramRun(SharedRun):
    """A run over any windows, any stream, any buckets."""

    NAMES: ClassVar[Mapping[str, Any]] = {
        **SharedRun.NAMES,
        "exact": lambda name, value: value,
        "isinstance": lambda value, kind: run_of_path().counts(value, kind),
        "Registry": Registry,
        "Bucket": NewBucket,
        "deque": lambda *items: run_of_path().deque(*items),
        "enumerate": Enumerated,
        "reversed": lambda items: SymbolicSequence(items.length, lambda j: items.item(items.length - 1 - j)),
        "bisect_left": lambda items, index, key: run_of_path().bisect_left(items, index, key),
        "bisect_right": lambda items, ts: items.up_to(ts),
        "sum": lambda selection: run_of_path().sum(selection),
        "__list__": lambda *items: run_of_path().empty_list(*items),
    }

    def __init__(self, path: Path, algorithm: type) -> None:
        super().__init__(path, SegmentMonoid(), contract.LOOPS)
        self.T, self.width = path.fresh("T"), path.fresh("width")
        path.assume(self.T >= 0)
        self.values = z3.Function("value", NUMBER, _REAL)
        self.arrived = self.T
        """The number of tuples that have arrived."""
        self.window: Integer | None = None
        """The size of the window W of a lookup."""
        self.times: SymbolicInt | None = None
        """The factor by which buckets become wider."""
        self.sums = z3.Function("sum of W before", NUMBER, _REAL)
        self.seen: dict[tuple[int, int], tuple[Any, Any]] = {}
        """The views of a grid and of a stream, for contracts."""
        self.algorithm = algorithm
        self.any_two = path.fresh("b"), path.fresh("c")
        self.make(
            only(algorithm, METHODS),
            low=Low(),
            high=Value(z3.Real("R")),
            width=Width(self.width),
            registry=self.registry,
            buckets=Buckets(path),
            homes=SymbolicRow(HOMES, HOME, path),
            now=SymbolicInt(self.T),
        )
        self.ghosts["sum_of"] = lambda done: SymbolicReal(self.sums(term(done)))
        self.kept = dict(self.attributes)

    def state(self) -> SimpleNamespace:
        width, arrived = self.object.width, self.arrived
        key = id(width), arrived.get_id()
        if key not in self.seen:
            values = ByPlace(lambda j: SymbolicReal(self.values(j + 1)))
            model = SimpleNamespace(size=SymbolicInt(arrived), values=values)
            self.seen[key] = partial(_bounds, width), model
        state = super().state()
        state.boundaries, state.model = self.seen[key]
        return state

    def value(self, ts: Integer) -> Value:
        """Return the value of the tuple that arrived at a time."""
        return Value(self.values(ts))

    # Meanings of names in the code

    def counts(self, value: Any, kind: Any) -> bool:
        """Return isinstance(value, int)."""
        if kind is not int or not isinstance(value, SymbolicInt | SymbolicReal):
            raise Unsupported("what is asked for is whether something is an int")
        return isinstance(value, SymbolicInt)

    def empty_list(self, *items: Any) -> Buckets:
        """Return [], an empty list of buckets."""
        if items:
            raise Unsupported("a list of buckets begins empty")
        return Buckets(self.path, empty=True)

    def deque(self, *items: Any) -> SymbolicRow:
        """Return deque(), or deque(made from each home) with the same places."""
        if not items:
            return SymbolicRow.of(HOMES, HOME)
        (selection,) = items
        path, place = self.path, self.path.fresh("any")
        if not isinstance(selection, Selection) or not isinstance(selection.items, SymbolicRow):
            raise Unsupported("a deque is made of homes")
        homes: SymbolicRow = selection.items.freeze()
        if selection.wanted(Home(place)) is not True:
            raise Unsupported("a deque is made of all homes")
        made = SymbolicRow(HOMES, HOME, path)
        made.first, made.last = homes.first, homes.last
        home = homes.arrays[0][place]
        known = [made.arrays[0][place] == selection.made(Home(home)).term]
        known += [] if self.times is None else [widened_law(self.width, self.times.term, home)]
        self.learn_of(HOMES, place, z3.Implies(homes.holds(place), z3.And(*known)))
        return made

    def bisect_left(self, items: Any, index: SymbolicInt, key: Callable[[Any], Any]) -> SymbolicInt:
        """Return the position of the first item that is not less, with the obligation that the items are in order."""
        if not isinstance(items, Buckets):
            raise Unsupported("it is buckets that are searched")
        path = self.path

        def number(b: Integer) -> Integer:
            return term(key(items.item(b)))

        b, c = self.any_two
        self.mention(b, BUCKETS)
        self.mention(c, BUCKETS)
        two = z3.And(0 <= b, b < c, c < items.count)
        path.show("what is searched by halves is in order", z3.Implies(two, number(b) <= number(c)))
        p, hole = path.fresh("place"), path.fresh("any")
        path.assume(z3.And(0 <= p, p <= items.count))
        self.pending = []  # for no known place
        fact = z3.If(hole < p, items.at(hole) < term(index), items.at(hole) >= term(index))
        self.pending = None
        path.show("a bucket is searched by its number", z3.Implies(items.holds(b), number(b) == items.at(b)))
        self.learn_of(BUCKETS, hole, z3.Implies(items.holds(hole), fact))
        self.mention(p, BUCKETS)
        self.mention(items.rank(term(index)), BUCKETS)
        return SymbolicInt(p)

    def sum(self, selection: Any) -> SymbolicInt:
        """Return the sum of the buckets' numbers of tuples of W, the number of tuples of W by `by_buckets`."""
        if not isinstance(selection, Selection) or not isinstance(selection.items, Buckets) or self.window is None:
            raise Unsupported("what is summed is something of each bucket")
        buckets, b = selection.items, self.path.fresh("b")
        self.mention(b, BUCKETS)
        inside = buckets.holds(b)
        if selection.wanted(buckets.item(b)) is not True:
            raise Unsupported("what is summed is something of each bucket")
        each = formula(lambda: selection.of(b) == self.belonging(buckets.item(b)), inside)
        self.path.show("what is summed up is how many tuples of W are in each bucket", z3.Implies(inside, each))
        return SymbolicInt(self.tuples)

    # Windows

    @property
    def tuples(self) -> Integer:
        """The number of tuples in W."""
        assert self.window is not None
        return z3.If(self.window < self.T, self.window, self.T)

    def look_at(self, window: Integer) -> None:
        """Choose this window for the lookups: each bucket adds to its sum as `by_buckets` states."""
        self.window = window
        hole, buckets = self.path.fresh("any"), self.object.buckets
        bucket = buckets.item(hole)
        count = z3.ToReal(self.belonging(bucket).term)
        left, right = self.object.width.bounds(bucket.index)
        added = self.sums(hole + 1) - self.sums(hole)
        self.path.assume(self.sums(0) == 0)
        within = z3.And(left * count <= added, added <= right * count)
        self.learn_of(BUCKETS, hole, z3.Implies(buckets.holds(hole), within))

    def has_extreme(self, name: str, left: Any, right: Any) -> Truth:
        """Return whether the greatest or least value of W is within these bounds; there is one if W has a tuple."""
        at, hole = self.path.fresh("when it arrived"), self.path.fresh("any")
        some, extreme = self.tuples >= 1, self.value(at).term
        self.path.assume(z3.Implies(some, self.of_window(at)))
        ts = self.T - self.object.homes.last + 1 + hole
        value = self.value(ts).term
        beyond = value <= extreme if name == "max" else extreme <= value
        self.learn_of(HOMES, hole, z3.Implies(z3.And(some, self.of_window(ts)), beyond))
        own = self.home(at)
        if left.num_args() == 2:  # L + i w, a function of the width and i
            found, buckets = left.arg(1), self.object.buckets
            self.mention(buckets.rank(found), BUCKETS)
            self.place_of(buckets.held.last(found))
            for pair in ((own, found), (found, own)):
                self.path.assume(order_law(self.width, *pair))
        return z3.And(some, left <= extreme, extreme <= right)

    def show_stream(self, *replaced: str, begun: int) -> None:
        """Show that the object keeps its constructor arguments, and counts the tuples that have arrived."""
        path, this = self.path, self.object
        show_kept(self, self.kept, "now", *replaced)
        path.show("T counts the tuples", term(this.now) == self.arrived)
        path.show("the stream goes on by inserts", z3.BoolVal(self.registry.begun == begun))
        kinds = isinstance(this.buckets, Buckets) and isinstance(this.homes, SymbolicRow)
        path.show(
            "homes and buckets are a deque and a list of their own",
            z3.BoolVal(kinds and not hasattr(this.homes, "taken")),
        )

    def belonging(self, bucket: SymbolicBucket) -> SymbolicInt:
        """Return the number of a bucket's timestamps in W."""
        timestamps = Timestamps(bucket)
        up_to = timestamps.up_to(SymbolicInt(self.T - self.window)).term
        return SymbolicInt(timestamps.size.term - up_to)

    def of_window(self, ts: Integer) -> Truth:
        """Return whether the tuple that arrived at a time is in W."""
        return z3.And(self.T - self.tuples < ts, ts <= self.T)

    def place_of(self, ts: Integer) -> Integer:
        """Return the place of the tuple's home, and mention that place."""
        place = z3.simplify(self.object.homes.last - 1 - (self.T - ts))
        self.mention(place, HOMES)
        return place

    def home(self, ts: Integer) -> Integer:
        """Return the home of the tuple that arrived at a time."""
        return self.object.homes.arrays[0][self.place_of(ts)]

    def instantiate(self, places: Any) -> None:
        """Instantiate the facts about a home and about its bucket: its position, and its timestamps."""
        super().instantiate(places)
        homes, buckets = (self.attributes.get(name) for name in (HOMES, BUCKETS))
        if isinstance(homes, SymbolicRow) and isinstance(buckets, Buckets):
            for place in (place for place, of in places if of == HOMES):
                home = homes.arrays[0][place]
                super().instantiate([(z3.simplify(buckets.rank(home)), BUCKETS)])
                buckets.held.has(home, term(self.object.now) - homes.last + 1 + place)


def _bounds(width: Width, index: SymbolicInt) -> tuple[SymbolicReal, ...]:
    return tuple(map(SymbolicReal, width.bounds(index)))


# Operations


def start(run: GramRun) -> None:
    """Run the constructor: nothing is registered or kept; an empty range, or no buckets, are refused."""
    path = run.path
    low, high = (SymbolicReal(z3.Real(name)) for name in ("L", "R"))
    count = SymbolicInt(path.fresh("K"))
    new: Any = run.make(only(run.algorithm, ("__init__",)))
    vars(new).clear()
    try:
        with run.guard(ValueError):
            new.__init__(low, high, count)
    except ValueError:
        path.show("what is refused has no range, or no buckets", z3.Or(count.term < 1, low.term >= high.term))
        return
    kept = vars(new).keys() == {"low", "high", "width", "registry", "buckets", "homes", "now"}
    path.show("it begins with its attributes alone", z3.BoolVal(kept))
    fair = z3.And(new.width.term * z3.ToReal(count.term) == high.term - low.term, new.width.term > 0)
    path.show(
        "K buckets of one width make up the range", z3.And(new.low.term == low.term, new.high.term == high.term, fair)
    )
    path.show("nothing is registered", z3.BoolVal(vars(new.registry) == vars(Registry())))
    path.show("no tuple has arrived", z3.BoolVal(type(new.now) is int and new.now == 0))
    empty = isinstance(new.buckets, Buckets) and isinstance(new.homes, SymbolicRow)
    none = z3.And(new.buckets.count == 0, new.homes.length == 0) if empty else z3.BoolVal(False)
    path.show("nothing is kept", none)


def register(run: GramRun) -> None:
    """Run `register` of a window before the first tuple, or have it refused."""
    run.know(contract.KEPT, {})
    size = run.register(run.T)
    run.show_stream(begun=0)
    run.registry.register(size)
    run.show(contract.KEPT, {})


def remove_oldest(run: GramRun) -> None:
    """Run `remove_oldest`: the oldest timestamp goes, and its bucket if it becomes empty."""
    run.know(contract.REQUIRES, {})
    old = run.state()
    with run.guard():
        run.object.remove_oldest()
    run.show_stream(begun=0)
    run.show(contract.PROMISES, {"old": old})


def insert(run: GramRun) -> None:
    """Run `insert` of the next tuple, with `remove_oldest` replaced by its contract."""
    run.know(contract.KEPT, {})
    newest, this = run.value(run.T + 1), run.object

    def remove_oldest() -> None:
        run.arrived = run.T + 1
        run.show_stream(begun=1)
        run.show(contract.REQUIRES, {}, "the oldest is removed")
        old = run.state()
        for container in (this.buckets, this.homes):
            container.forget(run.path)
        run.known = []
        run.know(contract.PROMISES, {"old": old})

    this.remove_oldest = remove_oldest
    run.kept["remove_oldest"] = remove_oldest
    run.attempt(lambda: this.insert(newest))
    run.arrived = run.T + 1
    run.place_of(run.T + 1)
    run.show_stream(begun=1)
    run.show(contract.KEPT, {})


def widen(run: GramRun) -> None:
    """Run `widen`, which multiplies the width by a whole factor, or is refused and changes nothing."""
    run.know(contract.KEPT, {})
    run.times = SymbolicInt(run.path.fresh("times"))
    before = run.state()
    try:
        with run.guard(ValueError):
            run.object.widen(run.times)
    except ValueError:
        run.path.show("what is refused is no whole factor", run.times.term < 1)
        show_unchanged(run, "what is refused changes nothing", before)
        return
    wider = isinstance(run.object.width, Width) and run.object.width.term.eq((Width(run.width) * run.times).term)
    run.path.show("buckets are so many times as wide", z3.BoolVal(wider))
    run.show_stream("width", "homes", "buckets", begun=0)
    run.show(contract.KEPT, {})


def belonging(run: GramRun) -> None:
    """Show that a tuple of W is in the bucket of its home and in no other, and that W has no other timestamps."""
    path = run.path
    run.know(contract.KEPT, {})
    run.window = path.fresh("W")
    path.assume(run.registry.has(run.window))
    ts, b = path.fresh("ts"), path.fresh("b")
    run.mention(b, BUCKETS)
    bucket = run.object.buckets.item(b)
    inside, home = run.object.buckets.holds(b), run.home(ts)
    there = z3.And(Timestamps(bucket).has(ts), ts > run.T - run.window)
    path.show(
        "a bucket has the tuples of W whose home it is",
        z3.Implies(inside, there == z3.And(run.of_window(ts), home == bucket.place)),
    )
    left, right = run.object.width.bounds(Home(bucket.place))
    value = run.value(ts).term
    placed = z3.And(left <= value, value <= right)
    path.show("their values are within its boundaries", z3.Implies(z3.And(inside, there), placed))
    stands = run.object.buckets.rank(home)
    at = z3.And(run.object.buckets.holds(stands), run.object.buckets.at(stands) == home)
    path.show("a tuple of W is in one bucket", z3.Implies(run.of_window(ts), at))
    path.show("and in no other", z3.Implies(z3.And(run.of_window(ts), inside, bucket.place == home), b == stands))


def look_up(name: str, run: GramRun) -> None:
    """Show that a lookup's bounds contain the exact answer, are None if and only if W is empty; nothing changes."""
    path = run.path
    run.know(contract.KEPT, {})
    run.look_at(path.fresh("W"))
    before = run.state()
    answer = run.attempt(lambda: getattr(run.object, name)(SymbolicInt(run.window)))
    show_unchanged(run, "a look-up changes nothing", before)
    run.show_stream(begun=0)
    if name == "count":
        path.show("count is exact", term(answer) == run.tuples)
        return
    if answer is None:
        run.place_of(run.T)
        path.show(f"{name} of no tuples", run.tuples == 0)
        return
    left, right = (bound.term for bound in answer)
    exact = run.sums(run.object.buckets.count)
    if name == "sum":
        path.show("sum contains", z3.And(left <= exact, exact <= right))
    elif name == "avg":
        n = z3.ToReal(run.tuples)
        path.show("avg has tuples", run.tuples >= 1)
        path.show("avg contains", z3.And(left * n <= exact, exact <= right * n))
    else:
        path.show(f"{name} contains", run.has_extreme(name, left, right))


def _run(operation: Callable[[GramRun], None], algorithm: type, path: Path) -> None:
    """Run one operation, along one path."""
    operation(GramRun(path, algorithm))


RUNS: Final[Mapping[str, Callable[[Any, Path], None]]] = {
    **{each.__name__: partial(_run, each) for each in (start, register, remove_oldest, insert, widen, belonging)},
    **{name: partial(_run, partial(look_up, name)) for name in LOOKUPS},
}
