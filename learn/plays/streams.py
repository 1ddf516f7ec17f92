"""Plays of streams: records by time in windows of a range and a slide, and windows that share a stream."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from swagproof.contracts.slicing.slices import whole
from swagproof.learn.plays.play import ELEMENT, TIME, Option, Play, Scenario, WrongAnswerError, agree
from swagproof.learn.products import Tracked
from swagproof.models.windows.window import Event, LateError
from swagproof.reference.catalogue import PAIRS, PANES, STARTS
from swagproof.reference.slicing.cutty import CountMarks, TimeMarks

I: Final = ["insert"]


# Streams: records by time, windows of a range and a slide


STREAM_SCENARIOS: Final = (
    Scenario("steady", "a record at each time", lambda n: [["insert", t] for t in range(1, 3 * n + 1)]),
    Scenario("gaps", "times without records: slices and windows that are empty",
             lambda n: [["insert", t] for t in range(1, 5 * n) if t % 7 not in (3, 4, 5)]),
)  # fmt: skip
LATE_SCENARIOS: Final = (
    Scenario("in order", "records in the order of time, the watermark behind them",
             lambda n: [op for t in range(1, 3 * n)
                        for op in (["insert", t], *([["advance", t - 2]] if t % 4 == 3 else []))]),
    Scenario("late by 3", "some records arrive late, above the watermark",
             lambda n: [*(["insert", t] for t in sorted(range(1, 3 * n), key=lambda t: t + 3 * (t % 3 == 0))),
                        ["advance", 3 * n]]),
)  # fmt: skip


def _take_in_slices(window: Any, t: int, v: Any) -> Any:
    """Insert a record into windows of whole slices, and return the answers."""
    clock = window.clock
    try:
        answer = agree(window.insert(t, v), window.expected)
    except LateError as error:
        if clock is None or t >= clock:
            raise WrongAnswerError("the answer is a refusal, and should be none") from error
        raise
    if not whole(window, [due[1:3] for due in window.expected]):
        raise WrongAnswerError("a window is no union of whole slices")
    return answer


def _queries(options: Mapping[str, Any]) -> list[tuple[int, int]]:
    return [(int(options["range"]), int(options["slide"])), *[(5, 3)] * (int(options.get("queries", 1)) - 1)]


RANGE: Final = "how long a window is"
SLIDE: Final = "how much later each window begins than the one before"
SLIDING: Final = {"range": Option((6, 4, 5, 7, 9, 2), RANGE), "slide": Option((2, 1, 3, 4), SLIDE)}

# Shared windows

TIMEGRAM_ASKS: Final = ("max", "min", "count", "sum", "avg")
REGISTER: Final[list[list[Any]]] = [["register", size] for size in (2, 4, 7)]


def _build_cutty(cls: type[Any], monoid: Tracked, options: Mapping[str, Any]) -> Any:
    marks = TimeMarks if options.get("by_time") else CountMarks
    window = cls(monoid, [marks(*query) for query in _queries(options)])
    window.time = -1
    return window


def _take_record(window: Any, v: Any) -> Any:
    """Insert a record one unit of time after the last."""
    window.time += 1
    return agree(window.insert(Event(window.time, v), v), window.expected)


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


ASKED: Final[list[list[Any]]] = [[ask, size] for ask in TIMEGRAM_ASKS for size in (2, 4, 7)]
WIDENED: Final = Scenario("widen", "buckets become twice as wide: there are fewer of them, and they say less",
                          lambda n: [*REGISTER, *[I] * n, ["widen", 2], *ASKED, I])  # fmt: skip
OUTSIDE: Final = Scenario("outside", "values below and above all buckets have one of their own",
                          lambda n: [*REGISTER, *[["insert", v] for v in (-3, 13, 5, -21)[:n]], *ASKED])  # fmt: skip


SHARED: Final = Play(
    {"register": ("size",), "insert": (ELEMENT,), "lookup": ("size",)},
    lambda cls, monoid, options: cls(monoid),
    _shared(["lookup"]),
    (*map(tuple, REGISTER), *[("insert",)] * 5),
)

STREAMS: Final[dict[str, Play]] = {
    **{
        column.slug: Play(
            {"insert": (TIME, ELEMENT), "advance": (TIME,)},
            lambda cls, monoid, options: cls(monoid, _queries(options)),
            STREAM_SCENARIOS,
            tuple(("insert", t) for t in range(1, 8)),
            {**SLIDING, "queries": Option((1, 2), "how many share the slices; the second is of range 5 and slide 3")},
            calls={"insert": _take_in_slices},
        )
        for column in (PANES, PAIRS, STARTS)
    },
    "stream-slicing": Play(
        {"insert": (TIME, ELEMENT), "advance": (TIME,)},
        lambda cls, monoid, options: cls(
            monoid, _queries(options), (int(options["session"]),), commutative=monoid.operation.commutative
        ),
        LATE_SCENARIOS,
        tuple(("insert", t) for t in (1, 2, 4, 3, 8)),
        {**SLIDING, "session": Option((3, 2), "the gap after which a session has ended")},
        monoids=("sum", "max", "letters"),
    ),
    "cutty": Play(
        {"insert": (ELEMENT,), "wait": ("units",)},
        _build_cutty,
        (
            Scenario("count", "windows over counts of records", lambda n: [I] * (2 * n)),
            Scenario("gaps", "time goes on between records, which windows over time see",
                     lambda n: [op for number in range(n) for op in (I, I, ["wait", number % 5])]),
        ),
        (("insert",),) * 7,
        {
            "range": Option((6, 4, 5, 9, 2), RANGE),
            "slide": Option((2, 1, 3, 4), SLIDE),
            "by_time": Option((0, 1), "what a range and a slide are counted in", "counted in", ("records", "time")),
        },
        calls={"insert": _take_record, "wait": _wait},
    ),
    "stream": SHARED,
    "ordered-sharing": replace(SHARED, build=lambda cls, monoid, options: cls(), monoids=("max",), lifts=False),
    "timegram": Play(
        {"register": ("size",), "insert": (ELEMENT,), "widen": ("times",), **dict.fromkeys(TIMEGRAM_ASKS, ("size",))},
        lambda cls, monoid, options: cls(int(options.get("low", 0)), 10, int(options.get("buckets", 5))),
        (*_shared(TIMEGRAM_ASKS), OUTSIDE, WIDENED),
        SHARED.start,
        {
            "buckets": Option((5, 2, 10), "how many buckets the range of the values is divided into"),
            "low": Option((0, -10), "where that range begins; it ends at 10", "range from"),
        },
        monoids=("sum",),
        lifts=False,
    ),
}  # fmt: skip
"""The plays, by the algorithm's slug."""
