"""Adapted windows: windows with our operations, built from a class with other operations.

An adapted window holds the subject's own bound methods under our names, so a renamed method costs nothing extra.  A
method that must be awaited, or guarded against exceptions, is called through a function.  All of this runs in the
subject's process, which does not know the expected results.
"""

import functools
import inspect
import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final

from swagproof.models.containers.bottom import BOTTOM
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.outcome import Refusal, describe_error
from swagproof.oracle.trace import InputError, decode
from swagproof.oracle.window import Window

EVICT_BEFORE: Final = "evict_before"
"""The name under which an adapter declares a method that evicts all entries before a time, not those at the time."""

EVICT_UNTIL: Final = "evict_until"
"""The method that the caller of a time-based window calls to evict all entries up to a time."""

BULK_INSERT: Final = "bulk_insert"
"""The method that takes a bulk as one call: a list of values, oldest first, or of pairs (time, value), sorted by
time."""

_LAWS: Final = ("lift", "combine", "lower", "remove", "identity")


class Semigroup:
    """The `monoid` argument of a constructor if there is no identity."""

    def __init__(self, monoid: Any) -> None:
        self.combine = monoid.combine


class Adapted:
    """A builder of windows: the class with its adapter applied.  Called with a monoid, as the class itself would be.

    >>> from swagproof.models.operations import SUM
    >>> from swagproof.oracle.window import FIFO
    >>> class Mine:
    ...     def __init__(self, combine, initial): self.values = []
    ...     def push(self, v): self.values.append(v)
    ...     def pop(self): del self.values[0]
    ...     total = property(lambda self: sum(self.values))
    >>> methods = {"insert": "push", "evict": "pop", "query": "total"}
    >>> window = Adapted(Mine, Adapter(methods, make="combine, identity"), FIFO)(SUM)
    >>> window.insert(3); window.insert(4); window.evict(); window.query()
    4
    """

    def __init__(self, found: Any, adapter: Adapter, kind: Window, shown: Any = None) -> None:
        self.found = found
        self.shown = found if shown is None and isinstance(found, type) else shown
        """The object that has the methods: the class, or a built window if the subject is a function or its class adds
        the methods to each instance; None if there is neither."""
        self.adapter = adapter
        self.kind = kind
        known = {*kind.operations, *([BULK_INSERT] if "bulk_evict" in kind.operations else ())}
        known |= {EVICT_BEFORE} if kind.evicts == "by time" else set()
        known |= {EVICT_BEFORE, EVICT_UNTIL} if "span" in kind.operations else set()  # if the caller evicts
        known |= {"query"} if "lookup" in kind.operations else set()  # if the constructor takes a size
        for ours in adapter.methods:
            if ours not in known:
                raise InputError(f"adapter: field methods: {ours!r} is none of {', '.join(kind.operations)}")
        words = {word for _, word in adapter.arguments}
        self.opens = next((name for name, word in _OPENED.items() if words & set(word) and name in kind.operations), "")
        """The operation that supplies a size or span to the constructor, and so builds the window; else empty."""
        for name, word in _OPENED.items():
            if words & set(word) and name not in kind.operations:
                raise InputError(
                    f"adapter: field make: {word[0]} has no meaning for a {kind.name} window; see --window"
                )
        self.driver = ""
        """The method that evicts up to a time, if the caller of a time-based window must evict."""
        if "span" in kind.operations and not hasattr(self.shown, adapter.methods.get("span", "span")):
            if self.opens:  # it may evict by itself: the driver evicts only if the adapter says so
                names = [adapter.methods[ours] for ours in (EVICT_UNTIL, EVICT_BEFORE) if ours in adapter.methods]
            else:
                names = [adapter.methods.get(ours, ours) for ours in (EVICT_UNTIL, EVICT_BEFORE)]
            self.driver = next((name for name in names if hasattr(self.shown, name)), "")

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that the class has."""
        return tuple(name for name in self.kind.operations if self.find(name) is not None)

    def find(self, operation: str) -> str | None:
        """Return the class's name for an operation; None if it has none."""
        methods = self.adapter.methods
        if operation == self.opens:
            return operation
        if self.driver and operation in ("span", "advance"):
            return self.driver
        if operation == "bulk_evict" and EVICT_BEFORE in methods:
            return methods[EVICT_BEFORE]
        if self.opens and operation == "lookup" and operation not in methods:
            operation = "query"
        ours = BULK_INSERT if operation in ("begin_bulk", "end_bulk") else operation
        theirs = methods.get(ours, ours)
        if self.shown is None:  # a function: its windows are unknown
            return theirs if ours in methods or operation not in self.kind.optional else None
        return theirs if hasattr(self.shown, theirs) else None

    def __call__(self, monoid: Any) -> Any:
        return _Opened(self, monoid) if self.opens else self.make(monoid, {})

    def construct(self, monoid: Any, sizes: Mapping[str, Any]) -> Any:
        """Build a window, not adapted; with this size or span if the constructor takes one."""
        if getattr(monoid, "identity", None) is BOTTOM:
            monoid = Semigroup(monoid)
        given: list[Any] = []
        named: dict[str, Any] = {}
        for keyword, word in self.adapter.arguments:
            value = _value(word, monoid, sizes)
            if keyword is None:
                given.append(value)
            else:
                named[keyword] = value
        return self.found(*given, **named)

    def make(self, monoid: Any, sizes: Mapping[str, Any]) -> Any:
        """Build a window with our operations."""
        inner = self.construct(monoid, sizes)
        window = SimpleNamespace()
        for operation in self.kind.operations:
            theirs = self.find(operation)
            if theirs is not None and operation not in (self.opens, "begin_bulk", "end_bulk") and theirs != self.driver:
                setattr(window, operation, self._call(inner, operation, theirs))
        together = self.find("begin_bulk") if "begin_bulk" in self.kind.operations else None
        if together is not None:
            bulk = _Bulk(window.insert, self._call(inner, BULK_INSERT, together))
            window.insert, window.begin_bulk, window.end_bulk = bulk.insert, bulk.begin_bulk, bulk.end_bulk
        if self.driver:
            evict = self._call(inner, EVICT_UNTIL, self.driver)
            early = self.driver == self.adapter.methods.get(EVICT_BEFORE, EVICT_BEFORE)
            driven = _Driven(window.insert, _before(evict) if early else evict)
            window.span, window.insert, window.advance = driven.span, driven.insert, driven.advance
        return window

    def _call(self, inner: Any, operation: str, theirs: str) -> Callable[..., Any]:
        if isinstance(inspect.getattr_static(inner, theirs, None), property | functools.cached_property):
            call: Callable[..., Any] = functools.partial(getattr, inner, theirs)
        else:
            call = getattr(inner, theirs)
        if inspect.iscoroutinefunction(call):
            call = _awaited(call)
        if theirs == self.adapter.methods.get(EVICT_BEFORE) and operation == "bulk_evict":
            call = _before(call)
        if operation in self.kind.queries:
            if operation == "lookup" and self.opens:
                call = _without_size(call)
            if self.adapter.empty in ("raises", "anything"):
                call = _caught(call)
        return call


_OPENED: Final = {"register": ("size",), "span": ("span", "span-1")}
"""The operation that supplies a constructor argument, and the words for the argument."""


class _Opened:
    """Windows that are built once their size or span is known: one for each registered size, or one for the span."""

    def __init__(self, adapted: Adapted, monoid: Any) -> None:
        self._adapted, self._monoid = adapted, monoid
        self._windows: dict[Any, Any] = {}

    def register(self, size: int) -> None:
        """Build the window over the newest `size` elements; it may exist already."""
        if size not in self._windows:
            self._windows[size] = self._adapted.make(self._monoid, {"size": size})

    def span(self, span: int) -> None:
        """Build the window over a span of time."""
        self._windows[None] = self._adapted.make(self._monoid, {"span": span, "span-1": span - 1})
        if self._adapted.driver:
            self._windows[None].span(span)

    def insert(self, *arguments: Any) -> None:
        for window in self._windows.values():
            window.insert(*arguments)

    def lookup(self, size: int) -> Any:
        return self._windows[size].lookup(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._windows[None], name)


class _Bulk:
    """A bulk insert: collects inserts from the beginning of a bulk to its end, then passes them on in one call."""

    def __init__(self, insert: Callable[..., Any], bulk_insert: Callable[..., Any]) -> None:
        self._insert, self._bulk_insert = insert, bulk_insert
        self._bulk: list[Any] | None = None

    def insert(self, *entry: Any) -> None:
        if self._bulk is None:
            self._insert(*entry)
        else:
            self._bulk.append(entry if entry[1:] else entry[0])

    def begin_bulk(self) -> None:
        self._bulk = []

    def end_bulk(self) -> None:
        bulk, self._bulk = self._bulk, None
        self._bulk_insert(bulk)


class _Driven:
    """A window whose caller evicts the lapsed entries after each step of time."""

    def __init__(self, insert: Callable[..., Any], evict_until: Callable[..., Any]) -> None:
        self._insert, self._evict_until = insert, evict_until
        self._span: Any = 0

    def span(self, span: Any) -> None:
        self._span = span

    def insert(self, time: Any, value: Any) -> None:
        self._insert(time, value)
        self.advance(time)

    def advance(self, time: Any) -> None:
        self._evict_until(time - self._span)


def _value(word: str, monoid: Any, sizes: Mapping[str, Any]) -> Any:
    if word == "monoid":
        return monoid
    if word in _LAWS:
        return getattr(monoid, word)
    return sizes[word] if word in sizes else decode(json.loads(word))


def _awaited(call: Callable[..., Any]) -> Callable[..., Any]:
    def awaited(*arguments: Any) -> Any:
        return _loop().run_until_complete(call(*arguments))

    return awaited


@functools.cache
def _loop() -> Any:
    import asyncio  # imported only for async methods: it takes a tenth of a command's start-up time

    return asyncio.new_event_loop()


def _before(call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda time: call(time + 1)


def _without_size(call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _size: call()


def _caught(call: Callable[..., Any]) -> Callable[..., Any]:
    def caught(*arguments: Any) -> Any:
        try:
            return call(*arguments)
        except Exception as error:  # any exception means that the window is empty
            return Refusal(describe_error(error))

    return caught


def adapted(found: Any, adapter: Adapter, kind: Window, shown: Any = None) -> Any:
    """Return a builder of windows with our operations: the class itself if it needs no adaptation.

    If `found` does not have the methods itself, `shown` is a window that it has built.
    """
    has = found if shown is None else shown
    asynchronous = any(inspect.iscoroutinefunction(getattr(has, name, None)) for name in kind.operations)
    in_bulk = "bulk_evict" in kind.operations and hasattr(has, BULK_INSERT)
    driven = "span" in kind.operations and not hasattr(has, "span")
    if asynchronous or in_bulk or driven or any(name in _CHANGING for name in adapter.to_json()):
        return Adapted(found, adapter, kind, shown)
    return found


_CHANGING: Final = ("methods", "make", "empty")
"""The fields that change how a subject is called; the others change the search and the rule for answers."""
