"""The traces for FIFO windows, in phases, which `swagproof.oracle.vectors.drafts.FLAGS` describes.

Short words come first: every legal word over insert, evict and query of up to 12 operations, the shortest first, over
every domain and several orders of elements each; some bugs appear only with, or only without, a query in between.  In
longer traces elements are random.  The walks are those of `swagproof.oracle.search.plain` and
`swagproof.oracle.search.counts`.
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
"""The length of the longest words."""


def phases(domains: Sequence[Domain], seed: int, methods: Sequence[str] = ()) -> list[Phase]:
    """Return the phases of the search."""
    return [
        *_singly(domains, seed),
        *bulk.phases(_singly(domains, seed + 1), domains, seed, methods, timed=False),
        Phase("counts", 0.13, counts(domains, Random(f"counts {seed}"), FifoScript)),
        Phase("monotone", 0.1, monotone(domains, Random(f"monotone {seed}"), FifoScript)),
        Phase("lengths", 0.05, lengths("fifo", domains, methods)),
        Phase("lives", 0.3, lives(domains, Random(f"lives {seed}"), FifoScript), least=1 << 16),
    ]


def _singly(domains: Sequence[Domain], seed: int) -> list[Phase]:
    return [
        Phase("short words", 0.12, lengthen(partial(_words, domains), LONGEST), LEAD),
        Phase("plain walks", 0.13, walks(domains, Random(f"plain walks {seed}"), FifoScript)),
        Phase("fills", 0.05, fills(domains, Random(f"fills {seed}"), FifoScript)),
        Phase("every size", 0.19, sizes(domains, Random(f"every size {seed}"), FifoScript)),
        Phase("slides", 0.13, slides(domains, Random(f"slides {seed}"), FifoScript)),
        Phase("random walks", 0.43, fuzz(domains, Random(f"random walks {seed}"), FifoScript)),
        Phase("turns", 0.74, turns(domains, Random(f"turns {seed}"), FifoScript)),
    ]


@cache
def words(length: int) -> tuple[str, ...]:
    """Return the legal words over i(nsert), e(vict) and q(uery) that end with a query, without three queries in a row.

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
    """A trace under construction, for the simple phases."""

    def __init__(self, domain: Domain, random: Random) -> None:
        self.steps: list[Step] = []
        self.random = random
        self.size = 0
        self._put = self.steps.append
        self._element = drawing(domain, random)

    def enter(self) -> None:
        self._put(insert(self._element()))
        self.size += 1

    def leave(self) -> None:
        self._put(EVICT)
        self.size -= 1

    def ask(self) -> None:
        self._put(QUERY)
