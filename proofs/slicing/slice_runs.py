"""The symbolic runs of slices: each operation from any state that meets its contracts, for any queries over any stream.

A stream in order of time is known by how many records came before each time: a count that does not fall.  Records are
numbered as they come, so those of a window are consecutive, and its product is a segment.  Queries are as many as there
may be; what holds of a window is shown of one, of which nothing is known but that it is a window of a query.

What the code asks of windows, edges and times is answered by contract, as rows of their own prove it for every range,
slide and time: which windows have begun and which are over (`slicing/windows`); and that an edge is the latest at or
before a time, one edge to an edge, and one wherever a window begins (`slicing/edges` of each technique).  So nothing
here multiplies or divides.
"""

from collections import deque
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal, NamedTuple, get_args

from swagproof.contracts.slicing import slices as contract
from swagproof.models.sliced import SlicedWindows
from swagproof.models.windows.window import LateError
from swagproof.proofs.engine.arrays import (
    ItemKind,
    Selection,
    SymbolicRow,
    SymbolicSequence,
    any_of,
    greatest,
    least,
    symbolic_range,
)
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import (
    Exploration,
    Path,
    Unsupported,
    current_path,
    enclosing_path,
    explore,
    formula,
    remember,
    show,
)
from swagproof.proofs.engine.run import Run, make_runnable, show_unchanged
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import Container, Segment, SegmentMonoid, SymbolicBool, SymbolicInt, term

METHODS: Final = ("insert", "advance", "assemble", "release")
"""The methods that are run; `edge` is replaced by the claims about it."""

SliceOperation = Literal["start", "insert", "advance", "assemble", "release"]
OPERATIONS: Final[tuple[SliceOperation, ...]] = get_args(SliceOperation)

_INT, _BOOL = z3.IntSort(), z3.BoolSort()


class Numbers:
    """Numbers of which something was asked: what is known of each, and of any two of them, is told once.

    A place of which a clause is read for any is none of them: where it is known which place it is, it is told.
    """

    def __init__(self, each: Callable[[Integer], Truth], two: Callable[[Integer, Integer], Truth]) -> None:
        self.x, self.y = z3.Int("x"), z3.Int("y")
        self.each, self.two = each(self.x), z3.And(two(self.x, self.y), two(self.y, self.x))
        self.seen: dict[str, Integer] = {}

    def see(self, number: Integer) -> bool:
        """Return whether this is the first time."""
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
    """A query, as the code reads it."""

    range: SymbolicInt
    slide: SymbolicInt


class Periods:
    """The begins and ends of windows, and the last windows begun and ended at a time: by `slicing/windows`."""

    def __init__(self) -> None:
        self.begin, self.begun = (z3.Function(name, _INT, _INT, _INT) for name in ("begin", "last begun"))
        self.end, self.over = (z3.Function(name, _INT, _INT, _INT, _INT) for name in ("end", "last over"))
        self.of: dict[str, tuple[Numbers, Numbers]] = {}

    def known(self, range: Integer, slide: Integer) -> tuple[Numbers, Numbers]:
        """The windows and the times that were spoken of with this query."""

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
        """Window k."""
        windows, times = self.known(range, slide)
        begin, end = self.begin(k, slide), self.end(k, range, slide)
        if windows.see(k):
            for t in list(times.seen.values()):
                self.compare(t, k, range, slide)
        return begin, end

    def time(self, t: Integer, range: Integer, slide: Integer) -> tuple[Integer, Integer]:
        """The last window that has begun at t, and the last that is over."""
        windows, times = self.known(range, slide)
        if times.see(t):
            for k in list(windows.seen.values()):
                self.compare(t, k, range, slide)
        return self.begun(t, slide), self.over(t, range, slide)

    def compare(self, t: Integer, k: Integer, range: Integer, slide: Integer) -> None:
        begin, end = self.begin(k, slide), self.end(k, range, slide)
        remember(z3.And((begin <= t) == (k <= self.begun(t, slide)), (end <= t) == (k <= self.over(t, range, slide))))


class Edges:
    """The latest edge at or before a time, by the rows `slicing/edges`."""

    def __init__(self) -> None:
        self.of = z3.Function("edge", _INT, _INT)
        self.times = Numbers(lambda t: self.of(t) <= t, lambda t, u: z3.Implies(t <= u, self.of(t) <= self.of(u)))

    def edge(self, t: Integer) -> Integer:
        """edge(t)"""
        self.times.see(t)
        return self.of(t)

    def is_edge(self, t: Integer) -> None:
        """Tell that this is one."""
        remember(self.edge(t) == t)


# The stream


class SymbolicStream(Container):
    """All records that came, in order, beside the operator: `model` in the contracts."""

    run: "SliceRun"

    def __init__(self, path: Path) -> None:
        self.first = path.fresh("records")
        self.count_before = z3.Function("before", _INT, _INT)
        self.time_of = z3.Function("time", _INT, _INT)
        self.times = Numbers(self.known, self.order)
        self.inserted: Integer | None = None
        """The time of a record that this operation inserts."""
        path.assume(self.first >= 0)

    def forget(self, path: Path) -> None:
        """No loop changes the stream."""

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
        """A count of records does not fall; and the last record before u is of t or later if it counts one more."""
        count, last = self.count_before, self.time_of(self.count_before(u) - 1)
        grows = z3.Implies(t <= u, count(t) <= count(u))
        return z3.And(grows, z3.Implies(count(u) > 0, (t <= last) == (count(t) < count(u))))

    def see(self, t: Integer) -> None:
        """Tell what is known of a time."""
        self.times.see(t)

    def count(self, t: Integer) -> Integer:
        """Return how many records came before a time."""
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
        """A record."""
        self.inserted = t.term

    def oldest_open(self, t: SymbolicInt) -> SymbolicInt:
        return self.run.oldest_open(term(t))

    def has_answered(self, answers: "Answers", times: Any, queries: Any, below: Any = None) -> SymbolicBool:
        """Return whether the arbitrary window is answered once if it is due and one of these, and else not."""
        run, queries = self.run, term(queries)
        asked = run.query < queries
        if below is not None:
            asked = z3.Or(asked, z3.And(run.query == queries, run.number < term(below)))
        return SymbolicBool(answers.times == z3.If(z3.And(asked, run.is_due(*times)), 1, 0))

    def is_product(self, product: Segment, partials: SymbolicSequence) -> SymbolicBool:
        """Return whether this is the product of neighbours that have records; that they are is shown as they are
        combined."""
        first, last = partials.item(z3.IntVal(0)), partials.item(partials.length - 1)
        return SymbolicBool(z3.And(product.lo == first.lo, product.hi == last.hi, product.lo < product.hi))


# What the operator keeps, and answers


class MadeSlice(NamedTuple):
    """A slice that the code makes: it goes to the deque."""

    begin: SymbolicInt
    partial: Segment


SLICE: Final = ItemKind(
    (_INT, _INT, _INT),
    lambda begin, lo, hi: MadeSlice(SymbolicInt(begin), Segment(lo, hi)),
    lambda made: (term(made.begin), made.partial.lo, made.partial.hi),
)


class SymbolicSlices(SymbolicRow):
    """The deque of slices: where each begins, and what its partial aggregate is the product of."""

    def __init__(self, path: Path) -> None:
        super().__init__("slices", SLICE, path)

    def holds(self, place: Integer) -> Truth:
        """Return whether there is a slice at this place."""
        return z3.BoolVal(False) if self.first is self.last else super().holds(place)

    def item(self, index: Integer) -> "SymbolicSlice":
        """The slice at an index: a partial aggregate that it is given stays in the deque."""
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


class Answer(NamedTuple):
    """An answer that the code makes."""

    query: Any
    begin: SymbolicInt
    end: SymbolicInt
    value: Segment


class Answers(Container):
    """A list of answers: how often it has that of the arbitrary window, which must be right; and windows alone."""

    def __init__(self, run: "SliceRun") -> None:
        self.run = run
        self.times: Integer = z3.IntVal(0)
        self.ordered = False
        """True if the times were sorted, and none was added since."""

    def forget(self, path: Path) -> None:
        self.times, self.ordered = path.fresh("times answered"), False

    def terms(self) -> list[Any]:
        return [self.times]

    def append(self, answer: Answer) -> None:
        run, (begin, end) = self.run, self.run.window
        query = term(answer.query)
        range, slide = (number.term for number in run.queries.item(query))
        begun, _ = run.periods.time(term(answer.begin), range, slide)
        window = run.periods.window(begun, range, slide)
        show("what is answered is a window", z3.And(answer.begin.term == window[0], answer.end.term == window[1]))
        same = z3.And(query == run.query, answer.begin.term == begin.term, answer.end.term == end.term)
        right = formula(lambda: answer.value == run.stream.between(begin, end))
        show("answer", z3.Implies(same, right))
        self.times, self.ordered = self.times + z3.If(same, 1, 0), False


def by_end(answers: Answers, key: Any) -> Answers:
    """sorted(answers, key=...)"""
    path = current_path()
    assert path is not None
    query, begin, end = (SymbolicInt(path.fresh(name)) for name in ("query", "begin", "end"))
    answer = Answer(query, begin, end, answers.run.monoid.identity)
    show(
        "answers come by their ends, then by their queries", formula(lambda: key(answer) == (answer.end, answer.query))
    )
    answers.ordered = True
    return answers


class SliceMonoid(SegmentMonoid):
    """Its `combine` is for those that assemble windows, and for a record."""

    free: str = ""
    """The obligation of an operation that has no calls of its own."""

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
        """The query of this number."""
        return Query(SymbolicInt(self.range(number)), SymbolicInt(self.slide(number)))


# The run


def run_of_path() -> Any:
    """The run of the path that is being run."""
    path = enclosing_path()
    assert path is not None
    return path.run


def _enumerate(queries: SymbolicSequence) -> SymbolicSequence:
    return SymbolicSequence(queries.length, lambda j: (SymbolicInt(j), queries.item(j)))


def _list(*parts: Any) -> Any:
    if parts:
        raise Unsupported("a list of answers begins empty")
    return Answers(run_of_path())


class Unasked:
    """The clock before `advance`: nothing may be asked of it."""


UNASKED: Final = Unasked()


def _is(x: Any, y: Any) -> bool:
    """x is y"""
    if x is UNASKED or y is UNASKED:
        raise Unsupported("the clock is asked for before time has come")
    return x is y


class Chosen(Selection):
    """Some of what is kept, as it is now; with each that is chosen, those before and behind it are looked at."""

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
        """Tell of those before and behind whether they were chosen."""
        for beside in (self.places(j) - 1, self.places(j) + 1):
            self.number(beside)


class SliceRun(Run):
    """A symbolic operator over any queries, the stream beside it, and a window that is any of any query."""

    answers: "Answers | None" = None
    """The answers of `advance`, if it is replaced by its contract."""
    given: SimpleNamespace
    """The state in which the operation begins."""
    released: Any = None
    """The slices that `release` left, if it is replaced by its contract."""
    listed: Chosen
    """The slices that were chosen for a window."""
    NAMES: ClassVar[Mapping[str, Any]] = {
        "Answer": Answer,
        "Slice": MadeSlice,
        "any": any_of,
        "enumerate": _enumerate,
        "is_covered": lambda t, range, slide: run_of_path().is_covered(t, range, slide),
        "last_begun": lambda t, slide: run_of_path().last_begun(t, slide),
        "last_over": lambda t, range, slide: run_of_path().last_over(t, range, slide),
        "max": greatest,
        "min": least,
        "range": symbolic_range,
        "sorted": by_end,
        "type": lambda value: int if isinstance(value, SymbolicInt) else type(value),
        "window_begin": lambda k, slide: run_of_path().window_begin(k, slide),
        "window_end": lambda k, range, slide: run_of_path().window_end(k, range, slide),
        "__is__": _is,
        "__list__": _list,
        "__select__": Chosen,
    }

    def __init__(self, path: Path, algorithm: type) -> None:
        self.stream = SymbolicStream(path)
        super().__init__(path, SliceMonoid(), contract.LOOPS, model=self.stream, edge=self.edge)
        self.periods, self.edges, self.queries = Periods(), Edges(), Queries(path)
        self.query, self.number = path.fresh("query"), path.fresh("k")
        """The arbitrary window: of which query, and its number."""
        self.oldest, self.oldest_of = (z3.Function(name, _INT, _INT) for name in ("oldest open", "query of oldest"))
        self.asked: list[SymbolicInt | None] = []
        self.opened: set[str] = set()
        """The times at which it was asked for the first open window."""
        self.stream.run = self
        path.assume(z3.And(0 <= self.query, self.query < self.queries.length))
        self.slides: dict[str, Integer] = {}
        self.queries.decree(self.look_at_query)
        query = self.queries.item(self.query)
        begin, end = self.periods.window(self.number, query.range.term, query.slide.term)
        self.window = SymbolicInt(begin), SymbolicInt(end)
        for t in self.window:
            self.stream.see(t.term)
        self.edges.is_edge(begin)
        self.slices = SymbolicSlices(path)
        self.started = self.slices.length
        self.object = object.__new__(algorithm)
        for name, value in {"monoid": self.monoid, "queries": self.queries, "slices": self.slices}.items():
            setattr(self.object, name, value)

    @property
    def begun(self) -> SymbolicInt | None:
        """The clock when the operation begins: some time, or none yet."""
        if not self.asked:
            clock = self.time("clock")
            self.asked = [clock if SymbolicBool(z3.Bool(str(self.path.fresh("time has come")))) else None]
        return self.asked[0]

    def time(self, name: str) -> SymbolicInt:
        """A time that has come."""
        t = SymbolicInt(self.path.fresh(name))
        self.see_now(t.term)
        return t

    def know_start(self, clock: SymbolicInt | None, clauses: Any = contract.INVARIANT) -> None:
        """The state in which the operation begins."""
        self.object.clock = clock
        if clock is None:
            self.slices.last = self.slices.first  # by `heard`
        self.know(clauses, {})
        self.given = self.state()

    def show_kept(self) -> None:
        """It has the attributes that it had: the operator, the queries, the deque, and the clock."""
        now, given = self.attributes, vars(self.given)
        same = now.keys() == {"monoid", "queries", "slices", "clock"} and now["slices"] is self.slices
        same = same and all(now[name] is given[name] for name in ("monoid", "queries"))
        self.path.show("the operator keeps its attributes", z3.BoolVal(same))

    # What is answered by contract

    def look_at_query(self, number: Integer) -> None:
        """The arbitrary window's number, as one of this query."""
        query = self.queries.query(number)
        self.slides[query.slide.term.sexpr()] = query.range.term
        self.periods.window(self.number, query.range.term, query.slide.term)

    def edge(self, t: SymbolicInt) -> SymbolicInt:
        """The latest edge at or before t; it is one itself, and its count of records is looked at."""
        edge = self.edges.edge(term(t))
        self.stream.see(edge)
        return SymbolicInt(edge)

    def window_begin(self, k: Any, slide: SymbolicInt) -> SymbolicInt:
        begin, _ = self.periods.window(term(k), self.slides[slide.term.sexpr()], slide.term)
        self.edges.is_edge(begin)
        return SymbolicInt(begin)

    def window_end(self, k: Any, range: SymbolicInt, slide: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(self.periods.window(term(k), range.term, slide.term)[1])

    def last_begun(self, t: SymbolicInt, slide: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(self.periods.time(term(t), self.slides[slide.term.sexpr()], slide.term)[0])

    def last_over(self, t: SymbolicInt, range: SymbolicInt, slide: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(self.periods.time(term(t), range.term, slide.term)[1])

    def is_covered(self, t: SymbolicInt, range: SymbolicInt, slide: SymbolicInt) -> SymbolicBool:
        begun, over = self.periods.time(term(t), range.term, slide.term)
        return SymbolicBool(over < begun)

    # What is right by definition

    def oldest_open(self, t: Integer) -> SymbolicInt:
        """Return the begin of the first window of any query that is open at t."""
        oldest, of = self.oldest(t), self.oldest_of(t)

        def first(number: Integer) -> Integer:
            range, slide = (n.term for n in self.queries.query(number))
            _, over = self.periods.time(t, range, slide)
            self.periods.window(over, range, slide)
            begin = self.periods.window(over + 1, range, slide)[0]
            self.edges.is_edge(begin)
            return begin

        inside: Callable[[Integer], Truth] = lambda j: z3.And(0 <= j, j < self.queries.length)  # noqa: E731  # for the type
        if t.sexpr() not in self.opened:
            self.opened.add(t.sexpr())
            self.queries.item(of)
            self.stream.see(oldest)
            remember(z3.And(inside(of), oldest == first(of)))
            self.queries.decree(lambda j: remember(z3.Implies(inside(j), oldest <= first(j))))
        return SymbolicInt(oldest)

    def is_due(self, clock: SymbolicInt | None, t: SymbolicInt) -> Truth:
        """Return whether the window is over at t, was not at the clock, and has records."""
        if clock is None:
            return z3.BoolVal(False)
        begin, end = (time.term for time in self.window)
        return z3.And(clock.term < end, end <= t.term, self.stream.count(begin) < self.stream.count(end))

    # Where it is used what is known

    def learn(self, clause: Any, read: Any, *, for_any: bool = False) -> Any:
        """Read anew on each path: numbers that a clause speaks of are looked at, and compared on that path."""
        if not for_any:
            return formula(read), []  # what is told on the way is told for good
        self.path.report.learned.clear()
        return super().learn(clause, read, for_any=for_any)

    def instantiate(self, places: Any) -> None:
        """Compare the begin of each slice that is looked at, and of the next, with the other numbers."""
        for place, of in places:
            if of == "slices":
                begins = self.object.slices.arrays[0]
                self.stream.see(begins[place])
                self.see_behind(begins[z3.simplify(place + 1)])
        super().instantiate(places)

    def see_behind(self, t: Integer) -> None:
        """A time before which there is a last record."""
        self.stream.see(t)
        self.edges.edge(self.stream.time_of(self.stream.count_before(t) - 1))

    def see_now(self, t: Integer) -> None:
        """A time that has come."""
        self.stream.see(t)
        self.see_behind(t + 1)
        self.edges.is_edge(self.edges.edge(t))
        self.stream.see(self.edges.edge(t))

    def example(self, model: Model) -> str:
        """The window, and where the operator stands."""
        said = [("queries", self.queries.length), ("slices", self.started)]
        said += [(f"the window's {end}", t.term) for end, t in zip(("begin", "end"), self.window, strict=True)]
        said += [
            ("clock", clock.term) for clock in [getattr(self.object, "clock", None)] if isinstance(clock, SymbolicInt)
        ]
        return ", ".join(f"{name} = {model.eval(number, model_completion=True)}" for name, number in said)


# By what is claimed of them


class Edged:
    """`edge`."""

    def edge(self, t: SymbolicInt) -> SymbolicInt:
        """The latest edge at or before t."""
        return run_of_path().edge(t)  # type: ignore[no-any-return]  # of this run


class Advanced(Edged):
    """`advance`, for `insert`."""

    def advance(self, t: SymbolicInt) -> Answers:
        """Time has come to t: the invariant holds, and what was due is answered; it is asked once, before all else."""
        run = run_of_path()
        show_unchanged(run, "advance is asked in the state that insert found", run.given)
        run.path.show("what advance answers is not lost", z3.BoolVal(run.answers is None))
        run.object.slices.forget(run.path)
        run.object.clock, run.answers = t, Answers(run)
        run.know(contract.INVARIANT, {})
        return run.answers  # type: ignore[no-any-return]  # made here


class Helped(Edged):
    """`assemble` and `release`, for `advance`."""

    def assemble(self, begin: SymbolicInt) -> Segment:
        """The product of the records from an edge on that a slice kept lies at or behind."""
        run = run_of_path()
        run.path.show(Obligation("assembles", "assemble"), given_to_assemble(run, begin))
        return Segment(run.stream.count(begin.term), run.stream.first)

    def release(self, t: SymbolicInt) -> None:
        """Show that the precondition holds, and forget the slices: those left meet the invariant."""
        run = run_of_path()
        run.show(contract.UNRELEASED, {"t": t}, "release is given")
        run.path.show("release is given the time that it is", z3.BoolVal(run.object.clock is t))
        run.object.slices.forget(run.path)
        run.released = run.object.slices.terms()


def given_to_assemble(run: SliceRun, begin: SymbolicInt) -> Truth:
    """The precondition of `assemble`."""
    kept = run.object
    state = SimpleNamespace(slices=kept.slices, clock=kept.clock, edge=run.edge, model=run.stream)
    return formula(lambda: contract.assembles(state, begin))


@lru_cache(maxsize=32)
def runnable(algorithm: Any, operation: SliceOperation) -> type:
    """The methods that are run, over stand-ins."""
    helped = {"insert": Advanced, "advance": Helped}.get(operation, Edged)
    sliced = type("Sliced", (), {name: getattr(algorithm, name) for name in METHODS})
    return type("Sliced", (helped, make_runnable(SliceRun, sliced).algorithm), {})


# Operations


LENGTHS: Final = (1, 2, 3, 7, 60, 1_000, 10**6, 2**31, 2**53 + 1, 10**30)
"""Ranges and slides that the constructor is given, each with each, first from the greatest down and then up again: two
hundred queries in no order, each of which comes twice."""


def _start(algorithm: Any) -> Exploration:
    """The operator without records meets the invariant: one state, whatever the queries."""

    def run(path: Path) -> None:
        monoid = SegmentMonoid()
        made = algorithm(monoid, [(2, 1)])
        state = SimpleNamespace(**vars(made), edge=made.edge, model=SlicedWindows(monoid, [(2, 1)]), calls=0)
        for clause in contract.INVARIANT:
            path.show(clause.__name__, z3.BoolVal(bool(clause(state))))
        path.show("the operator is kept", z3.BoolVal(made.monoid is monoid))
        path.show("no number of slices is too many", z3.BoolVal(made.slices.maxlen is None))
        rising = [(length, slide) for length in LENGTHS for slide in LENGTHS]
        many = [*reversed(rising), *rising]
        path.show("each query is kept", z3.BoolVal(list(algorithm(monoid, many).queries) == many))
        kept = vars(made).keys() == {"monoid", "queries", "slices", "clock"} and made.clock is None
        path.show("it begins with its attributes alone", z3.BoolVal(kept and made.slices == deque()))

    return explore(run)


def explore_operation(algorithm: Any, operation: SliceOperation, enough: Callable[[Exploration], bool]) -> Exploration:
    """One operation of the class, from every state that meets the invariant, for any queries and any record.

    `insert` begins with `advance`, which answers and ends with `assemble` and `release`: what an operation calls is
    there by what is claimed of it, and is run by itself.
    """
    if operation == "start":
        return _start(algorithm)

    def run(path: Path) -> None:
        this = SliceRun(path, runnable(algorithm, operation))
        with this.guard(LateError):
            OPERATE[operation](this)

    return explore(run, enough)


def insert(run: SliceRun) -> None:
    """A record, when time has come to it: the state is that which `advance` leaves."""
    run.object.clock = UNASKED
    run.given = run.state()
    t = run.time("t")
    answers = run.object.insert(t, Segment(run.stream.first, run.stream.first + 1))
    run.stream.insert(t)
    run.path.show("the answers are those of advance", z3.BoolVal(answers is run.answers))
    run.path.show("time has come to t", z3.BoolVal(run.object.clock is t))
    run.path.show("record calls", term(run.monoid.calls) <= 1)
    run.show_kept()
    run.show(contract.INVARIANT, {})


def advance(run: SliceRun) -> None:
    """Time comes to t: the arbitrary window is answered once if it is due, else not; or t is too early, and refused."""
    run.know_start(run.begun)
    run.monoid.free = "advance calls"
    path, t = run.path, run.time("t")
    before, due = run.state(), run.is_due(run.begun, t)
    try:
        answers = run.object.advance(t)
    except LateError:
        late = z3.BoolVal(False) if run.begun is None else t.term < run.begun.term
        path.show("only what is late is refused", late)
        show_unchanged(run, "nothing has changed", before)
        return
    path.show("each window that is due is answered, once", answers.times == z3.If(due, 1, 0))
    path.show("time has come to t", z3.BoolVal(run.object.clock is t))
    path.show("answers are sorted last", z3.BoolVal(answers.ordered))
    path.show("release comes last", z3.BoolVal(run.released == run.object.slices.terms()))
    run.show_kept()


def assemble(run: SliceRun) -> None:
    """The product from an edge on."""
    run.know_start(run.time("clock"))
    begin = run.time("begin")
    run.path.assume(given_to_assemble(run, begin))
    product = run.object.assemble(begin)
    right = formula(lambda: contract.product_from(run.state(), begin, product))
    run.path.show(Obligation("product_from", "product of the records"), right)
    few = formula(lambda: contract.assemble_calls(SymbolicInt(run.listed.length), run.monoid.calls))
    run.path.show(Obligation("assemble_calls", "window calls"), few)
    show_unchanged(run, "assemble changes nothing", run.given)


def release(run: SliceRun) -> None:
    """Slices are forgotten when time has come to t."""
    t = run.time("clock")
    run.know_start(t, contract.UNRELEASED)
    run.monoid.free = "release calls"
    run.object.release(t)
    run.path.show("time is left alone", z3.BoolVal(run.object.clock is t))
    run.show_kept()
    run.show(contract.INVARIANT, {})


OPERATE: Final[Mapping[SliceOperation, Callable[[SliceRun], None]]] = {
    "insert": insert,
    "advance": advance,
    "assemble": assemble,
    "release": release,
}
