"""Histories of windows in order and out of order, of trees, places and containers."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import cycle, islice
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


def fifo(path: str, operators: Sequence[tuple[str, Sequence[Any]]], lookups: bool = False) -> list[History]:
    """A window, first in first out."""
    operator, values = operators[0]
    make = window(path, operator)
    made = [
        History(f"mixed {operator}", make, partial(words, 1, 200, 12, values), traced=True),
        History("a second one", make, partial(words, 2, 60, 40, values, 0.3), second=True),
        History("waves", make, partial(waves, 320, 2, values)),
        History("traced waves", make, partial(waves, 60, 2, values), traced=True),
        History("steady at 70", make, partial(steady, 70, 3000, values)),
        History("long", make, partial(steady, 3, 70_000, values)),
    ]
    made += [History(f"mixed {name}", window(path, name), partial(words, 3, 200, 12, of)) for name, of in operators[1:]]
    return [*made, *([History("lookups", make, partial(with_lookups, 4, 300, 14, values))] if lookups else [])]


def with_lookups(seed: int, length: int, most: int, values: Iterable[Any]) -> Iterator[Step]:
    """A history of a window, with lookups of every size."""
    draw = random.Random(seed)
    for step in words(seed, length, most, values, 0.2):
        yield step
        yield "lookup", (draw.randrange(most + 2),)


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
    old = History("far", window(path, "letters"), partial(numbered, 3000))
    return [*made, again(made[0]), old, *refused(path, (0,), (3,), (True,), (2.0,), (6,))]


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

    tried = (*(("letters", LETTERS, n) for n in (1, 2, 16, 1024)), ("product", (0, 1, 2, -3), 8))
    made = [
        History(f"{n} places of {operator}", fat(operator, values, n), partial(place_steps, n, values), True)
        for operator, values, n in tried
    ]
    return [*made, again(made[2]), *refused(path, ([],), (["a"] * 3,), (["a"] * 6,))]


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
        History("wider", window(path, "letters", 5), partial(tree_steps, 7, 600, 200, bulk)),
        History("widest", window(path, "letters", 12), partial(tree_steps, 8, 900, 500, bulk)),
        History("large", window(path, "letters"), partial(tree_steps, 3, 1200, 700, bulk)),
        History("product", window(path, "product"), partial(tree_steps, 4, 120, 20, bulk, (0, 1, 2, -3))),
    ]
    return [*made, again(made[0]), *refused(path, (1,), (2.0,), (True,), (0,), ("2",))]


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
            yield from (("oldest", ()), ("youngest", ()), ("insert", (float("nan"), "x")), ("evict", ("t",)))
            yield from (("insert", (None, "x")), ("evict", (most * 3,)))
        if held and k % 9 == 0:
            yield "range_query", (held[k % len(held)],) * 2
            yield "range_query", (0, 9)
        if bulk and k % 50 == 49:
            yield "bulk_insert", ([(5, "x"), (3, "y")],)
        if bulk and draw.random() < 0.1:
            batch = sorted(draw.randrange(-most, 2 * most) for _ in range(draw.randrange(most // 2)))
            given = batch[::-1] if draw.random() < 0.1 else batch
            yield "bulk_insert", ([(t, next(values)) for t in given],)
            held = sorted({*held, *batch}) if given == batch else held
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
    return [*made, *far, again(made[1])]


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
            others = ("read", (draw.randrange(most),)), ("write", (draw.randrange(most), -k))
            yield draw.choice((*((name, ()) for name in ("ends", "home", "far", "mark", "stale")), *others))
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
