"""The simple phases: plain walks of several shapes, every size, and growth at every capacity and offset.

Most mistakes in windows need no clever trace: a walk that inserts and evicts as real use does finds them, and a ring
that copies itself wrongly shows it as soon as it grows once where its first element does not lie in its first slot.  So
these phases are tried beside the clever ones from the first moment on.

They are written once for all kinds of window that evict: a `Script` inserts what comes next, evicts what is due, and
asks; what that means, late arrivals and ranges included, each kind says itself.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, Protocol, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import MODERATE, SIZES, Attempt, by_faith
from swagproof.oracle.trace import Step


class Script(Protocol):
    """A trace that is being written."""

    steps: list[Step]
    random: Random

    @property
    def size(self) -> int:
        """Entries in the window."""
        ...

    def enter(self) -> None:
        """Insert the next element."""
        ...

    def leave(self) -> None:
        """Evict what is due.  Only of windows that are not empty."""
        ...

    def ask(self) -> None:
        """Query."""
        ...


Begin: TypeAlias = Callable[[Domain, Random], Script]
"""An empty trace."""


# Walks


REACHES: Final = (8, 24, 24, 80, 24, 80, 300, 24, 80, 300, 1200)
"""Sizes of windows that walks are about, in turn; the largest are dear, and so they are few."""


def walks(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Walks of every shape, about windows of many sizes; two of three over a domain that hides nothing."""
    telling = [domain for domain in domains if domain.operation.faithful] or domains[:1]
    turns = [itertools.cycle(some) for some in (telling, domains)]
    small = [itertools.cycle(by_faith(some) or some) for some in (telling, domains)]
    for number, reach in enumerate(itertools.cycle(REACHES)):
        if not domains:
            return
        name, shape = SHAPES[number % len(SHAPES)]
        domain = next((turns if reach <= MODERATE else small)[number // len(SHAPES) % 3 == 2])
        script = begin(domain, random)
        shape(script, random.randint(1, reach), random.choice((0.05, 0.3, 0.3, 1.0)))
        script.ask()
        yield Attempt(domain, f"plain walk: {name}", script.steps)


def _toss(script: Script, rate: float, many: int, asks: float) -> None:
    """So many inserts and evicts, at random."""
    for _ in range(many):
        if script.size == 0 or script.random.random() < rate:
            script.enter()
        else:
            script.leave()
        if script.random.random() < asks:
            script.ask()


def _coin(script: Script, reach: int, asks: float) -> None:
    """Inserts and evicts as a coin falls, more of the one than of the other."""
    _toss(script, script.random.choice((0.3, 0.5, 0.6, 0.6, 0.75)), 4 * reach, asks)


def _slide(script: Script, reach: int, asks: float) -> None:
    """A count window: in and out, or out and in."""
    _toss(script, 1.0, reach, asks / 4)
    first = script.random.random() < 0.5
    for _ in range(3 * reach):
        if first:
            script.enter()
        script.leave()
        if not first:
            script.enter()
        if script.random.random() < asks:
            script.ask()
    _drain(script, asks)


def _oscillate(script: Script, reach: int, asks: float) -> None:
    """About a size, some above and some below it."""
    _toss(script, 1.0, reach, asks / 4)
    swing = script.random.randint(1, max(1, reach // 4))
    for _ in range(6):
        _toss(script, 1.0, script.random.randint(1, swing), asks)
        _toss(script, 0.0, script.random.randint(1, swing), asks)


def _burst(script: Script, reach: int, asks: float) -> None:
    """Many in, many out."""
    for _ in range(6):
        _toss(script, 1.0, script.random.randint(1, reach), asks)
        for _ in range(script.random.randint(0, script.size)):
            script.leave()
        script.ask()


def _refill(script: Script, reach: int, asks: float) -> None:
    """Filled and emptied, again and again."""
    for _ in range(4):
        _toss(script, 1.0, script.random.randint(1, reach), asks)
        script.ask()
        _drain(script, asks)


def _late(script: Script, reach: int, _asks: float) -> None:
    """Nothing is asked until much has happened."""
    _toss(script, 0.65, 3 * reach, 0.0)
    script.ask()
    _drain(script, 0.2)


def _drain(script: Script, asks: float) -> None:
    while script.size:
        script.leave()
        if script.random.random() < asks:
            script.ask()
    script.ask()


SHAPES: Final[tuple[tuple[str, Callable[[Script, int, float], None]], ...]] = (
    ("a coin", _coin),
    ("a slide", _slide),
    ("about a size", _oscillate),
    ("bursts", _burst),
    ("emptied and refilled", _refill),
    ("asked late", _late),
)


# Every size


FILLS: Final = (5, 20, 65, 150, 300, 1100)
"""Sizes that windows are filled to, and emptied from, with a query after each operation."""

LOOKS: Final = 8
"""Queries in a lap."""


def fills(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Fill, and empty, with a query after each operation: what is wrong at one size alone is seen there."""
    for top in FILLS:
        for domain in domains if top <= MODERATE else by_faith(domains):
            script = begin(domain, random)
            _toss(script, 1.0, top, 1.0)
            _drain(script, 1.0)
            _toss(script, 1.0, 2, 1.0)
            yield Attempt(domain, f"fill to {top:,} and empty, looking always", script.steps)


def sizes(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """For each n, over one domain after another, those that hide nothing more often: fill to n, evict, slide a lap, go
    one beyond it, and empty the window."""
    telling = [domain for domain in domains if domain.operation.faithful] or domains[:1]
    for n in itertools.count(1):
        some = domains if n % 4 == 0 else telling
        some = some if n <= MODERATE else by_faith(some) or by_faith(domains)
        if not some:
            return
        domain = some[n // 4 % len(some)]
        script = begin(domain, random)
        _toss(script, 1.0, n, 0.0)
        for at in range(n):
            script.leave()
            if at % (1 + n // LOOKS) == 0:
                script.ask()
            script.enter()
        script.enter()
        script.ask()
        while script.size:
            script.leave()
            if script.size % (1 + n // LOOKS) == 0:
                script.ask()
        yield Attempt(domain, f"a lap at {n:,}", script.steps)


# Turns


FAMILIES: Final = tuple(
    tuple(itertools.takewhile(SIZES[-1].__ge__, capacities))
    for capacities in (
        (1 << power for power in itertools.count()),
        (10 << power for power in itertools.count()),
        (1 << power for power in itertools.count()),
        (3, 5, 6, 7, 10, 12, 15, 22, 24, 33, 48, 49, 73, 96, 100, 109, 163, 192, 244, 366, 384, 1000, 10_000),
    )
)
"""Capacities of buffers, in turn: they double, mostly, or grow by a half, or are as large as people like."""

TOPS: Final = (17, 17, 65, 17, 129, 17, 65, 17, 17, 65, 17, 129, 17, 65, 257, 17)
"""The largest window of each trace, in turn; such that each size has its part of the work."""

LARGER: Final[dict[int, int]] = {47: 1025, 383: SIZES[-1]}
"""After so many traces, and each time again, one with larger windows."""


def turns(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Grow, and before each capacity is full turn: as many evicts and inserts as bring the first element to the next
    offset of a ring of that capacity; then grow past it, and in the end shrink."""
    if not domains:
        return
    telling = [domain for domain in domains if domain.operation.faithful] or domains[:1]
    small = by_faith(domains) or telling[:1]
    turned = Counter[int]()
    for number in itertools.count():
        top = TOPS[number % len(TOPS)]
        for every, larger in LARGER.items():
            top = larger if number % every == every - 1 else top
        domain = (telling[0] if top <= MODERATE else small[0]) if number % 4 else domains[number // 4 % len(domains)]
        top = top if domain.small else min(top, MODERATE)
        script = begin(domain, random)
        for capacity in itertools.takewhile(top.__ge__, FAMILIES[number // 2 % len(FAMILIES)]):
            while script.size < capacity - 1:
                script.enter()
            for _ in range(_offset(turned[capacity], capacity) if capacity > 1 else 0):
                script.leave()
                script.enter()
            turned[capacity] += 1
            script.enter()
            script.enter()
            script.ask()
        every = 1 + top // 32
        for left in range(script.size, 0, -1):
            script.leave()
            if left % every == 0 or left < 4:
                script.ask()
        script.enter()
        script.ask()
        yield Attempt(domain, f"growth to {top:,}, turned before each capacity", script.steps)


def _offset(number: int, capacity: int) -> int:
    """The offsets of a ring of this capacity, each once in as many turns, in an order that leaves no large gap.

    >>> sorted(_offset(number, 8) for number in range(8)), [_offset(number, 64) for number in range(4)]
    ([0, 1, 2, 3, 4, 5, 6, 7], [0, 39, 14, 53])
    """
    stride = int(capacity * 0.618) or 1
    while math.gcd(stride, capacity) > 1:
        stride += 1
    return number * stride % capacity
