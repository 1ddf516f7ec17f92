"""The papers' invariants, applied to a state that somebody else's implementation has written down.

A state is a JSON object: the name of its `algorithm`, of its `monoid`, and the fields that the algorithm's own
invariants speak of (`FORMATS`; `swagproof check-state --formats` prints them, with an example each).  Values are
partial aggregates, encoded as in traces (see `swagproof.oracle.trace`).  `window` holds what is in the window by right,
as the implementation was handed it.  Where it is left out, the elements that the state itself holds are taken for it;
the Lite algorithms overwrite theirs, so that clauses about values are not judged then.

The clauses are those of `swagproof.contracts`, evaluated one by one.

>>> state = {"algorithm": "two-stacks-lite", "monoid": "sum", "deque": [3, 2, 9], "B": 2, "aggB": 4}
>>> for clause in check(*state_of({**state, "window": [1, 2, 4]}, "example")):
...     print(clause.outcome, clause.name, clause.why or "")
holds pointer_order\x20
holds ends\x20
broken contents deque[2] is 9; v_2 is 4
holds aggB\x20
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from swagproof.contracts.clause import ForEach, slots
from swagproof.models.operations import OPERATIONS
from swagproof.oracle.mistakes import show, show_json
from swagproof.oracle.states.format import Fields, Format, Monoid, short, write_value
from swagproof.oracle.states.tree_formats import TREES
from swagproof.oracle.states.window_formats import BUFFERS, FLAT_FAT, IN_DEQUES, TWO_STACKS
from swagproof.oracle.trace import InputError
from swagproof.reports.report import Outcome

FORMATS: Final = {form.algorithm: form for form in (TWO_STACKS, *IN_DEQUES, FLAT_FAT, *BUFFERS, *TREES)}
"""The format of each algorithm's states."""

ALWAYS: Final = ("algorithm", "monoid", "window")
"""The fields of every state."""


@dataclass(frozen=True)
class Clause:
    """The result of checking one clause of the invariants."""

    name: str
    formula: str
    outcome: Literal["holds", "broken", "unknown"]
    """`unknown`: the state does not say what the clause speaks of."""
    why: str | None = None
    """The values that break it."""

    def __str__(self) -> str:
        return f"{self.name}: {self.formula}" + (f" ({self.why})" if self.why else "")


class _UnknownError(Exception):
    """A clause speaks of what the state does not say."""


class Definition:
    """The window by definition, with a note of what a clause asked it last."""

    def __init__(self, model: Any, size: int, first: int) -> None:
        self._model = model
        self._size = size
        self._first = first
        self.asked: tuple[str, Any] | None = None

    @property
    def size(self) -> int:
        """n."""
        return self._size

    def __getattr__(self, name: str) -> Any:
        return getattr(self._find_model(), name)

    def _find_model(self) -> Any:
        if self._model is None:
            raise _UnknownError
        return self._model

    def __getitem__(self, i: int) -> Any:
        value = self._find_model()[i]
        self.asked = f"v_{i}", value
        return value

    def product(self, i: int, j: int) -> Any:
        """The product of the elements between i and j."""
        value = self._find_model().product(i, j)
        last = j - 1 + self._first
        self.asked = (f"v_{i} ... v_{last}" if i < last else f"v_{i}" if i == last else "the empty product"), value
        return value


def state_of(data: Any, where: str, operation: Monoid | None = None, window: Any = None) -> tuple[Format, Any]:
    """The format of a state, and what its clauses are evaluated on.

    Where an `operation` is given, the state need not name its monoid; where the `window` by definition is, it need not
    say what is in it.  Raises InputError that names the field.
    """
    if not isinstance(data, dict):
        raise InputError(f"{where}: expected an object with the fields {', '.join(ALWAYS)}, ...")
    given = cast("dict[str, Any]", data)
    form = FORMATS.get(str(given.get("algorithm")))
    if form is None:
        raise InputError(f"{where}: field algorithm: {short(given.get('algorithm'))} is none of {', '.join(FORMATS)}")
    if operation is None or "monoid" in given:
        operation = OPERATIONS.get(str(given.get("monoid")))
    if operation is None:
        raise InputError(f"{where}: field monoid: {short(given.get('monoid'))} is none of {', '.join(OPERATIONS)}")
    for name in given:
        if name not in (*ALWAYS, *form.fields):
            raise InputError(f"{where}: field {name}: {form.algorithm} has {', '.join((*ALWAYS, *form.fields))}")
    fields = Fields(given, where, operation)
    state = form.read(fields)
    if "window" not in given and window is not None and type(window) is form.content.defined:
        state.model = Definition(window, window.size, form.counts_from)
        return form, state
    content = form.content.read(fields) if "window" in given else form.extract(state)
    size = len(content if content is not None else state.deque.items)
    model = None if content is None else form.content.model(operation, content)
    state.model = Definition(model, size, form.counts_from)
    return form, state


def check(form: Format, state: Any) -> list[Clause]:
    """Every clause of the algorithm's invariants, in their order.  Linear in the state, for FlatFAT n log n."""
    return [judge_clause(form, clause, state) for clause in form.column.contract.INVARIANT]


def fields_of(form: Format, name: str) -> list[str]:
    """The fields of the state that a clause of this name speaks of."""
    clause = next(clause for clause in form.column.contract.INVARIANT if clause.__name__ == name)
    plain = getattr(clause, "at", clause)
    spoken = {*plain.__code__.co_names, getattr(clause, "container", "")}
    return [field for field in form.fields if field in spoken]


def judge_clause(form: Format, clause: Any, state: Any) -> Clause:
    """Return what is to be said of one clause, of a state that is read."""
    name, formula = clause.__name__, " ".join((clause.__doc__ or "").split())
    state.model.asked = None
    values: list[str] = []
    try:
        if isinstance(clause, ForEach):
            container = getattr(state, clause.container)
            for number, slot in enumerate(slots(container)):
                place = container.size - 1 - slot if clause.container == "B" else number  # as the state has it
                values = [f"{clause.container}[{place}] is {_show_value(container[slot])}"]
                if not clause.at(state, slot):
                    break
            else:
                return Clause(name, formula, "holds")
        elif clause(state):
            return Clause(name, formula, "holds")
        else:
            spoken = clause.__code__.co_names
            values = [f"{field} is {_show_value(getattr(state, field))}" for field in form.shown if field in spoken]
        if state.model.asked is not None:
            values.append(f"{state.model.asked[0]} is {_show_value(state.model.asked[1])}")
    except _UnknownError:
        return Clause(name, formula, "unknown", "not judged: the state says nothing of the window")
    except Exception as error:  # the pointers of a broken state lead anywhere
        if isinstance(error, AttributeError) and error.name in form.fields:
            return Clause(name, formula, "unknown", f"not judged: the state has no field {error.name}")
        values.append(f"it leads to {type(error).__name__}: {error}")
    return Clause(name, formula, "broken", "; ".join(values) or None)


def _show_value(value: Any) -> str:
    try:
        return show_json(write_value(value))
    except TypeError:  # not one value
        return show(value)


def outcome_of(clauses: Sequence[Clause]) -> Outcome:
    """Return what is to be said of the whole state: violated when a clause is broken; it conforms only when all
    hold."""
    outcomes = {clause.outcome for clause in clauses}
    return "violated" if "broken" in outcomes else "unknown" if "unknown" in outcomes else "conforms"


def dump(window: Any, operation: Monoid) -> dict[str, Any]:
    """The state of a running reference, with its window where it is run beside one, as the Checked classes are.

    Raises TypeError for an object of any other class.

    >>> from swagproof.reference.in_order.daba import Daba
    >>> daba = Daba(OPERATIONS["sum"]); daba.insert(5); daba.insert(7)
    >>> dump(daba, OPERATIONS["sum"])["deque"]
    [{'val': 5, 'agg': 12}, {'val': 7, 'agg': 7}]
    """
    for form in FORMATS.values():
        if isinstance(window, form.column.algorithm):
            made = {"algorithm": form.algorithm, "monoid": operation.name, **form.write(window)}
            model = getattr(window, "model", None)
            return made if model is None else {**made, "window": form.content.write(model)}
    raise TypeError(f"{type(window).__name__} is no reference whose state has a format: {', '.join(FORMATS)}")
