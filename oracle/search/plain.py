"""The simple phases: plain walks of several shapes, every size, and growth at every capacity and offset.

Most bugs in windows need no special trace: a walk as in real use finds them.  A ring that copies itself wrongly fails
as soon as it grows while its first element is not in its first slot.

The phases are the same for all kinds of window that evict: a `Script` inserts the next element, evicts one, and
queries.  Each kind of window defines these steps, including late arrivals and ranges.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, Protocol, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import MODERATE, Attempt, Phase, by_faith, interleave, revealing, telling
from swagproof.oracle.trace import Step


class Script(Protocol):
    """A trace under construction."""

    steps: list[Step]
    random: Random

    @property
    def size(self) -> int:
        """The number of entries in the window."""
        ...

    def enter(self) -> None:
        """Insert the next element."""
        ...

    def leave(self) -> None:
        """Evict the next element.  The window must not be empty."""
        ...

    def ask(self) -> None:
        """Query."""
        ...


Begin: TypeAlias = Callable[[Domain, Random], Script]
"""A function that starts an empty trace."""


# Walks


REACHES: Final = (8, 24, 24, 80, 24, 80, 300, 24, 80, 300, 1200)
"""The sizes of the windows of walks, in turn; large ones are rare, because they are expensive."""


def walks(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Walks of every shape, in windows of many sizes; two of three over a domain that hides no mistake."""
    both = telling(domains), domains
    turns = [itertools.cycle(some) for some in both]
    small = [itertools.cycle(by_faith(some) or some) for some in both]
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
    """Insert or evict at random, `many` times."""
    toss = script.random.random
    for _ in range(many):
        if rate == 1.0 or script.size == 0 or toss() < rate:
            script.enter()
        else:
            script.leave()
        if asks and toss() < asks:
            script.ask()


def _coin(script: Script, reach: int, asks: float) -> None:
    """Insert or evict by a biased coin."""
    _toss(script, script.random.choice((0.3, 0.5, 0.6, 0.6, 0.75)), 4 * reach, asks)


def _slide(script: Script, reach: int, asks: float) -> None:
    """Slide a count window: insert and evict, or evict and insert."""
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
    """Oscillate around a size."""
    _toss(script, 1.0, reach, asks / 4)
    swing = script.random.randint(1, max(1, reach // 4))
    for _ in range(6):
        _toss(script, 1.0, script.random.randint(1, swing), asks)
        _toss(script, 0.0, script.random.randint(1, swing), asks)


def _burst(script: Script, reach: int, asks: float) -> None:
    """Insert many, evict many."""
    for _ in range(6):
        _toss(script, 1.0, script.random.randint(1, reach), asks)
        for _ in range(script.random.randint(0, script.size)):
            script.leave()
        script.ask()


def _refill(script: Script, reach: int, asks: float) -> None:
    """Fill and empty the window repeatedly."""
    for _ in range(4):
        _toss(script, 1.0, script.random.randint(1, reach), asks)
        script.ask()
        _drain(script, asks)


def _late(script: Script, reach: int, _asks: float) -> None:
    """Query only after many operations."""
    _toss(script, 0.65, 3 * reach, 0.0)
    script.ask()
    _drain(script, 0.2)


def _again(script: Script, reach: int, _asks: float) -> None:
    """Query repeatedly, with no change between."""
    for _ in range(3):
        _toss(script, 0.65, 1 + reach // 2, 0.1)
        for _ in range(script.random.choice((3, 12, 40, 150))):
            script.ask()


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
    ("asked again and again", _again),
)


# Every size


FILLS: Final = (5, 20, 65, 150, 300, 1100)
"""The sizes to which windows are filled, with a query after each operation, before they are emptied in the same way."""

FILLED: Final = 65
"""The largest of these sizes for all domains."""

LOOKS: Final = 8
"""The number of queries in a lap."""


def fills(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Fill and empty, with a query after each operation, to find mistakes at one size only: small windows over each
    domain, large ones over one that hides no mistake."""
    for top in FILLS:
        one = (telling(domains) if top <= MODERATE else by_faith(domains))[:1]
        for domain in domains if top <= FILLED else one:
            script = begin(domain, random)
            _toss(script, 1.0, top, 1.0)
            _drain(script, 1.0)
            _toss(script, 1.0, 2, 1.0)
            yield Attempt(domain, f"fill to {top:,} and drain, with a query after each operation", script.steps)


def sizes(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """For each n: fill to n between two queries, slide one lap, insert one more, and empty the window.  Domains take
    turns; those that hide no mistake come more often."""
    for n in itertools.count(1):
        some = domains if n % 4 == 0 else revealing(domains)
        some = some if n <= MODERATE else by_faith(some) or by_faith(domains)
        if not some:
            return
        domain = some[n // 4 % len(some)]
        script = begin(domain, random)
        script.enter()
        script.ask()
        _toss(script, 1.0, n - 1, 0.0)
        script.ask()
        for at in range(n):
            script.leave()
            if at % (1 + n // LOOKS) == 0:
                script.ask()
            script.enter()
        script.enter()
        script.ask()
        empty(script, 1 + n // LOOKS)
        yield Attempt(domain, f"sliding {n:,} elements through a window of {n:,}", script.steps)


SLID: Final = ((16, 66), (32, 130), (8, 1030), (64, 260))
"""Pairs of a largest window size and the number of evicts by which these windows slide."""


def slides(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """For each n, slide past every number of evicts at which a list with a head is compacted, with queries.

    The domains that hide no mistake take turns."""
    turns = itertools.cycle(revealing(domains))
    for top, evicts in SLID if domains else ():
        for n, domain in zip(range(1, top + 1), turns, strict=False):
            script = begin(domain, random)
            _toss(script, 1.0, n, 0.0)
            for _ in range(evicts):
                script.leave()
                script.ask()
                script.enter()
            yield Attempt(domain, f"sliding {evicts:,} elements through a window of {n}", script.steps)


# Turns


WHOLE: Final = (2, 4, 8, 16, 32, 64, 128, 256)
"""For the capacities above half of each of these and up to it: growth at every offset."""

ALWAYS: Final = 64
"""The largest capacity for which a full ring is also turned, and a query follows each evict."""

GROWN: Final = (300, 1100, 4200, 17_000, 300, 1100, 66_000)
"""The sizes to which windows grow while some elements leave, in turn."""


def turns(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Growth at every capacity and offset: fill a window, evict and insert until its first element is at the next
    offset, grow past the capacity, and empty it.

    One such trace tests all capacities between half and whole at once, whether a ring began with that capacity or
    doubled to it.  So one trace for each offset is necessary and enough.  Larger windows, and those that grow by
    another factor, are grown while some elements leave.
    """
    if not domains:
        return
    whole = [Phase("", 1 / top, _turned(domains, random, begin, top)) for top in WHOLE]
    parts = Phase("", 0.81, _in_turn(whole)), Phase("", 0.19, _grown(domains, random, begin))
    yield from _in_turn(parts)


def _in_turn(parts: Sequence[Phase]) -> Iterator[Attempt]:
    return (attempt for _, attempt in interleave(parts))


def _turned(domains: Sequence[Domain], random: Random, begin: Begin, top: int) -> Iterator[Attempt]:
    """Grow at every offset of the capacity `top`, over a domain that hides no mistake."""
    (domain,) = revealing(domains)[:1]
    for number in range(top):
        for start in (top // 2 + 1, top) if top <= ALWAYS else (top // 2 + 1,):
            yield _turn(domain, random, begin, top, start, _offset(number, top))


def _turn(domain: Domain, random: Random, begin: Begin, top: int, start: int, offset: int) -> Attempt:
    """Fill to `start`, slide by `offset`, grow past `top`, and empty the window."""
    script = begin(domain, random)
    _toss(script, 1.0, start, 0.0)
    for _ in range(offset):
        script.leave()
        script.enter()
    while script.size <= top:
        script.enter()
    script.ask()
    empty(script, 1 if top <= ALWAYS else 1 + top // LOOKS)
    script.enter()
    script.ask()
    return Attempt(domain, f"growth to {top + 1:,} elements after sliding", script.steps)


def empty(script: Script, every: int) -> None:
    """Empty the window, with a query whenever its size is a multiple of `every`."""
    while script.size:
        script.leave()
        if script.size % every == 0:
            script.ask()


def _grown(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Grow while some elements leave, so that the first one may be in any slot when a ring grows, from any capacity and
    by any factor; then empty the window."""
    small = by_faith(domains)
    others = itertools.cycle(small)
    for number, top in enumerate(itertools.cycle(GROWN) if small else ()):
        domain = next(others) if number % 5 == 4 else small[0]
        script, rate = begin(domain, random), random.choice((0.02, 0.1, 0.3))
        while script.size < top:
            script.enter()
            if script.random.random() < rate and script.size > 1:
                script.leave()
        script.ask()
        empty(script, 1 + top // (4 * LOOKS))
        yield Attempt(domain, f"growth to {top:,} elements with some evicts", script.steps)


# A naive fuzzer


FUZZED: Final = (30, 300, 3000)
"""Lengths of the random walks."""


def fuzz(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Plain random walks, some of them long, with many queries."""
    for number in itertools.count() if domains else ():
        length = random.choice(FUZZED)
        some = domains if number % 2 == 0 else telling(domains)
        some = some if length < FUZZED[-1] else by_faith(some) or by_faith(domains) or some
        domain = some[number // 2 % len(some)]
        script = begin(domain, random)
        _toss(script, random.choice((0.5, 0.55, 0.7)), length, random.choice((0.3, 1.0)))
        script.ask()
        yield Attempt(domain, f"random walk of {length:,}", script.steps)


def _offset(number: int, capacity: int) -> int:
    """The offset for this turn: each offset of the ring once in `capacity` turns, in an order without large gaps.

    >>> sorted(_offset(number, 8) for number in range(8)), [_offset(number, 64) for number in range(4)]
    ([0, 1, 2, 3, 4, 5, 6, 7], [0, 39, 14, 53])
    """
    stride = int(capacity * 0.618) or 1
    while math.gcd(stride, capacity) > 1:
        stride += 1
    return number * stride % capacity


# Long lives


LIVES: Final = ((1 << 16, 50), (1 << 17, 3))
"""Pairs of the number of entries that come and go, and the size of the window."""


CROWD: Final = (1 << 16) + 1
"""Entries of the largest window."""


def lives(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """More than 2^16 entries: all at once; then coming and going in a small window.  This finds counters that wrap,
    mistakes in the compaction of lists, and data that evicted entries leave."""
    turns = itertools.cycle(by_faith(domains) or domains)
    for domain in itertools.islice(turns, min(1, len(domains))):
        script = begin(domain, random)
        _crowd(script, 50)
        _live(script, 2000, 50)
        yield Attempt(domain, f"{CROWD:,} entries at once, then 50", script.steps)
    for (many, size), domain in zip(LIVES, turns, strict=False):
        script = begin(domain, random)
        _toss(script, 1.0, size, 0.0)
        _live(script, many, size)
        yield Attempt(domain, f"{many:,} entries come and go, {size} at a time", script.steps)


def _crowd(script: Script, left: int) -> None:
    """Grow to more than 2^16 without a query, and shrink until `left` are left.  Query near powers of two, and where
    counters of 10 to 14 bits wrap."""
    script.enter()
    script.ask()
    while script.size < CROWD:
        script.enter()
    script.ask()
    looks = {(1 << power) + beside for power in range(17) for beside in (-1, 0, 1)}
    looks |= {(1 << 15) + (1 << bits) - 1 for bits in range(10, 15)}
    while script.size > left:
        script.leave()
        if script.size in looks:
            script.ask()


def _live(script: Script, many: int, size: int) -> None:
    """Let `many` entries come and go, while the window keeps its size."""
    for at in range(size, many + size):
        script.leave()
        script.enter()
        if at % (size - 1) == 0:
            script.ask()
