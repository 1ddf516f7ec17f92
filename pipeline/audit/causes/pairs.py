"""Two causes at once: what neither gives alone both may.

There are too many pairs to hold each against all.  Those of causes that often come together are tried where they differ
on one key, and each of them with what leaves out events or results, or doubles them, which by itself explains nothing
where the other one is in all results; those of which one explains most by itself, though it misses as much, or
foretells what is not there, with every other one; and those of which one comes near to what is there, with all that is
read off the findings that are left where it is so.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice, product, zip_longest
from math import log2, sqrt
from typing import Final

from swagproof.pipeline.audit.causes.anew.resting import list_where
from swagproof.pipeline.audit.causes.few import shorten
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome, Work
from swagproof.pipeline.audit.causes.sample import Name, Sample
from swagproof.pipeline.audit.causes.tried.answers import got_number, number_of
from swagproof.pipeline.audit.causes.weigh import LEAST, Scale
from swagproof.pipeline.audit.rules import Answer

PATIENCE: Final = 8
"""By how many more a pair may miss than it explains while it is held."""
_LIKELY: Final = 4
"""How many hypotheses are tried with every other one."""
_FEWEST: Final = 4
"""How many findings of that key pairs are tried on before."""
_ALIKE: Final = 60
"""How many pairs are tried of those that the key tried first does not tell apart."""

_NEAREST: Final = 5
"""How many that come near are tried with all else."""
_READ: Final = 7
"""Up to how many findings of a key numbers are read off."""
_NEARER: Final = 2.0
"""By how many times what chance does, at least, what is there is nearer to what they foretell."""
_DIGITS: Final = 20.0
"""How many bits a number is worth, at most."""
_ABSENT: Final = 25.0
"""What it takes to tell that there is a result, or none."""

_Two = tuple[list[Hypothesis], list[Hypothesis]]
"""Two groups of hypotheses that do not differ on a key."""

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
_SELECT: Final = frozenset(("filtered by another column", "doubled by another column", "result lost"))
"""Which may come with any of them, and with any other one that says of which windows results are."""
_MERGING: Final = frozenset(("keys merged",))
"""Which may come with any of them, too, and is seen where all keys are."""
_WINDOWS: Final = frozenset(("another gap", "windows moved", "times moved", "arrival for time"))


def hold_pairs(scale: Scale, work: Work, left: Collection[Name], hypotheses: Sequence[Hypothesis]) -> list[Outcome]:
    """What became of the pairs that are tried, with the work that there is."""
    small = _choose_key(scale.sample, left)
    if small is None:
        return []
    common = work.lend(work.left * 3 // 4)
    found = list(_hold_common(scale, common, hypotheses, small))
    work.take_back(common)
    found += _hold_likely(scale, work, left, hypotheses, small)
    return found


def _hold_common(scale: Scale, work: Work, hypotheses: Sequence[Hypothesis], small: Sample) -> Iterator[Outcome]:
    """Those that often come together, each with each: on a key first, with most of the work, then those that explain
    most there on all."""
    enough = work.left // 4
    tried = [one.hypothesis for one in scale.tried]
    common = _group_alike(work, small, (one for one in tried if one.cause in _COMMON))
    selecting = _group_alike(work, small, (one for one in hypotheses if one.cause in _SELECT))
    those = (one for one in hypotheses if one.cause in _COMMON | _WINDOWS and one.change is None)
    every = _group_alike(work, small, those)
    fits: list[tuple[float, list[Hypothesis], list[Hypothesis]]] = []
    least = shorten(small, _FEWEST, 1.0)
    merged = [one for one in hypotheses if one.cause in _MERGING]  # of which one key tells nothing
    for some, other in product(every, merged):
        both = _pair(some[0], other)
        share = 0.0 if both is None or work.left < 2 * enough else _share(work, both, scale.sample)
        if share > 1 / 2:
            fits.append((share, some, [other]))
    for some, others in _alternate(product(every, selecting), combinations(common, 2)):
        both = _pair(some[0], others[0])
        share = 0.0 if both is None or not _share(work, both, least) else _share(work, both, small)
        if share > 1 / 2:
            fits.append((share, some, others))
        if work.left < enough:
            break
    for _, some, others in sorted(fits, key=lambda it: -it[0]):
        pairs = (pair for one in some for other in others if (pair := _pair(one, other)) is not None)
        held = (work.hold(pair, scale.sample, patience=PATIENCE) for pair in islice(pairs, _ALIKE))
        yield from (one for one in held if one is not None)


def _alternate(some: Iterable[_Two], others: Iterable[_Two]) -> Iterator[_Two]:
    """One of each in turn, as there may not be work for all, and what is left of the longer ones."""
    return (two for both in zip_longest(some, others) for two in both if two is not None)


def _choose_key(sample: Sample, left: Collection[Name]) -> Sample | None:
    """The key with fewest events that has several findings; None where there is none."""
    keys = Counter(name[0] for name in left)
    size = {key: len(sample.events.get(key, ())) for key in keys}
    several = (key for key in sorted(keys) if keys[key] > 1 and size[key])
    least = min(several, key=lambda key: size[key], default=None)
    return None if least is None else shorten(sample.of_keys((least,)))


def _share(work: Work, both: Hypothesis, small: Sample) -> float:
    """How much a pair explains of what it says of a few findings; nothing where it is contradicted."""
    there = work.hold(both, small, patience=2)
    if there is None or there.contradicted or not there.explained:
        return 0.0
    return len(there.explained) / (len(there.explained) + len(there.missed))


def _group_alike(work: Work, small: Sample, those: Iterable[Hypothesis]) -> list[list[Hypothesis]]:
    """Hypotheses by what they foretell of a key: those that do not differ there are tried once."""
    alike: dict[tuple[object, ...], list[Hypothesis]] = {}
    for one in those:
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
    alike = _list_of_key(scale, work, small)
    likely: dict[frozenset[Name], Outcome] = {}
    for one, gains in sorted(some, key=lambda pair: -scale.add(pair[1])):
        likely.setdefault(gains, one)  # of those that explain the same the first
    for one in islice(likely.values(), _LIKELY):
        missed = _choose_key(scale.sample, one.missed.intersection(left))
        if missed is not None and missed.events.keys() != small.events.keys() and one.missed.isdisjoint(small.findings):
            small, alike = missed, _list_of_key(scale, work, missed)  # what else there is shows but there
        on_key = work.hold(one.hypothesis, small)
        alone = -1 if on_key is None or on_key.contradicted else len(on_key.explained)
        cheap = {id(other): alike.get(id(other), True) for other in hypotheses}
        for other in sorted(hypotheses, key=lambda it: not cheap[id(it)]):  # those first that a key tells something of
            pair = _pair(one.hypothesis, other)
            if pair is None:
                continue
            if cheap[id(other)]:
                there = work.hold(pair, small, patience=PATIENCE)
                if there is None or there.contradicted or len(there.explained) <= alone:
                    continue
            both = work.hold(pair, scale.sample, patience=PATIENCE)
            if both is not None and not both.contradicted:
                yield both


def _list_of_key(scale: Scale, work: Work, small: Sample) -> dict[int, bool]:
    """Of what was tried, by its place in memory, whether that foretells of a key by itself what it does among all."""
    found: dict[int, bool] = {}
    for one in scale.tried:
        there = work.hold(one.hypothesis, small)
        found[id(one.hypothesis)] = there is None or (not one.hypothesis.mixes and _is_of_key(one, there, small))
    return found


def hold_near(scale: Scale, work: Work, left: Collection[Name]) -> Iterator[Outcome]:
    """Those that come nearest to what is there, each with what is listed where it is taken to be what is asked for:
    numbers that a hypothesis has are read off findings, and not off those that another mistake is in.  They are listed
    of a key first, and of all data where some explain most of what is looked at there."""
    small = _choose_key(scale.sample, left)
    if small is None:
        return
    small = shorten(small, _READ, 1.0)
    first = work.lend(work.left * 2 // 3)
    for base in _list_nearest(scale, left):
        pairs = (_pair(base, other) for other in list_where(base, small, first))
        causes = {it.cause for it in pairs if it is not None and not it.mixes and _share(first, it, small) > 1 / 2}
        if causes:
            yield from _hold_again(scale, work, base, causes)
    work.take_back(first)


def _hold_again(scale: Scale, work: Work, base: Hypothesis, causes: Collection[str]) -> Iterator[Outcome]:
    """What becomes of a base with others, listed of all data, of which some of a key fitted by these names."""
    for other in list_where(base, scale.sample, work):
        pair = _pair(base, other)
        if pair is None or pair.cause not in causes:
            continue
        both = work.hold(pair, scale.sample, patience=PATIENCE)
        if both is not None and not both.contradicted:
            yield both


def _list_nearest(scale: Scale, left: Collection[Name]) -> Iterator[Hypothesis]:
    """Those that bring most findings nearer to what is there, of each cause one: by how surely the bits that it takes
    to tell what is there are fewer where one expects what they foretell, whatever another mistake adds to them."""
    there = [name for name in left if name in scale.sample.results]
    before = {name: _measure_one(scale.sample, name, scale.sample.answers.get(name, ())) for name in there}
    near: list[tuple[float, Hypothesis]] = []
    for one in scale.tried:
        if one.hypothesis.seen or one.hypothesis.chooses or one.hypothesis.mixes:
            continue
        asked = [name for name in there if name in one.answered]
        less = [before[name] - _measure_one(scale.sample, name, one.answered[name]) for name in asked]
        less += [-_ABSENT] * len(one.contradicted)
        spread = sqrt(sum(bits * bits for bits in less))
        if spread and sum(less) >= _NEARER * spread:
            near.append((sum(less) / spread, one.hypothesis))
    nearest = sorted(near, key=lambda it: (it[0], it[1].plainness))
    best = {one.cause: one for _, one in nearest}  # of each cause the last
    yield from sorted(best.values(), key=lambda one: -next(far for far, it in near if it is one))[:_NEAREST]


def _measure_one(sample: Sample, name: Name, answers: Sequence[Answer]) -> float:
    """How many bits it takes to tell the result of a window where one expects these answers."""
    got = sample.results.get(name, ())
    if sample.fits(answers, got):
        return 0.0
    if len(answers) != len(got):
        return _ABSENT
    there, due = got_number(sample, name), number_of(answers[0]) if len(answers) == 1 else None
    if there is None or due is None or there == due:
        return _DIGITS
    return min(_DIGITS, log2(1 + float(abs(there - due) / max(abs(there), abs(due))) * 2**_DIGITS))


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
