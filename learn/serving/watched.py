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
from swagproof.oracle.wall.process import Trouble

PATIENCE: Final = 20.0
"""Seconds that an answer may take; a search by the oracle says itself how long it takes, on top of that."""
MOST_PAGES: Final = 8
"""Processes at once; the page that was silent the longest gives way, and opens its history anew when it speaks."""


class Page:
    """The process behind one page."""

    def __init__(self) -> None:
        self._process: Lines | None = None
        self._lock = threading.Lock()

    def ask(self, message: Any, patience: float = PATIENCE) -> dict[str, Any]:
        """Its answer; where none comes in time, or the process ends, an error that says that it was stopped."""
        with self._lock:
            try:
                if self._process is None:
                    self._process = Lines([sys.executable, "-m", "swagproof.learn.serving.child"])
                self._process.send(json.dumps(message) + "\n", 1)
                (line,) = self._process.receive(1, patience)
                answer: dict[str, Any] = json.loads(line)
                return answer
            except (Trouble, OSError, ValueError) as trouble:
                self._stop()
                return {"error": f"stopped: it {trouble}", "stopped": True}

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

    def ask(self, name: str, message: Any, patience: float = PATIENCE) -> dict[str, Any]:
        """The answer to a page."""
        with self._lock:
            page = self._pages.setdefault(name, Page())
            self._pages.move_to_end(name)
            gone = self._pages.popitem(last=False)[1] if len(self._pages) > MOST_PAGES else None
        if gone is not None:
            gone.stop()
        return page.ask(message, patience)

    def stop(self) -> None:
        """End all processes."""
        with self._lock:
            pages = [*self._pages.values()]
            self._pages.clear()
        for page in pages:
            page.stop()
