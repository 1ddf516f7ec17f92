"""Symbolic runs of the chunked deque: each operation from every state, compared with the deque of Definition 1.

Proofs and explorations of the algorithms use the deque by definition.  These runs show that the deque's own code
refines the definition: no operation can distinguish them.

The abstraction: chunks are numbered in the order of creation; chunk k has the places CHUNK k .. CHUNK k + CHUNK - 1.  A
pointer is a chunk and an offset, that is, a place.  The deque has the places from `begin` to `end`; its chain of chunks
leads from the chunk of `begin` to that of `end`, and earlier places were popped.  The invariant states this for every
chunk and every place.  `Memory` represents it: fields of chunks and slots are functions of the chunk's number and of
the place, and a write is a new function.  The state after an operation is shown at an arbitrary chunk and place.  Steps
through links and accesses of slots are counted.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, get_args

from swagproof.models.containers import deque as module
from swagproof.models.containers.deque import CHUNK, Chunk, ChunkedDeque, Pointer
from swagproof.proofs.engine.language import Unseen
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.paths import Exploration, Path, Unsupported, explore, formula, settle
from swagproof.proofs.engine.run import Run, run_of_path
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.source.methods import loops_in, parse
from swagproof.proofs.engine.values import VALUES, SymbolicBool, SymbolicInt, term
from swagproof.proofs.ledger.mutants import Mutant

DequeOperation = Literal[
    "start", "push_back", "pop_front", "pop_front when empty", "ends", "read", "write", "p + 1", "p - 1", "compare"
]
OPERATIONS: Final[tuple[DequeOperation, ...]] = get_args(DequeOperation)

METHODS: Final[dict[type[Any], tuple[str, ...]]] = {
    Chunk: ("__init__",),
    Pointer: ("__init__", "__eq__", "__add__", "__sub__", "__lt__", "__le__"),
    ChunkedDeque: (
        "__init__", "__len__", "begin", "end", "push_back", "pop_front", "__getitem__", "__setitem__",
    ),
}  # fmt: skip
"""The methods that proofs run, by class."""
NOT_RUN: Final = frozenset({"__hash__", "__repr__", "pointers", "__iter__", "_spans"})
"""Methods for invariants and for display, which tests run and compare with lists."""
FUNCTIONS: Final = ("place", "_walk")

NONE: Final = z3.IntVal(-1)
"""The number that represents the absence of a chunk."""
MOST_SLOTS: Final = 2
MOST_LINKS: Final = 4

Fields = Callable[[Integer], Any]


class DequeItem:
    """The content of a slot: a value, if the slot is full."""

    __slots__ = ("full", "value")

    def __init__(self, value: Any, full: Truth) -> None:
        self.value = value
        self.full = full

    def __bool__(self) -> bool:
        raise TypeError("the truth of a value differs from value to value")

    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __eq__(self, other: object) -> Any:
        raise Unsupported("values are not compared")


class Memory:
    """The chunks of a deque from `begin` to `end`, initially as the invariant states them, then with changes."""

    def __init__(self, begin: Integer, end: Integer, items: Any) -> None:
        front, back = begin / CHUNK, end / CHUNK
        self.first: Fields = lambda k: CHUNK * k
        self.capacity: Fields = lambda k: z3.IntVal(CHUNK)
        self.following: Fields = lambda k: z3.If(z3.And(front <= k, k < back), k + 1, NONE)
        self.preceding: Fields = lambda k: z3.If(z3.And(front < k, k <= back), k - 1, NONE)
        self.full: Fields = lambda p: z3.And(begin <= p, p < end)
        self.item: Fields = lambda p: items(p)
        self.newest = back
        self.slots_touched = self.links_touched = self.made = 0

    def change(self, field: str, at: Integer, value: Any) -> None:
        """Assign a field of a chunk, or of a slot by its place."""
        before: Fields = getattr(self, field)
        setattr(self, field, lambda k: z3.If(k == at, value, before(k)))


class SymbolicChunk:
    """A chunk by its number."""

    def __init__(self, memory: Memory, number: Integer) -> None:
        self.memory = memory
        self.number = number

    @property
    def first(self) -> SymbolicInt:
        return SymbolicInt(self.memory.first(self.number))

    @first.setter
    def first(self, value: "int | SymbolicInt") -> None:
        self.memory.change("first", self.number, term(value))

    @property
    def slots(self) -> "Slots":
        return Slots(self)

    @slots.setter
    def slots(self, value: "Vacant") -> None:
        memory, start = self.memory, CHUNK * self.number
        full = memory.full
        memory.change("capacity", self.number, value.length)
        memory.full = lambda p: z3.If(z3.And(start <= p, p < start + CHUNK), z3.BoolVal(False), full(p))

    def linked(self, field: str) -> "SymbolicChunk | None":
        """Return the chunk to which a link leads."""
        self.memory.links_touched += 1
        number = getattr(self.memory, field)(self.number)
        return None if settle(number == NONE) else SymbolicChunk(self.memory, number)

    def link(self, field: str, to: "SymbolicChunk | None") -> None:
        """Set a link."""
        self.memory.links_touched += 1
        self.memory.change(field, self.number, NONE if to is None else to.number)

    following = property(lambda self: self.linked("following"), lambda self, to: self.link("following", to))
    preceding = property(lambda self: self.linked("preceding"), lambda self, to: self.link("preceding", to))


class Vacant:
    """The list [VACANT] * length."""

    def __init__(self, length: Integer) -> None:
        self.length = length

    def __mul__(self, times: "int | SymbolicInt") -> "Vacant":
        return Vacant(self.length * term(times))


def vacant(*parts: Any) -> Vacant:
    """Return [VACANT]."""
    if len(parts) != 1 or parts[0] != [run_of_path().vacant]:
        raise Unsupported("a list of other things than one vacant slot")
    return Vacant(z3.IntVal(1))


class Slots:
    """The slots of a chunk."""

    def __init__(self, chunk: SymbolicChunk) -> None:
        self.chunk = chunk

    def place(self, offset: "int | SymbolicInt") -> Integer:
        """Return the place of a valid slot; Python would count a negative index from the end."""
        run, chunk = run_of_path(), self.chunk
        run.path.show(
            "the chunk has this slot", z3.And(0 <= term(offset), term(offset) < chunk.memory.capacity(chunk.number))
        )
        chunk.memory.slots_touched += 1
        return CHUNK * chunk.number + term(offset)

    def __getitem__(self, offset: "int | SymbolicInt") -> DequeItem:
        p = self.place(offset)
        return DequeItem(self.chunk.memory.item(p), self.chunk.memory.full(p))

    def __setitem__(self, offset: "int | SymbolicInt", item: Any) -> None:
        p, memory = self.place(offset), self.chunk.memory
        if item is run_of_path().vacant:
            memory.change("full", p, z3.BoolVal(False))
            return
        memory.change("full", p, item.full)
        memory.change("item", p, item.value)


def same(x: Any, y: Any) -> bool:
    """Return whether x is y, for chunks, None and VACANT."""
    if y is run_of_path().vacant and isinstance(x, DequeItem):
        return bool(SymbolicBool(z3.Not(x.full)))
    if isinstance(x, SymbolicChunk) and isinstance(y, SymbolicChunk):
        return bool(SymbolicBool(x.number == y.number))
    if all(each is None or isinstance(each, SymbolicChunk) for each in (x, y)):
        return x is y
    raise Unsupported(f"`is` between a {type(x).__name__} and a {type(y).__name__}")


def new_chunk(cls: type[Any], *_: Any) -> SymbolicChunk:
    """Make the next chunk, unknown before __init__, in place of `__new__` of the chunks' class."""
    memory = run_of_path().memory
    memory.newest = memory.newest + 1
    memory.made += 1
    chunk: Any = object.__new__(cls)
    SymbolicChunk.__init__(chunk, memory, z3.simplify(memory.newest))
    for field in ("first", "capacity", "following", "preceding"):
        memory.change(field, chunk.number, run_of_path().path.fresh(field))
    return chunk  # type: ignore[no-any-return]  # of a class that is made


def absolute(x: "int | SymbolicInt") -> Any:
    """Return abs(x)."""
    return x if x >= 0 else -x


def turns(n: "int | SymbolicInt") -> range:
    """Return range(n) over chunks: an operation moves at most to a neighbour."""
    few = settle(z3.And(0 <= term(n), term(n) <= 1))
    run_of_path().path.show("no walk over several chunks", z3.BoolVal(few))
    return range(1 if settle(term(n) == 1) else 0)


@lru_cache(maxsize=64)
def make_classes(mutant: Mutant | None) -> tuple[Any, Any, Any, Any]:
    """Return the rewritten classes of chunks, pointers and deques, and VACANT.  Raises ValueError if an edit fails."""
    code = module if mutant is None else mutant.rewrite(module)
    names: dict[str, Any] = {
        "__is__": same, "__list__": vacant, "abs": absolute, "range": turns,
        "divmod": lambda x, y: (x // y, x % y),
        "isinstance": lambda x, kind: _is_pointer(x, kind, names["Pointer"]),
    }  # fmt: skip
    for name in FUNCTIONS:
        function = getattr(code, name)
        as_written = range(len(loops_in(parse(function)[0])))
        names[name] = rewrite(function, names, as_written=as_written).method
    for cls, methods in METHODS.items():
        own = getattr(code, cls.__name__)
        others = {name for name, member in vars(own).items() if callable(member) and not isinstance(member, type)}
        if not others <= {*methods, *NOT_RUN, "__class_getitem__", "__init_subclass__"}:
            raise Unseen(f"{cls.__name__}: the engine does not run {', '.join(sorted(others - {*methods, *NOT_RUN}))}")
        bases: tuple[type[Any], ...] = (SymbolicChunk,) if cls is Chunk else ()
        names[cls.__name__] = made = type(cls.__name__, bases, {"__new__": new_chunk} if cls is Chunk else {})
        for name in methods:
            setattr(made, name, rewrite(vars(own)[name], names).method)
    for function in (names[name] for name in FUNCTIONS):
        function.__globals__.update(names)
    for cls, methods in METHODS.items():
        for name in methods:
            vars(names[cls.__name__])[name].__globals__.update(names)
    return names["Chunk"], names["Pointer"], names["ChunkedDeque"], code.VACANT


def _is_pointer(x: object, kind: object, pointer: type[Any]) -> bool:
    """Return isinstance(x, Pointer), which distinguishes p - q from p - 1; other type tests are refused."""
    if kind is not pointer or isinstance(x, SymbolicInt | DequeItem):
        raise Unsupported("isinstance: asked of a value")
    return isinstance(x, pointer)


class DequeRun(Run):
    """One deque, from the place `begin` to the place `end`."""

    ERRORS: ClassVar[tuple[type[Exception], ...]] = (Exception,)

    def __init__(self, path: Path, mutant: Mutant | None) -> None:
        super().__init__(path, None, {})
        self.begin, self.end, self.p, self.q = (path.fresh(name) for name in ("begin", "end", "p", "q"))
        path.assume(z3.And(0 <= self.begin, self.begin <= self.end))
        self.items = z3.Function("item", z3.IntSort(), VALUES)
        self.memory = Memory(self.begin, self.end, self.items)
        self.Chunk, self.Pointer, deque, self.vacant = make_classes(mutant)
        self.deque: Any = object.__new__(deque)

    def example(self, model: Model) -> str:
        found = {str(d).partition("!")[0]: model[d] for d in model.decls() if d.arity() == 0}
        return ", ".join(
            f"{name} = {found[name]}" for name in ("begin", "end", "p", "q", "chunk", "place") if name in found
        )

    def chunk(self, number: Integer) -> Any:
        """Return the chunk with this number."""
        made: Any = object.__new__(self.Chunk)
        SymbolicChunk.__init__(made, self.memory, number)
        return made

    def fill(self) -> None:
        """Set the deque's own fields as the invariant states them."""
        self.deque._front, self.deque._back = self.chunk(self.begin / CHUNK), self.chunk(self.end / CHUNK)
        self.deque._start, self.deque._last = SymbolicInt(self.begin % CHUNK), SymbolicInt(self.end % CHUNK)

    def pointer(self, place: Integer) -> Any:
        """Return a pointer to a place."""
        made = object.__new__(self.Pointer)
        made.chunk, made.offset = self.chunk(place / CHUNK), SymbolicInt(place % CHUNK)
        return made

    def show_pointer(self, p: Any, place: Integer) -> None:
        """Show that a value is the pointer to this place."""
        there = isinstance(p, self.Pointer) and isinstance(p.chunk, SymbolicChunk)
        self.path.show("a pointer is what is answered", z3.BoolVal(there))
        if there:
            self.path.show("the place", z3.And(p.chunk.number == place / CHUNK, term(p.offset) == place % CHUNK))

    def show_state(self, begin: Integer, end: Integer, item: Fields) -> None:
        """Show the invariant of a deque from `begin` to `end` with these items."""
        path, memory, right = self.path, self.memory, Memory(begin, end, item)
        own = vars(self.deque)
        path.show("the deque keeps its attributes", z3.BoolVal(set(own) == {"_front", "_back", "_start", "_last"}))
        front, back = own["_front"], own["_back"]
        path.show("the front", z3.And(front.number == begin / CHUNK, term(own["_start"]) == begin % CHUNK))
        path.show("the back", z3.And(back.number == end / CHUNK, term(own["_last"]) == end % CHUNK))
        k, p = path.fresh("chunk"), path.fresh("place")
        there = z3.And(0 <= k, k <= end / CHUNK)
        for field in ("first", "capacity", "following", "preceding"):
            path.show(
                f"{field} of every chunk", z3.Implies(there, getattr(memory, field)(k) == getattr(right, field)(k))
            )
        there = z3.And(0 <= p, p / CHUNK <= end / CHUNK)
        path.show("full where the deque is, vacant elsewhere", z3.Implies(there, memory.full(p) == right.full(p)))
        path.show("the items", z3.Implies(z3.And(there, right.full(p)), memory.item(p) == right.item(p)))

    def show_costs(self) -> None:
        """Show that at most `MOST_SLOTS` slots and `MOST_LINKS` links were touched, and at most one chunk made."""
        memory, show = self.memory, self.path.show
        show("at most two slots are touched", z3.BoolVal(memory.slots_touched <= MOST_SLOTS))
        show("at most four links are touched", z3.BoolVal(memory.links_touched <= MOST_LINKS))
        show("at most one chunk is made", z3.BoolVal(memory.made <= 1))

    def refuses(self, act: Callable[[], object]) -> None:
        """Show that `act` raises IndexError and changes nothing."""
        try:
            with self.guard(IndexError):
                act()
            self.path.show("IndexError is raised", z3.BoolVal(False))
        except IndexError:
            self.path.show("IndexError is raised", z3.BoolVal(True))
        self.show_state(self.begin, self.end, self.items)

    def act(self, act: Callable[[], Any]) -> Any:
        """Return the result of `act`, which must not be refused."""
        with self.guard():
            return act()


def start(run: DequeRun) -> None:
    """Show that a new deque is empty, at place 0."""
    run.path.assume(z3.And(run.begin == 0, run.end == 0))
    run.memory.newest = z3.IntVal(-1)
    run.act(run.deque.__init__)
    run.show_state(z3.IntVal(0), z3.IntVal(0), run.items)


def push_back(run: DequeRun) -> None:
    """Show that the item is at the former `end`, and that `end` grows by one."""
    run.fill()
    begin, end, items = run.begin, run.end, run.items
    new = z3.Const("new", VALUES)
    run.act(lambda: run.deque.push_back(DequeItem(new, z3.BoolVal(True))))
    run.show_state(begin, end + 1, lambda p: z3.If(p == end, new, items(p)))


def pop_front(run: DequeRun) -> None:
    """Show that `begin` grows by one."""
    run.fill()
    run.path.assume(run.begin < run.end)
    run.act(run.deque.pop_front)
    run.show_state(run.begin + 1, run.end, run.items)


def pop_front_when_empty(run: DequeRun) -> None:
    """Show that an empty deque raises IndexError and does not change."""
    run.fill()
    run.path.assume(run.begin == run.end)
    run.refuses(run.deque.pop_front)


def ends(run: DequeRun) -> None:
    """Show the results of begin, end and the length."""
    run.fill()
    run.show_pointer(run.act(run.deque.begin), run.begin)
    run.show_pointer(run.act(run.deque.end), run.end)
    run.path.show("the length", term(run.act(run.deque.__len__)) == run.end - run.begin)
    run.show_state(run.begin, run.end, run.items)


def _at(run: DequeRun) -> bool:
    """Assume a pointer p to any place up to the end, including popped ones; return whether there is an element."""
    run.fill()
    run.path.assume(z3.And(0 <= run.p, run.p <= run.end))
    return settle(z3.And(run.begin <= run.p, run.p < run.end))


def read(run: DequeRun) -> None:
    """Show that reading returns the item, or raises IndexError at the end and at a popped place."""
    if not _at(run):
        run.refuses(lambda: run.deque[run.pointer(run.p)])
        return
    found = run.act(lambda: run.deque[run.pointer(run.p)])
    right = isinstance(found, DequeItem)
    run.path.show("the item is answered", found.value == run.items(run.p) if right else z3.BoolVal(False))
    run.show_state(run.begin, run.end, run.items)


def write(run: DequeRun) -> None:
    """Show that writing replaces only that item, or raises IndexError at the end and at a popped place."""
    new = z3.Const("new", VALUES)
    there, items, p = _at(run), run.items, run.p

    def act() -> None:
        run.deque[run.pointer(run.p)] = DequeItem(new, z3.BoolVal(True))

    if there:
        run.act(act)
        run.show_state(run.begin, run.end, lambda v: z3.If(v == p, new, items(v)))
    else:
        run.refuses(act)


def up(run: DequeRun) -> None:
    """Show that p + 1 points to the next place, or raises IndexError from the end and from a popped place."""
    if _at(run):
        run.show_pointer(run.act(lambda: run.pointer(run.p) + 1), run.p + 1)
        run.show_state(run.begin, run.end, run.items)
    else:
        run.refuses(lambda: run.pointer(run.p) + 1)


def down(run: DequeRun) -> None:
    """Show that p - 1 points to the previous place, or raises IndexError from the first and from a popped place."""
    _at(run)
    if settle(run.begin < run.p):
        run.show_pointer(run.act(lambda: run.pointer(run.p) - 1), run.p - 1)
        run.show_state(run.begin, run.end, run.items)
    else:
        run.refuses(lambda: run.pointer(run.p) - 1)


def compare(run: DequeRun) -> None:
    """Show that p = q, p - q, p < q and p <= q agree with the places."""
    _at(run)
    run.path.assume(z3.And(0 <= run.q, run.q <= run.end))
    p, q = run.pointer(run.p), run.pointer(run.q)
    with run.guard():
        run.path.show("p == q", formula(lambda: p == q) == (run.p == run.q))
        run.path.show("p - q", term(p - q) == run.p - run.q)
        run.path.show("p < q", formula(lambda: p < q) == (run.p < run.q))
        run.path.show("p <= q", formula(lambda: p <= q) == (run.p <= run.q))
    run.show_state(run.begin, run.end, run.items)


_RUNS: Final[dict[DequeOperation, Callable[[DequeRun], None]]] = {
    "start": start, "push_back": push_back, "pop_front": pop_front, "pop_front when empty": pop_front_when_empty,
    "ends": ends, "read": read, "write": write, "p + 1": up, "p - 1": down, "compare": compare,
}  # fmt: skip


def explore_operation(
    operation: DequeOperation,
    mutant: Mutant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
) -> Exploration:
    """Explore one operation of the deque along every path."""

    def run(path: Path) -> None:
        this = DequeRun(path, mutant)
        _RUNS[operation](this)
        if operation != "compare":
            this.show_costs()

    return explore(run, enough)
