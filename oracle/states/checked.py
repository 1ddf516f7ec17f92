"""The papers' clauses on a user's class, around each of its operations.

The decorator maps the class's fields, by names or by functions, to the state that `swagproof check-state --formats`
describes, and checks the clauses after each operation; a bulk (`bulk_insert`, `bulk_evict`) is one operation:

    @checked("two-stacks-lite", state={"deque": "items", "B": "split", "aggB": "tail"})
    class MyWindow: ...

`level="full"` runs the window by definition beside the class: it checks every clause and every answer, at a cost that
grows with the window.  `level="cheap"` checks the clauses that take constant time, those about pointers and sizes;
where the state has to be read for that (trees and buffers), it does so once in as many operations as there are
elements.  `sample=0.001` checks one operation in a thousand, and `report=` is called instead of raising.

Copies and pickles of a window are checked from where it stood; a window that is made past `__init__` and without its
fields is not.  An operation that raises, another method that changes the state, and a constructor that fills the window
leave open what the window holds.  If a state breaks a clause after that, nobody is accused: a warning names the method,
and the window is not checked any more.

The class is given a method `state()`, so that `swagproof conform` names the clause that breaks first, and what it
returns is what `swagproof check-state` reads: `json.dump(window.state(), file)`.
"""

import copy
import functools
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any, Final, Literal, TypeVar

from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import Counting
from swagproof.models.operations import OPERATIONS, Operation
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.domain import alike, plain
from swagproof.oracle.mistakes import show
from swagproof.oracle.states.check import FORMATS, Clause, Definition, check, fields_of, judge_clause, state_of
from swagproof.oracle.states.format import Format, write_value
from swagproof.oracle.trace import InputError

Checked = TypeVar("Checked", bound=type)
State = Mapping[str, "str | Callable[[Any], Any]"] | Callable[[Any], Mapping[str, Any]] | str

_MODELS: Final[Mapping[str, Callable[[Any], Any]]] = {"fifo": FifoWindow[Any], "out of order": OutOfOrderWindow[Any]}
"""The window by definition, for each kind of algorithm."""

_OPERATIONS: Final = ("insert", "evict", "query")
_BULKS: Final = ("bulk_insert", "bulk_evict")
"""Those that a class may have, too: a bulk is its single operations, and is looked at once it is done."""


class ContractViolation(AssertionError):
    """A clause that a state breaks, or an answer that is wrong."""

    def __init__(self, algorithm: str, clause: str, formula: str, why: str | None, fields: Mapping[str, str]) -> None:
        self.algorithm, self.clause, self.formula, self.why, self.fields = algorithm, clause, formula, why, fields
        told = ", ".join(name if name == theirs else f"{name} ({theirs})" for name, theirs in fields.items())
        parts = (f"{algorithm}, {clause}: {formula}", why, told and f"fields: {told}")
        super().__init__("; ".join(filter(None, parts)))


@dataclass(eq=False)
class _Plan:
    """The options of `checked` for a class."""

    form: Format
    state: Any
    methods: Mapping[str, str]
    full: bool
    sample: float
    monoid: Any
    report: Callable[[ContractViolation], None] | None
    made: Any = None
    """The class, by whose name another process finds this."""

    def __reduce__(self) -> Any:
        """It goes along with its class: what it was told may be functions, which have no name elsewhere."""
        return _plan_of, (self.made,)

    def documented(self, window: Any) -> dict[str, Any]:
        """The state of a window as the format has it, values as they are."""
        fields: dict[str, Any]
        if isinstance(self.state, Mapping):
            fields = {name: self.field(window, name) for name in self.names}
        else:
            fields = self.state(window)
        return {"algorithm": self.form.algorithm, **fields}

    @property
    def names(self) -> list[str]:
        """The fields that are mapped one by one; none where a function has them all."""
        return [*self.state] if isinstance(self.state, Mapping) else []  # pyright: ignore[reportUnknownArgumentType]  # theirs

    def raw(self, window: Any, name: str) -> Any:
        """One field, as the window has it."""
        theirs = self.state[name]
        try:
            return theirs(window) if callable(theirs) else functools.reduce(getattr, theirs.split("."), window)
        except (AttributeError, TypeError) as error:
            raise InputError(f"checked: field {name}, {self.spell(name)}: {error}") from None

    def field(self, window: Any, name: str) -> Any:
        """One field, as the format has it."""
        value = self.raw(window, name)
        if not isinstance(self.form.example.get(name), list):
            return value
        pairs = bool(self.form.example[name]) and isinstance(self.form.example[name][0], dict)
        return [_element(item) if pairs else item for item in value]

    def spell(self, name: str) -> str:
        """Return what a field is there."""
        if name not in self.names:
            return name
        theirs = self.state[name]
        return theirs if isinstance(theirs, str) else getattr(theirs, "__name__", name)


def _plan_of(made: Any) -> _Plan:
    plan: _Plan = made._swagproof_plan
    return plan


def _element(item: Any) -> Any:
    """An element with its aggregate, of an object that has both, of a pair or of a dict."""
    if hasattr(item, "val") and hasattr(item, "agg"):
        return {"val": item.val, "agg": item.agg}
    if isinstance(item, tuple) and len(item) == 2:  # pyright: ignore[reportUnknownArgumentType]  # of any
        return {"val": item[0], "agg": item[1]}
    return item


class _Watch:
    """The state kept beside one window: its size, and its content by definition where all clauses are checked."""

    def __init__(self, plan: _Plan, window: Any, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> None:
        self.plan = plan
        self.size = self.since = self.depth = 0
        self.random = Random(0)
        self.open: str | None = ""
        """The event that made the window's content unknown, if any; None once that is all that is known."""
        self.operation: Any = (
            _find_monoid(plan, window, arguments, options) if plan.full or not _lean(plan.form) else None
        )
        make = _MODELS.get(plan.form.column.kind) if plan.full else None
        self.model: Any = None if make is None else make(self.operation)

    def begin(self, window: Any, done: list[tuple[str, tuple[Any, ...]]]) -> None:
        """The window is made: of the operations that its constructor has done, or else of what nobody followed."""
        for operation, arguments in done:
            self.follow(operation, arguments)
        if not _lean(self.plan.form):
            return
        view = self.view(window)
        filled = any(isinstance(it, _Sized) and it.size for it in vars(view).values())
        clauses = [judge_clause(self.plan.form, clause, view) for clause in _at_once(self.plan.form)]
        if filled and self.accuse(clauses) is not None:
            self.open = "__init__()"

    def follow(self, operation: str, arguments: tuple[Any, ...]) -> None:
        """The window by definition goes along."""
        for name, given in self.singly(operation, arguments):
            if self.model is not None and name != "query":
                getattr(self.model, name)(*given)
            self.size += {"insert": 1, "evict": -1}.get(name, 0) if self.model is None else 0
        if self.model is not None:
            self.size = self.model.size

    def singly(self, operation: str, arguments: tuple[Any, ...]) -> list[tuple[str, tuple[Any, ...]]]:
        """The single operations that a bulk is."""
        timed = self.plan.form.column.kind == "out of order"
        if operation == "bulk_insert":
            return [("insert", tuple(entry) if timed else (entry,)) for entry in arguments[0]]
        if operation != "bulk_evict":
            return [(operation, arguments)]
        if not timed:
            return [("evict", ())] * arguments[0]
        known = [] if self.model is None else self.model.times
        return [("evict", (t,)) for t in known if not arguments[0] < t]

    def look(self, window: Any, operation: str, answer: Any) -> None:
        """Look at the state after an operation, where this one is in the sample.  Raises or reports what it finds."""
        self.since += 1
        if self.plan.sample < 1 and self.random.random() >= self.plan.sample:
            return
        if self.open is None:
            return
        violation = self.find(window, operation, answer)
        if violation is not None and self.open:
            lost = f"what it holds after {self.open} is not known: it is not looked at any more"
            warnings.warn(f"checked: {type(window).__name__}: {lost}", RuntimeWarning, stacklevel=3)
            self.open = None
            return
        self.open = ""
        if violation is not None and self.plan.report is not None:
            self.plan.report(violation)
        elif violation is not None:
            raise violation

    def told(self, window: Any) -> Any:
        """Return what tells whether a method has changed the state; where only some operations are looked at, nothing
        does."""
        if self.plan.sample < 1:
            return object()
        if self.plan.full:
            return self.plan.documented(window)
        fields = vars(self.view(window)).items()
        return {name: it.size if isinstance(it, _Sized) else it for name, it in fields if name != "model"}

    def find(self, window: Any, operation: str, answer: Any) -> ContractViolation | None:
        """The first clause that is broken."""
        form = self.plan.form
        if not self.plan.full:
            if _lean(form):
                clauses = [judge_clause(form, clause, self.view(window)) for clause in _at_once(form)]
                return self.accuse(clauses)
            if self.since < self.size:
                return None
        self.since = 0
        wanted = {clause.__name__ for clause in (form.column.contract.INVARIANT if self.plan.full else _at_once(form))}
        _, state = state_of(self.plan.documented(window), "its state", self.operation, self.model)
        violation = self.accuse([clause for clause in check(form, state) if clause.name in wanted])
        if violation is None and operation == "query" and self.model is not None and self.operation is not None:
            right = self.model.query()
            if not (self.operation.equal(right, answer) or alike(right, plain(right, answer))):
                why = f"it is {show(answer)}; the window's product is {show(right)}"
                return ContractViolation(form.algorithm, "answer", "query answers the product of the window", why, {})
        return violation

    def view(self, window: Any) -> Any:
        """The state, its containers told by their sizes alone: no clause of constant time asks more."""
        made = SimpleNamespace(model=Definition(None, self.size, self.plan.form.counts_from))
        mapped = {name: self.plan.raw(window, name) for name in self.plan.names}
        for name, value in (mapped or self.plan.documented(window)).items():
            setattr(made, name, _Sized(len(value)) if isinstance(self.plan.form.example.get(name), list) else value)
        if hasattr(made, "deque"):
            made.F = getattr(made, "F", 0)
            made.E = getattr(made, "E", made.deque.size)
        return made

    def accuse(self, clauses: list[Clause]) -> ContractViolation | None:
        """The first of these that is broken, with the fields that it speaks of as they are called there."""
        broken = next((clause for clause in clauses if clause.outcome == "broken"), None)
        if broken is None:
            return None
        form = self.plan.form
        spoken = fields_of(form, broken.name)
        named = {name: self.plan.spell(name) for name in spoken}
        return ContractViolation(form.algorithm, broken.name, broken.formula, broken.why, named)


class _Sized:
    """A container of which the size is known."""

    def __init__(self, size: int) -> None:
        self.size = size

    def begin(self) -> int:
        """The pointer to the first element."""
        return 0

    def end(self) -> int:
        """The pointer behind the last."""
        return self.size


def _lean(form: Format) -> bool:
    """Return whether the clauses of constant time need no more than the sizes of containers: of stacks and deques."""
    return bool({"deque", "B"} & set(form.fields)) and "T" not in form.fields and "root" not in form.fields


def _at_once(form: Format) -> list[Any]:
    return [clause for clause in form.column.contract.INVARIANT if clause.__name__ in form.column.at_once]


def _find_monoid(plan: _Plan, window: Any, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """The monoid that a window is over: as `checked` was told, as the window keeps it, or as it was made of it."""
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
    level: Literal["cheap", "full"] = "full",
    sample: float = 1.0,
    methods: Mapping[str, str] | None = None,
    monoid: Any = None,
    report: Callable[[ContractViolation], None] | None = None,
) -> Callable[[Checked], Checked]:
    """The class decorator that holds each window to the clauses of this algorithm's invariants.

    `state` maps the fields of the format to attributes or functions of the window, or is one function from it to all of
    them, or the name of such a method.  Raises InputError where the class has an operation under another name that
    `methods` does not give; and, when a window is made or looked at, where `state` does not fit.

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
    form = FORMATS.get(algorithm)
    if form is None:
        raise InputError(f"checked: {algorithm!r} is none of {', '.join(FORMATS)}")
    if isinstance(state, Mapping):
        for name in state:
            if name not in form.fields:
                raise InputError(f"checked: field {name}: {algorithm} has {', '.join(form.fields)}")
    if level not in ("cheap", "full") or not 0 < sample <= 1:
        raise InputError('checked: level is "cheap" or "full", and sample a part of the operations, above 0')

    def decorate(cls: Checked) -> Checked:
        taken: Any = getattr(cls, state) if isinstance(state, str) else state
        declared = Adapter.read(getattr(cls, "adapter", {}), cls.__name__).methods
        plan = _Plan(form, taken, {**declared, **(methods or {})}, level == "full", sample, monoid, report)
        made: Checked = _watched(cls, plan)
        return made

    return decorate


def _watched(cls: Any, plan: _Plan) -> Any:
    """The class whose operations are looked at; it goes by the name of the other."""
    body: dict[str, Any] = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}

    def __init__(self: Any, *arguments: Any, **options: Any) -> None:
        self._swagproof_watch = making = _Making()
        super(made, self).__init__(*arguments, **options)
        self._swagproof_watch = _Watch(plan, self, arguments, options)
        self._swagproof_watch.begin(self, making.done)

    def state(self: Any) -> dict[str, Any]:
        """The state, as `swagproof check-state` reads it."""
        listed = (list, tuple)
        return {
            name: [item if isinstance(item, dict) else write_value(item) for item in value]
            if isinstance(plan.form.example.get(name), listed)
            else write_value(value)
            if name != "algorithm"
            else value
            for name, value in plan.documented(self).items()
        }

    def __getstate__(self: Any) -> Any:
        """Return what copies are made of: each with a watch of its own."""
        told = super(made, self).__getstate__()
        fields = told[0] if isinstance(told, tuple) and told else told
        if not isinstance(fields, dict) or "_swagproof_watch" not in fields:
            return told
        own = {**fields, "_swagproof_watch": copy.deepcopy(fields["_swagproof_watch"])}
        return own if told is fields else (own, *told[1:])

    body["__init__"] = functools.wraps(cls.__init__)(__init__)
    body |= {"__getstate__": __getstate__, "_swagproof_watch": None, "_swagproof_plan": plan}
    if isinstance(plan.state, Mapping):
        body["state"] = state
    missing = [name for name in _OPERATIONS if not hasattr(cls, plan.methods.get(name, name))]
    if missing:
        has = ", ".join(name for name in dir(cls) if name[0] != "_" and callable(getattr(cls, name))) or "none"
        wanted = ", ".join(f'"{name}": "..."' for name in missing)
        raise InputError(
            f"checked: {cls.__name__} has no method {', '.join(missing)}: say which it is with methods={{{wanted}}}; "
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
    """The arguments of a call, those given by name among the others.  Raises TypeError, as the call would."""
    bound = inspect.signature(method).bind(window, *given, **named)
    return bound.args[1:]


def _around(method: Callable[..., Any], operation: str) -> Callable[..., Any]:
    @functools.wraps(method)
    def looked_at(self: Any, *given: Any, **named: Any) -> Any:
        watch: _Watch | _Making | None = self._swagproof_watch
        arguments = _in_their_places(method, self, given, named) if named else given
        if watch is None or watch.depth:  # it is made past its constructor, or calls itself
            return method(self, *arguments)
        if operation == "bulk_insert" and not hasattr(arguments[0], "__len__"):  # it can be gone through once
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
"""Methods of Python's own that may change a window."""


def _own_methods(cls: Any, names: set[str]) -> Iterator[tuple[str, Any]]:
    """Those of a class that may change a window, and are none of its operations; what a field that is set runs, too."""
    for name in names - {"state"}:
        own = inspect.getattr_static(cls, name)
        if isinstance(own, property) and own.fset is not None:
            yield name, property(own.fget, _beside(own.fset), own.fdel, own.__doc__)
        elif inspect.isfunction(own) and not inspect.iscoroutinefunction(own):
            if not name.startswith("__") or name in _CHANGING:
                yield name, _beside(own)


class _Making:
    """A placeholder for a window's watch while its constructor runs: it records the operations that the constructor
    does."""

    def __init__(self) -> None:
        self.depth = 0
        self.done: list[tuple[str, tuple[Any, ...]]] = []


def _beside(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of the class's own: what it changes, but by its operations, nobody follows."""

    @functools.wraps(method)
    def noted(self: Any, *arguments: Any, **options: Any) -> Any:
        watch: _Watch | _Making | None = self._swagproof_watch
        if not isinstance(watch, _Watch) or watch.depth or watch.open is None:
            return method(self, *arguments, **options)
        size, before = watch.size, watch.told(self)
        try:
            return method(self, *arguments, **options)
        finally:
            if watch.size == size and watch.told(self) != before:
                watch.open = f"{method.__name__}()"

    return noted
