"""The worker: the code that runs in a Python subject's process.

It loads the subject, describes it, and plays traces: batches of operations come in, answers go out.  It does not know
the right answers, so a subject that tampers with this process cannot turn a wrong answer into a right one.  It records
what is visible only in this process: exceptions, and values that a subject received or returned and then changed in
place.  For that it keeps some of these values, and the monoid's identity, each with an equal copy.

If a subject forks this process, the copy stops playing and sends nothing.
"""

import atexit
import copy
import gc
import inspect
import io
import marshal
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import length_hint
from typing import Any, Final, Literal, NoReturn, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.domain import domain as domain_of
from swagproof.oracle.outcome import describe_error
from swagproof.oracle.sandbox.company import Company
from swagproof.oracle.sandbox.process import WHERE
from swagproof.oracle.sandbox.wire import REQUEST, Told, pack, read_request, tell
from swagproof.oracle.trace import InputError, Step
from swagproof.oracle.window import FIFO, Window

Counted: TypeAlias = Literal["all", "but with the identity"] | None
"""The combine calls to count."""

_NOTHING: Final = object()
"""A value that no monoid has."""

WATCHED: Final = 24
"""The most values and answers that are watched for changes."""

EVERY: Final = 64
"""The number of operations between checks of these values in long traces; after a change, the trace runs again."""

_HIGH: Final = 200
"""The number from which descriptors are the sandbox's own."""

_exit: Final = os._exit
"""The original function, which a subject may replace."""

_COLLECTION: Final = gc.get_threshold()
"""The usual rate at which Python looks for cycles, on which a subject may rely."""

_INHERITED: Final = list[Any]()
"""Streams of the judge, which must not be flushed here."""


@dataclass(frozen=True)
class Loaded:
    """A loaded subject: a builder of its windows, and its description as JSON."""

    found: Any
    """The given object: a class, say."""
    build: Callable[[Any], Any]
    """The same object, adapted."""
    about: Mapping[str, Any]


class _Watch:
    """Values that must not change, each with an equal copy that the subject has never seen."""

    def __init__(self, identity: Any, every: int) -> None:
        self.every = every
        """The number of operations between checks."""
        self.kept: deque[tuple[str, Any, Any]] = deque(maxlen=WATCHED + every)
        self.identity = ("the monoid's identity", identity, copy.deepcopy(identity))

    def keep(self, what: str, value: Any) -> None:
        """Watch a value that the subject now knows."""
        self.kept.append((what, value, _written(value) or copy.deepcopy(value)))

    def find_change(self) -> tuple[str, Any, Any] | None:
        for what, value, before in (self.identity, *self.kept):
            if type(before) is bytes and type(value) is list:
                if _written(value) == before:
                    continue
                before = marshal.loads(before)
            if _differ(value, before):
                return what, value, before
        return None


def _written(value: Any) -> bytes | None:
    """Return the bytes of a list, which are quick to compare; None for other values."""
    try:
        return marshal.dumps(value, _WITHOUT_REFERENCES) if type(value) is list else None
    except ValueError:  # it has objects of other types than the plain ones
        return None


def _differ(value: Any, before: Any) -> bool:
    """Return whether a value has changed, without trusting methods of the subject's objects in it."""
    kind = type(value)
    if kind is not type(before):
        return True
    if kind in (list, tuple):
        return len(value) != len(before) or any(map(_differ, value, before))
    if kind is dict and {*map(type, value)} <= _ATOMS:
        return value.keys() != before.keys() or any(_differ(value[key], before[key]) for key in before)
    try:
        return value is not before and bool(value != before)
    except Exception:  # arrays have no single answer
        return bool(tell(value) != tell(before))


_ATOMS: Final = {int, str, float, bool, bytes, type(None)}

_WITHOUT_REFERENCES: Final = 2
"""The version of the format in which equal values have equal bytes."""


class _Changed(Exception):
    """A value was changed: its description, its new value, and its old one."""


class Worker:
    """A player of traces on a subject's windows: one at a time, with other live windows if requested."""

    def __init__(self, name: str, loaded: Loaded, kind: Window, inherited: Mapping[str, Domain]) -> None:
        self.name, self.loaded, self.kind, self.inherited = name, loaded, kind, inherited
        self.queries, self.fifo = kind.queries, kind is FIFO
        self.offers: Any = getattr(loaded.found, "offers", None)
        self.domains: dict[tuple[str, bool, Counted], Domain] = {}
        self.window: Any = None
        self.watch: _Watch | None = None
        self.progress: Iterator[str] = iter(())
        """The remaining operations of the batch: a forked copy of this process finds none."""
        self.copied = False
        """True if this is a forked copy."""
        self.made = 0
        """The combine calls since the last counted operation."""
        self.calls = list[int]()
        """The combine calls made to build the window, and by each operation of the current trace, if they are
        counted."""

    def answer(self, request: tuple[Any, ...]) -> tuple[Any, Sequence[Any]]:
        """Return the response to a request: a head, and answers."""
        does: Any = {
            "play": self._play,
            "calls": self._tell_calls,
            "offers": self._is_offered,
            "reproduce": self._reproduce,
        }[request[0]]
        try:
            found: tuple[Any, Sequence[Any]] = does(*request[1:])
        except InputError as error:
            return {"input": str(error)}, ()
        return found

    def _domain(self, name: str, lowered: bool, counting: Counted) -> Domain:
        known = self.domains.get((name, lowered, counting))
        if known is None:
            known = replace(self.inherited.get(name) or domain_of(name), lowered=lowered)
            if counting:
                free = known.operation.identity if counting != "all" else _NOTHING
                combine = self._counting(known.operation.combine, free, known.mutable)
                known = replace(known, operation=replace(known.operation, combine=combine))
            self.domains[name, lowered, counting] = known
        return known

    def _counting(self, combine: Callable[[Any, Any], Any], free: Any, mutable: bool) -> Callable[[Any, Any], Any]:
        """Wrap `combine` to count its calls, in a way that survives copies of the monoid and checks of its type.

        A call with the `free` value is not counted; if windows get copies of that value, it is compared by equality.
        """

        def is_free(value: Any) -> bool:
            return value is free or (mutable and free is not _NOTHING and bool(value == free))

        def counted(a: Any, b: Any) -> Any:
            self.made += not (is_free(a) or is_free(b))
            return combine(a, b)

        return counted

    def _count_each(self, steps: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
        """Yield the operations one by one: calls made before the next one is requested belong to the last."""
        for step in steps:
            self.made = 0
            yield step
            self.calls.append(self.made)

    def _tell_calls(self) -> tuple[Any, Sequence[Any]]:
        return {}, self.calls

    def _build(self, domain: Domain, monoid: Any, alive: int = 1) -> Any:
        another = (
            "it" if alive == 1 else f"{alive} live instances (give --alive {alive - 1} if the class allows no more)"
        )
        doing = f"{self.name}: building {another} with the monoid {domain.name}"
        with refuse_exceptions(doing):
            try:
                return self.loaded.build(monoid)
            except TypeError as error:
                if _takes_nothing(self.loaded.found):
                    raise InputError(
                        f"{doing} raised {describe_error(error)}; its constructor takes no monoid; give --make nothing"
                    ) from None
                raise

    def _is_offered(self, steps: Sequence[Step]) -> tuple[Any, Sequence[Any]]:
        return {"value": self._offered(steps)}, ()

    def _offered(self, steps: Sequence[Step]) -> bool:
        if self.offers is None:
            return True
        with refuse_exceptions(f"{self.name}: offers()"):
            return bool(self.offers(steps))

    def _reproduce(self, steps: Sequence[Step]) -> tuple[Any, Sequence[Any]]:
        """Return text to paste into an engine; None if the subject is not an engine."""
        reproduction: Any = getattr(self.loaded.found, "reproduction", None)
        if reproduction is None:
            return {"value": None}, ()
        try:
            return {"value": str.__str__(reproduction(steps))}, ()
        except BaseException as error:  # the subject's method may raise anything; the verdict does not depend on it
            return {"value": f"reproduction() raised {describe_error(error)}"}, ()

    # Playing

    def _play(
        self,
        name: str,
        lowered: bool,
        counting: Counted,
        alive: int,
        every: int,
        pieces: Sequence[tuple[bool, Sequence[str], Sequence[Any], bool]],
    ) -> tuple[Any, Sequence[Any]]:
        """Play pieces of traces, each of which starts a new window or continues the last.

        The head reports how many were completed, which were skipped, and the failure of the next one.
        """
        domain, answers, skipped = self._domain(name, lowered, counting), list[Any](), list[int]()
        for number, (begins, names, arguments, _) in enumerate(pieces):
            if self.copied:
                _exit(0)
            self.progress = progress = iter(names)
            try:
                if begins:
                    self.window = None
                    if self.offers is not None and not self._offered(list(map(Step, names, arguments))):
                        skipped.append(number)
                        continue
                    self._begin(domain, every, alive)
                steps = zip(progress, arguments, strict=False)
                self._go_on(domain, self._count_each(steps) if counting else steps, answers.append)
            except InputError:
                raise
            except _Changed as change:
                what, now, before = change.args
                ending = ["changed", what, tell(now), tell(before)]
            except BaseException as error:  # any exception of a legal operation is the subject's failure
                self._refuse_lack_of_threads(names[len(names) - length_hint(progress) - 1], error)
                within = self.window.within if isinstance(self.window, Company) else ""
                ending = ["raised", describe_error(error) + (f", in {within} of another instance" if within else "")]
            else:
                continue
            at = len(names) - length_hint(progress) - 1
            return {"done": number, "skipped": skipped, "at": at, "ending": ending}, answers
        return {"done": len(pieces), "skipped": skipped}, answers

    def _begin(self, domain: Domain, every: int, alive: int) -> None:
        self.watch = None
        monoid = domain.operation
        if domain.mutable:
            monoid = domain.fresh()
            self.watch = _Watch(monoid.identity, every)
        self.made = 0
        self.window = self._build(domain, monoid)
        if alive > 1:
            self.window = Company(self.window, self.kind, alive, lambda: self._build(domain, monoid, alive))
        self.calls = [self.made]

    def _go_on(self, domain: Domain, steps: Iterable[tuple[str, Any]], put: Callable[[Any], None]) -> None:
        """Run operations with as little overhead as possible."""
        window, lift, queries = self.window, domain.handed, self.queries
        plain = _plain_type(domain)
        if self.watch is not None:
            self._watch_each(self.watch, domain, steps, put)
            return
        if self.fifo:
            for name, arguments in steps:
                if name == "insert":
                    window.insert(lift(arguments[0]))
                elif name == "evict":
                    window.evict()
                elif name == "query":
                    got = window.query()
                    put(got if type(got) is plain else Told(tell(got)))
                else:
                    getattr(window, name)(*arguments)
            return
        for name, arguments in steps:
            if name == "insert":
                window.insert(*arguments[:-1], lift(arguments[-1]))
            elif name == "evict":
                window.evict(*arguments)
            elif name == "query":
                got = window.query()
                put(got if type(got) is plain else Told(tell(got)))
            else:
                got = getattr(window, name)(*arguments)
                if name in queries:
                    put(got if type(got) is plain else Told(tell(got)))

    def _watch_each(
        self, watch: _Watch, domain: Domain, steps: Iterable[tuple[str, Any]], put: Callable[[Any], None]
    ) -> None:
        """Run operations, with checks of values that could be changed."""
        window, lift, queries = self.window, domain.handed, self.queries
        for number, (name, arguments) in enumerate(steps, 1):
            if name == "insert":
                value = lift(arguments[-1])
                watch.keep("a value that it had been handed", value)
                window.insert(*arguments[:-1], value)
            else:
                got = getattr(window, name)(*arguments)
                if name in queries:
                    put(Told(tell(got)))
                    watch.keep("an answer that it had given", got)
            if number % watch.every == 0:
                _refuse_change(watch)
        _refuse_change(watch)

    def stand_still(self) -> None:
        """Stop playing: this is a copy that the subject has forked."""
        self.copied = True
        progress: Any = self.progress
        with suppress(AttributeError):
            progress.__setstate__(sys.maxsize)

    def _refuse_lack_of_threads(self, name: str, error: BaseException) -> None:
        """Raise InputError if the trace is not to blame."""
        explained = _explain_threads(error)
        if explained:
            raise InputError(f"{self.name}: {name} raised {describe_error(error)}{explained}") from None


def _refuse_change(watch: _Watch) -> None:
    change = watch.find_change()
    if change is not None:
        raise _Changed(*change)


def _takes_nothing(found: Any) -> bool:
    """Return whether it can be called without an argument and not with one."""
    try:
        signature = inspect.signature(found)
        signature.bind()
    except (TypeError, ValueError):
        return False
    try:
        signature.bind(None)
    except TypeError:
        return True
    return False


def _plain_type(domain: Domain) -> type | None:
    """Return the type of answers that need no encoding."""
    kind: type = type(domain.operation.identity)
    return None if domain.lowered else int if kind is type(None) else kind if kind in (int, str, float, tuple) else None


class refuse_exceptions:  # used as a function is
    """Turn any exception of the user's code into an input error that says in one line what the code was doing."""

    def __init__(self, doing: str) -> None:
        self.doing = doing

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        if error is None or isinstance(error, InputError):
            return
        if isinstance(error, SyntaxError):
            raise InputError(f"{self.doing}: {error.filename}: line {error.lineno}: {error.msg}") from None
        raise InputError(f"{self.doing} raised {describe_error(error)}{_explain_threads(error)}") from None


def _explain_threads(error: BaseException) -> str:
    """Return the message for a thread that cannot be started: this window is rarely the cause."""
    if not issubclass(type(error), RuntimeError) or "start new thread" not in describe_error(error):
        return ""
    alive = threading.active_count() - 1
    return (
        f": {alive} threads of this and earlier windows still run, each takes memory; let a window end its threads "
        "when it is dropped, or share them, or allow more with --memory"
    )


def serve(name: str, load: Callable[[], Loaded], kind: Window, inherited: Mapping[str, Domain]) -> NoReturn:
    """Run as the subject's process: answer requests on standard input until it ends.  Never returns."""
    asks, answers = _set_streams_aside()
    # The judge's exit handlers must not run here.
    atexit._clear()  # pyright: ignore[reportPrivateUsage]  # no other way
    gc.freeze()
    gc.set_threshold(*_COLLECTION)
    own = os.getpid()
    try:
        with refuse_exceptions(f"{name}: asking what it has"):
            loaded = load()
    except InputError as error:
        if os.getpid() == own:
            _write(answers, pack(0, {"input": str(error)}, ()))
        _exit(0)
    if os.getpid() != own:  # a copy that the subject forked meanwhile
        _exit(0)
    worker = Worker(name, loaded, kind, inherited)
    os.register_at_fork(after_in_child=worker.stand_still)
    _write(answers, pack(0, {"about": dict(loaded.about)}, ()))
    while (header := _read(asks, REQUEST.size)) is not None:
        number, length = REQUEST.unpack(header)
        request = _read(asks, length)
        if request is None:
            break
        frame = pack(number, *worker.answer(read_request(request)))
        if os.getpid() != own:
            _exit(0)
        _write(answers, frame)
    with suppress(BaseException):
        atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]  # no other way
    _exit(0)


def _set_streams_aside() -> tuple[int, int]:
    """Move the frames' streams to high descriptors, and return them; redirect other output to standard error."""
    import faulthandler  # imported here, because systems without processes lack it
    import fcntl

    asks, answers = (fcntl.fcntl(stream, fcntl.F_DUPFD_CLOEXEC, _HIGH) for stream in (0, 1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    _INHERITED.extend((sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__))
    streams: Any = sys
    streams.stdin = streams.__stdin__ = io.TextIOWrapper(io.FileIO(0, closefd=False))
    errors = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace", write_through=True)
    streams.stdout = streams.stderr = streams.__stdout__ = streams.__stderr__ = errors
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(OSError, ValueError, RuntimeError):
        faulthandler.enable(2)
        faulthandler.register(WHERE, answers)
    return asks, answers


def _read(descriptor: int, count: int) -> bytes | None:
    """Read `count` bytes; None at the end of input."""
    parts: list[bytes] = []
    while count:
        data = os.read(descriptor, min(count, 1 << 20))
        if not data:
            return None
        parts.append(data)
        count -= len(data)
    return b"".join(parts)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
