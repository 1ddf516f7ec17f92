"""Symbolic runs of slices: each operation from any state that meets its contracts, for any queries over any stream.

The number of queries is arbitrary.  Statements about windows are shown for one arbitrary window of one arbitrary query.
`insert` begins with `advance`, which answers and ends with `assemble` and `release`; each of these is run by itself,
and replaced by the claims about it when another operation calls it.
"""

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.contracts.slicing import slices as contract
from swagproof.models.sliced import SlicedWindows
from swagproof.models.windows.window import LateError
from swagproof.proofs.engine.arrays import Enumerated, any_of, greatest, least, symbolic_range
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import Path, Unsupported, formula, remember
from swagproof.proofs.engine.run import Run, only, run_of_path, show_kept, show_unchanged
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Segment, SegmentMonoid, SymbolicBool, SymbolicInt, identical, term
from swagproof.proofs.slicing import slice_values as values
from swagproof.proofs.slicing.slice_values import Answers, Chosen, SymbolicStream

METHODS: Final = ("insert", "advance", "assemble", "release")
"""The methods that are run; `edge` is replaced by the claims about it."""


def _list(*parts: Any) -> Any:
    if parts:
        raise Unsupported("a list of answers begins empty")
    return Answers(run_of_path())


UNASKED: Final = object()
"""A clock before `advance`, which the code must not read."""


def _is(x: Any, y: Any) -> bool:
    """Return whether x is y."""
    if x is UNASKED or y is UNASKED:
        raise Unsupported("the clock is asked for before time has come")
    return identical(x, y)


class SliceRun(Run):
    """A symbolic operator over any queries, with the stream by definition and one arbitrary window."""

    answers: "Answers | None" = None
    """The answers of `advance`, if it is replaced by its contract."""
    given: SimpleNamespace
    """The state in which the operation begins; `kept` has the object's attributes."""
    kept: dict[str, Any]
    released: Any = None
    """The slices left by `release`, if it is replaced by its contract."""
    listed: Chosen
    """The slices that were chosen for a window."""
    NAMES: ClassVar[Mapping[str, Any]] = {
        "Slice": values.MadeSlice,
        "any": any_of,
        "enumerate": Enumerated,
        "is_covered": lambda t, range, slide: run_of_path().is_covered(t, range, slide),
        "last_begun": lambda t, slide: run_of_path().last_begun(t, slide),
        "last_over": lambda t, range, slide: run_of_path().last_over(t, range, slide),
        "max": greatest,
        "min": least,
        "range": symbolic_range,
        "sorted": values.by_end,
        "type": lambda value: int if isinstance(value, SymbolicInt) else type(value),
        "window_begin": lambda k, slide: run_of_path().window_begin(k, slide),
        "window_end": lambda k, range, slide: run_of_path().window_end(k, range, slide),
        "__is__": _is,
        "__list__": _list,
        "__select__": Chosen,
    }

    def __init__(self, path: Path, algorithm: type, by_contract: type) -> None:
        self.stream = SymbolicStream(path)
        super().__init__(path, values.SliceMonoid(), contract.LOOPS, model=self.stream, edge=self.edge)
        self.periods, self.queries = values.Periods(), values.Queries(path)
        self.edges = values.Edges(z3.Function("edge", z3.IntSort(), z3.IntSort()))
        self.query, self.number = path.fresh("query"), path.fresh("k")
        """The arbitrary window: its query and its number."""
        self.oldest, self.oldest_of = (
            z3.Function(name, z3.IntSort(), z3.IntSort()) for name in ("oldest open", "query of oldest")
        )
        self.asked: list[SymbolicInt | None] = []
        self.opened: set[str] = set()
        """The times for which the first open window was requested."""
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
        self.slices = values.SymbolicSlices(path)
        self.make(only(algorithm, METHODS), by_contract, queries=self.queries, slices=self.slices)

    @property
    def begun(self) -> SymbolicInt | None:
        """The clock when the operation begins: any time, or None."""
        if not self.asked:
            clock = self.time("clock")
            self.asked = [clock if SymbolicBool(z3.Bool(str(self.path.fresh("time has come")))) else None]
        return self.asked[0]

    def time(self, name: str) -> SymbolicInt:
        """Return a time that has come."""
        t = SymbolicInt(self.path.fresh(name))
        self.see_now(t.term)
        return t

    def know_start(self, clock: SymbolicInt | None, clauses: Any = contract.INVARIANT) -> None:
        """Assume the state in which the operation begins."""
        self.object.clock = clock
        if clock is None:
            self.slices.last = self.slices.first  # by `heard`
        self.know(clauses, {})
        self.given, self.kept = self.state(), dict(self.attributes)

    # Results by contract

    def look_at_query(self, number: Integer) -> None:
        """Mention the arbitrary window's number as that of a window of this query."""
        query = self.queries.query(number)
        self.slides[query.slide.term.sexpr()] = query.range.term
        self.periods.window(self.number, query.range.term, query.slide.term)

    def edge(self, t: SymbolicInt) -> SymbolicInt:
        """Return the latest edge at or before t, and mention its count of records."""
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

    # Correct results by definition

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
        """Return whether the window is over at t, was not over at the clock, and has records."""
        if clock is None:
            return z3.BoolVal(False)
        begin, end = (time.term for time in self.window)
        return z3.And(clock.term < end, end <= t.term, self.stream.count(begin) < self.stream.count(end))

    # Use of known facts

    def instantiate(self, places: Any) -> None:
        """Compare the begins of each mentioned slice and of the next with the other numbers."""
        for place, of in places:
            if of == "slices":
                begins = self.object.slices.arrays[0]
                self.stream.see(begins[place])
                self.see_behind(begins[z3.simplify(place + 1)])
        super().instantiate(places)

    def see_behind(self, t: Integer) -> None:
        """Mention a time, and the last record before it."""
        self.stream.see(t)
        self.edges.edge(self.stream.time_of(self.stream.count_before(t) - 1))

    def see_now(self, t: Integer) -> None:
        """Mention a time that has come."""
        self.stream.see(t)
        self.see_behind(t + 1)
        self.edges.is_edge(self.edges.edge(t))
        self.stream.see(self.edges.edge(t))


# Methods replaced by the claims about them


class Edged:
    """A replacement of `edge`."""

    def edge(self, t: SymbolicInt) -> SymbolicInt:
        """Return the latest edge at or before t."""
        return run_of_path().edge(t)  # type: ignore[no-any-return]  # of this run


class Advanced(Edged):
    """A replacement of `advance`, for `insert`."""

    def advance(self, t: SymbolicInt) -> Answers:
        """Advance the time to t, once and before anything else: the invariant holds, and due windows are answered."""
        run = run_of_path()
        show_unchanged(run, "advance is asked in the state that insert found", run.given)
        run.path.show("what advance answers is not lost", z3.BoolVal(run.answers is None))
        run.object.slices.forget(run.path)
        run.object.clock, run.answers = t, Answers(run)
        run.know(contract.INVARIANT, {})
        return run.answers  # type: ignore[no-any-return]  # made here


class Helped(Edged):
    """Replacements of `assemble` and `release`, for `advance`."""

    def assemble(self, begin: SymbolicInt) -> Segment:
        """Return the product of the records from an edge on, with the obligation of `assemble`'s precondition."""
        run = run_of_path()
        run.path.show(Obligation("assembles", "assemble"), given_to_assemble(run, begin))
        return Segment(run.stream.count(begin.term), run.stream.first)

    def release(self, t: SymbolicInt) -> None:
        """Show the precondition, and forget the slices; the remaining ones meet the invariant."""
        run = run_of_path()
        run.show(contract.UNRELEASED, {"t": t}, "release is given")
        run.path.show("release is given the time that it is", z3.BoolVal(run.object.clock is t))
        run.object.slices.forget(run.path)
        run.released = run.object.slices.terms()


def given_to_assemble(run: SliceRun, begin: SymbolicInt) -> Truth:
    """Return the precondition of `assemble`."""
    kept = run.object
    state = SimpleNamespace(slices=kept.slices, clock=kept.clock, edge=run.edge, model=run.stream)
    return formula(lambda: contract.assembles(state, begin))


# Operations


LENGTHS: Final = (1, 2, 3, 7, 60, 1_000, 10**6, 2**31, 2**53 + 1, 10**30)
"""Ranges and slides for the constructor, in all pairs, descending, then ascending: 200 queries, each pair twice."""


def _start(algorithm: Any, path: Path) -> None:
    """Show that the operator without records meets the invariant; its state does not depend on the queries."""
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


def insert(run: SliceRun) -> None:
    """Run `insert` of a record from the state that `advance` leaves."""
    run.object.clock = UNASKED
    run.given, run.kept = run.state(), dict(run.attributes)
    t = run.time("t")
    answers = run.object.insert(t, Segment(run.stream.first, run.stream.first + 1))
    run.stream.insert(t)
    run.path.show("the answers are those of advance", z3.BoolVal(answers is run.answers))
    run.path.show("time has come to t", z3.BoolVal(run.object.clock is t))
    run.path.show("record calls", term(run.monoid.calls) <= 1)
    show_kept(run, run.kept, "clock")
    run.show(contract.INVARIANT, {})


def advance(run: SliceRun) -> None:
    """Run `advance` to t: the arbitrary window is answered once if it is due, otherwise not; an early t is refused."""
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
    show_kept(run, run.kept, "clock")


def assemble(run: SliceRun) -> None:
    """Run `assemble` for the product from an edge on."""
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
    """Run `release` at time t."""
    t = run.time("clock")
    run.know_start(t, contract.UNRELEASED)
    run.monoid.free = "release calls"
    run.object.release(t)
    run.path.show("time is left alone", z3.BoolVal(run.object.clock is t))
    show_kept(run, run.kept, "clock")
    run.show(contract.INVARIANT, {})


def _run(operation: Callable[[SliceRun], None], by_contract: type, algorithm: Any, path: Path) -> None:
    """Run one operation of the class, from every state that meets the invariant, for any queries and any record."""
    this = SliceRun(path, algorithm, by_contract)
    with this.guard(LateError):
        operation(this)


RUNS: Final[Mapping[str, Callable[[Any, Path], None]]] = {
    "start": _start,
    "insert": partial(_run, insert, Advanced),
    "advance": partial(_run, advance, Helped),
    "assemble": partial(_run, assemble, Edged),
    "release": partial(_run, release, Edged),
}
