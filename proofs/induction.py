"""Induction over operations: the invariant holds at the start, and every operation keeps it.

From any state that meets the contracts' INVARIANT, over symbolic values, the reference's own method is run along every
path; then the same clauses are shown of the state it leaves, beside the window by definition after the same operation.
With the empty start this covers every history, window size and monoid.
"""

import ast
import inspect
import textwrap
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any, Final, Literal

from swagproof.contracts.clause import ForEach, Loop, local_names
from swagproof.models.deque import ChunkedDeque, Pointer
from swagproof.models.element import Element
from swagproof.models.operations import OPERATIONS
from swagproof.models.stack import Stack
from swagproof.models.window import EmptyWindowError, FifoWindow
from swagproof.proofs.heap import (
    Epoch,
    Segment,
    SegmentMonoid,
    SymbolicDeque,
    SymbolicPointer,
    SymbolicStack,
    SymbolicWindow,
    clause_at,
)
from swagproof.proofs.loops import cut, has_loop, loop_of
from swagproof.proofs.solver import Integer, Model, z3
from swagproof.proofs.symbolic import Branch, Exploration, Finished, Path, SymbolicInt, explore, formula, term

Operation = Literal["start", "insert", "evict", "evict when empty", "query"]
OPERATIONS_OF_FIFO: Final[tuple[Operation, ...]] = ("start", "insert", "evict", "evict when empty", "query")

ELEMENT_FIELDS: Final = ("val", "agg")


@dataclass(frozen=True)
class Shape:
    """What a class keeps, read off an object of it: nothing about an algorithm is written down a second time."""

    pointers: dict[str, str]
    """Pointer attribute -> the deque that it points into."""
    aggregates: tuple[str, ...]
    deques: tuple[str, ...]
    stacks: tuple[str, ...]
    fields: tuple[str, ...]
    """Fields of a container's slot: those of Element, or ("",) for a bare partial aggregate."""
    subtracts: bool


def shape_of(cls: type) -> Shape:
    """Build one and look.  TypeError for an attribute of a kind that the engine does not know."""
    probe = cls(OPERATIONS["sum"])
    with suppress(Exception):  # a wrong variant may fail already here; what it keeps is seen all the same
        probe.insert(1)
    pointers: list[str] = []
    aggregates: list[str] = []
    deques: list[str] = []
    stacks: list[str] = []
    items: list[Any] = []
    for name, value in vars(probe).items():
        if name in ("monoid", "remove"):
            continue
        if isinstance(value, Pointer):
            pointers.append(name)
        elif isinstance(value, ChunkedDeque):
            deques.append(name)
            items.append(value[value.begin()])
        elif isinstance(value, Stack):
            stacks.append(name)
            items += [value.top()] if value.size else []
        elif isinstance(value, int):
            aggregates.append(name)
        else:
            raise TypeError(f"{cls.__name__}.{name} is a {type(value).__name__}: the engine has no symbolic stand-in")
    fields = ELEMENT_FIELDS if any(isinstance(item, Element) for item in items) else ("",)
    deque = deques[0] if deques else ""
    return Shape(
        dict.fromkeys(pointers, deque),
        tuple(aggregates),
        tuple(deques),
        tuple(stacks),
        fields,
        "remove" in vars(probe),
    )


@dataclass
class _Run:
    """One symbolic object of the class under proof, the window beside it, and what is known of them."""

    path: Path
    contract: Any
    shape: Shape
    object: Any
    monoid: SegmentMonoid
    window: SymbolicWindow
    epoch: Epoch = field(init=False)

    @classmethod
    def start(cls, path: Path, algorithm: type, contract: Any, shape: Shape) -> "_Run":
        monoid, window = SegmentMonoid(), SymbolicWindow(path)
        runnable = type(algorithm.__name__, (algorithm,), {})
        this: Any = object.__new__(runnable)
        run = cls(path, contract, shape, this, monoid, window)
        this.monoid = monoid
        if shape.subtracts:
            this.remove = monoid.remove
        for name in shape.deques:
            setattr(this, name, SymbolicDeque(name, shape.fields, path))
        for name in shape.stacks:
            setattr(this, name, SymbolicStack(name, shape.fields, path))
        for name in (*shape.deques, *shape.stacks):
            getattr(this, name).epoch = lambda: run.epoch
        run.forget((*shape.pointers, *shape.aggregates))
        for name, function in inspect.getmembers(algorithm, inspect.isfunction):
            if not name.startswith("__") and has_loop(function):
                setattr(runnable, name, cut(function, _Cutter(run, loop_of(contract.LOOPS, function))))
        run.know(contract.INVARIANT, {})
        path.example = run.example_of(run.epoch.state)
        return run

    def forget(self, attributes: tuple[str, ...]) -> None:
        """Give these attributes values about which nothing is known."""
        for name in attributes:
            setattr(self.object, name, self.unknown(name))

    def unknown(self, name: str) -> Any:
        if name in self.shape.pointers:
            return SymbolicPointer(getattr(self.object, self.shape.pointers[name]), self.path.fresh(name))
        return Segment(self.path.fresh(f"{name}.lo"), self.path.fresh(f"{name}.hi"))

    def state(self) -> SimpleNamespace:
        """The state as the contracts see it, frozen."""
        seen = {
            name: value.frozen() if isinstance(value, SymbolicDeque | SymbolicStack) else value
            for name, value in vars(self.object).items()
        }
        return SimpleNamespace(**seen, model=self.window.frozen(), calls=self.monoid.calls)

    def stored(self) -> SymbolicInt:
        """How many partial aggregates the object keeps: those in its attributes, and each field of each slot."""
        kept = SymbolicInt(z3.IntVal(len(self.shape.aggregates)))
        for name in self.shape.deques:
            deque = getattr(self.object, name)
            kept = kept + SymbolicInt(deque.last - deque.first) * len(self.shape.fields)
        for name in self.shape.stacks:
            kept = kept + getattr(self.object, name).size * len(self.shape.fields)
        return kept

    def know(self, clauses: tuple[Any, ...], local: dict[str, Any]) -> None:
        """Assume the clauses of the state as it is: the plain ones now, the others wherever a slot is read."""
        state = self.state()
        for clause in clauses:
            if not isinstance(clause, ForEach):
                names = {name: local[name] for name in local_names(clause)}
                self.path.assume(formula(partial(clause, state, **names)))
        self.epoch = Epoch(state, clauses, local)

    def show(self, clauses: tuple[Any, ...], local: dict[str, Any], prefix: str = "") -> None:
        """Show the clauses of the state as it is now: the ones about all slots at an arbitrary one."""
        state = self.state()
        for clause in clauses:
            name = prefix + clause.__name__
            if isinstance(clause, ForEach):
                container = getattr(state, clause.container)
                index = self.path.fresh("k")
                self.epoch.instantiate(self.path, container, index)
                self.path.show(name, clause_at(clause, state, container, index, local))
            else:
                names = {name: local[name] for name in local_names(clause)}
                self.path.show(name, formula(partial(clause, state, **names)))

    def example_of(self, state: SimpleNamespace) -> Any:
        """How to print a counterexample: the start state's pointers relative to the first, heights, and n."""

        def value(model: Model, what: Integer) -> int:
            return int(model.eval(what, model_completion=True).as_long())

        def example(model: Model) -> str:
            parts = [f"n = {value(model, state.model.length)}"]
            for name in self.shape.pointers:
                deque = getattr(state, self.shape.pointers[name])
                parts.append(f"{name} = {value(model, getattr(state, name).term - deque.first)}")
            parts += [f"|{name}| = {value(model, getattr(state, name).height)}" for name in self.shape.stacks]
            return ", ".join(parts)

        return example


class _Cutter:
    """What a cut loop calls: see swagproof.proofs.loops."""

    def __init__(self, run: _Run, loop: Loop) -> None:
        self.run = run
        self.loop = loop
        self.before: Any = None

    def variant(self, local: dict[str, Any]) -> Integer:
        names = list(inspect.signature(self.loop.variant).parameters)[1:]
        state, values = self.run.state(), {name: local[name] for name in names}
        found: list[Integer] = []

        def evaluate() -> bool:
            found.append(term(self.loop.variant(state, **values)))
            return True

        formula(evaluate)
        return found[0]

    def enter(self, local: dict[str, Any]) -> None:
        self.run.show(self.loop.clauses, local, "loop entered: ")

    def forget(self, attributes: list[str], only_read: list[str]) -> None:
        run = self.run
        run.forget(tuple(attributes))
        for name in (*run.shape.deques, *run.shape.stacks):
            if name not in only_read:
                getattr(run.object, name).forget(run.path)
        run.monoid.calls = SymbolicInt(run.path.fresh("calls"))

    def forgotten(self, value: Any) -> Any:
        path = self.run.path
        if isinstance(value, SymbolicPointer):
            return SymbolicPointer(value.deque, path.fresh("pointer"))
        assert isinstance(value, Segment), f"the engine cannot forget a {type(value).__name__}"
        return Segment(path.fresh("lo"), path.fresh("hi"))

    def assume(self, local: dict[str, Any]) -> None:
        self.run.know(self.loop.clauses, local)
        self.before = self.variant(local)

    def again(self, local: dict[str, Any]) -> None:
        self.run.show(self.loop.clauses, local, "loop kept: ")
        after = self.variant(local)
        self.run.path.show("loop variant falls", z3.And(after >= 0, after < self.before))
        raise Finished


def _start(algorithm: type, contract: Any) -> Exploration:
    """The empty window meets the invariant: one state, looked at as it is."""
    made = algorithm(OPERATIONS["sum"])
    state = SimpleNamespace(**vars(made), model=FifoWindow(OPERATIONS["sum"]), calls=0)

    def run(path: Path) -> None:
        for clause in contract.INVARIANT:
            path.show(clause.__name__, z3.BoolVal(bool(clause(state))))
        path.show("space", z3.BoolVal(len(shape_of(algorithm).aggregates) == contract.space(0)))
        if hasattr(contract, "savings"):
            path.show("account opens at 0", z3.BoolVal(bool(contract.savings(state) == 0)))

    return explore(run)


def induction(algorithm: type, contract: Any, operation: Operation) -> Exploration:
    """Run one operation of the class from every state that meets the invariant.

    Obligations: every clause of the invariant afterwards; the number of partial aggregates kept (`space`); the
    contracts' combine calls (`insert_calls` and so on) and, where the contracts keep an account of them, `insert_paid`
    and `evict_paid`; for query the answer; for evict of an empty window that EmptyWindowError is raised
    and nothing changes; on the way, that every pointer and stack access finds an element, that combine joins
    neighbours, and that pointers are used as Definition 1 allows.
    """
    if operation == "start":
        return _start(algorithm, contract)
    shape = shape_of(algorithm)

    def run(path: Path) -> None:
        this = _Run.start(path, algorithm, contract, shape)
        n = this.window.size
        if operation == "evict":
            path.assume(term(n) > 0)
        elif operation == "evict when empty":
            path.assume(term(n) == 0)
        if path.ask() != z3.sat:
            path.show("the assumptions are satisfiable", z3.BoolVal(False))
            return
        before = this.epoch.state
        try:
            if operation == "insert":
                this.object.insert(this.window.next())
                this.window.insert()
            elif operation == "query":
                answer = this.object.query()
                path.show("answer", formula(lambda: answer == this.window.product(0, n)))
                path.show("query changes nothing", z3.BoolVal(_unchanged(before, this.state())))
            else:
                this.object.evict()
                if operation == "evict when empty":
                    path.show("EmptyWindowError is raised", z3.BoolVal(False))
                this.window.evict()
        except EmptyWindowError:
            path.show("EmptyWindowError only on an empty window", term(n) == 0)
            path.show("nothing has changed", z3.BoolVal(_unchanged(before, this.state())))
        except (Finished, z3.Z3Exception):
            raise
        except Exception as error:
            path.show(f"raises {type(error).__name__}: {error}", z3.BoolVal(False))
            return
        this.show(contract.INVARIANT, {})
        if operation == "evict when empty":
            return
        calls, after = this.monoid.calls, this.state()
        space = contract.space(SymbolicInt(after.model.length))
        path.show("space", formula(lambda: this.stored() == space))
        bound = getattr(contract, f"{operation}_calls")
        path.show(f"{operation} calls", formula(lambda: bound(n, calls)))
        paid = getattr(contract, f"{operation}_paid", None)
        if paid is not None:
            account = contract.savings
            path.show(f"{operation} paid", formula(lambda: paid(calls, account(before), account(after))))

    return explore(run)


def _unchanged(before: SimpleNamespace, after: SimpleNamespace) -> bool:
    """Whether every term of one state is that of the other: sufficient for equal, and all that is needed."""

    def terms(value: Any) -> list[Any]:
        if isinstance(value, SymbolicDeque):
            return [*(part for pair in value.arrays.values() for part in pair), value.first, value.last]
        if isinstance(value, SymbolicStack):
            return [*(part for pair in value.arrays.values() for part in pair), value.height]
        if isinstance(value, Segment):
            return [value.lo, value.hi]
        return [value.term] if isinstance(value, SymbolicPointer) else []

    return vars(before).keys() == vars(after).keys() and all(
        x.eq(y)
        for name in vars(before)
        for x, y in zip(terms(vars(before)[name]), terms(vars(after)[name]), strict=True)
    )


def unreached(algorithm: type, branches: set[Branch]) -> list[str]:
    """The outcomes of conditions in the class's methods that no path saw, as `function: condition never outcome`.

    `__init__` is left out: it is run as it is, not symbolically.
    """
    missing: list[str] = []
    for name, function in inspect.getmembers(algorithm, inspect.isfunction):
        if name == "__init__":
            continue
        lines, first = inspect.getsourcelines(function)
        file = inspect.getsourcefile(function)
        for node in ast.walk(ast.parse(textwrap.dedent("".join(lines)))):
            if not isinstance(node, ast.If | ast.While | ast.IfExp):
                continue
            parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
            seen = [b for b in branches if (b.file, b.line) == (file, node.test.lineno + first - 1)]
            places = sorted({b.place for b in seen})
            for number, part in enumerate(parts):
                outcomes = {b.outcome for b in seen if number < len(places) and b.place == places[number]}
                missing += [
                    f"{name}: {ast.unparse(part)} never {outcome}"
                    for outcome in (True, False)
                    if outcome not in outcomes
                ]
    return missing
