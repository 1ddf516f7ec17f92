"""Settings of all tests: full contracts, set before anything imports icontract; one Spark session; freed memory.

The JVM runs without the optimising compiler and parallel collectors, which do not pay off in short runs.  Memory that a
module of tests leaves unused is returned to the system: each subject is judged in a fork of this process, and a fork
takes 0.3 ms for a small process, 40 ms for one with 1.4 GB.
"""

import ctypes
import gc
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

os.environ["ICONTRACT_SLOW"] = "1"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so a job in the background is started, and so are its children
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ["JAVA_TOOL_OPTIONS"] = (
    "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -XX:-UsePerfData"
)

from support.drawing import pytest_addoption, pytest_collection_modifyitems, pytest_configure  # after the switch
from support.spark import spark

__all__ = [
    "give_memory_back",
    "keep_verdicts_apart",
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "spark",
]

MUCH: Final = 400 << 20
"""The bytes of memory above which a worker frees unused memory."""


def pytest_collection_finish() -> None:
    """Exclude all that was imported from garbage collection, as it stays."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Include all objects in the last garbage collection, as some libraries report leaks otherwise."""
    gc.unfreeze()


@pytest.fixture(autouse=True, scope="module")
def give_memory_back() -> Iterator[None]:
    """Keep workers small: free the memory that a module of tests leaves."""
    yield
    with suppress(OSError, AttributeError):  # where the system does not tell, or has another allocator
        if int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") > MUCH:
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(autouse=True, scope="session")
def keep_verdicts_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the verdicts of tests apart from those in the user's cache."""
    os.environ["SWAGPROOF_CACHE"] = str(tmp_path_factory.mktemp("verdicts"))
