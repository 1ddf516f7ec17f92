"""A few keys, and what is there up to some findings: what a hypothesis is tried on first, where all is too much."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome, Work
from swagproof.pipeline.audit.causes.sample import Name, Sample, get_place

_ENOUGH: Final = 12
"""How many findings a hypothesis is tried on before it is tried on all, of which it has to explain one."""


def choose_few(sample: Sample, most: int) -> Sample | None:
    """The keys with findings that are looked at with least work, so many that no more than `most` events are looked at
    for a hypothesis; None where all may be."""
    if sample.size <= most:
        return None
    sizes = sample.sizes
    keys: list[str] = []
    for key in sorted({name[0] for name in sample.open} & sizes.keys(), key=lambda key: sizes[key]):
        if len(keys) > 1 and sum(sizes[k] for k in keys) + sizes[key] > most:
            break
        keys.append(key)
    small = shorten(sample if not keys else sample.of_keys(keys))
    return small if small.size < sample.size else None


def shorten(sample: Sample, enough: int = _ENOUGH, most: float = 1 / 2) -> Sample:
    """What is there up to some findings, the first of all: as many as a hypothesis has to explain one of to be tried on
    all.  Where they begin late that is most of it: then all, where that is more than `most`."""
    places = sorted(get_place(name) for name in sample.open)
    if len(places) <= enough or sample.by_row or isinstance(sample.window, Counted):  # whose places are no times
        return sample
    small = sample.before(places[enough] + 1 + 2 * _find_reach(sample.window))
    return small if len(small.open) >= enough // 2 and small.size < most * sample.size else sample


def find_adding(
    few: Sample | None, work: Work, base: Hypothesis, outcomes: Sequence[Outcome], left: Collection[Name]
) -> Callable[[Hypothesis], bool]:
    """Whether a hypothesis may explain more of what is left than is believed already: where some of that is among few
    keys, it has to do so there, or by itself among all."""
    there = None if few is None or not few.open.intersection(left) else base.hold(few)
    alone = {id(one.hypothesis) for one in outcomes if not one.explained.isdisjoint(left)}

    def adds(one: Hypothesis) -> bool:
        if few is None or there is None or one.mixes or one.results is not None or id(one) in alone:
            return True
        both = work.hold(base.and_also(one), few)
        return both is not None and not both.explained <= there.explained

    return adds


def _find_reach(window: WindowSpec) -> int:
    """How far from where it is a window has events."""
    match window:
        case Sliding(range_):
            return int(range_)
        case Session(gap):
            return int(gap)
        case Frame("range", start, end):
            return int(max(abs(start or 0), abs(end or 0)))
        case Calendar(_, range_):
            return window.start(range_) - window.start(0)
        case _:
            return 0
