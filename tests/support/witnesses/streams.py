"""Histories of slices, of windows that share a stream, and of windowed operators."""

import importlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count, cycle
from typing import Any

from support.witnesses.observing import (
    ANY_VALUES,
    LETTERS,
    History,
    Step,
    again,
    find,
    operation_of,
    refused,
    window,
)

QUERIES = (
    *(((9, 6),), ((6, 3),), ((6, 6),), ((120, 60),)),
    *(((10, 3), (6, 4), (1, 1)), ((4, 2), (12, 5)), ((8, 4), (14, 4), (9, 3))),
)


def sliced(path: str) -> list[History]:
    """Slicing of a stream in order."""

    def history(name: str, queries: Any, steps: Callable[[], Iterable[Step]], operator: str = "letters") -> History:
        return History(name, window(path, operator, queries), steps, "letters" in name or steps is eight_at_a_time)

    def between(count_calls: Any) -> Any:
        first = window(path, "letters", ((9, 6),))(count_calls)
        window(path, "letters", ((7, 7),))(count_calls)
        return first

    made = [
        history(f"{queries} {operator}", queries, partial(slice_steps, len(queries), values), operator)
        for queries in QUERIES
        for operator, values in ANY_VALUES[:2]
    ]
    late = [("insert", (t, letter)) for t, letter in zip((-3, 0, -1, 0, -2, 4, 1, 9), "abcdefgh", strict=True)]
    many = ((100, 1),)
    made += [
        again(made[0]),
        history("far after 0", QUERIES[0], partial(slice_steps, 4, LETTERS, 900)),
        history("further before 0", QUERIES[0], partial(slice_steps, 6, LETTERS, -2000)),
        history("through 2 ** 53", ((3, 1), (5, 2)), partial(slice_steps, 7, LETTERS, 2**53 - 70)),
        history("eight at a time", many, eight_at_a_time),
        replace(history("many slices", many, partial(slice_steps, 5, LETTERS)), traced=True),
        History("another between", between, partial(slice_steps, 1, LETTERS)),
        history("late at 0", QUERIES[0], lambda: late),
    ]
    return [*made, *refused(path, ((),), (((0, 1),),), (((1, 0),),), (((1.0, 1),),), (((3, -1),),), (((True, 1),),))]


def slice_steps(seed: int, values: Iterable[Any], t: int = -23) -> Iterator[Step]:
    """Times that do not fall, from before 0, equal ones too, gaps, late ones."""
    draw, values = random.Random(seed), cycle(values)
    for k in range(250):
        t += draw.choice((0, 0, 1, 1, 1, 2, 3, 30 if k % 40 == 0 else 1))
        yield "insert", (t, next(values))
        if draw.random() < 0.1:
            t += draw.randrange(4)
            yield "advance", (t,)
        if k % 60 == 59:
            yield "insert", (t - 1, next(values))
            yield "advance", (t - 2,)
            yield "insert", (float(t), next(values))
    yield "advance", (t + 1000,)


def eight_at_a_time() -> Iterator[Step]:
    """Eight records at each time, before any window of a hundred is over."""
    return (("insert", (k // 8, letter)) for k, letter in zip(range(600), cycle(LETTERS), strict=False))


def stream_slicing() -> list[History]:
    """Slicing of a stream out of order."""
    path = "reference.related_work.stream_slicing:StreamSlicing"

    def make(periodic: Any, sessions: Any, commutative: bool, count_calls: Any) -> Any:
        monoid = count_calls(operation_of("sum" if commutative else "letters"))
        return find(path)(monoid, periodic, sessions, commutative=commutative)

    made = [
        History(
            f"{periodic} {sessions}",
            partial(make, periodic, sessions, commutative),
            partial(late_steps, 7, commutative),
            True,
        )
        for periodic, sessions, commutative in (
            (((4, 2),), (3,), True),
            (((9, 6), (5, 3)), (), True),
            ((), (3, 5), True),
            (((4, 2),), (2,), False),
        )
    ]
    made += [
        History("a watermark of 0", partial(make, ((12, 4),), (3,), True), around_zero),
        History("through 2 ** 53", partial(make, ((5, 3),), (4,), True), partial(late_steps, 8, True, 2**53 - 90)),
    ]
    return [*made, again(made[0]), *refused(path, ((), ()), (((0, 1),), ()), ((), (0,)), ((), (1.5,)), ((), (-1,)))]


def around_zero() -> Iterator[Step]:
    """Records before 0 and after, a watermark of 0 between."""
    yield from (("insert", (-5, 1)), ("insert", (-1, 2)), ("advance", (0,)), ("insert", (1, 4)))
    yield from (("advance", (2,)), ("insert", (7, 8)), ("advance", (30,)))


def late_steps(seed: int, commutative: bool, now: int = -20) -> Iterator[Step]:
    """Times out of order down to the watermark."""
    draw, letters, numbers = random.Random(seed), cycle(LETTERS), count(0)
    mark = now - 6
    for k in range(300):
        now += draw.choice((0, 1, 1, 2, 9 if k % 30 == 0 else 0))
        t = max(mark, now - draw.randrange(6))
        yield "insert", (t, next(numbers) % 5 if commutative else next(letters))
        if draw.random() < 0.15:
            mark = max(mark, now - draw.randrange(7))
            yield "advance", (mark,)
        if k % 70 == 69:
            yield from (("insert", (mark - 1, 1)), ("advance", (mark - 1,)), ("insert", (2.0, 1)))
    yield "advance", (now + 100,)


def cutty() -> list[History]:
    """Cutty with all of its discretisation functions."""
    functions: tuple[tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]], ...] = (
        ([("CountMarks", 5, 2)], []),
        ([("TimeMarks", 7, 3), ("CountMarks", 3, 4)], []),
        ([("SessionMarks", 3)], []),
        ([("PunctuationMarks",), ("TimeMarks", 2, 5), ("CountMarks", 1, 1)], []),
        ([], [("NewestLooks", 4)]),
        ([("CountMarks", 40, 1)], []),
        ([("TimeMarks", 30, 1)], [("NewestLooks", 3)]),
        ([("CountMarks", 200, 1)], []),
    )

    def make(deterministic: Any, looking: Any, count_calls: Any) -> Any:
        built = [
            [find(f"reference.slicing.cutty:{name}")(*given) for name, *given in each]
            for each in (deterministic, looking)
        ]
        return find("reference.slicing.cutty:Cutty")(count_calls(operation_of("letters")), *built)

    made = [
        History(f"functions {i}", partial(make, *each), partial(marked_steps, i, 220 if i < 7 else 700), True)
        for i, each in enumerate(functions)
    ]

    def bad(marks: tuple[int, ...], count_calls: Any) -> Any:
        given = find("models.discretisation:Marks")(*marks)
        return find("reference.slicing.cutty:Cutty")(count_calls(operation_of("letters")), [lambda item: given])

    impossible = [
        History(f"marks {marks}", partial(bad, marks), partial(marked_steps, 1, 5)) for marks in ((0, 0, -1), (1, 0, 1))
    ]

    def counted(count_calls: Any) -> Any:
        marks = find("reference.slicing.cutty:CountMarks")(5, 3)
        return find("reference.slicing.cutty:Cutty")(count_calls(operation_of("product")), [marks])

    numbers = History("functions of product", counted, partial(marked_steps, 3, 100, (0, 1, 2, -3)))
    long = History(
        "long", partial(make, [("CountMarks", 5, 2), ("TimeMarks", 9, 4)], []), partial(marked_steps, 2, 1300)
    )
    session = History("a session at 0", partial(make, [("SessionMarks", 3)], []), session_steps)
    return [*made, again(made[4]), numbers, long, session, *impossible]


def session_steps() -> Iterator[Step]:
    """Sessions that begin and end at time 0."""
    event = find("models.windows.window:Event")
    for t, letter in zip((-9, -3, 0, 9, 10, 20), LETTERS, strict=False):
        yield "insert", (event(t, letter), letter)


def marked_steps(seed: int, length: int, values: Iterable[Any] = LETTERS) -> Iterator[Step]:
    """Records, heartbeats and punctuations."""
    event, beat, mark = (find(f"models.windows.window:{name}") for name in ("Event", "Heartbeat", "Punctuation"))
    draw, t, values = random.Random(seed), -15, cycle(values)
    for _ in range(length):
        t += draw.choice((0, 1, 1, 2, 3, 4))
        kind = draw.random()
        if kind < 0.85:
            value = next(values)
            yield "insert", (event(t, value), value)
        else:
            yield "tell", (beat(t) if kind < 0.92 else mark(t),)


def shared(path: str, operator: str = "") -> list[History]:
    """Windows of several sizes over one stream."""
    values: Sequence[Any] = (3, 0, 0, 1, -2, 5, 5, -9)

    def make(count_calls: Any) -> Any:
        return find(path)(count_calls(operation_of(operator))) if operator else find(path)()

    made = [
        History(f"windows {sizes}", make, partial(shared_steps, seed, sizes, LETTERS if operator else values), True)
        for seed, sizes in enumerate(((1, 3), (2, 5, 9), (4,), (3, 1, 3), (2, 3, 5), tuple(range(1, 40, 3))))
    ]
    if operator:
        numbers = partial(shared_steps, 1, (2, 4), (0, 1, 2, -3))
        made.append(History("windows of numbers", window(path, "product"), numbers))
    return [*made, again(made[1])]


def shared_steps(seed: int, sizes: Sequence[int], values: Sequence[Any]) -> Iterator[Step]:
    """Registered, inserted, looked up."""
    draw = random.Random(seed)
    for size in (0, "1", True):
        yield "register", (size,)
    yield "lookup", (1,)
    yield "insert", (values[0],)
    for size in sizes:
        yield "register", (size,)
        yield "lookup", (size,)
    for k in range(300):
        yield "insert", (values[k] if k < 4 else draw.choice(values),)
        if draw.random() < (0.9 if k < 100 else 0.15):
            yield "lookup", (draw.choice(sizes),)
        if k == 50:
            yield "register", (7,)
            yield "lookup", (999,)
        if k % 100 == 99:
            for _ in range(60):
                yield "insert", (draw.choice(values),)
    for size in sizes:
        yield "lookup", (size,)


def time_gram() -> list[History]:
    """TimeGram."""
    path = "reference.sharing.timegram:TimeGram"

    def make(given: Any, count_calls: Any) -> Any:
        return find(path)(*given)

    made = [
        History(f"{low}..{high}/{k}", partial(make, (low, high, k)), partial(gram_steps, seed, low, high), True)
        for seed, (low, high, k) in enumerate(
            ((-10, 10, 5), (0, 1, 3), (0, 8, 1), (-7, -2, 4), (Fraction(1, 3), 9, 50), (5, 9, 2))
        )
    ]
    long = History("long", partial(make, (0, 9, 3)), gram_long)
    bad = refused(path, (0, 0, 1), (1, 0, 1), (0, 1, 0), (0.0, 1, 1), (0, 1, 2.0), monoid=False)
    many = History("many buckets", partial(make, (0, 100, 100)), gram_many, True)
    return [*made, again(made[0]), long, many, *bad]


def gram_steps(seed: int, low: Any, high: Any) -> Iterator[Step]:
    """Values in, on and beyond the bounds, every question; made wider twice."""
    draw = random.Random(seed)
    asked = ("max", "min", "count", "sum", "avg")
    yield from (("register", (size,)) for size in (4, 3, 2, 30))
    yield from ((name, (3,)) for name in asked)
    for i in range(120):
        yield "insert", (draw.choice((low, high, draw.randrange(-12, 13), Fraction(draw.randrange(-50, 50), 6), 0)),)
        if draw.random() < 0.6:
            yield from ((name, (draw.choice((4, 3, 2, 30)),)) for name in asked)
        if i in (60, 100):
            yield "widen", (draw.choice((2, 3)),)
    yield from (("insert", (0.5,)), ("widen", (0,)), ("widen", (1.5,)), ("count", (5,)))


def gram_long() -> Iterator[Step]:
    """Many tuples, and values far beyond the bounds."""
    draw = random.Random(8)
    yield "register", (150,)
    yield "register", (3,)
    for k in range(2500):
        yield "insert", (draw.randrange(-3, 14) if k % 50 else 3000 + k % 7,)
        if k % 25 == 0:
            yield from ((name, (size,)) for name in ("max", "min", "count", "sum", "avg") for size in (150, 3))


def gram_many() -> Iterator[Step]:
    """Many buckets."""
    draw = random.Random(8)
    yield "register", (200,)
    yield "register", (9,)
    for _ in range(500):
        yield "insert", (draw.randrange(100),)
    yield from ((name, (size,)) for name in ("max", "min", "count", "sum", "avg") for size in (200, 9))
    for _ in range(300):
        yield "insert", (draw.randrange(3),)


def windows_to_try() -> dict[str, Any]:
    """Windows of several ranges and slides."""
    w = importlib.import_module("swagproof.models.windows.window")
    return {
        "Count/Count": w.Window(w.Count(3), w.Count(2)),
        "Count(30)/Count": w.Window(w.Count(30), w.Count(2)),
        "Count/Delta": w.Window(w.Count(3), w.Delta(2, lambda value: value[0])),
        "Time/Time": w.Window(w.Time(4), w.Time(3)),
        "Time/Punctuated": w.Window(w.Time(4), w.PUNCTUATION),
        "cql 4 3": w.cql(4, 3),
    }


def items_to_try(seed: int) -> list[Any]:
    """A stream with keys, equal times, times before 0, gaps, heartbeats and punctuations, and late elements."""
    w = importlib.import_module("swagproof.models.windows.window")
    draw, t, x, items = random.Random(seed), -9, 0, list[Any]()
    for k in range(120):
        t += draw.choice((0, 0, 1, 1, 2, 11 if k % 25 == 24 else 0))
        x += draw.choice((0, 1, 1, 3))
        kind = draw.random()
        key = draw.choice((None, None, "k", 0, ""))
        if kind < 0.8:
            items.append(w.Event(t, (x, LETTERS[k % 26]), key))
        elif kind < 0.9:
            items.append(w.Heartbeat(t))
        else:
            items.append(w.Punctuation(t if draw.random() < 0.5 else None))
        if k % 40 == 39:
            items += [w.Event(t - 3, (x, "L"), key), w.Heartbeat(t - 2), w.Event(t, (x - 2, "D"), key)]
    return [*items, w.Heartbeat(t + 40)]


def windowing() -> list[History]:
    """The windowing library."""

    def make(name: str, count_calls: Any) -> Any:
        return find("reference.windows.windowing:Windowing")(windows_to_try()[name])

    made = [
        History(f"{name} {seed}", partial(make, name), partial(fed, seed), seed == 1)
        for name in windows_to_try()
        for seed in (1, 2)
    ]
    long = [
        History(f"long {name}", partial(make, name), partial(fed_long, 6000)) for name in ("Count/Count", "Time/Time")
    ]
    return [*made, again(made[0]), *long]


def fed(seed: int) -> Iterator[Step]:
    """The items one by one."""
    return (("feed", (item,)) for item in items_to_try(seed))


def fed_long(length: int) -> Iterator[Step]:
    """Many elements in order, at first of twenty keys at a time."""
    event = find("models.windows.window:Event")
    for k in range(length):
        yield "feed", (event(k // 25, (k, "a"), k % 20 if k < 400 else None),)


def operator() -> list[History]:
    """The Aggregate operator."""

    def make(stream: str, count_calls: Any) -> Any:
        operation = replace(operation_of("concatenation"), lift=lambda v: v[1])
        counted = replace(operation, combine=count_calls(operation).combine)
        hopping = find("models.windows.window:hopping")(4, 2)
        return find("reference.windows.windowed:Aggregate")(hopping, counted, stream=stream)

    made = [History(stream, partial(make, stream), partial(fed, 3)) for stream in ("istream", "dstream", "rstream")]
    return [*made, History("other stream", partial(make, "other"), list[Step])]
