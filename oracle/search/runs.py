"""The structure of a trace as runs: a number of inserts, of evicts, of inserts, and so on, and then a query.

A failing trace may be 1-minimal and yet five times as long as another: if a ring fails whenever it grows, a trace that
makes it grow from 64 cannot lose one insert.  Seen as runs, its counts can shrink together.  Elements leave such a
window in order, so the counts describe it completely.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from swagproof.oracle.domain import Element
from swagproof.oracle.trace import EVICT, Step, bulk_evict, bulk_insert, evict_at, insert, insert_at, singly
from swagproof.oracle.window import FIFO, Window

Runs: TypeAlias = tuple[int, ...]
"""The numbers of inserts, evicts, inserts, evicts, ..."""

LONGEST: Final = 26
"""The length of the longest short structure; also the number of letters."""


class Style(NamedTuple):
    """The style of runs in a FIFO window: bulks, or single operations."""

    inserts: bool
    evicts: bool


SINGLY: Final = Style(False, False)

PLACES: Final = 100
"""The number of positions to which a ring may have turned."""

TWICE: Final = 13
"""The length of the longest structure with two runs of evicts."""


def runs_of(steps: Sequence[Step]) -> Runs:
    """The runs of a trace that begins with an insert, without its queries.

    >>> from swagproof.oracle.trace import parse
    >>> runs_of(parse("3 * insert 1, query, 2 * insert 1, evict, query"))
    (5, 1)
    """
    names = (step.name for step in singly(steps) if step.name in ("insert", "evict"))
    return tuple(sum(1 for _ in group) for _, group in itertools.groupby(names))


def spell(runs: Runs, elements: Sequence[Element], window: Window = FIFO, style: Style = SINGLY) -> list[Step]:
    """Return the operations of these runs: elements in turn, at times 1, 2, 3, ... if entries have times.

    >>> from swagproof.oracle.trace import inline
    >>> from swagproof.oracle.window import OUT_OF_ORDER
    >>> inline(spell((2, 1, 1), "ab")), inline(spell((2, 1), "ab", OUT_OF_ORDER))
    ('insert "a", insert "b", evict, insert "a"', 'insert 1 "a", insert 2 "b", evict 1')
    >>> inline(spell((2, 1), "ab", style=Style(inserts=True, evicts=True)))
    'begin_bulk, insert "a", insert "b", end_bulk, bulk_evict 1'
    """
    inserts: Iterator[Step] = itertools.cycle(map(insert, elements))
    evicts: Iterator[Step] = itertools.repeat(EVICT)
    if window.evicts == "by time":
        inserts = map(insert_at, itertools.count(1), itertools.cycle(elements))
        evicts = map(evict_at, itertools.count(1))
    steps: list[Step] = []
    for number, many in enumerate(runs):
        run = list(itertools.islice((inserts, evicts)[number % 2], many))
        if style[number % 2] and run:
            run = [bulk_evict(many)] if number % 2 else bulk_insert(run)
        steps += run
    return steps


def short_structures(below: int) -> Iterator[Runs]:
    """Yield all runs of up to two turns with fewer than `below` operations, the shortest first.

    >>> list(short_structures(5))
    [(1,), (1, 1), (2,), (1, 1, 1), (2, 1), (3,), (1, 1, 1, 1), (1, 1, 2), (2, 1, 1), (2, 2), (3, 1), (4,)]
    """
    for length in range(1, min(below, LONGEST + 1)):
        for first in range(1, length + 1):
            if first == length:
                yield (length,)
            for evicted in range(1, min(first, length - first) + 1):
                second = length - first - evicted
                if not second:
                    yield first, evicted
                for last in range(second if length <= TWICE else 0, 0, -1):
                    if 0 < second - last and last <= first - evicted + second - last:
                        yield first, evicted, second - last, last
                if second:
                    yield first, evicted, second


def regrouped(runs: Runs) -> Iterator[Runs]:
    """Yield about as many inserts and evicts in few runs: all inserts first, or as many as the largest window holds; or
    fill almost to that size, turn to the same position of a ring, and grow past it.

    >>> list(regrouped((3, 2, 4, 3)))
    [(7, 5), (5, 5, 2), (4, 2, 3)]
    """
    inserts, evicts = sum(runs[::2]), sum(runs[1::2])
    sizes = list(itertools.accumulate(many * (-1) ** number for number, many in enumerate(runs)))
    largest = max(sizes)
    for first in dict.fromkeys((inserts, largest, inserts - evicts, runs[0])):
        if evicts <= first:
            yield tuple(many for many in (first, evicts, inserts - first) if many)
    lately = list(itertools.accumulate(reversed(runs[1 : sizes.index(largest) : 2])))
    in_all = (lately[-1] % (1 << power) for power in range(2, lately[-1].bit_length())) if lately else ()
    for offset in dict.fromkeys((*in_all, *lately[:PLACES])):
        if 0 < offset < largest:
            yield largest - 1, offset, offset + 1


def near(runs: Runs) -> Iterator[Runs]:
    """Yield runs with smaller counts: an eighth, a quarter, half; any one replaced by 1; and all, any two, or any one
    reduced by the same amount.

    >>> list(near((4, 2)))
    [(1, 1), (2, 1), (1, 2), (4, 1), (3, 1), (2, 2), (3, 2)]
    """
    return iter(dict.fromkeys(smaller for smaller in _smaller(runs) if smaller != runs))


def _smaller(runs: Runs) -> Iterator[Runs]:
    numbers = range(len(runs))
    for by in (8, 4, 2):
        yield tuple(-(-count // by) for count in runs)
    for alone in numbers:
        yield tuple(1 if number == alone else count for number, count in enumerate(runs))
    chosen = dict.fromkeys((tuple(numbers), *itertools.combinations(numbers, 2), *((number,) for number in numbers)))
    for some in chosen:
        most = min(runs[number] for number in some) - 1
        powers = {1 << power for power in range(most.bit_length())}
        for by in sorted(powers | {most >> shift for shift in range(most.bit_length())} - {0}, reverse=True):
            yield tuple(count - by if number in some else count for number, count in enumerate(runs))
