"""The traces that FIFO windows are tried with, in phases.

1. *Short words.*  Every legal word over insert, evict and query of up to 12 operations, shortest first, over every
   domain and several orders of elements each, queries left out or doubled included (some mistakes show only when a
   query comes, or does not come, in between).
2. *Plain walks*, *fills*, *every size*, *slides*, *random walks* and *turns*: walks of several shapes, windows of every
   size, slides past every count of evicts, a naive fuzzer, and growth with the first element at every offset
   (`swagproof.oracle.search.plain`).
3. *Words with bulks*, *refills in bulk* and *bulks*, where the subject has bulk_insert or bulk_evict: see
   `swagproof.oracle.kinds.bulk`.
4. *Counts*, *monotone*: what happens as often as a counter of some bits counts, and streams that rise or fall
   (`swagproof.oracle.search.counts`).
5. *Lives.*  65,537 elements that come and go, all of them at once, looked at only when all are
   there; then 50 at a time.

Elements beyond the short words are drawn at random.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import cache, partial
from random import Random
from typing import Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds import bulk
from swagproof.oracle.search.attempts import LEAD, Attempt, Phase, drawing, lengthen
from swagproof.oracle.search.counts import counts, monotone
from swagproof.oracle.search.lengths import lengths
from swagproof.oracle.search.plain import fills, fuzz, lives, sizes, slides, turns, walks
from swagproof.oracle.search.words import spell_word
from swagproof.oracle.trace import EVICT, QUERY, Step, insert

LONGEST: Final = 12
"""Operations in the longest words."""


def phases(domains: Sequence[Domain], seed: int, methods: Sequence[str] = ()) -> list[Phase]:
    """Return what to try."""
    return [
        Phase("short words", 0.15, lengthen(partial(_words, domains), LONGEST), LEAD),
        Phase("plain walks", 0.15, walks(domains, Random(f"plain walks {seed}"), FifoScript)),
        Phase("fills", 0.1, fills(domains, Random(f"fills {seed}"), FifoScript)),
        Phase("every size", 0.15, sizes(domains, Random(f"every size {seed}"), FifoScript)),
        Phase("slides", 0.15, slides(domains, Random(f"slides {seed}"), FifoScript)),
        Phase("random walks", 0.45, fuzz(domains, Random(f"random walks {seed}"), FifoScript)),
        Phase("turns", 0.6, turns(domains, Random(f"turns {seed}"), FifoScript)),
        *_in_bulk(domains, seed, methods),
        Phase("counts", 0.1, counts(domains, Random(f"counts {seed}"), FifoScript)),
        Phase("monotone", 0.1, monotone(domains, Random(f"monotone {seed}"), FifoScript)),
        Phase("lengths", 0.05, lengths("fifo", domains, methods)),
        Phase("lives", 0.25, lives(domains, Random(f"lives {seed}"), FifoScript)),
    ]


def _in_bulk(domains: Sequence[Domain], seed: int, methods: Sequence[str]) -> list[Phase]:
    if {"begin_bulk", "bulk_evict"}.isdisjoint(methods):
        return []
    return [
        Phase("words with bulks", 0.15, lengthen(partial(bulk.every_word, domains, methods), bulk.WORDS)),
        Phase("refills in bulk", 0.15, bulk.turned(domains, methods)),
        Phase("bulks", 0.15, bulk.large(domains, Random(f"bulks {seed}"), methods, timed=False)),
    ]


@cache
def words(length: int) -> tuple[str, ...]:
    """Legal words over i(nsert), e(vict) and q(uery) that end with a query, and never ask more than twice in a row.

    >>> words(3)
    ('iiq', 'ieq', 'iqq', 'qiq')
    >>> [len(words(length)) for length in range(1, 13)]
    [1, 2, 4, 11, 29, 77, 209, 572, 1577, 4373, 12186, 34092]
    """

    def grow(word: str, size: int) -> Iterator[str]:
        if len(word) == length:
            yield word
            return
        last = len(word) == length - 1
        if not last:
            yield from grow(word + "i", size + 1)
            if size:
                yield from grow(word + "e", size - 1)
        if not word.endswith("qq"):
            yield from grow(word + "q", size)

    return tuple(grow("", 0))


def _words(domains: Sequence[Domain], length: int) -> Iterator[Attempt]:
    for domain in domains:
        for order in domain.orders:
            for word in words(length):
                steps = spell_word(word, itertools.cycle(order))
                yield Attempt(domain, f"every sequence of up to {length} operations", steps)


class FifoScript:
    """A trace that is being written, for the simple phases."""

    def __init__(self, domain: Domain, random: Random) -> None:
        self.steps: list[Step] = []
        self.random = random
        self.size = 0
        self._element = drawing(domain, random)

    def enter(self) -> None:
        self.steps.append(insert(self._element()))
        self.size += 1

    def leave(self) -> None:
        self.steps.append(EVICT)
        self.size -= 1

    def ask(self) -> None:
        self.steps.append(QUERY)
