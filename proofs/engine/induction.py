"""Induction over operations: the invariant holds at the start, and every operation keeps it.

From any state that meets the contracts' INVARIANT, over symbolic values, the reference's own method is run along every
path; then the same clauses are shown of the state it leaves, beside the window by definition after the same operation.
With the empty start this covers every history, window size and monoid.

A state is what an object keeps when it is made: attributes of the kinds named in `Shape`, each container on its own.
That an operation adds none, and leaves each of its kind, is an obligation.
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
from swagproof.contracts.space import stored_aggregates
from swagproof.models.containers.deque import ChunkedDeque, Pointer
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError, FifoWindow
from swagproof.proofs.engine.heap import (
    Epoch,
    Segment,
    SegmentMonoid,
    SymbolicDeque,
    SymbolicPointer,
    SymbolicStack,
    SymbolicWindow,
    clause_at,
    remove,
)
from swagproof.proofs.engine.language import refuse_unseen
from swagproof.proofs.engine.loops import cut, has_loop, loop_of
from swagproof.proofs.engine.paths import (
    Branch,
    Exploration,
    Failure,
    Finished,
    Path,
    SymbolicInt,
    Unsupported,
    explore,
    formula,
    term,
)
from swagproof.proofs.engine.solver import Integer, Model, z3

Operation = Literal["start", "insert", "evict", "evict when empty", "query"]
OPERATIONS_OF_FIFO: Final[tuple[Operation, ...]] = ("start", "insert", "evict", "evict when empty", "query")

ELEMENT_FIELDS: Final = ("val", "agg")


class Opaque:
    """A partial aggregate that is equal to itself alone."""


class OpaqueMonoid:
    """What an object is made with when it is only looked at: an identity that is no 0 and no empty string."""

    def __init__(self) -> None:
        self.identity = Opaque()

    def combine(self, a: Opaque, b: Opaque) -> Opaque:
        """Something else."""
        return Opaque()

    def remove(self, a: Opaque, b: Opaque) -> Opaque:
        """Something else."""
        return Opaque()


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
    monoid = OpaqueMonoid()
    probe = cls(monoid)
    kept = dict(vars(probe))
    with suppress(Exception):  # a wrong variant may fail already here
        probe.insert(Opaque())
    pointers: list[str] = []
    aggregates: list[str] = []
    deques: list[str] = []
    stacks: list[str] = []
    items: list[Any] = []
    for name, value in kept.items():
        if (name, value) in (("monoid", monoid), ("remove", monoid.remove)):
            continue
        if isinstance(value, Pointer):
            pointers.append(name)
        elif isinstance(value, ChunkedDeque):
            deques.append(name)
            items += [value[value.begin()]] if len(value) else []
        elif isinstance(value, Stack):
            stacks.append(name)
            items += [value.top()] if value.size else []
        elif isinstance(value, Opaque):
            aggregates.append(name)
        else:
            raise TypeError(f"{cls.__name__}.{name} is a {type(value).__name__}: the engine has no symbolic stand-in")
    containers = [kept[name] for name in (*deques, *stacks)]
    if len({id(container) for container in containers}) < len(containers):
        raise TypeError(f"{cls.__name__} keeps a container twice: the engine knows no aliases")
    if len(deques) > 1 or (pointers and not deques):
        raise TypeError(f"{cls.__name__} keeps {len(deques)} deques: the engine knows pointers into one")
    fields = ELEMENT_FIELDS if any(isinstance(item, Element) for item in items) else ("",)
    deque = deques[0] if deques else ""
    return Shape(
        dict.fromkeys(pointers, deque),
        tuple(aggregates),
        tuple(deques),
        tuple(stacks),
        fields,
        "remove" in kept,
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
            this.remove = remove
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
        kept = SymbolicInt(z3.IntVal(sum(isinstance(value, Segment) for value in vars(self.object).values())))
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
    """What a cut loop calls: see swagproof.proofs.engine.loops."""

    def __init__(self, run: _Run, loop: Loop) -> None:
        self.run = run
        self.loop = loop
        self.before: Any = None
        self.changing: set[str] = set()
        self.held: dict[str, Any] = {}
        self.assigned: dict[str, Any] = {}
        self.running = False

    def seen(self, local: dict[str, Any]) -> dict[str, Any]:
        """What the loop must leave as it is: what has not been forgotten, and what containers held."""
        this = vars(self.run.object)
        held = {f"self.{name}": value for name, value in this.items()} | local
        for name in (*self.run.shape.deques, *self.run.shape.stacks):
            held[f"contents of {name}"] = _terms(this[name])
        for name, value in local.items():
            for number, struct in enumerate(_structs(value)):
                held[f"fields of {name}, {number}"] = [part for f in ELEMENT_FIELDS for part in _field(struct, f)]
        return {name: value for name, value in held.items() if name not in self.changing}

    def variant(self, local: dict[str, Any]) -> Integer:
        names = list(inspect.signature(self.loop.variant).parameters)[1:]
        state, values = self.run.state(), {name: local[name] for name in names}
        found: list[Integer] = []

        def evaluate() -> bool:
            found.append(term(self.loop.variant(state, **values)))
            return True

        formula(evaluate)
        if len(found) > 1:
            raise ValueError("a variant is one term: it must not branch")
        return found[0]

    def enter(self, local: dict[str, Any]) -> None:
        if self.running:
            raise Unsupported("a loop is begun again before it has ended")
        self.running = True
        self.run.show(self.loop.clauses, local, "loop entered: ")

    def forget(self, attributes: list[str], only_read: list[str]) -> None:
        run = self.run
        run.forget(tuple(attributes))
        self.changing |= {f"self.{name}" for name in attributes}
        for name in (*run.shape.deques, *run.shape.stacks):
            if name not in only_read:
                getattr(run.object, name).forget(run.path)
                self.changing.add(f"contents of {name}")
        run.monoid.calls = SymbolicInt(run.path.fresh("calls"))

    def forgotten(self, name: str, value: Any) -> Any:
        path = self.run.path
        self.changing.add(name)
        if isinstance(value, SymbolicPointer):
            return SymbolicPointer(value.deque, path.fresh("pointer"))
        assert isinstance(value, Segment), f"the engine cannot forget a {type(value).__name__}"
        return Segment(path.fresh("lo"), path.fresh("hi"))

    def changed(self, name: str, local: dict[str, Any]) -> None:
        """No container is a local variable here: pointers, and structs that are read and written where they stand."""

    def assume(self, local: dict[str, Any]) -> None:
        self.run.know(self.loop.clauses, local)
        self.before = self.variant(local)
        self.held = self.seen(local)
        self.attributes = dict(vars(self.run.object))
        self.assigned = {name: value for name, value in local.items() if name in self.changing}

    def leave(self) -> None:
        self.running = False

    def again(self, local: dict[str, Any]) -> None:
        left = self.seen(local)
        kept = all(name in left and _same(value, left[name]) for name, value in self.held.items())
        self.run.path.show("the loop changes only what was forgotten", z3.BoolVal(kept))
        same = _same_kinds(self.attributes, vars(self.run.object)) and _same_kinds(
            self.assigned, {name: local[name] for name in self.assigned}
        )
        self.run.path.show("what the loop assigns stays of its kind", z3.BoolVal(same))
        self.run.show(self.loop.clauses, local, "loop kept: ")
        after = self.variant(local)
        self.run.path.show("loop variant falls", z3.And(after >= 0, after < self.before))
        raise Finished


def _start(algorithm: type, contract: Any) -> Exploration:
    """The empty window meets the invariant: one state, looked at as it is."""
    monoid = OpaqueMonoid()
    made = algorithm(monoid)
    state = SimpleNamespace(**vars(made), model=FifoWindow(monoid), calls=0)

    def holds(clause: Any) -> bool:
        try:
            return bool(clause(state))
        except (IndexError, TypeError):
            return False

    def run(path: Path) -> None:
        for clause in contract.INVARIANT:
            path.show(clause.__name__, z3.BoolVal(holds(clause)))
        path.show("space", z3.BoolVal(stored_aggregates(made, Opaque) == contract.space(0)))
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
    refuse_unseen(algorithm)
    shape = shape_of(algorithm)
    if operation == "start":
        return _start(algorithm, contract)

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
        before, kept = this.epoch.state, dict(vars(this.object))
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
            evicts = operation in ("evict", "evict when empty")
            path.show("EmptyWindowError only on evict of an empty window", z3.And(z3.BoolVal(evicts), term(n) == 0))
            path.show("nothing has changed", z3.BoolVal(_unchanged(before, this.state())))
        except (Finished, z3.Z3Exception):
            raise
        except Unsupported as error:
            path.shown += 1
            path.report.failures.append(Failure("the engine can run it", True, str(error)))
            return
        except Exception as error:
            path.show(f"raises {type(error).__name__}: {error}", z3.BoolVal(False))
            return
        path.show("the object keeps attributes of the same kinds", z3.BoolVal(_same_kinds(kept, vars(this.object))))
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
    return vars(before).keys() == vars(after).keys() and all(
        _same(_terms(value), _terms(vars(after)[name])) for name, value in vars(before).items()
    )


def _terms(value: Any) -> list[Any]:
    if isinstance(value, SymbolicDeque):
        return [*(part for pair in value.arrays.values() for part in pair), value.first, value.last]
    if isinstance(value, SymbolicStack):
        return [*(part for pair in value.arrays.values() for part in pair), value.height]
    if isinstance(value, Segment):
        return [value.lo, value.hi]
    return [value.term] if isinstance(value, SymbolicPointer) else []


def _structs(value: Any) -> list[Element[Any]]:
    """The structs that are not in a container: a variable's value, and within a tuple."""
    if isinstance(value, tuple):
        return [struct for part in value for struct in _structs(part)]  # pyright: ignore[reportUnknownVariableType]  # of any kind
    return [value] if isinstance(value, Element) else []


def _field(struct: Element[Any], name: str) -> list[Any]:
    """The terms of a field; none where the struct has been stored."""
    return _terms(getattr(struct, name, None))


def _same(x: Any, y: Any) -> bool:
    """The same object, or lists of the same terms."""
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(a.eq(b) for a, b in zip(x, y, strict=True))
    return x is y


def _same_kinds(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether these attributes are all there are: the same containers, pointers and partial aggregates as before."""

    def same(x: Any, y: Any) -> bool:
        return x is y or (type(x) is type(y) and isinstance(x, SymbolicPointer | Segment))

    return before.keys() == after.keys() and all(same(value, after[name]) for name, value in before.items())


def unreached(algorithm: type, branches: set[Branch]) -> list[str]:
    """The outcomes of conditions in the class's methods that no path saw, as `function: condition never outcome`.

    `__init__` is left out: it is run as it is, not symbolically.  ValueError for a condition whose parts cannot be told
    apart: parts within parts, chained comparisons, two conditions on a line.
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
            if len(places) > len(parts) or any(
                isinstance(n, ast.BoolOp) or (isinstance(n, ast.Compare) and len(n.ops) > 1)
                for part in parts
                for n in ast.walk(part)
            ):
                raise ValueError(f"{name}: the parts of {ast.unparse(node.test)} cannot be told apart")
            for number, part in enumerate(parts):
                denied = isinstance(part, ast.UnaryOp)  # `not`, the only one of a truth value
                outcomes = {b.outcome != denied for b in seen if number < len(places) and b.place == places[number]}
                missing += [
                    f"{name}: {ast.unparse(part)} never {outcome}"
                    for outcome in (True, False)
                    if outcome not in outcomes
                ]
    return missing
