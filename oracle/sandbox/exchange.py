"""Frames between judge and sandbox: a request, then an answer; anything else raises Trouble."""

import json
import os
import select
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from types import CodeType
from typing import Any, Final

from swagproof.oracle.sandbox.process import GRACE, WAITING, WHERE, Ended, Process, Silent, Trouble, may_lack_threads
from swagproof.oracle.sandbox.watchdog import MEMORY
from swagproof.oracle.sandbox.wire import HEADER, LONGEST, MAGIC, REQUEST, Told, ask_in_bytes, hear, unpack
from swagproof.oracle.sandbox.worker import Worker


class Head(dict[str, Any]):
    """The head of an answering frame.  Reading a field checks its type, and raises Trouble if it is wrong."""

    def field(self, name: str, kind: type) -> Any:
        """Return the value, of this type; None if there is none."""
        value = self.get(name)
        if value is not None and type(value) is not kind:
            raise Trouble(f"wrote to the judge's channel directly: {name} is {value!r}")
        return value


class Frames(Process):
    """The subject's process, with frames in both directions."""

    name = "its process"
    turn = 0
    """The number of the last frame sent."""

    def __init__(self, run: Callable[[], object], memory: int = MEMORY) -> None:
        super().__init__(run, memory)
        self._came = bytearray()

    def _tell_place(self) -> bytes:
        """Return a traceback of each of its threads, if it can still report; no more frames come after that."""
        with suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, WHERE)
        waiting = select.poll()
        waiting.register(self._out, select.POLLIN)
        found, until = b"", time.monotonic() + GRACE
        while self.speaks and (left := until - time.monotonic()) > 0 and waiting.poll(left * 1000):
            found += self._some(self._out)
        return found

    def take_in(self, data: bytes) -> bool:
        self._came += data
        return len(self._came) >= self._wanted()

    def _wanted(self) -> int:
        """The size in bytes of the incoming frame."""
        if len(self._came) < HEADER.size:
            return HEADER.size
        magic, _, head, _, body = HEADER.unpack_from(self._came)
        if magic != MAGIC or head + body > LONGEST:
            raise Trouble(f"answered {bytes(self._came[:40])!r} to the judge's channel directly")
        return int(HEADER.size + head + body)

    def ask(self, number: int, request: Any) -> None:
        data = ask_in_bytes(request)
        self.write(REQUEST.pack(number, len(data)) + data)

    def receive(self, number: int, patience: float) -> tuple[Head, list[Any]]:
        """Return the answer to this frame.  Raises Silent after `patience` seconds without progress, Ended, Trouble."""
        deadline = time.monotonic() + patience
        while len(self._came) < self._wanted() or len(self._came) < HEADER.size:
            left = deadline - time.monotonic()
            if not self.speaks:
                raise Ended(self.ending())
            if left <= 0:
                silent = Silent("did not return within the time limit")
                silent.lacks_threads = may_lack_threads() and WAITING.search(self._tell_place()) is not None
                raise silent
            if self.pump(left):
                deadline = time.monotonic() + patience
        _, came, head, form, length = HEADER.unpack_from(self._came)
        end = HEADER.size + head + length
        first, body = bytes(self._came[HEADER.size : HEADER.size + head]), bytes(self._came[HEADER.size + head : end])
        del self._came[:end]
        try:
            if came != number:
                raise ValueError("out of turn")
            return Head(json.loads(first)), unpack(form, body)
        except (ValueError, TypeError, RecursionError, OverflowError, ArithmeticError) as error:
            raise Trouble(f"wrote to the judge's channel directly: {error}") from None


class EndlessError(BaseException):
    """Raised in a subject that does not return and has no process of its own."""


class _Watch:
    """A time limit if there is no process to kill: it measures time in typed code, at each turn of a loop.

    Python reports a loop's backward jump (`sys.monitoring`); jumps in modules from files are not monitored again.  A
    call into C that never returns is not detected.
    """

    TOOL: Final = 4
    """A tool number that no debugger uses."""

    def __init__(self) -> None:
        self.deadline = inf
        self.fired = False
        self._enough: Any = None
        """The return value that disables events for a code location."""
        if sys.version_info >= (3, 12):
            told = sys.monitoring
            if told.get_tool(self.TOOL) is None:
                told.use_tool_id(self.TOOL, "swagproof")
            told.register_callback(self.TOOL, told.events.JUMP, self._hear)
            told.set_events(self.TOOL, told.events.JUMP)
            self._enough = told.DISABLE

    def _hear(self, code: CodeType, _at: int, _to: int) -> Any:
        if not code.co_filename.startswith("<"):
            return self._enough
        if time.monotonic() > self.deadline:
            self.fired = True
            raise EndlessError
        return None


class Here:
    """The same interface without a process."""

    errors = ""
    processor_time = 0.0
    turn = 0

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self._asked: deque[Any] = deque()
        self._watch = _Watch()

    def ask(self, _number: int, request: Any) -> None:
        self._asked.append(request)

    def receive(self, _number: int, patience: float) -> tuple[Head, list[Any]]:
        self._watch.deadline = time.monotonic() + patience
        head: Any = {}
        answers: Sequence[Any] = ()
        try:
            head, answers = self.worker.answer(self._asked.popleft())
        except EndlessError:
            pass  # as explained below, even if the subject has caught it
        finally:
            self._watch.deadline = inf
        if self._watch.fired:
            raise Silent("did not return within the time limit")
        return Head(head), [hear(answer.data) if type(answer) is Told else answer for answer in answers]

    def stop(self, gently: bool = True) -> None:
        pass
