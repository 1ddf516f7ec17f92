"""Frames: the results of a batch engine, the rule that judges them, and the traces to try.

A subject of this kind has `frame(unit, start, end)`, which is called first and once; `insert(t, v)`, for each row; and
`results()`, a list with the answer for each row's frame, in the order of time (and of arrival, if times are equal).
Unlike other windows it takes raw elements and answers lowered aggregates, as an engine does: a Python class that
computes over its monoid calls `monoid.lift(v)` and `monoid.lower(aggregate)` itself.

Frames are those of `swagproof.models.windows.kinds`; null is unbounded.  Elements of SQL's aggregates may be None,
which is NULL (`swagproof.oracle.domains.sql`).

Neither end of such a frame moves back from one row to the next.  So the expected results come from Two-Stacks, which is
proved, with an amortised constant number of combine calls per row.

The phases are classes of frames, named after their subject matter (`swagproof.oracle.vectors.drafts.FLAGS`), so that a
table of phases shows what an engine gets right.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, Generic, TypeAlias

from swagproof.models.monoid import A, Monoid
from swagproof.models.windows.kinds import End, Frame
from swagproof.oracle.domain import Domain, Element, Exactly
from swagproof.oracle.search.attempts import LEAD, Attempt, Phase
from swagproof.oracle.trace import Step, insert_at
from swagproof.reference.in_order.two_stacks import TwoStacks

RESULTS: Final = Step("results")

DOMAINS: Final = (
    "concatenation",
    "sql-sum",
    "sql-first",
    "sql-concatenation",
    "sql-float-max",
    "sql-arg-max",
    "sql-count",
    "sql-float-sum",
)
"""The domains for a subject that takes any monoid, the free monoid first, since it exposes most."""


class Frames(Generic[A]):
    """The expected results, as partial aggregates: Two-Stacks slides over the rows in order."""

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.declared = Frame("rows", None, None)
        self.rows: list[tuple[Any, A]] = []

    def frame(self, unit: str, start: End, end: End) -> None:
        """Declare the frame."""
        self.declared = Frame(unit, start, end)

    def insert(self, t: Any, v: A) -> None:
        """Add a row."""
        self.rows.append((t, v))

    def results(self) -> list[A]:
        """Return the answer for each row.  At most 5 combine calls for each, amortised."""
        rows = sorted(self.rows, key=lambda row: row[0])
        window = TwoStacks(self.monoid)
        answers: list[A] = []
        first = stop = 0
        for low, high in self.declared.bounds([time for time, _ in rows]):
            while first < min(low, stop):
                window.evict()
                first += 1
            if low > stop:
                first = stop = low
            while stop < high:
                window.insert(rows[stop][1])
                stop += 1
            answers.append(window.query())
        return answers


class EachRow(Exactly):
    """A rule for lists of results: each is judged by the rule for one answer."""

    def __init__(self, one: Exactly) -> None:
        super().__init__(one.mirror)
        self.one = one

    def agree(self, expected: Any, got: Any) -> bool:
        """Return whether each row has a result, and each is right."""
        try:
            return len(got) == len(expected) and all(map(self.one.answers, expected, got))
        except Exception:  # an answer may raise anything
            return False

    def round_exact(self, expected: Any) -> list[Any]:
        return [self.one.answer(aggregate) for aggregate in expected]

    def allowed(self, expected: Any) -> float | None:
        """Return the largest bound on the error of a result."""
        return max((off for off in map(self.one.allowed, expected) if off is not None), default=None)


def judge_each_row(domain: Domain) -> Domain:
    """Return the domain for frames: raw elements, and an answer for each row."""
    if isinstance(domain.rule, EachRow):
        return domain
    return replace(domain, rule=EachRow(domain.rule), lowered=True)


# Traces to try


Ends: TypeAlias = tuple[tuple[End, End], ...]

USUAL: Final[Ends] = (
    (-1, 0), (None, 0), (0, 1), (-1, 1), (0, None), (None, None), (-2, -1), (1, 2), (0, 0), (-2, 0), (-3, 2)
)  # fmt: skip
"""Frames that are not empty for most rows."""
MORE: Final[Ends] = ((None, -1), (1, None), (None, 1), (-1, None), (-1, -1), (1, 1), (-100, 100))
OFTEN_EMPTY: Final[Ends] = (
    (2, 3), (-3, -2), (1, 1), (4, 9), (-9, -4), (1000, 1001), (-1001, -1000), (5, None), (None, -5), (2, 1), (-1, -2)
)  # fmt: skip
SKIPPING: Final[Ends] = ((2, 3), (3, None))
"""Frames that leave out some rows before the first: an engine may add these rows and remove them again."""
LARGE: Final[Ends] = ((-1, 0), (-99, 0), (-7, 8), (None, 0), (0, 600), (-600, -1), (1, 64), (-3000, 3000), (0, None))
SIZES: Final = (17, 65, 129, 530, 1025, 2049, 5000)
"""Numbers of rows at which engines change: blocks of trees, batches and vectors."""
SIBLINGS: Final = 16
"""The number of traces on which a diagnosis is tested."""
NEAR: Final[Ends] = ((-1, 0), (0, 1), (-1, 1), (1, 2), (-2, -1), (None, 0))
TIED: Final = 3
"""The number of rows with an equal time in a large table: never a divisor of a batch, so that batches split some."""
FAR: Final = 2**62
WIDE: Final = 2**53
"""The number from which floats skip integers."""

Rows: TypeAlias = Sequence[tuple[Any, Element]]


def declare(frame: Frame) -> Step:
    """Return the operation that declares a frame."""
    return Step("frame", (frame.unit, frame.start, frame.end))


def trace(frame: Frame, rows: Rows) -> list[Step]:
    """Return the trace that declares the frame, inserts the rows, and asks for the results.

    >>> from swagproof.oracle.trace import inline
    >>> inline(trace(Frame("range", -2, None), [(7, "a")]))
    'frame "range" -2 null, insert 7 "a", results'
    """
    return [declare(frame), *(insert_at(time, element) for time, element in rows), RESULTS]


def about(elements: Iterable[Element]) -> str:
    """Return the phase for these elements: `nulls`, `nan` (and infinities), `extremes`, or `plain`.

    >>> [about(some) for some in ([1, None], [1.0, float("inf")], [1e300, 1.0], [2, 1], [(1, "a")])]
    ['nulls', 'nan', 'extremes', 'plain', 'plain']
    """
    some = list(elements)
    numbers = [x for x in some if type(x) in (int, float)]
    if any(not math.isfinite(x) for x in numbers):
        return "nan"
    if any(x is None for x in some):
        return "nulls"
    if any(abs(x) >= WIDE or 0 < abs(x) < 1e-300 for x in numbers):
        return "extremes"
    return "plain"


def phases(domains: Sequence[Domain], seed: int, _methods: Sequence[str] = ()) -> list[Phase]:
    """Return the phases of the search."""
    return [
        Phase("rows", 0.1, _frames(domains, "rows", "plain", USUAL + MORE, (1, 3, 4, 6, 7, 9, 10)), LEAD // 4),
        Phase("range", 0.1, _frames(domains, "range", "plain", USUAL + MORE, (1, 2, 4, 7, 8, 12, 13))),
        Phase("empty frames", 0.1, _empty(domains)),
        Phase("ties", 0.1, _ties(domains)),
        Phase("nulls", 0.1, _frames(domains, "both", "nulls", USUAL[:9], (1, 2, 4, 7, 8, 12, 13))),
        Phase("nan", 0.1, _frames(domains, "both", "nan", USUAL[:9], (1, 2, 4, 7, 8, 12, 13))),
        Phase("extremes", 0.1, _frames(domains, "both", "extremes", (*USUAL, *SKIPPING), (1, 2, 3, 4, 5, 6, 7))),
        Phase("far ends", 0.05, _far_ends(domains)),
        Phase("many rows", 0.15, _many(domains, Random(f"many {seed}"))),
        Phase("random", 0.1, _random(domains, Random(f"random {seed}"))),
    ]


def _sequences(domain: Domain, kind: str) -> list[tuple[Element, ...]]:
    """Return the domain's sequences of this kind."""
    return [order[:9] for order in domain.orders if about(order[:9]) == kind]


def _in_disorder(rows: Rows) -> list[tuple[Any, Element]]:
    """Return the same rows in another order of arrival: the second half first, in steps of two."""
    half = len(rows) // 2
    late, early = rows[half:], rows[:half]
    return [*late[::2], *early[1::2], *late[1::2], *early[::2]]


def _frames(
    domains: Sequence[Domain], units: str, kind: str, ends: Sequence[tuple[End, End]], times: Sequence[int]
) -> Iterator[Attempt]:
    """Yield each frame over each sequence of this kind; every third arrives out of order."""
    turn = itertools.count()
    for start, end in ends:
        for unit in ("rows", "range") if units == "both" else (units,):
            for domain in domains:
                for order in _sequences(domain, kind):
                    rows = list(zip(itertools.chain(times, itertools.count(times[-1] + 1)), order, strict=False))
                    steps = trace(Frame(unit, start, end), rows if next(turn) % 3 else _in_disorder(rows))
                    yield Attempt(domain, f"{unit} over {kind} elements", steps)


def _empty(domains: Sequence[Domain]) -> Iterator[Attempt]:
    for (start, end), unit in itertools.product(OFTEN_EMPTY, ("rows", "range")):
        for domain in domains:
            elements = domain.elements.letters
            for times in ((1, 2, 4, 8, 9, 20, 21), (1, 3, 5, 7, 9, 11), (5,), ()):
                rows = list(zip(times, itertools.cycle(elements), strict=False))
                yield Attempt(domain, "frames that may be empty", trace(Frame(unit, start, end), rows))
    for (start, end), domain in itertools.product(USUAL, domains):
        for unit, rows in itertools.product(("rows", "range"), ([], [(5, domain.elements.letters[0])])):
            yield Attempt(domain, "no row, or one", trace(Frame(unit, start, end), rows))


def _ties(domains: Sequence[Domain]) -> Iterator[Attempt]:
    for (start, end), unit in itertools.product(USUAL + MORE, ("range", "rows")):
        for domain in domains:
            for times in ((1, 1, 2, 3, 3, 3, 5), (4, 2, 2, 4, 1, 4, 2), (7, 7, 7)):
                rows = list(zip(times, itertools.cycle(domain.elements.letters), strict=False))
                yield Attempt(domain, f"{unit} with ties", trace(Frame(unit, start, end), rows))


def _far_ends(domains: Sequence[Domain]) -> Iterator[Attempt]:
    for domain in domains:
        few = domain.elements.letters[:3]
        for far in (2**31, FAR, 2**63 - 1):
            for unit, start, end in (
                ("rows", far, far),
                ("rows", -far, far),
                ("rows", -far, -far),
                ("rows", 1, far),
                ("range", -far, far),
                ("range", far, far),
                ("range", -far, 0),
            ):
                rows = list(zip((1, 2, 4), few, strict=False))
                yield Attempt(domain, "offsets beyond all rows", trace(Frame(unit, start, end), rows))
        for times in ((2**63 - 3, 2**63 - 2, 2**63 - 1), (-(2**63), 1 - 2**63, 2 - 2**63)):
            for near in NEAR:
                rows = list(zip(times, few, strict=False))
                yield Attempt(domain, "times near the ends of 64 bits", trace(Frame("range", *near), rows))


def _many(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    """Yield large tables of small elements: random ones, or copies of one letter with a rare other one."""
    for n in SIZES:
        for domain in domains:
            tied = [(time // TIED, element) for time, element in _drawn(domain, n, random, 0)]
            yield Attempt(domain, f"{n:,} rows with ties", trace(Frame("range", None, 0), tied))
        for at, (start, end) in enumerate(LARGE):
            for domain in domains:
                unit = ("rows", "range")[at % 2]
                for lone in _LONE:
                    yield Attempt(
                        domain, f"{n:,} rows", trace(Frame(unit, start, end), _drawn(domain, n, random, lone))
                    )


_LONE: Final[tuple[int | None, ...]] = (0, 1, None)
"""The index of the rare letter; None for random elements."""


def _drawn(domain: Domain, n: int, random: Random, lone: int | None) -> list[tuple[int, Element]]:
    if lone is not None:  # it must be neither forgotten nor kept
        letters = (*domain.elements.letters, *domain.elements.letters)
        one, other = letters[lone], letters[1 - lone]
        return [(time, one if time % 1001 == 0 else other) for time in range(n)]
    pick = [element for element in (domain.elements.draw(random) for _ in range(4 * n)) if about([element]) != "nan"]
    return list(enumerate(pick[:n]))


def _random(domains: Sequence[Domain], random: Random) -> Iterator[Attempt]:
    for number in itertools.count(1):
        for domain in domains:
            n = random.choice((2, 3, 5, 8, 13, 40)) if number % 20 else random.choice((300, 1500))
            spread = random.choice((n // 3 + 1, 2 * n, 10 * n))
            start, end = (random.choice((None, random.randint(-n, n), random.randint(-3, 3))) for _ in range(2))
            if start is not None and end is not None and random.random() < 0.9:
                start, end = min(start, end), max(start, end)
            rows = [(random.randint(-spread, spread), domain.elements.draw(random)) for _ in range(n)]
            yield Attempt(
                domain, f"random trace {number}", trace(Frame(random.choice(("rows", "range")), start, end), rows)
            )


def simpler(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield the trace with simpler frames: of rows, or with an end nearer to the row itself."""
    for at, step in enumerate(steps):
        if step.name == "frame":
            unit, start, end = step.arguments
            for other in _simpler_frames(Frame(unit, start, end)):
                yield [*steps[:at], declare(other), *steps[at + 1 :]]


def siblings(domain: Domain, steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield traces with the same frame, and a few with one next to it, over the same rows, more rows, or others."""
    random = Random(0)
    inserts = [step for step in steps if step.name == "insert"]
    times = [step.arguments[0] for step in inserts] or [1]
    kinds = {"plain", *(about([step.arguments[1]]) for step in inserts)}
    for number in range(SIBLINGS):
        more = random.randint(2, 6)
        reach = random.choice((1, 4, 12))
        drawn = [
            element for element in (domain.elements.draw(random) for _ in range(4 * more)) if about([element]) in kinds
        ]
        moments = (random.randint(min(times) - reach, max(times) + reach) for _ in drawn)
        rows = [
            insert_at(max(-FAR, min(time, FAR)), element) for time, element in zip(moments, drawn[:more], strict=False)
        ]
        kept = inserts if number % 2 and max(map(abs, times)) < FAR else []
        by = 0 if number % 4 else random.choice((-1, 1))
        frames = [Frame(*step.arguments) for step in steps if step.name == "frame"]
        ends = [[None if end is None else end + by for end in (frame.start, frame.end)] for frame in frames]
        moved = (
            declare(replace(frame, start=start, end=end)) for frame, (start, end) in zip(frames, ends, strict=True)
        )
        yield [*moved, *kept, *rows, RESULTS]


def _simpler_frames(frame: Frame) -> Iterator[Frame]:
    if frame.unit == "range":
        yield replace(frame, unit="rows")
    for name in ("start", "end"):
        offset = getattr(frame, name)
        nearer = [0, 1, -1, *_towards_zero(offset)] if offset else []
        for other in nearer:
            simpler_frame = frame.with_end(name, other)
            if abs(other) < abs(offset) and simpler_frame.start != simpler_frame.end:  # one row is too simple
                yield simpler_frame


def _towards_zero(offset: Any) -> Iterator[Any]:
    """Yield offsets nearer to zero, by a half, by a quarter, ..., by one, so that large bounds shrink quickly.

    >>> list(_towards_zero(-20))
    [-10, -15, -18, -19]
    """
    part = abs(int(offset)) // 2
    while part:
        yield offset - part if offset > 0 else offset + part
        part //= 2
