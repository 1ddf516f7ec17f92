"""Sessions that can be ended: each page has a process, which is stopped if it does not answer in time.

A page runs its user's code, which may never end, or use up all memory.  The process is one of `oracle/programs`, so it
ends with all that it started, also if this interpreter is killed.
"""

import json
import sys
import threading
from collections import OrderedDict
from typing import Any, Final

from swagproof.oracle.programs.lines import Lines
from swagproof.oracle.sandbox.process import Silent, Trouble

PATIENCE: Final = 45.0
"""The seconds that an answer or the start of a process may take; the longest searches take half of it."""
AGAIN: Final = "What was open before is open again."

MOST_PAGES: Final = 8
"""The greatest number of processes; beyond it, the page silent for longest loses its process until its next message."""


class Page:
    """The process of one page."""

    def __init__(self) -> None:
        self._process: Lines | None = None
        self._lock = threading.Lock()

    def ask(self, message: Any) -> dict[str, Any]:
        """Return the answer; if none comes in time, or the process ends, an error that reports the stop."""
        with self._lock:
            try:
                if self._process is None:
                    self._process = Lines([sys.executable, "-m", "swagproof.learn.serving.child"])
                    self._process.asked += 1
                    self._process.receive(1, PATIENCE)
                self._process.send(json.dumps(message) + "\n", 1)
                (line,) = self._process.receive(1, PATIENCE)
                answer: dict[str, Any] = json.loads(line)
                return answer
            except Silent:
                self._stop()
                why = f"nothing was heard of it for {PATIENCE:g} seconds; it may never end"
            except (Trouble, OSError, ValueError) as trouble:
                self._stop()
                why = f"it {trouble}"
        return {"error": f"Stopped: {why}. {AGAIN}", "stopped": True}

    def _stop(self) -> None:
        if self._process is not None:
            self._process.stop()
            self._process = None

    def stop(self) -> None:
        """End the process, if one runs."""
        with self._lock:
            self._stop()


class Pages:
    """All open pages, by the names that they chose."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._lock = threading.Lock()

    def ask(self, name: str, message: Any) -> dict[str, Any]:
        """Return the answer to a page."""
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
