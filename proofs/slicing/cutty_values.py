"""Symbolic values for Cutty: the store, the open windows, the answers, and the results of comprehensions.

The store of slices is replaced by the claims about it (`cutty/store`).  The windows of a query are numbered, so a queue
of open windows is given by its begin and end, and the slice noted for each window.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from swagproof.proofs.engine.arrays import Enumerated, OneItem, Selection, SymbolicSequence, least
from swagproof.proofs.engine.paths import Path, Unsupported, formula, mention, show
from swagproof.proofs.engine.run import run_of_path
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Container, Guarded, Segment, SymbolicBool, SymbolicInt, term
from swagproof.reference.slicing.cutty import Evaluated

_INT: Final = z3.IntSort()


class At(NamedTuple):
    """A window, by its query and number."""

    query: Integer
    window: Integer


# State of Cutty


class Store(Container):
    """The store by contract: slice k has the records from cut(k) up to, but not including, cut(k + 1)."""

    def __init__(self, path: Path) -> None:
        self.forget(path)

    def forget(self, path: Path) -> None:
        self.first, self.last = (SymbolicInt(path.fresh(name)) for name in ("first", "last"))

    def terms(self) -> list[Any]:
        return [self.first.term, self.last.term]

    def append(self, partial: Segment) -> None:
        """Append the next slice, which ends with the record before the new one."""
        run = run_of_path()
        slice = Segment(run.cut(self.last + 1).term, run.records.term)
        show("what is stored is the next slice", formula(lambda: partial == slice))
        self.last = self.last + 1

    def suffix(self, number: SymbolicInt) -> Segment:
        """Return the product of the slices from this number on."""
        run = run_of_path()
        show("the slice is in the store", z3.And(self.first.term <= number.term, number.term <= self.last.term))
        return Segment(run.cut(number).term, run.cut(self.last + 1).term)

    def release(self, number: SymbolicInt) -> None:
        """Forget the slices before this one."""
        show("the slice is in the store, or active", number.term <= self.last.term + 1)
        self.first = SymbolicInt(z3.If(self.first.term <= number.term, number.term, self.first.term))


class Open(Container):
    """The open windows of each query, with the slice noted for each window."""

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
        """Return a window, from the number of a pair."""
        if z3.is_app(place) and place.decl().eq(PAIR):
            return At(place.arg(0), place.arg(1))
        return At(QUERY_OF(place), WINDOW_OF(place))

    def holds(self, place: Integer) -> Truth:
        """Return whether the window at a place is open."""
        at = self.slot(place)
        inside = z3.And(0 <= at.query, at.query < self.queries)
        return z3.And(inside, self.first_of(at.query) <= at.window, at.window < self.last_of(at.query))

    def is_open(self, query: Integer) -> Truth:
        """Return whether a query has open windows."""
        return self.first_of(query) < self.last_of(query)

    def noted(self, at: At) -> SymbolicInt:
        """Return the slice with which a window begins."""
        return SymbolicInt(self.slice_of(at))

    def first(self, query: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(self.first_of(term(query)))

    def last(self, query: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(self.last_of(term(query)))

    def item(self, query: Integer) -> "Noted":
        """Return the queue of a query."""
        mention(query, "queries")
        return Noted(self, query)


PAIR: Final = z3.Function("pair", _INT, _INT, _INT)
QUERY_OF, WINDOW_OF = (z3.Function(name, _INT, _INT) for name in ("query of", "window of"))


class Noted(Guarded):
    """The queue of the open windows of a query."""

    def __init__(self, open: Open, query: Integer) -> None:
        self.open = open
        self.query = query

    def __bool__(self) -> bool:
        return bool(SymbolicBool(self.open.is_open(self.query)))

    def end(self, *, oldest: bool) -> At:
        """Return the oldest or newest open window, with the obligation that there is one."""
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
        """Record the removal of a window, which must be answered next."""
        run = run_of_path()
        show("each window that is gone is answered", z3.BoolVal(run.gone is None))
        run.gone = at
        return self.open.noted(at)

    def extend(self, numbers: SymbolicSequence) -> None:
        """Add windows that begin with one slice."""
        slices, last, since = self.open.slice_of, self.open.last_of, self.open.last_of(self.query)
        number = numbers.at(z3.IntVal(0)).term
        self.open.slice_of = lambda at: z3.If(z3.And(at.query == self.query, at.window >= since), number, slices(at))
        self.open.last_of = lambda q: z3.If(q == self.query, last(q) + numbers.length, last(q))


class Answers:
    """A list of answers, or a list of such lists; each answer must be correct and of the window just removed."""

    def __init__(self, *parts: Any) -> None:
        self.parts = list(parts)

    def __iadd__(self, others: "Answers") -> "Answers":
        self.parts += others.parts
        return self

    def append(self, answer: Evaluated[Any]) -> None:
        run = run_of_path()
        if run.gone is None:
            show("what is answered is a window that has gone", z3.BoolVal(False))
            return
        right = Segment(run.begun(run.gone).term, run.records.term)
        show("answer", z3.And(term(answer.query) == run.gone.query, formula(lambda: answer.value == right)))
        run.gone = None


# Meanings of names in the code


class Listed:
    """[*numbers, number]: a selection with one number per query, and further numbers."""

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


def make_list(*parts: Any) -> Any:
    """Return [], [x] or [*numbers, x]: answers, a row of one item, or a selection with further numbers."""
    if not parts:
        return Answers()
    if len(parts) == 1 and isinstance(parts[0], list):
        return OneItem(*parts[0])
    listed = [part for part in parts if not (isinstance(part, list) and not part)]
    flat = [
        each for part in listed for each in ([*part.selections, part.numbers] if isinstance(part, Listed) else [part])
    ]
    return Listed(*flat)


def least_of(listed: Any, *others: Any) -> SymbolicInt:
    """Return min([*..., ...]), which is one of the numbers and no greater than any; or min(x, y)."""
    if others:
        return least(listed, *others)  # type: ignore[no-any-return]  # of numbers
    path = run_of_path().path
    found, (selection,) = path.fresh("least"), listed.selections
    where = path.fresh("where the least is")
    of = [found == term(number) for number in listed.numbers]
    path.assume(z3.Or(*of, z3.And(selection.is_wanted(where), term(selection.of(where)) == found)))
    path.assume(z3.And(*(found <= term(number) for number in listed.numbers)))
    selection.decree_of_wanted(lambda p: found <= term(selection.of(p)))
    return SymbolicInt(found)


def select(items: Any, wanted: Any, made: Any) -> Any:
    """Return [made(x) for x in items if wanted(x)], for the open windows or the marks."""
    path = run_of_path().path
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


def zipped(*sequences: Any, strict: bool) -> SymbolicSequence:
    """Return zip(first, second, strict=True)."""
    first, second = sequences
    lengths = [each.queries if isinstance(each, Open) else each.length for each in sequences]
    show("there are as many of both", lengths[0] == lengths[1])
    return SymbolicSequence(lengths[0], lambda j: (first.item(j), second.item(j)))


def numbered(items: Any, start: Any = 0) -> SymbolicSequence:
    """Return enumerate(items, start)."""
    if isinstance(items, list):
        return SymbolicSequence(z3.IntVal(0), lambda j: _refuse()) if not items else _refuse()
    return Enumerated(items, start)
