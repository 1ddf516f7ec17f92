"""The watchdog: a process between judge and subject that ends all of the subject's processes.

A subject may exit, stop itself, signal its parent, start processes that leave its group, or outlive a killed judge.  So
it is not the judge's child: the judge forks a watchdog, and the watchdog forks the subject.  The watchdog adopts
processes that the subject orphans (on Linux), reports how the subject ended, and then waits on a pipe.  When the judge
closes the pipe or dies, it kills the subject, its group and all adopted processes.  It ignores all signals that can be
ignored; if it is killed, the subject is killed, too.

Both are forked, because a subject may be a class in a test module or a closure, which a new interpreter could not find
by name.  Forking also takes milliseconds, less than an interpreter's start.
"""

import os
import select
import signal
import struct
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, TypeAlias

MEMORY: Final = 4 << 30
"""The memory limit in bytes of each process of the subject, beyond the size of the forked copy: exceeding it is a
MemoryError in Python."""

LEAST_MEMORY: Final = 64
"""The smallest memory limit that can be requested, in megabytes: an interpreter itself needs some."""

STATUS: Final = struct.Struct("=qq")
"""A message of the watchdog: the process id and 0, and at the end `si_code` and `si_status`."""

PATIENCE: Final = 5.0
"""Seconds after which a process that cannot be killed is abandoned, and a watchdog that does not answer is killed."""

LOOK_UP: Final = 200
"""Milliseconds between checks for signals while waiting for a start."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36

_exit: Final = os._exit
"""The original function, which a subject may replace: a forked copy of the judge must exit."""


What: TypeAlias = Sequence[str] | Callable[[], object]
"""The subject to run: a command and its arguments, or a function."""


@dataclass
class Watched:
    """A started process, and its watchdog; all descriptors are the judge's ends."""

    watchdog: int
    into: int
    out: int
    err: int
    status: int
    """Readable when it has ended."""
    ready: int
    """Closed at the other end when it runs."""
    life: int
    """Closing this descriptor ends all processes."""
    pid: int = 0
    """0 until it is known: see `await_start`."""


@contextmanager
def undisturbed() -> Generator[None]:
    """Defer signals: an interrupt between a fork and the record of it would leave a process behind."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _control(option: int, value: int) -> None:
    """Call Linux's prctl, if there is one."""
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _fork() -> int:
    with warnings.catch_warnings():  # a warning about other threads, which these two processes never need
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def start(what: What, memory: int = MEMORY) -> Watched:
    """Start a command or function in its own process, with pipes for its standard input, output and error.

    Raises OSError when there are no more processes.  The caller must be `undisturbed`, and calls `await_start` once the
    process is recorded for cleanup.
    """
    pipes = [os.pipe() for _ in range(6)]
    (into, _), (_, out), (_, err), (life, _), (_, status), (_, ready) = pipes
    try:
        watchdog = _fork()
    except OSError:
        for descriptor in (end for pipe in pipes for end in pipe):
            os.close(descriptor)
        raise
    if watchdog == 0:
        try:
            os.close(pipes[3][1])  # otherwise the subject would hold it until it has replaced the inherited descriptors
            _watch(what, memory, (into, out, err), life, status, ready)
        finally:
            _exit(1)
    for descriptor in (into, out, err, life, status, ready):
        os.close(descriptor)
    (_, into), (out, _), (err, _), (_, life), (status, _), (ready, _) = pipes
    return Watched(watchdog, into, out, err, status, ready, life)


def await_start(started: Watched) -> None:
    """Wait until it runs.  Raises OSError when there is no such command, or no more processes.

    The wait is interrupted regularly: a signal that another thread received does not interrupt this thread's read.
    """
    came, ready = b"", select.poll()
    ready.register(started.ready, select.POLLIN)
    while True:
        if not ready.poll(LOOK_UP):
            continue
        data = os.read(started.ready, 64)
        if not data:
            break
        came += data
    told = os.read(started.status, STATUS.size)
    started.pid = STATUS.unpack(told)[0] if told else 0
    if came or not told:
        number = int(came or 0)
        raise OSError(number, os.strerror(number) if number else "it could not be forked")


def end(started: Watched) -> None:
    """End the process, its group, and all its children."""
    os.close(started.life)
    with suppress(ProcessLookupError, PermissionError):
        os.kill(started.watchdog, signal.SIGCONT)  # the subject may have stopped it
    if not _reap(started.watchdog, PATIENCE + 1):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(started.watchdog, signal.SIGKILL)
        _reap(started.watchdog, PATIENCE)
    if started.pid:
        with suppress(ProcessLookupError, PermissionError):  # none is left, unless the watchdog was killed
            os.killpg(started.pid, signal.SIGKILL)


def _reap(pid: int, seconds: float) -> bool:
    """Return whether a child process ends within so many seconds."""
    until, pause = time.monotonic() + seconds, 0.0002
    try:
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > until:
                return False
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
    except ChildProcessError:  # already reaped elsewhere
        pass
    return True


# In the watchdog


def _watch(what: What, memory: int, streams: tuple[int, int, int], life: int, status: int, ready: int) -> NoReturn:
    os.setsid()
    _control(_PR_SET_CHILD_SUBREAPER, 1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    bell, ring = os.pipe()
    os.set_blocking(ring, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    pid = _fork()
    if pid == 0:
        try:
            _become(what, memory, streams, ready)
        finally:
            _exit(1)
    for descriptor in _descriptors() - {life, status, bell, ring}:
        with suppress(OSError):
            os.close(descriptor)
    with suppress(BrokenPipeError):
        os.write(status, STATUS.pack(pid, 0))
    waiting = select.poll()
    waiting.register(life, 0)
    waiting.register(bell, select.POLLIN)
    told = False
    while True:
        found = [descriptor for descriptor, _ in waiting.poll()]
        if life in found:
            break
        os.read(bell, 4096)
        ended = None if told else os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is not None:
            told = True
            with suppress(BrokenPipeError):
                os.write(status, STATUS.pack(ended.si_code, ended.si_status))
    _end_all(pid)
    _exit(0)


def _end_all(pid: int) -> None:
    """End the group and all adopted processes, until none is left.

    The leader is reaped last, so that the group's id is not reused.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        for child in _children():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.0005)


def _children() -> list[int]:
    """Return this process's children, if the system lists them."""
    try:
        return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except OSError:
        return []


# In the subject


def _become(what: What, memory: int, streams: tuple[int, int, int], ready: int) -> None:
    watchdog = os.getppid()
    os.setsid()
    _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != watchdog:
        return
    signal.set_wakeup_fd(-1)
    for caught in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with suppress(OSError, ValueError):
            signal.signal(caught, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    import resource  # imported here, because systems without processes lack it

    memory += _data() if callable(what) else 0
    for which, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):
            hard = resource.getrlimit(which)[1]
            resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    kept = [os.dup(descriptor) for descriptor in (*streams, ready)]  # their numbers may be 0, 1 or 2
    for number, stream in enumerate(kept[:3]):
        os.dup2(stream, number)
    ready = kept.pop()
    _hand_away(_descriptors() - {0, 1, 2, ready})
    if callable(what):
        os.close(ready)
        what()
        _exit(0)
    os.set_inheritable(ready, False)
    try:
        os.execvp(what[0], list(what))
    except OSError as error:
        os.write(ready, str(error.errno or 0).encode())


def _data() -> int:
    """Return the size of this process's data in bytes, if the system reports it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _descriptors() -> set[int]:
    """Return all open descriptors."""
    try:
        return {int(name) for name in os.listdir("/dev/fd")}
    except OSError:
        return set(range(256))


def _hand_away(descriptors: Iterable[int]) -> None:
    """Replace inherited descriptors with the null device.

    They are not closed: their owners in this copy of the judge's memory close them later, and must not close newer
    files with the same numbers.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        with suppress(OSError):
            os.dup2(nothing, descriptor, inheritable=False)
