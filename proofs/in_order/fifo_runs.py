"""Symbolic runs of the FIFO algorithms: induction over operations, for every window, monoid and history.

From any state that meets the contracts' INVARIANT, over symbolic values, the reference's own method is run along every
path.  Then the same clauses are shown for the resulting state, with the window by definition after the same operation.
Together with the empty start this covers every history, window size and monoid.

A state consists of the object's initial attributes, of the kinds named in `WindowShape`, with no container shared.  An
obligation of each operation is that it adds no attribute and keeps each of its kind.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from string import ascii_lowercase
from types import SimpleNamespace
from typing import Any, Final, Literal, get_args

from swagproof.contracts.space import stored_aggregates
from swagproof.contracts.visible import visible_on
from swagproof.models.containers.deque import ChunkedDeque, Pointer
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError, FifoWindow
from swagproof.proofs.engine.heap import SymbolicDeque, SymbolicPointer, SymbolicStack, SymbolicWindow
from swagproof.proofs.engine.paths import Exploration, Path, enclosing_path, explore, formula, show
from swagproof.proofs.engine.run import Run, make_runnable, show_unchanged
from swagproof.proofs.engine.solver import Integer, Model, z3
from swagproof.proofs.engine.values import Segment, SegmentMonoid, SymbolicInt, remove, term
from swagproof.proofs.in_order.method_contracts import show_around, show_method_contracts
from swagproof.reports.cells import Cells, label_lines

FifoOperation = Literal["start", "insert", "evict", "evict when empty", "query"]
OPERATIONS_OF_FIFO: Final[tuple[FifoOperation, ...]] = get_args(FifoOperation)

ELEMENT_FIELDS: Final = ("val", "agg")


class Opaque:
    """A partial aggregate whose truth and hash must not be used; equality, which clauses test, is identity."""

    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __bool__(self) -> bool:
        raise TypeError("the truth of a value differs from monoid to monoid")

    def __eq__(self, other: object) -> bool:
        if enclosing_path() is not None:
            show("control flow looks at no value", z3.BoolVal(False))
        return self is other


class OpaqueMonoid:
    """A stub monoid, for inspecting an object's fields; its identity is neither 0 nor an empty string."""

    remove: Any

    def __init__(self, *, subtracts: bool = True) -> None:
        self.identity = Opaque()
        self.remove = self._remove if subtracts else None

    def combine(self, a: Opaque, b: Opaque) -> Opaque:
        """Return another value."""
        return Opaque()

    def _remove(self, a: Opaque, b: Opaque) -> Opaque:
        return Opaque()


@dataclass(frozen=True)
class WindowShape:
    """The fields of a class, read from an object of it, so that they are not written down twice."""

    pointers: dict[str, str]
    """The deque into which each pointer attribute points."""
    aggregates: tuple[str, ...]
    deques: tuple[str, ...]
    stacks: tuple[str, ...]
    fields: tuple[str, ...]
    """The fields of a container's slot: those of Element, or ("",) for a plain partial aggregate."""
    given: tuple[str, ...]
    """The constructor arguments that the object keeps: the operator and its `remove`."""


def shape_of(cls: type) -> WindowShape:
    """Make an object and read its shape.  Raises TypeError for an attribute of a kind unknown to the engine."""
    monoid = OpaqueMonoid()
    probe = cls(monoid)
    kept = dict(vars(probe))
    with suppress(Exception):  # a mutant may already fail here
        probe.insert(Opaque())
    names: dict[type, list[str]] = {Pointer: [], ChunkedDeque: [], Stack: [], Opaque: []}
    for name, value in kept.items():
        if (name == "monoid" and value is monoid) or (name == "remove" and value is monoid.remove):
            continue
        kind = next((kind for kind in names if isinstance(value, kind)), None)
        if kind is None:
            raise TypeError(f"{cls.__name__}.{name} is a {type(value).__name__}: the engine has no symbolic stand-in")
        names[kind].append(name)
    pointers, deques, stacks, aggregates = names.values()
    items: list[Any] = [kept[name][kept[name].begin()] for name in deques if len(kept[name])]
    items += [kept[name].top() for name in stacks if kept[name].size]
    containers = [kept[name] for name in (*deques, *stacks)]
    if len({id(container) for container in containers}) < len(containers):
        raise TypeError(f"{cls.__name__} keeps a container twice: the engine knows no aliases")
    if len(deques) > 1 or (pointers and not deques):
        raise TypeError(f"{cls.__name__} keeps {len(deques)} deques: the engine knows pointers into one")
    fields = ELEMENT_FIELDS if any(isinstance(item, Element) for item in items) else ("",)
    deque = deques[0] if deques else ""
    return WindowShape(
        dict.fromkeys(pointers, deque),
        tuple(aggregates),
        tuple(deques),
        tuple(stacks),
        fields,
        tuple(name for name in ("monoid", "remove") if name in kept),
    )


class FifoRun(Run):
    """One symbolic object of the class under proof, with the window by definition (`model` in the contracts).

    The object keeps pointers into a deque, stacks and partial aggregates, over segments.
    """

    ERRORS = (Exception,)

    def __init__(self, path: Path, algorithm: type, contract: Any, shape: WindowShape) -> None:
        self.window = SymbolicWindow(path)
        Run.__init__(self, path, SegmentMonoid(), contract.LOOPS, model=self.window)
        self.shape = shape
        containers: dict[str, Any] = {name: SymbolicDeque(name, shape.fields, path) for name in shape.deques}
        containers |= {name: SymbolicStack(name, shape.fields, path) for name in shape.stacks}
        self.subtractions = 0
        given = {"monoid": self.monoid, "remove": self.subtract}
        kept: dict[str, Any] = {name: given[name] for name in shape.given}
        kept |= {name: SymbolicPointer(containers[deque], path.fresh(name)) for name, deque in shape.pointers.items()}
        kept |= {name: Segment.unknown(path, name) for name in shape.aggregates}
        self.make(algorithm, **containers, **kept)
        if "monoid" not in shape.given:
            del self.object.monoid  # __init__ does not store it
        self.know(contract.INVARIANT, {})
        self.start = self.state()

    def size(self) -> Integer:
        return self.start.model.length

    def stored(self) -> SymbolicInt:
        """Return the number of stored partial aggregates: in attributes, and in each field of each slot."""
        kept = SymbolicInt(z3.IntVal(sum(isinstance(value, Segment) for value in self.attributes.values())))
        for name in self.shape.deques:
            deque = getattr(self.object, name)
            kept = kept + SymbolicInt(deque.last - deque.first) * len(self.shape.fields)
        for name in self.shape.stacks:
            kept = kept + getattr(self.object, name).size * len(self.shape.fields)
        return kept

    def subtract(self, x: Segment, y: Segment) -> Segment:
        """Apply the operation's `remove`, and count it; no loop of this family subtracts."""
        self.subtractions += 1
        return remove(x, y)

    def example(self, model: Model) -> str:
        """Return the start state as text: pointers relative to the first, heights, and n."""
        state = self.start

        def value(what: Integer) -> int:
            return int(model.eval(what, model_completion=True).as_long())

        parts = [f"n = {value(state.model.length)}"]
        for name, deque in self.shape.pointers.items():
            parts.append(f"{name} = {value(getattr(state, name).term - getattr(state, deque).first)}")
        parts += [f"|{name}| = {value(getattr(state, name).length)}" for name in self.shape.stacks]
        return ", ".join(parts)

    def draw(self, model: Model) -> str:
        """Draw the window before the operation and where it is inspected, in letters, with the stored values."""
        front = self.start.model.front
        value: Callable[[Integer], int] = lambda what: model.eval(what, model_completion=True).as_long()  # noqa: E731  # for the type

        def product(x: Segment) -> str:
            lo, hi = value(x.lo - front), value(x.hi - front)
            if lo == hi:  # the identity, at any place
                return '""'
            if not 0 <= lo <= hi <= len(ascii_lowercase):
                return f"no product of neighbours: {lo} .. {hi}" if lo > hi else f"product of elements {lo} .. {hi - 1}"
            return f'"{ascii_lowercase[lo:hi]}"'

        def window(state: SimpleNamespace) -> list[tuple[str, str]]:
            elements = [product(state.model[i]).strip('"') for i in range(value(state.model.length))]
            lines = [("window", " ".join(elements) or "empty")]
            for deque in self.shape.deques:
                begin = getattr(state, deque).first
                shift = value(begin - getattr(self.start, deque).first) - value(state.model.front - front)
                places = {name: value(getattr(state, name).term - begin) + shift for name in self.shape.pointers}
                widest = max(Counter(places.values()).values(), default=1)
                cells = Cells([element.ljust(widest) for element in elements])
                lines = [("window", cells.text() or "empty"), (deque, cells.marks(places))]
            lines += [(name, f"{value(getattr(state, name).length)} high") for name in self.shape.stacks]
            return lines + [(name, product(getattr(state, name))) for name in self.shape.aggregates]

        now = self.state()
        lines = [*window(self.start), *(("then " + name, text) for name, text in window(now))]
        if self.looked_at is not None and self.looked_at.of[0]:
            kept, spoken = getattr(now, self.looked_at.of[0]), self.looked_at.spoken[0].term
            deque = isinstance(kept, SymbolicDeque)
            index = spoken if deque else kept.length - 1 - spoken
            at = f"slot {value(spoken - kept.first)}" if deque else f"{kept.name}, {value(spoken)} below its top"
            fields = {name: product(kept.load_field(name, index)) for name in self.shape.fields}
            lines.append((at, ", ".join(f"{name or 'keeps'} {text}" for name, text in fields.items())))
        return label_lines(*lines)


def _start(algorithm: type, contract: Any) -> Exploration:
    """Show that the empty window meets the invariant: one state, made by the constructor for an unknown monoid.

    If the algorithm keeps `remove`, show that an operation without one is refused with TypeError.
    """

    def run(path: Path) -> None:
        monoid = OpaqueMonoid()
        made = algorithm(monoid)
        state = SimpleNamespace(**vars(made), model=FifoWindow(monoid), calls=0)

        def holds(clause: Any) -> bool:
            try:
                return bool(formula(lambda: clause(state)))
            except (IndexError, TypeError):
                return False

        for clause in contract.INVARIANT:
            path.show(clause.__name__, z3.BoolVal(holds(clause)))
        path.show("the operator is kept", z3.BoolVal(vars(made).get("monoid") is monoid))
        held = [value for value in vars(made).values() if hasattr(type(value), "__getitem__")]
        path.show("no container by two names", z3.BoolVal(len(set(map(id, held))) == len(held)))
        if "remove" in vars(made):
            path.show("an operation without remove is refused", z3.BoolVal(_refuses(algorithm)))
        if hasattr(contract, "space"):
            path.show("space", z3.BoolVal(contract.space(0, stored_aggregates(made, Opaque))))
        if hasattr(contract, "savings"):
            path.show("account opens at 0", z3.BoolVal(bool(contract.savings(state) == 0)))

    return explore(run)


def _refuses(algorithm: type) -> bool:
    try:
        algorithm(OpaqueMonoid(subtracts=False))
    except TypeError:
        return True
    return False


def explore_operation(
    algorithm: type,
    contract: Any,
    operation: FifoOperation,
    kind: type[FifoRun] = FifoRun,
    enough: Callable[[Exploration], bool] = lambda _: False,
    checked: type = object,
) -> Exploration:
    """Run one operation of the class from every state that meets the invariant.

    Obligations at each call are the contracts on the methods of `checked`; afterwards every clause of the invariant,
    the number of stored partial aggregates (`space`), the contracts' combine calls (`insert_calls` and so on), and
    their account if they keep one (`insert_paid`, `evict_paid`).  A query returns the answer; evict of an empty window
    raises EmptyWindowError and changes nothing.  On the way, every pointer and stack access finds an element, combine
    joins neighbours, and pointers are used only as Definition 1 allows.
    """
    make_runnable(kind, algorithm)  # type: ignore[arg-type]  # a class is hashable
    shape = shape_of(algorithm)
    if operation == "start":
        return _start(algorithm, contract)

    def run(path: Path) -> None:
        this = kind(path, algorithm, contract, shape)
        show_method_contracts(this, checked)
        ended = show_around(this, visible_on(checked, operation), operation, f"{operation}_")
        n, kept = this.window.size, dict(this.attributes)
        if operation == "evict":
            path.assume(term(n) > 0)
        elif operation == "evict when empty":
            path.assume(term(n) == 0)
        if path.solver.ask("assumptions", about="where the operation begins") != "sat":
            path.show("the assumptions are satisfiable", z3.BoolVal(False))
            return
        with this.guard(EmptyWindowError):
            try:
                _operate(this, operation)
            except EmptyWindowError:
                evicts = z3.BoolVal(operation in ("evict", "evict when empty"))
                path.show("EmptyWindowError only on evict of an empty window", z3.And(evicts, term(n) == 0))
                show_unchanged(this, "nothing has changed", this.start)
        path.show("the object keeps attributes of the same kinds", z3.BoolVal(_same_kinds(kept, this.attributes)))
        this.show(contract.INVARIANT, {})
        if operation != "evict when empty":
            ended()
            _show_costs(this, contract, operation, n)

    return explore(run, enough)


def _operate(this: FifoRun, operation: FifoOperation) -> None:
    """Run the operation on the object and on the window by definition."""
    if operation == "insert":
        this.object.insert(this.window.next())
        this.window.insert()
    elif operation == "query":
        answer, right = this.object.query(), this.window.product(0, this.window.size)
        this.path.show("answer", formula(lambda: answer == right))
        show_unchanged(this, "query changes nothing", this.start)
    else:
        this.object.evict()
        if operation == "evict when empty":
            this.path.show("EmptyWindowError is raised", z3.BoolVal(False))
        this.window.evict()


def _show_costs(this: FifoRun, contract: Any, operation: FifoOperation, n: SymbolicInt) -> None:
    """Show space, combine calls, subtractions and account, as far as the contracts state them."""
    calls, now = this.monoid.calls, this.state()
    figures: dict[str, Callable[[], tuple[Any, ...]]] = {
        "space": lambda: (this.window.size, this.stored()),
        f"{operation} calls": lambda: (n, calls),
        f"{operation} subtractions": lambda: (this.subtractions,),
        f"{operation} paid": lambda: (calls, contract.savings(this.start), contract.savings(now)),
    }
    for name, figure in figures.items():
        clause = getattr(contract, name.replace(" ", "_"), None)
        if clause is not None:
            this.path.describe(name, clause)
            this.path.show(name, formula(lambda: clause(*figure())))  # noqa: B023  # called here


def _same_kinds(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether the attributes are the same, with the same containers, pointers and partial aggregates."""

    def same(x: Any, y: Any) -> bool:
        return x is y or (type(x) is type(y) and isinstance(x, SymbolicPointer | Segment))

    return before.keys() == after.keys() and all(same(value, after[name]) for name, value in before.items())
