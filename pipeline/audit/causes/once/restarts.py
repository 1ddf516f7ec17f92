"""A job that was begun again without what it had kept: what its open windows held before is in no result.

No rule of the job is wrong then, so that no other definition explains it; and that windows around one moment hold what
came last alone looks like parts that are not merged.  Where the cut is the findings tell: of each it is after some
event, and before the next one that came.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Counted, Frame, Session
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample, Window
from swagproof.pipeline.audit.causes.tried.events.lates import find_end
from swagproof.pipeline.audit.causes.weigh import LEAST

_LOOKED: Final = 60
_WIDEST: Final = 60
"""How many findings are looked into one by one, and how many events a window then has at most."""
_TRIED: Final = 3


def find_restarts(sample: Sample, left: Collection[Name], given: Hypothesis | None) -> Iterator[Hypothesis]:
    """The moments that explain most findings, `given` another cause."""
    if isinstance(sample.window, Frame | Counted) or (isinstance(sample.window, Session) and sample.delay is None):
        return
    base = sample.due if given is None else given.foretell(sample)
    answer = sample.answer if given is None else partial(given.make_answer, sample)
    there = ((name, base.get(name, ())) for name in left if name in sample.results)
    narrow = sorted((len(p[0].events), str(name), name) for name, p in there if len(p) == 1)
    cuts: list[list[tuple[int, int]]] = []
    for n, _, name in narrow[:_LOOKED]:
        if n > _WIDEST:
            break
        came = sorted(base[name][0].events, key=_get_arrival)
        mine: list[tuple[int, int]] = []
        for before, after in pairwise(came):
            kept = [e for e in base[name][0].events if e.arrival >= after.arrival]
            if sample.fits([answer(kept)], sample.results[name]):
                mine.append((before.arrival, after.arrival))
        cuts += [mine] if mine else []
    ends = {high for mine in cuts for _, high in mine}
    votes = Counter({end: sum(_holds(mine, end) for mine in cuts) for end in ends})
    best = dict(votes.most_common(_TRIED))
    while cuts and len(best) < 2 * _TRIED:  # what another one explains
        likely = max(ends, key=lambda end: (sum(_holds(mine, end) for mine in cuts), end))
        n = sum(_holds(mine, likely) for mine in cuts)
        if n < LEAST:
            break
        best.setdefault(likely, n)
        cuts = [mine for mine in cuts if not _holds(mine, likely)]
    for number, n in sorted(best.items()):
        if n >= LEAST:
            yield _restart(sample, number)


def _holds(mine: Sequence[tuple[int, int]], end: int) -> bool:
    return any(low < end <= high for low, high in mine)


def _get_arrival(e: Event) -> int:
    return e.arrival


def _restart(sample: Sample, number: int) -> Hypothesis:
    mark = _find_mark(sample, number)
    are_sessions = isinstance(sample.window, Session)
    return Hypothesis(
        "state lost",
        f"loses what its open windows hold before event {number:,} comes",
        needs=2,
        bits=log2(max(2, len(sample.arrivals))) + log2(max(2, len(sample.due))),
        windows=partial(_split, sample, number, mark) if are_sessions else None,
        results=None if are_sessions else partial(_lose, sample, number, mark),
    )


def _find_mark(sample: Sample, number: int) -> int:
    """The last end of a window that is over before this event comes: it is right, and of earlier events alone."""
    right = (
        name
        for name, parts in sample.due.items()
        if name not in sample.findings and all(e.arrival < number for part in parts for e in part.events)
    )
    return max((end for name in right if (end := _find_end(sample, name)) is not None), default=-(2**63))


def _find_end(sample: Sample, name: Name) -> int | None:
    return name[2] if isinstance(sample.window, Session) else find_end(sample, name)


def _lose(sample: Sample, number: int, mark: int, found: Foretold) -> Foretold:
    made = Foretold()
    for name, parts in found.items():
        events, end = parts[0].events, _find_end(sample, name)
        kept = [e for e in events if e.arrival >= number]
        before = [e for e in events if e.arrival < number]
        is_over = end is None or end <= mark
        if len(parts) > 1 or not before:
            made[name] = parts
        elif is_over or kept:
            there = [before, kept] if is_over else [kept]
            made[name] = [Part(some) for some in there if some]
    return made


def _split(sample: Sample, number: int, mark: int, events: list[Event]) -> Iterator[Window]:
    for w in sample.split(sample.window, [e for e in events if e.arrival < number]):
        if w.b <= mark:
            yield w
    yield from sample.split(sample.window, [e for e in events if e.arrival >= number])
