"""Short traces with long texts, about as long as the buffers of programs.

A program that reads lines of at most 256 bytes, or keeps texts of at most 16 characters, is right while all are short.
So a few operations of each kind run with texts about as long as each power of two, and a little shorter, since an
operation's name and time come before them on a line.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import Attempt
from swagproof.oracle.trace import Step, parse

LENGTHS: Final = tuple((1 << bits) + beside for bits in (*range(4, 14), 16) for beside in range(-11, 2))
"""The lengths of texts in characters: about each power of two, also one beyond 16 bits."""

_SHORT: Final = {
    "fifo": "insert 0, insert 1, query, evict, query, evict, query",
    "out-of-order": "insert 3 0, insert 1 1, query, range_query 1 2, evict 3, query",
    "time": "span 2, insert 1 0, insert 2 1, query, insert 3 2, query, advance 4, query",
    "shared": "register 2, insert 0, lookup 2, insert 1, insert 2, lookup 2",
}
"""The shortest traces that use all operations; each insert names one of the letters."""

_SHORT_BULKS: Final = {
    "fifo": ", begin_bulk, insert 0, insert 1, insert 2, end_bulk, query, bulk_evict 2, query",
    "out-of-order": ", begin_bulk, insert 1 2, insert 5 0, end_bulk, query, bulk_evict 1, query",
}
"""The bulk operations to append for windows that have them."""


def short_steps(window: str, methods: Sequence[str], letters: Sequence[Any]) -> list[Step]:
    """Return the shortest trace that uses all of these operations, on three elements.

    >>> from swagproof.oracle.trace import inline
    >>> print(inline(short_steps("fifo", ("insert", "evict", "query"), "abc")))
    insert "a", insert "b", query, evict, query, evict, query
    """
    text = _SHORT[window]
    if any("bulk" in name for name in methods):
        text += _SHORT_BULKS[window]
    return [
        Step(step.name, (*step.arguments[:-1], letters[step.arguments[-1]])) if step.name == "insert" else step
        for step in parse(text, window)
        if step.name in methods
    ]


def lengths(window: str, domains: Sequence[Domain], methods: Sequence[str]) -> Iterator[Attempt]:
    """Yield texts of each length, next to a short one, over all domains with texts of any length."""
    for length in LENGTHS:
        for domain in domains:
            if domain.elements.long is not None:
                text = domain.elements.long(length)
                steps = short_steps(window, methods, (text, domain.elements.letters[1], text))
                yield Attempt(domain, f"texts of {length:,} characters", steps)
