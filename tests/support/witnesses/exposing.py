"""Observations of an algorithm over histories: its answers, its combine calls, the lines that it runs, its memory.

An edit is wrong where one of these differs from the unedited algorithm, which the ledger checks against its definition,
over the same history: another answer, more combine calls, half as many lines more, a quarter more memory. Each
algorithm has several histories, each with a name, so that one of them can be stored with an edit that it exposes.
"""

import gc
import importlib
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import count, cycle, islice
from tempfile import gettempdir
from types import FrameType, FunctionType, ModuleType
from typing import Any, Final

from support.places import TESTS

ROOT: Final = str(TESTS.parent)
"""A checkout may lie in the folder for temporary files, where an edited file lies."""

Step = tuple[str, tuple[Any, ...]]


@dataclass(frozen=True)
class History:
    """A history with a name: what is made, and what is asked of it."""

    name: str
    make: Callable[[Callable[[Any], Any]], Any]
    """Makes the subject; it is given what counts the combine calls of an operation."""
    steps: Callable[[], Iterable[Step]]
    traced: bool = False
    """True if lines are counted, which takes time."""
    second: bool = False
    """True if another subject is made, and given the beginning of the history, before: what they share shows."""


@dataclass
class Seen:
    """The observations over one history."""

    name: str
    answers: list[str] = field(default_factory=list[str])
    calls: int = 0
    most_calls: int = 0
    lines: int = 0
    most_lines: int = 0
    kept: int = 0


def find_difference(right: Seen, edited: Seen) -> str:
    """Return what shows a mistake, in words; empty where nothing does."""
    for i, (x, y) in enumerate(zip(right.answers, edited.answers, strict=False)):
        if x != y:
            return f"{right.name}, step {i}: {y[:60]}, not {x[:60]}"
    if len(right.answers) != len(edited.answers):
        return f"{right.name}: {len(edited.answers)} answers, not {len(right.answers)}"
    if edited.calls > right.calls or edited.most_calls > right.most_calls:
        told = f"{edited.calls} combine calls, at most {edited.most_calls}"
        return f"{right.name}: {told}, not {right.calls} and {right.most_calls}"
    if edited.lines > 1.5 * right.lines + 50 or edited.most_lines > 1.5 * right.most_lines + 20:
        return (
            f"{right.name}: {edited.lines} lines, at most {edited.most_lines}, not {right.lines} and {right.most_lines}"
        )
    if edited.kept > 1.25 * right.kept + 30:
        return f"{right.name}: {edited.kept} objects kept, not {right.kept}"
    return ""


class Lines:
    """Counts the lines of the project that are run."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        edited = name.startswith(gettempdir()) and not name.startswith(ROOT)
        return self.line if edited or "/reference/" in name or "/models/" in name else None

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:
        """One more."""
        if event == "line":
            self.count += 1
        return self.line


def count_kept(subject: Any) -> int:
    """Return how many objects and references are reached from an object, but for code, types and what is done
    elsewhere."""
    seen: dict[int, Any] = {}
    waiting = [subject]
    total = 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType | str):
            continue
        seen[id(one)] = one
        more = gc.get_referents(one)
        total += len(more)
        waiting += more
    return total


def show(history: History) -> Seen:
    """Play a history, on what is in this process."""
    monoids: list[Any] = []

    def count_calls(operation: Any) -> Any:
        monoids.append(find("models.monoid:Counting")(operation))
        return monoids[-1]

    seen, lines = Seen(history.name), Lines()
    try:
        if history.second:
            first = history.make(count_calls)
            for method, arguments in islice(history.steps(), 40):
                with suppress(Exception):
                    getattr(first, method)(*arguments)
        subject = history.make(count_calls)
    except Exception as error:
        seen.answers.append(type(error).__name__)
        return seen
    monoid = monoids[-1] if monoids else None
    sys.settrace(lines if history.traced else None)
    try:
        for method, arguments in history.steps():
            calls, before = getattr(monoid, "calls", 0), lines.count
            try:
                answer = getattr(subject, method)(*arguments)
                answer = list(answer) if isinstance(answer, Iterator) else answer
            except Exception as error:
                answer = type(error).__name__
            seen.answers.append(repr(answer))
            seen.most_calls = max(seen.most_calls, getattr(monoid, "calls", 0) - calls)
            seen.most_lines = max(seen.most_lines, lines.count - before)
    finally:
        sys.settrace(None)
    seen.calls, seen.lines = getattr(monoid, "calls", 0), lines.count
    with suppress(Exception):
        seen.kept = count_kept(subject)
    return seen


def find(path: str) -> Any:
    """Return what `module:name` names now."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(f"swagproof.{module}"), name)


def operation_of(name: str) -> Any:
    """An operation by its name: "letters" is the free monoid with the left subtraction; "shifted" is a sum in which 0
    counts, and -1 is the identity."""
    if name == "letters":
        return replace(find("models.operations:CONCATENATION"), remove=take_away)
    if name == "shifted":
        of_sum = find("models.operations:SUM")
        return replace(of_sum, combine=lambda a, b: a + b + 1, identity=-1, remove=lambda a, ab: ab - a - 1)
    return find("models.operations:OPERATIONS")[name]


def take_away(a: str, ab: str) -> str:
    """b.  Raises ValueError where a does not come first."""
    if not ab.startswith(a):
        raise ValueError(f"{ab!r} does not begin with {a!r}")
    return ab.removeprefix(a)


def refused(path: str, *bad: tuple[Any, ...], monoid: bool = True) -> list[History]:
    """Constructors that must refuse their arguments."""

    def make(arguments: tuple[Any, ...], count_calls: Any) -> Any:
        return find(path)(*([count_calls(operation_of("letters"))] if monoid else []), *arguments)

    return [History(f"made of {arguments}", partial(make, arguments), list[Step]) for arguments in bad]


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def words(seed: int, length: int, most: int, values: Iterable[Any], asked: float = 1.0) -> Iterator[Step]:
    """A history of a window: begins with what is refused, fills and empties several times."""
    draw = random.Random(seed)
    values = cycle(values)
    yield "query", ()
    yield "evict", ()
    n, up = 0, True
    for _ in range(length):
        if n >= most:
            up = False
        if n == 0:
            up = True
        if draw.random() < (0.75 if up else 0.25):
            yield "insert", (next(values),)
            n += 1
        else:
            yield "evict", ()
            n = max(n - 1, 0)
        if draw.random() < asked:
            yield "query", ()
    while n > -1:
        yield "evict", ()
        yield "query", ()
        n -= 1
    yield "insert", (next(values),)
    yield "query", ()


def waves(most: int, rounds: int, values: Iterable[Any]) -> Iterator[Step]:
    """Fill without a question, empty with one each."""
    values = cycle(values)
    for _ in range(rounds):
        for _ in range(most):
            yield "insert", (next(values),)
        for _ in range(most):
            yield "query", ()
            yield "query", ()
            yield "evict", ()


def steady(n: int, length: int, values: Iterable[Any]) -> Iterator[Step]:
    """A window of one size for long."""
    values = cycle(values)
    for i in range(length):
        yield "insert", (next(values),)
        if i >= n:
            yield "evict", ()
        if i % 97 == 0:
            yield "query", ()


def window(path: str, operator: str, *arguments: Any) -> Callable[[Any], Any]:
    """Return how a class over a monoid is made."""
    return lambda count_calls: find(path)(count_calls(operation_of(operator)), *arguments)


def fifo(path: str, operators: Sequence[tuple[str, Sequence[Any]]], lookups: bool = False) -> list[History]:
    """A window, first in first out."""
    operator, values = operators[0]
    make = window(path, operator)
    made = [
        History(f"mixed {operator}", make, partial(words, 1, 200, 12, values), traced=True),
        History("a second window", make, partial(words, 2, 60, 40, values, 0.3), second=True),
        History("waves", make, partial(waves, 320, 2, values)),
        History("traced waves", make, partial(waves, 60, 2, values), traced=True),
        History("steady", make, partial(steady, 5, 700, values), traced=True),
        History("steady at 70", make, partial(steady, 70, 3000, values)),
        History("long", make, partial(steady, 3, 70_000, values)),
        *(
            History(f"mixed {name}", window(path, name), partial(words, 3, 200, 12, some))
            for name, some in operators[1:]
        ),
    ]
    if lookups:
        made.append(History("lookups", make, partial(with_lookups, 4, 300, 14, values)))
    return made


def with_lookups(seed: int, length: int, most: int, values: Iterable[Any]) -> Iterator[Step]:
    """A history of a window, with lookups of every size."""
    draw = random.Random(seed)
    for step in words(seed, length, most, values, 0.2):
        yield step
        yield "lookup", (draw.randrange(most + 2),)


ANY_VALUES = (
    ("letters", LETTERS),
    ("product", (0, 1, 2, -3)),
    ("max", (0, -1, 5, 3, -7, 5)),
    ("shifted", (0, 4, -2, 5000)),
)


def tickets() -> list[History]:
    """The Reactive Aggregator."""
    path = "reference.flat_trees.reactive_aggregator:ReactiveAggregator"
    tried = ((1, 0, 1, 9), (2, 0, 4, 30), (3, 1, 16, 70), (4, 2, 1, 20), (5, 0, 8, 100))
    made = [
        History(
            f"tickets {seed}",
            window(path, ANY_VALUES[k][0], c),
            partial(ticket_steps, seed, most, ANY_VALUES[k][1]),
            k == 0,
        )
        for seed, k, c, most in tried
    ]
    again = replace(made[0], name="a second window", second=True, traced=False)
    old = History("far", window(path, "letters"), partial(numbered, 3000))
    return [*made, again, old, *refused(path, (0,), (3,), (True,), (2.0,), (6,))]


def numbered(length: int) -> Iterator[Step]:
    """A window of three elements that leave by their tickets, the second oldest first."""
    for i, letter in zip(range(length), cycle(LETTERS), strict=False):
        yield "insert", (letter,)
        if i > 2:
            yield "evict", (i - 2,)
            yield "insert", (letter,)
            yield "query", ()


def ticket_steps(seed: int, most: int, values: Iterable[Any]) -> Iterator[Step]:
    """Elements leave in any order."""
    draw, values, held, arrived, up = random.Random(seed), cycle(values), list[int](), 0, True
    yield "evict", ()
    yield "query", ()
    for _ in range(400):
        up = (up or not held) and len(held) < most
        if draw.random() < (0.8 if up else 0.2):
            yield "insert", (next(values),)
            held.append(arrived)
            arrived += 1
        elif held and draw.random() < 0.6:
            yield "evict", (held.pop(draw.randrange(len(held))),)
        else:
            yield "evict", ()
            if held:
                held.pop(0)
        if draw.random() < 0.2:
            yield "evict", (draw.randrange(arrived + 2) if arrived and draw.random() < 0.3 else -1,)
            held = [t for t in held if t in held]
        if draw.random() < 0.5:
            yield "query", ()


def places() -> list[History]:
    """FlatFAT."""
    path = "reference.flat_trees.flat_fat:FlatFat"

    def fat(operator: str, values: Sequence[Any], n: int) -> Callable[[Any], Any]:
        return lambda count_calls: find(path)(count_calls(operation_of(operator)), list(islice(cycle(values), n)))

    made = [
        History(f"{n} places of {operator}", fat(operator, values, n), partial(place_steps, n, values), True)
        for operator, values, n in (
            *(("letters", LETTERS, n) for n in (1, 2, 16, 64, 1024)),
            ("product", (0, 1, 2, -3), 8),
            ("max", (0, -1, 5), 8),
        )
    ]
    return [
        *made,
        replace(made[2], name="a second one", second=True, traced=False),
        *refused(path, ([],), (["a"] * 3,), (["a"] * 6,)),
    ]


def place_steps(n: int, values: Iterable[Any]) -> Iterator[Step]:
    """Updates of several places at once, all products at ends."""
    draw, values = random.Random(n), cycle(values)
    yield "aggregate", ()
    for k in range(40):
        chosen = draw.sample(range(1, n + 1), min(n, draw.choice((0, 1, 1, 2, 3, n // 2 + 1, n)) if n < 100 else 5))
        if k % 9 == 8:
            chosen += [draw.choice((0, n + 1, chosen[0] if chosen else -1))]
        yield "update", ([(i, next(values)) for i in chosen],)
        yield "aggregate", ()
        for i in {0, 1, n, n + 1, draw.randrange(1, n + 1), draw.randrange(1, n + 1), -1}:
            yield "prefix", (i,)
            yield "suffix", (i,)


def trees(path: str, bulk: bool = False) -> list[History]:
    """A B-tree or FiBA."""
    made = [
        History("mixed", window(path, "letters"), partial(tree_steps, 1, 300, 30, bulk), True),
        History("in order", window(path, "letters"), partial(sliding, 40, 300, bulk), True),
        History("mixed wide", window(path, "letters", 3), partial(tree_steps, 2, 400, 90, bulk)),
        History("wider", window(path, "letters", 5), partial(tree_steps, 7, 600, 200, bulk)),
        History("widest", window(path, "letters", 12), partial(tree_steps, 8, 900, 500, bulk)),
        History("large", window(path, "letters"), partial(tree_steps, 3, 1200, 700, bulk)),
        History("long", window(path, "letters"), partial(sliding, 200, 1500, False)),
        History("backwards", window(path, "letters", 4), partial(backwards, 300, 400)),
        *(
            History(name, window(path, name), partial(tree_steps, 4, 120, 20, bulk, values))
            for name, values in ANY_VALUES[1:]
        ),
    ]
    again = replace(made[0], name="a second window", second=True, traced=False)
    return [*made, again, *refused(path, (1,), (2.0,), (True,), (0,), ("2",))]


def backwards(n: int, length: int) -> Iterator[Step]:
    """Times that fall."""
    for method, arguments in sliding(n, length, False):
        yield method, (-arguments[0], *arguments[1:]) if method in ("insert", "evict") else arguments


def tree_steps(seed: int, length: int, most: int, bulk: bool, values: Iterable[Any] = LETTERS) -> Iterator[Step]:
    """Times out of order, equal ones, 0 and less."""
    draw, values = random.Random(seed), cycle(values)
    held: list[Any] = []
    up = True
    yield from (("query", ()), ("oldest", ()), ("youngest", ()), ("evict", (0,)), ("range_query", (0, 1)))
    for k in range(length):
        up = (up or len(held) < 2) and len(held) < most
        t = (
            draw.choice((0, draw.randrange(-most, 2 * most), Fraction(draw.randrange(99), 7)))
            if not held or draw.random() < 0.9
            else draw.choice(held)
        )
        if draw.random() < (0.8 if up else 0.2):
            yield "insert", (t, next(values))
            held = sorted({*held, t})
        elif held:
            t = draw.choice((held[0], held[-1], draw.choice(held)))
            yield "evict", (t,)
            held.remove(t)
        if draw.random() < 0.5:
            yield "query", ()
        if draw.random() < 0.3:
            a, b = draw.randrange(-most, 2 * most), draw.randrange(-most, 2 * most)
            yield "range_query", (min(a, b), max(a, b) if draw.random() < 0.9 else min(a, b) - 1)
        if k % 50 == 49:
            yield from (
                ("oldest", ()),
                ("youngest", ()),
                ("insert", (float("nan"), "x")),
                ("evict", ("t",)),
                ("insert", (None, "x")),
                ("evict", (most * 3,)),
            )
        if held and k % 9 == 0:
            yield "range_query", (held[k % len(held)],) * 2
            yield "range_query", (0, 9)
        if bulk and k % 50 == 49:
            yield "bulk_insert", ([(5, "x"), (3, "y")],)
        if bulk and draw.random() < 0.1:
            batch = sorted(draw.randrange(-most, 2 * most) for _ in range(draw.randrange(most // 2)))
            if draw.random() < 0.1:
                batch.reverse()
                yield "bulk_insert", ([(t, next(values)) for t in batch],)
                if batch == sorted(batch):
                    held = sorted({*held, *batch})
            else:
                yield "bulk_insert", ([(t, next(values)) for t in batch],)
                held = sorted({*held, *batch})
        if bulk and held and draw.random() < 0.1:
            t = draw.choice(held)
            yield "bulk_evict", (t,)
            held = [other for other in held if other > t]


def sliding(n: int, length: int, bulk: bool) -> Iterator[Step]:
    """A window in order, first in first out; a little out of order."""
    values = cycle(LETTERS)
    for i in range(length):
        yield "insert", (i - 3 if i % 7 == 0 and i > 3 else i, next(values))
        if i >= n:
            if not bulk:
                yield "evict", (i - n,)
            elif i % 20 == 0:
                yield "bulk_evict", (i - n,)
        yield "query", ()
    yield "youngest", ()
    yield "oldest", ()


QUERIES = (
    ((9, 6),),
    ((5, 3),),
    ((6, 3),),
    ((3, 7),),
    ((10, 3), (6, 4), (1, 1)),
    ((4, 2), (12, 5)),
    ((100, 7),),
    ((120, 60),),
    ((50, 30),),
    ((3, 20),),
    ((8, 4), (14, 4), (9, 3)),
    ((6, 6),),
)


def sliced(path: str) -> list[History]:
    """Slicing of a stream in order."""
    made = [
        History(
            f"{queries} {operator}",
            window(path, operator, queries),
            partial(slice_steps, len(queries), values),
            operator == "letters",
        )
        for queries in QUERIES
        for operator, values in ANY_VALUES[:2]
    ]
    again = replace(made[0], name="a second stream", second=True, traced=False)

    def between(count_calls: Any) -> Any:
        first = window(path, "letters", ((9, 6),))(count_calls)
        window(path, "letters", ((7, 7),))(count_calls)
        return first

    late = [("insert", (t, letter)) for t, letter in zip((-3, 0, -1, 0, -2, 4, 1, 9), "abcdefgh", strict=True)]
    more = [
        History("far before 0", window(path, "letters", QUERIES[4]), partial(slice_steps, 3, LETTERS, -2000)),
        History("far after 0", window(path, "letters", QUERIES[0]), partial(slice_steps, 4, LETTERS, 900)),
        History("further before 0", window(path, "letters", QUERIES[0]), partial(slice_steps, 6, LETTERS, -2000)),
        History(
            "through 2 ** 53", window(path, "letters", ((3, 1), (5, 2))), partial(slice_steps, 7, LETTERS, 2**53 - 70)
        ),
        History("eight at a time", window(path, "letters", ((100, 1),)), eight_at_a_time, True),
        History("many slices", window(path, "letters", ((100, 1),)), partial(slice_steps, 5, LETTERS), True),
        History("another between", between, partial(slice_steps, 1, LETTERS)),
        History("late at 0", window(path, "letters", QUERIES[0]), lambda: late),
    ]
    return [
        *made,
        again,
        *more,
        *refused(path, ((),), (((0, 1),),), (((1, 0),),), (((1.0, 1),),), (((3, -1),),), (((True, 1),),)),
    ]


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
    path = "reference.later.stream_slicing:StreamSlicing"

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
            (((90, 30),), (3,), True),
            (((400, 2),), (), True),
        )
    ]
    made += [
        History("a watermark of 0", partial(make, ((12, 4),), (3,), True), around_zero),
        History("through 2 ** 53", partial(make, ((5, 3),), (4,), True), partial(late_steps, 8, True, 2**53 - 90)),
    ]
    again = replace(made[0], name="a second stream", second=True, traced=False)
    return [*made, again, *refused(path, ((), ()), (((0, 1),), ()), ((), (0,)), ((), (1.5,)), ((), (-1,)))]


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
    again = replace(made[4], name="a second stream", second=True, traced=False)

    def bad(marks: tuple[int, ...], count_calls: Any) -> Any:
        given = find("models.discretisation:Marks")(*marks)
        return find("reference.slicing.cutty:Cutty")(count_calls(operation_of("letters")), [lambda item: given])

    impossible = [
        History(f"marks {marks}", partial(bad, marks), partial(marked_steps, 1, 5))
        for marks in ((0, 0, 1), (0, 1, 0), (0, 0, -1), (-1, 0, 0), (0, 2, 0), (1, 0, 0), (1, 0, 1))
    ]

    def counted(name: str, count_calls: Any) -> Any:
        marks = find("reference.slicing.cutty:CountMarks")(5, 3)
        return find("reference.slicing.cutty:Cutty")(count_calls(operation_of(name)), [marks])

    numbers = [
        History(f"functions of {name}", partial(counted, name), partial(marked_steps, 3, 100, values))
        for name, values in (("shifted", (0, 4, -2)), ("max", (0, -1, 5)), ("product", (0, 1, 2, -3)))
    ]
    long = History(
        "long", partial(make, [("CountMarks", 5, 2), ("TimeMarks", 9, 4)], []), partial(marked_steps, 2, 1300)
    )
    session = History("a session at 0", partial(make, [("SessionMarks", 3)], []), session_steps)
    return [*made, again, *numbers, long, session, *impossible]


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
        numbers = History(
            "windows of numbers",
            lambda c: find(path)(c(operation_of("product"))),
            partial(shared_steps, 1, (2, 4), (0, 1, 2, -3)),
        )
        made.append(numbers)
    again = replace(made[1], name="a second stream", second=True, traced=False)
    long = History("long", make, partial(shared_long, LETTERS if operator else values))
    unasked = History("windows (3,), unasked", make, partial(shared_unasked, LETTERS if operator else values), True)
    return [*made, again, long, unasked]


def shared_long(values: Sequence[Any]) -> Iterator[Step]:
    """A stream of ten thousand tuples, looked at seldom."""
    draw = random.Random(9)
    yield "register", (4,)
    yield "register", (2,)
    for k in range(6000):
        yield "insert", (draw.choice(values),)
        if k % 9 < 2:
            yield "lookup", (2 * (k % 2) + 2,)


def shared_unasked(values: Sequence[Any]) -> Iterator[Step]:
    """A stream that nobody looks at."""
    yield "register", (3,)
    for k in range(300):
        yield "insert", (values[k % len(values)],)
    yield "insert", (float("nan"),)
    yield "lookup", (3,)
    yield "insert", (values[0],)
    yield "lookup", (3,)


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
    again = replace(made[0], name="a second stream", second=True, traced=False)
    long = History("long", partial(make, (0, 9, 3)), gram_long)
    bad = refused(path, (0, 0, 1), (1, 0, 1), (0, 1, 0), (0.0, 1, 1), (0, 1, 2.0), monoid=False)
    many = History("many buckets", partial(make, (0, 100, 100)), gram_many, True)
    return [*made, again, long, many, *bad]


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


def windows_to_try() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Windows of every range and slide."""
    w = importlib.import_module("swagproof.models.windows.window")
    of = lambda value: value[0]  # noqa: E731  # used on the next two lines
    ranges = (w.Count(3), w.Time(4), w.Delta(3, of), w.PUNCTUATION, w.UNBOUNDED)
    slides = (w.Count(2), w.Time(3), w.Delta(2, of), w.PUNCTUATION)
    for r in ranges:
        for s in slides:
            yield f"{type(r).__name__}/{type(s).__name__}", lambda r=r, s=s: w.Window(r, s)
    yield "Count(30)/Count", lambda: w.Window(w.Count(30), w.Count(2))
    yield "hopping 4 2", lambda: w.hopping(4, 2)
    yield "hopping 2 5", lambda: w.hopping(2, 5)
    yield "cql 4 3", lambda: w.cql(4, 3)
    yield "closed right", lambda: w.Window(w.Time(4), w.Time(2), closed="right")
    yield "dropping", lambda: w.Window(w.Time(4), w.Time(2), late="drop")
    yield "idle", lambda: w.Window(w.Count(3), w.Time(2), idle=7)
    yield "origin", lambda: w.Window(w.Time(5), w.Time(4), origin=1)
    yield "count origin", lambda: w.Window(w.Count(2), w.Count(5), origin=3)


def items_to_try(seed: int, late: bool = True) -> list[Any]:
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
        if late and k % 40 == 39:
            items += [w.Event(t - 3, (x, "L"), key), w.Heartbeat(t - 2), w.Event(t, (x - 2, "D"), key)]
    return [*items, w.Heartbeat(t + 40)]


def windowing() -> list[History]:
    """The windowing library."""

    def make(of: Any, count_calls: Any) -> Any:
        return find("reference.windows.windowing:Windowing")(of())

    made = [
        History(f"{name} {seed}", partial(make, of), partial(fed, seed), seed == 1)
        for name, of in windows_to_try()
        for seed in (1, 2)
    ]
    again = replace(made[0], name="a second stream", second=True, traced=False)
    long = [
        History(f"long {name}", partial(make, of), partial(fed_long, 6000))
        for name, of in windows_to_try()
        if name in ("Count/Count", "hopping 4 2", "Time/Time")
    ]
    return [*made, again, *long]


def fed(seed: int, late: bool = True) -> Iterator[Step]:
    """The items one by one."""
    return (("feed", (item,)) for item in items_to_try(seed, late))


def fed_long(length: int) -> Iterator[Step]:
    """Many elements in order, at first of twenty keys at a time."""
    event = find("models.windows.window:Event")
    for k in range(length):
        yield "feed", (event(k // 25, (k, "a"), k % 20 if k < 400 else None),)


def operator() -> list[History]:
    """The Aggregate operator."""

    def make(of: Any, stream: str, operator: str, lift: Any, count_calls: Any) -> Any:
        operation = replace(operation_of(operator), lift=lift)
        counted = replace(operation, combine=count_calls(operation).combine)
        return find("reference.windows.windowed:Aggregate")(of(), counted, stream=stream)

    lifts: tuple[tuple[str, Any], ...] = (
        ("concatenation", lambda v: v[1]),
        ("max", lambda v: v[0] % 3),
        ("max", lambda v: 0 if v else 1),
    )
    made = [
        History(
            f"{name} {stream} {i}",
            partial(make, of, stream, operator, lift),
            partial(fed, 3, False),
            i == 0 and stream == "istream",
        )
        for i, (operator, lift) in enumerate(lifts)
        for name, of in windows_to_try()
        for stream in ("istream", "dstream", "rstream")
    ]
    falsy = History(
        "falsy",
        partial(make, lambda: find("models.windows.window:hopping")(4, 2), "rstream", "sum", lambda v: v + 1),
        fed_falsy,
    )
    bad = History(
        "other stream",
        partial(make, lambda: find("models.windows.window:hopping")(4, 2), "other", *lifts[0]),
        list[Step],
    )
    return [*made, replace(made[0], name="a second stream", second=True, traced=False), falsy, bad]


def fed_falsy() -> Iterator[Step]:
    """Values 0 among others."""
    event = find("models.windows.window:Event")
    for t in range(30):
        yield "feed", (event(t, (0, 3, 0, 0, -1)[t % 5]),)


class Walked:
    """A deque with a pointer or two, as the algorithms walk it."""

    def __init__(self) -> None:
        self.deque = find("models.containers.deque:ChunkedDeque")()
        self.p = self.deque.begin()
        self.marks: list[Any] = []

    def push(self, v: Any) -> int:
        self.deque.push_back(v)
        return len(self.deque)

    def pop(self) -> int:
        self.deque.pop_front()
        return len(self.deque)

    def read(self, i: int) -> Any:
        return self.deque[self.deque.begin() + i]

    def write(self, i: int, v: Any) -> None:
        self.deque[self.deque.begin() + i] = v

    def ends(self) -> tuple[Any, ...]:
        d = self.deque
        back, front = d.end(), d.begin()
        return (
            list(d) == [d[q] for q in d.pointers()] and len(list(d)) == len(d),
            back - front,
            front == back,
            front < back,
            front <= back,
            hash(front) == hash(d.begin()),
        )

    def forth(self) -> Any:
        self.p = self.p + 1
        return self.p == self.deque.end() or self.deque[self.p]

    def back(self) -> Any:
        self.p = self.p - 1
        return self.deque[self.p]

    def home(self) -> None:
        self.p = self.deque.begin()

    def far(self) -> None:
        self.p = self.deque.end()

    def mark(self) -> None:
        self.marks.append(self.deque.end())

    def stale(self) -> list[Any]:
        return [self.look(m) for m in self.marks]

    def look(self, p: Any) -> Any:
        try:
            return self.deque[p]
        except IndexError as error:
            return str(error)[:12]

    def forget(self) -> None:
        self.marks.clear()


def deque() -> list[History]:
    """The chunked deque."""
    made = [
        History(f"walks {most}", lambda count_calls: Walked(), partial(deque_steps, seed, most), True)
        for seed, most in ((1, 5), (2, 70), (3, 300))
    ]
    far = [History(f"through {n}", lambda count_calls: Walked(), partial(through, n)) for n in (3, 5000)]
    return [*made, *far, replace(made[1], name="a second deque", second=True, traced=False)]


def through(n: int) -> Iterator[Step]:
    """Many elements pass, n at a time."""
    for k in range(5000):
        yield "push", (k,)
        if k >= n:
            yield "pop", ()
    yield from (("ends", ()), ("read", (n // 2,)))


def deque_steps(seed: int, most: int) -> Iterator[Step]:
    """Push and pop, walk forth and back, keep pointers to what is popped."""
    draw, n, up = random.Random(seed), 0, True
    for k in range(900):
        up = (up or n == 0) and n < most
        if draw.random() < (0.8 if up else 0.2):
            yield "push", (k % 7,)
            n += 1
        else:
            yield "pop", ()
            n = max(0, n - 1)
        if draw.random() < 0.4:
            yield draw.choice(
                (
                    ("ends", ()),
                    ("home", ()),
                    ("far", ()),
                    ("mark", ()),
                    ("stale", ()),
                    ("read", (draw.randrange(most),)),
                    ("write", (draw.randrange(most), -k)),
                )
            )
            for _ in range(draw.randrange(4)):
                yield draw.choice((("forth", ()), ("back", ())))
        if k % 300 == 0:
            yield from (("home", ()), *[("forth", ())] * (n + 2), ("far", ()), *[("back", ())] * (n + 2))
    yield from (("forget", ()), ("home", ()))


def stack_steps() -> Iterator[Step]:
    """Push and pop, zeros among others, look at the top and below."""
    draw = random.Random(1)
    for k in range(600):
        yield ("push", (k % 3,)) if draw.random() < 0.6 else ("pop", ())
        yield draw.choice((("top", ()), ("is_empty", ()), ("__getitem__", (draw.randrange(-1, 9),))))
    yield from [("pop", ())] * 200


def array_steps() -> Iterator[Step]:
    """Write and read, zeros among others, also outside."""
    draw = random.Random(1)
    for k in range(500):
        yield "__setitem__", (draw.randrange(0, 7) if k % 9 else 2000, k % 3)
        yield "__getitem__", (draw.randrange(0, 8) if k % 5 else 2000,)


def array_of(size: int, count_calls: Any) -> Any:
    """An array, of which there is a copy with the first slot written."""
    array = find("models.containers.array:Array")(size)
    array.copy()[1] = 2
    return array


CHOOSERS = (("max", (0, -1, 5, 3, -7, 5)), ("min", (0, -1, 5, 3, -7, 5)), ("last", (0, 1, 2)), ("first", (0, 1, 2)))
FALLING: Final = range(0, -1000, -1)
HISTORIES: Final[dict[str, Callable[[], list[History]]]] = {
    **{
        name: (lambda path=path: fifo(f"reference.{path}", ANY_VALUES))
        for name, path in (
            ("Two-Stacks", "in_order.two_stacks:TwoStacks"),
            ("Two-Stacks Lite", "in_order.two_stacks_lite:TwoStacksLite"),
            ("DABA", "in_order.daba:Daba"),
            ("DABA Lite", "in_order.daba_lite:DabaLite"),
            ("Recalculate-from-scratch", "in_order.recalculate:Recalculate"),
            ("Base intervals", "flat_trees.base_intervals:BaseIntervals"),
        )
    },
    "Reactive Aggregator, FIFO": lambda: [
        *fifo("reference.flat_trees.reactive_aggregator_fifo:ReactiveAggregatorFifo", ANY_VALUES),
        *refused("reference.flat_trees.reactive_aggregator_fifo:ReactiveAggregatorFifo", (0,), (3,), (True,), (2.0,)),
    ],
    "Subtract-on-evict": lambda: fifo(
        "reference.in_order.subtract_on_evict:SubtractOnEvict",
        (ANY_VALUES[0], ANY_VALUES[3], ("mean", ((1, 0), (1, 3), (1, -3))), ("max", (0, 1))),
    ),
    "FlatFIT": lambda: fifo("reference.later.flat_fit:FlatFit", ANY_VALUES, lookups=True),
    "SlickDeque": lambda: [
        *fifo("reference.later.slick_deque:SlickDeque", (*CHOOSERS, ("sum", (0, 1, 2))), lookups=True),
        History(
            "falling", window("reference.later.slick_deque:SlickDeque", "max"), partial(waves, 60, 2, FALLING), True
        ),
    ],
    "Reactive Aggregator": tickets,
    "FlatFAT": places,
    "B-tree": lambda: trees("reference.trees.b_tree:BTree"),
    "FiBA": lambda: trees("reference.trees.fiba:Fiba"),
    "FiBA, bulk": lambda: trees("reference.trees.fiba_bulk:BulkFiba", bulk=True),
    "Slicing: panes": lambda: sliced("reference.slicing.panes:Panes"),
    "Slicing: pairs": lambda: sliced("reference.slicing.pairs:Pairs"),
    "Slicing: starts": lambda: sliced("reference.slicing.slices:Sliced"),
    "Stream slicing": stream_slicing,
    "Cutty": cutty,
    "STREAM": lambda: shared("reference.sharing.stream_sharing:NaiveStream", "concatenation"),
    "TimeGram": time_gram,
    "OrderedSharing": lambda: [
        *shared("reference.sharing.ordered_sharing:OrderedSharing"),
        *(replace(h, name=f"min, {h.name}") for h in shared("reference.sharing.ordered_sharing:OrderedSharingMin")),
    ],
    "Windowing library": windowing,
    "Aggregate operator": operator,
    "Deque": deque,
    "Stack": lambda: [
        History(
            "pushed and popped", lambda count_calls: find("models.containers.stack:Stack")(), stack_steps, True, two
        )
        for two in (False, True)
    ],
    "Array": lambda: [History(f"array of {n}", partial(array_of, n), array_steps, True) for n in (6, 2000)],
}
"""For each algorithm its histories."""


def observe(algorithm: str, name: str) -> Seen:
    """Return what one history of an algorithm shows of it, as it is in this process."""
    return show(next(history for history in HISTORIES[algorithm]() if history.name == name))


def names_of(algorithm: str) -> list[str]:
    """The names of an algorithm's histories."""
    return [history.name for history in HISTORIES[algorithm]()]
