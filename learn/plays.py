"""How an algorithm is played: what can be asked of it, over which elements, and the scenarios that show it at work.

An operation is a list: its name, then its arguments, elements and times as JSON has them: `["insert", "a"]`,
`["insert", 3, "b"]`.  A history is a list of operations, and what a link carries.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any, Final, TypeAlias

from swagproof.learn.products import SEGMENTS, Tracked
from swagproof.models.operations import CONCATENATION, MAX, SUM, Operation
from swagproof.models.windows.window import Event
from swagproof.oracle.trace import InputError
from swagproof.reference.catalogue import (
    BASE_INTERVALS,
    CATALOGUE,
    COLUMNS,
    CUTTY,
    FIFO,
    FLAT_FAT,
    FLAT_FIT,
    ORDERED_SHARING,
    PAIRS,
    PANES,
    REACTIVE_AGGREGATOR,
    REACTIVE_AGGREGATOR_FIFO,
    SLICK_DEQUE,
    STARTS,
    STREAM,
    STREAM_SLICING,
    TIMEGRAM,
    TREES,
    Column,
    Kind,
)
from swagproof.reference.slicing.cutty import CountMarks

Asked: TypeAlias = Sequence[Any]
"""An operation: its name and its arguments."""

ELEMENT: Final = "element"
TIME: Final = "time"

ASKING: Final = ("query", "range_query")
"""What changes nothing, and is answered by the definition beside a window too."""


class WrongAnswerError(Exception):
    """What was asked was not answered as the definition does."""

    def __init__(self, answer: Any, right: Any) -> None:
        super().__init__(f"the answer is {answer}, and should be {right}")


MONOIDS: Final[dict[str, Operation[Any, Any, Any]]] = {
    "letters": CONCATENATION,
    "sum": SUM,
    "max": MAX,
    "segments": SEGMENTS,
}
"""Over letters order shows; sums forget it; of maxima most can be forgotten; segments join neighbours alone."""


def elements_of(monoid: str, samples: Sequence[Any] = ()) -> Iterator[Any]:
    """What is inserted where nobody says what: letters in their order, samples by turns, else the digits of pi."""
    if samples:
        return (samples[number % len(samples)] for number in count())
    if monoid == "segments":
        return count()
    if monoid == "letters":
        return ("abcdefghijklmnopqrstuvwxyz"[number % 26] for number in count())
    return (int("31415926535897932384626433832795"[number % 32]) for number in count())


@dataclass(frozen=True)
class Scenario:
    """A history with a point to it."""

    name: str
    says: str
    make: Callable[[int], list[list[Any]]]
    """The operations, without elements, for this size."""


@dataclass(frozen=True)
class Play:
    """How the algorithms of one kind are played."""

    operations: Mapping[str, tuple[str, ...]]
    """By name, what each takes: `element`, `time`."""
    build: Callable[[type[Any], Tracked, Mapping[str, Any]], Any]
    """A window of this class over this monoid, with these options."""
    scenarios: tuple[Scenario, ...] = ()
    start: tuple[tuple[Any, ...], ...] = ()
    """What is asked first, so that there is something to see."""
    options: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    """Numbers that it can be built with, the usual one first."""
    monoids: tuple[str, ...] = ("letters", "sum", "max")
    """What it can be played over."""
    calls: Mapping[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])
    """How an operation is asked that is not simply a method: from the window and the arguments."""
    lifts: bool = True
    """Whether it takes partial aggregates; else it takes stream elements as they are."""

    def check(self, operation: Any) -> Asked:
        """An operation as the page sends it.  Raises InputError."""
        if not isinstance(operation, list) or not operation or operation[0] not in self.operations:
            raise InputError(f"{operation!r} is none of {', '.join(self.operations)}")
        takes = self.operations[operation[0]]
        if len(operation) != len(takes) + 1:
            raise InputError(f"{operation[0]} takes {', '.join(takes) or 'nothing'}, not {operation[1:]!r}")
        for what, value in zip(takes, operation[1:], strict=True):
            if what != ELEMENT and (isinstance(value, bool) or not isinstance(value, int | float)):
                raise InputError(f"{operation[0]}: its {what} must be a number, not {value!r}")
            if what == ELEMENT and not isinstance(value, str | int | float):
                raise InputError(f"{operation[0]}: its element must be a text or a number, not {value!r}")
        return operation

    def perform(self, window: Any, monoid: Tracked, operation: Asked) -> Any:
        """Ask it of a window; its element is named by its time, or else by its number among those inserted."""
        takes = self.operations[operation[0]]
        name = operation[1 + takes.index(TIME)] if TIME in takes else monoid.lifted
        arguments = [
            monoid.lift(value, name) if what == ELEMENT and self.lifts else value
            for what, value in zip(takes, operation[1:], strict=True)
        ]
        call = self.calls.get(operation[0])
        answer = getattr(window, operation[0])(*arguments) if call is None else call(window, *arguments)
        if operation[0] in ASKING:
            right = getattr(window.model, operation[0])(*arguments)
            if not answer == right:
                raise WrongAnswerError(answer, right)
        return answer


# FIFO

I, E, Q = ["insert"], ["evict"], ["query"]


def _slide(size: int) -> list[list[Any]]:
    return [*[I] * size, *[Q, E, I] * size]


def _adversarial(size: int) -> list[list[Any]]:
    """One evict more than the back is long, each time it has become long: flips as often and as large as can be."""
    found: list[list[Any]] = [*[I] * size]
    for _ in range(3):
        found += [*[E] * (size // 2 + 1), *[I] * (size // 2 + 1), Q]
    return found


FIFO_SCENARIOS: Final = (
    Scenario("fill", "elements only arrive", lambda n: [*[I] * n, Q]),
    Scenario("slide", "each arrival pushes the oldest element out", _slide),
    Scenario("drain", "fill, then evict all: the flip and what follows it", lambda n: [*[I] * n, *[E] * n, Q]),
    Scenario("refill", "drain, and fill again", lambda n: [*[I] * n, *[E] * n, *[I] * n, Q, *[E] * (n // 2), Q]),
    Scenario("oscillate", "insert and evict by turns around one size", lambda n: [*[I] * n, *[E, E, I, I, Q] * n]),
    Scenario("adversarial", "evictions where they cost most", _adversarial),
)


# Out of order


def _late(size: int, by: int, seed: int = 1) -> list[list[Any]]:
    """A stream in which an element in three arrives up to `by` places late, and the oldest leave."""
    random_ = random.Random(seed)
    times = sorted(range(1, 2 * size + 1), key=lambda t: t + (random_.uniform(0, by) if random_.random() < 0.4 else 0))
    found: list[list[Any]] = []
    held: list[int] = []
    for t in times:
        found.append(["insert", t])
        held = sorted([*held, t])
        if len(held) > size:
            found.append(["evict", held.pop(0)])
    return [*found, Q]


def _times(times: Sequence[int]) -> list[list[Any]]:
    return [["insert", t] for t in times]


TREE_SCENARIOS: Final = (
    Scenario("in order", "elements arrive in the order of time: the right finger does it all",
             lambda n: [*_times(range(1, n + 1)), Q]),
    Scenario("slide", "in order, and the oldest leaves: both fingers",
             lambda n: [*_times(range(1, n + 1)), *[op for t in range(1, n + 1)
                                                     for op in (["insert", n + t], ["evict", t])], Q]),
    Scenario("late by 2", "some elements arrive up to 2 places late", lambda n: _late(n, 2)),
    Scenario("late by 9", "some elements arrive up to 9 places late", lambda n: _late(n, 9)),
    Scenario("drain", "fill, then evict from the oldest: merges and moves",
             lambda n: [*_times(range(1, n + 1)), *[["evict", t] for t in range(1, n + 1)], Q]),
    Scenario("middle out", "evictions from the middle: a substitute comes from a leaf",
             lambda n: [*_times(range(1, n + 1)), *[["evict", t] for t in _from_the_middle(n)], Q]),
    Scenario("backwards", "each element is older than all before", lambda n: [*_times(range(n, 0, -1)), Q]),
)  # fmt: skip


def _from_the_middle(n: int) -> list[int]:
    return sorted(range(1, n + 1), key=lambda t: abs(t - (n + 1) / 2))


# Trees over places


def _holes(size: int) -> list[list[Any]]:
    return [*[I] * size, Q, *[["evict", ticket] for ticket in range(1, size, 2)], Q, *[I] * (size // 2), Q]


def _write(window: Any, place: int, v: Any) -> None:
    window.update([(place, v)])


# Streams: records by time, windows of a range and a slide


def _stream(size: int) -> list[list[Any]]:
    return [["insert", t] for t in range(1, 3 * size + 1)]


def _gaps(size: int) -> list[list[Any]]:
    return [["insert", t] for t in range(1, 5 * size) if t % 7 not in (3, 4, 5)]


STREAM_SCENARIOS: Final = (
    Scenario("steady", "a record at each time", _stream),
    Scenario("gaps", "times without records: slices and windows that are empty", _gaps),
)
LATE_SCENARIOS: Final = (
    Scenario("in order", "records in the order of time, the watermark behind them",
             lambda n: [op for t in range(1, 3 * n)
                        for op in (["insert", t], *([["advance", t - 2]] if t % 4 == 3 else []))]),
    Scenario("late by 3", "some records arrive late, above the watermark",
             lambda n: [*_times(sorted(range(1, 3 * n), key=lambda t: t + 3 * (t % 3 == 0))), ["advance", 3 * n]]),
)  # fmt: skip


def _queries(options: Mapping[str, Any]) -> list[tuple[int, int]]:
    return [(int(options.get("range", 6)), int(options.get("slide", 2)))]


SLIDING: Final = {"range": (6, 4, 5, 9), "slide": (2, 1, 3, 4)}

# Shared windows

TIMEGRAM_ASKS: Final = ("max", "min", "count", "sum", "avg")
REGISTER: Final[list[list[Any]]] = [["register", size] for size in (2, 4, 7)]


def _shared(asks: Sequence[str]) -> tuple[Scenario, ...]:
    def lookups(n: int) -> list[list[Any]]:
        looks: list[list[Any]] = [[ask, size] for ask in asks for size in (2, 4, 7)]
        return [*REGISTER, *[op for number in range(n) for op in (I, *(looks if number % 3 == 2 else []))], *looks]

    return (
        Scenario("look up", "windows of three sizes, looked up now and then", lookups),
        Scenario("fill", "elements only arrive", lambda n: [*REGISTER, *[I] * n]),
    )


def _fifo(monoids: tuple[str, ...] = ("letters", "sum", "max", "segments")) -> Play:
    return Play(
        {"insert": (ELEMENT,), "evict": (), "query": ()},
        lambda cls, monoid, options: cls(monoid),
        FIFO_SCENARIOS,
        (("insert",), ("insert",), ("insert",), ("insert",), ("insert",)),
        monoids=monoids,
    )


PLAYS: Final[dict[str, Play]] = {
    **{column.slug: _fifo(*([("sum",)] if column.subtracts else [])) for column in FIFO},
    **{column.slug: _fifo() for column in (REACTIVE_AGGREGATOR_FIFO, BASE_INTERVALS, FLAT_FIT)},
    SLICK_DEQUE.slug: _fifo(("max",)),
    **{
        column.slug: Play(
            {"insert": (TIME, ELEMENT), "evict": (TIME,), "query": (), "range_query": (TIME, TIME)},
            lambda cls, monoid, options: cls(monoid, int(options.get("min_arity", 2))),
            TREE_SCENARIOS,
            tuple(("insert", t) for t in (1, 2, 3, 4, 5, 7, 8, 9, 6)),
            {"min_arity": (2, 3, 4)},
        )
        for column in TREES
    },
    REACTIVE_AGGREGATOR.slug: Play(
        {"insert": (ELEMENT,), "evict": ("ticket",), "query": ()},
        lambda cls, monoid, options: cls(monoid),
        (
            Scenario("fill", "elements only arrive; a query applies what is pending", lambda n: [*[I] * n, Q]),
            Scenario("holes", "elements leave from the middle", _holes),
            Scenario(
                "slide",
                "the oldest leaves as a new one comes: the buffer wraps around",
                lambda n: [*[I] * n, *[op for t in range(n) for op in (["evict", t], I, Q)]],
            ),
        ),
        (("insert",), ("insert",), ("insert",), ("query",)),
    ),
    FLAT_FAT.slug: Play(
        {"update": ("place", ELEMENT), "aggregate": (), "prefix": ("place",), "suffix": ("place",)},
        lambda cls, monoid, options: cls(monoid, [monoid.identity] * int(options.get("places", 8))),
        (
            Scenario(
                "fill",
                "write every place, one by one",
                lambda n: [*[["update", place] for place in range(1, 9)], ["aggregate"]],
            ),
            Scenario(
                "prefixes",
                "write, and ask every prefix and suffix",
                lambda n: [
                    *[["update", place] for place in range(1, 9)],
                    *[[ask, place] for place in range(1, 9) for ask in ("prefix", "suffix")],
                ],
            ),
        ),
        tuple(("update", place) for place in range(1, 9)),
        {"places": (8, 16)},
        calls={"update": _write},
    ),
    **{
        column.slug: Play(
            {"insert": (TIME, ELEMENT), "advance": (TIME,)},
            lambda cls, monoid, options: cls(monoid, _queries(options)),
            STREAM_SCENARIOS,
            tuple(("insert", t) for t in range(1, 8)),
            SLIDING,
        )
        for column in (PANES, PAIRS, STARTS)
    },
    STREAM_SLICING.slug: Play(
        {"insert": (TIME, ELEMENT), "advance": (TIME,)},
        lambda cls, monoid, options: cls(monoid, _queries(options), (int(options.get("session", 3)),)),
        LATE_SCENARIOS,
        tuple(("insert", t) for t in (1, 2, 4, 3, 8)),
        {**SLIDING, "session": (3, 2)},
        monoids=("sum", "max"),
    ),
    CUTTY.slug: Play(
        {"insert": (ELEMENT,)},
        lambda cls, monoid, options: cls(monoid, [CountMarks(*query) for query in _queries(options)]),
        (Scenario("count", "windows over counts of records", lambda n: [I] * (2 * n)),),
        (("insert",),) * 7,
        SLIDING,
        calls={"insert": lambda window, v: window.insert(Event(None, v), v)},
    ),
    STREAM.slug: Play(
        {"register": ("size",), "insert": (ELEMENT,), "lookup": ("size",)},
        lambda cls, monoid, options: cls(monoid),
        _shared(["lookup"]),
        (*map(tuple, REGISTER), *[("insert",)] * 5),
    ),
    ORDERED_SHARING.slug: Play(
        {"register": ("size",), "insert": (ELEMENT,), "lookup": ("size",)},
        lambda cls, monoid, options: cls(),
        _shared(["lookup"]),
        (*map(tuple, REGISTER), *[("insert",)] * 5),
        monoids=("max",),
        lifts=False,
    ),
    TIMEGRAM.slug: Play(
        {"register": ("size",), "insert": (ELEMENT,), **dict.fromkeys(TIMEGRAM_ASKS, ("size",))},
        lambda cls, monoid, options: cls(0, 10, int(options.get("buckets", 5))),
        _shared(TIMEGRAM_ASKS),
        (*map(tuple, REGISTER), *[("insert",)] * 5),
        {"buckets": (5, 2, 10)},
        monoids=("sum",),
        lifts=False,
    ),
}
"""By the algorithm's slug."""


def with_elements(operations: Sequence[Asked], play: Play, monoid: str, samples: Sequence[Any] = ()) -> list[list[Any]]:
    """The same operations, each with the element that it lacks.

    >>> with_elements([["insert"], ["insert"], ["evict"]], PLAYS["daba"], "letters")
    [['insert', 'a'], ['insert', 'b'], ['evict']]
    """
    elements = elements_of(monoid, samples)
    return [
        [*operation, *islice(elements, 1)] if len(operation) <= len(takes) and ELEMENT in takes else [*operation]
        for operation in operations
        for takes in [play.operations[operation[0]]]
    ]


def find_column(slug: str) -> Column:
    """The algorithm of this slug.  Raises InputError."""
    for column in COLUMNS:
        if column.slug == slug and slug in PLAYS:
            return column
    raise InputError(f"{slug}: no algorithm of that name can be played; there are {', '.join(PLAYS)}")


def kinds() -> dict[str, Kind]:
    """The kind of each algorithm that can be played."""
    return {entry.slug: entry.kind for entry in CATALOGUE if entry.slug in PLAYS}
