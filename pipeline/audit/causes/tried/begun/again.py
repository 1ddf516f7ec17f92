"""A job that begins the state of a window again, or does not change it any more, when something is so: which rule that
is the cuts tell.

State goes when a window has fired and a late event opens it anew, when nothing came for longer than it lives, when it
has lived for so long, when a cache, a buffer or a list is full; and what has been written stays as it was where a
window was closed too soon.  All of these are one thing to see: the result is that of the events that came last, or
first.  So each is a number that goes with each event of a window, in the order in which they came, and a limit: where
the number is beyond it, the window is cut.  The cuts of findings, and that right results have none, tell the limit; the
plainest number that does as well is taken.  Then it is a hypothesis as any other, held against all results.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil, inf, log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, Frame, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Foretold, Name, Part, Sample, take_all
from swagproof.pipeline.audit.causes.spans import show_span
from swagproof.pipeline.audit.causes.tried.begun.limits import Rule, Values, list_rules
from swagproof.pipeline.audit.causes.tried.cuts import Cuts, find_cuts, has_result, keep, sort_arrived
from swagproof.pipeline.audit.causes.tried.events.timely import follow_last

_LEAST: Final = 2
"""How many findings, or batches, are a pattern."""
_LOOKED: Final = 40
"""How many findings are looked into."""
_WIDEST: Final = 120
"""How many events a window has at most that is looked into."""
_LIMITS: Final = 80
"""How many limits are tried for a rule at once."""
_OTHER: Final = 2.0
"""Bits of saying which other events count, where it is not those that are due."""


def list_begun(sample: Sample) -> Iterator[Hypothesis]:
    """Rules by which states begin again, or stay as they were."""
    if isinstance(sample.window, Frame):
        return
    for base in _list_bases(sample):
        found = base.foretell(sample)
        looked = _look(sample, found)
        if sum(bool(cuts.after or cuts.before) for cuts in looked.wrong.values()) < _LEAST:
            continue
        rules = list(list_rules(sample, found, None if base.events is None else base.events(sample.events)))
        for rule in rules:
            chosen = _choose_limit(rule, rule.read(found), looked)
            if chosen is None:
                continue
            limit, bits = chosen
            one = Hypothesis(
                rule.cause,
                f"{base.why}{', and ' if base.why else ''}{rule.tell(limit)}",
                events=base.events,
                takes=base.takes,
                results=partial(_cut, rule, limit),
                bits=log2(len(rules)) + rule.bits + bits + (_OTHER if base.why else 0.0),
                spare=max(0.0, log2(_LIMITS) - bits),
            )
            yield one
            if rule.read_end is not None:
                why = f"{one.why}, and has no result where as long a time is after its last"
                yield replace(one, why=why, results=partial(_cut, rule, limit, ends=rule.read_end), bits=one.bits + 1)


def _list_bases(sample: Sample) -> Iterator[Hypothesis]:
    """Which events count: those that are due; late ones, too; those that the last event says are not late."""
    yield Hypothesis("", "")
    if sample.delay is not None and isinstance(sample.window, Sliding | Calendar):
        yield Hypothesis("", "counts late events", takes=take_all)
        if sample.whole:
            said = f"takes the time of the last event, less {show_span(sample.delay, sample.tick)}, for the watermark"
            yield Hypothesis("", said, events=partial(follow_last, True, sample.delay))


@dataclass(frozen=True)
class _Looked:
    """Some findings with the cuts that they may have, and all that is right."""

    sample: Sample
    found: Foretold
    wrong: Mapping[Name, Cuts]
    right: frozenset[Name]
    _kept: dict[tuple[Name, int, bool], bool] = field(default_factory=dict[tuple[Name, int, bool], bool])

    def stays(self, name: Name, cut: int, *, last: bool) -> bool:
        """Whether a right result is the same where its window is cut there."""
        place = name, cut, last
        if place not in self._kept:
            part = keep(sort_arrived(self.found[name][0].events), cut, last=last)
            self._kept[place] = has_result(self.sample, part, self.sample.results[name])
        return self._kept[place]


def _look(sample: Sample, found: Foretold) -> _Looked:
    """What there is of windows that have one result, of findings from all over the sample."""
    single = [
        name
        for name, parts in found.items()
        if len(parts) == len(sample.results.get(name, ())) == 1 and parts[0].answer is None and len(parts[0].events) > 1
    ]
    narrow = sorted((n for n in single if n in sample.open and len(found[n][0].events) <= _WIDEST), key=str)
    wrong: dict[Name, Cuts] = {}
    for name in narrow[:: len(narrow) // _LOOKED + 1]:
        wrong[name] = find_cuts(sample, found[name][0].events, sample.results[name], sample.answer)
    return _Looked(sample, found, wrong, frozenset(single) - sample.findings - sample.aside)


def _choose_limit(rule: Rule, values: Values, looked: _Looked) -> tuple[float, float] | None:
    """The plainest of those limits that explain most findings, and leave right results as they are; and the bits of
    choosing one that does of all that were tried."""
    wrong = [
        (values[name], cuts.after if rule.last else cuts.before)
        for name, cuts in looked.wrong.items()
        if name in values
    ]
    right = sorted(
        ((rule.find_most(values[name]), name) for name in looked.right & values.keys()),
        key=lambda it: (-it[0], str(it[1])),
    )

    def rate(limit: float) -> float:
        cuts = [(rule.find(mine, limit), fits) for mine, fits in wrong]
        rated = sum((at in fits) - 0.5 * (0 < at not in fits) for at, fits in cuts)
        for most, name in right:
            if most <= limit or rated < _LEAST:
                break
            cut = rule.find(values[name], limit)
            rated -= 2 * (cut > 0 and not looked.stays(name, cut, last=rule.last))
        return rated

    least = {limit for mine, fits in wrong if fits for limit in rule.list_limits(mine, fits)}
    tried = sorted(limit for limit in (*least, *(most for most, _ in right), 0.0) if limit > -inf)
    all_ = len(tried)
    while len(tried) > _LIMITS:
        step = len(tried) // _LIMITS + 1
        near = max(range(0, len(tried), step), key=lambda i: rate(tried[i]))
        tried = tried[max(0, near - step + 1) : near + step]
    best = max(tried, key=rate, default=None)
    half = sum(bool(fits) for _, fits in wrong) / 2  # of what is cut by another rule, some is cut by this one, too
    if best is None or rate(best) < max(_LEAST, half):
        return None
    bits = log2(all_ / sum(rate(limit) >= rate(best) for limit in tried))
    plain = _list_plain(best, rule.spans)
    return next(limit for limit in plain if limit == best or rate(limit) >= rate(best)), bits


def _list_plain(limit: float, spans: Sequence[int]) -> Iterator[float]:
    """Plain numbers that are no less, from the plainest on, spans before all; and itself."""
    yield from (n for n in (0.0,) if limit <= 0)
    yield from (span for span in spans if span >= max(limit, 1))
    for digits in range(12, -1, -1):
        yield ceil(limit / 10**digits) * 10**digits
    yield limit


def _cut(
    rule: Rule,
    limit: float,
    found: Foretold,
    *,
    ends: Callable[[Foretold], Mapping[Name, float]] | None = None,
) -> Foretold:
    made = dict(found)
    for name, values in rule.read(found).items():
        cut = rule.find(values, limit)
        if cut:
            made[name] = [Part(keep(sort_arrived(found[name][0].events), cut, last=rule.last))]
    for name, value in {} if ends is None else ends(found).items():
        if value > limit:
            del made[name]
    return made
