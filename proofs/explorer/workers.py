"""Worker processes with the linear-time contracts switched on or off.

icontract reads its switch when the contracts are created, so a process cannot change it later.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Final, TypeVar

SWITCH: Final = "ICONTRACT_SLOW"

R = TypeVar("R")


@contextmanager
def worker(*, full: bool) -> Generator[ProcessPoolExecutor]:
    """Yield a new process in which the linear-time clauses are checked (`full`) or not; it ends with the context."""
    pool = _start(full=full)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _start(*, full: bool) -> ProcessPoolExecutor:
    before = {name: os.environ.pop(name, None) for name in (SWITCH, "PYTHONHASHSEED")}
    os.environ["PYTHONHASHSEED"] = "0"  # CrossHair runs a function several times, and expects the same paths
    if full:
        os.environ[SWITCH] = "1"
    try:
        pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
        pool.submit(int).result()  # started, with its own copy of the switch
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
    return pool


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent, which gets it too, ends this process
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()


def end_with(parent: int) -> None:
    """End this process once its parent is gone: a killed parent cannot do so itself.

    What runs unwinds first, if it handles SIGTERM; a pool's own loop would then wait for more work.
    """
    while os.getppid() == parent:
        time.sleep(1.0)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5.0)
    os._exit(1)


class FullWorker:
    """One process in which the linear-time clauses are checked, started when it is first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._owner = 0

    def run(self, work: Callable[..., R], *arguments: object, limit: float) -> R:
        """Return the result of a function in that process, or raise its exception.

        The process is killed if the function takes more than `limit` seconds by the clock, which raises TimeoutError,
        or if this process is interrupted.  The next call starts another.
        """
        if self._pool is None or self._owner != os.getpid():  # a forked process cannot use its parent's
            self._pool, self._owner = _start(full=True), os.getpid()
        try:
            future = self._pool.submit(work, *arguments)
            broken = isinstance(future.exception(limit), BrokenProcessPool)
        except BaseException:
            self._stop()
            raise
        if broken:
            self._stop()
        return future.result()

    def _stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list(pool._processes.values()):  # pyright: ignore[reportPrivateUsage]  # the pool cannot kill them
                process.kill()
            pool.shutdown()
