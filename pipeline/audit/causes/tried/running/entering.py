"""A running total over panes, to which the pane that comes is added, and of which the one that goes is subtracted.

Where one of the two is empty, a variable still holds the pane before, which is subtracted or added a second time; or
the step is passed over, and what should have gone stays for good.  Or what comes late, when a later pane has begun, is
put into its pane and not added to the total, or the other way round.  From there on all results of a key are off by as
much, until the next time.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce
from typing import Final, NamedTuple

from swagproof.models.windows.kinds import Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample
from swagproof.pipeline.audit.causes.tried.answers import answer_of
from swagproof.pipeline.audit.causes.tried.events.lates import find_overtaken
from swagproof.pipeline.audit.rules import Answer

_NAMES: Final = ("sum", "count", "mean", "sql-sum", "float-sum")
_MOST: Final = 20_000
"""How many steps of all keys there are at most."""
_NEAR: Final = 1e-9


class _Total(NamedTuple):
    """A sum, and of how many values it is."""

    total: Fraction
    n: int

    def plus(self, other: "_Total") -> "_Total":
        """Both."""
        return _Total(self.total + other.total, self.n + other.n)

    def less(self, other: "_Total") -> "_Total":
        """What is left without the other."""
        return _Total(self.total - other.total, self.n - other.n)


_ZERO: Final = _Total(Fraction(0), 0)
Panes = dict[int, _Total]
"""Those that are not empty, by the begin of the last window that holds them."""


class _Step(NamedTuple):
    """The total before a window, and what comes and goes with it; and what came and went last."""

    total: _Total
    comes: _Total | None
    goes: _Total | None
    came: _Total
    went: _Total

    @property
    def added(self) -> _Total:
        """With what comes."""
        return self.total.plus(self.comes or _ZERO)


Way = Callable[[_Step], _Total]
_WAYS: Final[dict[str, Way]] = {
    "subtracts the one that went last again where the one that goes is empty": (
        lambda step: step.added.less(step.goes or step.went)
    ),
    "adds the one that came last again where the one that comes is empty": (
        lambda step: step.total.plus(step.comes or step.came).less(step.goes or _ZERO)
    ),
    "adds, or subtracts, the one before again where the one that comes, or goes, is empty": (
        lambda step: step.total.plus(step.comes or step.came).less(step.goes or step.went)
    ),
    "subtracts none where the one that comes is empty": (
        lambda step: step.total if step.comes is None else step.added.less(step.goes or _ZERO)
    ),
}
"""What becomes of the total where a pane is empty."""
_LATE: Final = {
    "does not add what comes when a later pane{} has begun, and subtracts it with its pane": (True, False),
    "adds what comes when a later pane{} has begun, and does not subtract it with its pane": (False, True),
}
"""Whether late events are left out of what comes, and of what goes."""


def list_entering(sample: Sample) -> Iterator[Hypothesis]:
    """The ways to go on with empty panes, each also with a total that begins again after a window that is empty."""
    window, name = sample.window, sample.aggregation.name
    if not isinstance(window, Sliding) or window.range % window.slide or window.range == window.slide:
        return
    numbers = name == "count" or (len(sample.kinds) == 1 and sample.kinds[0] in ("int", "float", "decimal"))
    times = [e.time for events in sample.events.values() for e in events]
    steps = len(sample.events) * (max(times, default=0) - min(times, default=0)) // window.slide
    if name not in _NAMES or not numbers or window.closed != "left" or steps > _MOST:
        return
    for said, way in _WAYS.items():
        for fresh, more in ((False, ""), (True, ", and begins again after a window without events")):
            why = f"keeps a running total over panes, {said}{more}"
            results = partial(_go_over, sample, window, partial(_list_totals, window, way, fresh), None)
            yield Hypothesis("panes taken off wrongly", why, results=results, divides=True, bits=1.0 * fresh)
    plain = partial(_list_totals, window, _plain, False)
    for whose in ("", " of all keys") if sample.whole and len(sample.events) > 1 else ("",):
        late = find_overtaken(sample, window, all_keys=bool(whose))
        for said, out in _LATE.items() if late else ():
            why = f"keeps a running total over panes, {said.format(whose)}"
            results = partial(_go_over, sample, window, plain, (late, out))
            yield Hypothesis("panes taken off wrongly", why, results=results, divides=True, bits=1.0)


def _plain(step: _Step) -> _Total:
    return step.added.less(step.goes or _ZERO)


def _go_over(
    sample: Sample,
    window: Sliding,
    list_: Callable[[Panes, Panes, Sequence[int]], Iterator[_Total]],
    left_out: tuple[frozenset[int], tuple[bool, bool]] | None,
    found: Foretold,
) -> Foretold:
    """The windows of each key with the totals that the steps make, of events without those that are left out."""
    made = dict(found)
    of_key: dict[str, dict[int, Name]] = {}
    for name, parts in found.items():
        begin = name[1] if name[1] is not None else (name[2] or 0) - window.range
        if len(parts) == 1 and parts[0].answer is None:
            of_key.setdefault(name[0], {})[begin] = name
    for names in of_key.values():
        begins = sorted(names)
        if begins[-1] - begins[0] > _MOST * window.slide or any((a - window.offset) % window.slide for a in begins):
            continue  # of windows that another cause has moved there are no such panes
        events = [e for name in names.values() for e in found[name][0].events]
        late, without = (frozenset[int](), (False, False)) if left_out is None else left_out
        some = [e for e in events if e.arrival not in late]
        comes, goes = (_make_panes(sample, window, some if out else events) for out in without)
        for begin, total in zip(begins, list_(comes, goes, begins), strict=True):
            made[names[begin]] = [Part(found[names[begin]][0].events, _answer(sample, total))]
    return made


def _make_panes(sample: Sample, window: Sliding, events: Sequence[Event]) -> Panes:
    counts = sample.aggregation.name == "count"
    panes: Panes = {}
    for e in {e.arrival: e for e in events}.values():
        if counts or e.value is not None:
            begin = window.last_end(e.time) - window.range
            panes[begin] = panes.get(begin, _ZERO).plus(_Total(Fraction(0 if counts else e.value), 1))
    return panes


def _list_totals(
    window: Sliding, way: Way, fresh: bool, panes: Panes, leaving: Panes, begins: Sequence[int]
) -> Iterator[_Total]:
    """The totals of windows that are shown, with a step for each window from the first to the last, of panes as they
    come and as they leave."""
    shown, slide = set(begins), window.slide
    total = _join(panes, range(begins[0], begins[0] + window.range, slide))
    came, went = panes.get(begins[0] + window.range - slide, _ZERO), _ZERO
    yield total
    for begin in range(begins[0] + slide, begins[-1] + 1, slide):
        comes, goes = panes.get(begin + window.range - slide), leaving.get(begin - slide)
        total = way(_Step(total, comes, goes, came, went))
        came, went = comes or came, goes or went
        if fresh and not any(at in panes for at in range(begin, begin + window.range, slide)):
            total = came = went = _ZERO
        if begin in shown:
            yield total


def _join(panes: Panes, those: range) -> _Total:
    return reduce(_Total.plus, (panes[at] for at in those if at in panes), _ZERO)


def _answer(sample: Sample, total: _Total) -> Answer:
    if sample.aggregation.name == "count":
        return answer_of(total.n)
    value = total.total if sample.aggregation.name != "mean" else total.total / total.n if total.n else None
    return answer_of(value, near=_NEAR if sample.kind == "float" else 0.0)
