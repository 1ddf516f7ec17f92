"""Shared windows: the expected results, the traces to try, and simpler traces.

`swagproof.oracle.vectors.drafts.FLAGS` describes the phases.  Short words come first: every legal word over register,
insert and lookup of up to 8 operations, shortest first, with windows of 1 to 3 elements, registered in every order and
twice.  Then windows about the sizes at which implementations grow and evict, alone and with others, over streams that
make them evict at the wrong time: rising, falling, equal, in steps, a peak with smaller elements, random.  Lookups come
after each insert, seldom, or only at the end of the stream.

In longer traces elements are random.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import Final, Generic

from swagproof.models.monoid import A, Monoid
from swagproof.oracle.domain import Domain, Element
from swagproof.oracle.search.attempts import LEAD, MODERATE, SIZES, Attempt, Phase, by_faith, lengthen, telling
from swagproof.oracle.search.counts import COUNTS, draw_many, kept_whole, streams
from swagproof.oracle.search.lengths import lengths
from swagproof.oracle.search.plain import LIVES
from swagproof.oracle.trace import Step, insert, lookup, register
from swagproof.reference.in_order.two_stacks import TwoStacks

LONGEST: Final = 8
"""The length of the longest words."""

LARGEST: Final = 3
"""The size of the largest window in the words, and the most registrations."""


class Sharing(Generic[A]):
    """The expected results: a Two-Stacks window for each size, brought up to date by a lookup.

    >>> from swagproof.models.operations import CONCATENATION
    >>> windows = Sharing(CONCATENATION)
    >>> windows.register(1); windows.register(3)
    >>> for letter in "abcd":
    ...     windows.insert(letter)
    >>> windows.lookup(1), windows.lookup(3)
    ('d', 'bcd')
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.stream = list[A]()
        self.windows: dict[int, tuple[TwoStacks[A], int]] = {}
        """The window of each size, and the number of stream elements it has seen."""

    def register(self, size: int) -> None:
        """Add a window over the newest `size` elements; do nothing if there is one."""
        self.windows.setdefault(size, (TwoStacks(self.monoid), 0))

    def insert(self, v: A) -> None:
        """Append an element to the stream."""
        self.stream.append(v)

    def lookup(self, size: int) -> A:
        """Return the product of the newest `size` elements, or of all if there are fewer.

        Three combine calls, amortised, for each element since the last lookup, and at most the cost of the whole
        window.
        """
        window, seen = self.windows[size]
        arrived = len(self.stream)
        anew = arrived - seen > size
        if anew:
            window, seen = TwoStacks(self.monoid), arrived - size
        for number in range(seen, arrived):
            window.insert(self.stream[number])
            if number >= size and not anew:
                window.evict()
        self.windows[size] = window, arrived
        return window.query()


def phases(domains: Sequence[Domain], seed: int, methods: Sequence[str] = ()) -> list[Phase]:
    """Return the phases of the search."""
    chance = Random(f"sizes {seed}")
    many = (*_MANY, *(tuple(chance.choices(range(1, 120), k=chance.randint(3, 30))) for _ in range(8)))
    return [
        Phase("short words", 0.25, lengthen(partial(_words, domains), LONGEST), LEAD),
        Phase("far", 0.15, _far(domains, Random(f"far {seed}"))),
        Phase("edges", 0.2, _looked_up(_edges(), domains, Random(f"edges {seed}"))),
        Phase("many", 0.15, _looked_up(many, domains, Random(f"many {seed}"))),
        Phase("random", 0.25, _random(domains, Random(f"random {seed}"))),
        Phase("counts", 0.1, _counts(domains, Random(f"counts {seed}"))),
        Phase("blocks", 0.1, _blocks(domains, Random(f"blocks {seed}"))),
        Phase("lengths", 0.05, lengths("shared", domains, methods)),
        Phase("lives", 0.1, _lives(domains, Random(f"lives {seed}")), least=1 << 16),
    ]


@cache
def words(length: int) -> tuple[tuple[int, ...], ...]:
    """Return the legal words that end with a lookup: -n registers a window of n, n looks it up, 0 inserts.

    No size is looked up more than twice in a row.

    >>> words(2), [len(words(length)) for length in range(1, 9)]
    (((-1, 1), (-2, 2), (-3, 3)), [0, 3, 21, 108, 309, 894, 2763, 8766])
    """
    found: list[tuple[int, ...]] = []
    for many in range(1, LARGEST + 1):
        for sizes in itertools.product(range(1, LARGEST + 1), repeat=many):
            letters = (0, *sorted(set(sizes)))
            for rest in itertools.product(letters, repeat=max(0, length - many)):
                thrice = any(a and a == b == c for a, b, c in zip(rest, rest[1:], rest[2:], strict=False))
                if rest and rest[-1] and not thrice:
                    found.append((*(-size for size in sizes), *rest))
    return tuple(sorted(found, key=lambda word: [letter < 0 for letter in word]))


def _words(domains: Sequence[Domain], length: int) -> Iterator[Attempt]:
    what = f"every sequence of up to {length} operations, of windows of up to {LARGEST}"
    for domain in domains:
        for order in domain.orders:
            inserts = [insert(element) for element in itertools.islice(itertools.cycle(order), length)]
            for word in words(length):
                rest = iter(inserts)
                steps = [
                    register(-letter) if letter < 0 else lookup(letter) if letter else next(rest) for letter in word
                ]
                yield Attempt(domain, what, steps)


def _trace(sizes: Sequence[int], stream: Iterable[Element], due: Callable[[int], Iterable[int]]) -> list[Step]:
    """Register these sizes and insert the stream; `due` gives the lookups after so many elements."""
    steps = [register(size) for size in sizes]
    steps += map(lookup, due(0))
    for number, element in enumerate(stream, 1):
        steps.append(insert(element))
        steps += map(lookup, due(number))
    steps += map(lookup, (*sizes, *sizes[::-1]))
    return steps


def _looking(sizes: Sequence[int], looks: Collection[int] = (), every: int = 0) -> Callable[[int], Iterable[int]]:
    """Return the lookups of these sizes: after the counts in `looks`, and after every `every` elements."""
    return lambda number: sizes if number in looks or (every and number % every == 0) else ()


def _asking(way: int, sizes: Sequence[int], total: int) -> Callable[[int], Iterable[int]]:
    """Return the lookups after so many elements: all sizes, in either order, one size, or none until the end."""
    ordered = sorted(set(sizes))
    edges = {edge + beside for edge in ordered for beside in (-1, 0, 1, 2)}

    def due(number: int) -> Iterable[int]:
        if way < 2 and (total <= 64 or number in edges or number % 7 == 0):
            return ordered if way else ordered[::-1]
        if way == 2:
            return ordered[:1] * 2
        if way == 3 and number in edges:
            return ordered[-1:]
        return ()

    return due


_MANY: Final = (
    *((4, 8, 12), (30, 12, 18), (10, 50, 20)),
    *(tuple(range(1, 41)), tuple(2**power for power in range(9)), (1, 10, 100), (5, 7, 6, 11, 13), (200, 2)),
)
"""Sets of sizes.  Those with a common divisor come first: a stream sliced into panes has panes of that size."""


def _edges() -> Iterator[Sequence[int]]:
    """Yield sets of sizes about each size at which implementations grow."""
    for size in itertools.takewhile(MODERATE.__ge__, SIZES):
        yield from dict.fromkeys(((size,), tuple(range(max(1, size - 1), size + 2)), (size + 1, 1, size)))


def _looked_up(sets: Iterable[Sequence[int]], domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    """Yield windows of these sizes, registered in random order, over every stream; small ones with all patterns of
    lookups."""
    for sizes in sets:
        for domain in domains:
            for name, stream in streams(domain, 2 * max(sizes) + 3, random).items():
                order = random.sample(sizes, len(sizes))
                for way in range(5) if max(sizes) < 12 else random.sample(range(5), 2):
                    what = f"{len(set(sizes))} windows of up to {max(sizes)} over a stream, {name}"
                    yield Attempt(domain, what, _trace(order, stream, _asking(way, order, len(stream))))


_WHOLE: Final = tuple(many << power for power in range(2, 11) for many in (2, 3) if many << power <= 1024)
"""Sizes of one, two or three whole blocks of 4 to 1,024 elements."""

_PRIMES: Final = tuple(n for n in range(2, 2000) if all(n % by for by in range(2, math.isqrt(n) + 1)))
"""Primes: sizes of the other windows, which are no multiple of a block."""


def _about_blocks(random: Random) -> Iterator[Sequence[int]]:
    """Yield ascending sets of sizes: each number of blocks, and its neighbours, at each place of two and of three."""
    for whole, beside in itertools.product(_WHOLE, (-1, 0, 1)):
        n = whole + beside
        under = [prime for prime in _PRIMES if prime < n - 1]
        over = [prime for prime in _PRIMES if n + 1 < prime <= n + n // 2 + 12]
        for below, above in ((2, 0), (1, 1), (0, 2), *(((1, 0), (0, 1)) if whole.bit_count() == 1 else ())):
            if below <= len(under):
                yield sorted((*random.sample(under, below), n, *random.sample(over, above)))
        if whole <= 256:
            yield n, 2 * whole + beside, 3 * whole + beside


def _blocks(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    """Yield traces for windows kept in blocks, which have an edge wherever a size ends with a block.

    Lookups come only near the sizes and in the next few blocks, so that large windows stay cheap for a plain list. If
    the domain hides elements, the stream is a slope whose oldest element is the answer.
    """
    revealing = itertools.cycle(telling(by_faith(domains) or domains))
    for sizes, domain in zip(_about_blocks(random), revealing, strict=False):
        length = sizes[-1] + sizes[-1] // 4 + 5
        edges = (*sizes, *(whole for whole in _WHOLE if whole > sizes[-1] // 2))
        looks = {edge + beside for edge in edges for beside in (-1, 0, 1)}
        order = random.sample(sizes, len(sizes))
        slopes = {} if domain.operation.faithful else kept_whole(domain, length, random)
        name, stream = next(iter((slopes or {"any": draw_many(domain, length, random)}).items()))
        what = f"windows of {', '.join(map(str, order))} over a stream, {name}"
        yield Attempt(domain, what, _trace(order, stream, _looking(order, looks)))


_FAR: Final = ((1, 64, 1000), (1025, 257), (3, 4096), (1023, 1, 10_001), (10_000,))
"""Sets of sizes for long streams."""

GROWING: Final = 1025
"""The size of the largest window, in long streams, of domains whose answers grow with it."""


def _far(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    growing = [domain for domain in domains if not domain.small]
    for sizes, domain in itertools.product(_FAR, (*growing, *by_faith(domains))):
        top = max(sizes)
        if top > GROWING and not domain.small:
            continue
        length = 3 * top if not domain.small else max(2 * top + 500, 10_500)
        looks = {size + beside for size in (*SIZES, *sizes) for beside in (0, 1)}
        for name, stream in streams(domain, length, random).items():
            if name in ("any", "falling"):
                what = f"a stream of {length:,}, {name}, windows of up to {top:,}"
                yield Attempt(domain, what, _trace(sizes, stream, _looking(sizes, looks, every=997)))


def _lives(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    for (many, size), domain in zip(LIVES, itertools.cycle(by_faith(domains) or domains), strict=False):
        stream, sizes = draw_many(domain, many + size, random), (size, 3)
        steps = _trace(sizes, stream, _looking(sizes, every=size - 1))
        yield Attempt(domain, f"a stream of {many:,}, windows of {size} and 3", steps)


_ASKED: Final = 256
"""The number of small windows to look up if there are many, besides the largest: all would be quadratic for a list."""


def _counts(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    """Yield many windows, inserts between two lookups, lookups between two inserts, and registrations of one size."""
    turns = itertools.cycle(by_faith(domains) or domains)
    for many, domain in zip(COUNTS[2:], turns, strict=False):
        sizes = range(1, many + 3)
        stream = draw_many(domain, many + 3, random)
        asked = [*sizes[:_ASKED], *sizes[_ASKED:][-8:]]
        steps = [*map(register, sizes), *map(insert, stream), *map(lookup, asked)]
        yield Attempt(domain, f"{many + 2:,} windows", steps)
        ask, more = lookup(3), [insert(domain.elements.draw(random)) for _ in range(many + 5)]
        steps = [register(3), *more[:3], ask, *more[3:-2], ask, more[-2], *[ask] * (many + 1), more[-1], ask]
        yield Attempt(domain, f"{many:,} inserts between two lookups, and lookups between two inserts", steps)
        again = [register(3), *[register(2)] * (many + 1), *more[:3], lookup(3), lookup(2)]
        yield Attempt(domain, f"a window registered {many + 1:,} times", again)


def _random(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    for number in itertools.count(1):
        for domain in domains:
            kind = random.random()
            reach = 12 if kind < 0.5 else MODERATE if kind < 0.97 or not domain.small else 10_000
            sizes = [random.randint(1, reach) for _ in range(random.choice((1, 2, 3, 5, 12)))]
            yield Attempt(domain, f"random trace {number}", _draw(domain, sizes, reach, random))


def _draw(domain: Domain, sizes: Sequence[int], reach: int, random: Random) -> list[Step]:
    """Return a stream with a few patterns and its own rates of lookups, of all sizes or some."""
    steps = [register(size) for size in sizes]
    for _ in range(random.randint(1, 4)):
        stream = random.choice(list(streams(domain, random.randint(1, reach), random).values()))
        rate = random.choice((0.0, 0.05, 0.3, 1.0)) * min(1.0, 40 / reach)
        for element in stream:
            steps.append(insert(element))
            if random.random() < rate:
                due = random.choices(sizes, k=random.randint(1, 3))
                steps += map(lookup, due)
        steps += map(lookup, random.sample(sizes, len(sizes)))
    return steps


_LEAST: Final = (2, 3, 4, 5, 6, 8, 12)
"""The sizes to try first for the largest of several windows that shrink together."""


def simpler(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield traces with fewer windows; with smaller ones, the smallest first: all by the same amount, all in
    proportion, or one alone; and each of these also with as many fewer elements, at the start or at the end.

    >>> from swagproof.oracle.trace import inline
    >>> for smaller in simpler([register(3), insert("a"), insert("b"), lookup(3)]):
    ...     print(inline(smaller))
    register 1, insert "a", insert "b", lookup 1
    register 1, lookup 1
    register 2, insert "a", insert "b", lookup 2
    register 2, insert "b", lookup 2
    register 2, insert "a", lookup 2
    """
    sizes = list(dict.fromkeys(step.arguments[0] for step in steps if step.name == "register"))
    due = {step.arguments[0] for step in steps if step.name == "lookup"}
    for others in dict.fromkeys((frozenset(sizes) - due, *(frozenset({size}) - due for size in sizes))):
        if others:
            yield [step for step in steps if step.name == "insert" or step.arguments[0] not in others]
    largest = max(sizes, default=0)
    for top in sorted({*_LEAST, *(largest >> shift for shift in range(largest.bit_length())), largest - 1}):
        if len(sizes) > 1 and 0 < top < largest:
            yield from _resized(steps, {size: max(1, size - (largest - top)) for size in sizes}, largest - top)
            yield from _resized(steps, {size: max(1, size * top // largest) for size in sizes}, largest - top)
    for size in sizes:
        for by in dict.fromkeys((size - 1, *(size >> shift for shift in range(1, size.bit_length())))):
            if 0 < by < size:
                yield from _resized(steps, {size: size - by}, by)


def _resized(steps: Sequence[Step], change: Mapping[int, int], by: int) -> Iterator[list[Step]]:
    """Yield the trace with windows of the new sizes, and also without `by` elements, the first or the last."""
    smaller = [
        step if step.name == "insert" else Step(step.name, (change.get(step.arguments[0], step.arguments[0]),))
        for step in steps
    ]
    yield smaller
    inserts = [at for at, step in enumerate(smaller) if step.name == "insert"]
    for gone in ({*inserts[:by]}, {*inserts[len(inserts) - by :]}) if by < len(inserts) else ({*inserts},):
        yield [step for at, step in enumerate(smaller) if at not in gone]
