"""Time-based windows that evict by themselves: expected results, traces to try, and simpler traces.

Such windows go wrong at the edge.  An entry leaves when the time reaches its own plus the span, and not before; all
entries that lapse together leave, also if only time advances; entries of one time leave together; and after a silence
longer than the span the window is empty.

Short words come first: every word over insert, advance and query of up to 6 operations, each insert or advance later
than the last by 0, 1, 2 or the whole span and one more, in windows over 1 to 3 units of time.
`swagproof.oracle.vectors.drafts.FLAGS` describes all phases.

Streams begin at 0, before it, so that they cross it, and far from it on either side, like clocks with another epoch: a
window that itself starts at 0, or divides with rounding toward 0, is right while times are small.  Times fit 32 bits.
"""

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, Final, Generic

from swagproof.models.monoid import A, Monoid
from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import LEAD, MODERATE, SIZES, Attempt, Phase, by_faith, drawing, lengthen, telling
from swagproof.oracle.search.counts import COUNTS, HEIGHTS, draw_many, slopes
from swagproof.oracle.search.lengths import lengths
from swagproof.oracle.search.plain import LIVES, LOOKS
from swagproof.oracle.search.words import free_words, spell_word
from swagproof.oracle.trace import QUERY, Step, advance, insert_at, span
from swagproof.reference.in_order.two_stacks import TwoStacks

LONGEST: Final = 6
"""The length of the longest words, without the declaration."""

SPANS: Final = (1, 2, 3)
"""The spans of the windows of the words."""

FAR: Final = 1_700_000_000
"""The distance from 0 of a stream that begins far from it, on either side."""

SILENCES: Final = (
    *((-1, 1), (0, 1), (1, 1), (0, 2), (1, 3), (-1, 5), (0, 5), (0, 16)),
    *((7, 64), (0, 64), (-1, 256), (0, 1000), (0, 1024)),
)
"""The silence between bursts: a number of spans, and an amount to add."""

WIDE: Final = (3_600, 86_400, 86_401, 604_800, 3_600_000, 86_400_000, 2**29)
"""The spans of wide windows."""

BURSTS: Final = (3, 2, 33, 3, 90, 1)
"""The numbers of entries at one time."""


class Lapsing(Generic[A]):
    """The expected results: Two-Stacks with a queue of times.  An entry is present while its time is above now - span.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = Lapsing(CONCATENATION)
    >>> window.span(2)
    >>> window.insert(1, "a"); window.insert(2, "b"); window.insert(3, "c"); window.query()
    'bc'
    >>> window.advance(4); window.query()
    'c'
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.window: TwoStacks[A] = TwoStacks(monoid)
        self.times: deque[Any] = deque()
        self.length: Any = 0

    def span(self, span: Any) -> None:
        """Set the span of the window."""
        self.length = span

    def insert(self, t: Any, v: A) -> None:
        """Insert an entry at this time, which becomes the current time."""
        self.times.append(t)
        self.window.insert(v)
        self.advance(t)

    def advance(self, t: Any) -> None:
        """Advance the current time."""
        while self.times and not t - self.length < self.times[0]:
            self.times.popleft()
            self.window.evict()

    def query(self) -> A:
        """Return the product of the entries that have not lapsed.  One combine call."""
        return self.window.query()


def phases(domains: Sequence[Domain], seed: int, methods: Sequence[str] = ()) -> list[Phase]:
    """Return the phases of the search; time advances without an insert if the subject has `advance`."""
    advances = "advance" in methods
    return [
        Phase("short words", 0.35, lengthen(partial(_words, domains, advances), LONGEST), LEAD),
        Phase("laps", 0.3, _laps(domains, Random(f"laps {seed}"), advances)),
        Phase("random", 0.35, _random(domains, Random(f"random {seed}"), advances)),
        Phase("counts", 0.1, _counts(domains, Random(f"counts {seed}"), advances)),
        Phase("monotone", 0.1, _monotone(domains, Random(f"monotone {seed}"))),
        Phase("wide", 0.03, _wide(domains, advances)),
        Phase("lengths", 0.05, lengths("time", domains, methods)),
        Phase("lives", 0.1, _lives(domains, Random(f"lives {seed}")), least=1 << 16),
    ]


def short_words(domain: Domain) -> Iterator[Attempt]:
    """Yield every short word with one query, the shortest first."""
    for length in range(1, LONGEST + 1):
        for attempt in _words([domain], True, length):
            if attempt.steps.count(QUERY) == 1:
                yield attempt


def _words(domains: Sequence[Domain], advances: bool, length: int) -> Iterator[Attempt]:
    what = f"every sequence of up to {length} operations, of windows of up to {SPANS[-1]}"
    starts = itertools.cycle((0, -2, FAR, 0, -FAR))
    for domain in domains:
        for order in domain.orders:
            for word in free_words(length, "ia" if advances else "i"):
                moves = length - word.count("q")
                for over in SPANS:
                    for later in itertools.product((0, 1, 2, over + 1) if over > 1 else (0, 1, 2), repeat=moves):
                        times = itertools.accumulate(later, initial=next(starts))
                        next(times)  # the start of the stream
                        steps = spell_word(word, itertools.cycle(order), times)
                        yield Attempt(domain, what, [span(over), *steps])


def _laps(domains: Sequence[Domain], random: Random, advances: bool) -> Iterator[Attempt]:
    for over in SIZES:
        for number, domain in enumerate(domains):
            if over > MODERATE and not domain.small:
                continue
            element, now, steps = drawing(domain, random), _start(number, over), [span(over)]
            for lap in range(3 * over + 2):
                now += 1
                steps += [insert_at(now, element()), *([QUERY] if over <= MODERATE or lap % 97 == 0 else ())]
            for more, spans in SILENCES:
                now += more + spans * over
                steps += [insert_at(now, element()), QUERY]
                if advances:
                    for later in (over - 1, 1, over, spans * over):
                        now += later
                        steps += [advance(now), QUERY]
                    steps.append(insert_at(now, element()))
                    now += more + spans * over
                    steps += [advance(now), QUERY]
                steps += [insert_at(now, element()), QUERY]
            for many in BURSTS:
                steps += [*(insert_at(now, element()) for _ in range(many)), QUERY]
                now += random.choice((1, over - 1, over)) if over > 1 else 1
            yield Attempt(domain, f"three laps over {over:,} units of time, bursts and pauses", steps)


def _wide(domains: Sequence[Domain], advances: bool) -> Iterator[Attempt]:
    """Yield a few entries at the edges of windows over two units of time, and over hours and days.

    They are about 0, and at the limits of 32 bits: there, a time minus or plus the span needs more.  The last ones come
    2 ** 32 units later, which is nothing in 32 bits.
    """
    revealing = telling(domains)
    for over, where, alone in itertools.product((2, *WIDE), range(3), (False, True) if advances else (False,)):
        elements, steps = itertools.cycle(revealing[0].orders[0]), [span(over)]
        start = (-over, -(2**31), 2**31 - 3 * over)[where]
        for lap in (start, start + over, start + 2 * over, start + 2 * over + 2**32):
            for part in sorted({0, 1, over // 3, over // 2, over - 1}):
                if alone:
                    steps += [advance(lap + part), QUERY]
                steps += [insert_at(lap + part, next(elements)), QUERY]
        yield Attempt(revealing[0], "a few entries in windows over hours and days", steps)


def _start(number: int, over: int) -> int:
    """Return the start time of a stream: at 0, before it by a lap and a half, or far from it."""
    return (0, -over - over // 2, FAR, -FAR)[number % 4]


def _lives(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    for (many, over), domain in zip(LIVES, itertools.cycle(by_faith(domains) or domains), strict=False):
        element, steps = drawing(domain, random), [span(over)]
        for now in range(many + over):
            steps += [insert_at(now, element()), *([QUERY] if now % (over - 1) == 0 else ())]
        yield Attempt(domain, f"{many:,} entries, {over} at a time", steps)


def _counts(domains: Sequence[Domain], random: Random, advances: bool) -> Iterator[Attempt]:
    for many, domain in zip(COUNTS[4:], itertools.cycle(by_faith(domains) or domains), strict=False):
        element = drawing(domain, random)
        first = [insert_at(1, element()), QUERY]
        steps = [span(3), *first, *(insert_at(2, element()) for _ in range(many)), QUERY]
        steps += [insert_at(2, element()), QUERY, insert_at(4, element()), QUERY, insert_at(5, element()), QUERY]
        yield Attempt(domain, f"{many:,} entries at one time", steps)
        steps = [span(3), *first, *(insert_at(time, element()) for time in range(2, many + 2)), QUERY]
        if advances:
            steps += [advance(time) for time in range(many + 2, many + 5)] + [QUERY]
        yield Attempt(domain, f"{many:,} inserts between two queries", steps)
        if advances:
            steps = [span(many + 2), *first, *map(advance, range(2, many + 3)), QUERY, advance(many + 3), QUERY]
            yield Attempt(domain, f"{many:,} moves of time without an insert", steps)


def _monotone(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    choosing = [domain for domain in domains if not domain.operation.faithful] or domains
    for over in HEIGHTS:
        for domain in choosing if over <= MODERATE else [domain for domain in choosing if domain.small]:
            for name, stream in slopes(draw_many(domain, 2 * over, random)).items():
                steps = [span(over)]
                for now, element in enumerate(stream):
                    look = now >= over - 1 and (now - over + 1) % (1 + over // LOOKS) == 0
                    steps += [insert_at(now, element), *([QUERY] if look else ())]
                yield Attempt(domain, f"a stream that is {name}, over {over:,} units of time", [*steps, QUERY])


def _random(domains: Sequence[Domain], random: Random, advances: bool) -> Iterator[Attempt]:
    for number in itertools.count(1):
        for domain in domains:
            reach = random.choice((4, 12, 40, MODERATE))
            over, element, steps = random.randint(1, reach), drawing(domain, random), list[Step]()
            now = _start(random.randrange(4), over)
            for _ in range(random.randint(1, 4)):
                asks, moves, stands, pause = (
                    random.choice((0.1, 0.5, 1.0)),
                    random.choice((0.0, 0.2)),
                    random.choice((0.0, 0.0, 0.9)),
                    random.choice((1, 2, over, 6 * over)),
                )
                for _ in range(random.randint(1, 2 * reach)):
                    now += 0 if random.random() < stands else random.choice((0, 1, random.randint(0, pause)))
                    steps.append(advance(now) if advances and random.random() < moves else insert_at(now, element()))
                    if random.random() < asks:
                        steps.append(QUERY)
            yield Attempt(domain, f"random trace {number}", [span(over), *steps, QUERY, QUERY])


def simpler(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield traces with an insert in place of an advance; with a shorter span, the shortest first; and with times
    closer to the first by the same amount, or with all times after the longest silence earlier by that amount.

    >>> from swagproof.oracle.trace import inline
    >>> for smaller in simpler([span(3), insert_at(3, "a"), advance(7), QUERY]):
    ...     print(inline(smaller))
    span 3, insert 7 "a", query
    span 1, insert 3 "a", advance 7, query
    span 1, insert 3 "a", advance 5, query
    span 1, insert 3 "a", advance 5, query
    span 2, insert 3 "a", advance 7, query
    span 2, insert 3 "a", advance 6, query
    span 2, insert 3 "a", advance 6, query
    """
    timed = [step for step in steps if step.name in ("insert", "advance")]
    if not timed or steps[0].name != "span" or not all(type(step.arguments[0]) is int for step in (steps[0], *timed)):
        return
    for at in range(1, len(steps)):
        if steps[at].name == "advance" and steps[at - 1].name == "insert":
            yield [*steps[: at - 1], insert_at(steps[at].arguments[0], steps[at - 1].arguments[1]), *steps[at + 1 :]]
    over, first = steps[0].arguments[0], timed[0].arguments[0]
    times = [step.arguments[0] for step in timed]
    silence, after = max(((later - time, later) for time, later in itertools.pairwise(times)), default=(0, first))
    for less in sorted({over >> shift for shift in range(1, over.bit_length())} | {over - 1} - {0}):

        def closer(time: Any, less: int = less) -> Any:
            return max(min(time, first + less), time - (over - less))

        def earlier(time: Any, less: int = less) -> Any:
            return time - (over - less) * (time >= after)

        yield [span(less), *steps[1:]]
        for other in (closer, earlier) if over - less <= silence else (closer,):
            yield [span(less), *(_at(step, other) for step in steps[1:])]


def _at(step: Step, other: Callable[[Any], Any]) -> Step:
    """Return the operation at another time."""
    return Step(step.name, (other(step.arguments[0]), *step.arguments[1:])) if step.arguments else step
