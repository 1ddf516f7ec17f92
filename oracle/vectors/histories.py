"""What test vectors ask: short histories, each chosen for a mistake that implementations have made.

Each carries flags, and each flag names the mistake that it hunts.  The histories do not depend on what an operation
means, only the elements do; where order, ties or signs matter, the same histories come over other elements again.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.fifo import draw_lone, grow_and_shrink
from swagproof.oracle.kinds.out_of_order import ORDERS
from swagproof.oracle.search.attempts import MODERATE, SIZES
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
    range_query,
)

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

_STALE = ("iqiq", "iqiiqiq", "iiqeq", "iiqieq", "iiqeiq", "iiqeqiq", "iiiqieieq")
_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "empty": ("q", "ieq", "iiqeeq", "iqeqiqeq", "iieeqiqeqq"),
        "order": ("iq", "iiq", "iiiq", "iiiiiq"),
        "evict": ("iieq", "iiieq", "iiieeq", "iqiqiqeqeqeq", "iiiiieqieqieq"),
        "stale": _STALE,
        "repeated": ("qq", "iiqqqeqq", "iiiqqiqqeqq"),
        "silent": ("iiiiieeeq", "ieieieiq", "iiieieieieq"),
        "refill": tuple(
            word * 3
            for size in (1, 2, 3, 5)
            for word in ("i" * size + "q" + "e" * size + "q", "iq" * size + "eq" * size)
        ),
        "turn": tuple("i" * n + "eq" + "iq" * m + "eq" * (n + m - 1) for n, m in ((2, 1), (3, 2), (4, 4), (7, 3))),
        "slide": tuple("iq" * size + word * (2 * size + 3) for size in (1, 2, 3, 4, 5) for word in ("iqeq", "eqiq")),
    }
)
"""Histories of a FIFO window: i(nsert), e(vict), q(uery)."""

_AGAIN: Final = ("order", "evict", "empty", "refill", "turn")
"""Those that are asked over other elements, too."""


@dataclass(frozen=True)
class Draft:
    """A vector without its answers."""

    flags: tuple[str, ...]
    comment: str
    steps: list[Step]


Drafts: TypeAlias = Iterator[Draft]


def _cycle(domain: Domain, order: int = 0) -> Callable[[], Any]:
    elements = itertools.cycle(domain.orders[order])
    return lambda: next(elements)


def _spell(word: str, element: Callable[[], Any]) -> list[Step]:
    return [insert(element()) if letter == "i" else EVICT if letter == "e" else QUERY for letter in word]


def _bulks(domain: Domain) -> Drafts:
    """What is done in bulk, in windows of few elements, and over the sizes at which arrays grow."""
    pairs = itertools.product
    histories = (
        *(f"+{many} q" for many in (0, 1, 2, 5)),
        *(f"+5 q -{gone} q" for gone in (0, 1, 3, 5)),
        *(f"iiiq eq +{many} q -{gone} q iq" for many, gone in ((0, 0), (1, 2), (3, 3), (4, 6))),
        *(f"+{first} -{gone} +{then} q -{first} q" for first, gone, then in pairs((3, 7), (1, 3), (4, 9))),
        *(f"+{n} -{turn} +{turn + 1} q -{n} q +{2 * n} q" for n, turn in pairs((8, 64), (1, 7))),
        *(f"+{n - 2} -5 +5 q -5 q +{n} q" for n in (8, 32, 64)),
        *(f"+{size} q -{size} q iqeq" for size in (63, 64, 65, 130)),
        *("iiiiiq -2 q -0 q -3 q", "iiiiieq iiq -5 q i -2 q", "+3 q eq +1 q eeeq", "iieiq +2 q eq +0 q eq"),
    )
    for history in histories:
        element, steps = _cycle(domain), list[Step]()
        for word in history.split():
            if word[0] == "+":
                steps += bulk_insert(insert(element()) for _ in range(int(word[1:])))
            else:
                steps += [bulk_evict(int(word[1:]))] if word[0] == "-" else _spell(word, element)
        yield Draft(("bulk",), history, steps)


def _lone(domain: Domain) -> tuple[Any, Any]:
    """An element, and one that differs from it."""
    return (*domain.elements.letters, *domain.elements.letters)[:2]


def _find_looks(domain: Domain) -> tuple[int, frozenset[int]]:
    """The largest window of large vectors, and the sizes that they look at."""
    return (top := LARGE[-1] if domain.small else MODERATE), frozenset(n for n in (*SIZES, *LARGE) if n <= top)


def fifo(domain: Domain, seed: int) -> Drafts:
    """Vectors for a FIFO window."""
    for flag, words in _WORDS.items():
        for word in words:
            yield Draft((flag,), word, _spell(word, _cycle(domain)))
    for order in range(1, len(domain.orders)):
        for flag in _AGAIN:
            for word in _WORDS[flag]:
                yield Draft((flag, "elements"), word, _spell(word, _cycle(domain, order)))
    for power in (8, 16, 32, 64, 128):
        for size in (power - 1, power, power + 1):
            word = "i" * size + "qeqiqq" + "e" * (size // 2) + "q" + "i" * (size // 2) + "q" + "e" * size + "q"
            yield Draft(("growth",), f"to {size} and back", _spell(word, _cycle(domain)))
        for size in (power - 1, power):
            word = "i" * size + "ei" * power + "q" + "ei" * (power // 2 + 1) + "qeq"
            yield Draft(("wrap",), f"{size} elements come round", _spell(word, _cycle(domain)))
    yield from _bulks(domain)
    for number in range(3):
        random = Random(f"fifo {number} {seed}")
        yield Draft(("random",), f"history {number + 1} at random", _spell(_walk(random, 60), _cycle(domain)))
    for which in (0, 1):
        yield Draft(
            ("large",),
            "one element, then equal ones",
            list(grow_and_shrink(draw_lone(domain, which), *_find_looks(domain))),
        )


def _walk(random: Random, length: int) -> str:
    word, size = "", 0
    while len(word) < length:
        letter = random.choice("iieq" if len(word) % 20 < 10 else "ieeq")
        if letter != "e" or size:
            word += letter
            size += (letter == "i") - (letter == "e")
    return word + "q"


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


def _spell_timed(history: str, element: Callable[[], Any]) -> list[Step]:
    steps: list[Step] = []
    for word in history.split():
        if word == "q":
            steps.append(QUERY)
        elif word in ("(", ")"):
            steps.append(BEGIN if word == "(" else END)
        elif word[0] == "b":
            steps.append(bulk_evict(int(word[1:])))
        else:
            steps.append(insert_at(int(word[1:]), element()) if word[0] == "i" else evict_at(int(word[1:])))
    return steps


_SIDES: Final = ("from the oldest", "from the youngest", "from both ends", "from the middle")
"""The orders that windows are filled and drained in."""


def out_of_order(domain: Domain, seed: int) -> Drafts:
    """Vectors for an out-of-order window."""
    for flag, histories in _TIMED.items():
        for history in histories:
            yield Draft((flag,), history, _spell_timed(history, _cycle(domain)))
    for order in range(1, len(domain.orders)):
        for flag in ("order", "late", "duplicate", "middle"):
            for history in _TIMED[flag][-3:]:
                yield Draft((flag, "elements"), history, _spell_timed(history, _cycle(domain, order)))
    yield from _ranges(domain)
    for size in (12, 65, 128, 129, 257):
        for cut in (3, size - size % 2 + 1):
            element = _cycle(domain)
            steps = [insert_at(time, element()) for time in range(2, 2 * size + 1, 2)]
            steps += [bulk_evict(cut), QUERY, evict_at(cut + 1), QUERY]
            yield Draft(("bulk", "absent"), f"{size} entries, cut at {cut}, where there is none", steps)
    for size, distance in ((12, 11), (16, 12), (40, 3), (40, 20), (40, 39), (130, 64), (130, 129)):
        element = _cycle(domain)
        steps = [insert_at(3 * time, element()) for time in range(size)]
        steps += [QUERY, insert_at(3 * (size - distance) - 1, element()), QUERY, evict_at(0), QUERY]
        yield Draft(("late",), f"an entry {distance} places behind the youngest of {size}", steps)
    for size in (5, 9, 17, 33):
        for fill, drain in itertools.product(_SIDES, repeat=2):
            element, times, random = _cycle(domain), range(0, 2 * size, 2), Random(0)
            steps = [step for time in ORDERS[fill](times, random) for step in (insert_at(time, element()), QUERY)]
            steps += [step for time in ORDERS[drain](times, random) for step in (evict_at(time), QUERY)]
            yield Draft(("fill and drain",), f"{size} entries, filled {fill}, drained {drain}", steps)
    wide = ((250, 1000), *([(1000, 3000)] if domain.operation.faithful else ())) if domain.small else ()
    for size, length in ((12, 80), (60, 500), *wide):
        steps = list(_wander(Random(f"out-of-order {size} {seed}"), size, length, _cycle(domain)))
        yield Draft(("random",), f"entries come and go anywhere, about {size} of them", steps)
    yield Draft(("large",), "one element, then equal ones", list(_large_timed(domain)))


def _ranges(domain: Domain) -> Drafts:
    element = _cycle(domain)
    five = [insert_at(time, element()) for time in (6, 2, 10, 4, 8)]
    ends = list(itertools.product(range(1, 12), repeat=2))
    inside = [range_query(first, last) for first, last in ends if first <= last]
    reversed_ = [range_query(first, last) for first, last in ends if first > last]
    yield Draft(("ranges",), "every range over five entries", [*five, *inside, QUERY])
    yield Draft(("ranges", "empty range"), "every reversed range", [*five, *reversed_, QUERY])
    nothing = [range_query(1, 5), range_query(5, 1), range_query(3, 3)]
    yield Draft(("ranges", "empty range"), "ranges of an empty window", [*nothing, insert_at(9, element()), *nothing])
    changed = [step for time in (6, 2, 10) for step in (evict_at(time), range_query(2, 10), range_query(3, 7), QUERY)]
    yield Draft(("ranges", "stale"), "ranges again, after each evict", [*five, *changed])
    more = [
        step for time in (5, 1, 4, 20) for step in (insert_at(time, element()), range_query(2, 10), range_query(4, 20))
    ]
    yield Draft(("ranges", "stale"), "ranges again, after each insert", [*five, *more, QUERY])
    about = [range_query(6 - reach, 6 + reach) for reach in (1, 2, 3, 4)]
    for change, name in ((insert_at(5, element()), "an insert that comes late"), (evict_at(6), "an evict")):
        for back in (1, -1):
            steps = [*five, *about, change, *about[::back]]
            yield Draft(("ranges", "stale"), f"ranges about a place before and after {name}", steps)
    many = [insert_at(2 * time, element()) for time in range(40)]
    wide = [
        range_query(first, last)
        for first, last in ((0, 78), (-5, 100), (1, 77), (20, 59), (59, 60), (78, 78), (39, 39))
    ]
    yield Draft(("ranges",), "ranges over forty entries", [*many, *wide, evict_at(40), *wide, QUERY])


def _wander(random: Random, size: int, length: int, element: Callable[[], Any]) -> Iterator[Step]:
    """Fill to about a size, stay there while entries come and go anywhere, and drain."""
    present: list[int] = []
    for at in range(length + 3 * size):
        if at < size or (present and at < length + size and random.random() < 0.5) or not present:
            if at >= length + size:
                return
            time = random.choice(present) if present and random.random() < 0.05 else random.randrange(8 * size)
            yield insert_at(time, element())
            present += [time] * (time not in present)
        else:
            yield evict_at(present.pop(random.randrange(len(present))))
        if at >= size and at % max(1, size // 20) == 0:
            yield QUERY
    yield QUERY


def _large_timed(domain: Domain) -> Iterator[Step]:
    top, looks = _find_looks(domain)
    first, then = _lone(domain)
    for size in range(1, top + 1):
        yield insert_at(size, first if size == 1 else then)
        if size in looks:
            yield QUERY
    yield from (insert_at(0, then), QUERY, insert_at(top // 2, first), QUERY, evict_at(0), QUERY)
    for size in range(top - 1, -1, -1):
        yield evict_at(top - size)
        if size in looks or not size:
            yield QUERY


def shared(domain: Domain, seed: int) -> Drafts:
    """Vectors for windows that share a stream."""

    def register(*sizes: int) -> list[Step]:
        return [Step("register", (size,)) for size in sizes]

    def lookups(*sizes: int) -> list[Step]:
        return [Step("lookup", (size,)) for size in sizes]

    for order in range(len(domain.orders)):
        element = _cycle(domain, order)
        flags = ("elements",) if order else ()
        for sizes in ((1,), (3,), (1, 2), (2, 3, 5), (5, 3, 2), (1, 4, 8), (2, 7, 16)):
            largest = max(sizes)
            steps = register(*sizes) + lookups(*sizes)
            for _ in range(2 * largest + 3):
                steps += [insert(element()), *lookups(*sizes)]
            yield Draft((*flags, "together", "early", "pass"), f"sizes {sizes}, looked up at once", steps)
            steps = register(*sizes)
            for at in range(3 * largest + 2):
                steps += [insert(element()), *lookups(sizes[at % len(sizes)])]
            yield Draft((*flags, "together"), f"sizes {sizes}, looked up in turn", steps + lookups(*sizes[::-1]))
            steps = register(*sizes) + [insert(element()) for _ in range(3 * largest + 1)]
            yield Draft((*flags, "idle"), f"sizes {sizes}, looked up late", [*steps, *lookups(*sizes, *sizes)])
        steps = register(4, 4, 2, 4) + [insert(element()) for _ in range(3)]
        yield Draft((*flags, "duplicate"), "a size that is registered again", [*steps, *lookups(4, 2, 4)])
    element = _cycle(domain)
    for power in (8, 16, 32, 64, 128):
        sizes = (power - 1, power, power + 1)
        steps = register(*sizes)
        for at in range(1, 2 * power + 3):
            steps += [insert(element()), *(lookups(*sizes) if at in {*sizes, 2 * power, 2 * power + 2} else ())]
        yield Draft(("growth", "wrap"), f"sizes {sizes}", steps)
    random = Random(f"shared {seed}")
    steps = register(2, 5, 11)
    for _ in range(60):
        steps += [insert(element()), *(lookups(random.choice((2, 5, 11))) if random.random() < 0.5 else ())]
    yield Draft(("random",), "a history at random", [*steps, *lookups(2, 5, 11)])
    first, then = _lone(domain)
    top = 2000 if domain.small else 200
    sizes = (top - 1, top, top // 2)
    steps = [*register(*sizes), insert(first)]
    for at in range(2, top + 3):
        steps += [insert(then), *(lookups(*sizes) if at in (top // 2, top // 2 + 1, top - 1, top, top + 1) else ())]
    yield Draft(("large", "pass"), "one element, then equal ones", [*steps, *lookups(*sizes)])


_LAPSES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "empty": ("s1 q", "s2 i1 q i9 q", "s5 q q i3 q"),
        "order": ("s9 i1 q", "s9 i1 i2 q i3 q i4 i5 q"),
        "edge": (
            *(f"s{over} i1 q i{over} q i{over + 1} q i{over + 2} q" for over in (1, 2, 3, 10)),
            *("s2 i1 i2 i3 q i4 q i5 q i6 i7 q", "s3 i0 i1 i2 q i3 q i5 q i6 q i9 q i10 q"),
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
"""Histories of a window over time: s(pan), i(nsert) and a(dvance) with a time, q(uery)."""


def _spell_lapsing(history: str, element: Callable[[], Any]) -> list[Step]:
    names = {"s": "span", "a": "advance"}
    return [
        QUERY
        if word == "q"
        else insert_at(int(word[1:]), element())
        if word[0] == "i"
        else Step(names[word[0]], (int(word[1:]),))
        for word in history.split()
    ]


def over_time(domain: Domain, seed: int) -> Drafts:
    """Vectors for a window over so much time."""
    for flag, histories in _LAPSES.items():
        for history in histories:
            yield Draft((flag,), history, _spell_lapsing(history, _cycle(domain)))
    for order in range(1, len(domain.orders)):
        for flag in ("order", "edge", "lapse together"):
            for history in _LAPSES[flag][:4]:
                yield Draft((flag, "elements"), history, _spell_lapsing(history, _cycle(domain, order)))
    for power in (8, 16, 32, 64, 128):
        for over in (power - 1, power, power + 1):
            units = " ".join(f"i{time} q" for time in range(3 * over))
            last = f"i{4 * over - 2} q i{4 * over - 1} q"
            yield Draft(
                ("growth", "wrap"), f"three laps over {over}", _spell_lapsing(f"s{over} {units} {last}", _cycle(domain))
            )
        for gone in (1, power // 2, power - 1):
            slide = " ".join(f"i{time} q" for time in range(1, power + gone + 1))
            burst = f"i{power + gone} q " * (power + 2)
            yield Draft(
                ("growth", "wrap"),
                f"a window over {power}, {gone} of it gone, and as many again at once",
                _spell_lapsing(f"s{power} {slide} {burst}i{2 * power + gone} q", _cycle(domain)),
            )
    for number, advances in enumerate((0.0, 0.0, 0.2)):
        random = Random(f"time {number} {seed}")
        words, now = ["s7"], 0
        for _ in range(60):
            now += random.choice((0, 0, 1, 1, 2, 6, 7, 8))
            words += [f"{'a' if random.random() < advances else 'i'}{now}", *["q"] * (random.random() < 0.5)]
        yield Draft(
            ("random",), f"history {number + 1} at random", _spell_lapsing(" ".join([*words, "q"]), _cycle(domain))
        )
    first, then = _lone(domain)
    top = 2000 if domain.small else 200
    steps = [Step("span", (top,)), insert_at(1, first), *(insert_at(time, then) for time in range(2, top + 1)), QUERY]
    yield Draft(("large", "edge"), "one element, then equal ones", [*steps, insert_at(top + 1, then), QUERY])


_FRAMES: Final = (
    (-2, 0), (-1, 1), (-3, -1), (0, 0), (0, 2), (1, 3), (None, 0), (0, None), (None, None), (None, -1), (2, None)
)  # fmt: skip
_LONG: Final = ((-64, 0), (-99, 0), (None, 0), (0, 64), (-65, 63))
"""Frames of many rows."""

_FEW: Final = 3
"""How many of them are asked over other elements, too."""

_ROWS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        "": (1, 2, 3, 4, 5, 6),
        "ties": (1, 1, 2, 2, 2, 5, 5),
        "gaps": (1, 2, 10, 11, 30),
        "unsorted": (4, 1, 3, 1, 2, 6),
        "one row": (7,),
        "no row": (),
    }
)


def frame(domain: Domain, _seed: int) -> Drafts:
    """Vectors for batch engines."""
    for order, (unit, (start, end)) in itertools.product(
        range(len(domain.orders)), itertools.product(("rows", "range"), _FRAMES)
    ):
        for name, times in _ROWS.items():
            if order and ((start, end) not in _FRAMES[:_FEW] or name not in ("", "ties")):
                continue
            element = _cycle(domain, order)
            flags = [unit]
            flags += ["unbounded"] * (None in (start, end)) + ["unsorted"] * (name == "unsorted")
            flags += ["empty frame"] * ((start is not None and start > 0) or (end is not None and end < 0))
            flags += ["elements"] * (order > 0) + ["empty"] * (not times)
            steps = [
                Step("frame", (unit, start, end)),
                *(insert_at(time, element()) for time in times),
                Step("results"),
            ]
            yield Draft(tuple(flags), f"{unit} from {start} to {end}; {name or 'rows in order'}", steps)

    for unit, (start, end) in itertools.product(("rows", "range"), _LONG):
        element = _cycle(domain)
        steps = [insert_at(time, element()) for time in range(130)]
        comment = f"{unit} from {start} to {end}; 130 rows"
        yield Draft((unit, "growth"), comment, [Step("frame", (unit, start, end)), *steps, Step("results")])


DRAFTS: Final[Mapping[str, Callable[[Domain, int], Drafts]]] = MappingProxyType(
    {"fifo": fifo, "out-of-order": out_of_order, "shared": shared, "time": over_time, "frame": frame}
)
"""For each kind of window what its vectors ask, given a domain and a seed."""
