"""The clock: a time budget, and an end to operations that never return.

A timer ticks a few times a second while subjects run.  Its handler reads how far the runner has got, off the iterator
that the runner takes operations from, at no price to it, and

- sets `expired` once the deadline has passed, which the runner reads after each operation, and
- raises `Hung` inside the subject when one operation has taken longer than the time limit.

So neither needs a system call for each operation.  `Hung` is no Exception, and is raised again at each tick, so that
`except Exception` does not stop it.  A subject that swallows it in an endless loop, or is stuck inside C code that
never returns to Python, can only be ended from outside.

Ctrl-C is noted as well as raised, so that a subject that swallows KeyboardInterrupt cannot hide it.

Outside the main thread, or where there is no such timer, the deadline still holds and hangs go unnoticed.
"""

import signal
import threading
import time
from collections.abc import Iterator
from operator import length_hint
from types import FrameType, TracebackType
from typing import Any, Final, Self

TICK: Final = 0.05
"""Seconds between ticks, at most."""


class Hung(BaseException):
    """One operation took longer than the time limit."""


class Clock:
    """Use as a context: `with Clock(timeout=10) as clock: clock.allow(seconds); ...`."""

    def __init__(self, timeout: float = 10.0) -> None:
        self.timeout = timeout
        self.expired = False
        """The deadline has passed, the subject hangs, or Ctrl-C was pressed: stop."""
        self.hung = False
        self.interrupted = False
        self.runs = 0
        self.beat = 0
        """Moved by who runs a trace at each operation of it, or else read off what is left of it: see `follow`."""
        self.watching = False
        """Whether a subject is running."""
        self._deadline = float("inf")
        self._seen: tuple[float, ...] = (-1, -1, -1, 0.0)
        self._steps: Iterator[Any] = iter(())
        self._finished = threading.Event()
        self._restore: list[Any] = []
        self._aside = True
        """Whether something ticks: a timer, or a thread."""

    def allow(self, seconds: float) -> None:
        """Set the deadline to so many seconds from now."""
        self._deadline = time.monotonic() + seconds
        self.expired = self.hung or self.interrupted or seconds <= 0

    def left(self) -> float:
        """Seconds until the deadline, 0 when it has passed."""
        left = max(0.0, self._deadline - time.monotonic())
        if not left:
            self.expired = True
        return 0.0 if self.expired else left

    def follow(self, steps: Iterator[Any]) -> None:
        """A run begins: how far it gets is read off the iterator over its operations, a list's or a tuple's."""
        self.runs += 1
        self._steps = steps
        if not self._aside:
            self.left()

    def _on_alarm(self, _signal: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if now >= self._deadline:
            self.expired = True
        *seen, since = self._seen
        here = [self.runs, self.beat, length_hint(self._steps)]
        if not self.watching or seen != here:
            self._seen = (*here, now)
        elif now - since > self.timeout:
            self.hung = self.expired = True
            raise Hung

    def _on_interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        self.interrupted = self.expired = True
        raise KeyboardInterrupt

    def _tick_aside(self) -> None:
        while not self._finished.wait(TICK):
            self.left()

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            tick = max(0.001, min(TICK, self.timeout / 4))
            self._restore = [signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)]
            signal.signal(signal.SIGINT, self._on_interrupt)
            signal.signal(signal.SIGALRM, self._on_alarm)
            self._restore += [signal.setitimer(signal.ITIMER_REAL, tick, tick), time.monotonic()]
        else:
            try:
                threading.Thread(target=self._tick_aside, daemon=True).start()
            except RuntimeError:  # no threads either, as in a browser: each run that begins looks at the deadline
                self._aside = False
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self._finished.set()
        if self._restore:
            signal.setitimer(signal.ITIMER_REAL, 0)
            interrupt, alarm, (delay, interval), since = self._restore
            signal.signal(signal.SIGINT, interrupt)
            signal.signal(signal.SIGALRM, alarm)
            if delay:  # someone else's timer was running: it goes on
                signal.setitimer(signal.ITIMER_REAL, max(0.001, delay - (time.monotonic() - since)), interval)
