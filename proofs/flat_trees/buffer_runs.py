"""Symbolic runs of the Reactive Aggregator for every capacity: its own code, over the theorems about FlatFAT.

The proof is modular in two ways.  FlatFAT is proved for every size (swagproof.proofs.flat_trees.every_height), and here
a tree has only the properties that these theorems state (swagproof.proofs.flat_trees.buffer_values).  And the methods
that operations call, resize, compact and skip_holes, have their own contracts (proofs/lemmas/buffer_loops.py): each is
run by itself, from every state in which it may be called, and replaced by its contract in other runs.

Elements are counted by ranks: `rank` is a function from a slot to the number of elements before it.  An operation
changes the ranks, and the run states the new ones; the obligations show that they are the ranks.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

from swagproof.contracts.clause import Clause, EverySlot, Ranging
from swagproof.contracts.flat_trees import reactive_aggregator as any_order
from swagproof.contracts.flat_trees import reactive_aggregator_fifo as fifo
from swagproof.models.any_order import NotInWindowError
from swagproof.models.fifo import EmptyWindowError
from swagproof.proofs.engine.arrays import Item, SymbolicMap, SymbolicSequence, SymbolicSet, aggregate_of
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula
from swagproof.proofs.engine.run import ClausePlace, Run, show_refusal, show_unchanged
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import (
    Container,
    Segment,
    SegmentMonoid,
    SymbolicInt,
    common_bits,
    either,
    power_facts,
    power_of_two,
    term,
)
from swagproof.proofs.flat_trees.buffer_values import (
    NAMES,
    NONE,
    AnyOrder,
    DemarcatedFat,
    FlatFat,
    Tickets,
    Window,
)
from swagproof.proofs.lemmas import buffer_loops as loops

BufferOperation = Literal[
    "start", "start refused", "resize", "compact", "skip_holes",
    "insert", "evict", "evict a ticket", "evict when empty", "evict what is not there", "query",
]  # fmt: skip


class BufferRun(Run):
    """One aggregator of capacity c = 2^k, k >= 0, and the window by definition."""

    UNFOLDS = True
    NAMES = NAMES
    LOOKS = ("a",)
    ERRORS = (Exception,)
    CONTRACT: ClassVar[Any]
    INVARIANT: ClassVar[Any]
    """The clauses that hold between operations."""
    METHODS: ClassVar[Any]
    """The preconditions and postconditions of the methods with their own contract."""
    LOOPS: ClassVar[Any]
    WINDOW: ClassVar[Any]
    """The window by definition."""
    NUMBERS: ClassVar[Any]
    """Attributes that are numbers."""

    def __init__(self, path: Path, algorithm: type, operation: str) -> None:
        window = self.WINDOW(path)
        super().__init__(path, SegmentMonoid(), self.LOOPS, model=window, around=self.around, value=self.value)
        self.window = window
        path.solver.set("smt.arith.solver", 2)  # the older solver: as reliable for these linear questions, and faster
        k = self.k = path.fresh("k")
        self.c = SymbolicInt(power_of_two(k))
        start, events = (SymbolicInt(path.fresh(name)) for name in ("start", "events"))
        path.assume(z3.And(k >= 0, start.term >= 1, events.term >= 0, *(power_facts(k + d) for d in (-1, 0, 1))))
        self.ghosts |= {"start": start, "events": events}
        self.coins: Any = 0
        self.asked: list[str] = []
        """The requests to the tree, except those made by methods that are replaced by their contracts."""
        self.before: Any = None
        self.move()
        kept = {name: SymbolicInt(path.fresh(name)) for name in self.NUMBERS} | self.keep()
        for container in kept.values():
            if isinstance(container, Container):
                container.forget(path)
        self.begin(algorithm, operation, **kept)
        if operation not in self.METHODS:
            self.know(self.INVARIANT, {})
        self.before = self.state()

    def keep(self) -> dict[str, Any]:
        """Return the containers of an aggregator."""
        raise NotImplementedError

    def show_power(self, n: Integer) -> None:
        """Show that a tree has 2^x places, for some x near k."""
        near = [z3.And(self.k + d >= 0, n == power_of_two(self.k + d)) for d in (-1, 0, 1)]
        self.path.show("a tree has 2^x places", z3.Or(*near))

    def state(self) -> Any:
        state = super().state()
        state.capacity = self.capacity
        return state

    @property
    def capacity(self) -> SymbolicInt:
        """The capacity of the tree, or of the buffer before there is a tree."""
        return self.attributes["fat"].n if "fat" in self.attributes else self.c

    def value(self, slot: SymbolicInt) -> Item:
        """Return a[slot] after the pending changes."""
        i, fat, pending = term(slot), self.attributes["fat"], self.attributes["pending"]
        return Item(z3.IntVal(0), either(pending.has(i), aggregate_of(pending.load(i)), fat.at(i)))

    def around(self, x: "int | SymbolicInt", y: "int | SymbolicInt") -> SymbolicInt:
        """Return the distance in slots from x to y, around the buffer."""
        behind = term(y) - term(x)
        return SymbolicInt(z3.If(behind >= 0, behind, behind + term(self.capacity)))

    def place(self, clause: Ranging, state: Any, local: Any, vs: Sequence[Integer]) -> ClausePlace:
        if isinstance(clause, EverySlot):
            return ClausePlace([""], [SymbolicInt(vs[0])], z3.And(1 <= vs[0], vs[0] <= term(state.capacity)))
        return super().place(clause, state, local, vs)

    def begin(self, algorithm: type, operation: str, **attributes: Any) -> Any:
        """Make an object whose methods with a contract are replaced by it, except the one being run."""
        this = self.make(algorithm, **attributes)
        given: dict[str, Any] = {
            name: staticmethod(partial(self.go_by_contract, name)) for name in self.METHODS if name != operation
        }
        given["Fat"] = staticmethod(lambda monoid, n: DemarcatedFat(self, n))
        this.__class__ = type(type(this).__name__, (type(this),), given)  # the object has only state
        return this

    def go_by_contract(self, method: str, *given: SymbolicInt) -> None:
        """Replace a method by its contract: show the precondition, and assume the postcondition."""
        this, path = self.object, self.path
        asked, left = self.METHODS[method]
        self.show(asked, dict(zip(("capacity",), given, strict=False)), f"{method} called")
        self.coins = self.coins + (given[0] if given else self.capacity if method == "compact" else 0)
        for value in self.attributes.values():
            if isinstance(value, Container) and method != "skip_holes":
                value.forget(path)
        this.F, this.B = (SymbolicInt(path.fresh(name)) for name in ("F", "B"))
        if given:
            this.fat.n = given[0]
            if hasattr(this, "tickets"):
                this.tickets = Tickets(SymbolicInt(path.fresh("size")))
                this.tickets.forget(path)
        if method != "skip_holes":
            self.move()
        self.know(left, {})
        if method == "resize":
            self.show((self.CONTRACT.filled,), {}, "resize")

    def run_method(self, method: str) -> None:
        """Run a method with a contract, in every state in which it may be called."""
        asked, left = self.METHODS[method]
        capacity = SymbolicInt(self.path.fresh("capacity"))
        given = (capacity,) if method == "resize" else ()
        self.know(asked, {"capacity": capacity})
        getattr(self.object, method)(*given)
        if given:
            self.path.show("resized", term(self.capacity) == term(capacity))
            self.path.show("a resize asks for one slide at most", z3.BoolVal(self.asked in ([], ["update"])))
        if method != "skip_holes":
            self.move(lambda slot: term(self.around(self.object.F, SymbolicInt(slot))))
        self.show(left, {})

    def move(self, rank: Callable[[Integer], Integer] | None = None) -> None:
        """Record that the elements were moved to other slots."""

    def answers_nothing(self, asked: list[str]) -> bool:
        """Return whether the result needs no request to the tree."""
        return False

    def show_answer(self, answer: Any, product: Segment) -> None:
        """Show that the result is the product of the window; for an empty window it is the identity, not ⊥."""
        self.path.show("answer", formula(lambda: answer == product))
        identity = z3.BoolVal(answer is self.monoid.identity)
        self.path.show("an empty window is answered by the identity", z3.Implies(product.empty, identity))

    def savings(self, state: Any) -> SymbolicInt:
        """Return the savings of the account in a state, as one number."""
        saved = SymbolicInt(self.path.fresh("savings"))
        self.path.assume(formula(lambda: saved == self.CONTRACT.savings(state)))
        return saved

    def size(self) -> Integer:
        return term(self.c)

    def besides(self) -> Sequence[Truth]:
        """Return the condition that the capacity is a power of two; the proofs use only some of its properties."""
        return [z3.Or(*(z3.And(self.k == k, term(self.c) == 2**k) for k in range(7)))]

    def example(self, model: Model) -> str:
        named = {"c": self.c}
        if self.before is not None:
            named |= {"n": self.before.model.size, "F": self.before.F, "B": self.before.B}
        return ", ".join(f"{x} = {model.eval(term(what), model_completion=True)}" for x, what in named.items())


class FifoBuffer(BufferRun):
    """The aggregator for FIFO windows."""

    CONTRACT: ClassVar[Any] = fifo
    INVARIANT: ClassVar[Any] = loops.FIFO
    METHODS: ClassVar[Any] = loops.FIFO_METHODS
    LOOPS: ClassVar[Any] = loops.FIFO_LOOPS
    WINDOW: ClassVar[Any] = Window
    NUMBERS: ClassVar[Any] = ("F", "B", "n_tuples")

    def keep(self) -> dict[str, Any]:
        return {"fat": DemarcatedFat.unknown(self), "pending": SymbolicMap(), "freed": SymbolicSet()}

    def answers_nothing(self, asked: list[str]) -> bool:
        return not asked and self.path.solver.ask("clause", self.window.length != 0) == "unsat"

    def insert(self) -> None:
        self.object.insert(self.window.next())
        self.window.insert()

    def evict(self, asked: str) -> None:
        if asked == "evict":
            self.window.evict()
        self.object.evict()

    def query(self) -> None:
        n = self.window.size
        answer = self.object.query()
        self.object.fat.vacate_if(n == 0)
        self.show_answer(answer, self.window.product(0, n))


class AnyOrderBuffer(BufferRun):
    """The aggregator for windows in any order."""

    CONTRACT: ClassVar[Any] = any_order
    INVARIANT: ClassVar[Any] = loops.ANY_ORDER
    METHODS: ClassVar[Any] = loops.METHODS
    LOOPS: ClassVar[Any] = loops.LOOPS
    WINDOW: ClassVar[Any] = AnyOrder
    NUMBERS: ClassVar[Any] = ("F", "B", "n_tuples", "arrived")

    def keep(self) -> dict[str, Any]:
        pending, slot_of, tickets = SymbolicMap(), SymbolicMap(), Tickets(self.c)
        return {"fat": FlatFat.unknown(self), "pending": pending, "slot_of": slot_of, "tickets": tickets}

    def make_tree(self, monoid: Any, items: SymbolicSequence) -> FlatFat:
        """Return FlatFat(WithBottom(monoid), items)."""
        self.path.show("the tree is made for the operator", z3.BoolVal(monoid is self.monoid))
        return FlatFat(self, SymbolicInt(z3.simplify(items.length)), lambda i: items.at(i - 1))

    def know(self, clauses: Sequence[Clause], local: Mapping[str, Any]) -> None:
        super().know(clauses, local)
        self.count_slots(clauses)
        for end in (self.object.F, self.object.B):
            self.mention(term(end), "")

    def show(self, clauses: Sequence[Clause], local: Mapping[str, Any], place: str = "") -> None:
        for clause in clauses:
            super().show((clause,), local, place)
            self.count_slots((clause,))

    def count_slots(self, clauses: Sequence[Clause]) -> None:
        """Assume `ranks_rise`: if ranks rise by 0 or 1 per slot, there are no more elements than slots in use."""
        if loops.ranks in clauses:
            state = self.state()
            most = term(self.around(state.F, state.B)) + 1
            n = term(state.n_tuples)
            self.path.assume(z3.And(0 <= n, z3.Implies(n > 0, n <= most)))

    def move(self, rank: Callable[[Integer], Integer] | None = None) -> None:
        known = z3.Function(str(self.path.fresh("rank")), z3.IntSort(), z3.IntSort()) if rank is None else rank
        self.ghosts["rank"] = lambda slot: SymbolicInt(known(term(slot)))

    def before_place(self, i: Integer) -> Integer:
        """Return the number of elements before a place, in a run of places from front to back, or to one of the two."""
        state = self.state()
        front, back, n, rank = term(state.F), term(state.B), term(state.n_tuples), term(state.rank(SymbolicInt(i)))
        normal = z3.If(i < front, 0, z3.If(i <= back, rank, n))
        return z3.If(n == 0, 0, z3.If(back < front, rank, normal))

    def insert(self) -> None:
        latest = term(self.window.arrived)
        ticket = self.object.insert(Segment(latest, latest + 1))
        n, back, rank = self.window.length, term(self.object.B), self.ghosts["rank"]
        self.window.insert()
        self.move(lambda slot: z3.If(slot == back, n, term(rank(SymbolicInt(slot)))))
        self.path.show("ticket", term(ticket) == latest)

    def evict(self, asked: str) -> None:
        by_ticket = asked in ("evict a ticket", "evict what is not there")
        ticket = SymbolicInt(self.path.fresh("ticket")) if by_ticket else None
        p = z3.IntVal(0) if ticket is None else term(self.window.place(ticket))
        if asked == "evict what is not there":
            self.path.assume(p == NONE)
        elif asked != "evict when empty":
            self.path.assume(p != NONE)
            rank = self.ghosts["rank"]
            self.window.evict(p)
            self.move(lambda slot: _without(term(rank(SymbolicInt(slot))), p))
        if ticket is None:
            self.object.evict()
        else:
            self.mention(term(ticket), "")
            self.object.evict(ticket)

    def query(self) -> None:
        n = self.window.size
        answer = self.object.query()
        self.show_answer(answer, Segment(z3.IntVal(0), term(n)))


def _without(rank: Integer, p: Integer) -> Integer:
    return z3.If(rank > p, rank - 1, rank)


def explore_operation(
    kind: type[BufferRun],
    algorithm: type,
    operation: BufferOperation,
    enough: Callable[[Exploration], bool] = lambda _: False,
) -> Exploration:
    """Explore one operation, or a method with a contract, from every state that meets the contracts."""

    def run(path: Path) -> None:
        this = kind(path, algorithm, operation)
        kept = {name: _kind(value) for name, value in this.attributes.items()}
        if operation in ("start", "start refused"):
            start(this, refused=operation != "start")
        elif operation in this.METHODS:
            with this.guard():
                this.run_method(operation)
        else:
            operate(this, operation)
        if operation == "start refused":
            return
        same = kept == {name: _kind(value) for name, value in this.attributes.items()}
        path.show("the object keeps its attributes", z3.BoolVal(same and this.object.monoid is this.monoid))

    return explore(run, enough)


def _kind(value: Any) -> type:
    return int if isinstance(value, SymbolicInt) else type(value)


def start(this: Any, *, refused: bool) -> None:
    """Show that __init__(monoid, capacity) makes an empty window, or refuses a capacity that is not a power of two."""
    path = this.path
    this.before = None  # there is no earlier state
    for name in list(this.attributes):
        delattr(this.object, name)
    if refused:
        bad = SymbolicInt(path.fresh("capacity"))
        path.assume(z3.Or(bad.term < 1, common_bits(bad.term) != 0))
        show_refusal(this, "a bad capacity is refused", (ValueError,), lambda: this.object.__init__(this.monoid, bad))
        return
    path.solver.reset()
    path.assume(z3.And(this.k >= 0, power_facts(this.k), power_facts(this.k - 1), power_facts(this.k + 1)))
    path.assume(common_bits(this.c.term) == 0)
    this.known.clear()
    path.assume(z3.And(this.window.length == 0, term(getattr(this.window, "arrived", 0)) == 0))
    this.ghosts |= {"start": this.c, "events": SymbolicInt(z3.IntVal(0))}
    with this.guard():
        this.object.__init__(this.monoid, this.c)
    this.move(lambda slot: z3.IntVal(0))
    this.show(this.INVARIANT, {})
    state = this.state()
    path.show("the account opens with one coin at most for each slot", term(this.savings(state)) <= term(this.c))


def operate(this: Any, operation: str) -> None:
    """Run an operation on the object and on the window by definition, and show its result and its cost."""
    path, contract, n = this.path, this.CONTRACT, this.window.size
    refusals = {"evict when empty": EmptyWindowError, "evict what is not there": NotInWindowError}
    if operation.startswith("evict"):
        path.assume(term(n) == 0 if operation == "evict when empty" else term(n) > 0)
    with this.guard(EmptyWindowError, NotInWindowError):
        try:
            if operation.startswith("evict"):
                this.evict(operation)
                path.show("bad input is refused", z3.BoolVal(operation not in refusals))
            else:
                getattr(this, operation)()
        except (EmptyWindowError, NotInWindowError) as refused:
            path.show("bad input alone is refused", z3.BoolVal(type(refused) is refusals.get(operation)))
            show_unchanged(this, "nothing has changed", this.before)
            return
    events = this.ghosts["events"]
    this.ghosts["events"] = SymbolicInt(z3.IntVal(0)) if operation == "query" else events + 1
    this.show(this.INVARIANT, {})
    calls, asked = term(this.monoid.calls), this.asked
    if operation == "query":
        path.show("query calls", z3.Or(calls == 0, z3.And(calls == 1, z3.BoolVal("suffix" in asked))))
        right = asked in (["update", "suffix", "prefix"], ["update", "aggregate"]) or this.answers_nothing(asked)
        path.show("the tree is asked for no more than the answer takes", z3.BoolVal(right))
        return
    method = operation.split()[0]
    path.show(f"{method} calls", calls == 0)
    path.show("the tree is asked for nothing", z3.BoolVal(not asked))
    paid, saved = getattr(contract, f"{method}_paid"), [this.savings(state) for state in (this.before, this.state())]
    path.show(f"{method} paid", formula(lambda: paid(this.coins, *saved)))
