"""The symbolic runs of Cutty: for any number of queries of any deterministic windows, over any stream.

What the discretisation functions say of an item is all that Cutty knows of the stream, so they say anything here that
`check_marks` lets pass: how many windows of each query begin with a record, end with it, or were over before.  The
store of slices is there by what is proved of it (`cutty/store`).  Records are numbered as they come; the windows of a
query are, too, so that a queue of open windows is known by where it begins and ends, and which slice is noted for each.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal, NamedTuple, get_args

from swagproof.models.discretisation import Marks
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.arrays import Selection, SymbolicSequence, any_of, least, symbolic_range
from swagproof.proofs.engine.paths import (
    Exploration,
    Path,
    Unsupported,
    enclosing_path,
    explore,
    formula,
    mention,
    remember,
    show,
)
from swagproof.proofs.engine.run import Cutter, Run, make_runnable, show_kept
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import Container, Segment, SegmentMonoid, SymbolicBool, SymbolicInt, term
from swagproof.proofs.lemmas import open_windows as contract
from swagproof.proofs.slicing.slice_runs import Numbers, run_of_path
from swagproof.proofs.slicing.store_runs import StoreRow

CuttyOperation = Literal["start", "insert", "tell", "evaluate", "release"]
OPERATIONS: Final[tuple[CuttyOperation, ...]] = get_args(CuttyOperation)
METHODS: Final = ("insert", "tell", "number", "cut", "evaluate", "aggregate", "release")

_INT: Final = z3.IntSort()


class At(NamedTuple):
    """A window of a query, by its number."""

    query: Integer
    window: Integer


class Evaluated(NamedTuple):
    """An answer that the code makes."""

    query: Any
    value: Segment


# What Cutty keeps


class Store(Container):
    """The store by contract: slice k has the records from cut(k) to before cut(k + 1)."""

    def __init__(self, path: Path) -> None:
        self.forget(path)

    def forget(self, path: Path) -> None:
        self.first, self.last = (SymbolicInt(path.fresh(name)) for name in ("first", "last"))

    def terms(self) -> list[Any]:
        return [self.first.term, self.last.term]

    def append(self, partial: Segment) -> None:
        """The next slice, which ends with the record before the new one."""
        run = run_of_path()
        slice = Segment(run.cut(self.last + 1).term, run.records.term)
        show("what is stored is the next slice", formula(lambda: partial == slice))
        self.last = self.last + 1

    def suffix(self, number: SymbolicInt) -> Segment:
        """The product of the slices from one on."""
        run = run_of_path()
        show("the slice is in the store", z3.And(self.first.term <= number.term, number.term <= self.last.term))
        return Segment(run.cut(number).term, run.cut(self.last + 1).term)

    def release(self, number: SymbolicInt) -> None:
        """Forget the slices before this one."""
        show("the slice is in the store, or active", number.term <= self.last.term + 1)
        self.first = SymbolicInt(z3.If(self.first.term <= number.term, number.term, self.first.term))


class Open(Container):
    """The open windows of each query: which there are, and the slice that is noted for each."""

    name = "open"
    read_only = False
    """True if this is a copy that a comprehension iterates over."""

    def __init__(self, path: Path, queries: Integer) -> None:
        self.queries = queries
        self.forget(path)

    def forget(self, path: Path) -> None:
        first, last = (z3.Function(str(path.fresh(name)), _INT, _INT) for name in ("first open", "last open"))
        slices = z3.Function(str(path.fresh("noted")), _INT, _INT, _INT)
        self.first_of: Callable[[Integer], Integer] = lambda q: first(q)
        self.last_of: Callable[[Integer], Integer] = lambda q: last(q)
        self.slice_of: Callable[[At], Integer] = lambda at: slices(*at)

    def terms(self) -> list[Any]:
        return [self.first_of, self.last_of, self.slice_of]

    def slot(self, place: Integer) -> At:
        """A window, by the number of a pair."""
        if z3.is_app(place) and place.decl().eq(_PAIR):
            return At(place.arg(0), place.arg(1))
        return At(_QUERY_OF(place), _WINDOW_OF(place))

    def holds(self, place: Integer) -> Truth:
        """Return whether it is open."""
        at = self.slot(place)
        inside = z3.And(0 <= at.query, at.query < self.queries)
        return z3.And(inside, self.first_of(at.query) <= at.window, at.window < self.last_of(at.query))

    def is_open(self, query: Integer) -> Truth:
        """Return whether a query has open windows."""
        return self.first_of(query) < self.last_of(query)

    def noted(self, at: At) -> SymbolicInt:
        """The slice with which a window begins."""
        return SymbolicInt(self.slice_of(at))

    def first(self, query: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(self.first_of(term(query)))

    def last(self, query: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(self.last_of(term(query)))

    def item(self, query: Integer) -> "Noted":
        """The queue of a query."""
        mention(query, "queries")
        return Noted(self, query)


_PAIR: Final = z3.Function("pair", _INT, _INT, _INT)
_QUERY_OF, _WINDOW_OF = (z3.Function(name, _INT, _INT) for name in ("query of", "window of"))


class Noted:
    """The queue of the open windows of a query."""

    __hash__ = None  # type: ignore[assignment]  # as deques have none

    def __init__(self, open: Open, query: Integer) -> None:
        self.open = open
        self.query = query

    def __bool__(self) -> bool:
        return bool(SymbolicBool(self.open.is_open(self.query)))

    def end(self, *, oldest: bool) -> At:
        """The oldest of them, or the newest, which it is an obligation to have."""
        mention(self.query, "queries")
        if not self.open.read_only:
            show("a window is open", self.open.is_open(self.query))
        at = At(self.query, self.open.first_of(self.query) if oldest else self.open.last_of(self.query) - 1)
        run_of_path().mention_window(at)
        return at

    def __getitem__(self, index: int) -> SymbolicInt:
        if index not in (0, -1):
            raise Unsupported("a window that is neither the oldest nor the newest")
        return self.open.noted(self.end(oldest=index == 0))

    def popleft(self) -> SymbolicInt:
        at, old = self.end(oldest=True), self.open.first_of
        self.open.first_of = lambda q: z3.If(q == self.query, old(q) + 1, old(q))
        return self.go(at)

    def pop(self) -> SymbolicInt:
        at, old = self.end(oldest=False), self.open.last_of
        self.open.last_of = lambda q: z3.If(q == self.query, old(q) - 1, old(q))
        return self.go(at)

    def go(self, at: At) -> SymbolicInt:
        """A window is taken, and has to be answered next."""
        run = run_of_path()
        show("each window that is gone is answered", z3.BoolVal(run.gone is None))
        run.gone = at
        return self.open.noted(at)

    def extend(self, numbers: StoreRow) -> None:
        """So many windows begin with a slice."""
        slices, last, since = self.open.slice_of, self.open.last_of, self.open.last_of(self.query)
        number = numbers.at(z3.IntVal(0)).term
        self.open.slice_of = lambda at: z3.If(z3.And(at.query == self.query, at.window >= since), number, slices(at))
        self.open.last_of = lambda q: z3.If(q == self.query, last(q) + numbers.length, last(q))


class Answers:
    """A list of answers: each is that of the window that has just gone, and right; or a list of such lists."""

    def __init__(self, *parts: Any) -> None:
        self.parts = list(parts)

    def __iadd__(self, others: "Answers") -> "Answers":
        self.parts += others.parts
        return self

    def append(self, answer: Evaluated) -> None:
        run = run_of_path()
        if run.gone is None:
            show("what is answered is a window that has gone", z3.BoolVal(False))
            return
        right = Segment(run.begun(run.gone).term, run.records.term)
        show("answer", z3.And(term(answer.query) == run.gone.query, formula(lambda: answer.value == right)))
        run.gone = None


# What names mean


class Listed:
    """[*numbers, number]: what there is of each query, and more."""

    def __init__(self, *parts: Any) -> None:
        self.selections = [part for part in parts if isinstance(part, Selection)]
        self.numbers = [number for part in parts if isinstance(part, list) for number in part]
        for selection in self.selections:
            selection.items.decree(selection.number)

    def __bool__(self) -> bool:
        some = [z3.BoolVal(bool(self.numbers)), *(selection.length > 0 for selection in self.selections)]
        for selection in self.selections:
            selection.item(z3.IntVal(0))
        return bool(SymbolicBool(z3.Or(*some)))


def _list(*parts: Any) -> Any:
    if not parts:
        return Answers()
    if len(parts) == 1 and isinstance(parts[0], list):
        (item,) = parts[0]
        return StoreRow(z3.IntVal(1), lambda j: item)
    listed = [part for part in parts if not (isinstance(part, list) and not part)]
    flat = [
        each for part in listed for each in ([*part.selections, part.numbers] if isinstance(part, Listed) else [part])
    ]
    return Listed(*flat)


def _least(listed: Any, *others: Any) -> SymbolicInt:
    """min([*..., ...]): one of them, and no greater than any."""
    if others:
        return least(listed, *others)  # type: ignore[no-any-return]  # of numbers
    path = enclosing_path()
    assert path is not None
    found, (selection,) = path.fresh("least"), listed.selections
    where = path.fresh("where the least is")
    of = [found == term(number) for number in listed.numbers]
    path.assume(z3.Or(*of, z3.And(selection.is_wanted(where), term(selection.of(where)) == found)))
    path.assume(z3.And(*(found <= term(number) for number in listed.numbers)))
    selection.decree_of_wanted(lambda p: found <= term(selection.of(p)))
    return SymbolicInt(found)


def _select(items: Any, wanted: Any, made: Any) -> Any:
    path = enclosing_path()
    assert path is not None
    if isinstance(items, list):
        return list(items) if not items else _refuse()
    if isinstance(items, Open):
        copy, any_query = items.freeze(), path.fresh("any")
        copy.read_only = True
        wants = formula(lambda: wanted(copy.item(any_query)))
        path.show("windows are looked at of queries that have some", z3.Implies(wants, copy.is_open(any_query)))
        run_of_path().sequences.append(SymbolicSequence(items.queries, copy.item))
        return Selection(run_of_path().sequences[-1], wanted, made)
    if not z3.is_true(formula(lambda: wanted(items.at(path.fresh("any"))))):
        raise Unsupported("some of the marks")
    mapped = SymbolicSequence(items.length, lambda j: made(items.item(j)))
    items.decree(mapped.look)
    return mapped


def _refuse() -> Any:
    raise Unsupported("queries that look back")


def _any(truths: SymbolicSequence) -> SymbolicBool:
    return any_of(Selection(truths, lambda truth: True, lambda truth: truth))


def _zip(*sequences: Any, strict: bool) -> SymbolicSequence:
    first, second = sequences
    lengths = [each.queries if isinstance(each, Open) else each.length for each in sequences]
    show("there are as many of both", lengths[0] == lengths[1])
    return SymbolicSequence(lengths[0], lambda j: (first.item(j), second.item(j)))


def _enumerate(items: Any, start: Any = 0) -> SymbolicSequence:
    if isinstance(items, list):
        return SymbolicSequence(z3.IntVal(0), lambda j: _refuse()) if not items else _refuse()
    return SymbolicSequence(items.length, lambda j: (SymbolicInt(j + term(start)), items.item(j)))


class CuttyRun(Run):
    """Cutty with any queries, and what the discretisation functions say of an item."""

    LOOKS = ("suffix",)
    NAMES: ClassVar[Mapping[str, Any]] = {
        "Evaluated": Evaluated,
        "any": _any,
        "bool": lambda value: bool(value),
        "enumerate": _enumerate,
        "len": lambda items: SymbolicInt(items.length),
        "min": _least,
        "range": lambda end: symbolic_range(0, end),
        "zip": _zip,
        "__list__": _list,
        "__select__": _select,
    }

    def __init__(self, path: Path, algorithm: type) -> None:
        self.count, self.queries = path.fresh("records"), path.fresh("queries")
        self.taken = 0
        """The number of this operation's records that have come: 0 or 1."""
        self.record = self.released = False
        """Two flags: True if the item is a record, and True if slices were released."""
        self.said = SymbolicSequence(z3.IntVal(0), lambda q: None)
        self.parts: list[WindowPart] = []
        self.sequences: list[SymbolicSequence] = []
        """Those of queries that a comprehension goes through."""
        self.looked: dict[str, Integer] = {}
        """The queries that were looked at."""
        self.gone: At | None = None
        """The window that has gone, and is not answered yet."""
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
        path.assume(z3.And(self.count >= 0, self.queries >= 1))  # without any, Cutty is refused
        self.model = model
        numbers = SimpleNamespace(name="queries", slot=SymbolicInt, holds=lambda q: z3.And(0 <= q, q < self.queries))
        super().__init__(path, SegmentMonoid(), contract.LOOPS, model=model, queries=numbers)
        model.size = self.records
        self.object = object.__new__(algorithm)
        kept = {
            "monoid": self.monoid,
            "store": self.store,
            "open": self.open,
            "active": Segment.unknown(path, "active"),
        }
        for name, value in {**kept, "is_active": SymbolicBool(z3.Bool(str(path.fresh("is active"))))}.items():
            setattr(self.object, name, value)
        self.cut(self.store.last + 1)
        self.know(contract.INVARIANT, {})

    @property
    def records(self) -> SymbolicInt:
        """Return how many records have come."""
        return SymbolicInt(z3.simplify(self.count + self.taken))

    def take(self) -> None:
        """The record has come."""
        self.taken = 1
        self.model.size = self.records

    def cut(self, number: SymbolicInt) -> SymbolicInt:
        """The record with which a slice begins."""
        self.slices.see(term(number))
        return SymbolicInt(self.cuts(term(number)))

    def begun(self, at: At) -> SymbolicInt:
        """The record with which a window begins."""
        return SymbolicInt(self.begin_of(*at))

    def mention_window(self, at: At) -> None:
        """Use what is known of every window at this one."""
        pair = _PAIR(*at)
        remember(z3.And(_QUERY_OF(pair) == at.query, _WINDOW_OF(pair) == at.window))
        mention(pair, "open")

    def look_at(self, at: At) -> None:
        """Tell what is known of a window: the later began no earlier, those that were not open yet with the record."""
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

    def learn(self, clause: Any, read: Any, *, for_any: bool = False) -> Any:
        """Read anew on each path: what it speaks of is looked at on that path."""
        if not for_any:
            return formula(read), []  # what is told on the way is told for good
        self.path.report.learned.clear()
        return super().learn(clause, read, for_any=for_any)

    def forget_fields(self, cutter: Cutter) -> None:
        """Queues change by other names than that of what keeps them."""
        self.object.open.forget(self.path)
        cutter.changing.add("self.open")
        self.known = [known for known in self.known if known.of != "open"]

    def marks(self, *, record: bool) -> SymbolicSequence:
        """Return what may be said of an item: as many windows end as are open at most, and none begins but with a
        record."""
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

    def example(self, model: Model) -> str:
        """Return what is kept, and of how many queries."""
        said = {
            "queries": self.queries,
            "records": self.count,
            "first": self.store.first.term,
            "last": self.store.last.term,
        }
        return ", ".join(f"{name} = {model.eval(number, model_completion=True)}" for name, number in said.items())


# By what is claimed of them


class WindowPart(NamedTuple):
    """The answers of one call of `evaluate`: how many windows ended of each query, and whether the record had come."""

    ended: SymbolicSequence
    taken: int


class Noticed:
    """`cut`, which makes a slice begin; and what an answer costs."""

    monoid: Any
    store: Store

    def aggregate(self, number: SymbolicInt) -> Any:
        """aggregate, which combines once, or not at all."""
        before = term(self.monoid.calls)
        product = super().aggregate(number)  # type: ignore[misc]  # the reference's
        show("answer calls", term(self.monoid.calls) - before <= 1)
        return product

    def cut(self, v: Segment) -> None:
        """A slice begins with the record, as a window does."""
        run = run_of_path()
        begins = z3.Bool(str(run.path.fresh("a window begins")))
        run.said.decree(lambda q: remember(z3.Implies(run.begins(q), begins)))
        run.path.show("a slice begins where a window begins", begins)
        super().cut(v)  # type: ignore[misc]  # the reference's
        run.path.assume(run.cut(self.store.last + 1).term == run.count)


class Evaluating(Noticed):
    """`evaluate`, `discretise` and `release`, for `insert` and `tell`."""

    def discretise(self, item: Any, record: bool) -> tuple[Any, list[Any]]:
        """Return what the functions say."""
        run = run_of_path()
        show("the functions are told whether it is a record", z3.BoolVal(record is run.record))
        return run.said, []

    def evaluate(self, ended: SymbolicSequence, looked: Any) -> Answers:
        """So many of the oldest windows of each query go, and are answered as of now: at the second call, with the
        record."""
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
        """Slices are forgotten."""
        run = run_of_path()
        run.show(contract.INVARIANT, {}, "release is given")
        run.released = True


@lru_cache(maxsize=32)
def runnable(algorithm: Any, operation: CuttyOperation) -> type:
    """The methods that are run."""
    cutty = type("Cutty", (), {name: vars(algorithm)[name] for name in METHODS})
    by_contract = Evaluating if operation in ("insert", "tell") else Noticed
    return type("Cutty", (by_contract, make_runnable(CuttyRun, cutty).algorithm), {})


# Operations


def _no_marks(number: int) -> Any:
    """A discretisation function that is no other."""
    return lambda item: Marks(0 * number)


def _start(algorithm: Any) -> Exploration:
    """Cutty without records: no slice is kept or active, and no window is open."""
    functions = tuple(_no_marks(number) for number in range(50)) * 2  # each comes twice
    back = functions[::-1]
    made = algorithm(CONCATENATION, [*functions], [*back])  # lists, which stay their caller's
    state = SimpleNamespace(**vars(made), model=None)

    def run(path: Path) -> None:
        for clause in (contract.numbered, contract.current):
            path.show(clause.__name__, z3.BoolVal(bool(clause(state))))
        path.show("no window is open", z3.BoolVal(not any(made.open)))
        path.show("each query notes its own windows", z3.BoolVal(len({id(noted) for noted in made.open}) == 100))
        path.show("no number of windows is too many", z3.BoolVal(all(noted.maxlen is None for noted in made.open)))
        kept = made.deterministic == functions and made.looking_back == back and made.monoid is CONCATENATION
        path.show("each query is kept", z3.BoolVal(kept and len(made.open) == 100))

    return explore(run)


def explore_cutty(algorithm: Any, operation: CuttyOperation, enough: Callable[[Exploration], bool]) -> Exploration:
    """One operation, from every state that meets the invariant; `insert` and `tell` with `evaluate` and `release` by
    what is claimed of them."""
    if operation == "start":
        return _start(algorithm)

    def run(path: Path) -> None:
        this = CuttyRun(path, runnable(algorithm, operation))
        kept = dict(this.attributes)
        with this.guard():
            OPERATE[operation](this)
        show_kept(this, kept, "active", "is_active")

    return explore(run, enough)


def insert(run: CuttyRun) -> None:
    """A record: windows that were over before are answered without it, those that end with it have it."""
    run.record, run.said = True, run.marks(record=True)
    answers = run.object.insert(None, Segment(run.count, run.count + 1))
    _show_parts(run, answers, lambda marks: marks.over, lambda marks: marks.end)
    run.path.show("record calls", term(run.monoid.calls) <= 1)


def tell(run: CuttyRun) -> None:
    """An item that is no record: windows are over."""
    run.record, run.said = False, run.marks(record=False)
    answers = run.object.tell(None)
    _show_parts(run, answers, lambda marks: marks.over)
    run.path.show("record calls", term(run.monoid.calls) == 0)


def _show_parts(run: CuttyRun, answers: Any, *ended: Callable[[Marks], Any]) -> None:
    """The answers are of the windows that were over, then of those that end with the record; no more windows begin."""
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
    """So many of the oldest windows of each query are answered."""
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
    """Run `release`: the store keeps the slices that open windows begin with."""
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


OPERATE: Final[Mapping[CuttyOperation, Callable[[CuttyRun], None]]] = {
    "insert": insert,
    "tell": tell,
    "evaluate": evaluate,
    "release": release,
}
