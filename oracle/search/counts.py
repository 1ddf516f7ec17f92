"""The phases for counters, and for windows over a rising or falling stream.

A counter of eight bits is right until it wraps, whatever it counts: versions, queries, refills, entries of one time.  A
window that keeps its maxima in a queue of fixed capacity is right on any random stream.  No random walk shows either,
so each is tried on purpose, at every power of two.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from swagproof.oracle.domain import Domain, Element
from swagproof.oracle.search.attempts import MODERATE, Attempt, by_faith, drawing
from swagproof.oracle.search.plain import LOOKS, Begin, empty

COUNTS: Final = tuple(1 << bits for bits in range(4, 13))
"""The numbers of repetitions: counters of 4 to 12 bits wrap there."""

DRAWN: Final = 8
"""The number of elements drawn for each element of a slope without equal elements."""

FEW: Final = 256
"""The number of changes up to which several ways are tried."""

FILLED: Final = 6
"""The most elements with which a window is filled before it is emptied."""

HEIGHTS: Final = (20, 50, 150, 300, 1200, 5000)
"""Sizes of the windows over streams that rise or fall."""


def counts(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Yield many changes between two queries, queries between two changes, and cycles of filling and emptying; changes
    up to twelve bits come as soon as all have been tried up to eight."""
    if not domains:
        return
    telling = (by_faith(domains) or domains)[0]
    for many, domain in zip(COUNTS, itertools.cycle(domains), strict=False):
        for often in (many, COUNTS[-1]) if many == FEW else (many,) if many < COUNTS[-1] else ():
            script = begin(telling, random)
            for _ in range(3):
                script.enter()
            script.ask()
            for change in (script.enter, script.leave) if often <= FEW else ():
                for _ in range(often):
                    change()
                script.ask()
            for _ in range(often // 2):
                script.leave()
                script.enter()
            script.ask()
            yield Attempt(telling, f"{often:,} changes between two queries", script.steps)
        script = begin(telling, random)
        for looks in (many, many + 1) if many <= FEW else (many,):
            script.enter()
            for _ in range(looks):
                script.ask()
        yield Attempt(telling, f"{many:,} queries between two changes", script.steps)
        over = telling if many <= FEW else domain
        script = begin(over, random)
        for _ in range(many + 1):
            top = random.randint(1, FILLED) if many <= FEW else 1
            for _ in range(top):
                script.enter()
                script.ask()
            for _ in range(top):
                script.leave()
        script.ask()
        yield Attempt(over, f"filled and emptied {many:,} times", script.steps)


def monotone(domains: Sequence[Domain], random: Random, begin: Begin) -> Iterator[Attempt]:
    """Yield windows over streams that rise or fall, over the domains that choose among elements if there are any.

    In large windows such a domain gets only the stream in which every element is chosen once.
    """
    hiding = [domain for domain in domains if not domain.operation.faithful]
    choosing = [domain for domain in hiding if domain.operation.remove is None] or hiding or domains
    for size in HEIGHTS:
        for domain in choosing if size <= MODERATE else [domain for domain in choosing if domain.small]:
            kept = kept_whole(domain, 2 * size, random) if size > MODERATE else {}
            for name, stream in (kept or slopes(draw_many(domain, 2 * size, random))).items():
                script = begin(_given(domain, iter(stream)), random)
                while script.size < size:
                    script.enter()
                for at in range(size):
                    if at % (1 + size // LOOKS) == 0:
                        script.ask()
                    script.leave()
                    script.enter()
                empty(script, 1 + size // LOOKS)
                yield Attempt(domain, f"a stream that is {name}, in a window of {size:,}", script.steps)


def kept_whole(domain: Domain, length: int, random: Random) -> dict[str, list[Element]]:
    """Return slopes of this length in which each element is chosen once, by name; none if too few elements differ."""
    more = slopes(draw_many(domain, DRAWN * length, random))
    steep = {name: [element for element, _ in itertools.groupby(stream)][:length] for name, stream in more.items()}
    return {name: found for name, found in steep.items() if len(found) == length and _is_kept(domain, found)}


def _is_kept(domain: Domain, stream: Sequence[Element]) -> bool:
    """Return whether the older of two elements is always chosen, so that a queue keeps all elements of a window."""
    first, last = map(domain.lifted, (stream[0], stream[-1]))
    return bool(domain.operation.combine(first, last) == first)


def _given(domain: Domain, stream: Iterator[Element]) -> Domain:
    """Return a domain whose elements come from a stream."""
    return replace(domain, elements=replace(domain.elements, draw=lambda _: next(stream)))


def draw_many(domain: Domain, length: int, random: Random) -> list[Element]:
    """Return `length` random elements."""
    draw = drawing(domain, random)
    return [draw() for _ in range(length)]


def slopes(drawn: Sequence[Element]) -> dict[str, list[Element]]:
    """Return these elements in ascending and descending order, by name; none if they have no order."""
    try:
        rising = sorted(drawn)
    except TypeError:
        return {}
    return {"falling": rising[::-1], "rising": rising}


def streams(domain: Domain, length: int, random: Random) -> dict[str, list[Element]]:
    """Return streams of this length, by name; those that need an order only if elements have one."""
    drawn = draw_many(domain, length, random)
    made = {"any": drawn, "equal": [domain.elements.letters[0]] * length}
    if not (rising := slopes(drawn).get("rising")):
        return made
    low, high = rising[0], rising[-1]
    peak = [low] * length
    peak[:: max(2, length // 3)] = [high] * len(peak[:: max(2, length // 3)])
    steps = sorted((random.choice(drawn[:4]) for _ in range(length)), reverse=True)
    return {"falling": rising[::-1], "peaks": peak, "in steps": steps, "rising": rising, **made}
