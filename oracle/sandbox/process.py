"""The subject's process: bytes in and out, with limits and complete cleanup.

Input and output are handled at the same time, so the two sides never wait for each other, whatever they send.  The last
lines of standard error are kept.  `stop` ends the process and all its children.  They also end when this interpreter
does, by any exception or signal: see `swagproof.oracle.sandbox.watchdog`.
"""

import os
import re
import select
import signal
import time
import weakref
from abc import ABC, abstractmethod
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from swagproof.oracle.sandbox import watchdog
from swagproof.oracle.sandbox.watchdog import MEMORY, STATUS, Watched, What
from swagproof.oracle.trace import InputError

KEPT: Final = 20
"""The number of lines of standard error that are shown."""

KEPT_BYTES: Final = 16_000
"""The number of bytes of standard error that are kept, enough for these lines."""

OURS: Final = str(Path(__file__).resolve().parents[1])
"""The folder of the oracle, whose frames are removed from a subject's tracebacks."""

GRACE: Final = 0.3
"""Seconds from the end of its input to SIGTERM, and from there to SIGKILL."""

_AT_ONCE: Final = 1 << 16
"""The most bytes that are read or written at once: a pipe's capacity."""


THREADS: Final = re.compile(r"polars-\d")
"""The names of threads that a library waits for in a forked process, where they do not exist; without the thread that
importing the library starts, for which nothing waits."""

WAITING: Final = re.compile(rb'File "[^"\n]*[/\\]polars[/\\]')
"""The line of a traceback which shows that this library is waiting."""

WHERE: Final = int(getattr(signal, "SIGRTMAX", 0))
"""The signal that asks a Python subject for its threads' tracebacks, even if its interpreter is blocked; 0 if no signal
is free."""


def may_lack_threads() -> bool:
    """Return whether this process has threads for which a forked copy may wait forever."""
    with suppress(OSError):  # if the system does not list them
        return any(THREADS.match(place.read_text()) for place in Path("/proc/self/task").glob("*/comm"))
    return False


class Trouble(Exception):
    """The process cannot continue, or answers improperly.  `str()` is the text after the operation's name."""


class Silent(Trouble):
    """It neither answered nor took input within its time limit."""

    lacks_threads = False
    """True if it waits for threads that exist only in the judge's process."""

    def refuse_lost_threads(self, name: str) -> None:
        """Raise InputError if the subject's class is not to blame."""
        if self.lacks_threads:
            raise InputError(
                f"{name}: it did not return within the time limit. It runs in a fork of a process in which Polars has "
                "started threads, which a fork lacks: judge it by `swagproof conform`, which starts a new process"
            )


class Ended(Trouble):
    """It ended, or closed its output."""


class Process(ABC):
    """A running process.  Raises OSError when it cannot be started."""

    name: str = "the program"
    """Its name in messages about its end."""

    def __init__(self, what: What, memory: int = MEMORY) -> None:
        with watchdog.undisturbed():
            self._started = started = watchdog.start(what, memory)
            self._in, self._out, self._err = started.into, started.out, started.err
            self._open = {self._in, self._out, self._err, started.ready}
            self._finalizer = weakref.finalize(self, _abandon, started, self._open, os.getpid())
        try:
            watchdog.await_start(started)
        except BaseException:
            self._finalizer()
            raise
        self._open.discard(started.ready)
        os.close(started.ready)
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._waits_to_write = False
        self._unsent: deque[memoryview] = deque()
        self._errors = b""
        self._status: tuple[int, int] | None = None

    @property
    def pid(self) -> int:
        """The process id, and the id of its group."""
        return self._started.pid

    @property
    def processor_time(self) -> float:
        """The processor time in seconds that it has taken; 0 if the system does not report it."""
        try:
            return time.clock_gettime(~self.pid << 3 | 2)  # Linux's clock of another process
        except OSError:
            return 0.0

    @property
    def works(self) -> bool:
        """Return whether a thread in its process group runs, is ready to run, or waits for a disk; False if unknown."""
        return any(state in "RD" for state in _states(self.pid))

    @property
    def has_read(self) -> bool:
        """Return whether it has taken all data that was sent; True if unknown."""
        if self._unsent or self._in not in self._open:
            return not self._unsent
        left = array("i", [0])
        with suppress(ImportError, OSError):
            import fcntl  # imported here, because systems without processes lack it
            import termios

            fcntl.ioctl(self._in, termios.FIONREAD, left)
        return left[0] == 0

    @property
    def errors(self) -> str:
        """The last lines of its standard error."""
        lines = own_lines(self._errors.decode("utf-8", "replace").splitlines())
        return "\n".join(lines[-KEPT:])

    def write(self, data: bytes) -> None:
        """Send these bytes.  Returns at once; data beyond the pipe's capacity is sent later."""
        if self._in in self._open:
            self._unsent.append(memoryview(data))
            self._write()

    @abstractmethod
    def take_in(self, data: bytes) -> bool:
        """Handle its standard output.  Return whether that is any progress."""

    def overhear(self, data: bytes) -> None:  # noqa: B027  # most have nothing to do then
        """Handle its standard error, whose last lines are kept in any case."""

    def pump(self, seconds: float) -> bool:
        """Move available data, or wait for it.  Return whether input was taken, or output came."""
        moved = False
        for descriptor, _ in self._poll.poll(max(0.0, seconds) * 1000):
            if descriptor == self._in:
                moved |= self._write()
            elif descriptor == self._out:
                data = self._some(self._out)
                moved |= bool(data) and self.take_in(data)
            else:
                data = self._some(self._err)
                self._errors = (self._errors + data)[-KEPT_BYTES:]
                self.overhear(data)
        return moved

    def _write(self) -> bool:
        moved = False
        try:
            while self._unsent:
                view = self._unsent[0]
                sent = os.write(self._in, view[:_AT_ONCE])
                moved = moved or sent > 0
                if sent == len(view):
                    self._unsent.popleft()
                else:
                    self._unsent[0] = view[sent:]
        except BlockingIOError:
            if not self._waits_to_write:
                self._waits_to_write = True
                self._poll.register(self._in, select.POLLOUT)
            return moved
        except BrokenPipeError:  # it reads no more, but may still print a message before it ends
            self.close(self._in)
            return False
        if self._waits_to_write:
            self._waits_to_write = False
            self._poll.unregister(self._in)
        return moved

    def _some(self, descriptor: int) -> bytes:
        """Return the data that can be read now."""
        try:
            data = os.read(descriptor, _AT_ONCE)
        except BlockingIOError:
            return b""
        if not data:
            self.close(descriptor)
        return data

    @property
    def speaks(self) -> bool:
        """Return whether its output is open."""
        return self._out in self._open

    @property
    def unsent(self) -> bool:
        """Return whether some input was not taken yet."""
        return bool(self._unsent)

    def close_input(self) -> None:
        """Close its input once all is sent."""
        self.close(self._in)

    def close(self, descriptor: int) -> None:
        """Close one end of a pipe."""
        if descriptor not in self._open:
            return
        self._open.discard(descriptor)
        if descriptor == self._in:
            self._unsent.clear()
            if self._waits_to_write:
                self._waits_to_write = False
                self._poll.unregister(self._in)
        else:
            self._poll.unregister(descriptor)
        os.close(descriptor)

    def ended(self, seconds: float = 0.0) -> tuple[int, int] | None:
        """Return its status, if it ends within so many seconds: `si_code` and `si_status`."""
        status, until = self._started.status, time.monotonic() + seconds
        if self._status is not None:
            return self._status
        waiting = select.poll()
        waiting.register(status, select.POLLIN)
        while waiting.poll(max(0.0, until - time.monotonic()) * 1000):
            told = os.read(status, STATUS.size)
            self._status = STATUS.unpack(told) if told else (os.CLD_KILLED, 0)
            return self._status
        return None

    def ending(self) -> str:
        """Return a description of its end, to follow an operation's name; first reads its last lines on standard
        error."""
        status = self.ended(GRACE)
        until = time.monotonic() + (0.0 if status is None else GRACE)
        while self._err in self._open:
            self.pump(until - time.monotonic())
            if time.monotonic() >= until:
                break
        if status is None:
            return f"made {self.name} close its standard output"
        code, number = status
        if code == os.CLD_EXITED:
            return f"made {self.name} exit with code {number}"
        if number == 0:
            return f"made {self.name} end the process that watches it"
        return f"ended {self.name} with signal {number} ({_name(number)})"

    def stop(self, gently: bool = True) -> None:
        """End it and all its children: by the end of its input if `gently`, by SIGTERM, by SIGKILL."""
        self.close(self._in)
        try:
            if gently and self.ended(GRACE) is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGTERM)
                self.ended(GRACE)
        finally:
            self._finalizer()


def _abandon(started: Watched, descriptors: set[int], owner: int) -> None:
    """End all processes.  Does nothing in a forked copy of the judge, whose watchdog it is not."""
    if os.getpid() != owner:
        return
    try:
        watchdog.end(started)
    finally:
        for descriptor in (*descriptors, started.status):
            os.close(descriptor)
        descriptors.clear()


_FRAME: Final = re.compile(r'  File "(?P<file>[^"]*)", line \d+(?P<first>,? in )')


def own_lines(lines: Sequence[str]) -> list[str]:
    """Return standard error without the traceback frames of the oracle and its callers.

    >>> own_lines(['  File "mine.py", line 3 in insert', f'  File "{OURS}/sandbox/worker.py", line 9 in play', "end"])
    ['  File "mine.py", line 3 in insert', 'end']
    """
    kept: list[str] = []
    below = ours = False
    """True if the following frames called the oracle (the latest call is first), and if the last frame was the
    oracle's."""
    for line in lines:
        frame = _FRAME.match(line)
        if frame is None:
            below = False
            ours = ours and line.startswith("    ")
        else:
            ours = os.path.realpath(frame["file"]).startswith(OURS)
            below = below or (ours and frame["first"] == " in ")  # the format of faulthandler
        if not (below or ours or line.startswith("Extension modules: ")):
            kept.append(line)
    return kept


def _states(group: int) -> Iterator[str]:
    """Yield a letter for the state of each thread of a process group, as Linux reports it."""
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError):  # it has ended
            if int(place.read_text().rpartition(")")[2].split()[2]) == group:
                for thread in place.parent.glob("task/*/stat"):
                    yield thread.read_text().rpartition(")")[2].split()[0]


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return "no name"
