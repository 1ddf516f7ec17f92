"""Worker processes with the linear-time contracts switched on or off.

icontract reads its switch when the contracts are created, so a process cannot change it later.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final, Self, TypeVar
from unittest.mock import patch

SWITCH: Final = "ICONTRACT_SLOW"

_SPAWN: Final = multiprocessing.get_context("spawn")

R = TypeVar("R")


class Worker:
    """One process in which the linear-time clauses are checked (`full`) or not, started when it is first needed."""

    def __init__(self, *, full: bool) -> None:
        self.full = full
        self._started: tuple[int, BaseProcess, Connection] | None = None
        """The process that started it, and its pipe."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def run(self, work: Callable[..., R], *arguments: object, limit: float | None = None) -> R:
        """Return the result of a function in that process, or raise its exception.

        The process is killed if the function takes more than `limit` seconds by the clock, which raises TimeoutError,
        or if this process is interrupted.  Then, and if it ends by itself (EOFError), the next call starts another.
        """
        if self._started is None or self._started[0] != os.getpid():  # a forked process cannot use its parent's
            pipe, other = multiprocessing.Pipe()
            # CrossHair runs a function several times, and expects the same paths: without random hashes
            with patch.dict(os.environ, {"PYTHONHASHSEED": "0", SWITCH: "1"}):
                if not self.full:
                    del os.environ[SWITCH]
                process: BaseProcess = _SPAWN.Process(target=_serve, args=(other,), daemon=True)  # ends with this one
                process.start()
            other.close()
            self._started = os.getpid(), process, pipe
        pipe = self._started[2]
        try:
            pipe.send((work, arguments))
            if not pipe.poll(limit):
                raise TimeoutError(f"no result after {limit:g} s")
            failure, result = pipe.recv()
        except BaseException:
            self.stop()
            raise
        if failure is not None:
            raise failure
        return result  # type: ignore[no-any-return]  # of the function

    def stop(self) -> None:
        """Kill the process, if this one started it."""
        if self._started is not None and self._started[0] == os.getpid():
            self._started[1].kill()
            self._started[1].join()
        self._started = None


def _serve(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent, which gets it too, ends this process
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            work, arguments = pipe.recv()
            result, failure = None, None
            try:
                result = work(*arguments)
            except Exception as error:
                failure = error
            pipe.send((failure, result))


def end_with(parent: int) -> None:
    """End this process once its parent is gone: a killed parent cannot do so itself.

    What runs unwinds first, if it handles SIGTERM; a pool's own loop would then wait for more work.
    """
    while os.getppid() == parent:
        time.sleep(1.0)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5.0)
    os._exit(1)
