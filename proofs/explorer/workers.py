"""Worker processes with the linear-time contracts switched on or off.

icontract reads its switch when the contracts are made, so a process has them one way or the other for good.
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
    """One fresh process in which the linear-time clauses are checked (`full`) or not; it ends with the block."""
    before = os.environ.pop(SWITCH, None)
    if full:
        os.environ[SWITCH] = "1"
    try:
        pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        pool.submit(int).result()  # started: it has its own copy of the switch
    finally:
        os.environ.pop(SWITCH, None)
        if before is not None:
            os.environ[SWITCH] = before
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
