"""The traces that bulk operations of out-of-order windows are tried with.

What goes wrong in a bulk insert is decided by where its times lie: before, between, at or behind those that are
present, at one another, or nowhere, of no pairs at all.  So all of it is tried in small windows, with every sorted
choice of up to three times that lie at an entry, between two or outside; and every bulk evict, at an entry, just before
and just behind it.  Beside these, windows of up to a thousand entries, between bulks of a few pairs and of as many as
there are.
"""

import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from swagproof.models.monoid import A
from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import MODERATE, Attempt, by_faith, drawing
from swagproof.oracle.trace import QUERY, Step, evict_at, insert_at
from swagproof.reference.trees.fiba import Fiba

BEGIN: Final = Step("begin_bulk")
END: Final = Step("end_bulk")

ENTRIES: Final = 4
"""Entries of the largest window of which every bulk is tried, and pairs of the largest bulk, but one."""

LARGER: Final = (8, 17, 8, 40, 17, 100, 8, 40, 257, 17, 100, 1000)
"""Entries of windows that are changed in bulk, many times, in turn."""


class Bulked(Fiba[A]):
    """The right answers: FiBA, and of bulk operations the loop over single ones, which is what they mean.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = Bulked(CONCATENATION, 4)
    >>> window.insert(1, "a"); window.insert(3, "b"); window.insert(5, "c"); window.bulk_evict(3); window.query()
    'c'
    """

    def begin_bulk(self) -> None:
        """What is inserted from here on is a bulk: nobody asks before its end."""

    def end_bulk(self) -> None:
        """So far."""

    def bulk_evict(self, t: Any) -> None:
        """Remove every entry with a time <= t."""
        while self.left_finger.times and not t < self.left_finger.get_time(0):
            self.evict(self.left_finger.get_time(0))


def bulk_insert(pairs: Sequence[tuple[Any, Any]]) -> list[Step]:
    """The operations that insert these pairs, sorted by time, at once.

    >>> from swagproof.oracle.trace import inline
    >>> inline(bulk_insert([(1, "a"), (3, "b")]))
    'begin_bulk, insert 1 "a", insert 3 "b", end_bulk'
    """
    return [BEGIN, *itertools.starmap(insert_at, pairs), END]


def bulk_evict(time: Any) -> Step:
    """The operation that evicts every entry up to a time, that time included."""
    return Step("bulk_evict", (time,))


def small(domains: Sequence[Domain], methods: Sequence[str]) -> Iterator[Attempt]:
    """Small windows and every bulk."""
    inserts, evicts = "begin_bulk" in methods, "bulk_evict" in methods
    for size in range(ENTRIES + 1):
        for domain in domains:
            elements = list(itertools.islice(itertools.cycle(domain.orders[0]), ENTRIES + ENTRIES))
            filled = [
                insert_at(time, element) for time, element in zip(range(2, 2 * size + 1, 2), elements, strict=False)
            ]
            for way in (filled, filled[::-1]) if size > 1 else (filled,):
                for many in range(ENTRIES) if inserts else ():
                    for times in itertools.combinations_with_replacement(range(1, 2 * size + 2), many):
                        bulk = bulk_insert(list(zip(times, elements[size:], strict=False)))
                        after = [evict_at(max(times, default=2)), QUERY]
                        what = f"every bulk insert of up to {ENTRIES - 1}"
                        yield Attempt(domain, what, [*way, *bulk, QUERY, *after])
                for time in range(1, 2 * size + 2) if evicts else ():
                    after = [insert_at(time, elements[-1]), QUERY, bulk_evict(time + 2), QUERY]
                    yield Attempt(domain, "every bulk evict", [*way, bulk_evict(time), QUERY, *after])


def large(domains: Sequence[Domain], random: Random, methods: Sequence[str]) -> Iterator[Attempt]:
    """Larger windows, and bulks of any size."""
    inserts, evicts = "begin_bulk" in methods, "bulk_evict" in methods
    telling = [domain for domain in domains if domain.operation.faithful] or domains[:1]
    turns = [itertools.cycle(some) for some in (telling, by_faith(domains) or telling, domains)]
    for number, size in enumerate(itertools.cycle(LARGER)):
        domain = next(turns[1 if size > MODERATE else 2 if number % 3 == 2 else 0])
        steps = list(_change(domain, size, random, inserts, evicts))
        yield Attempt(domain, f"bulks about windows of {size:,} entries", steps)


def _change(domain: Domain, size: int, random: Random, inserts: bool, evicts: bool) -> Iterator[Step]:
    """A window that grows and shrinks by bulks, and a little by single operations; asked after each."""
    element, times = drawing(domain, random), list[int]()
    newest = 0
    for _ in range(24):
        many = random.choice((0, 1, 2, size // 3, size))
        low = random.choice((newest + 1, newest - size, times[0] - size if times else 0))
        span = random.choice((max(1, many // 2), 2 * many + 1))  # in the first some times are repeated
        drawn = sorted(low + random.randrange(span) for _ in range(many))
        pairs = [(time, element()) for time in drawn]
        yield from bulk_insert(pairs) if inserts else itertools.starmap(insert_at, pairs)
        yield QUERY
        times = sorted({*times, *drawn})
        newest = max(newest, *times[-1:], 0)
        while evicts and len(times) > size:
            last = times[random.randrange(len(times))] + random.choice((-1, 0, 1))
            yield bulk_evict(last)
            yield QUERY
            times = [time for time in times if time > last]
        for time in random.sample(times, min(len(times), 2 if evicts else max(2, len(times) - size))):
            yield evict_at(time)
            times.remove(time)
        yield QUERY
    if evicts and times:
        yield bulk_evict(times[-1])
        yield QUERY
