"""A program's process: lines in, lines out, nothing unbounded, and nothing of it left behind.

Input is written and output is read as the pipes allow, both at once, so that neither side can wait for the other for
ever, however much the two have to say.  Standard error is read as well; its last lines are kept.  The process has a
group of its own, with all that it starts; `stop` ends the whole group, and so does the end of this interpreter, by
whatever exception.  What left the group, as daemons do, is known by a mark in its environment and is ended too, where
the system shows environments under /proc.  Where this interpreter is killed, the process meets the end of its input.
"""

import os
import selectors
import signal
import subprocess
import time
import uuid
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

LONGEST_LINE: Final = 1 << 24
"""Bytes in the longest line that is read."""

FLOOD: Final = 2_000
"""Lines too many that are read, and no more."""

KEPT: Final = 20
"""Lines of standard error that are kept, and as many times 200 bytes."""

GRACE: Final = 0.3
"""Seconds from the end of its input, and then from SIGTERM, until the next harder means of ending it."""

MARK: Final = "SWAGPROOF_PROGRAM"
"""The variable by which a program, and what it starts, is known."""

_AT_ONCE: Final = 1 << 16
"""Bytes that are read or written at once: what a pipe holds."""

_IDLE: Final = 0.1
"""Seconds without an event after which a wait looks round."""


class Trouble(Exception):
    """The program cannot go on, or does not speak the protocol.  `str()` is what follows the operation's name."""


class Silent(Trouble):
    """It neither answered nor took input for as long as it may."""


class Ended(Trouble):
    """It ended, or closed its output."""


class Process:
    """A running program.  Raises OSError when it cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        mark = uuid.uuid4().hex
        self._popen = subprocess.Popen(
            command,
            env={**os.environ, MARK: mark},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._finalizer = weakref.finalize(self, _end, self._popen, 0.0, mark)
        pipes = [pipe for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr) if pipe is not None]
        self._mark = mark
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes)
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._unsent: deque[memoryview] = deque()
        self._open = {self._in, self._out, self._err}
        self._lines: list[str] = []
        """Lines that arrived and were not yet taken."""
        self._partial = b""
        """What arrived after the last end of line."""
        self._errors = b""
        self.asked = 0
        """Lines that it may still print before it prints more than it was asked for."""

    @property
    def pid(self) -> int:
        """The process, and its group."""
        return self._popen.pid

    @property
    def errors(self) -> str:
        """The last lines of its standard error."""
        lines = self._errors.decode("utf-8", "replace").splitlines()
        return "\n".join(lines[-KEPT:])

    @property
    def partial(self) -> str:
        """What it printed after its last end of line."""
        return self._partial.decode("utf-8", "replace")

    def send(self, text: str, answers: int) -> None:
        """Send these lines, which ask for so many.  Returns at once; what the pipe does not hold is sent later.

        Raises Trouble when the text has no UTF-8 form.
        """
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            raise Trouble(f"cannot be sent: {error.reason}") from None
        self.asked += answers
        if self._in in self._open:
            self._unsent.append(memoryview(data))
            self._write()

    def receive(self, count: int, patience: float, last: str | None = None, times: int = 1) -> list[str]:
        """The next lines: so many of them, or fewer when `last`, which ends what was asked, came as often as it must.

        Raises Silent after so many seconds in which nothing moved, Ended when its output ends before, and Trouble
        for what is no text, for a line without end, and for more lines than it was asked for.
        """
        deadline = time.monotonic() + patience
        while len(self._lines) < count:
            left = deadline - time.monotonic()
            if self._out not in self._open:
                raise Ended(self._ending())
            if left <= 0:
                if _ended(self._popen, 0.0) is not None:
                    raise Ended(f"{self._ending()}, and left a process that holds its output open")
                raise Silent("did not return within the time limit")
            if self._pump(min(left, max(_IDLE, patience / 100))):
                deadline = time.monotonic() + patience
            elif last is not None and not self._unsent and self._lines:
                if self._lines.count(last) >= times:
                    break
                if self._lines[-1].endswith(last):
                    raise Trouble(f"printed {self._lines[-1].removesuffix(last)[-60:]!r} without an end of line")
            if len(self._lines) > self.asked + FLOOD:
                raise Trouble(f"printed thousands of lines that were not asked for, such as {self._lines[-1][:60]!r}")
        taken = self._lines[:count]
        del self._lines[:count]
        self.asked -= len(taken)
        return taken

    def speaks_at_end_of_input(self, patience: float) -> bool:
        """Close its input; whether it prints a line then, within so many seconds."""
        self._close(self._in)
        before, end = len(self._lines), time.monotonic() + patience
        with suppress(Trouble):
            while self._out in self._open and time.monotonic() < end and len(self._lines) == before:
                self._pump(end - time.monotonic())
        return len(self._lines) > before

    def _pump(self, seconds: float) -> bool:
        """Move what can be moved, or wait for it.  Whether input was taken, or a line came."""
        moved = False
        for key, _ in self._selector.select(max(0.0, seconds)):
            if key.fd == self._in:
                moved |= self._write()
            elif key.fd == self._out:
                moved |= self._read()
            else:
                data = self._some(self._err)
                self._errors = (self._errors + data)[-200 * KEPT :]
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
            if self._in not in self._selector.get_map():
                self._selector.register(self._in, selectors.EVENT_WRITE)
            return moved
        except BrokenPipeError:  # it reads no more: what it says before it ends is what matters
            self._close(self._in)
            return False
        if self._in in self._selector.get_map():
            self._selector.unregister(self._in)
        return moved

    def _read(self) -> bool:
        data = self._some(self._out)
        if not data:
            return False
        whole, newline, rest = (self._partial + data).rpartition(b"\n") if b"\n" in data else (b"", b"", None)
        if rest is None:
            self._partial += data
            if len(self._partial) > LONGEST_LINE:
                raise Trouble(f"printed more than {LONGEST_LINE:,} characters without an end of line")
            return False
        self._partial = rest
        try:
            self._lines.extend(whole.decode().replace("\r\n", "\n").removesuffix("\r").split("\n"))
        except UnicodeDecodeError as error:
            wrong = error.object[error.start :].splitlines()[0][:20]
            raise Trouble(f"printed what is no UTF-8: {wrong!r}") from None
        return bool(newline)

    def _some(self, descriptor: int) -> bytes:
        """What can be read from there now."""
        try:
            data = os.read(descriptor, _AT_ONCE)
        except BlockingIOError:
            return b""
        if not data:
            self._close(descriptor)
        return data

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            if descriptor in self._selector.get_map():
                self._selector.unregister(descriptor)
        if descriptor == self._in:
            self._unsent.clear()
            if self._popen.stdin is not None:
                self._popen.stdin.close()

    def _ending(self) -> str:
        """How it ended; its last words on standard error are read."""
        status = _ended(self._popen, GRACE)
        end = time.monotonic() + (0.0 if status is None else GRACE)
        while self._err in self._open:
            self._pump(end - time.monotonic())
            if time.monotonic() >= end:
                break
        if status is None:
            return "made the program close its standard output"
        last = f", {self.partial[-60:]!r} printed without an end of line" if self._partial else ""
        if status.si_code == os.CLD_EXITED:
            return f"made the program exit with code {status.si_status}{last}"
        return f"ended the program with signal {status.si_status} ({_name(status.si_status)}){last}"

    def stop(self, gently: bool = True) -> None:
        """End it, and all that it started: by the end of its input where that may do, by SIGTERM, by SIGKILL."""
        self._close(self._in)
        self._selector.close()
        self._finalizer.detach()
        _end(self._popen, GRACE if gently else 0.0, self._mark)


def _end(popen: "subprocess.Popen[bytes]", grace: float, mark: str) -> None:
    """End the whole group, and who left it, and close the pipes.

    Its leader is not reaped before, so that its id stays its own.
    """
    try:
        if grace and not _ended(popen, grace):
            _signal(popen, signal.SIGTERM)
            _ended(popen, grace)
    finally:
        _signal(popen, signal.SIGKILL)
        popen.wait()
        for _ in range(10):  # one that is being started meanwhile is met the next time
            strays = list(_marked(mark))
            for pid in strays:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not strays:
                break
        for pipe in (popen.stdin, popen.stdout, popen.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _marked(mark: str) -> Iterator[int]:
    """The processes that carry this mark, where the system shows it."""
    wanted = f"{MARK}={mark}".encode()
    for place in Path("/proc").glob("[1-9]*/environ"):
        with suppress(OSError):  # somebody else's, or over by now
            if wanted in place.read_bytes().split(b"\0"):
                yield int(place.parent.name)


def _signal(popen: "subprocess.Popen[bytes]", number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # a group of the dead alone
        os.killpg(popen.pid, number)


def _ended(popen: "subprocess.Popen[bytes]", seconds: float) -> "os.waitid_result | None":
    """How it ended, if it does within so many seconds.  It is not reaped."""
    end = time.monotonic() + seconds
    pause = 0.0005
    while True:
        status = os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if status is not None or time.monotonic() > end:
            return status
        time.sleep(pause)
        pause = min(2 * pause, 0.02)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return "no name"
