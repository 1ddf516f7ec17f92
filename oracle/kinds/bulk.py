"""The traces that bulk operations are tried with.

What goes wrong in a bulk is decided by where it meets what is there.  Of an out-of-order window: where its times lie,
before, between, at or behind those that are present, at one another, or nowhere, of no pairs at all.  So all of it is
tried in small windows, with every sorted choice of up to three times that lie at an entry, between two or outside; and
every bulk evict, at an entry, just before and just behind it.  Up to ten pairs go into one gap, some of them onto its
ends; and windows at powers of two and one beyond are cut at times that are absent.  Of a FIFO window: how much is in
its front and in its back, in its buffer before the end and behind it.  So all short words are tried whose letters are
bulks of up to three elements, none included, beside single operations; and every small fill, turn and refill, in bulks
and singly.  Beside these, windows of up to a thousand entries, between bulks of a few and of as many as there are.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from swagproof.models.monoid import A
from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import MODERATE, Attempt, by_faith, drawing, telling
from swagproof.oracle.search.runs import LONGEST, Style, short_structures, spell
from swagproof.oracle.search.words import spell_word
from swagproof.oracle.trace import (
    BEGIN,
    END,
    EVICT,
    QUERY,
    Step,
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
"""Entries of the largest window of which every bulk is tried, and pairs of the largest bulk, but one."""

CROWD: Final = 10
"""Pairs that go into one gap, at most: more than a leaf of a usual tree holds."""

CUTS: Final = tuple((1 << power) + beside for power in range(3, 9) for beside in (0, 1))
"""Entries of windows that are cut: powers of two, and one more."""

LARGER: Final = (8, 17, 8, 40, 17, 100, 8, 40, 257, 17, 100, 1000)
"""Entries of windows that are changed in bulk, many times, in turn."""

LARGEST: Final = (2_049, 4_097, 10_001)
"""Elements in the largest bulks, each tried once."""

WORDS: Final = 6
"""Operations in the longest words over bulks, each of which is one."""


class _Marked:
    """A window whose bulk markers do nothing."""

    def begin_bulk(self) -> None:
        """Begin a bulk: the inserts that follow belong to it, and no query comes before its end."""

    def end_bulk(self) -> None:
        """So far."""


class Bulked(_Marked, Fiba[A]):
    """The right answers: FiBA, and of bulk operations the loop over single ones, which is what they mean.

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
    """The same of a FIFO window: Two-Stacks.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = BulkedFifo(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.insert("c"); window.bulk_evict(2); window.query()
    'c'
    """

    def bulk_evict(self, count: int) -> None:
        """Remove the oldest so many."""
        for _ in range(count):
            self.evict()


def left_open(domain: Domain, entries: Sequence[Step], methods: Sequence[str]) -> Iterator[Attempt]:
    """A bulk that is never ended: what was handed over is gone with its window, and the next begins with none."""
    if "begin_bulk" in methods:
        yield Attempt(domain, "a bulk that is not ended", [BEGIN, *entries])


def largest(domain: Domain, methods: Sequence[str], timed: bool) -> Iterator[Attempt]:
    """Bulks of thousands into an empty window, and out of it but for one, and again behind what is left."""
    inserts, evicts = "begin_bulk" in methods, "bulk_evict" in methods
    for many in LARGEST:
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


def large(domains: Sequence[Domain], random: Random, methods: Sequence[str], timed: bool) -> Iterator[Attempt]:
    """Larger windows, and bulks of any size; the largest as soon as there were some of each."""
    inserts, evicts = "begin_bulk" in methods, "bulk_evict" in methods
    for number, (domain, size) in enumerate(_in_turn(domains)):
        if number == len(LARGER):
            yield from largest((by_faith(domains) or domains)[0], methods, timed)
        steps = list((_change if timed else _wander)(domain, size, random, inserts, evicts))
        yield Attempt(domain, f"bulks in windows of about {size:,} elements", steps)


# FIFO


def styles(methods: Sequence[str]) -> list[Style]:
    """The ways in which runs of inserts and of evicts are done by who has these methods: the most bulks first."""
    inserts, evicts = ("begin_bulk" in methods, "bulk_evict" in methods)
    return [
        Style(*both)
        for both in ((True, True), (True, False), (False, True))
        if both[0] <= inserts and both[1] <= evicts
    ]


@cache
def words(length: int, inserts: bool, evicts: bool) -> tuple[tuple[str, ...], ...]:
    """Legal words of so many operations, the last a query: `i`, `e`, `q`, and bulks `+0` to `+3`, `-0` to all.

    Each holds a bulk, and asks no more than once in a row.

    >>> words(2, True, False)
    (('+0', 'q'), ('+1', 'q'), ('+2', 'q'), ('+3', 'q'))
    >>> [len(words(length, True, True)) for length in (2, 3, 4)]
    [5, 50, 497]
    """

    def grow(word: tuple[str, ...], size: int) -> Iterator[tuple[str, ...]]:
        if len(word) == length - 1:
            if any(letter[0] in "+-" for letter in word):
                yield *word, "q"
            return
        yield from grow((*word, "i"), size + 1)
        if size:
            yield from grow((*word, "e"), size - 1)
        if word and word[-1] != "q":
            yield from grow((*word, "q"), size)
        for many in range(ENTRIES) if inserts else ():
            yield from grow((*word, f"+{many}"), size + many)
        for many in range(size + 1) if evicts else ():
            yield from grow((*word, f"-{many}"), size - many)

    return tuple(grow((), 0))


def every_word(domains: Sequence[Domain], methods: Sequence[str], length: int) -> Iterator[Attempt]:
    """All words of so many operations, a bulk among them; the short ones over each domain, the others over one after
    another, most over the first."""
    if length == 1:
        yield from left_open(domains[0], [insert(domains[0].elements.letters[0])], methods)
    every = words(length, "begin_bulk" in methods, "bulk_evict" in methods)
    over: Iterable[tuple[Domain, tuple[str, ...]]] = itertools.product(domains, every)
    if length >= ENTRIES:
        turns = itertools.cycle(domain for other in domains for domain in (domains[0], domains[0], other))
        over = zip(turns, every, strict=False)
    for domain, word in over:
        yield Attempt(
            domain, f"every sequence of up to {WORDS} operations with bulks", spell_word(word, _cycle(domain))
        )


def _cycle(domain: Domain) -> Iterator[Any]:
    return itertools.cycle(domain.orders[0])


def turned(domains: Sequence[Domain], methods: Sequence[str]) -> Iterator[Attempt]:
    """Every fill, turn and refill of so many operations, in bulks and singly; emptied then, with looks."""
    some = itertools.cycle(telling(domains))
    for runs in short_structures(LONGEST + 1):
        left = sum(runs[::2]) - sum(runs[1::2])
        for style in styles(methods):
            domain = next(some)
            steps = spell(runs, domain.orders[0], style=style)
            for gone in (left // 2, left - left // 2):
                steps += [QUERY, *spell((0, gone), domain.orders[0], style=style)]
            yield Attempt(domain, f"fills and refills in bulks of up to {LONGEST}", [*steps, QUERY])


def _wander(domain: Domain, about: int, random: Random, inserts: bool, evicts: bool) -> Iterator[Step]:
    """A window that grows and shrinks by bulks, to sizes at which buffers grow, and a little by single operations."""
    element, size = drawing(domain, random), 0
    for _ in range(24):
        power = 1 << size.bit_length()
        many = random.choice((0, 1, 2, about // 3, about, power - size, power - size + 1, 2 * power - size + 1))
        new = [insert(element()) for _ in range(many if size <= about else random.randrange(3))]
        yield from bulk_insert(new) if inserts else new
        size += len(new)
        yield QUERY
        gone = min(size, random.choice((0, 1, 2, about // 3, size // 2, size - 1 if size else 0, size)))
        yield from [bulk_evict(gone)] if evicts else [EVICT] * gone
        size -= gone
        yield QUERY
        for _ in range(random.randrange(4)):
            yield insert(element())
            size += 1
            if random.random() < 0.5:
                yield EVICT
                size -= 1
        if random.random() < 0.5:
            yield QUERY
    yield from spell((0, size), (), style=Style(False, evicts)) if size else ()
    yield QUERY


def _in_turn(domains: Sequence[Domain]) -> Iterator[tuple[Domain, int]]:
    """Sizes of larger windows, each over a domain; two of three over one that hides nothing."""
    revealing = telling(domains)
    turns = [itertools.cycle(some) for some in (revealing, by_faith(domains) or revealing, domains)]
    for number, size in enumerate(itertools.cycle(LARGER)):
        yield next(turns[1 if size > MODERATE else 2 if number % 3 == 2 else 0]), size


def simpler(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """All bulks of inserts done singly; each of them done singly, or left out.

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
    """The same of a FIFO window, evicts done singly, too; each bulk of evicts smaller, or an evict.

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


# Out of order


def small(domains: Sequence[Domain], methods: Sequence[str]) -> Iterator[Attempt]:
    """Small windows and every bulk."""
    inserts, evicts = "begin_bulk" in methods, "bulk_evict" in methods
    yield from left_open(domains[0], [insert_at(1, domains[0].elements.letters[0])], methods)
    for size in range(ENTRIES + 1):
        for domain in domains:
            elements = list(itertools.islice(itertools.cycle(domain.orders[0]), ENTRIES + ENTRIES))
            filled = [
                insert_at(time, element) for time, element in zip(range(2, 2 * size + 1, 2), elements, strict=False)
            ]
            for way in (filled, filled[::-1]) if size > 1 else (filled,):
                for many in range(ENTRIES) if inserts else ():
                    for times in itertools.combinations_with_replacement(range(1, 2 * size + 2), many):
                        bulk = bulk_insert(map(insert_at, times, elements[size:]))
                        after = [evict_at(max(times, default=2)), QUERY]
                        what = f"every bulk insert of up to {ENTRIES - 1}"
                        yield Attempt(domain, what, [*way, *bulk, QUERY, *after])
                for time in range(1, 2 * size + 2) if evicts else ():
                    after = [insert_at(time, elements[-1]), QUERY, bulk_evict(time + 2), QUERY]
                    yield Attempt(domain, "every bulk evict", [*way, bulk_evict(time), QUERY, *after])


def crowds(domains: Sequence[Domain]) -> Iterator[Attempt]:
    """Many pairs into one gap of a small window, and some onto the entries at its ends: over what shows their order."""
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
    """Bulk evicts at times that are absent, of few entries and of half, from windows of 2^k entries or one more."""
    for size, domain in itertools.product(CUTS, (by_faith(domains) or domains)[:1]):
        for time in dict.fromkeys((3, 2 * (size // 2) + 1)):
            steps: list[Step] = list(map(insert_at, range(2, 2 * size + 1, 2), _cycle(domain)))
            left = [other for other in range(2, 2 * size + 1, 2) if other > time]
            steps += [bulk_evict(time), QUERY, *map(evict_at, (left[:1] + left[-1:])), QUERY]
            yield Attempt(domain, f"cuts of windows of up to {CUTS[-1]} entries", steps)


def _change(domain: Domain, size: int, random: Random, inserts: bool, evicts: bool) -> Iterator[Step]:
    """A window that grows and shrinks by bulks, and a little by single operations; asked after each."""
    element, times = drawing(domain, random), list[int]()
    newest = 0
    for _ in range(24):
        many = random.choice((0, 1, 2, size // 3, size))
        low = random.choice((newest + 1, newest - size, times[0] - size if times else 0))
        span = random.choice((max(1, many // 2), 2 * many + 1))  # in the first some times are repeated
        drawn = sorted(low + random.randrange(span) for _ in range(many))
        entries = [insert_at(time, element()) for time in drawn]
        yield from bulk_insert(entries) if inserts else entries
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
