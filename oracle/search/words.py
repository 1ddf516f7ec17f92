"""Words: histories written with a letter for each operation.

`i` inserts, `e` evicts, `q` queries, `a` advances the time, `s` states the span.  A number behind a letter is its time
(`i3`), or else the times come from elsewhere, if entries have any.  `( i1 i2 )` is one bulk insert, `b3` a bulk evict
up to a time; `+3` inserts three elements at once, `-3` evicts three.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from swagproof.oracle.trace import (
    BEGIN,
    END,
    EVICT,
    QUERY,
    Step,
    advance,
    bulk_evict,
    bulk_insert,
    evict_at,
    insert,
    insert_at,
    span,
)


@cache
def free_words(length: int, changes: str) -> tuple[str, ...]:
    """Return the words of this length over `changes` and q(uery) that end with a query, without three queries in a row.

    >>> free_words(2, "ie"), [len(free_words(length, "ie")) for length in range(1, 8)]
    (('iq', 'eq', 'qq'), [1, 3, 8, 24, 70, 204, 596])
    """
    every = ("".join(letters) + "q" for letters in itertools.product(f"{changes}q", repeat=length - 1))
    return tuple(word for word in every if "qqq" not in word)


_TOKEN: Final = re.compile(r"[()]|[a-z+-]-?\d*")


@cache
def split_word(text: str) -> tuple[str, ...]:
    """Split a word into its letters, each with its number.

    >>> split_word("iiq +3 e-1q -2")
    ('i', 'i', 'q', '+3', 'e-1', 'q', '-2')
    """
    return tuple(_TOKEN.findall(text))


_AT: Final[Mapping[str, Callable[[Any], Step]]] = MappingProxyType(
    {"e": evict_at, "a": advance, "b": bulk_evict, "s": span}
)


def spell_word(word: Iterable[str], elements: Iterator[Any], times: Iterator[Any] | None = None) -> list[Step]:
    """Return the operations of a word, over these elements and, for letters without a number, at these times.

    >>> from swagproof.oracle.trace import inline
    >>> inline(spell_word("iieq", iter("ab"))), inline(spell_word(["i3", "e3", "q"], iter("ab")))
    ('insert "a", insert "b", evict, query', 'insert 3 "a", evict 3, query')
    """
    steps: list[Step] = []
    put = steps.append
    for token in word:
        letter = token[0]
        if letter == "q":
            put(QUERY)
        elif token == "i" and times is None:
            put(insert(next(elements)))
        elif token == "e" and times is None:
            put(EVICT)
        elif letter == "+":
            steps += bulk_insert(map(insert, itertools.islice(elements, int(token[1:]))))
        elif letter == "-":
            put(bulk_evict(int(token[1:])))
        elif letter in "()":
            put(BEGIN if letter == "(" else END)
        else:
            time = int(token[1:]) if times is None else next(times)
            put(insert_at(time, next(elements)) if letter == "i" else _AT[letter](time))
    return steps
