"""The `checked` decorator: checks the papers' invariants on a user's class after each operation.

The decorator maps the class's fields, by names or by functions, to the algorithm's state
(`swagproof.oracle.states.forms` describes its fields), and checks the clauses of the invariants after each operation; a
bulk (`bulk_insert`, `bulk_evict`) is one operation:

    @checked("two-stacks-lite", state={"deque": "items", "B": "split", "aggB": "tail"})
    class MyWindow: ...

A model of the window runs with the class, so every clause and every answer is checked, at a cost that grows with the
window.  `sample=0.001` checks one operation in a thousand, and `report=` is called instead of raising.

Copies and pickles of a window are checked from its state on; a window made without `__init__` and without its fields is
not checked.  After an operation that raises, another method that changes the state, or a constructor that fills the
window, the window's content is unknown.  If a state then breaks a clause, a warning names the method, and the window is
no longer checked.
"""

import copy
import functools
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeVar

from swagproof.models.monoid import Counting
from swagproof.models.operations import OPERATIONS, Operation
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.domain import alike, plain
from swagproof.oracle.mistakes import show
from swagproof.oracle.states.forms import FORMS, Definition, Form, fields_of, judge_clause, structure
from swagproof.oracle.trace import InputError

Checked = TypeVar("Checked", bound=type)
State = Mapping[str, "str | Callable[[Any], Any]"] | Callable[[Any], Mapping[str, Any]] | str

_OPERATIONS: Final = ("insert", "evict", "query")
_BULKS: Final = ("bulk_insert", "bulk_evict")
"""Optional operations of a class: a bulk is its single operations, and is checked once at its end."""


class ContractViolation(AssertionError):
    """A state breaks a clause, or an answer is wrong."""

    def __init__(self, algorithm: str, clause: str, formula: str, why: str | None, fields: Mapping[str, str]) -> None:
        self.algorithm, self.clause, self.formula, self.why, self.fields = algorithm, clause, formula, why, fields
        told = ", ".join(name if name == theirs else f"{name} ({theirs})" for name, theirs in fields.items())
        parts = (f"{algorithm}, {clause}: {formula}", why, told and f"fields: {told}")
        super().__init__("; ".join(filter(None, parts)))


@dataclass(eq=False)
class _Plan:
    """The options of `checked` for a class."""

    form: Form
    state: Any
    methods: Mapping[str, str]
    sample: float
    monoid: Any
    report: Callable[[ContractViolation], None] | None
    made: Any = None
    """The class, by whose name another process finds this plan."""

    def __reduce__(self) -> Any:
        """Pickle it by its class: its functions may have no importable name."""
        return _plan_of, (self.made,)

    def fields(self, window: Any) -> Mapping[str, Any]:
        """Return the fields of a window's state.  Raises InputError if the map does not fit the window."""
        if isinstance(self.state, Mapping):
            return {name: self.raw(window, name) for name in self.names}
        fields: Mapping[str, Any] = self.state(window)
        return fields

    @property
    def names(self) -> list[str]:
        """The fields that are mapped one by one; none if one function maps all."""
        return [*self.state] if isinstance(self.state, Mapping) else []  # pyright: ignore[reportUnknownArgumentType]  # theirs

    def raw(self, window: Any, name: str) -> Any:
        """Return one field, as the window stores it."""
        theirs = self.state[name]
        try:
            return theirs(window) if callable(theirs) else functools.reduce(getattr, theirs.split("."), window)
        except (AttributeError, TypeError) as error:
            raise InputError(f"checked: field {name}, {self.spell(name)}: {error}") from None

    def spell(self, name: str) -> str:
        """Return a field's name in the window."""
        if name not in self.names:
            return name
        theirs = self.state[name]
        return theirs if isinstance(theirs, str) else getattr(theirs, "__name__", name)


def _plan_of(made: Any) -> _Plan:
    plan: _Plan = made._swagproof_plan
    return plan


class _Watch:
    """The model of one window."""

    def __init__(self, plan: _Plan, window: Any, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> None:
        self.plan = plan
        self.depth = 0
        self.random = Random(0)
        self.open: str | None = ""
        """The event that made the window's content unknown, if any; None once a clause has been broken after that."""
        self.operation: Any = _find_monoid(plan, window, arguments, options)
        self.model: Any = plan.form.model(self.operation)

    def begin(self, window: Any, done: list[tuple[str, tuple[Any, ...]]]) -> None:
        """Start with the operations that the constructor ran; its other changes leave the content unknown."""
        for operation, arguments in done:
            self.follow(operation, arguments)
        fields = self.plan.fields(window)
        if any(len(fields[name]) for name in self.plan.form.containers) and self.find(window) is not None:
            self.open = "__init__()"

    def follow(self, operation: str, arguments: tuple[Any, ...]) -> None:
        """Run an operation on the model."""
        for name, given in self.singly(operation, arguments):
            if name != "query":
                getattr(self.model, name)(*given)

    def singly(self, operation: str, arguments: tuple[Any, ...]) -> list[tuple[str, tuple[Any, ...]]]:
        """Return the single operations of a bulk."""
        timed = "root" in self.plan.form.fields
        if operation == "bulk_insert":
            return [("insert", tuple(entry) if timed else (entry,)) for entry in arguments[0]]
        if operation != "bulk_evict":
            return [(operation, arguments)]
        if not timed:
            return [("evict", ())] * arguments[0]
        return [("evict", (t,)) for t in self.model.times if not arguments[0] < t]

    def look(self, window: Any, operation: str, answer: Any) -> None:
        """Check the state after an operation, if it is in the sample.  Raises or reports a violation."""
        if self.plan.sample < 1 and self.random.random() >= self.plan.sample:
            return
        if self.open is None:
            return
        violation = self.find(window) or (self.find_wrong(answer) if operation == "query" else None)
        if violation is not None and self.open:
            lost = f"its content after {self.open} is unknown, so it is no longer checked"
            warnings.warn(f"checked: {type(window).__name__}: {lost}", RuntimeWarning, stacklevel=3)
            self.open = None
            return
        self.open = ""
        if violation is not None and self.plan.report is not None:
            self.plan.report(violation)
        elif violation is not None:
            raise violation

    def told(self, window: Any) -> Any:
        """Return a value that differs once a method has changed the state; it always differs if only a sample is
        checked."""
        return object() if self.plan.sample < 1 else structure(self.read(window))

    def find(self, window: Any) -> ContractViolation | None:
        """Return the first broken clause, with its fields under the class's names."""
        form, state = self.plan.form, self.read(window)
        clauses = (judge_clause(form, clause, state) for clause in form.column.contract.INVARIANT)
        broken = next((clause for clause in clauses if clause.outcome == "broken"), None)
        if broken is None:
            return None
        named = {name: self.plan.spell(name) for name in fields_of(form, broken.name)}
        return ContractViolation(form.algorithm, broken.name, broken.formula, broken.why, named)

    def find_wrong(self, answer: Any) -> ContractViolation | None:
        """Return the violation of a wrong answer to a query."""
        right = self.model.query()
        if self.operation.equal(right, answer) or alike(right, plain(right, answer)):
            return None
        why = f"it is {show(answer)}; the window's product is {show(right)}"
        return ContractViolation(self.plan.form.algorithm, "answer", "query answers the product of the window", why, {})

    def read(self, window: Any) -> Any:
        """Return the state, for all clauses.  Raises InputError if it is invalid."""
        form = self.plan.form
        try:
            state = form.read(self.plan.fields(window), self.operation)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"checked: the state of {form.algorithm} has {', '.join(form.fields)}: {error}") from None
        state.model = Definition(self.model)
        return state


def _find_monoid(plan: _Plan, window: Any, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """Return the monoid of a window: given to `checked`, stored in the window, or passed to its constructor."""
    given = plan.monoid
    if isinstance(given, str):
        given = OPERATIONS.get(given) or getattr(window, given, None)
    candidates = (given, getattr(window, "monoid", None), *arguments, *options.values())
    for candidate in candidates:
        if hasattr(candidate, "combine") and hasattr(candidate, "identity"):
            monoid: Any = candidate.monoid if isinstance(candidate, Counting) else candidate  # pyright: ignore[reportUnknownMemberType]  # of any
            if isinstance(monoid, Operation):
                return monoid  # pyright: ignore[reportUnknownVariableType]  # of any
            return Operation[Any, Any, Any](
                type(monoid).__name__, _same, monoid.combine, _same, monoid.identity, commutative=False
            )
    raise InputError(
        f"checked: the monoid of {type(window).__name__} is not known: give monoid= an object with identity and "
        "combine, the name of one of ours, or of an attribute that holds it"
    )


def _same(x: Any) -> Any:
    return x


def checked(
    algorithm: str,
    *,
    state: State = "state",
    sample: float = 1.0,
    methods: Mapping[str, str] | None = None,
    monoid: Any = None,
    report: Callable[[ContractViolation], None] | None = None,
) -> Callable[[Checked], Checked]:
    """Return a class decorator that checks the clauses of this algorithm's invariants on each window.

    `state` maps the fields of the form to attributes or functions of the window, or is one function from it to all of
    them, or the name of such a method.  Raises InputError if the class has an operation under another name that
    `methods` does not give; and, when a window is made or checked, if `state` does not fit.

    >>> from swagproof.models.operations import SUM
    >>> @checked("subtract-on-evict", state={"deque": "values", "agg": "total"})
    ... class Running:
    ...     def __init__(self, monoid): self.monoid, self.values, self.total = monoid, [], 0
    ...     def insert(self, v): self.values.append(v); self.total += v
    ...     def evict(self): self.values.pop(0)
    ...     def query(self): return self.total
    >>> window = Running(SUM)
    >>> window.insert(3); window.insert(4)
    >>> window.evict()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    swagproof.oracle.states.checked.ContractViolation: subtract-on-evict, running: agg = v_0 ... v_{n-1}; ...
    """
    form = FORMS.get(algorithm)
    if form is None:
        raise InputError(f"checked: {algorithm!r} is none of {', '.join(FORMS)}")
    if isinstance(state, Mapping):
        for name in state:
            if name not in form.fields:
                raise InputError(f"checked: field {name}: {algorithm} has {', '.join(form.fields)}")
    if not 0 < sample <= 1:
        raise InputError("checked: sample is a fraction of the operations, greater than 0 and at most 1")

    def decorate(cls: Checked) -> Checked:
        taken: Any = getattr(cls, state) if isinstance(state, str) else state
        declared = Adapter.read(getattr(cls, "adapter", {}), cls.__name__).methods
        plan = _Plan(form, taken, {**declared, **(methods or {})}, sample, monoid, report)
        made: Checked = _watched(cls, plan)
        return made

    return decorate


def _watched(cls: Any, plan: _Plan) -> Any:
    """Return a class whose operations are checked, with the name of the other."""
    body: dict[str, Any] = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}

    def __init__(self: Any, *arguments: Any, **options: Any) -> None:
        self._swagproof_watch = making = _Making()
        super(made, self).__init__(*arguments, **options)
        self._swagproof_watch = _Watch(plan, self, arguments, options)
        self._swagproof_watch.begin(self, making.done)

    def __getstate__(self: Any) -> Any:
        """Return the state for copies, each with its own watch."""
        told = super(made, self).__getstate__()
        fields = told[0] if isinstance(told, tuple) and told else told
        if not isinstance(fields, dict) or "_swagproof_watch" not in fields:
            return told
        own = {**fields, "_swagproof_watch": copy.deepcopy(fields["_swagproof_watch"])}
        return own if told is fields else (own, *told[1:])

    body["__init__"] = functools.wraps(cls.__init__)(__init__)
    body |= {"__getstate__": __getstate__, "_swagproof_watch": None, "_swagproof_plan": plan}
    missing = [name for name in _OPERATIONS if not hasattr(cls, plan.methods.get(name, name))]
    if missing:
        has = ", ".join(name for name in dir(cls) if name[0] != "_" and callable(getattr(cls, name))) or "none"
        wanted = ", ".join(f'"{name}": "..."' for name in missing)
        raise InputError(
            f"checked: {cls.__name__} has no method {', '.join(missing)}; name yours with methods={{{wanted}}}; "
            f"it has {has}"
        )
    for operation in (*_OPERATIONS, *_BULKS):
        theirs = plan.methods.get(operation, operation)
        if operation in _OPERATIONS or hasattr(cls, theirs):
            body[theirs] = _around(getattr(cls, theirs), operation)
    operations = {*body}

    def __init_subclass__(sub: Any, /, **options: Any) -> None:
        super(made, sub).__init_subclass__(**options)
        for name, own in _own_methods(sub, {*vars(sub)} - operations):
            setattr(sub, name, own)

    body |= dict(_own_methods(cls, {*dir(cls)} - operations))
    body["__init_subclass__"] = classmethod(__init_subclass__)
    made: Any = type(cls.__name__, (cls,), body)
    plan.made = made
    return made


def _in_their_places(
    method: Callable[..., Any], window: Any, given: tuple[Any, ...], named: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Return the arguments of a call, with named ones in their positions.  Raises TypeError, as the call would."""
    bound = inspect.signature(method).bind(window, *given, **named)
    return bound.args[1:]


def _around(method: Callable[..., Any], operation: str) -> Callable[..., Any]:
    @functools.wraps(method)
    def looked_at(self: Any, *given: Any, **named: Any) -> Any:
        watch: _Watch | _Making | None = self._swagproof_watch
        arguments = _in_their_places(method, self, given, named) if named else given
        if watch is None or watch.depth:  # made without its constructor, or a recursive call
            return method(self, *arguments)
        if operation == "bulk_insert" and not hasattr(arguments[0], "__len__"):  # it can be iterated once
            arguments = ([*arguments[0]], *arguments[1:])
        if isinstance(watch, _Making):
            watch.depth += 1
            try:
                answer = method(self, *arguments)
            finally:
                watch.depth -= 1
            watch.done.append((operation, arguments))
            return answer
        watch.depth += 1
        try:
            answer = method(self, *arguments)
        except BaseException:
            watch.open = watch.open if watch.open is None else f"{method.__name__}, which raised,"
            raise
        finally:
            watch.depth -= 1
        watch.follow(operation, arguments)
        watch.look(self, operation, answer)
        return answer

    return looked_at


_CHANGING: Final = (
    "__call__",
    "__delitem__",
    "__enter__",
    "__exit__",
    "__iadd__",
    "__ior__",
    "__isub__",
    "__setitem__",
)
"""Special methods that may change a window."""


def _own_methods(cls: Any, names: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield a class's methods that may change a window and are not its operations, and its property setters."""
    for name in names:
        own = inspect.getattr_static(cls, name)
        if isinstance(own, property) and own.fset is not None:
            yield name, property(own.fget, _beside(own.fset), own.fdel, own.__doc__)
        elif inspect.isfunction(own) and not inspect.iscoroutinefunction(own):
            if not name.startswith("__") or name in _CHANGING:
                yield name, _beside(own)


class _Making:
    """A placeholder for a window's watch during its constructor: it records the operations that the constructor
    runs."""

    def __init__(self) -> None:
        self.depth = 0
        self.done: list[tuple[str, tuple[Any, ...]]] = []


def _beside(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method: if it changes the window other than by operations, the window's content becomes unknown."""

    @functools.wraps(method)
    def noted(self: Any, *arguments: Any, **options: Any) -> Any:
        watch: _Watch | _Making | None = self._swagproof_watch
        if not isinstance(watch, _Watch) or watch.depth or watch.open is None:
            return method(self, *arguments, **options)
        size, before = watch.model.size, watch.told(self)
        try:
            return method(self, *arguments, **options)
        finally:
            if watch.model.size == size and watch.told(self) != before:
                watch.open = f"{method.__name__}()"

    return noted
