"""Two causes at once: what neither gives alone both may.

There are too many pairs to hold each against all.  Those of which one explains most by itself, though it misses as
much, are tried with every other one; and those of causes that often come together, where they differ on one key.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, islice
from typing import Final

from swagproof.pipeline.audit.causes.few import shorten
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome, Work
from swagproof.pipeline.audit.causes.sample import Name, Sample
from swagproof.pipeline.audit.causes.weigh import LEAST, Scale

PATIENCE: Final = 8
"""By how many more a pair may miss than it explains while it is held."""
_LIKELY: Final = 4
"""How many hypotheses are tried with every other one."""
_ALIKE: Final = 60
"""How many pairs are tried of those that the key tried first does not tell apart."""

_COMMON = frozenset(
    (
        "ends", "a pane short", "a pane long", "another range", "gap inclusive", "gap exclusive", "frame off by one",
        "late events counted", "late events left out", "late by its time", "null as zero", "remainder below zero",
        "arrival order", "newest first", "tie broken otherwise", "truncated", "rounded", "overflow",
        "another aggregate", "first windows left out", "last windows left out", "empty windows filled", "repeated",
        "named by the end", "time zone", "single precision", "result multiplied", "starts from zero", "sign lost",
        "times truncated", "clamped", "keys swapped", "some values left out", "mean of means", "duplicates left out",
        "state kept",
    )
)  # fmt: skip
"""Of which two may come together."""


def hold_pairs(scale: Scale, work: Work, left: Collection[Name], hypotheses: Sequence[Hypothesis]) -> list[Outcome]:
    """What became of the pairs that are tried, with half of the work that is left."""
    small = _choose_key(scale.sample, left)
    if small is None:
        return []
    rest = work.left
    work.left = rest // 2  # the parts are tried after the pairs
    alike = _group_alike(scale, work, small)
    found = list(_hold_likely(scale, work, left, hypotheses, small))
    for some, others in combinations(alike, 2):
        both = _pair(some[0], others[0])
        if both is None:
            continue
        tried = work.hold(both, small, patience=2)
        if tried is None or tried.contradicted or len(tried.explained) <= len(tried.missed):
            continue
        pairs = (pair for one in some for other in others if (pair := _pair(one, other)) is not None)
        held = (work.hold(pair, scale.sample, patience=PATIENCE) for pair in islice(pairs, _ALIKE))
        found += [one for one in held if one is not None]
    work.left += rest - rest // 2
    return found


def _choose_key(sample: Sample, left: Collection[Name]) -> Sample | None:
    """The key with fewest events that has several findings; None where there is none."""
    keys = Counter(name[0] for name in left)
    size = {key: len(sample.events.get(key, ())) for key in keys}
    several = (key for key in sorted(keys) if keys[key] > 1 and size[key])
    least = min(several, key=lambda key: size[key], default=None)
    return None if least is None else shorten(sample.of_keys((least,)))


def _group_alike(scale: Scale, work: Work, small: Sample) -> list[list[Hypothesis]]:
    """Those that often come together; those that do not differ on a key are tried once."""
    alike: dict[tuple[object, ...], list[Hypothesis]] = {}
    for one in (it.hypothesis for it in scale.tried if it.hypothesis.cause in _COMMON):
        there = work.hold(one, small)
        if there is not None and (there.answered or there.contradicted):
            answers = ((name, *(a.text for a in told)) for name, told in there.answered.items())
            alike.setdefault((one.steps, frozenset(answers), there.contradicted), []).append(one)
    return list(alike.values())


def _hold_likely(
    scale: Scale, work: Work, left: Collection[Name], hypotheses: Sequence[Hypothesis], small: Sample
) -> Iterator[Outcome]:
    """Those that explain most by themselves, though they miss as much, each with all others."""
    mine = [(one, one.explained.intersection(left)) for one in scale.tried]
    some = [(one, gains) for one, gains in mine if len(gains) >= LEAST and not one.hypothesis.seen]
    alike: dict[int, bool] = {}
    for one in scale.tried:
        on_key = work.hold(one.hypothesis, small)
        alike[id(one.hypothesis)] = on_key is None or _is_of_key(one, on_key, small)
    for one, _ in sorted(some, key=lambda pair: -scale.add(pair[1]))[:_LIKELY]:
        on_key = work.hold(one.hypothesis, small)
        alone = 0 if on_key is None else len(on_key.explained)
        for other in hypotheses:
            pair = _pair(one.hypothesis, other)
            if pair is None:
                continue
            if alike.get(id(other), True):
                there = work.hold(pair, small, patience=PATIENCE)
                if there is None or there.contradicted or len(there.explained) <= alone:
                    continue
            both = work.hold(pair, scale.sample, patience=PATIENCE)
            if both is not None and not both.contradicted:
                yield both


def _is_of_key(one: Outcome, there: Outcome, small: Sample) -> bool:
    """Whether a hypothesis foretells of a key by itself what it does of the key among all: so not of batches."""
    named = (name for name in one.answered if name in small.findings)
    return all(there.answered.get(name) == one.answered[name] for name in named)


def _pair(one: Hypothesis, other: Hypothesis) -> Hypothesis | None:
    """Both, that which becomes of an answer last; None where both cannot be."""
    if not one.goes_with(other):
        return None
    first, then = (other, one) if one.change is not None and other.change is None else (one, other)
    return first.and_also(then)
