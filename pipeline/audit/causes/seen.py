"""What is seen of findings by themselves, whatever a job did: that one is there twice, or null, or stands elsewhere.

Each function tells it of those that are `left`; no hypothesis is held against all results for it.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from swagproof.pipeline.audit.causes.cause import Cause
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Name, Sample, take_all, time_and_arrival
from swagproof.pipeline.audit.causes.tried.cuts import has_result, sort_arrived
from swagproof.pipeline.audit.causes.tried.events.lates import find_end
from swagproof.pipeline.audit.rules import NEARLY, Answer, is_near

_COUNTED: Final = "late events counted"
_LEFT_OUT: Final = "late events left out"
_EXCHANGED: Final = 8
"""How many results are right for others at least, that it is told."""
_SINGLE: Final = "here and there"
_NEARLY: Final = "answers what is nearly right, but farther off than rounding accounts for; see --summation"
_DRIFT: Final = 1e-11
"""Of a float: what is off by less was not summed as is said, whatever it was summed of."""


def see_drift(sample: Sample) -> Cause | None:
    """That all is off by so little that no mistake is as small."""
    if all(_is_near(sample, sample.answers, name, _DRIFT) for name in sample.open):
        return Cause("beyond rounding", _NEARLY, sample.open, _SINGLE)
    return None


def see_untaken(sample: Sample, left: Collection[Name]) -> Iterator[Cause]:
    """Results that still stand, as what was taken back in their place is another one."""
    names = sample.untaken.intersection(left)
    if names:
        yield Cause("never said", "takes back other results than those that stand, so that these go on standing", names)


def see_overtaken(sample: Sample, left: Collection[Name]) -> Iterator[Cause]:
    """Results of which the right version is there, and another one came after it."""
    names = frozenset(
        name
        for name in sample.earlier.keys() & left
        if any(sample.fits(sample.answers.get(name, ()), [got]) for got in sample.earlier[name])
    )
    if names:
        yield Cause("overtaken", "writes another version after the right one", names)


def see_exchanged(sample: Sample, left: Collection[Name]) -> Iterator[Cause]:
    """Right results, each of another window than its own: as many of each as are due."""
    answers, results = sample.answers, sample.results
    single = [n for n in sorted(left, key=str) if len(answers.get(n, ())) == len(results.get(n, ())) == 1]
    if len(single) < max(_EXCHANGED, len(left) * 9 // 10):
        return
    groups: dict[str, list[Name]] = {}
    for name in single:
        groups.setdefault(name[0], []).append(name)
    for said, of in ((" of their key", groups), ("", {"": single})):
        held = [names for names in of.values() if len(names) >= _EXCHANGED and _is_exchanged(sample, names)]
        if sum(map(len, held)) * 10 >= 9 * len(single):
            why = f"writes the results that are due for other windows{said}, each once"
            yield Cause("results exchanged", why, frozenset(name for some in held for name in some))
            return


def see_rows(sample: Sample, left: Collection[Name], answered: Mapping[Name, Sequence[Answer]]) -> Iterator[Cause]:
    """That a result is there twice, or null, where what is due is `answered`, or as the sample says."""
    for name in sorted(left, key=str):
        got, due = sample.results.get(name, []), answered.get(name, sample.answers.get(name, []))
        if got and due and len(got) > len(due) and all(any(sample.agrees(d, g) for d in due) for g in got):
            yield Cause("repeated", "writes results more than once", frozenset((name,)), _SINGLE)
        elif len(got) == len(due) == 1 and got[0].text is None and got[0].number is None:
            yield Cause("null", "answers null", frozenset((name,)), _SINGLE)


def see_late(sample: Sample, left: Collection[Name]) -> Iterator[Cause]:
    """Results that are right of other late events than count: of some that the policy leaves out, or without some."""
    every = Hypothesis("", "", takes=take_all).foretell(sample)
    found: dict[str, set[Name]] = {_COUNTED: set(), _LEFT_OUT: set()}
    before_last: set[Name] = set()
    for name in left:
        due, all_ = ([e for part in of.get(name, ()) for e in part.events] for of in (sample.due, every))
        inside = {e.arrival for e in due}
        end, got = find_end(sample, name), sample.results.get(name, ())
        more = [e for e in sort_arrived(all_) if e.arrival not in inside]
        late = [e for e in sort_arrived(due) if end is not None and e.watermark >= end]
        if any(
            has_result(sample, sorted([*due, *more[:n]], key=time_and_arrival), got) for n in range(1, len(more) + 1)
        ):
            found[_COUNTED].add(name)
        elif any(has_result(sample, [e for e in due if e not in late[n:]], got) for n in range(len(late))):
            found[_LEFT_OUT].add(name)
            if has_result(sample, [e for e in due if e not in late[-1:]], got):
                before_last.add(name)
    for cause, why in (
        (_COUNTED, "counts late events that the policy leaves out"),
        (_LEFT_OUT, "leaves out late events that the policy counts"),
    ):
        names = frozenset(found[cause])
        if 2 * len(names & sample.told) > len(names):  # else so many late events may fit by chance
            if cause == _LEFT_OUT and names == before_last:
                why = "shows what was right before the last late event came, as where an older version wins"
            yield Cause(cause, why, names, _SINGLE)


def see_missing(sample: Sample, left: Collection[Name]) -> Iterator[Cause]:
    """Results that are not there, of keys that have no other result which nothing explains.

    Where more are wrong that nothing explains, whatever made them so may have left these out, too."""
    if 2 * sum(name in sample.results for name in left) > len(left):
        return
    doubtful = {name[0] for name in left if name in sample.results and name not in sample.due}
    shown = {name[0] for name in sample.results}
    for name in sorted(left, key=str):
        if name not in sample.results and name[0] in shown - doubtful:
            yield Cause("result lost", "has no result of a window", frozenset((name,)), _SINGLE)


def see_near(sample: Sample, left: Collection[Name], answered: Mapping[Name, Sequence[Answer]]) -> Iterator[Cause]:
    """Results that are nearly right, where what is due is `answered`, or as the sample says."""
    due = {**sample.answers, **answered}
    for name in sorted(left, key=str):
        if _is_near(sample, due, name):
            yield Cause("beyond rounding", _NEARLY, frozenset((name,)), _SINGLE)


def _is_exchanged(sample: Sample, names: Sequence[Name]) -> bool:
    """Whether the results of these windows are those that are due for them, in another order."""
    due = [sample.answers[name][0] for name in names]
    got = [sample.results[name][0] for name in names]
    if len({answer.text for answer in due}) < _EXCHANGED:
        return False
    if any(one.number is None for one in got):
        texts = [None if one.text is None else one.text for one in got]
        return Counter(texts) == Counter(answer.text for answer in due)
    if any(answer.low is None for answer in due):
        return False
    due.sort(key=lambda answer: answer.low or 0.0)
    got.sort(key=lambda one: one.number or 0.0)
    return all(sample.agrees(answer, one) for answer, one in zip(due, got, strict=True))


def _is_near(sample: Sample, answers: Mapping[Name, Sequence[Answer]], name: Name, within: float = NEARLY) -> bool:
    """Whether the result of a window is a float that is nearly right."""
    got, due = sample.results.get(name, ()), answers.get(name, ())
    return len(got) == len(due) == 1 and is_near(got[0].number, due[0].low, due[0].high, within)
