"""Sessions that can be ended: each page has a process, and one that does not answer in time is stopped.

A page runs what its user types, and that may never end, or eat all memory.  The process is `oracle/programs`' own, so
it is ended with whatever it started, also when this interpreter is.
"""

import json
import sys
import threading
from collections import OrderedDict
from typing import Any, Final

from swagproof.oracle.programs.lines import Lines
from swagproof.oracle.sandbox.process import Silent, Trouble

PATIENCE: Final = 45.0
"""Seconds that an answer may take, or a process to begin; the longest searches take half of it."""
AGAIN: Final = "What was open before is open again."

MOST_PAGES: Final = 8
"""Processes at once; the longest silent page loses its process, and opens its history again when it speaks."""


class Page:
    """The process behind one page."""

    def __init__(self) -> None:
        self._process: Lines | None = None
        self._lock = threading.Lock()

    def ask(self, message: Any) -> dict[str, Any]:
        """Its answer; where none comes in time, or the process ends, an error that says that it was stopped."""
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
