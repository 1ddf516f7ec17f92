"""A Python subject in the sandbox: its process, its description, and the requests to it.

Without processes, as in a browser, the subject runs in this process, and ends it if it exits.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.domain import domain as domain_of
from swagproof.oracle.domain import names as domain_names
from swagproof.oracle.sandbox.exchange import Frames, Head, Here
from swagproof.oracle.sandbox.playing import LEAST, Running
from swagproof.oracle.sandbox.process import Silent, Trouble
from swagproof.oracle.sandbox.watchdog import MEMORY
from swagproof.oracle.sandbox.worker import Counted, Loaded, Worker, serve
from swagproof.oracle.trace import InputError, Step, SubjectError
from swagproof.oracle.window import Window

LOADING: Final = 6
"""The multiple of the time limit that the subject may take to load, as a first import compiles and may read much."""


class Host(Running):
    """A Python subject in the sandbox.  Its process is started when needed, and runs until `stop`."""

    def __init__(self, name: str, window: Window, load: Callable[[], Loaded], memory: int = MEMORY) -> None:
        self.name = name
        self.memory = memory
        self.kind = window
        self._load = load
        self._inherited: dict[str, Domain] = {}
        self._process: Frames | Here | None = None
        self._about: Mapping[str, Any] | None = None
        self.pace = LEAST
        self._errors = ""
        self.counting: Counted = None
        """The combine calls to count, if any."""
        self.alive = 1
        """The number of live windows of its class during a trace; calls are counted only if it is 1."""

    # Description

    @property
    def processor_time(self) -> float:
        """The processor time in seconds that its process has taken; 0 if none is running."""
        return 0.0 if self._process is None else self._process.processor_time

    def about(self, timeout: float = 10.0) -> Mapping[str, Any]:
        """Return the subject's description: `monoids`, `methods`, ...  Raises InputError when it cannot be loaded."""
        if self._about is None:
            self.connect(timeout)
        assert self._about is not None
        return self._about

    def stop(self, gently: bool = True) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop(gently)
            self._errors = process.errors

    @property
    def errors(self) -> str:
        """The last lines that its process, or the last one, wrote to standard error."""
        return self._errors if self._process is None else self._process.errors

    def connect(self, timeout: float) -> Frames | Here:
        if self._process is None:
            try:
                self._process = self._start(timeout)
            except BaseException:
                self.stop(gently=False)
                raise
        return self._process

    def _start(self, timeout: float) -> Frames | Here:
        self.pace = LEAST
        inherited = dict(self._inherited)
        if sys.platform == "emscripten":  # a browser
            loaded = self._load()
            self._about = loaded.about
            return Here(Worker(self.name, loaded, self.kind, inherited))
        try:
            process = Frames(partial(serve, self.name, self._load, self.kind, inherited), self.memory)
        except OSError as error:
            raise InputError(f"{self.name}: no process can be started: {error.strerror}") from None
        self._process = process  # so that it is ended in any case
        try:
            head, _ = process.receive(0, LOADING * timeout)
        except Silent as silent:
            silent.refuse_lost_threads(self.name)
            raise SubjectError(
                f"{self.name}: importing it took longer than {LOADING * timeout:g} s; see --timeout"
            ) from None
        except Trouble as trouble:
            said = "".join(f"\n  stderr  {line}" for line in process.errors.splitlines())
            raise SubjectError(f"{self.name}: importing it {trouble}{said}") from None
        if "input" in head:
            raise InputError(str(head["input"]))
        self._about = head["about"]
        return process

    def knows(self, domain: Domain) -> bool:
        """Return whether the process knows this domain: it is built in, or was passed at the start."""
        inherited = self._inherited.get(domain.name)
        if inherited is not None:
            return inherited.operation is domain.operation
        return domain.name in domain_names() and domain_of(domain.name).operation is domain.operation

    def key(self, domain: Domain) -> tuple[Any, ...]:
        """Return a domain's name, whether its answers are lowered, the calls to count, and the number of live
        windows."""
        if not self.knows(domain):
            self._inherited[domain.name] = domain
            self.stop()
        return domain.name, domain.lowered, self.counting if self.alive == 1 else None, self.alive

    @property
    def whole(self) -> bool:
        return bool(self.about().get("offers"))

    def lacks(self, name: str) -> bool:
        return name in self.kind.operations and name not in self.about()["methods"]

    def _ask(self, timeout: float, *request: Any) -> tuple[Head, list[Any]]:
        """Return the answer to a single request.  Raises Trouble, and InputError."""
        process = self.connect(timeout)
        process.turn += 1
        process.ask(process.turn, request)
        try:
            head, answers = process.receive(process.turn, timeout)
        except BaseException:
            self.stop(gently=False)
            raise
        if "input" in head:
            raise InputError(str(head["input"]))
        return head, answers

    def can_be_asked(self, steps: Sequence[Step], timeout: float = 10.0) -> bool:
        """Return whether the subject offers these operations.  Raises InputError if its `offers` fails."""
        if not self.about().get("offers"):
            return True
        try:
            return bool(self._ask(timeout, "offers", list(steps))[0].get("value"))
        except Trouble as trouble:
            raise InputError(f"{self.name}: offers() {trouble}") from None

    def reproduce(self, steps: Sequence[Step], timeout: float = 10.0) -> str | None:
        """Return text to paste into an engine to see its answers to a trace; None for other subjects."""
        if not self.about().get("reproduction"):
            return None
        try:
            return str(self._ask(timeout, "reproduce", list(steps))[0].get("value"))
        except Trouble as trouble:
            return f"reproduction() {trouble}"

    def count(self, free_identity: bool = False) -> None:
        """Count the combine calls of the traces from now on."""
        self.counting = "but with the identity" if free_identity else "all"

    def count_calls(self, domain: Domain, steps: Sequence[Step]) -> list[int]:
        """Return the combine calls made to build the window, and by each operation of the trace that just ran.

        Raises InputError if they are no longer known.
        """
        try:
            _, calls = self._ask(10.0, "calls")
        except Trouble as trouble:
            raise InputError(f"{self.name}: it {trouble}, when asked for its calls") from None
        if len(calls) != len(steps) + 1:
            raise InputError(f"{self.name}: the calls of {len(calls) - 1} operations are known, not {len(steps)}")
        return calls
