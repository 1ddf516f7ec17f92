"""Sessions that can be ended: each page has a process, and one that does not answer in time is stopped.

A page runs what its user types, and that may never end, or eat all memory.  A session says again and again how long it
may be silent (a history, a few seconds; the oracle, which ends what is silent itself, longer): one that is silent for
longer is ended, so that what works hard is told from what never ends.  The process is `oracle/programs`' own, so
it is ended with whatever it started, also when this interpreter is.
"""

import json
import sys
import threading
from collections import OrderedDict
from time import monotonic
from typing import Any, Final

from swagproof.oracle.programs.lines import Lines
from swagproof.oracle.sandbox.process import Silent, Trouble

STARTING: Final = 60.0
"""Seconds until a process has begun."""
LONGEST: Final = 150.0
"""Seconds that an answer may take, whatever is said meanwhile."""
AGAIN: Final = "What was open before is open again."

MOST_PAGES: Final = 8
"""Processes at once; the longest silent page loses its process, and opens its history again when it speaks."""


def tell_silent(seconds: float) -> str:
    """Return what the page says of code that was ended."""
    return f"Stopped: nothing was heard of it for {seconds:g} seconds; it may never end. {AGAIN}"


class Page:
    """The process behind one page."""

    def __init__(self) -> None:
        self._process: Lines | None = None
        self._patience = STARTING
        """The time limit that the process names when it begins, for requests that name none."""
        self._lock = threading.Lock()

    def ask(self, message: Any) -> dict[str, Any]:
        """Its answer; where none comes in time, or the process ends, an error that says that it was stopped."""
        patience = STARTING
        with self._lock:
            try:
                if self._process is None:
                    self._process = Lines([sys.executable, "-m", "swagproof.learn.serving.child"])
                    self._patience = self._hear(self._process, STARTING)["pulse"]
                self._process.send(json.dumps(message) + "\n", 0)
                end, answer = monotonic() + LONGEST, {"pulse": self._patience}
                while "pulse" in answer and monotonic() < end:
                    patience = answer["pulse"]
                    answer = self._hear(self._process, patience)
                if "pulse" in answer:
                    raise Trouble(f"took more than {LONGEST:g} seconds")
                return answer
            except Silent:
                self._stop()
                return {"error": tell_silent(patience), "stopped": True}
            except (Trouble, OSError, ValueError) as trouble:
                self._stop()
                return {"error": f"Stopped: it {trouble}. {AGAIN}", "stopped": True}

    @staticmethod
    def _hear(process: Lines, patience: float) -> dict[str, Any]:
        """Return what it says next."""
        process.asked += 1
        (line,) = process.receive(1, patience)
        heard: dict[str, Any] = json.loads(line)
        return heard

    def _stop(self) -> None:
        if self._process is not None:
            self._process.stop()
            self._process = None

    def stop(self) -> None:
        """End its process, where one runs."""
        with self._lock:
            self._stop()


class Pages:
    """All pages that are open, by the names that they gave themselves."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._lock = threading.Lock()

    def ask(self, name: str, message: Any) -> dict[str, Any]:
        """The answer to a page."""
        with self._lock:
            page = self._pages.setdefault(name, Page())
            self._pages.move_to_end(name)
            gone = self._pages.popitem(last=False)[1] if len(self._pages) > MOST_PAGES else None
        if gone is not None:
            gone.stop()
        return page.ask(message)

    def stop(self) -> None:
        """End all processes."""
        with self._lock:
            pages = [*self._pages.values()]
            self._pages.clear()
        for page in pages:
            page.stop()
