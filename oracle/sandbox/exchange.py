"""Frames between judge and sandbox: a request, then an answer; anything else raises Trouble."""

import json
import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from swagproof.oracle.sandbox.process import GRACE, WAITING, WHERE, Ended, Process, Silent, Trouble, may_lack_threads
from swagproof.oracle.sandbox.watchdog import MEMORY
from swagproof.oracle.sandbox.wire import HEADER, LONGEST, MAGIC, REQUEST, ask_in_bytes, unpack


class Head(dict[str, Any]):
    """The head of an answering frame.  Reading a field checks its type, and raises Trouble where it is wrong."""

    def field(self, name: str, kind: type) -> Any:
        """The value of this type; None where there is none."""
        value = self.get(name)
        if value is not None and type(value) is not kind:
            raise Trouble(f"answered past the subject's own methods: {name} is {value!r}")
        return value


class Frames(Process):
    """The subject's process, as frames go to it and come back."""

    name = "its process"
    turn = 0
    """The number of the frame that was sent last."""

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
        """Bytes of the frame that comes."""
        if len(self._came) < HEADER.size:
            return HEADER.size
        magic, _, head, _, body = HEADER.unpack_from(self._came)
        if magic != MAGIC or head + body > LONGEST:
            raise Trouble(f"answered {bytes(self._came[:40])!r} past the subject's own methods")
        return int(HEADER.size + head + body)

    def ask(self, number: int, request: Any) -> None:
        data = ask_in_bytes(request)
        self.write(REQUEST.pack(number, len(data)) + data)

    def receive(self, number: int, patience: float) -> tuple[Head, list[Any]]:
        """The answer to this frame.  Raises Silent after so many seconds in which nothing moved, Ended, Trouble."""
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
            raise Trouble(f"answered past the subject's own methods: {error}") from None
