"""What a search tries: a domain and a trace at a time, in phases; and the sizes that any window is tried at."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from swagproof.oracle.domain import Domain, Element
from swagproof.oracle.trace import Step

Attempt: TypeAlias = tuple[Domain, str, list[Step]]
"""What to try: the domain, what kind of trace it is, and its operations."""


@dataclass(frozen=True)
class Phase:
    """A part of the search."""

    name: str
    share: float
    """Of the time that is left when it begins."""
    attempts: Iterator[Attempt]


Complete: TypeAlias = Callable[[int], None]
"""Told once all words of up to so many operations were tried, over every domain."""

SIZES: Final = (
    *(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257),
    *(511, 512, 513, 1000, 1001, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 10000, 10001),
)
"""Window sizes at which implementations grow, split or wrap, and their neighbours."""

MODERATE: Final = 257
"""The largest of these for domains whose answers grow with the window; and for all domains, before any goes further."""

SLIDES: Final = (1, 2, 3, 10, 64, 100, 1000, 10000)
"""Count windows that slide over given values."""


def drawing(domain: Domain, random: Random) -> Callable[[], Element]:
    """Elements at random, one at each call."""
    return lambda: domain.elements.draw(random)


def by_faith(domains: Sequence[Domain]) -> list[Domain]:
    """The domains whose answers stay small, those that hide nothing first."""
    small = [domain for domain in domains if domain.small]
    return sorted(small, key=lambda domain: not domain.operation.faithful)
