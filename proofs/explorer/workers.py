"""Worker processes with the linear-time contracts switched on or off.

icontract reads its switch when the contracts are created, so a process cannot change it later.
"""

import multiprocessing
import os
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Final

SWITCH: Final = "ICONTRACT_SLOW"


@contextmanager
def worker(*, full: bool) -> Generator[ProcessPoolExecutor]:
    """Yield a new process in which the linear-time clauses are checked (`full`) or not; it ends with the context."""
    before = os.environ.pop(SWITCH, None)
    if full:
        os.environ[SWITCH] = "1"
    try:
        pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        pool.submit(int).result()  # started, with its own copy of the switch
    finally:
        os.environ.pop(SWITCH, None)
        if before is not None:
            os.environ[SWITCH] = before
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
