"""The events of a stream whose order matters, in pages of their slices; what is written of them is added to.

A window may hold far more than a micro-batch brings, and the aggregate of a text grows with it.  So what a micro-batch
writes of a key must be what it brings, and a list of its pages.  A page is a stretch of the events of a slice; its text
has a line for each run of events that came in one step, and lines are added to it as they are.  They are read when a
window is shown that holds them, or when an event comes between two of them, as one that comes twice has to be found;
but what has a greater arrival than all of a page's is not there, and arrivals mostly grow.

The aggregate of a page stands in the list as long as it is short.  One that is long is worked out when a window asks
for it, and is the last line from then on, until an event comes.  A text that is short is in the list, too.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain, islice, pairwise
from operator import eq, itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from swagproof.models.operations import Operation
from swagproof.oracle.trace import decode, encode
from swagproof.pipeline.stream.shapes import Key

PAGE: Final = 1024
"""The number of events of a slice that are kept together."""

SHORT: Final = 256
"""Up to how many characters an aggregate, and a text, stand in the list of pages."""

LOWEST: Final = -(2**63)
"""The arrival in the key of a slice's first page, whose time is the slice's begin: no event comes before it."""

Taken: TypeAlias = tuple[int, int, int, Any]
"""Time, arrival, number and lifted value of an event."""

_SEAL: Final = '{"partial"'
"""The beginning of an aggregate's line."""


class Run(NamedTuple):
    """Events in the order of time and arrival."""

    times: Sequence[int]
    arrivals: Sequence[int]
    values: Sequence[Any]

    @property
    def first(self) -> Key:
        """The key of its first event."""
        return self.times[0], self.arrivals[0]

    @property
    def last(self) -> Key:
        """And of its last."""
        return self.times[-1], self.arrivals[-1]

    def part(self, start: int, stop: int) -> "Run":
        """Some of it."""
        return Run(self.times[start:stop], self.arrivals[start:stop], self.values[start:stop])

    def to_json(self) -> str:
        """As a line."""
        return _dump({"times": self.times, "arrivals": self.arrivals, "values": encode(list(self.values))})


class Texts:
    """The texts of pages, by the keys of these; here in memory."""

    def __init__(self) -> None:
        self.held: dict[Key, str] = {}

    def read(self, key: Key) -> str:
        """The text of a page."""
        return self.held[key]

    def write(self, key: Key, text: str) -> None:
        """Keep the text of a page."""
        self.held[key] = text

    def drop(self, key: Key) -> None:
        """Forget a page."""
        del self.held[key]


class Page:
    """A page that is looked at."""

    def __init__(
        self,
        last: Key | None = None,
        number: int = 0,
        *,
        aside: bool = False,
        sealed: bool = False,
        text: str = "",
    ) -> None:
        self.last = last
        """The key of its last event; None where that was not written down, as it once was not."""
        self.latest: int | None = None
        """The greatest arrival in it; None where that was not written down."""
        self.number = number
        """The number of its events."""
        self.aside = aside
        """True if its text is not in the list."""
        self.sealed = sealed
        """True if the last line of its text is its aggregate."""
        self.partial: Sequence[Any] = ()
        """Its aggregate, where it is known."""
        self.asked = False
        """True if a window asked for it."""
        self.text = None if aside else text
        """The text written so far; None while it has not been read."""
        self.fresh: list[Run] = []
        """The runs that are not yet written."""

    def extend(self, run: Run, combine: Any) -> None:
        """Add events; the aggregate stays known where they come after all that are there."""
        if not self.number:
            self.partial = (reduce(combine, run.values),)
            self.latest = max(run.arrivals)
        elif self.partial and self.last is not None and self.last < run.first:
            self.partial = (reduce(combine, run.values, self.partial[0]),)
        else:
            self.partial = ()
        self.latest = None if self.latest is None else max(self.latest, *run.arrivals)
        self.last = run.last if self.last is None else max(self.last, run.last)
        self.number += len(run.times)
        self.sealed = False
        self.fresh.append(run)


class Pages:
    """The pages of a key's events, by the keys of their first ones."""

    def __init__(self, operation: Operation[Any, Any, Any], texts: Texts) -> None:
        self.combine, self.texts = operation.combine, texts
        self.listed: dict[Key, list[Any]] = {}
        """The text written for each page in the list, after its key."""
        self.open: dict[Key, Page] = {}
        """Those that were looked at since."""

    def look_at(self, key: Key) -> Page:
        """A page."""
        if key not in self.open:
            t, arrival, number, aside, sealed, partial, text, *latest = self.listed[key]
            last = None if t is None else (t, arrival)
            page = Page(last, number, aside=aside, sealed=sealed, text=text)
            page.partial, page.latest = tuple(map(decode, partial)), latest[0] if latest else None
            self.open[key] = page
        return self.open[key]

    # Events

    def add(self, start: int, there: Sequence[Key], taken: list[Taken]) -> tuple[list[Key], set[int]]:
        """Put events into the slice that begins at `start`, and has these pages: the keys of new ones, in their order.

        And the numbers of events whose time and arrival those of another are that was there before.
        """
        taken.sort()  # the numbers differ
        twice: set[int] = set()
        if any(map(eq, map(_key, taken), map(_key, islice(taken, 1, None)))):
            twice |= {event[2] for before, event in pairwise(taken) if before[:2] == event[:2]}
            taken = [event for event in taken if event[2] not in twice]
        made: list[Key] = []
        times, arrivals, numbers, values = zip(*taken, strict=True)
        whole, keys, i = Run(times, arrivals, values), list(zip(times, arrivals, strict=True)), 0
        while i < len(keys):
            place = bisect_right(there, keys[i]) - 1
            stop = bisect_left(keys, there[place + 1], i) if place + 1 < len(there) else len(keys)
            some, found, i = whole.part(i, stop), numbers[i:stop], stop
            if place < 0:
                made += self.make(some, (start, LOWEST))
                continue
            page = self.look_at(there[place])
            if page.last is not None and page.last < some.first:
                if page.number + len(found) <= PAGE:
                    page.extend(some, self.combine)
                else:
                    made += self.make(some, some.first)
                continue
            again = self.find_again(there[place], page, some)
            twice.update(number for number, old in zip(found, again, strict=True) if old)
            if not all(again):
                new = [event for event, old in zip(zip(*some, strict=True), again, strict=True) if not old]
                page.extend(Run(*zip(*new, strict=True)), self.combine)
                if page.number > 2 * PAGE:
                    made += self.split(there[place], page)
        return made, twice

    def make(self, run: Run, key: Key) -> list[Key]:
        """New pages of events, the first by this key: all their keys."""
        made: list[Key] = []
        for i in range(0, len(run.times), PAGE):
            part = run.part(i, i + PAGE)
            made.append(part.first if made else key)
            self.open[made[-1]] = Page()
            self.open[made[-1]].extend(part, self.combine)
        return made

    def find_again(self, key: Key, page: Page, run: Run) -> list[bool]:
        """Report for each of these events if a page holds it."""
        if page.latest is not None and page.latest < min(run.arrivals):
            return [False] * len(run.times)
        runs = self.read(key, page)
        page.last = max(each.last for each in runs)
        page.latest = max(max(each.arrivals) for each in runs)
        across = (each for each in runs if each.first <= run.last and run.first <= each.last)
        held = {pair for each in across for pair in zip(each.times, each.arrivals, strict=True)}
        return [pair in held for pair in zip(run.times, run.arrivals, strict=True)]

    def read(self, key: Key, page: Page) -> list[Run]:
        """All events of a page, in the runs in which they came."""
        runs: list[Run] = []
        for line in self.load(key, page).split("\n"):
            data: Any = json.loads(line) if line else {}
            if isinstance(data, list):  # as a page was written when it was written as a whole
                times, arrivals, values = zip(*data, strict=True)
                runs.append(Run(times, arrivals, decode(list(values))))
            elif "times" in data:
                runs.append(Run(data["times"], data["arrivals"], decode(data["values"])))
        return [*runs, *page.fresh]

    def load(self, key: Key, page: Page) -> str:
        """Return what was written of a page."""
        if page.text is None:
            page.text = self.texts.read(key)
        return page.text

    def order(self, key: Key, page: Page) -> Run:
        """All events of a page in their order; from now on they are to be written as one run."""
        events = sorted(chain.from_iterable(zip(*run, strict=True) for run in self.read(key, page)), key=_key)
        whole = Run(*zip(*events, strict=True))
        page.text, page.fresh = "", [whole]
        return whole

    def split(self, key: Key, page: Page) -> list[Key]:
        """Make several pages of one that is too large: the keys of the new ones."""
        whole = self.order(key, page)
        first = whole.part(0, PAGE)
        page.last, page.latest, page.number, page.fresh = first.last, max(first.arrivals), PAGE, [first]
        rest = whole.part(PAGE, len(whole.times))
        return self.make(rest, rest.first)

    # Aggregates

    def find_sized(self, key: Key) -> tuple[int, Any]:
        """Return how many events a page holds, and their aggregate."""
        page = self.look_at(key)
        if not page.partial:
            if page.sealed:
                page.partial = (decode(json.loads(self.load(key, page).rpartition("\n")[2])["partial"]),)
            else:
                runs = self.read(key, page)
                if any(after.first < before.last for before, after in pairwise(runs)):
                    runs = [self.order(key, page)]
                page.partial = (reduce(self.combine, chain.from_iterable(run.values for run in runs)),)
        page.asked = True
        return page.number, page.partial[0]

    def drop(self, key: Key) -> None:
        """Forget a page."""
        if self.look_at(key).aside:
            self.texts.drop(key)
        self.listed.pop(key, None)
        del self.open[key]

    # State

    def to_json(self, keys: Iterable[Key]) -> list[list[Any]]:
        """The list of the pages of these keys, which are all; what is not in the list is given to be kept."""
        for key, page in self.open.items():
            self.listed[key] = self.write(key, page)
        self.open.clear()
        return [[*key, *self.listed[key]] for key in keys]

    def write(self, key: Key, page: Page) -> list[Any]:
        """Have a page kept: how it is listed."""
        partial = [encode(each) for each in page.partial]
        line = _dump({"partial": partial[0]}) if partial else ""
        short = len(line) <= SHORT
        seal = page.asked and not short and not page.sealed
        if page.fresh or seal:
            lines = [self.load(key, page), *(run.to_json() for run in page.fresh)]
            if _SEAL in lines[0]:
                lines[:1] = (old for old in lines[0].split("\n") if not old.startswith(_SEAL))
            text = "\n".join(each for each in (*lines, line if seal else "") if each)
            if len(text) > SHORT:
                self.texts.write(key, text)
            elif page.aside:
                self.texts.drop(key)
            page.sealed, page.aside, page.text = seal, len(text) > SHORT, text
        last = page.last or (None, None)
        told = partial if short else [], "" if page.aside else page.text
        return [*last, page.number, page.aside, page.sealed, *told, page.latest]

    def restore(self, rows: Iterable[list[Any]]) -> None:
        """The list that `to_json` made."""
        self.listed.update(((t, arrival), rest) for t, arrival, *rest in rows)

    def restore_first(self, rows: Iterable[list[Any]]) -> None:
        """The list of a state of the first version: time, arrival, number and aggregate of each."""
        self.listed.update(
            ((t, arrival), [None, None, number, True, False, [partial], ""]) for t, arrival, number, partial in rows
        )


_key = itemgetter(0, 1)


def _dump(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))
