"""A judge in a process of its own, for commands that run a user's code outside the sandbox.

The reference calls a custom monoid, so the user's code runs in the judge's process.  It might exit with code 0, which
means *conforms*, or hang, or patch the reference.  So a command with a custom monoid judges in a child process.  The
parent loads none of that code, and accepts a verdict only from a child that reports that it has finished.  In the child
every call of the monoid is watched: one that exits, hangs or changes swagproof's code is an input error.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FunctionType
from typing import Any, Final, NoReturn

from swagproof.oracle.outcome import describe_error
from swagproof.oracle.sandbox.process import Ended, Process
from swagproof.oracle.sandbox.watchdog import MEMORY
from swagproof.oracle.trace import InputError

FINISHED: Final = b"\0finished "
"""The line that ends the output; the exit code follows it."""


class _Calls:
    """The current call of the user's code: its name and its number."""

    inside = ""
    number = 0
    raised: tuple[str, BaseException] | None = None
    """The last exception that a call raised, and the name of that call."""


class _TooLong(BaseException):
    """A call has not returned.  A BaseException, so that usual code does not catch it."""


def guard(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of the user's code; an attempt to end the process becomes an input error.

    >>> guard("exit", sys.exit)(0)
    Traceback (most recent call last):
    swagproof.oracle.trace.InputError: exit raised SystemExit: it must return a value
    """

    def guarded(*arguments: Any) -> Any:
        _Calls.inside, _Calls.number = what, _Calls.number + 1
        try:
            return function(*arguments)
        except KeyboardInterrupt:
            raise
        except Exception as error:  # the caller knows how to explain it
            _Calls.raised = what, error
            raise
        except _TooLong:
            raise InputError(f"{what} did not return within the time limit") from None
        except BaseException as error:
            raise InputError(f"{what} raised {type(error).__name__}: it must return a value") from None
        finally:
            _Calls.inside = ""

    return guarded


class _Child(Process):
    name = "the judge's process"

    def __init__(self, run: Callable[[], object], memory: int) -> None:
        self.came = bytearray()
        super().__init__(run, memory)

    def take_in(self, data: bytes) -> bool:
        self.came += data
        return True

    def overhear(self, data: bytes) -> None:
        sys.stderr.write(data.decode("utf-8", "replace"))
        sys.stderr.flush()


def run_apart(run: Callable[[], int], timeout: float, memory: int = MEMORY) -> tuple[bytes, int]:
    """Run a function in a child process; return its output and its exit code.

    Raises InputError if the process ends without an exit code from the function.
    """
    child = _Child(lambda: _be_apart(run, timeout), memory)
    try:
        while child.speaks:
            child.pump(1.0)
        printed, finished, code = bytes(child.came).rpartition(FINISHED)
        if not finished or not code.isdigit():
            raise Ended(child.ending())
    except Ended as ended:
        raise InputError(f"the monoid, which runs in the judge's process, {ended}") from None
    finally:
        child.stop(gently=False)
    return printed, int(code)


def _be_apart(run: Callable[[], int], timeout: float) -> NoReturn:
    out = sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the parent has them, and ends this process
    _watch_calls(timeout)
    code = run()
    out.flush()
    os.write(1, FINISHED + str(code).encode())
    os._exit(0)


def _watch_calls(timeout: float) -> None:
    """Raise in a call that takes too long; if it continues nonetheless, end the process."""
    seen, ticks = -1, 0

    def tick(*_: object) -> None:
        nonlocal seen, ticks
        ticks = ticks + 1 if _Calls.inside and _Calls.number == seen else 0
        seen = _Calls.number
        if ticks > timeout + 5:
            with suppress(OSError):
                os.write(2, f"{_Calls.inside} does not return\n".encode())
            os._exit(2)
        if ticks > timeout:
            raise _TooLong

    signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 1.0, 1.0)


class OurCode:
    """The functions of swagproof as they are now, by class and name."""

    def __init__(self) -> None:
        self._were = list(_own_functions())

    def refuse_changes(self, error: Exception | None = None) -> None:
        """Raise InputError if one has been replaced, or if the user's code raised this error."""
        if error is not None and _Calls.raised is not None and _Calls.raised[1] is error:
            raise InputError(f"{_Calls.raised[0]} raised {describe_error(error)}") from None
        now = {name: value for name, *value in _own_functions()}
        for name, *value in self._were:
            if any(one is not other for one, other in zip(value, now.get(name, (None, None)), strict=True)):
                raise InputError(f"the user's code has changed {name}, so the judge cannot continue")


def _own_functions() -> Iterator[tuple[str, object, object]]:
    for name, module in [*sys.modules.items()]:
        if name.startswith("swagproof."):
            for place, value in [*vars(module).items()]:
                if isinstance(value, FunctionType):
                    yield f"{name}.{place}", value, value.__code__
                elif isinstance(value, type) and value.__module__ == name:
                    for each, method in [*vars(value).items()]:
                        if isinstance(method, FunctionType):
                            yield f"{name}.{place}.{each}", method, method.__code__
