"""The traces for out-of-order windows, in phases, which `swagproof.oracle.vectors.drafts.FLAGS` describes.

Short words come first: every word over insert, evict and query of up to 7 operations, with its times in every order,
ties included, so it has every duplicate and every evict of an absent time.  The walks that all windows share
(`swagproof.oracle.search.plain`) insert and evict at the ends, near them, or anywhere
(`swagproof.oracle.kinds.timed_script`).  The other phases test trees: each evict from windows of every small shape;
every range after every word, and ranges repeated after a change within them; long traces over deep trees, since short
traces hide bugs in them; and clocks, since a comparison that subtracts in 32 bits is right while times are small.

In longer traces elements are random.  Times are integers that fit 32 bits.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from random import Random
from typing import Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds import bulk
from swagproof.oracle.kinds.timed_script import (
    CLOCKS,
    PLACES,
    TimedFill,
    TimedInOrder,
    TimedScript,
    TimedWalk,
    tell_otherwise,
)
from swagproof.oracle.search.attempts import (
    LEAD,
    MODERATE,
    Attempt,
    Phase,
    by_faith,
    drawing,
    lengthen,
    telling,
)
from swagproof.oracle.search.counts import COUNTS, counts, monotone
from swagproof.oracle.search.lengths import lengths
from swagproof.oracle.search.plain import fills, fuzz, lives, sizes, slides, turns, walks
from swagproof.oracle.search.words import free_words, spell_word
from swagproof.oracle.trace import QUERY, Step, evict_at, insert_at, range_query

LONGEST: Final = 7
"""The length of the longest words."""

RANGED = 3
"""The number of inserts and evicts in the longest words that are followed by every range."""

SHAPES, PAIRED, REPEATED = 40, 12, 10
"""The size of the largest window from which each entry is evicted, from which any two are, and into which a duplicate
of each other entry is then inserted."""

NESTED: Final = 8
"""The most ranges about one place: more than a small cache of answers holds."""

WINDOWED: Final = (3, 8, 33, 129, 257)
"""Sizes of the windows for range queries."""

DEEP: Final = (60, 250)
DEEPER: Final = (1000, 4000, 10000)
"""Sizes of the windows in long traces."""


def phases(domains: Sequence[Domain], seed: int, methods: Sequence[str]) -> list[Phase]:
    """Return the phases of the search; with range queries if the subject has them."""
    ranges = "range_query" in methods

    def chance(phase: str) -> Random:
        return Random(f"{phase} {seed}")

    return [
        *_shared_phases(domains, seed, ranges),
        Phase("slides", 0.06, slides(domains, chance("slides"), partial(TimedInOrder, ranges=False))),
        Phase("counts", 0.08, counts(domains, chance("counts"), partial(TimedInOrder, ranges=False))),
        Phase("clocks", 0.06, _at_other_clocks(domains, chance("clocks"), methods)),
        Phase("at one time", 0.04, _at_one_time(domains, chance("at one time"))),
        Phase("monotone", 0.06, monotone(domains, chance("monotone"), partial(TimedInOrder, ranges=False))),
        Phase("shapes", 0.1, shapes(domains, chance("shapes"))),
        *([Phase("ranges", 0.1, _ranges(domains, chance("ranges")))] if ranges else ()),
        *bulk.phases(_shared_phases(domains, seed + 1, ranges), domains, seed, methods, timed=True),
        *([Phase("crowds", 0.05, bulk.crowds(domains))] if "begin_bulk" in methods else ()),
        *([Phase("cuts", 0.05, bulk.cuts(domains))] if "bulk_evict" in methods else ()),
        Phase("deep", 0.15, _deep(DEEP, domains, chance("deep"), ranges)),
        Phase("deeper", 0.15, _deep(DEEPER, domains, chance("deeper"), ranges)),
        Phase("lengths", 0.05, lengths("out-of-order", domains, methods)),
        Phase("lives", 0.35, lives(domains, chance("lives"), partial(TimedInOrder, ranges=ranges)), least=1 << 16),
    ]


def _shared_phases(domains: Sequence[Domain], seed: int, ranges: bool) -> list[Phase]:
    """Return the phases that all kinds of window share."""

    def chance(phase: str) -> Random:
        return Random(f"{phase} {seed}")

    return [
        Phase("short words", 0.15, lengthen(partial(_words, domains), LONGEST), LEAD),
        Phase("plain walks", 0.2, walks(domains, chance("plain walks"), partial(TimedWalk, ranges=ranges))),
        Phase("fills", 0.12, fills(domains, chance("fills"), partial(TimedFill, ranges=ranges))),
        Phase("every size", 0.12, sizes(domains, chance("every size"), partial(TimedInOrder, ranges=ranges))),
        Phase("turns", 0.12, turns(domains, chance("turns"), partial(TimedInOrder, ranges=ranges))),
        Phase("random walks", 0.15, fuzz(domains, chance("random walks"), partial(TimedWalk, ranges=ranges))),
    ]


@cache
def orderings(count: int) -> tuple[tuple[int, ...], ...]:
    """Return every order of `count` times, ties included: the rank of each, the earliest 0.

    >>> orderings(2)
    ((0, 0), (1, 0), (0, 1))
    >>> [len(orderings(count)) for count in range(7)]
    [1, 1, 3, 13, 75, 541, 4683]
    """
    if not count:
        return ((),)

    def grow(ranks: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        many = max(ranks, default=-1) + 1
        yield from ((*ranks, rank) for rank in range(many))
        for gap in range(many + 1):
            yield (*(rank + (rank >= gap) for rank in ranks), gap)

    return tuple(longer for ranks in orderings(count - 1) for longer in grow(ranks))


def _words(domains: Sequence[Domain], length: int) -> Iterator[Attempt]:
    """Yield the words of this length; times lie about 0, to show that 0 is not special."""
    what = f"every sequence of up to {length} operations, with its times in every order"
    for domain in domains:
        for order in domain.orders:
            elements = list(itertools.islice(itertools.cycle(order), length))
            for word in free_words(length, "ie"):
                for ranks in orderings(length - word.count("q")):
                    middle = max(ranks, default=0) // 2
                    yield Attempt(domain, what, spell_word(word, iter(elements), (rank - middle for rank in ranks)))


def _at_other_clocks(domains: Sequence[Domain], random: Random, methods: Sequence[str]) -> Iterator[Attempt]:
    """Yield every word of up to three operations on each clock; then longer words, walks and bulks, each on one
    clock."""
    ranges, first = "range_query" in methods, telling(domains)[:1]
    words = itertools.chain.from_iterable(_words(first, length) for length in range(1, 4))
    what = "at times far from 0, far apart, or by large steps"
    for attempt, clock in itertools.product(words, range(CLOCKS)):
        yield attempt._replace(what=what, steps=tell_otherwise(attempt.steps, clock))
    others = [
        _words(first, 4),
        walks(domains, random, partial(TimedWalk, ranges=ranges)),
        *([bulk.in_bulk(_words(first, 4), random, methods, timed=True)] if bulk.has_bulks(methods) else ()),
    ]
    clocks = itertools.cycle(range(CLOCKS))
    for attempt in itertools.chain.from_iterable(itertools.zip_longest(*others)):
        if attempt is not None:
            yield attempt._replace(what=what, steps=tell_otherwise(attempt.steps, next(clocks)))


def shapes(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    """Yield every evict, and then another, from windows that were filled in several orders; the smallest first."""
    for size in range(1, SHAPES + 1):
        times = range(2, 2 * size + 2, 2)
        for domain in telling(domains)[:1]:
            for order in _orders(times):
                inserts = list(map(insert_at, order, itertools.cycle(domain.orders[0])))
                for first in times:
                    others = [time for time in times if time != first]
                    for second in others if size <= PAIRED else random.sample(others, 1):
                        steps = [*inserts, QUERY, evict_at(first), QUERY, evict_at(second), QUERY]
                        for time in others if size <= REPEATED else ():
                            steps += [insert_at(time, domain.orders[0][0]), QUERY] if time != second else ()
                        yield Attempt(domain, f"every evict from {size} entries, and one more", steps)


def _at_one_time(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    """Yield many inserts at a time between two others, and one more."""
    for many, domain in zip(COUNTS[4:], itertools.cycle(by_faith(domains) or domains), strict=False):
        element = drawing(domain, random)
        steps = [insert_at(time, element()) for time in (3, 1, *[2] * many)]
        steps += [QUERY, insert_at(2, element()), QUERY, evict_at(2), QUERY, insert_at(2, element()), QUERY]
        yield Attempt(domain, f"{many:,} inserts at one time", steps)


def _ranges(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    for length in range(RANGED + 1):
        if length == RANGED:
            yield from _nested_ranges(domains)
        for domain in domains:
            what = f"every range after every sequence of {length} inserts and evicts"
            for word in itertools.product("ie", repeat=length):
                for ranks in orderings(length):
                    ends = range(-1, 2 * max(ranks, default=-1) + 2)
                    steps = spell_word(word, itertools.cycle(domain.orders[0]), (2 * rank for rank in ranks))
                    yield Attempt(
                        domain, what, [*steps, *itertools.starmap(range_query, itertools.product(ends, repeat=2))]
                    )
    for size in WINDOWED:
        for domain in domains:
            script = TimedScript(domain, random, ranges=True)
            script.fill(size, random.choice(PLACES))
            for _ in range(100):
                script.change(0.5 if len(script.times) > 1 else 1.0, PLACES, PLACES)
                script.ask_ranges(3)
            yield Attempt(domain, f"ranges of windows of {size:,} entries", script.steps)


def _nested_ranges(domains: Sequence[Domain]) -> Iterator[Attempt]:
    """Yield ranges about one place, a change there, and the same ranges again: every cached answer is stale.

    The ranges are repeated in the same order and in reverse, since a cache of few answers has only the last of them.
    """
    changes: tuple[Callable[[object], Step], ...] = (
        partial(insert_at, 0),
        lambda _: evict_at(0),
        partial(insert_at, 1),
    )
    for domain in telling(domains)[:1]:
        for many, change, back in itertools.product(range(2, NESTED + 1), changes, (1, -1)):
            elements = itertools.cycle(domain.orders[0])
            inserts = list(map(insert_at, (0, -2 * NESTED, 2 * NESTED), elements))
            ranges = [range_query(-reach, reach) for reach in range(1, many + 1)]
            steps = [*inserts, *ranges, change(next(elements)), *ranges[::back]]
            yield Attempt(domain, f"up to {NESTED} ranges about a place, before and after a change", steps)


def _faithful_first(domains: Sequence[Domain]) -> list[Domain]:
    """Return the domains, those with faithful answers first; among them, those whose answers stay small."""
    return sorted(domains, key=lambda domain: (not domain.operation.faithful, not domain.small))


def _fit(domains: Sequence[Domain], size: int) -> Sequence[Domain]:
    """The domains whose answers stay small enough for windows of this size."""
    return domains if size <= MODERATE else by_faith(domains)


def _orders(times: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield orders in which to fill a window: from the oldest, from the youngest, from the middle, and from both
    ends."""
    ends = itertools.chain.from_iterable(zip(times, times[::-1], strict=True))
    outside_in = list(itertools.islice(ends, len(times)))
    yield from (times, times[::-1], outside_in[::-1], outside_in)


def _deep(sizes: Sequence[int], domains: Sequence[Domain], random: Random, ranges: bool) -> Iterator[Attempt]:
    """Yield walks in deep trees: at every place over the faithful domains, at one place over one of the others."""
    for size in sizes:
        some = _faithful_first(_fit(domains, size))
        revealing = [domain for domain in some if domain.operation.faithful]
        rest = [domain for domain in some if not domain.operation.faithful]
        places = PLACES if size <= 1000 else random.sample(PLACES, 1)
        for domain, place in (
            *itertools.product(revealing or rest[:1], places),
            *((domain, random.choice(PLACES)) for domain in random.sample(rest, min(2, len(rest)))),
        ):
            script = TimedScript(domain, random, ranges)
            script.fill(size, place)
            for _ in range(max(800, size)):
                script.change(0.5, PLACES, PLACES)
                script.ask()
            _drain(script)
            yield Attempt(domain, f"long trace over windows of about {size:,} entries", script.steps)


def _drain(script: TimedScript) -> None:
    while script.times:
        script.change(0.02, PLACES, PLACES)
        script.ask()
    script.ask()
