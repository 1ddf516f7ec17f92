"""All that may have happened once, or some times, each with what became of it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Session
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome
from swagproof.pipeline.audit.causes.once.anew.rewritten import find_rewritten
from swagproof.pipeline.audit.causes.once.buffers import find_lost_buffers
from swagproof.pipeline.audit.causes.once.counters import find_lost_counts
from swagproof.pipeline.audit.causes.once.halts import find_halts
from swagproof.pipeline.audit.causes.once.handed import find_handed
from swagproof.pipeline.audit.causes.once.restarts import find_restarts
from swagproof.pipeline.audit.causes.once.stretches import Line, find_stretches
from swagproof.pipeline.audit.causes.once.tails import find_tails
from swagproof.pipeline.audit.causes.once.torn.moments import find_torn
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample, get_arrival
from swagproof.pipeline.audit.causes.weigh import LEAST

_KEYS: Final = 6
"""Of how many keys stretches of their own are looked for."""
_TIMES: Final = 5
"""How often at most what happens once has happened."""


def find_occasions(
    sample: Sample, left: Collection[Name], given: Hypothesis | None, show_time: Callable[[int], str]
) -> Iterator[tuple[Hypothesis, Outcome]]:
    """Events that came in a row and were lost, or counted twice, and windows whose state was; each with what becomes of
    it in the job that has what is `given`."""
    lines = [Line(get_arrival, "that came from", "{:,}".format)] if sample.numbered else []
    if not (lines and isinstance(sample.window, Session)):  # where others come of each loss
        lines.append(Line(_get_time, "with times from", show_time, by_time=True))
    if sample.numbered:
        halts, tails = find_halts(sample, left, show_time), find_tails(sample, left, given)
        states = chain(find_restarts(sample, left, given), find_lost_buffers(sample), find_lost_counts(sample), halts)
        yield from _hold_each(sample, given, chain(states, tails, find_torn(sample, left, given)))
        yield from _hold_each(sample, given, find_handed(sample, left, show_time))
    yield from _hold_each(sample, given, find_rewritten(sample, left, given, show_time))
    those = (find_stretches(sample, left, line, again=n, given=given) for line, n in product(lines, (False, True)))
    once = list(
        _hold_each(sample, given, chain(chain.from_iterable(those), _find_of_keys(sample, left, given, lines[-1])))
    )
    yield from once
    yield from _hold_each(sample, given, _join_disjoint(once))


def _find_of_keys(sample: Sample, left: Collection[Name], given: Hypothesis | None, line: Line) -> Iterator[Hypothesis]:
    """Stretches of one key alone, of those that have most findings."""
    found = Counter(name[0] for name in left)
    for key, n in found.most_common(_KEYS) if len(sample.events) > 1 else ():
        if n < LEAST:
            break
        mine, of_key = frozenset(name for name in left if name[0] == key), sample.of_keys([key])
        for again in (False, True):
            for one in find_stretches(of_key, mine, line._replace(key=key), again=again, given=given):
                yield replace(one, bits=one.bits + log2(len(sample.events)))


def _hold_each(
    sample: Sample, given: Hypothesis | None, those: Iterable[Hypothesis]
) -> Iterator[tuple[Hypothesis, Outcome]]:
    """What becomes of each in the job that has what is given."""
    for one in those:
        if given is None:
            yield one, one.hold(sample)
        elif may_recur(given, one):
            yield one, given.and_also(one).hold(sample)


def may_recur(given: Hypothesis, one: Hypothesis) -> bool:
    """Whether something may be so beside what is given; what happened once may again."""
    return not given.clashes_with(one)


def _join_disjoint(once: Sequence[tuple[Hypothesis, Outcome]]) -> Iterator[Hypothesis]:
    """What happened several times, each of which explains findings of its own, and none of which is wrong."""
    for cause in dict.fromkeys(one.cause for one, _ in once):
        those = [(one, it) for one, it in once if one.cause == cause and not it.missed and not it.contradicted]
        joined: Hypothesis | None = None
        taken: frozenset[Name] = frozenset()
        times = 0
        for one, it in sorted(those, key=lambda pair: -len(pair[1].explained)):
            if len(it.explained) < LEAST or taken & it.explained or times == _TIMES:
                continue
            both = one if joined is None else joined.and_also(one)
            joined = replace(both, cause=cause, needs=one.needs + times)
            taken, times = taken | it.explained, times + 1
        if joined is not None and times > 1:
            yield joined


def _get_time(e: Event) -> int:
    return e.time
