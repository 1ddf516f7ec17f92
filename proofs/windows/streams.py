"""Exhaustive exploration of windows: every short stream, through the incremental form and through the definition.

A stream is written as a word of moves: an element after so much time, a heartbeat, a punctuation.  Each element carries
a value that no other does, so that windows tell any two of them apart; deltas measure its time.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any, Final, Literal

from swagproof.models import relations
from swagproof.models.composition import on
from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import COLLECT, MAX, Operation
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
    contents,
    contents_by_key,
    cql,
    relation,
    select_key,
)
from swagproof.proofs.in_order.pointer_states import REMOVABLE
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import FIFO
from swagproof.reference.windows.windowed import Aggregate
from swagproof.reference.windows.windowing import Evict, Insert, Windowing

Shown = dict[Any, list[tuple[Trigger, tuple[Event, ...]]]]


class Difference(Exception):
    """What the incremental form did that the definition does not say."""


def _instant(value: Any) -> Any:
    return value[1]


RANGES: Final[tuple[Range, ...]] = (
    Count(1), Count(2), Count(3), Time(1), Time(2), Time(3), Delta(0, _instant), Delta(2, _instant),
    PUNCTUATION, UNBOUNDED,
)  # fmt: skip
SLIDES: Final[tuple[Slide, ...]] = (
    Count(1), Count(2), Time(1), Time(2), Time(3), Delta(0, _instant), Delta(2, _instant), PUNCTUATION,
)  # fmt: skip


def windows(ranges: Iterable[Range] = RANGES, slides: Iterable[Slide] = SLIDES, idles: Iterable[Any] = (None, 1),
            origins: Iterable[Any] = (None, 1)) -> Iterator[Window]:  # fmt: skip
    """Every window of these measures, with every way to close its ends that makes a difference."""
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


def stream(moves: Sequence[str]) -> list[Item]:
    """The stream of some moves: `e2`, an element two after what was before; `h`, `p` heartbeat and punctuation.

    A letter before the number is the key: `ea2`.

    >>> stream(["e1", "h2"])
    [Event(time=2, value=('a', 2), key=None), Heartbeat(time=4)]
    """
    time, items = 1, list[Item]()
    for letter, move in zip("abcdefghijkl", moves, strict=False):
        kind, key, by = move[0], move[1:-1], move[-1]
        time += -1 if by == "-" else int(by)
        if kind == "e":
            items.append(Event(time, (letter, time), key or None))
        else:
            items.append(Heartbeat(time) if kind == "h" else Punctuation(time))
    return items


def words(moves: Sequence[str], longest: int) -> Iterator[tuple[str, ...]]:
    """All words of up to so many moves, short ones first."""
    for length in range(longest + 1):
        yield from itertools.product(moves, repeat=length)


def follow(windowing: Windowing, items: Iterable[Item]) -> Shown:
    """What the windows hold at each trigger, by key, when the steps are followed.  Raises Difference for a bad step."""
    held: dict[Any, list[Event]] = {}
    found: Shown = {}
    for item in items:
        for key, step in windowing.feed(item):
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
def of(algorithm: type[Any], variant: Variant | None) -> type[Any]:
    """The class, or its wrong variant where it is one of this class."""
    if variant is None or not all(hasattr(algorithm, edit.method) for edit in variant.edits):
        return algorithm
    try:
        return variant.of(algorithm)
    except ValueError:
        return algorithm


Compare = Callable[[Window, list[Item], Variant | None], None]


@dataclass(frozen=True)
class Explorer:
    """Every word over some moves, for every window of a family."""

    compare: Compare
    """Raises Difference."""
    moves: tuple[str, ...]
    family: tuple[Window, ...]
    about: str

    def scope(self, longest: int) -> str:
        """How far it reaches."""
        return f"{len(self.family)} windows {self.about}, all streams of up to {longest} of {', '.join(self.moves)}"

    def check(self, longest: int, expected: int, variant: Variant | None = None) -> Outcome:
        """Compare on every stream.  The number of runs is held against the one expected."""
        runs = 0
        for word in words(self.moves, longest):
            for window in self.family:
                runs += 1
                try:
                    self.compare(window, stream(word), variant)
                except Difference as difference:
                    return Outcome("fails", f"{window}; {' '.join(word)}: {difference}")
        if runs != expected:
            return Outcome("unknown", f"{runs:,} runs, not {expected:,}")
        return Outcome("holds", f"{runs:,} runs", {"runs": runs})


def _incremental(window: Window, items: list[Item], variant: Variant | None) -> None:
    found = follow(of(Windowing, variant)(window), items).get(None, [])
    right = contents(window, items)
    if found != right:
        raise Difference(f"shows {_describe(found)}, not {_describe(right)}")


def _describe(found: Iterable[tuple[Trigger, Sequence[Event]]]) -> str:
    return (
        "; ".join(f"{trigger.at} {''.join(event.value[0] for event in held) or '-'}" for trigger, held in found)
        or "nothing"
    )


def _late(window: Window, items: list[Item], variant: Variant | None) -> None:
    policies: tuple[Literal["refuse", "drop"], ...] = ("refuse", "drop")
    for policy in policies:
        of_policy = replace(window, late=policy)
        found = _describe_or_refuse(lambda: follow(of(Windowing, variant)(of_policy), items).get(None, []))  # noqa: B023  # called at once
        right = _describe_or_refuse(lambda: contents(of_policy, items))  # noqa: B023  # called at once
        if found != right:
            raise Difference(f"{policy}: {found}, not {right}")


def _describe_or_refuse(run: Callable[[], list[tuple[Trigger, tuple[Event, ...]]]]) -> str:
    try:
        return _describe(run())
    except LateError as error:
        return str(error)


def _partitioned(window: Window, items: list[Item], variant: Variant | None) -> None:
    found = follow(of(Windowing, variant)(window), items)
    right = {key: of_key for key, of_key in contents_by_key(window, items).items() if of_key}
    for key in {**found, **right}:
        if found.get(key, []) != right.get(key, []):
            raise Difference(f"key {key} shows {_describe(found.get(key, []))}, not {_describe(right.get(key, []))}")


BEYOND: Final = 4
"""Later by this than the latest time, at least one more window of the family has ended."""


def _next_shown(window: Window, items: Sequence[Item]) -> Sequence[Event]:
    """What no element need be held without being in: the next trigger, or else the window at the newest element."""
    time = max((item.time for item in items), default=0)
    following: list[Item] = []
    if isinstance(window.slide, Time):
        following = [Heartbeat(time + BEYOND)]
    elif isinstance(window.slide, Count) and isinstance(window.range, Count):
        following = [Event(time, ("later", time))] * window.slide.n
    triggers = contents(window, [*items, *following])[len(contents(window, items)) :]
    if triggers and triggers[0][0].at is not None:
        return triggers[0][1]
    newest = contents(replace(window, slide=Count(1), origin=None, closed="both"), items)
    return newest[-1][1] if newest else ()


def _space(window: Window, items: list[Item], variant: Variant | None) -> None:
    aggregate = of(Aggregate, variant)(window, COLLECT, FifoWindow)
    aggregate.windowing = windowing = of(Windowing, variant)(window)
    for _ in aggregate.process(items):
        pass
    for key, group in aggregate.groups.items():
        if key not in windowing.partitions:
            raise Difference(f"the aggregate of key {key} is kept")
        needed = [event.value for event in _next_shown(window, list(select_key(items, key)))]
        for (value,) in group.window.values:
            if value not in needed:
                raise Difference(f"{value[0]} is held")
    for key, kept in windowing.partitions.items():
        if not kept.held and not kept.shown and isinstance(window.slide, Time | Punctuated):
            raise Difference(f"key {key} is kept")
        if window.idle is not None and kept.newest[0].time + window.idle < windowing.clock:
            raise Difference(f"key {key} is kept though it is idle")


def _letter(value: tuple[str, int]) -> str:
    return value[0]


def _parity(value: tuple[str, int]) -> int:
    return ord(value[0]) % 2


_PARITY: Final = on(MAX, _parity)
_LETTERS: Final = on(REMOVABLE, _letter)
"""The one repeats its results, the other tells all windows apart."""


def _results(window: Window, items: list[Item], variant: Variant | None) -> None:
    held = contents_by_key(window, items)
    for column in FIFO:
        operation: Operation[Any, Any, Any] = _LETTERS if column.subtracts else _PARITY
        for stream in ("istream", "dstream", "rstream") if column is FIFO[0] else ("istream",):
            aggregate = of(Aggregate, variant)(window, operation, column.algorithm, stream=stream)
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
    """The relation of section 2.1 at a time is what the window that ended last held, when closed and aligned so."""
    compared = 0
    for word in words(("e0", "e1", "e2", "e3"), CQL_LONGEST):
        items = stream(word)
        events = [item for item in items if isinstance(item, Event)]
        for reach, slide in itertools.product(CQL_SPANS, repeat=2):
            window = replace(cql(reach, slide), closed=closed, origin=reach if aligned else None)
            triggers = contents(window, [*items, Heartbeat(CQL_TIMES[-1] + 1)])
            for tau in CQL_TIMES:
                ended = [held for trigger, held in triggers if trigger.time <= tau] or [()]
                compared += 1
                last = [event.value for event in ended[-1]]
                if relation(events, tau, reach, slide) != last:
                    said = f"range {reach}, slide {slide}, at {tau} on {' '.join(word)}"
                    return Outcome("fails", f"{said}: {relation(events, tau, reach, slide)}, not {last}")
    return Outcome("holds", f"{compared:,} relations compared", {"relations": compared})
