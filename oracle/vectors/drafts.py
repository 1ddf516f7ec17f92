"""Drafts of test vectors: a history and its flags, each of which names the mistake that it detects."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import MODERATE, SIZES
from swagproof.oracle.search.words import spell_word, split_word
from swagproof.oracle.trace import Step

FLAGS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "empty": (
            "wrong identity",
            "An empty window, from the start or again, answers the identity; it does not fail.",
        ),
        "order": (
            "operands swapped",
            "Older values are combined on the left of newer ones, in every part of the window.",
        ),
        "evict": ("element kept", "What was evicted is no longer in the answer, and nothing else went with it."),
        "stale": ("stale answer", "An answer that was given before an insert or an evict is not given again after it."),
        "repeated": ("stale answer", "A query changes nothing: asked again, the answer is the same."),
        "silent": ("element lost", "Nothing depends on queries being asked between other operations."),
        "refill": ("element kept", "After a window was drained, nothing of what it held comes back."),
        "turn": (
            "element lost",
            "An evict that reorganises the whole window, as turning over a stack does, loses nothing.",
        ),
        "slide": ("element kept", "A window that stays at one size, inserting first or evicting first."),
        "growth": ("late growth", "Sizes at which arrays grow and nodes split: powers of two, and their neighbours."),
        "wrap": (
            "late growth",
            "More elements pass through than the largest window holds, so that a ring comes round.",
        ),
        "elements": (
            "wrong answer",
            "Other elements: ties, falling instead of rising, 0, negatives, the empty string.",
        ),
        "random": ("wrong answer", "A history at random, drawn from the file's seed."),
        "large": ("late growth", "Windows of thousands: one element that differs, and then equal ones."),
        "late": (
            "arrival order",
            "An entry that arrives late takes its place by time, at any distance from the youngest.",
        ),
        "duplicate": ("duplicate replaces", "An insert at a time that is present combines the old value with the new."),
        "absent": ("element lost", "An evict of a time that is not present does nothing."),
        "middle": ("stale answer", "Evicts of the oldest, the youngest, and of entries between them."),
        "times": ("element lost", "Times are any integers: 0, negative ones, and the ends of 32 bits."),
        "watermark": ("element lost", "Once a window is drained, earlier times than it ever held may come."),
        "ranges": ("range end", "A range holds both its ends, which need not be times of the window."),
        "empty range": (
            "wrong identity",
            "A range with nothing in it, or whose ends are reversed, answers the identity.",
        ),
        "fill and drain": (
            "late growth",
            "Filled from one side and drained from another, through every size of a tree.",
        ),
        "early": ("wrong identity", "A window is looked up before it is full, and before anything is inserted."),
        "together": ("element kept", "Windows of several sizes over one stream, looked up in any order."),
        "pass": ("element kept", "A value leaves a window when it is as many elements back as the window is long."),
        "bulk": (
            "element lost",
            "A bulk is what its single operations are, one by one.  Leave these out where there are no bulks.",
        ),
        "idle": ("stale answer", "A window that nobody looks up for long, and then does."),
        "edge": (
            "element kept",
            "An entry is in a window over time while its time is above the newest less the span, and not after.",
        ),
        "lapse together": ("element kept", "Entries of one time lapse together, however many there are."),
        "silence": ("element kept", "After a silence longer than the span nothing is left but what comes then."),
        "advance": ("stale answer", "Time goes on without an insert, and what is too old then is gone."),
        "rows": ("element lost", "A frame that counts rows, whatever their times."),
        "range": ("element lost", "A frame that measures time; rows of an equal time come in and go out together."),
        "unbounded": ("element lost", "A frame that has no start, or no end."),
        "empty frame": ("wrong identity", "A frame with no row in it."),
        "unsorted": ("arrival order", "Rows that come in another order than that of their times."),
    }
)
"""For each flag the kind of bug that it hunts, and what is right."""

LARGE: Final = (1000, 1001, 1023, 1024, 1025, 4095, 4096, 4097, 10000)
"""Sizes that large vectors look at, besides the smaller ones."""


@dataclass(frozen=True)
class Draft:
    """A vector without its answers."""

    flags: tuple[str, ...]
    comment: str
    steps: list[Step]


Drafts: TypeAlias = Iterator[Draft]


def cycle(domain: Domain, order: int = 0) -> Iterator[Any]:
    """The elements of one of the domain's orders, again and again."""
    return itertools.cycle(domain.orders[order])


def draft(flags: tuple[str, ...], comment: str, domain: Domain, word: str, order: int = 0) -> Draft:
    """A vector from a word, as in `swagproof.oracle.search.words`, over the elements of one order."""
    return Draft(flags, comment, spell_word(split_word(word), cycle(domain, order)))


def draft_words(domain: Domain, histories: Mapping[str, Sequence[str]], again: Sequence[str], some: slice) -> Drafts:
    """Each history under its flag; and some of those under the flags `again` over other elements, too."""
    for flag, words in histories.items():
        for word in words:
            yield draft((flag,), word, domain, word)
    for order in range(1, len(domain.orders)):
        for flag in again:
            for word in histories[flag][some]:
                yield draft((flag, "elements"), word, domain, word, order)


def lone(domain: Domain) -> tuple[Any, Any]:
    """An element, and one that differs from it."""
    return (*domain.elements.letters, *domain.elements.letters)[:2]


def find_looks(domain: Domain) -> tuple[int, frozenset[int]]:
    """The largest window of large vectors, and the sizes that they look at."""
    return (top := LARGE[-1] if domain.small else MODERATE), frozenset(n for n in (*SIZES, *LARGE) if n <= top)
