"""Test vectors for windows of a fixed number of elements: one over a stream, and several."""

import itertools
from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.fifo import FifoScript
from swagproof.oracle.search.plain import walks
from swagproof.oracle.trace import EVICT, QUERY, Step, insert, lookup, register
from swagproof.oracle.vectors.drafts import Draft, Drafts, cycle, draft, draft_words, find_looks, lone

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

LONGEST: Final = 150
"""Operations in the longest history at random."""

_AGAIN: Final = ("order", "evict", "empty", "refill", "turn")
"""Those that are asked over other elements, too."""


def _bulks(domain: Domain) -> Drafts:
    """Yield what is done in bulk, in windows of few elements, and over the sizes at which arrays grow."""
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
        yield draft(("bulk",), history, domain, history)


def fifo(domain: Domain, seed: int) -> Drafts:
    """Vectors for a FIFO window."""
    yield from draft_words(domain, _WORDS, _AGAIN, slice(None))
    for power in (8, 16, 32, 64, 128):
        for size in (power - 1, power, power + 1):
            word = "i" * size + "qeqiqq" + "e" * (size // 2) + "q" + "i" * (size // 2) + "q" + "e" * size + "q"
            yield draft(("growth",), f"to {size} and back", domain, word)
        for size in (power - 1, power):
            word = "i" * size + "ei" * power + "q" + "ei" * (power // 2 + 1) + "qeq"
            yield draft(("wrap",), f"{size} elements come round", domain, word)
    yield from _bulks(domain)
    drawn = (each for each in walks([domain], Random(f"fifo {seed}"), FifoScript) if len(each.steps) <= LONGEST)
    for attempt in itertools.islice(drawn, 3):
        yield Draft(("random",), attempt.what, [*attempt.steps])
    top, looks = find_looks(domain)
    for first, then in (lone(domain), lone(domain)[::-1]):
        steps: list[Step] = []
        for size in range(1, top + 1):
            steps += [insert(then if steps else first), *([QUERY] if size in looks else ())]
        for size in range(top - 1, -1, -1):
            steps += [EVICT, *([QUERY] if size in looks or not size else ())]
        yield Draft(("large",), "one element, then equal ones", steps)


def shared(domain: Domain, seed: int) -> Drafts:
    """Vectors for windows that share a stream."""

    def registers(*sizes: int) -> list[Step]:
        return [*map(register, sizes)]

    def lookups(*sizes: int) -> list[Step]:
        return [*map(lookup, sizes)]

    for order in range(len(domain.orders)):
        element = cycle(domain, order)
        flags = ("elements",) if order else ()
        for sizes in ((1,), (3,), (1, 2), (2, 3, 5), (5, 3, 2), (1, 4, 8), (2, 7, 16), (4, 12, 8)):
            largest = max(sizes)
            steps = registers(*sizes) + lookups(*sizes)
            for _ in range(2 * largest + 3):
                steps += [insert(next(element)), *lookups(*sizes)]
            yield Draft((*flags, "together", "early", "pass"), f"sizes {sizes}, looked up at once", steps)
            steps = registers(*sizes)
            for at in range(3 * largest + 2):
                steps += [insert(next(element)), *lookups(sizes[at % len(sizes)])]
            yield Draft((*flags, "together"), f"sizes {sizes}, looked up in turn", steps + lookups(*sizes[::-1]))
            steps = registers(*sizes) + [insert(next(element)) for _ in range(3 * largest + 1)]
            yield Draft((*flags, "idle"), f"sizes {sizes}, looked up late", [*steps, *lookups(*sizes, *sizes)])
        steps = registers(4, 4, 2, 4) + [insert(next(element)) for _ in range(3)]
        yield Draft((*flags, "duplicate"), "a size that is registered again", [*steps, *lookups(4, 2, 4)])
    element = cycle(domain)
    for power in (8, 16, 32, 64, 128):
        sizes = (power - 1, power, power + 1)
        steps = registers(*sizes)
        for at in range(1, 2 * power + 3):
            steps += [insert(next(element)), *(lookups(*sizes) if at in {*sizes, 2 * power, 2 * power + 2} else ())]
        yield Draft(("growth", "wrap"), f"sizes {sizes}", steps)
    random = Random(f"shared {seed}")
    steps = registers(2, 5, 11)
    for _ in range(60):
        steps += [insert(next(element)), *(lookups(random.choice((2, 5, 11))) if random.random() < 0.5 else ())]
    yield Draft(("random",), "a history at random", [*steps, *lookups(2, 5, 11)])
    first, then = lone(domain)
    top = 2000 if domain.small else 200
    sizes = (top - 1, top, top // 2)
    steps = [*registers(*sizes), insert(first)]
    for at in range(2, top + 3):
        steps += [insert(then), *(lookups(*sizes) if at in (top // 2, top // 2 + 1, top - 1, top, top + 1) else ())]
    yield Draft(("large", "pass"), "one element, then equal ones", [*steps, *lookups(*sizes)])
