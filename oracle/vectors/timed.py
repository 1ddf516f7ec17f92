"""Test vectors for windows whose entries have times: in any order, and over so much time."""

import itertools
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.out_of_order import ORDERS
from swagproof.oracle.kinds.timed_script import PLACES, TimedScript
from swagproof.oracle.trace import QUERY, Step, bulk_evict, evict_at, insert_at, range_query, span
from swagproof.oracle.vectors.drafts import Draft, Drafts, cycle, draft, draft_words, find_looks, lone

_TIMED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "empty": ("q", "e1 q", "i1 e1 q", "i2 i1 q e1 e2 q", "i1 q e1 q i1 q e1 q"),
        "order": ("i1 q", "i1 i2 q", "i1 i2 i3 q", "i1 q i2 q i3 q i4 q"),
        "late": (
            *(" ".join(f"i{t} q" for t in times) for times in itertools.permutations((1, 2, 3))),
            *("i9 i7 i5 i3 i1 q", "i1 i9 i5 i3 i7 q i4 q i2 q i6 q i8 q", "i5 q i1 q e5 q i3 q"),
        ),
        "duplicate": (
            *("i1 i1 q", "i1 q i1 q", "i1 i2 i1 q", "i1 i2 i2 q", "i1 i2 i3 q i2 q", "i2 i1 i2 i1 q"),
            *("i1 i1 e1 q", "i1 i2 i1 e1 q e2 q", "i1 e1 i1 q", "i1 i2 i3 i2 e2 q i2 q i2 q"),
        ),
        "absent": ("i2 e1 q", "i2 e3 q", "i1 i3 e2 q", "i1 i2 e1 e1 q", "i1 i3 i5 e2 e4 e0 e6 q e3 e3 q", "e5 i5 q"),
        "middle": (
            *(f"i1 i2 i3 i4 i5 q e{t} q" for t in (1, 2, 3, 4, 5)),
            *("i1 i2 i3 i4 i5 q e3 q e2 q e4 q e1 q e5 q", "i1 i2 i3 e2 q i2 q", "i1 i2 i3 q e3 q i3 q e1 q i1 q"),
        ),
        "repeated": ("q q", "i2 i1 q q q e2 q q", "i1 i3 q q i2 q q e1 q q"),
        "times": (
            *("i0 q", "i0 i-1 i1 q", "i-5 q i-3 q i-4 q e-4 q", "e0 q i0 e0 q", "i-1 i-2 q e-1 q"),
            *("i1700000001 i1700000000 q", "i-1700000000 i-1700000001 q e-1700000000 q"),
            *("i2147483647 i-2147483648 i0 q e-2147483648 q", "i0 i1000 i500 q i-1000 q i1 q"),
        ),
        "bulk": (
            *("( ) q", "( i1 ) q", "( i1 i2 i3 ) q", "i2 ( ) q", "i2 i4 ( i1 i3 i5 ) q", "i2 i4 q ( i4 i5 ) q e4 q"),
            *("( i2 i2 ) q e2 q", "i2 ( i2 i2 i3 i3 ) q", "i1 i9 ( i2 i3 i4 i5 i6 i7 i8 ) q e5 q ( i5 ) q"),
            *("b1 q", "i2 b1 q", "i2 b2 q i2 q", "i1 i3 b2 q b3 q", "i3 i1 i2 q b2 q i1 q b9 q", "( i1 i2 i3 ) b2 q"),
            *("( i1 i1 i2 ) b1 q", "i1 i2 i3 e2 b2 q", "i-3 i-1 b-2 q b-1 q ( i-5 i0 ) q b0 q"),
            *("i0 i20 ( i1 i2 i3 i4 i5 i6 i7 i8 i9 i20 ) q e20 q", "i0 i9 ( i0 i1 i2 i3 i4 i5 i6 i7 i8 i9 ) q e0 q"),
        ),
        "watermark": ("i5 e5 i1 q", "i5 i6 q e5 e6 q i1 q i2 q", "i3 e3 i-3 q e-3 i-9 q", "i1 i2 e1 e2 q i2 i1 q"),
    }
)
"""Histories of an out-of-order window: i(nsert), e(vict) and b(ulk evict) with a time, bulks of inserts in brackets,
q(uery)."""


_SIDES: Final = ("from the oldest", "from the youngest", "from both ends", "from the middle")
"""The orders that windows are filled and drained in."""


def out_of_order(domain: Domain, seed: int) -> Drafts:
    """Vectors for an out-of-order window."""
    yield from draft_words(domain, _TIMED, ("order", "late", "duplicate", "middle"), slice(-3, None))
    yield from _ranges(domain)
    for size in (12, 65, 128, 129, 256, 257):
        for cut in (3, size - size % 2 + 1):
            element = cycle(domain)
            steps = [insert_at(time, next(element)) for time in range(2, 2 * size + 1, 2)]
            steps += [bulk_evict(cut), QUERY, evict_at(cut + 1), QUERY]
            yield Draft(("bulk", "absent"), f"{size} entries, cut at {cut}, where there is none", steps)
    for size, distance in ((12, 11), (16, 12), (40, 3), (40, 20), (40, 39), (130, 64), (130, 129)):
        element = cycle(domain)
        steps = [insert_at(3 * time, next(element)) for time in range(size)]
        steps += [QUERY, insert_at(3 * (size - distance) - 1, next(element)), QUERY, evict_at(0), QUERY]
        yield Draft(("late",), f"an entry {distance} places behind the youngest of {size}", steps)
    for size in (5, 9, 17, 33):
        for fill, drain in itertools.product(_SIDES, repeat=2):
            element, times, random = cycle(domain), range(0, 2 * size, 2), Random(0)
            steps = [step for time in ORDERS[fill](times, random) for step in (insert_at(time, next(element)), QUERY)]
            steps += [step for time in ORDERS[drain](times, random) for step in (evict_at(time), QUERY)]
            yield Draft(("fill and drain",), f"{size} entries, filled {fill}, drained {drain}", steps)
    wide = ((250, 1000), *([(1000, 3000)] if domain.operation.faithful else ())) if domain.small else ()
    for size, length in ((12, 80), (60, 500), *wide):
        script = TimedScript(domain, Random(f"out-of-order {size} {seed}"), ranges=False)
        script.fill(size, "anywhere")
        for at in range(length):
            script.change(0.5, PLACES, PLACES)
            if at % max(1, size // 20) == 0:
                script.ask()
        while script.times:
            script.change(0.02, PLACES, PLACES)
        script.ask()
        yield Draft(("random",), f"entries come and go anywhere, about {size} of them", script.steps)
    yield Draft(("large",), "one element, then equal ones", list(_large_timed(domain)))


def _ranges(domain: Domain) -> Drafts:
    element = cycle(domain)
    five = [insert_at(time, next(element)) for time in (6, 2, 10, 4, 8)]
    ends = list(itertools.product(range(1, 12), repeat=2))
    inside = [range_query(first, last) for first, last in ends if first <= last]
    reversed_ = [range_query(first, last) for first, last in ends if first > last]
    yield Draft(("ranges",), "every range over five entries", [*five, *inside, QUERY])
    yield Draft(("ranges", "empty range"), "every reversed range", [*five, *reversed_, QUERY])
    nothing = [range_query(1, 5), range_query(5, 1), range_query(3, 3)]
    yield Draft(
        ("ranges", "empty range"), "ranges of an empty window", [*nothing, insert_at(9, next(element)), *nothing]
    )
    changed = [step for time in (6, 2, 10) for step in (evict_at(time), range_query(2, 10), range_query(3, 7), QUERY)]
    yield Draft(("ranges", "stale"), "ranges again, after each evict", [*five, *changed])
    more = [
        step
        for time in (5, 1, 4, 20)
        for step in (insert_at(time, next(element)), range_query(2, 10), range_query(4, 20))
    ]
    yield Draft(("ranges", "stale"), "ranges again, after each insert", [*five, *more, QUERY])
    about = [range_query(6 - reach, 6 + reach) for reach in (1, 2, 3, 4)]
    for change, name in ((insert_at(5, next(element)), "an insert that comes late"), (evict_at(6), "an evict")):
        for back in (1, -1):
            steps = [*five, *about, change, *about[::back]]
            yield Draft(("ranges", "stale"), f"ranges about a place before and after {name}", steps)
    many = [insert_at(2 * time, next(element)) for time in range(40)]
    wide = [
        range_query(first, last)
        for first, last in ((0, 78), (-5, 100), (1, 77), (20, 59), (59, 60), (78, 78), (39, 39))
    ]
    yield Draft(("ranges",), "ranges over forty entries", [*many, *wide, evict_at(40), *wide, QUERY])


def _large_timed(domain: Domain) -> Iterator[Step]:
    top, looks = find_looks(domain)
    first, then = lone(domain)
    for size in range(1, top + 1):
        yield insert_at(size, first if size == 1 else then)
        if size in looks:
            yield QUERY
    yield from (insert_at(0, then), QUERY, insert_at(top // 2, first), QUERY, evict_at(0), QUERY)
    for size in range(top - 1, -1, -1):
        yield evict_at(top - size)
        if size in looks or not size:
            yield QUERY


_LAPSES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "empty": ("s1 q", "s2 i1 q i9 q", "s5 q q i3 q"),
        "order": ("s9 i1 q", "s9 i1 i2 q i3 q i4 i5 q"),
        "edge": (
            *(f"s{over} i1 q i{over} q i{over + 1} q i{over + 2} q" for over in (1, 2, 3, 10)),
            *("s2 i1 i2 i3 q i4 q i5 q i6 i7 q", "s3 i0 i1 i2 q i3 q i5 q i6 q i9 q i10 q"),
            "s100000 i0 q i86399 q i86400 q i99999 q i100000 q i186400 q",
        ),
        "lapse together": (
            *("s1 i1 i1 i1 q i2 q i2 q i3 q", "s3 i1 i1 i2 i2 i2 q i4 i4 q i5 q i7 q", "s2 i1 i2 i3 i4 q i6 q i8 q"),
            *(f"s4 {'i1 ' * many}q i2 q i5 q i6 q" for many in (9, 33, 90)),
        ),
        "silence": (
            *("s3 i1 i2 i3 q i50 q i51 q", "s3 i1 i2 q i8 q i14 q", "s10 i1 i5 q i15 q i26 i27 q i57 q"),
            *(f"s5 i1 i3 q i{3 + far} q i{3 + 2 * far} q" for far in (5, 10, 15, 20, 1000)),
        ),
        "advance": (
            *("s3 i1 q a3 q a4 q", "s3 a5 q i5 q a7 q i7 q a8 q a10 q q", "s2 i1 a1 q i1 q a2 q a3 q i3 q a9 q i9 q"),
            *(
                "s3 i1 i2 i3 q a50 q i50 q a52 q a53 q",
                "s4 i1 i2 a12 i12 q i12 q a16 q",
                "s1 a1 a2 a3 q i3 q a3 q a4 q",
            ),
        ),
        "stale": ("s5 i1 q i2 q i6 q i6 q i7 q i20 q", "s5 i1 q a2 q a6 q i6 q a11 q q"),
        "repeated": ("s2 q q i1 q q q i3 q q", "s2 i1 q q a3 q q"),
        "times": (
            *("s3 i-2 i-1 i0 q i1 q i2 q i3 q", "s5 i-12 i-7 q i-6 q i-1 q i4 q", "s4 i0 q i3 q i4 q i8 q"),
            *("s3 i-3 i-2 q i0 q i1 q", "s3 i-4 i-1 q a0 q i2 q"),
            *(
                "s10 i1700000000 i1700000005 q i1700000010 q i1700000015 q",
                "s9 i-1700000000 q i-1699999992 q i-1699999991 q",
            ),
            *("s1000 i2147480000 i2147480999 q i2147481000 q", "s300 i-10 q i200 q i289 q i290 q i500 q"),
        ),
    }
)
"""Histories of a window over time: see `swagproof.oracle.search.words`."""


def over_time(domain: Domain, seed: int) -> Drafts:
    """Vectors for a window over so much time."""
    yield from draft_words(domain, _LAPSES, ("order", "edge", "lapse together"), slice(4))
    for power in (8, 16, 32, 64, 128):
        for over in (power - 1, power, power + 1):
            units = " ".join(f"i{time} q" for time in range(3 * over))
            last = f"i{4 * over - 2} q i{4 * over - 1} q"
            yield draft(("growth", "wrap"), f"three laps over {over}", domain, f"s{over} {units} {last}")
        for gone in (1, power // 2, power - 1):
            slide = " ".join(f"i{time} q" for time in range(1, power + gone + 1))
            burst = f"i{power + gone} q " * (power + 2)
            comment = f"a window over {power}, {gone} of it gone, and as many again at once"
            yield draft(("growth", "wrap"), comment, domain, f"s{power} {slide} {burst}i{2 * power + gone} q")
    for number, advances in enumerate((0.0, 0.0, 0.2)):
        random = Random(f"time {number} {seed}")
        words, now = ["s7"], 0
        for _ in range(60):
            now += random.choice((0, 0, 1, 1, 2, 6, 7, 8))
            words += [f"{'a' if random.random() < advances else 'i'}{now}", *["q"] * (random.random() < 0.5)]
        yield draft(("random",), f"history {number + 1} at random", domain, " ".join([*words, "q"]))
    first, then = lone(domain)
    top = 2000 if domain.small else 200
    steps = [span(top), insert_at(1, first), *(insert_at(time, then) for time in range(2, top + 1)), QUERY]
    yield Draft(("large", "edge"), "one element, then equal ones", [*steps, insert_at(top + 1, then), QUERY])
