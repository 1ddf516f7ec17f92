"""Symbolic runs of Cutty: for any number of queries of any deterministic windows, over any stream.

Cutty knows the stream only by the marks that the discretisation functions return for an item, so here they return any
marks that `check_marks` accepts: for each query, the numbers of windows that begin with a record, end with it, or were
over before.  The store of slices is replaced by the claims about it (`cutty/store`).  Records are numbered in order of
arrival.  The windows of a query are numbered too, so a queue of open windows is given by its begin and end, and the
slice noted for each window.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final, NamedTuple

from swagproof.models.discretisation import Marks
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.arrays import SymbolicSequence, any_of, symbolic_range
from swagproof.proofs.engine.paths import Path, formula, mention, remember, show
from swagproof.proofs.engine.run import Cutter, Run, only, run_of_path, show_kept
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Segment, SegmentMonoid, SymbolicBool, SymbolicInt, term
from swagproof.proofs.lemmas import open_windows as contract
from swagproof.proofs.slicing import cutty_values as values
from swagproof.proofs.slicing.cutty_values import PAIR, QUERY_OF, WINDOW_OF, Answers, At, Open, Store
from swagproof.proofs.slicing.slice_values import Numbers

METHODS: Final = ("insert", "tell", "number", "cut", "evaluate", "aggregate", "release")

_INT: Final = z3.IntSort()


class CuttyRun(Run):
    """Cutty with any queries, and with the marks of one item."""

    LOOKS = ("suffix",)
    NAMES: ClassVar[Mapping[str, Any]] = {
        "any": any_of,
        "bool": lambda value: bool(value),
        "enumerate": values.numbered,
        "len": lambda items: SymbolicInt(items.length),
        "min": values.least_of,
        "range": lambda end: symbolic_range(0, end),
        "zip": values.zipped,
        "__list__": values.make_list,
        "__select__": values.select,
    }

    def __init__(self, path: Path, algorithm: type, by_contract: type) -> None:
        self.count, self.queries = path.fresh("records"), path.fresh("queries")
        self.taken = 0
        """The number of this operation's records that have arrived: 0 or 1."""
        self.record = self.released = False
        """Two flags: True if the item is a record, and True if slices were released."""
        self.said = SymbolicSequence(z3.IntVal(0), lambda q: None)
        self.parts: list[WindowPart] = []
        self.sequences: list[SymbolicSequence] = []
        """The sequences of queries over which comprehensions iterate."""
        self.looked: dict[str, Integer] = {}
        """The queries that the run mentioned."""
        self.gone: At | None = None
        """The window that was removed and is not answered yet."""
        self.cuts = z3.Function("cut", _INT, _INT)
        self.begin_of = z3.Function("begun", _INT, _INT, _INT)
        self.slices = Numbers(lambda k: z3.BoolVal(True), lambda k, m: z3.Implies(k < m, self.cuts(k) < self.cuts(m)))
        self.windows: dict[str, At] = {}
        self.store, self.open = Store(path), Open(path, self.queries)
        self.before = self.started = self.open.freeze()
        model = SimpleNamespace(
            cut=self.cut,
            begun=self.begun,
            since=lambda k: Segment(self.cut(k).term, self.records.term),
            first_before=lambda q: self.before.first(q),
            last_before=lambda q: self.before.last(q),
            all_answered=lambda: self.gone is None,
        )
        path.assume(z3.And(self.count >= 0, self.queries >= 1))  # Cutty refuses an empty list of queries
        self.model = model
        numbers = SimpleNamespace(name="queries", slot=SymbolicInt, holds=lambda q: z3.And(0 <= q, q < self.queries))
        super().__init__(path, SegmentMonoid(), contract.LOOPS, model=model, queries=numbers)
        model.size = self.records
        self.make(
            only(algorithm, METHODS),
            by_contract,
            store=self.store,
            open=self.open,
            active=Segment.unknown(path, "active"),
            is_active=SymbolicBool(z3.Bool(str(path.fresh("is active")))),
        )
        self.cut(self.store.last + 1)
        self.know(contract.INVARIANT, {})

    @property
    def records(self) -> SymbolicInt:
        """The number of records that have arrived."""
        return SymbolicInt(z3.simplify(self.count + self.taken))

    def take(self) -> None:
        """Record that the record has arrived."""
        self.taken = 1
        self.model.size = self.records

    def cut(self, number: SymbolicInt) -> SymbolicInt:
        """Return the number of the record with which a slice begins."""
        self.slices.see(term(number))
        return SymbolicInt(self.cuts(term(number)))

    def begun(self, at: At) -> SymbolicInt:
        """Return the number of the record with which a window begins."""
        return SymbolicInt(self.begin_of(*at))

    def mention_window(self, at: At) -> None:
        """Instantiate the facts about every window at this one."""
        pair = PAIR(*at)
        remember(z3.And(QUERY_OF(pair) == at.query, WINDOW_OF(pair) == at.window))
        mention(pair, "open")

    def look_at(self, at: At) -> None:
        """Assume the facts about a window: later windows begin no earlier, and new windows begin with the record."""
        at = At(z3.simplify(at.query), z3.simplify(at.window))
        key = f"{at.query.sexpr()}, {at.window.sexpr()}"
        if key not in self.windows and self.pending is None:
            begun, new = self.begin_of(*at), at.window >= self.started.last_of(at.query)
            remember(z3.And(z3.Implies(new, begun == self.count), z3.Implies(z3.Not(new), begun < self.count)))
            for other in self.windows.values():
                for x, y in ((at, other), (other, at)):
                    order = z3.And(x.query == y.query, x.window <= y.window)
                    remember(z3.Implies(order, self.begin_of(*x) <= self.begin_of(*y)))
            self.windows[key] = at
        if self.pending is None:
            for sequence in self.sequences:
                sequence.look(at.query)

    def instantiate(self, places: Any) -> None:
        for place, of in places:
            if of == "queries":
                self.looked[place.sexpr()] = place
            if of == "open":
                at = self.object.open.slot(place)
                self.look_at(at)
                self.slices.see(self.object.open.slice_of(at))
        super().instantiate(places)

    def forget_fields(self, cutter: Cutter) -> None:
        """Forget the queues of open windows, which change under other names than their owner's."""
        self.object.open.forget(self.path)
        cutter.changing.add("self.open")
        self.known = [known for known in self.known if "open" not in known.of]

    def marks(self, *, record: bool) -> SymbolicSequence:
        """Return any marks for an item: at most the open windows end, and windows begin only with a record."""
        begin, end, over = (z3.Function(name, _INT, _INT) for name in ("begin", "end", "over"))

        def of(q: Integer) -> Marks:
            some = z3.And(begin(q) >= 0, end(q) >= 0, over(q) >= 0)
            held = self.started.last_of(q) - self.started.first_of(q)
            remember(z3.And(some, over(q) <= held, over(q) + end(q) <= held + begin(q)))
            if not record:
                remember(z3.And(begin(q) == 0, end(q) == 0))
            return Marks(*map(SymbolicInt, (begin(q), end(q), over(q))))  # type: ignore[arg-type]  # stand-ins

        return SymbolicSequence(self.queries, of)

    def begins(self, query: Integer) -> Truth:
        """Return whether a window of a query begins with the record."""
        return z3.And(0 <= query, query < self.queries, term(self.said.at(query).begin) > 0)


# Methods replaced by the claims about them


class WindowPart(NamedTuple):
    """The answers of one call of `evaluate`: the ended windows of each query, and 1 if the record had arrived."""

    ended: SymbolicSequence
    taken: int


class Noticed:
    """Checks of `cut`, at which a slice begins, and of an answer's cost."""

    monoid: Any
    store: Store

    def aggregate(self, number: SymbolicInt) -> Any:
        """Run `aggregate`, which combines at most once."""
        before = term(self.monoid.calls)
        product = super().aggregate(number)  # type: ignore[misc]  # the reference's
        show("answer calls", term(self.monoid.calls) - before <= 1)
        return product

    def cut(self, v: Segment) -> None:
        """Run `cut`, and show that a window begins with the record."""
        run = run_of_path()
        begins = z3.Bool(str(run.path.fresh("a window begins")))
        run.said.decree(lambda q: remember(z3.Implies(run.begins(q), begins)))
        run.path.show("a slice begins where a window begins", begins)
        super().cut(v)  # type: ignore[misc]  # the reference's
        run.path.assume(run.cut(self.store.last + 1).term == run.count)


class Evaluating(Noticed):
    """Replacements of `evaluate`, `discretise` and `release`, for `insert` and `tell`."""

    def discretise(self, item: Any, record: bool) -> tuple[Any, list[Any]]:
        """Return the functions' marks."""
        run = run_of_path()
        show("the functions are told whether it is a record", z3.BoolVal(record is run.record))
        return run.said, []

    def evaluate(self, ended: SymbolicSequence, looked: Any) -> Answers:
        """Remove and answer this many of the oldest windows of each query; the second call includes the record."""
        run, open = run_of_path(), run_of_path().object.open
        if run.parts:
            run.take()
        run.show(contract.INVARIANT, {}, "evaluate is given")
        q, first = run.path.fresh("q"), open.first_of
        mention(q, "queries")
        number = term(ended.item(q))
        some = z3.And(0 <= q, q < run.queries)
        enough = z3.And(0 <= number, number <= open.last_of(q) - first(q))
        run.path.show("as many windows are open as end", z3.Implies(some, enough))
        open.first_of = lambda q: first(q) + term(ended.item(q))
        run.before = open.freeze()
        run.parts.append(WindowPart(ended, run.taken))
        return Answers(run.parts[-1])

    def release(self, looks: Any) -> None:
        """Show the invariant, and record the call."""
        run = run_of_path()
        run.show(contract.INVARIANT, {}, "release is given")
        run.released = True


# Operations


def _no_marks(number: int) -> Any:
    """Return a new discretisation function, different from all others."""
    return lambda item: Marks(0 * number)


def _start(algorithm: Any, path: Path) -> None:
    """Show that Cutty without records has no kept or active slice, and no open window."""
    functions = tuple(_no_marks(number) for number in range(50)) * 2  # each occurs twice
    back = functions[::-1]
    made = algorithm(CONCATENATION, [*functions], [*back])  # lists, which the caller keeps
    state = SimpleNamespace(**vars(made), model=None)
    for clause in (contract.numbered, contract.current):
        path.show(clause.__name__, z3.BoolVal(bool(clause(state))))
    path.show("no window is open", z3.BoolVal(not any(made.open)))
    path.show("each query notes its own windows", z3.BoolVal(len({id(noted) for noted in made.open}) == 100))
    path.show("no number of windows is too many", z3.BoolVal(all(noted.maxlen is None for noted in made.open)))
    kept = made.deterministic == functions and made.looking_back == back and made.monoid is CONCATENATION
    path.show("each query is kept", z3.BoolVal(kept and len(made.open) == 100))


def insert(run: CuttyRun) -> None:
    """Run `insert`: windows over before are answered without the record, windows that end with it include it."""
    run.record, run.said = True, run.marks(record=True)
    answers = run.object.insert(None, Segment(run.count, run.count + 1))
    _show_parts(run, answers, lambda marks: marks.over, lambda marks: marks.end)
    run.path.show("record calls", term(run.monoid.calls) <= 1)


def tell(run: CuttyRun) -> None:
    """Run `tell` for an item that is not a record: windows may be over."""
    run.record, run.said = False, run.marks(record=False)
    answers = run.object.tell(None)
    _show_parts(run, answers, lambda marks: marks.over)
    run.path.show("record calls", term(run.monoid.calls) == 0)


def _show_parts(run: CuttyRun, answers: Any, *ended: Callable[[Marks], Any]) -> None:
    """Show that the answers are those of the ended windows, in order, and that the windows that begin are noted."""
    path, q = run.path, run.path.fresh("q")
    mention(q, "queries")
    some = z3.And(0 <= q, q < run.queries)
    marks, open, started = run.said.item(q), run.object.open, run.started
    path.show("slices are released", z3.BoolVal(run.released))
    path.show("windows are answered before the record, and with it", z3.BoolVal(
        isinstance(answers, Answers)
        and answers.parts == run.parts
        and len(run.parts) == len(ended)
        and all(part.taken == number for number, part in enumerate(run.parts))
    ))  # fmt: skip
    for part, of in zip(run.parts, ended, strict=False):
        path.show("the windows that end are answered", z3.Implies(some, term(part.ended.item(q)) == term(of(marks))))
    more = open.last_of(q) == started.last_of(q) + term(marks.begin)
    path.show("the windows that begin are noted", z3.Implies(some, more))


def evaluate(run: CuttyRun) -> None:
    """Run `evaluate` for any number of the oldest windows of each query."""
    ends = z3.Function("ended", _INT, _INT)

    def ended(q: Integer) -> SymbolicInt:
        remember(z3.And(0 <= ends(q), ends(q) <= run.started.last_of(q) - run.started.first_of(q)))
        return SymbolicInt(ends(q))

    answers = run.object.evaluate(SymbolicSequence(run.queries, ended), [])
    q = run.path.fresh("q")
    mention(q, "queries")
    gone = run.object.open.first_of(q) == run.started.first_of(q) + ended(q).term
    run.path.show("as many are answered as end", z3.Implies(z3.And(0 <= q, q < run.queries), gone))
    run.path.show("each window that is gone is answered", z3.BoolVal(run.gone is None and isinstance(answers, Answers)))
    run.show(contract.INVARIANT, {})


def release(run: CuttyRun) -> None:
    """Run `release`: the store keeps only the slices with which open windows begin."""
    store, open = run.object.store, run.object.open
    run.object.release([])
    run.show(contract.INVARIANT, {})
    needed = z3.Bool(str(run.path.fresh("an open window begins with the first slice")))
    for q in list(run.looked.values()):
        oldest = open.noted(At(q, open.first_of(q))).term
        begins = z3.And(0 <= q, q < run.queries, open.is_open(q), oldest <= store.first.term)
        run.path.assume(z3.Implies(begins, needed))
    is_active = formula(lambda: run.object.is_active)
    run.path.show("slices are kept for open windows alone", z3.Implies(is_active, needed))


def _run(operation: Callable[[CuttyRun], None], algorithm: Any, path: Path) -> None:
    """Run one operation from every state that meets the invariant.

    In `insert` and `tell`, `evaluate` and `release` are replaced by the claims about them.
    """
    this = CuttyRun(path, algorithm, Evaluating if operation in (insert, tell) else Noticed)
    kept = dict(this.attributes)
    with this.guard():
        operation(this)
    show_kept(this, kept, "active", "is_active")


RUNS: Final[Mapping[str, Callable[[Any, Path], None]]] = {
    "start": _start,
    **{each.__name__: partial(_run, each) for each in (insert, tell, evaluate, release)},
}
