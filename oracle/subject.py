"""Subjects: the implementations to judge, and custom monoids.

A subject is a class, named as `path/to/file.py:Class` or `package.module:Class`.  It is built with a monoid, an object
with `identity` and `combine(a, b)`.  Its methods are the operations of its kind of window (`swagproof.oracle.window`),
over partial aggregates; `bulk_insert` takes a list of values, the oldest first, or of pairs (t, v), sorted by time.  A
class that computes one fixed function, whatever its monoid, names the aggregations to judge it over in a class
attribute: `monoids = ("sum",)`.  A class with other methods, constructor arguments or answers declares them in an
attribute `adapter`, or options do: see `swagproof.oracle.adapting.declared`.

The class of a batch engine (`--window frame`, see `swagproof.oracle.kinds.frame`) may have further class methods:
`offers(steps)` returns whether it supports the trace; `reproduction(steps)` returns text to paste into the engine to
see its answers; `start()` is called once, for slow preparations.

A custom monoid is named in the same way.  It is an object (or a class that is built without arguments) with `identity`
and `combine`, and with `samples` (or `elements`): some stream elements to try; it may have `lift`, `lower` and
`remove`.  One without `identity` is a semigroup, for subjects that declare the result for an empty window.  It may also
be an `Operation` of `swagproof.models.operations`.  Its laws are checked on the samples first.

Files are run as Python runs a script, with their own directory on the path; modules are also looked for in the working
directory, after everything that is installed.
"""

import copy
import hashlib
import importlib
import importlib.util
import math
import os
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final, TypeAlias

from swagproof.models.containers.bottom import BOTTOM, WithBottom
from swagproof.models.monoid import broken_law
from swagproof.models.operations import Operation
from swagproof.oracle import domain as domains
from swagproof.oracle.adapting.answers import judged_as
from swagproof.oracle.adapting.calls import Adapted, adapted
from swagproof.oracle.adapting.declared import Adapter, spell_options
from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain, Element, Exactly, of_samples
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.sandbox.apart import guard
from swagproof.oracle.sandbox.host import Host
from swagproof.oracle.sandbox.playing import Running
from swagproof.oracle.sandbox.watchdog import MEMORY
from swagproof.oracle.sandbox.worker import Loaded, refuse_exceptions
from swagproof.oracle.trace import InputError, Step, asks, decode, encode, largest_window, legal
from swagproof.oracle.window import WINDOWS, Window

LAW_SAMPLES: Final = 12
"""The number of elements on which a custom monoid is checked: every triple of them."""


Player: TypeAlias = Callable[[Domain, Sequence[Step], Clock, Tried], Failure | None]
"""A function that runs a legal trace as `swagproof.oracle.runner.run` does."""


@dataclass(frozen=True)
class Subject:
    """An implementation to judge."""

    name: str
    build: Callable[[Any], Any] | None = None
    """The function that builds its windows, called in the subject's process; None if this process does not know it."""
    monoids: tuple[str, ...] | None = None
    """The only domains to judge it over; None if it takes any monoid."""
    window: str = "fifo"
    """The kind of window that it implements."""
    player: Player | None = None
    """A function that plays its traces in place of the usual one."""
    operations: tuple[str, ...] | None = None
    """Its operations, if they are known without building it."""
    program: Running | None = None
    """The program, if the subject is one."""
    adapter: Adapter = field(default_factory=Adapter)
    """Its calling convention and the form of its answers, if not the usual ones."""
    host: Running | None = None
    """The process in which it runs, if there is one already."""
    given: Mapping[str, Any] | None = None
    """The adapter's fields for a command line: all, if it is unknown which ones its class declares."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The adapter's fields for a command line."""
        return self.adapter.to_json() if self.given is None else self.given

    @property
    def spelled(self) -> tuple[str, ...]:
        """The words that name it on the command line of `swagproof conform`."""
        return (*(() if self.program is None else ("--exec",)), self.name, *spell_options(self.options))

    @property
    def kind(self) -> Window:
        """The kind of window, with its operations."""
        return WINDOWS[self.window]

    @property
    def running(self) -> Running:
        """The subject in the sandbox.  Its process is started when needed, and runs until `stop`."""
        if isinstance(self._running, Host):
            self._running.alive = self.adapter.alive or 1
        return self._running

    @cached_property
    def _running(self) -> Running:
        named = replace(self)
        return self.program or self.host or Host(self.name, self.kind, lambda: _look_at(named.build, named))

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The operations that are judged: all of its kind, except for optional ones that it lacks."""
        if self.operations is not None:
            return self.operations
        if isinstance(self.build, type):
            made = adapted(self.build, self.adapter, self.kind)
            names = self.kind.operations if made is self.build else made.operations
            found = tuple(name for name in names if made is not self.build or hasattr(made, name))
            if {*self.kind.operations} - {*self.kind.optional} <= {*found}:
                return found
        assert isinstance(self.running, Host)
        return tuple(self.running.about()["methods"])

    def over(self, domain: Domain) -> Domain:
        """Return the domain with this subject's rule for answers.

        Raises InputError as `judged_as` does, and if single rows of a frame are declared to raise.
        """
        if self.window == "frame" and self.adapter.empty == "raises":
            raise InputError("--empty raises: results() answers all rows at once; name the value of an empty frame")
        return judged_as(domain, self.adapter, "any" if self.monoids is None else "int64")

    def ask(self, steps: Sequence[Step], domain: Domain) -> Sequence[Step]:
        """Return the trace adapted to this subject: with the ranges and sums that it supports, up to its capacity."""
        steps = domain.fit(self._up_to_capacity(steps), self.kind, self._alone)
        ranges = self.adapter.ranges
        if ranges == "any" or "range_query" not in self.methods:
            return steps
        if ranges == "ordered":
            return [s for s in steps if s.name != "range_query" or not s.arguments[1] < s.arguments[0]]
        return [_unbound(at, step) if step.name == "range_query" else step for at, step in enumerate(steps)]

    def takes(self, steps: Sequence[Step], domain: Domain) -> bool:
        """Return whether this subject supports the trace: it is legal, all sums fit, and no window exceeds its
        capacity."""
        return legal(steps, self.kind) and domain.fits(steps, self.kind, self._alone) and self._holds(steps)

    def _holds(self, steps: Sequence[Step]) -> bool:
        return self.adapter.capacity is None or largest_window(steps, self.kind) <= self.adapter.capacity

    def _up_to_capacity(self, steps: Sequence[Step]) -> Sequence[Step]:
        """Return the longest prefix of a trace within the capacity, without an open bulk, and the next query."""
        if self._holds(steps):
            return steps
        end = bisect_left(range(len(steps)), True, key=lambda at: not self._holds(steps[: at + 1]))
        names = [name for name, _ in steps[:end]]
        open_bulk = names.count("begin_bulk") > names.count("end_bulk")
        end -= 1 + names[::-1].index("begin_bulk") if open_bulk else 0
        return [*steps[:end], *islice(filter(asks, steps[end:]), 1)]

    @property
    def _alone(self) -> bool:
        return self.adapter.alive in (None, 1)

    def can_be_asked(self, steps: Sequence[Step]) -> bool:
        """Return whether it supports this trace.  Raises InputError if its own `offers` raises."""
        return self.running.can_be_asked(steps)

    @property
    def is_running(self) -> bool:
        """Return whether it has a sandbox, and is not only a recording."""
        return any(it is not None for it in (self.build, self.program, self.host))

    def stop(self) -> None:
        """End its process, if one is running."""
        if self.program or self.host or "_running" in self.__dict__:
            self._running.stop()

    def alive(self, windows: int) -> "Subject | None":
        """Return the subject with this number of live windows; None for a program."""
        if not isinstance(self.running, Host):
            return None
        adapter = replace(self.adapter, alive=windows)
        return replace(self, host=self.running, player=None, adapter=adapter, given=self.options)


def _unbound(at: int, step: Step) -> Step:
    """Return the range, or one from or to infinity, by its position in the trace."""
    first, last = step.arguments
    ends = {0: (-math.inf, last), 1: (first, math.inf), 2: (-math.inf, math.inf), 3: (math.inf, first)}
    return Step(step.name, ends.get(at % 7, (first, last)))


def _import_module(place: str, spec: str) -> ModuleType:
    if not place.endswith(".py"):
        if os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())
        with refuse_exceptions(f"{spec}: importing {place}"):
            return importlib.import_module(place)
    path = Path(place).resolve()
    if not path.is_file():
        raise InputError(f"{spec}: there is no file {place}")
    name = f"_swagproof_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise InputError(f"{spec}: {place} is not a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(found)
    with refuse_exceptions(f"{spec}: importing {place}"):
        found.loader.exec_module(module)
    return module


def _import_named(spec: str, what: str) -> tuple[ModuleType, Any]:
    place, colon, name = spec.rpartition(":")
    if not colon or not place or not name:
        raise InputError(f"{spec}: not a full name; write path/to/file.py:{what} or package.module:{what}")
    module = _import_module(place, spec)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            own = [
                key
                for key, value in vars(module).items()
                if isinstance(value, type) and value.__module__ == module.__name__ and key[0] != "_"
            ]
            raise InputError(f"{spec}: {place} has no {name}; its classes: {', '.join(own) or 'none'}")
        found = getattr(found, part)
    return module, found


def load_class(spec: str) -> Any:
    """Return the builder of a subject's windows, loaded outside the sandbox: only for trusted code."""
    return _import_named(spec, "Class")[1]


def load_subject(
    spec: str, window: str = "fifo", timeout: float = 10.0, memory: int = MEMORY, **options: Any
) -> Subject:
    """Return the subject with this name, in its own process, which alone imports it; `options` are adapter fields.

    Raises InputError if it cannot be imported, or is not such a class.
    """
    return _settle(Subject(spec, window=window), lambda: load_class(spec), timeout, memory, options)


def subject_of(found: Any, spec: str, window: str = "fifo", memory: int = MEMORY, **options: Any) -> Subject:
    """Return a class as a subject to judge; `spec` is its name in reports, `options` are fields of its adapter.

    Raises InputError if it is not a window of this kind.
    """
    return _settle(Subject(spec, found, window=window), lambda: found, 10.0, memory, options)


def _settle(
    named: Subject, load: Callable[[], Any], timeout: float, memory: int, options: Mapping[str, Any]
) -> Subject:
    """Return the subject with the properties that its process reports."""
    host = Host(named.name, named.kind, lambda: _look_at(load(), named, options), memory)
    about = host.about(timeout)
    return replace(
        named,
        monoids=about["monoids"] and tuple(map(str, about["monoids"])),
        operations=tuple(map(str, about["methods"])),
        adapter=Adapter.read(about["adapter"], named.name),
        host=host,
        given=options,
    )


def _look_at(found: Any, named: Subject, options: Mapping[str, Any] = MappingProxyType({})) -> Loaded:
    """Return the subject's properties.  Raises InputError if it is not such a class."""
    spec, kind = named.name, named.kind
    if not callable(found):
        raise InputError(f"{spec}: {type(found).__name__} is not a class that can be constructed with a monoid")
    monoids = _read_monoids(spec, found)
    adapter = Adapter.read(getattr(found, "adapter", named.adapter.to_json()), spec, **options)
    needed = [name for name in kind.operations if name not in kind.optional]
    shown = found if isinstance(found, type) else None
    plan = Adapted(found, adapter, kind)
    if not plan.opens and (not {*needed} <= {*plan.operations} or (shown is None and kind.optional)):
        first = domains.domain((monoids or named.monoids or domains.DEFAULT)[0])
        with suppress(InputError) if shown else nullcontext():  # for a class the message names what is missing
            with refuse_exceptions(f"{spec}: building it with the monoid {first.name}"):
                shown = plan.construct(first.fresh(), {})
    built = adapted(found, adapter, kind, shown)
    if isinstance(built, Adapted):
        methods = list(built.operations)
    else:
        methods = [name for name in kind.operations if shown is None or hasattr(shown, name)]
    missing = [name for name in needed if name not in methods]
    if missing:
        has = f"{'an' if kind.name[0] in 'aeiou' else 'a'} {kind.name} window needs {', '.join(needed)}"
        raise InputError(
            f"{spec}: no method {', '.join(missing)}; {has}; for other names use --methods {missing[0]}=NAME"
        )
    start: Any = getattr(found, "start", None)
    if kind.name == "frame" and start is not None:
        with refuse_exceptions(f"{spec}: starting it"):
            start()
    can = {name: hasattr(found, name) for name in ("offers", "reproduction")}
    return Loaded(found, built, {"monoids": monoids, "methods": methods, "adapter": adapter.to_json(), **can})


def _read_monoids(spec: str, found: Any) -> tuple[str, ...] | None:
    """Return the aggregations that a class declares as the only ones to judge it over."""
    monoids: Any = getattr(found, "monoids", None)
    if monoids is None:
        return None
    if isinstance(monoids, str) or not isinstance(monoids, Iterable):
        raise InputError(f'{spec}: its attribute monoids must be a tuple of names, such as ("sum",)')
    listed: tuple[Any, ...] = tuple(monoids)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # theirs
    for name in listed:
        try:
            domains.domain(str(name))
        except InputError:
            known = ", ".join(domains.names())
            raise InputError(f"{spec}: its attribute monoids names {name!r}, which is none of {known}") from None
    return listed


def load_monoid(spec: str, option: str = "--monoid") -> Domain:
    """Return the domain for a name that `--monoid`, or another `option`, takes: built-in, or custom.

    Raises InputError if it cannot be loaded, or breaks a law of monoids on its samples.
    """
    if ":" not in spec:
        return domains.domain(spec, option)
    module, found = _import_named(spec, "NAME")
    with refuse_exceptions(f"{spec}: taking its identity and combine"):
        monoid: Any = found() if isinstance(found, type) else found
        identity, combine = getattr(monoid, "identity", BOTTOM), monoid.combine
    samples = _read_samples(spec, monoid, module)
    if not samples:
        raise InputError(f"{option} {spec}: no elements to try: give it an attribute samples = [...]")
    operation: Any = monoid
    # laws use this: a custom `equal` compares answers, and these are partial aggregates
    equal = monoid.equal if isinstance(monoid, Operation) else _alike
    if not isinstance(monoid, Operation):
        operation = Operation[Any, Any, Any](
            spec,
            lift=getattr(monoid, "lift", _same),
            combine=combine if identity is not BOTTOM else WithBottom(monoid).combine,
            lower=getattr(monoid, "lower", _same),
            identity=identity,
            commutative=False,
            remove=getattr(monoid, "remove", None),
            equal=getattr(monoid, "equal", _alike),
        )
    elements = of_samples(samples)
    if any(map(is_dataclass, samples)):  # a trace names such elements by their repr
        objects = {repr(sample): sample for sample in samples}
        elements = replace(of_samples(tuple(objects)), objects=objects)
        lift = operation.lift
        operation = replace(operation, lift=lambda text: lift(copy.deepcopy(objects[text])))
    watched = {name: guard(f"the monoid {spec}: its {name}", getattr(operation, name)) for name in _CALLED}
    operation = replace(operation, **watched)
    loaded = Domain(spec, operation, elements, Exactly(operation))
    with refuse_exceptions(f"{spec}: checking its laws on its samples"):
        broken = broken_law(operation, [loaded.lifted(x) for x in elements.letters[:LAW_SAMPLES]], equal)
    if broken is not None:
        raise InputError(f"{spec} is not a monoid: {broken}")
    return loaded


_CALLED: Final = ("lift", "combine", "lower", "equal")
"""The functions of a custom monoid that the judge calls."""


def _same(x: Any) -> Any:
    return x


def _alike(a: Any, b: Any) -> bool:
    return bool(a == b)


def _read_samples(spec: str, monoid: Any, module: ModuleType) -> tuple[Element, ...]:
    for holder, name in ((monoid, "samples"), (monoid, "elements"), (module, "samples"), (module, "elements")):
        given: Any = getattr(holder, name, None)
        if given:
            samples = tuple(given)
            for sample in samples:
                if is_dataclass(sample):
                    continue
                try:
                    again = decode(encode(sample))
                except (TypeError, ValueError) as error:
                    raise InputError(f"{spec}: a sample could not be written into a trace: {error}") from None
                if type(again) is not type(sample):
                    said = f"{sample!r}; make it a dataclass, or give the monoid a lift"
                    raise InputError(f"{spec}: a sample could not be written into a trace: {said}")
            return samples
    return ()
