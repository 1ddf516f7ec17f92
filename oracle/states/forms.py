"""The state of each algorithm whose invariants `checked` applies, and the evaluation of each clause.

The fields of a state are those in the algorithm's invariants.  Sequences are oldest first, except for the front of
Two-Stacks, whose top comes first; pointers count from the first element of the deque.  An element with its aggregate is
a pair (element, aggregate), or an object with `val` and `agg`.  A tree is its root: an object with `times`, `values`,
`agg` and `children`, for FiBA also `left_spine` and `right_spine`; a finger is the node itself.

The clauses are those of `swagproof.contracts`, evaluated one by one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final, Literal

from swagproof.contracts.clause import ForEach, slots
from swagproof.models.containers.deque import NumberedDeque
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import FifoWindow
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.mistakes import show
from swagproof.reference import catalogue
from swagproof.reference.catalogue import Column
from swagproof.reference.trees.augmented_tree import Node
from swagproof.reference.trees.fiba import FingerNode

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Form:
    """The form of an algorithm's state."""

    algorithm: str
    """The name that `checked` takes."""
    column: Column
    fields: tuple[str, ...]
    read: Callable[[Fields, Any], Any]
    """Builds the object on which the clauses are evaluated, except for its `model`, from the fields and the monoid."""
    model: Callable[[Any], Any] = FifoWindow[Any]
    """Builds the model of the window from a monoid."""
    containers: tuple[str, ...] = ()
    """The fields that hold sequences."""


def _pair(item: Any) -> Element[Any]:
    return Element(*item) if isinstance(item, tuple) else Element(item.val, item.agg)


def _read_stacks(fields: Fields, _monoid: Any) -> Any:
    made = SimpleNamespace(F=Stack[Any](), B=Stack[Any]())
    for item in reversed([*fields["F"]]):
        made.F.push(_pair(item))
    for item in fields["B"]:
        made.B.push(_pair(item))
    return made


def _read_deque(fields: Fields, _monoid: Any) -> Any:
    deque = NumberedDeque[Any]()
    pairs = "aggB" not in fields and "B" in fields  # DABA keeps both, the Lite algorithms keep one value in each place
    for item in fields["deque"]:
        deque.push_back(_pair(item) if pairs else item)
    return SimpleNamespace(**{"F": 0, "E": deque.end(), **fields, "deque": deque})


def _read_tree(fields: Fields, monoid: Any) -> Any:
    made: dict[int, Any] = {}

    def copied(given: Any, parent: Any) -> Any:
        node: Any = (FingerNode if "left_finger" in fields else Node)(monoid)
        made[id(given)] = node
        node.times, node.values, node.agg, node.parent = [*given.times], [*given.values], given.agg, parent
        if "left_finger" in fields:
            node.left_spine, node.right_spine = given.left_spine, given.right_spine
        node.children = [copied(child, node) for child in given.children or ()]
        return node

    state = SimpleNamespace(min_arity=fields["min_arity"], root=copied(fields["root"], None))
    for name in ("left_finger", "right_finger"):
        if name in fields:
            setattr(state, name, made.get(id(fields[name])))
    return state


def structure(value: Any) -> Any:
    """Return a state as plain lists and tuples, for comparison."""
    if isinstance(value, SimpleNamespace):
        return {name: structure(part) for name, part in vars(value).items() if name != "model"}
    if isinstance(value, Stack):
        return [structure(value[depth]) for depth in range(value.size)]
    if isinstance(value, NumberedDeque):
        return [structure(item) for item in value]
    if isinstance(value, Element):
        return value.val, value.agg
    return (
        (value.times, value.values, value.agg, [*map(structure, value.children)]) if isinstance(value, Node) else value
    )


def _deque(algorithm: str, column: Column, *fields: str) -> Form:
    return Form(algorithm, column, ("deque", *fields), _read_deque, containers=("deque",))


def _tree(algorithm: str, column: Column, *fields: str) -> Form:
    return Form(algorithm, column, ("min_arity", "root", *fields), _read_tree, OutOfOrderWindow[Any])


FORMS: Final = {
    form.algorithm: form
    for form in (
        Form("two-stacks", catalogue.TWO_STACKS, ("F", "B"), _read_stacks, containers=("F", "B")),
        _deque("two-stacks-lite", catalogue.TWO_STACKS_LITE, "B", "aggB"),
        _deque("daba", catalogue.DABA, *"LRAB"),
        _deque("daba-lite", catalogue.DABA_LITE, *"LRAB", "aggRA", "aggB"),
        _deque("recalculate", catalogue.RECALCULATE),
        _deque("subtract-on-evict", catalogue.SUBTRACT_ON_EVICT, "agg"),
        _tree("b-tree", catalogue.B_TREE),
        _tree("fiba", catalogue.FIBA, "left_finger", "right_finger"),
    )
}
"""The form of each algorithm's states."""


@dataclass(frozen=True)
class Clause:
    """The result of checking one clause of the invariants."""

    name: str
    formula: str
    outcome: Literal["holds", "broken", "unknown"]
    """`unknown`: the state lacks a value that the clause needs."""
    why: str | None = None
    """The values that break it."""


class Definition:
    """The model of the window; it records the last request of a clause."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.asked: tuple[str, Any] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def __getitem__(self, i: int) -> Any:
        value = self._model[i]
        self.asked = f"v_{i}", value
        return value

    def product(self, i: int, j: int) -> Any:
        """Return the product of the elements between i and j."""
        value = self._model.product(i, j)
        self.asked = (f"v_{i} ... v_{j - 1}" if i < j - 1 else f"v_{i}" if i < j else "the empty product"), value
        return value


def fields_of(form: Form, name: str) -> list[str]:
    """Return the fields of the state that a clause uses."""
    clause = next(clause for clause in form.column.contract.INVARIANT if clause.__name__ == name)
    return [field for field in form.fields if field in _spoken(clause)]


def _spoken(clause: Any) -> set[str]:
    return {*getattr(clause, "at", clause).__code__.co_names, getattr(clause, "container", "")}


def judge_clause(form: Form, clause: Any, state: Any) -> Clause:
    """Evaluate one clause on a state."""
    name, formula = clause.__name__, " ".join((clause.__doc__ or "").split())
    state.model.asked = None
    values: list[str] = []
    try:
        if isinstance(clause, ForEach):
            container = getattr(state, clause.container)
            for number, slot in enumerate(slots(container)):
                place = container.size - 1 - slot if clause.container == "B" else number  # the index in the state
                values = [f"{clause.container}[{place}] is {_show(container[slot])}"]
                if not clause.at(state, slot):
                    break
            else:
                return Clause(name, formula, "holds")
        elif clause(state):
            return Clause(name, formula, "holds")
        else:
            fields = ("F", *form.fields, "E") if form.containers == ("deque",) else form.fields
            values = [
                f"{field} is {_show(getattr(state, field))}"
                for field in fields
                if field in _spoken(clause) - {"root", "left_finger", "right_finger", *form.containers}
            ]
        if state.model.asked is not None:
            values.append(f"{state.model.asked[0]} is {_show(state.model.asked[1])}")
    except Exception as error:  # the pointers of a broken state may lead anywhere
        if isinstance(error, AttributeError) and error.name in form.fields:
            return Clause(name, formula, "unknown")
        values.append(f"it leads to {type(error).__name__}: {error}")
    return Clause(name, formula, "broken", "; ".join(values) or None)


def _show(value: Any) -> str:
    return f"{show(value.val)}/{show(value.agg)}" if isinstance(value, Element) else show(value)
