"""The watchdog: a process between judge and subject, which leaves nothing of the subject behind.

A subject may exit, stop itself, signal its parent, start processes that leave its group, or outlive a killed judge.  So
it is not the judge's child: the judge forks a watchdog, and the watchdog forks the subject.  The watchdog adopts
processes that the subject orphans (on Linux), reports how the subject ended, and then waits on a pipe.  When the judge
closes the pipe or dies, it kills the subject, its group and all adopted processes.  It ignores all signals that can be
ignored; if it is killed, the subject is killed, too.

Both are forked, not started, because a subject may be a class in a test module or a closure, which another interpreter
could not find by name.  Forking also takes milliseconds, not an interpreter's start.
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
"""Bytes that what is judged may take, each process of it, beyond what a copy of this one begins with: more is a
MemoryError, or whatever its language has."""

LEAST_MEMORY: Final = 64
"""Megabytes of the smallest limit that can be asked for: an interpreter takes some itself."""

STATUS: Final = struct.Struct("=qq")
"""A message of the watchdog: the process id and 0, and at the end `si_code` and `si_status`."""

PATIENCE: Final = 5.0
"""Seconds after which what cannot be ended is given up, and a watchdog that does not answer is ended itself."""

LOOK_UP: Final = 200
"""Milliseconds after which who waits for a start looks for signals."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36

_exit: Final = os._exit
"""As it was before a subject changed it: a copy of the judge that did not end would go on as one."""


What: TypeAlias = Sequence[str] | Callable[[], object]
"""The subject to run: a command and its arguments, or a function."""


@dataclass
class Watched:
    """A process that was started, and its watchdog; all descriptors are the judge's ends."""

    watchdog: int
    into: int
    out: int
    err: int
    status: int
    """Readable once it has ended."""
    ready: int
    """Closed from the other end once it runs."""
    life: int
    """Closing it ends all."""
    pid: int = 0
    """0 until it is known: see `await_start`."""


@contextmanager
def undisturbed() -> Generator[None]:
    """Meanwhile signals wait: who is interrupted between a fork and a note of it leaves somebody behind."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _control(option: int, value: int) -> None:
    """Linux's prctl, where there is one."""
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _fork() -> int:
    with warnings.catch_warnings():  # of other threads, which our two processes never miss
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def start(what: What, memory: int = MEMORY) -> Watched:
    """Start this in a process of its own, with pipes for its standard input, output and error.

    Raises OSError when there are no more processes.  To be called `undisturbed`; who has noted what is to be ended
    goes on with `await_start`.
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
            os.close(pipes[3][1])  # or what is judged would hold it, until it has handed away all that is not its own
            _watch(what, memory, (into, out, err), life, status, ready)
        finally:
            _exit(1)
    for descriptor in (into, out, err, life, status, ready):
        os.close(descriptor)
    (_, into), (out, _), (err, _), (_, life), (status, _), (ready, _) = pipes
    return Watched(watchdog, into, out, err, status, ready, life)


def await_start(started: Watched) -> None:
    """Wait until it runs.  Raises OSError when there is no such command, or no more processes.

    Now and then it looks up: a signal that another thread took does not end a read of this one.
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
    """End it, its group, and all that it has started."""
    os.close(started.life)
    with suppress(ProcessLookupError, PermissionError):
        os.kill(started.watchdog, signal.SIGCONT)  # what it watches may have stopped it
    if not _reap(started.watchdog, PATIENCE + 1):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(started.watchdog, signal.SIGKILL)
        _reap(started.watchdog, PATIENCE)
    if started.pid:
        with suppress(ProcessLookupError, PermissionError):  # there is nobody any more, unless the watchdog was killed
            os.killpg(started.pid, signal.SIGKILL)


def _reap(pid: int, seconds: float) -> bool:
    """Return whether a child of ours ends within so many seconds."""
    until, pause = time.monotonic() + seconds, 0.0002
    try:
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > until:
                return False
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
    except ChildProcessError:  # somebody else has waited for it
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
    """End the group, and whoever this process has adopted, until nobody is left.

    The leader is not reaped before, so that the group's id stays its own.
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
    """This process's children, where the system shows them."""
    try:
        return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except OSError:
        return []


# In what is judged


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
    import resource  # here, because there is none where there are no processes

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
    """Bytes of data that this process has, where the system tells."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _descriptors() -> set[int]:
    """All that are open."""
    try:
        return {int(name) for name in os.listdir("/dev/fd")}
    except OSError:
        return set(range(256))


def _hand_away(descriptors: Iterable[int]) -> None:
    """Put nothing in the place of what others had open.

    They are not closed: who holds them in this copy of the judge's memory closes them in the end, and must not meet
    what has been opened since.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        with suppress(OSError):
            os.dup2(nothing, descriptor, inheritable=False)
