"""Symbolic values for slices: windows and edges by contract, the stream, the slices kept, the answers.

A stream in order of time is given by the number of records before each time, which does not decrease.  Records are
numbered in order of arrival, so those of a window are consecutive, and its product is a segment.

Windows, edges and times are replaced by the claims about them, which hold for every range, slide and time: the windows
that have begun and that are over (`slicing/windows`); and that an edge is the latest at or before a time, is its own
edge, and lies wherever a window begins (`slicing/edges` of each technique).  So nothing here multiplies or divides.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from swagproof.proofs.engine.arrays import ItemKind, Selection, SymbolicRow, SymbolicSequence
from swagproof.proofs.engine.paths import Path, Unsupported, formula, remember, show
from swagproof.proofs.engine.run import run_of_path
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Container, Segment, SegmentMonoid, SymbolicBool, SymbolicInt, term
from swagproof.reference.slicing.slices import Answer

_INT = z3.IntSort()


class Numbers:
    """The numbers that a run mentions; the facts about each one, and about any two, are assumed once.

    An unknown place of a clause is not among them; facts are assumed when the place is known.
    """

    def __init__(self, each: Callable[[Integer], Truth], two: Callable[[Integer, Integer], Truth]) -> None:
        self.x, self.y = z3.Int("x"), z3.Int("y")
        self.each, self.two = each(self.x), z3.And(two(self.x, self.y), two(self.y, self.x))
        self.seen: dict[str, Integer] = {}

    def see(self, number: Integer) -> bool:
        """Mention a number, and return whether this is the first time."""
        number = z3.simplify(number)
        key = number.sexpr()
        if key in self.seen or run_of_path().pending is not None:
            return False
        remember(z3.substitute(self.each, (self.x, number)))
        for other in self.seen.values():
            remember(z3.substitute(self.two, (self.x, number), (self.y, other)))
        self.seen[key] = number
        return True


# Windows, by contract


class Query(NamedTuple):
    """A query with its range and slide."""

    range: SymbolicInt
    slide: SymbolicInt


class Periods:
    """The begins and ends of windows, and the last windows begun and ended at a time: by `slicing/windows`."""

    def __init__(self) -> None:
        self.begin, self.begun = (z3.Function(name, _INT, _INT, _INT) for name in ("begin", "last begun"))
        self.end, self.over = (z3.Function(name, _INT, _INT, _INT, _INT) for name in ("end", "last over"))
        self.of: dict[str, tuple[Numbers, Numbers]] = {}

    def known(self, range: Integer, slide: Integer) -> tuple[Numbers, Numbers]:
        """Return the windows and the times that were mentioned with this query."""

        def each(k: Integer) -> Truth:
            return self.end(k, range, slide) == self.begin(k, slide) + range

        def two(k: Integer, m: Integer) -> Truth:
            return z3.Implies(k < m, self.begin(k, slide) < self.begin(m, slide))

        key = f"{range.sexpr()}, {slide.sexpr()}"
        if key not in self.of:
            remember(range >= 1)
            self.of[key] = Numbers(each, two), Numbers(lambda t: z3.BoolVal(True), lambda t, u: z3.BoolVal(True))
        return self.of[key]

    def window(self, k: Integer, range: Integer, slide: Integer) -> tuple[Integer, Integer]:
        """Return the begin and end of window k."""
        windows, times = self.known(range, slide)
        begin, end = self.begin(k, slide), self.end(k, range, slide)
        if windows.see(k):
            for t in list(times.seen.values()):
                self.compare(t, k, range, slide)
        return begin, end

    def time(self, t: Integer, range: Integer, slide: Integer) -> tuple[Integer, Integer]:
        """Return the numbers of the last window that has begun at t, and of the last that is over."""
        windows, times = self.known(range, slide)
        if times.see(t):
            for k in list(windows.seen.values()):
                self.compare(t, k, range, slide)
        return self.begun(t, slide), self.over(t, range, slide)

    def compare(self, t: Integer, k: Integer, range: Integer, slide: Integer) -> None:
        begin, end = self.begin(k, slide), self.end(k, range, slide)
        remember(z3.And((begin <= t) == (k <= self.begun(t, slide)), (end <= t) == (k <= self.over(t, range, slide))))


class Edges:
    """The latest edge at or before a time: of an operator by the claims `slicing/edges`, of one query by others."""

    def __init__(self, of: Callable[[Integer], Integer]) -> None:
        self.of = of
        self.times = Numbers(
            lambda t: z3.And(of(t) <= t, of(of(t)) == of(t)), lambda t, u: z3.Implies(t <= u, of(t) <= of(u))
        )

    def edge(self, t: Integer) -> Integer:
        """Return edge(t)."""
        self.times.see(t)
        return self.of(t)

    def is_edge(self, t: Integer) -> None:
        """Assume that this time is an edge."""
        remember(self.edge(t) == t)


# The stream


class SymbolicStream(Container):
    """All records that have arrived, in order: `model` in the contracts."""

    run: Any

    def __init__(self, path: Path) -> None:
        self.first = path.fresh("records")
        self.count_before = z3.Function("before", _INT, _INT)
        self.time_of = z3.Function("time", _INT, _INT)
        self.times = Numbers(self.known, self.order)
        self.inserted: Integer | None = None
        """The time of a record that this operation inserts."""
        path.assume(self.first >= 0)

    def forget(self, path: Path) -> None:
        """Do nothing: no loop changes the stream."""

    def terms(self) -> list[Any]:
        return []

    @property
    def size(self) -> SymbolicInt:
        return SymbolicInt(self.first if self.inserted is None else self.first + 1)

    def known(self, t: Integer) -> Truth:
        """Return the facts about the number of records before t, and about the last of them."""
        count = self.count_before(t)
        return z3.And(0 <= count, count <= self.first, z3.Implies(count > 0, self.time_of(count - 1) < t))

    def order(self, t: Integer, u: Integer) -> Truth:
        """Return that counts do not fall, and grow from t to u if and only if the last before u is from t on."""
        count, last = self.count_before, self.time_of(self.count_before(u) - 1)
        grows = z3.Implies(t <= u, count(t) <= count(u))
        return z3.And(grows, z3.Implies(count(u) > 0, (t <= last) == (count(t) < count(u))))

    def see(self, t: Integer) -> None:
        """Assume the facts about a time."""
        self.times.see(t)

    def count(self, t: Integer) -> Integer:
        """Return the number of records before a time."""
        self.see(t)
        count = self.count_before(t)
        return count if self.inserted is None else z3.If(t <= self.inserted, count, self.first + 1)

    def before(self, t: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(self.count(term(t)))

    def last_before(self, t: SymbolicInt) -> SymbolicInt:
        last = self.count(term(t)) - 1
        time = self.time_of(last)
        return SymbolicInt(time if self.inserted is None else z3.If(last == self.first, self.inserted, time))

    def between(self, begin: SymbolicInt, end: SymbolicInt) -> Segment:
        return Segment(self.count(term(begin)), self.count(term(end)))

    def insert(self, t: SymbolicInt) -> None:
        """Insert a record at this time."""
        self.inserted = t.term

    def oldest_open(self, t: SymbolicInt) -> SymbolicInt:
        return self.run.oldest_open(term(t))  # type: ignore[no-any-return]  # of the run

    def has_answered(self, answers: "Answers", times: Any, queries: Any, below: Any = None) -> SymbolicBool:
        """Return whether the arbitrary window is answered once if it is due and among these, and otherwise not."""
        run, queries = self.run, term(queries)
        asked = run.query < queries
        if below is not None:
            asked = z3.Or(asked, z3.And(run.query == queries, run.number < term(below)))
        return SymbolicBool(answers.times == z3.If(z3.And(asked, run.is_due(*times)), 1, 0))

    def is_product(self, product: Segment, partials: SymbolicSequence) -> SymbolicBool:
        """Return whether this is the product of the partials; `combine` shows that they are neighbours."""
        first, last = partials.item(z3.IntVal(0)), partials.item(partials.length - 1)
        return SymbolicBool(z3.And(product.lo == first.lo, product.hi == last.hi, product.lo < product.hi))


# State and answers of the operator


class MadeSlice(NamedTuple):
    """A slice made by the code, to be put into the deque."""

    begin: SymbolicInt
    partial: Segment


SLICE: Final = ItemKind(
    (_INT, _INT, _INT),
    lambda begin, lo, hi: MadeSlice(SymbolicInt(begin), Segment(lo, hi)),
    lambda made: (term(made.begin), made.partial.lo, made.partial.hi),
)


class SymbolicSlices(SymbolicRow):
    """The deque of slices: the begin of each, and the records whose product is its partial aggregate."""

    def __init__(self, path: Path) -> None:
        super().__init__("slices", SLICE, path)

    def holds(self, place: Integer) -> Truth:
        """Return whether there is a slice at this place."""
        return z3.BoolVal(False) if self.first is self.last else super().holds(place)

    def item(self, index: Integer) -> "SymbolicSlice":
        """Return the slice at an index; a partial aggregate assigned to it is stored in the deque."""
        return SymbolicSlice(self, z3.simplify(self.first + index), super().item(index))


class SymbolicSlice:
    """A slice in the deque."""

    __hash__ = None  # type: ignore[assignment]  # one slice may have several stand-ins
    begin: SymbolicInt
    partial: Segment

    def __init__(self, slices: SymbolicSlices, place: Integer, made: MadeSlice) -> None:
        vars(self).update(slices=slices, place=place, begin=made.begin, partial=made.partial)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "partial":
            raise TypeError(f"a slice's {name} is not assigned")
        vars(self)["partial"] = value
        vars(self)["slices"].write(vars(self)["place"], MadeSlice(self.begin, value))


class Answers(Container):
    """A list of answers to windows; it counts the answers to the arbitrary window, which must be correct."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.times: Integer = z3.IntVal(0)
        self.ordered = False
        """True if the answers were sorted, and none was added since."""

    def forget(self, path: Path) -> None:
        self.times, self.ordered = path.fresh("times answered"), False

    def terms(self) -> list[Any]:
        return [self.times]

    def append(self, answer: Answer[Any]) -> None:
        run, (begin, end) = self.run, self.run.window
        query = term(answer.query)
        range, slide = (number.term for number in run.queries.item(query))
        begun, _ = run.periods.time(term(answer.begin), range, slide)
        window = run.periods.window(begun, range, slide)
        show("what is answered is a window", z3.And(term(answer.begin) == window[0], term(answer.end) == window[1]))
        same = z3.And(query == run.query, term(answer.begin) == begin.term, term(answer.end) == end.term)
        right = formula(lambda: answer.value == run.stream.between(begin, end))
        show("answer", z3.Implies(same, right))
        self.times, self.ordered = self.times + z3.If(same, 1, 0), False


def by_end(answers: Answers, key: Any) -> Answers:
    """Return sorted(answers, key=...)."""
    query, begin, end = (SymbolicInt(answers.run.path.fresh(name)) for name in ("query", "begin", "end"))
    answer: Any = Answer(query, begin, end, answers.run.monoid.identity)  # type: ignore[arg-type]  # unknown numbers
    show(
        "answers come by their ends, then by their queries", formula(lambda: key(answer) == (answer.end, answer.query))
    )
    answers.ordered = True
    return answers


class SliceMonoid(SegmentMonoid):
    """Segments whose `combine` is only for operations that assemble windows or insert a record."""

    free: str = ""
    """The name of the obligation that fails at a call, for an operation that makes no calls."""

    def combine(self, x: Segment, y: Segment) -> Segment:
        if self.free:
            show(self.free, z3.BoolVal(False))
        return super().combine(x, y)


class Queries(SymbolicSequence):
    """The queries."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.fresh("queries"), self.query)
        self.range, self.slide = (z3.Function(name, _INT, _INT) for name in ("range", "slide"))
        path.assume(self.length >= 1)

    def query(self, number: Integer) -> Query:
        """Return the query with this number."""
        return Query(SymbolicInt(self.range(number)), SymbolicInt(self.slide(number)))


class Chosen(Selection):
    """Selected items of a container's present state; for each selected item, the neighbours are mentioned too."""

    def __init__(self, items: Any, wanted: Callable[[Any], Any], made: Callable[[Any], Any]) -> None:
        super().__init__(items.freeze() if isinstance(items, Container) else items, wanted, made)
        if isinstance(items, Container):
            if "self" in (*wanted.__code__.co_freevars, *made.__code__.co_freevars):
                raise Unsupported("a list of what may be another when the list is read")
            run_of_path().listed = self
            for place in (z3.IntVal(0), self.items.length - 1):
                self.number(place)
            self.decree(self.look_beside)

    def look_beside(self, j: Integer) -> None:
        """Mention whether the neighbours were selected."""
        for beside in (self.places(j) - 1, self.places(j) + 1):
            self.number(beside)
