"""Exhaustive exploration of windows: the incremental form is compared with the definition on every short stream.

A stream is written as a word of moves: an element after an amount of time, a heartbeat, a punctuation.  The elements'
values are all different, and sealed while the code under test runs (swagproof.proofs.explorer.letters); deltas measure
their times.  Streams begin in turn at small, large and negative times.
"""

import itertools
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any, Final, Literal

from swagproof.models import relations
from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import Operation
from swagproof.models.windows.window import (
    PUNCTUATION,
    UNBOUNDED,
    Closed,
    Count,
    Delta,
    Event,
    Heartbeat,
    Item,
    LateError,
    Punctuated,
    Punctuation,
    Range,
    Slide,
    Time,
    Trigger,
    Window,
    WindowError,
    contents,
    contents_by_key,
    cql,
    relation,
    select_key,
)
from swagproof.proofs.engine.settings import Refutation, settings
from swagproof.proofs.explorer.letters import LETTERS, SEALED, WORDS, Word, spell
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference.catalogue import FIFO
from swagproof.reference.windows.windowed import Aggregate
from swagproof.reference.windows.windowing import Evict, Insert, Windowing

Shown = dict[Any, list[tuple[Trigger, tuple[Event, ...]]]]


class Difference(Exception):
    """A difference between the incremental form and the definition."""


class Reading(Word):
    """A value with the quantity that a delta measures."""

    __slots__ = ("at",)
    __hash__ = Word.__hash__
    kind = "value"

    def __init__(self, k: int, at: int) -> None:
        super().__init__((k, k + 1))
        self.at = at

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) or self is other


def _instant(value: Any) -> Any:
    return value.at


RANGES: Final[tuple[Range, ...]] = (
    Count(1), Count(2), Count(3), Time(1), Time(2), Time(3), Delta(0, _instant), Delta(2, _instant),
    PUNCTUATION, UNBOUNDED,
)  # fmt: skip
SLIDES: Final[tuple[Slide, ...]] = (
    Count(1), Count(2), Time(1), Time(2), Time(3), Delta(0, _instant), Delta(2, _instant), PUNCTUATION,
)  # fmt: skip


def windows(ranges: Iterable[Range] = RANGES, slides: Iterable[Slide] = SLIDES, idles: Iterable[Any] = (None, 1),
            origins: Iterable[Any] = (None, 1)) -> Iterator[Window]:  # fmt: skip
    """Yield every window of these measures, with each relevant way of closing its ends."""
    for reach, slide, idle, origin in itertools.product(ranges, slides, idles, origins):
        if origin is not None and not isinstance(slide, Count | Time):
            continue
        closings: tuple[Closed, ...] = ("right",)
        if isinstance(slide, Time):
            closings = ("left", "right", "both")
        elif isinstance(reach, Time):
            closings = ("right", "both")
        for closed in closings:
            yield Window(reach, slide, origin=origin, closed=closed, idle=idle)


BEGIN: Final = 1
FAR: Final = (BEGIN, 0, -9, 2**31 - 1, -1, 2**53, -(10**9))
"""The times at which streams begin."""


def stream(moves: Sequence[str], begin: int = BEGIN) -> list[Item]:
    """Return the stream of some moves: `e2` is an element 2 later, `h` a heartbeat, `p` a punctuation.

    A letter before the number is the key: `ea2`.

    >>> stream(["e1", "h2"])
    [Event(time=2, value=a, key=None), Heartbeat(time=4)]
    """
    time, items = begin, list[Item]()
    for k, move in enumerate(moves):
        kind, key, by = move[0], move[1:-1], move[-1]
        time += -1 if by == "-" else int(by)
        if kind == "e":
            items.append(Event(time, Reading(k, time), key or None))
        else:
            items.append(Heartbeat(time) if kind == "h" else Punctuation(time))
    return items


def words(moves: Sequence[str], longest: int) -> Iterator[tuple[str, ...]]:
    """Yield all words of up to `longest` moves, short ones first."""
    for length in range(longest + 1):
        yield from itertools.product(moves, repeat=length)


@contextmanager
def running() -> Generator[None]:
    """Run the code under test: values are sealed, and exceptions other than refusals are differences."""
    try:
        with SEALED:
            yield
    except WindowError:
        raise
    except Exception as error:
        raise Difference(f"raises {type(error).__name__}: {error}") from error


def follow(windowing: Windowing, items: Iterable[Item]) -> Shown:
    """Follow the steps and return the windows' contents at each trigger, by key.  Raises Difference for a bad step."""
    held: dict[Any, list[Event]] = {}
    found: Shown = {}
    for item in items:
        with running():
            steps = list(windowing.feed(item))
        for key, step in steps:
            window = held.setdefault(key, [])
            if isinstance(step, Insert):
                window.append(step.event)
            elif isinstance(step, Evict):
                if not window:
                    raise Difference("evicts from an empty window")
                del window[0]
            elif isinstance(step, Trigger):
                if step.size != len(window):
                    raise Difference(f"says that it holds {step.size}, and holds {len(window)}")
                found.setdefault(key, []).append((step, tuple(window)))
            elif window:
                raise Difference(f"releases a key whose window holds {len(window)}")
    return found


@lru_cache
def of(algorithm: type[Any], mutant: Mutant | None) -> type[Any]:
    """Return the class, or its mutant if the mutant is one of this class."""
    if mutant is None or not all(hasattr(algorithm, edit.method) for edit in mutant.edits):
        return algorithm
    try:
        return mutant.of(algorithm)
    except ValueError:
        return algorithm


Compare = Callable[[Window, list[Item], Mutant | None], None]


@dataclass(frozen=True)
class Explorer:
    """An exploration of every word over some moves, for every window of a family."""

    compare: Compare
    """The comparison on one stream, which raises Difference."""
    moves: tuple[str, ...]
    family: tuple[Window, ...]
    about: str

    def scope(self, longest: int) -> str:
        """Return the scope of the exploration, as text."""
        moves = ", ".join(self.moves)
        return f"{len(self.family)} windows {self.about}, all streams of up to {longest} of {moves}, from near and far"

    def cases(self, longest: int) -> Iterator[tuple[Sequence[str], Window, int, list[Item]]]:
        """Yield each word of moves with each window, and the stream of these moves from one of the beginnings."""
        runs = itertools.count()
        for moves in words(self.moves, longest):
            streams = [stream(moves, begin) for begin in FAR]  # of immutable items
            for window, run in zip(self.family, runs, strict=False):
                yield moves, window, FAR[run % len(FAR)], streams[run % len(FAR)]

    def check(self, longest: int, expected: int, mutant: Mutant | None = None) -> Outcome:
        """Compare on every stream, and check the number of runs; with a hint, first on the stream that it names."""
        hint, runs = settings().hint, 0
        first = 0 if hint is None else hint.way[0]
        for run, (moves, window, begin, items) in enumerate(itertools.islice(self.cases(longest), first, None), first):
            runs += 1
            try:
                self.compare(window, items, mutant)
            except Difference as difference:
                said = f"{window}; {' '.join(moves)} from {begin} on: {difference}"
                return Outcome("fails", said, refutation=Refutation("stream", (run,)))
        if runs != expected:
            return Outcome("unknown", f"{runs:,} runs, not {expected:,}")
        return Outcome("holds", f"{runs:,} runs", {"runs": runs})


def _incremental(window: Window, items: list[Item], mutant: Mutant | None) -> None:
    found = _shown_or_late(lambda: follow(of(Windowing, mutant)(window), items).get(None, []))
    right = _shown_or_late(lambda: contents(window, items))
    if found != right:
        raise Difference(f"late: {window.late}, shows {_describe(found)}, not {_describe(right)}")


def _shown_or_late(run: Callable[[], list[tuple[Trigger, tuple[Event, ...]]]]) -> Any:
    """Return the contents at each trigger, or the refusal of a late element as text."""
    try:
        with SEALED:
            return run()
    except LateError as error:
        return str(error)


def _describe(found: Iterable[tuple[Trigger, Sequence[Event]]] | str) -> str:
    if isinstance(found, str):
        return found
    return (
        "; ".join(f"{trigger.at} {''.join(repr(event.value) for event in held) or '-'}" for trigger, held in found)
        or "nothing"
    )


def _late(window: Window, items: list[Item], mutant: Mutant | None) -> None:
    policies: tuple[Literal["refuse", "drop"], ...] = ("refuse", "drop")
    for policy in policies:
        _incremental(replace(window, late=policy), items, mutant)


def _partitioned(window: Window, items: list[Item], mutant: Mutant | None) -> None:
    found = follow(of(Windowing, mutant)(window), items)
    right = {key: of_key for key, of_key in contents_by_key(window, items).items() if of_key}
    for key in {**found, **right}:
        if found.get(key, []) != right.get(key, []):
            raise Difference(f"key {key} shows {_describe(found.get(key, []))}, not {_describe(right.get(key, []))}")


BEYOND: Final = 4
"""A time after the latest element, when at least one more window of the family has ended."""


def _next_shown(window: Window, items: Sequence[Item]) -> Sequence[Event]:
    """Return the elements that may be stored: those of the next trigger, or of the window at the newest element."""
    time = max((item.time for item in items), default=BEGIN)
    following: list[Item] = []
    if isinstance(window.slide, Time):
        following = [Heartbeat(time + BEYOND)]
    elif isinstance(window.slide, Count) and isinstance(window.range, Count):
        following = [Event(time, Reading(len(items), time))] * window.slide.n
    triggers = contents(window, [*items, *following])[len(contents(window, items)) :]
    if triggers and triggers[0][0].at is not None:
        return triggers[0][1]
    newest = contents(replace(window, slide=Count(1), origin=None, closed="both"), items)
    return newest[-1][1] if newest else ()


def _space(window: Window, items: list[Item], mutant: Mutant | None) -> None:
    aggregate = of(Aggregate, mutant)(window, _TEXT, FifoWindow)
    aggregate.windowing = windowing = of(Windowing, mutant)(window)
    with running():
        list(aggregate.process(items))
    for key, group in aggregate.groups.items():
        if key not in windowing.partitions:
            raise Difference(f"the aggregate of key {key} is kept")
        needed = [_lift(event.value) for event in _next_shown(window, list(select_key(items, key)))]
        for value in group.window.values:
            if value not in needed:
                raise Difference(f"{value} is held")
    for key, kept in windowing.partitions.items():
        if not kept.held and not kept.shown and isinstance(window.slide, Time | Punctuated):
            raise Difference(f"key {key} is kept")
        if window.idle is not None and kept.newest[0].time + window.idle < windowing.clock:
            raise Difference(f"key {key} is kept though it is idle")


def _lift(value: Word) -> Word:
    return spell(value.letters)


def _spell(product: Word) -> str:
    return "".join(LETTERS[k] for k in product.letters)


def _parity(product: Word) -> int:
    return max(k % 2 for k in product.letters)


def _told(name: str, lower: Callable[[Word], Any]) -> Operation[Word, Word, Any]:
    """Return the monoid of words with this function as `lower`."""
    kept: dict[str, Any] = {"lift": _lift, "lower": lower, "identity": WORDS.identity, "commutative": False}
    return Operation(name, combine=WORDS.combine, remove=WORDS.remove, samples=WORDS.samples, **kept)


_TEXT: Final = _told("text", _spell)
_PARITY: Final = _told("parity", _parity)
"""The results of `_TEXT` distinguish all windows; those of `_PARITY` repeat."""


def _results(window: Window, items: list[Item], mutant: Mutant | None) -> None:
    held = contents_by_key(window, items)
    for column in FIFO:
        operation: Operation[Any, Any, Any] = _TEXT if column.subtracts else _PARITY
        for stream in ("istream", "dstream", "rstream") if column is FIFO[0] else ("istream",):
            aggregate = of(Aggregate, mutant)(window, operation, column.algorithm, stream=stream)
            with running():
                found = list(aggregate.process(items))
            for key, of_key in held.items():
                rows = [(trigger, [_row(operation, events)] if events else []) for trigger, events in of_key]
                right = getattr(relations, stream)(rows)
                if [(result.trigger, result.output) for result in found if result.key == key] != right:
                    raise Difference(f"{column.name}, {stream} of key {key}: {found}, not {right}")
            if not {result.key for result in found} <= held.keys():
                raise Difference(f"{column.name}, {stream}: results of a key that there is not")


def _row(operation: Operation[Any, Any, Any], events: Sequence[Event]) -> Any:
    lifted = [operation.lift(event.value) for event in events]
    return operation.lower(reduce(operation.combine, lifted, operation.identity))


INCREMENTAL: Final = Explorer(
    _incremental, ("e0", "e1", "e3", "h2", "p1"), tuple(windows()), "of every kind, idle or not, from two origins"
)
LATE: Final = Explorer(
    _late, ("e0", "e1", "e-", "h-", "p-"), tuple(windows(idles=(None,), origins=(None,))), "of every kind"
)
_KEYED: Final = ("ea0", "ea2", "eb1", "h1", "p1")
PARTITIONED: Final = Explorer(_partitioned, _KEYED, tuple(windows(origins=(None,))), "of every kind, idle or not")
SPACE: Final = Explorer(_space, _KEYED, tuple(windows(origins=(None,))), "of every kind, idle or not")
RESULTS: Final = Explorer(
    _results,
    _KEYED,
    tuple(windows((Count(2), Time(2), PUNCTUATION), (Count(1), Time(1), Time(3), PUNCTUATION), origins=(None,))),
    "by count, time and punctuation, idle or not",
)

CQL_SPANS: Final = (1, 2, 3)
CQL_TIMES: Final = range(-2, 14)
CQL_LONGEST: Final = 3
CQL_SCOPE: Final = (
    f"ranges and slides of 1 to 3, streams of up to {CQL_LONGEST} elements up to 3 apart, times {CQL_TIMES[0]} to "
    f"{CQL_TIMES[-1]}"
)


def cql_relation(closed: Closed = "both", aligned: bool = True) -> Outcome:
    """Check that the relation of section 2.1 at a time has the contents of the last window that ended."""
    compared = 0
    for moves in words(("e0", "e1", "e2", "e3"), CQL_LONGEST):
        items = stream(moves)
        events = [item for item in items if isinstance(item, Event)]
        for reach, slide in itertools.product(CQL_SPANS, repeat=2):
            window = replace(cql(reach, slide), closed=closed, origin=reach if aligned else None)
            triggers = contents(window, [*items, Heartbeat(CQL_TIMES[-1] + 1)])
            for tau in CQL_TIMES:
                ended = [held for trigger, held in triggers if trigger.time <= tau] or [()]
                compared += 1
                last = [event.value for event in ended[-1]]
                if relation(events, tau, reach, slide) != last:
                    said = f"range {reach}, slide {slide}, at {tau} on {' '.join(moves)}"
                    return Outcome("fails", f"{said}: {relation(events, tau, reach, slide)}, not {last}")
    return Outcome("holds", f"{compared:,} relations compared", {"relations": compared})
