"""How an algorithm is played: what can be asked of it, over which elements, and the scenarios that show it at work.

An operation is a list: its name, then its arguments, elements and times as JSON has them: `["insert", "a"]`,
`["insert", 3, "b"]`.  A history is a list of operations, and what a link carries.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice, pairwise
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
from swagproof.reference.slicing.cutty import CountMarks, TimeMarks

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


LETTERS: Final[Operation[Any, Any, Any]] = replace(CONCATENATION, remove=lambda a, ab: ab[len(a) :])
"""Concatenation, of which the oldest letters can be taken away again, for what subtracts."""

LATEST: Final[Operation[Any, Any, Any]] = Operation(
    "the newest maximum",
    lift=str,
    combine=lambda a, b: b if b[:1] >= a[:1] else a,
    lower=lambda value: value,
    identity="",
    commutative=False,
    samples=(),
)
"""The text whose first character is greatest, of equals the newest: a choice in which order shows."""


class RefusedError(Exception):
    """What was asked is outside of what can be asked, and was refused, as it is to be: by its cause."""


class CutWindowError(WrongAnswerError):
    """A window is no union of whole slices."""

    def __init__(self) -> None:
        Exception.__init__(self, "a window is no union of whole slices")


MONOIDS: Final[dict[str, Operation[Any, Any, Any]]] = {
    "letters": LETTERS,
    "sum": SUM,
    "max": MAX,
    "newest max": LATEST,
    "segments": SEGMENTS,
}
"""Over letters order shows; sums forget it; of maxima most can be forgotten; segments join neighbours alone."""


FITTING: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "letters": ((str,), "a text"),
    "sum": ((int,), "a whole number: decimals round, and what they add up to depends on the order of adding"),
    "max": ((int, float), "a number"),
    "newest max": ((str, int), "a text"),
    "segments": ((int,), "a whole number"),
}
"""By monoid, what its elements are: an algorithm is right for a monoid, and for nothing else."""


def check_elements(elements: Sequence[Any], monoid: str, samples: Sequence[Any] = ()) -> None:
    """That these elements, in the order of their inserts, are some of the monoid.  Raises InputError."""
    types, what = FITTING.get(monoid, ((), ""))
    if samples:
        types = tuple({type(each) for each in samples})
        types = (*types, int, float) if {int, float} & {*types} else types
        what = f"of the kind of its samples, {', '.join(repr(each) for each in samples[:3])}"
    for value in elements:
        if isinstance(value, bool) or not isinstance(value, types) or value != value:
            raise InputError(f"{value!r} is no element over {monoid}: it must be {what}")
    if monoid == "segments":
        for value, after in pairwise(elements):
            if after != value + 1:
                raise InputError(f"{after} after {value}: segments join neighbours alone, so give {value + 1}")


def elements_of(monoid: str, samples: Sequence[Any] = ()) -> Iterator[Any]:
    """What is inserted where nobody says what: letters in their order, samples by turns, else the digits of pi."""
    if samples:
        return (samples[number % len(samples)] for number in count())
    if monoid == "segments":
        return count()
    if monoid == "letters":
        return ("abcdefghijklmnopqrstuvwxyz"[number % 26] for number in count())
    digits = (int("31415926535897932384626433832795"[number % 32]) for number in count())
    if monoid == "newest max":
        return (f"{digit}{letter}" for digit, letter in zip(digits, elements_of("letters"), strict=False))
    return digits


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
    refuses: bool = False
    """Whether it can be asked with a time that is a text, which does not compare with numbers, and is to be refused."""
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
            fits = isinstance(value, int | float) and not isinstance(value, bool) and value == value
            if what != ELEMENT and not fits and not (self.refuses and isinstance(value, str)):
                raise InputError(f"{operation[0]}: its {what} must be a number, not {value!r}")
            if what != ELEMENT and isinstance(value, float) and not self.refuses:
                raise InputError(f"{operation[0]}: its {what} must be a whole number, not {value!r}")
            least = {"units": 0, "size": int(operation[0] == "register")}.get(what)
            if least is not None and value < least:
                raise InputError(f"{operation[0]}: its {what} must be at least {least}, not {value!r}")
            if what == ELEMENT and not isinstance(value, str | int | float):
                raise InputError(f"{operation[0]}: its element must be a text or a number, not {value!r}")
        return operation

    def elements(self, history: Sequence[Asked]) -> list[Any]:
        """The elements of a history, in its order."""
        found: list[Any] = []
        for name, *arguments in history:
            found += [value for what, value in zip(self.operations[name], arguments, strict=True) if what == ELEMENT]
        return found

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
        ghost = vars(type(window).__mro__[1])  # see `watch`; a class of somebody's own has none
        if operation[0] in ASKING:
            right = getattr(window.model, operation[0])(*arguments)
        elif answer is not None and operation[0] in ghost and hasattr(window, "expected"):
            right = window.expected
        else:
            return answer
        return _agree(answer, right)


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
    Scenario("refused", "a time that does not compare with the others is refused, and nothing has changed",
             lambda n: [*_times(range(1, n + 1)), ["insert", "noon"], ["evict", "noon"], Q]),
    Scenario("ranges", "every range of a window, one by one",
             lambda n: [*_times(range(1, n + 1)), *[["range_query", a, b] for a in range(1, n + 1)
                                                     for b in range(a, n + 1)][:120]]),
)  # fmt: skip


def _from_the_middle(n: int) -> list[int]:
    return sorted(range(1, n + 1), key=lambda t: abs(t - (n + 1) / 2))


# Trees over places


def _holes(size: int) -> list[list[Any]]:
    return [*[I] * size, Q, *[["evict", ticket] for ticket in range(1, size, 2)], Q, *[I] * (size // 2), Q]


def _write(window: Any, place: int, v: Any) -> None:
    window.update([(place, v)])


def _write_twice(window: Any, place: int, v: Any) -> None:
    window.update([(place, v), (place, v)])
    raise WrongAnswerError("none", "a refusal")


def _ask_places(ask: str) -> Callable[..., Any]:
    """A query of places, held against the product of those places."""

    def call(window: Any, *place: int) -> Any:
        answer = getattr(window, ask)(*place)
        first, last = (place[0] if ask == "suffix" else 1), (place[0] if ask == "prefix" else window.n)
        return _agree(answer, window.model.product(first, last))

    return call


def _agree(answer: Any, right: Any) -> Any:
    if not answer == right:
        raise WrongAnswerError(answer, right)
    return answer


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


def _advance(window: Any, t: int) -> Any:
    """What the slicing techniques answer when time goes on without a record: their ghosts know of records alone."""
    return _agree(window.advance(t), window.model.advance(t))


def _take_in_slices(window: Any, t: int, v: Any) -> Any:
    """What a record is answered with, of windows that are whole slices each."""
    answer = _agree(window.insert(t, v), window.expected)
    if not window.contract.whole(window, [due[1:3] for due in window.expected]):
        raise CutWindowError
    return answer


def _queries(options: Mapping[str, Any]) -> list[tuple[int, int]]:
    return [(int(options.get("range", 6)), int(options.get("slide", 2)))]


SLIDING: Final = {"range": (6, 4, 5, 9), "slide": (2, 1, 3, 4)}

# Shared windows

TIMEGRAM_ASKS: Final = ("max", "min", "count", "sum", "avg")
REGISTER: Final[list[list[Any]]] = [["register", size] for size in (2, 4, 7)]


def _build_cutty(cls: type[Any], monoid: Tracked, options: Mapping[str, Any]) -> Any:
    marks = TimeMarks if options.get("by_time") else CountMarks
    window = cls(monoid, [marks(*query) for query in _queries(options)])
    window.time = -1
    return window


def _take_record(window: Any, v: Any) -> Any:
    """A record, a unit of time after the last."""
    window.time += 1
    return _agree(window.insert(Event(window.time, v), v), window.expected)


def _wait(window: Any, units: int) -> None:
    window.time += units


def _shared(asks: Sequence[str]) -> tuple[Scenario, ...]:
    def lookups(n: int) -> list[list[Any]]:
        looks: list[list[Any]] = [[ask, size] for ask in asks for size in (2, 4, 7)]
        return [*REGISTER, *[op for number in range(n) for op in (I, *(looks if number % 3 == 2 else []))], *looks]

    return (
        Scenario("look up", "windows of three sizes, looked up now and then", lookups),
        Scenario("fill", "elements only arrive", lambda n: [*REGISTER, *[I] * n]),
    )


OUTSIDE: Final = Scenario(
    "outside",
    "values below and above all buckets have one of their own",
    lambda n: [*REGISTER, *[["insert", value] for value in (-3, 13, 5, -21)[:n]],
               *[[ask, size] for ask in TIMEGRAM_ASKS for size in (2, 4, 7)]],
)  # fmt: skip
LOOKUPS: Final = Scenario(
    "look up",
    "the newest so many elements, for windows that share the stream",
    lambda n: [*[I] * n, *[["lookup", size] for size in range(n + 1)], E, *[["lookup", size] for size in range(n)]],
)


def _look_up(window: Any, newest: int) -> Any:
    size = window.model.size
    if newest > size:
        try:
            window.lookup(newest)
        except ValueError as error:
            raise RefusedError from error
        raise WrongAnswerError("none", "a refusal")
    return _agree(window.lookup(newest), window.model.product(size - newest, size))


def _look_up_shared(window: Any, size: int) -> Any:
    """The contract that holds an answer against the stream is only asked where slow ones are."""
    return _agree(window.lookup(size), window.model.lookup(size))


def _fifo(monoids: tuple[str, ...] = ("letters", "sum", "max", "segments"), *, looks_up: bool = False) -> Play:
    return Play(
        {"insert": (ELEMENT,), "evict": (), "query": (), **({"lookup": ("size",)} if looks_up else {})},
        lambda cls, monoid, options: cls(monoid),
        (*FIFO_SCENARIOS, *([LOOKUPS] if looks_up else [])),
        (("insert",), ("insert",), ("insert",), ("insert",), ("insert",)),
        monoids=monoids,
        calls={"lookup": _look_up},
    )


PLAYS: Final[dict[str, Play]] = {
    **{column.slug: _fifo(*([("letters", "sum")] if column.subtracts else [])) for column in FIFO},
    REACTIVE_AGGREGATOR_FIFO.slug: _fifo(("letters", "sum", "max")),  # around its buffer, no neighbours meet
    BASE_INTERVALS.slug: _fifo(),
    FLAT_FIT.slug: _fifo(looks_up=True),
    SLICK_DEQUE.slug: _fifo(("max", "newest max"), looks_up=True),
    **{
        column.slug: Play(
            {"insert": (TIME, ELEMENT), "evict": (TIME,), "query": (), "range_query": (TIME, TIME)},
            lambda cls, monoid, options: cls(monoid, int(options.get("min_arity", 2))),
            TREE_SCENARIOS,
            tuple(("insert", t) for t in (1, 2, 3, 4, 5, 7, 8, 9, 6)),
            {"min_arity": (2, 3, 4)},
            refuses=True,
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
        {
            "update": ("place", ELEMENT),
            "update_twice": ("place", ELEMENT),
            "aggregate": (),
            "prefix": ("place",),
            "suffix": ("place",),
        },
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
            Scenario(
                "refused",
                "a place that there is not, and one that comes twice, are refused, and nothing has changed",
                lambda n: [["update", 1], ["update", 99], ["prefix", 99], ["update_twice", 2], ["aggregate"]],
            ),
        ),
        tuple(("update", place) for place in range(1, 9)),
        {"places": (8, 16)},
        calls={
            "update": _write,
            "update_twice": _write_twice,
            **{ask: _ask_places(ask) for ask in ("aggregate", "prefix", "suffix")},
        },
    ),
    **{
        column.slug: Play(
            {"insert": (TIME, ELEMENT), "advance": (TIME,)},
            lambda cls, monoid, options: cls(monoid, _queries(options)),
            STREAM_SCENARIOS,
            tuple(("insert", t) for t in range(1, 8)),
            SLIDING,
            calls={"insert": _take_in_slices, "advance": _advance},
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
        {"insert": (ELEMENT,), "wait": ("units",)},
        _build_cutty,
        (
            Scenario("count", "windows over counts of records", lambda n: [I] * (2 * n)),
            Scenario(
                "gaps",
                "time goes on between records, which windows over time see",
                lambda n: [op for number in range(n) for op in (I, I, ["wait", number % 5])],
            ),
        ),
        (("insert",),) * 7,
        {"range": (6, 4, 5, 9, 2), "slide": (2, 1, 3, 4), "by_time": (0, 1)},
        calls={"insert": _take_record, "wait": _wait},
    ),
    STREAM.slug: Play(
        {"register": ("size",), "insert": (ELEMENT,), "lookup": ("size",)},
        lambda cls, monoid, options: cls(monoid),
        _shared(["lookup"]),
        (*map(tuple, REGISTER), *[("insert",)] * 5),
        calls={"lookup": _look_up_shared},
    ),
    ORDERED_SHARING.slug: Play(
        {"register": ("size",), "insert": (ELEMENT,), "lookup": ("size",)},
        lambda cls, monoid, options: cls(),
        _shared(["lookup"]),
        (*map(tuple, REGISTER), *[("insert",)] * 5),
        monoids=("max",),
        calls={"lookup": _look_up_shared},
        lifts=False,
    ),
    TIMEGRAM.slug: Play(
        {"register": ("size",), "insert": (ELEMENT,), **dict.fromkeys(TIMEGRAM_ASKS, ("size",))},
        lambda cls, monoid, options: cls(0, 10, int(options.get("buckets", 5))),
        (*_shared(TIMEGRAM_ASKS), OUTSIDE),
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
