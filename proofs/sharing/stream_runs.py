"""Symbolic runs of naive STREAM: induction over operations, for every set of queries, every stream and monoid.

From any state that meets the contracts, with any number of queries, the reference's own method is run.  The loop over
the queries is cut, so that one arbitrary query has its turn; then the same clauses are shown for any query.  Elements
of the stream are segments, numbered from 0.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Final

from swagproof.contracts.sharing import stream_sharing as contract
from swagproof.models.shared import Registry
from swagproof.proofs.engine.arrays import Selection
from swagproof.proofs.engine.paths import Path, formula, remember, show
from swagproof.proofs.engine.records import NUMBER, New, Queue, Record, Records, take
from swagproof.proofs.engine.run import Cutter, only, run_of_path, show_kept
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Container, Segment, SegmentMonoid, Sized, SymbolicInt, term
from swagproof.proofs.sharing.shared_runs import SharedRun

_ZERO: Final = z3.IntVal(0)
METHODS: Final = ("register", "insert", "lookup", "product")

QUERIES: Final = "the queries are those registered"


def _least(x: Integer, y: Integer) -> Integer:
    return z3.If(x < y, x, y)


class SegmentQueue(Queue):
    """A queue of segments, each of one element."""

    def __init__(self, front: Integer = _ZERO, length: Integer = _ZERO) -> None:
        self.front, self.length = front, length

    def element(self, number: Integer) -> Segment:
        return Segment(number, number + 1)

    def number(self, item: Segment) -> Integer:
        show("a queue is given one element of the stream", item.hi == item.lo + 1)
        return item.lo


class EmptyQueue(New, SegmentQueue):
    """An empty deque()."""

    def __init__(self) -> None:
        New.__init__(self)
        SegmentQueue.__init__(self)


class InputQueue(SegmentQueue):
    """The input queue of a query; its front and length are fields of the query."""

    front = property(lambda self: self.query.load("front"), lambda self, value: self.query.store("front", value))
    length = property(lambda self: self.query.load("length"), lambda self, value: self.query.store("length", value))

    def __init__(self, query: "SymbolicQuery") -> None:
        self.query = query


class OutputQueue(Sized, Container):
    """The output queue of a query: the number of answers and the newest answer; other answers are unknown."""

    length = property(lambda self: self.query.load("answers"))

    def __init__(self, query: "SymbolicQuery") -> None:
        self.query = query

    def forget(self, path: Path) -> None:
        """Do nothing: a loop that changes queries forgets them."""

    def terms(self) -> list[Any]:
        return []

    def append(self, answer: Segment) -> None:
        self.query.store("answers", self.length + 1)
        self.query.store("newest.lo", answer.lo)
        self.query.store("newest.hi", answer.hi)

    def popleft(self) -> None:
        show("popleft finds an answer", self.length > 0)
        self.query.store("answers", self.length - 1)

    def __getitem__(self, index: int) -> Segment:
        show("there is an answer", self.length > 0)
        newest = Segment(self.query.load("newest.lo"), self.query.load("newest.hi"))
        if index == -1 or self.size == 1:
            return newest
        return Segment.unknown(run_of_path().path, "an older answer")


class SymbolicQuery(Record):
    """A standing query."""

    __slots__ = ()
    size = property(lambda self: SymbolicInt(self.load("size")))
    input_queue = property(InputQueue)
    output_queue = property(OutputQueue)


class Queries(Records):
    """Any number of queries, in the order of registration."""

    PARTS = dict.fromkeys(("size", "front", "length", "answers", "newest.lo", "newest.hi"), NUMBER)

    def __init__(self, path: Path) -> None:
        super().__init__("queries", path)
        self.count = path.fresh("queries")
        path.assume(self.count >= 0)

    def forget(self, path: Path) -> None:
        """Forget all fields except the sizes; a check at each turn shows that no method assigns them."""
        sizes = self.parts.get("size")
        super().forget(path)
        self.parts |= {} if sizes is None else {"size": sizes}

    def terms(self) -> list[Any]:
        return [*super().terms(), self.count]

    def holds(self, place: Integer) -> Truth:
        return z3.And(0 <= place, place < self.count)

    @property
    def length(self) -> Integer:
        return self.count

    def item(self, index: Integer) -> SymbolicQuery:
        query = SymbolicQuery(self, index)
        remember(z3.Implies(self.holds(index), z3.And(query.load("size") >= 1, query.load("answers") >= 0)))
        return query

    def __getitem__(self, index: SymbolicInt) -> SymbolicQuery:
        show("the list has this query", self.holds(term(index)))
        return self.item(term(index))

    def append(self, query: tuple[Any, Queue, Queue]) -> None:
        size, input_queue, output_queue = query
        for queue in (input_queue, output_queue):
            take(queue, EmptyQueue)
        show("a query begins with empty queues", z3.And(input_queue.length == 0, output_queue.length == 0))
        new, self.count = self.count, self.count + 1
        for part, value in {"size": term(size), "length": _ZERO, "answers": _ZERO}.items():
            self.store(part, new, value)


class Stream:
    """The stream by definition: n tuples."""

    def __init__(self, n: Integer) -> None:
        self.n = n
        self.size = SymbolicInt(n)

    def window(self, size: Any) -> SegmentQueue:
        """Return the newest tuples."""
        held = _least(self.n, term(size))
        return SegmentQueue(self.n - held, held)

    def lookup(self, size: Any) -> Segment:
        """Return the product of a window."""
        window = self.window(size)
        return Segment(window.front, self.n)


class StreamRun(SharedRun):
    """A run over any queries."""

    NAMES: ClassVar[Mapping[str, Any]] = {
        **SharedRun.NAMES,
        "deque": EmptyQueue,
        "Query": lambda *fields: fields,
        "next": lambda selection: run_of_path().first(selection),
    }

    def __init__(self, path: Path, algorithm: type) -> None:
        super().__init__(path, SegmentMonoid(), contract.LOOPS)
        n = path.fresh("n")
        path.assume(n >= 0)
        self.queries = Queries(path)
        self.registered = self.heap()
        self.witness = path.fresh("a query")
        self.sums = z3.Function("held", NUMBER, NUMBER)
        self.stream, self.after = Stream(n), Stream(n + 1)
        self.ghosts |= {
            "model": self.stream,
            "after": self.after,
            "product": lambda values, j: Segment(values.front, values.front + term(j)),
            "held": self.held,
        }
        self.make(only(algorithm, METHODS), registry=self.registry, queries=self.queries)
        self.know(contract.INVARIANT, {})

    def held(self, j: Any) -> SymbolicInt:
        """Return the number of tuples in the windows of the first j queries, with the new one, by recursion on j."""
        j = term(j)
        for k in (j, j - 1):
            held = _least(self.after.n, self.queries.load("size", k))
            remember(z3.Implies(k >= 0, self.sums(k + 1) == self.sums(k) + held))
        remember(self.sums(0) == 0)
        return SymbolicInt(self.sums(j))

    def first(self, selection: Selection) -> Any:
        """Return next(...): the first selected query; the facts about the witness are assumed too."""
        selection.number(self.witness)
        show("there is one to be found", selection.length > 0)
        return selection.item(_ZERO)

    def show_queries_stay(self) -> None:
        """Show that the queries and their windows are unchanged."""
        same = all(now.eq(then) for now, then in zip(self.heap(), self.registered, strict=True))
        self.path.show(QUERIES, z3.BoolVal(same and not self.registry.added))

    def heap(self) -> list[Any]:
        return [self.queries.parts["size"], self.queries.count]

    def keeps_heap(self, cutter: Cutter) -> bool:
        return all(kept.eq(before) for kept, before in zip(self.heap(), cutter.heap, strict=True))

    def forget_fields(self, cutter: Cutter) -> None:
        if cutter.method != "product":  # which receives a queue, not a query
            self.queries.forget(self.path)
            cutter.changing.add("self.queries")
            self.known = self.known[self.latest :]


def start(algorithm: type, path: Path) -> None:
    """Show that initially nothing is registered, and there are no queries."""
    monoid = SegmentMonoid()
    new = algorithm(monoid)
    kept = vars(new).keys() == {"monoid", "registry", "queries"} and new.monoid is monoid
    path.show(
        "it begins with its operator, and a registry", z3.BoolVal(kept and vars(new.registry) == vars(Registry()))
    )
    path.show("it begins without queries", z3.BoolVal(new.queries == [] and new.registry.sizes == []))


def register(run: StreamRun) -> None:
    """Run `register` of a query before the first tuple, or have it refused."""
    count = run.queries.count
    size = run.register(run.stream.n)
    same = z3.And(run.queries.count == count + 1, run.queries.load("size", count) == size)
    run.path.show(QUERIES, same)
    run.path.show("the stream has not begun", z3.BoolVal(not run.registry.begun))
    run.show(contract.INVARIANT, {})


def insert(run: StreamRun) -> None:
    """Run `insert` of the next tuple."""
    n = run.stream.n
    run.attempt(lambda: run.object.insert(Segment(n, n + 1)))
    calls = run.monoid.calls
    run.ghosts["model"] = run.after
    run.show(contract.INVARIANT, {})
    run.path.show("insert paid", formula(lambda: calls == run.held(SymbolicInt(run.queries.count))))
    run.show_queries_stay()
    run.path.show("the stream has begun", z3.BoolVal(run.registry.begun == 1))


def lookup(run: StreamRun) -> None:
    """Run `lookup` of any registered window, which belongs to some query; any other is refused."""
    size, path = SymbolicInt(run.path.fresh("size")), run.path
    query = run.queries.item(run.witness)
    found = z3.And(run.queries.holds(run.witness), query.load("size") == size.term)
    path.assume(z3.Implies(run.registry.has(size.term), found))  # shown by `register`
    answer = run.attempt(lambda: run.object.lookup(size))
    path.show("answer", formula(lambda: answer == run.stream.lookup(size)))
    path.show("lookup paid", term(run.monoid.calls) == 0)
    path.show("the stream goes on by inserts", z3.BoolVal(not run.registry.begun))
    run.show(contract.INVARIANT, {})
    run.show_queries_stay()


def _run(operation: Callable[[StreamRun], None], algorithm: type, path: Path) -> None:
    """Run one operation along one path; the object keeps only its operator, its registry and its list."""
    run = StreamRun(path, algorithm)
    kept = dict(run.attributes)
    operation(run)
    show_kept(run, kept)


RUNS: Final[Mapping[str, Callable[[Any, Path], None]]] = {
    "start": start,
    **{each.__name__: partial(_run, each) for each in (register, insert, lookup)},
}
