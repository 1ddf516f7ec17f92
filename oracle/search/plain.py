"""The simple phases: plain walks of several shapes, every size, and growth at every capacity and offset.

Most mistakes in windows need no clever trace: a walk as in real use finds them, and a ring that copies itself wrongly
shows it as soon as it grows while its first element is not in its first slot.

The phases are written once for all kinds of window that evict: a `Script` inserts what comes next, evicts what is due,
and asks; each kind says what that means, late arrivals and ranges included.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, Protocol, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import MODERATE, Attempt, Phase, by_faith, interleave, telling
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
    revealing = telling(domains)
    turns = [itertools.cycle(some) for some in (revealing, domains)]
    small = [itertools.cycle(by_faith(some) or some) for some in (revealing, domains)]
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


def _again(script: Script, reach: int, _asks: float) -> None:
    """Nothing changes, and it is asked again and again."""
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
"""Sizes that windows are filled to, and emptied from, with a query after each operation."""

LOOKS: Final = 8
"""Queries in a lap."""


def fills(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Fill, and empty, with a query after each operation: what is wrong at one size alone is seen there.  First over a
    domain that hides nothing, then over all."""
    first = telling(domains)[:1]
    for some in (first, [domain for domain in domains if domain not in first]):
        for top in FILLS:
            for domain in some if top <= MODERATE else by_faith(domains) if some is not first else ():
                script = begin(domain, random)
                _toss(script, 1.0, top, 1.0)
                _drain(script, 1.0)
                _toss(script, 1.0, 2, 1.0)
                yield Attempt(domain, f"fill to {top:,} and drain, with a query after each operation", script.steps)


def sizes(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """For each n, over one domain after another, those that hide nothing more often: fill to n, evict, slide a lap, go
    one beyond it, and empty the window."""
    revealing = telling(domains)
    for n in itertools.count(1):
        some = domains if n % 4 == 0 else revealing
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
        empty(script, 1 + n // LOOKS)
        yield Attempt(domain, f"sliding {n:,} elements through a window of {n:,}", script.steps)


SLID: Final = ((16, 66), (32, 130), (8, 1030), (64, 260))
"""Windows of up to so many are slid by so many, with a query after each evict."""


def slides(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """For each n, slide past every count of evicts where a list with a head is compacted, and look at what it left.

    Small windows over each domain; larger ones over one after another of those that hide nothing."""
    revealing = itertools.cycle(telling(domains))
    for number, (top, evicts) in enumerate(SLID):
        for n in range(1, top + 1):
            for domain in domains if number == 0 else itertools.islice(revealing, 1):
                script = begin(domain, random)
                _toss(script, 1.0, n, 0.0)
                for _ in range(evicts):
                    script.leave()
                    script.ask()
                    script.enter()
                yield Attempt(domain, f"sliding {evicts:,} elements through a window of {n}", script.steps)


# Turns


WHOLE: Final = (2, 4, 8, 16, 32, 64, 128, 256)
"""For the capacities from above a half of each of these up to it: growth at every offset."""

ALWAYS: Final = 64
"""The largest capacity that is turned from a full ring, too, and asked after each evict."""

GROWN: Final = (300, 1100, 4200, 17_000, 300, 1100, 66_000)
"""Sizes that windows grow to while some elements leave, in turn."""


def turns(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Growth at every capacity and offset: fill a window, turn it by so many evicts and inserts as bring its first
    element to the next offset, grow past the capacity, and empty it.

    One such trace is about all capacities between half and whole at once, whether a ring began with that capacity or
    doubled to it; so as many traces as there are offsets are all there is to them, and the least that there can be.
    Larger windows, and those that grow by another factor, are grown while some elements leave.
    """
    if not domains:
        return
    whole = [Phase("", 1 / top, _turned(domains, random, begin, top)) for top in WHOLE]
    parts = Phase("", 0.75, _in_turn(whole)), Phase("", 0.25, _grown(domains, random, begin))
    yield from _in_turn(parts)


def _in_turn(parts: Sequence[Phase]) -> Iterator[Attempt]:
    return (attempt for _, attempt in interleave(parts))


def _turned(domains: Sequence[Domain], random: Random, begin: Begin, top: int) -> Iterator[Attempt]:
    """At every offset of the largest of these capacities, over what hides nothing."""
    revealing = itertools.cycle(telling(domains))
    for number in range(top):
        for start in (top // 2 + 1, top) if top <= ALWAYS else (top // 2 + 1,):
            yield _turn(next(revealing), random, begin, top, start, _offset(number, top))


def _turn(domain: Domain, random: Random, begin: Begin, top: int, start: int, offset: int) -> Attempt:
    """Fill to a size, turn by so many, grow past the top, and empty it."""
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
    """Empty the window, with a query after each so many evicts."""
    while script.size:
        script.leave()
        if script.size % every == 0:
            script.ask()


def _grown(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Grow while an element leaves now and then, so that the first one lies anywhere whenever a ring grows, from
    whatever capacity and by whatever factor; then empty the window."""
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
    """Random walks as anyone would write them first, some of them long, with many queries."""
    revealing = telling(domains)
    for number in itertools.count() if domains else ():
        length = random.choice(FUZZED)
        some = domains if number % 2 == 0 else revealing
        some = some if length < FUZZED[-1] else by_faith(some) or by_faith(domains) or some
        domain = some[number // 2 % len(some)]
        script = begin(domain, random)
        _toss(script, random.choice((0.5, 0.55, 0.7)), length, random.choice((0.3, 1.0)))
        script.ask()
        yield Attempt(domain, f"random walk of {length:,}", script.steps)


def _offset(number: int, capacity: int) -> int:
    """The offsets of a ring of this capacity, each once in as many turns, in an order that leaves no large gap.

    >>> sorted(_offset(number, 8) for number in range(8)), [_offset(number, 64) for number in range(4)]
    ([0, 1, 2, 3, 4, 5, 6, 7], [0, 39, 14, 53])
    """
    stride = int(capacity * 0.618) or 1
    while math.gcd(stride, capacity) > 1:
        stride += 1
    return number * stride % capacity


# Long lives


LIVES: Final = ((1 << 16, 50), (1 << 17, 3))
"""Entries that come and go, and how many are there at a time."""


CROWD: Final = (1 << 16) + 1
"""Entries of the largest window."""


def lives(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """More entries than 16 bits count: all there at once; then coming and going in a window that stays small, for
    numbers of entries that wrap, lists that are compacted now and then, and whatever is kept of what has left."""
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
    """Grow by 2^16 without a look, and shrink until so many are left, looking about powers of two, and after so many
    changes as counters of 10 to 14 bits count."""
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
    """So many come and go, while the window keeps its size."""
    for at in range(size, many + size):
        script.leave()
        script.enter()
        if at % (size - 1) == 0:
            script.ask()
