"""The traces for bulk operations.

A bulk is the sequence of its single operations.  So the traces of all other phases run once more, with their runs of
inserts and evicts grouped into bulks of any size, some left single, and with empty bulks in between (`in_bulk`).
Further phases add traces that no run of single operations leads to: a bulk that never ends, bulks of thousands, and,
for out-of-order windows, many pairs between two entries and cuts at absent times.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final

from swagproof.models.monoid import A
from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import Attempt, Phase, by_faith, interleave
from swagproof.oracle.trace import (
    BEGIN,
    END,
    EVICT,
    QUERY,
    Step,
    asks,
    bulk_evict,
    bulk_insert,
    evict_at,
    insert,
    insert_at,
    singly,
)
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reference.trees.fiba import Fiba

ENTRIES: Final = 4
"""The number of entries of the windows for `crowds`."""

CROWD: Final = 10
"""The most pairs that go into one gap: more than a leaf of a usual tree holds."""

CUTS: Final = tuple((1 << power) + beside for power in range(3, 9) for beside in (0, 1))
"""Sizes of the windows for `cuts`: powers of two, and one more."""

LARGEST: Final = (2_049, 4_097, 10_001)
"""The sizes of the largest bulks, each tried once."""

LONGEST: Final = 3_000
"""The length of the longest trace that is repeated in bulk."""

SINGLY, EMPTY, QUIET = 0.3, 0.1, 0.5
"""The fraction of a run's operations that stay single, of empty bulks, and of traces without queries within a run."""


class _Marked:
    """A window whose bulk markers do nothing."""

    def begin_bulk(self) -> None:
        """Begin a bulk: the inserts that follow belong to it, and no query comes before its end."""

    def end_bulk(self) -> None:
        """End the bulk."""


class Bulked(_Marked, Fiba[A]):
    """The expected results: FiBA, with bulk operations as loops over single ones.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = Bulked(CONCATENATION, 4)
    >>> window.insert(1, "a"); window.insert(3, "b"); window.insert(5, "c"); window.bulk_evict(3); window.query()
    'c'
    """

    def bulk_evict(self, t: Any) -> None:
        """Remove every entry with a time <= t."""
        while self.left_finger.times and not t < self.left_finger.get_time(0):
            self.evict(self.left_finger.get_time(0))


class BulkedFifo(_Marked, TwoStacks[A]):
    """The expected results for a FIFO window with bulks: Two-Stacks.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = BulkedFifo(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.insert("c"); window.bulk_evict(2); window.query()
    'c'
    """

    def bulk_evict(self, count: int) -> None:
        """Remove the `count` oldest elements."""
        for _ in range(count):
            self.evict()


def has_bulks(methods: Sequence[str]) -> bool:
    """Return whether there are bulks among these operations."""
    return not {"begin_bulk", "bulk_evict"}.isdisjoint(methods)


OPENED: Final = 64
"""One in so many traces in bulk comes after a trace whose bulk is not ended."""
AGAIN: Final = ("short words", "plain walks", "fills", "every size", "turns", "random walks")
"""The phases of single operations to repeat in bulk."""


def phases(
    singly: Sequence[Phase], domains: Sequence[Domain], seed: int, methods: Sequence[str], timed: bool
) -> list[Phase]:
    """Return the phases for the bulk operations of a subject; `singly` are phases of single operations."""
    if not has_bulks(methods):
        return []
    random = Random(f"bulks {seed}")
    attempts = (attempt for _, attempt in interleave([phase for phase in singly if phase.name in AGAIN]))
    again = enumerate(in_bulk(attempts, random, methods, timed))
    opened = list(left_open(domains, methods, timed))  # several times: a trace without bulks must follow one
    tried = itertools.chain.from_iterable([*opened, it] if number % OPENED == 0 else [it] for number, it in again)
    return [Phase("bulks", 0.3, tried), Phase("large bulks", 0.15, largest(domains, methods, timed))]


def in_bulk(attempts: Iterable[Attempt], random: Random, methods: Sequence[str], timed: bool) -> Iterator[Attempt]:
    """Yield the same traces with runs of inserts and evicts in bulk, at least one in each; half of them without queries
    within a run."""
    for attempt in attempts:
        if len(attempt.steps) <= LONGEST:
            asked = random.random() < QUIET
            steps = [step for step in attempt.steps if asked or not asks(step) or random.random() < SINGLY]
            regrouped = [*_regroup(steps, random, methods, timed), QUERY]
            if has_bulks([step.name for step in regrouped]):
                yield attempt._replace(what=f"in bulk: {attempt.what}", steps=regrouped, completes=0)


def _regroup(steps: Sequence[Step], random: Random, methods: Sequence[str], timed: bool) -> Iterator[Step]:
    inserts, evicts = "begin_bulk" in methods, "bulk_evict" in methods
    for name, group in itertools.groupby(steps, key=lambda step: step.name):
        run = list(group)
        while run:
            many = random.choice((1, 2, 3, len(run), len(run)))
            part, run = run[:many], run[many:]
            if random.random() < EMPTY:
                yield from bulk_insert(()) if inserts else ()
                yield from [bulk_evict(0)] if evicts and not timed else ()
            if name == "insert" and inserts and random.random() >= SINGLY:
                yield from bulk_insert(sorted(part, key=lambda step: step.arguments[0]) if timed else part)
            elif name == "evict" and evicts and random.random() >= SINGLY:
                bound = random.choice(part).arguments[0] + random.choice((-1, 0, 0, 1)) if timed else len(part)
                yield bulk_evict(bound)
            else:
                yield from part


def left_open(domains: Sequence[Domain], methods: Sequence[str], timed: bool) -> Iterator[Attempt]:
    """Yield a bulk that never ends: its elements are lost with its window; the next window has no open bulk."""
    for domain in domains[:1] if "begin_bulk" in methods else ():
        element = domain.elements.letters[0]
        yield Attempt(domain, "a bulk that is not ended", [BEGIN, insert_at(1, element) if timed else insert(element)])


def largest(domains: Sequence[Domain], methods: Sequence[str], timed: bool) -> Iterator[Attempt]:
    """Yield bulks of thousands: insert into an empty window, evict all but one element, and insert again."""
    inserts, evicts = "begin_bulk" in methods, "bulk_evict" in methods
    for many, domain in itertools.product(LARGEST, (by_faith(domains) or domains)[:1]):
        elements, steps = _cycle(domain), list[Step]()
        for first in (0, many):
            times = range(first, first + many)
            new = list(map(insert_at, times, elements)) if timed else [insert(next(elements)) for _ in times]
            gone = times[:-1] if first == 0 else range(first - 1, first + many)
            cut = [bulk_evict(gone[-1] if timed else len(gone))] if evicts else []
            steps += [*(bulk_insert(new) if inserts else new), QUERY, *cut, QUERY]
            if not evicts:
                steps += [*(map(evict_at, gone) if timed else [EVICT] * len(gone)), QUERY]
        yield Attempt(domain, f"bulks of {many:,}", steps)


def _cycle(domain: Domain) -> Iterator[Any]:
    return itertools.cycle(domain.orders[0])


def crowds(domains: Sequence[Domain]) -> Iterator[Attempt]:
    """Yield many pairs into one gap of a small window, and some at its end times, over an order-sensitive domain."""
    revealing = [domain for domain in domains if domain.operation.faithful] or [*domains]
    for domain in ([domain for domain in revealing if not domain.operation.commutative] or revealing)[:1]:
        apart = CROWD + 2
        there = range(0, ENTRIES * apart, apart)
        for many, gap, ends in itertools.product(
            range(1, CROWD + 1), (0, ENTRIES // 2 - 1, ENTRIES - 2), ((), (0,), (apart,), (0, apart))
        ):
            elements = _cycle(domain)
            filled = list(map(insert_at, there, elements))
            times = sorted([*range(1, many + 1), *ends])
            bulk = bulk_insert([insert_at(there[gap] + time, next(elements)) for time in times])
            yield Attempt(domain, f"bulks of up to {CROWD} and two into one gap", [*filled, *bulk, QUERY])


def cuts(domains: Sequence[Domain]) -> Iterator[Attempt]:
    """Yield bulk evicts at absent times, of few entries and of half, from windows of 2^k entries or one more."""
    for size, domain in itertools.product(CUTS, (by_faith(domains) or domains)[:1]):
        for time in dict.fromkeys((3, 2 * (size // 2) + 1)):
            steps: list[Step] = list(map(insert_at, range(2, 2 * size + 1, 2), _cycle(domain)))
            left = [other for other in range(2, 2 * size + 1, 2) if other > time]
            steps += [bulk_evict(time), QUERY, *map(evict_at, (left[:1] + left[-1:])), QUERY]
            yield Attempt(domain, f"cuts of windows of up to {CUTS[-1]} entries", steps)


def simpler(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """Yield simpler traces: all bulk inserts as single operations; each one as single operations, or removed.

    >>> from swagproof.oracle.trace import inline, parse
    >>> for fewer in simpler(parse('begin_bulk, insert 1 "a", end_bulk, bulk_evict 2, query', "out-of-order")):
    ...     print(inline(fewer))
    insert 1 "a", bulk_evict 2, query
    insert 1 "a", bulk_evict 2, query
    bulk_evict 2, query
    """
    begun = [at for at, step in enumerate(steps) if step == BEGIN]
    if begun:
        yield [step for step in steps if step not in (BEGIN, END)]
    for at in begun:
        end = next((place for place in range(at, len(steps)) if steps[place] == END), len(steps))
        yield [*steps[:at], *steps[at + 1 : end], *steps[end + 1 :]]
        yield [*steps[:at], *steps[end + 1 :]]


def simpler_counts(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """Yield simpler traces of a FIFO window: also with single evicts; each bulk evict smaller, or one evict.

    >>> from swagproof.oracle.trace import inline, parse
    >>> for fewer in simpler_counts(parse('insert "a", insert "b", bulk_evict 2, query')):
    ...     print(inline(fewer))
    insert "a", insert "b", evict, evict, query
    insert "a", insert "b", bulk_evict 1, query
    insert "a", insert "b", bulk_evict 0, query
    """
    if not {"begin_bulk", "bulk_evict"}.isdisjoint(step.name for step in steps):
        yield list(singly(steps))
    yield from simpler(steps)
    for at, (name, arguments) in enumerate(steps):
        if name == "bulk_evict":
            for fewer in dict.fromkeys((arguments[0] // 2, arguments[0] - 1, 0)):
                if 0 <= fewer < arguments[0]:
                    yield [*steps[:at], bulk_evict(fewer), *steps[at + 1 :]]
            if arguments[0] == 1:
                yield [*steps[:at], EVICT, *steps[at + 1 :]]
