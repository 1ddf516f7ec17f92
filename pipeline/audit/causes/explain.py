"""Which causes explain the findings: one for all of them before one for some, and none rather than a wrong one.

Hypotheses are held against all results of a sample.  One is named where

- no result that is right contradicts it,
- it is worth more than chance is, less what it foretold and is not there (`swagproof.pipeline.audit.causes.weigh`), and
- the data tell it from every other: else both are named, and where there are more than `_NAMES`, none.

The one that is worth most is taken first.  What is left is then looked for in the job that has this cause: the next
one has to go with it, and to leave what it explains as it was.  What nothing explains everywhere is looked for in a
part of the data (`swagproof.pipeline.audit.causes.parts`).  Last come single events, and
what is seen of a finding by itself.  A cause that misses more than a tenth as many as it explains, which nothing else
explains, is taken back in the end.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from typing import Final

from swagproof.models.windows.kinds import Counted, Frame, Session, Sliding, WindowSpec
from swagproof.pipeline.audit.causes.accidents import find_events, find_stretches, list_accidents
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome, Work
from swagproof.pipeline.audit.causes.parts import Holds, Map
from swagproof.pipeline.audit.causes.remains import find_remains
from swagproof.pipeline.audit.causes.restarts import find_restarts
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample, get_place
from swagproof.pipeline.audit.causes.tried.answers import list_answers, list_orders
from swagproof.pipeline.audit.causes.tried.arrivals import list_clocks
from swagproof.pipeline.audit.causes.tried.averages import list_averages
from swagproof.pipeline.audit.causes.tried.calendars import list_calendars
from swagproof.pipeline.audit.causes.tried.carried import list_carried
from swagproof.pipeline.audit.causes.tried.columns import list_columns
from swagproof.pipeline.audit.causes.tried.extents.cycles import list_cycles
from swagproof.pipeline.audit.causes.tried.extents.runs import list_runs
from swagproof.pipeline.audit.causes.tried.inputs import Line, list_inputs
from swagproof.pipeline.audit.causes.tried.lates import list_lates
from swagproof.pipeline.audit.causes.tried.left import list_left
from swagproof.pipeline.audit.causes.tried.readings import list_readings
from swagproof.pipeline.audit.causes.tried.starts import list_starts
from swagproof.pipeline.audit.causes.tried.states import list_states
from swagproof.pipeline.audit.causes.tried.values.merges import list_merges
from swagproof.pipeline.audit.causes.tried.values.scaled import list_scaled
from swagproof.pipeline.audit.causes.tried.values.units import list_units
from swagproof.pipeline.audit.causes.tried.values.versions import list_versions
from swagproof.pipeline.audit.causes.tried.windows import list_windows
from swagproof.pipeline.audit.causes.tried.written import list_written
from swagproof.pipeline.audit.causes.weigh import LEAST, MARGIN, Candidate, Scale
from swagproof.pipeline.audit.rules import NEARLY, Answer, is_near

UNEXPLAINED = "unexplained"
"""The cause of what nothing explains."""

_NAMES: Final = 3
"""How many causes are named of which the data do not tell which it is."""
_ROUNDS: Final = 4
"""How many causes may be there at once."""
_UNSAID: Final = 10
"""How many findings a cause explains for one that it misses, and nothing explains, in the end."""
_PIECES: Final = 2
"""Of how many parts a cause is believed at most, of each another one by that name."""
_EXCHANGED: Final = 8
"""How many results are right for others at least, that it is told."""
_TIMES: Final = 5
"""How often at most what happens once has happened."""
_PATIENCE: Final = 8
_ENOUGH: Final = 12
"""How many findings a hypothesis is tried on before it is tried on all, of which it has to explain one."""
WORK: Final = 10_000_000
"""How many events are looked at in all: some ten seconds."""
_LIKELY: Final = 4
"""How many hypotheses are tried with every other one."""
_ALIKE: Final = 60
"""How many pairs are tried of those that the key tried first does not tell apart."""


@dataclass(frozen=True)
class Cause:
    """A cause, and what it explains."""

    name: str
    why: str
    """What the job did: `the job` and a clause."""
    explains: frozenset[Name]
    where: str = ""
    """Of which part of the data it is believed; empty for all."""
    also: tuple[str, ...] = ()
    """Other causes that would have had the same results here."""
    hypothesis: Hypothesis | None = None
    """What is believed, with what was believed before; None for what is seen of a finding by itself."""
    missed: frozenset[Name] = frozenset()
    inside: Callable[[Sample], Holds] | None = None
    """Which windows of a sample are of the part of the data; None for all."""
    contents: Mapping[Name, tuple[int, ...]] | None = None
    """The arrival numbers of the events that each finding is the result of, where that is all that is said."""
    say: str = ""
    """The options with which all results would be right, where there are such."""


@dataclass(frozen=True)
class Searched:
    """The causes, and what was not tried to find them."""

    causes: list[Cause]
    untried: int = 0
    """How many hypotheses, and pairs of them, were left out when there was no work left."""
    keys: int | None = None
    """On how many keys hypotheses were tried first, and no further where they explain nothing there; None: on all."""


def find_causes(sample: Sample, show_time: Callable[[int], str] = str) -> list[Cause]:
    """The causes of what was found, the one that is worth most first."""
    return search_causes(sample, show_time).causes


def search_causes(sample: Sample, show_time: Callable[[int], str] = str, work: int = WORK) -> Searched:
    """The causes of what was found, of which no more events are looked at than `work`, or little more."""
    if not sample.open:
        return Searched([])
    if all(_is_near(sample, sample.answers, name, _DRIFT) for name in sample.open):  # no mistake is so small
        return Searched([Cause("beyond rounding", _NEARLY, sample.open, _SINGLE)])
    search = _Search(sample, show_time, work)
    causes = search.run()
    return Searched(causes, search.work.untried, None if search.few is None else len(search.few.events))


def may_recur(given: Hypothesis, one: Hypothesis) -> bool:
    """Whether something may be so beside what is given; what happened once may again."""
    return given.goes_with(one) or one.cause in given.cause.split(" and ")


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


def shorten(sample: Sample) -> Sample:
    """What is there up to some findings, the first of all: as many as a hypothesis has to explain one of to be tried on
    all.  Where they begin late that is most of it."""
    places = sorted(get_place(name) for name in sample.open)
    if len(places) <= _ENOUGH or sample.by_row or isinstance(sample.window, Counted):  # whose places are no times
        return sample
    small = sample.before(places[_ENOUGH] + 1 + 2 * _find_reach(sample.window))
    return small if len(small.open) >= _ENOUGH // 2 and 2 * small.size < sample.size else sample


def _find_reach(window: WindowSpec) -> int:
    """How far from where it is a window has events."""
    match window:
        case Sliding(range_):
            return int(range_)
        case Session(gap):
            return int(gap)
        case Frame("range", start, end):
            return int(max(abs(start or 0), abs(end or 0)))
        case _:
            return 0


def list_hypotheses(sample: Sample) -> Iterator[Hypothesis]:
    """All that are tried, the likelier first."""
    yield from list_windows(sample)
    yield from list_starts(sample)
    yield from list_written(sample)
    yield from list_left(sample)
    yield from list_carried(sample)
    yield from list_calendars(sample)
    yield from list_inputs(sample)
    yield from list_lates(sample)
    yield from list_orders(sample)
    yield from list_columns(sample)
    yield from list_readings(sample)
    yield from list_clocks(sample)
    yield from list_answers(sample)
    yield from list_averages(sample)
    yield from list_states(sample)
    yield from list_merges(sample)
    yield from list_units(sample)
    yield from list_runs(sample)
    yield from list_cycles(sample)
    yield from list_versions(sample)
    yield from list_scaled(sample)


class _Search:
    def __init__(self, sample: Sample, show_time: Callable[[int], str], work: int) -> None:
        self.sample = sample
        self.work = Work(work)
        self.show_time = show_time
        self.left = set(sample.open)
        self.found: list[Cause] = []
        self.base: Outcome | None = None
        """What is believed of all data so far."""
        self.map = Map(sample, show_time)
        self._whole: tuple[Outcome, list[tuple[Hypothesis, Outcome]]] | None = None
        self.hypotheses = [*list_hypotheses(sample), *list_accidents(sample, show_time)]
        self.few = self.choose_few(work // 3)
        """Some keys, on which hypotheses are tried first; None where there is work enough to try them on all."""
        self.outcomes = self.hold_all()
        self.scale = Scale(sample, self.outcomes)

    def choose_few(self, work: int) -> Sample | None:
        """The keys with findings that are looked at with least work, so many that all may be tried on them."""
        sizes, most = self.sample.sizes, work // len(self.hypotheses)
        if self.sample.size <= most:
            return None
        keys: list[str] = []
        for key in sorted({name[0] for name in self.sample.open} & sizes.keys(), key=lambda key: sizes[key]):
            if len(keys) > 1 and sum(sizes[k] for k in keys) + sizes[key] > most:
                break
            keys.append(key)
        some = self.sample if not keys else self.sample.of_keys(keys)
        small = shorten(some)
        return small if small.size < self.sample.size else None

    def hold_all(self) -> list[Outcome]:
        """What became of each hypothesis that changes something, in their order.

        Where not all can be held against all, each is held against few first: those that explain all there is there at
        once against all, further those that explain something of it, the more the sooner; of those that mix keys a few
        tell nothing.
        """
        held = dict[int, Outcome | None]()
        later: list[tuple[float, int]] = []
        for i, one in enumerate(self.hypotheses):
            there = None
            if not (self.few is None or one.results is not None or "key" in one.cause):
                there = self.work.hold(one, self.few)
                if there is None or not there.explained:
                    continue
            if there is not None and there.missed:
                later.append((-len(there.explained) / (len(there.explained) + len(there.missed)), i))
            else:
                held[i] = self.work.hold(one, self.sample)
        held |= {i: self.work.hold(self.hypotheses[i], self.sample) for _, i in sorted(later)}
        tried = (held[i] for i in sorted(held))
        return [one for one in tried if one and (one.explained or one.missed or one.contradicted)]

    def run(self) -> list[Cause]:
        """All causes."""
        self.take_untaken()
        for _ in range(_ROUNDS):
            if not self.left:
                break
            candidates = self.list_alone(self.outcomes) if self.base is None else self.list_further()
            if not (self.take([*candidates, *self.list_stretches()]) or self.take_pair()):
                break
        while self.left and self.take(list(self.list_parts())):
            pass
        self.take_back_pieces()
        self.take_overtaken()
        self.take_exchanged()
        self.take_rows()
        self.take_events()
        self.take_remains()
        self.take_missing()
        self.take_near()
        self.take_back()
        return self.tell_options(_merge(self.found))

    def tell_options(self, found: Sequence[Cause]) -> list[Cause]:
        """Where one cause explains all, and is what an option says, it may be what was meant: then nothing is wrong."""
        if len(found) != 1:
            return [replace(one, say="") for one in found]
        (one,) = found
        whole = not one.where and not one.missed and one.explains == self.sample.findings
        return [one if whole else replace(one, say="")]

    def list_alone(self, outcomes: Sequence[Outcome]) -> list[Candidate]:
        """Each by itself."""
        taken = self.sample.open - self.left
        return [
            Candidate(
                one.hypothesis,
                one,
                frozenset(one.explained & self.left),
                frozenset(one.missed & self.left) | frozenset(one.missed & taken if self.base else ()),
            )
            for one in outcomes
            if one.explained & self.left
        ]

    def list_further(self) -> list[Candidate]:
        """Each with what is believed already."""
        base = self.base
        assert base is not None
        alone = [one for one in self.outcomes if not base.hypothesis.goes_with(one.hypothesis)]
        found = self.list_alone(alone)
        for one in self.hypotheses:
            if base.hypothesis.goes_with(one):
                both = self.work.hold(base.hypothesis.and_also(one), self.sample, patience=_PATIENCE)
                found += [] if both is None else self.go_on(one, both)
        return found

    def go_on(self, named: Hypothesis, both: Outcome) -> list[Candidate]:
        """What goes with what is believed already, if it explains more."""
        base = self.base
        gains = frozenset(both.explained & self.left)
        if base is None or both.contradicted or not gains:
            return []
        changed = (n for n in both.missed & self.left if both.answered[n] != base.answered.get(n))
        lost = base.explained - both.explained
        return [Candidate(named, both, gains, frozenset(lost).union(changed))]

    def list_stretches(self) -> list[Candidate]:
        """Events that came in a row and were lost, or counted twice, and windows whose state was, in the job that has
        what is believed already."""
        given = None if self.base is None else self.base.hypothesis
        found: list[Candidate] = []
        lines = [Line(_get_arrival, "that came from", "{:,}".format)]
        if not isinstance(self.sample.window, Session):  # where others come of each loss
            lines.append(Line(_get_time, "with times from", self.show_time))
        those = list(find_restarts(self.sample, self.left, given))
        for line, again in product(lines, (False, True)):
            those += find_stretches(self.sample, self.left, line, again=again, given=given)
        once = [(one, self.hold_after(one)) for one in those if given is None or may_recur(given, one)]
        for one, outcome in (*once, *((one, self.hold_after(one)) for one in _join_disjoint(once))):
            found += self.list_alone([outcome]) if given is None else self.go_on(one, outcome)
        return found

    def hold_after(self, one: Hypothesis) -> Outcome:
        """It, in the job that has what is believed already."""
        return (one if self.base is None else self.base.hypothesis.and_also(one)).hold(self.sample)

    def take(self, candidates: Sequence[Candidate]) -> bool:
        """The best that is believed; whether there is one."""
        believed = [one for one in candidates if self.scale.is_believed(one) and not self.says_nothing(one)]
        while believed:
            best = self.prefer(max(believed, key=self.scale.weigh), believed)
            alike = [one for one in believed if (one.gains, one.misses) == (best.gains, best.misses)]
            best = max(alike, key=lambda one: -one.named.bits - one.cost)  # of those that cost as much, the first
            rivals = self.scale.list_rivals(best, believed)
            if len(rivals) < _NAMES:
                same = [it for it in believed if (it.gains, it.misses, it.inside) == (best.gains, best.misses, None)]
                says = {it.named.cause: it.named.say for it in reversed((best, *same)) if it.named.say}
                said = dict.fromkeys(says[cause] for cause in (best.named.cause, *rivals) if cause in says)
                self.accept(best, tuple(rivals), "" if best.inside is not None else " or ".join(said))
                return True
            seen = [one for one in believed if one.named.seen and one.gains >= best.gains]
            if seen:  # which is so whatever it was
                self.accept(seen[0], ())
                return True
            believed = [one for one in believed if one is not best and not one.gains & best.gains]
        return False

    def says_nothing(self, one: Candidate) -> bool:
        """Whether it explains no result, but that some are not there, while as many are there that are of no window:
        these may be the same ones under other names."""
        if one.named.seen or any(name in self.sample.results for name in one.gains):
            return False
        return 2 * sum(name in self.sample.results and name not in self.sample.due for name in self.left) > len(
            one.gains
        )

    def prefer(self, best: Candidate, believed: Sequence[Candidate]) -> Candidate:
        """Of those that are worth about as much as the best, and explain all that it does, that which explains most."""
        least = self.scale.weigh(best) - MARGIN
        wider = [one for one in believed if one.gains >= best.gains and one.misses <= best.misses]
        return max((one for one in wider if self.scale.weigh(one) >= least), key=lambda one: len(one.gains))

    def accept(self, one: Candidate, also: tuple[str, ...], say: str = "") -> None:
        """Believe it; what it explains is taken from what is left."""
        self.found.append(
            Cause(
                one.named.cause,
                one.named.why,
                one.gains,
                one.where,
                also,
                one.outcome.hypothesis,
                one.misses,
                one.inside,
                say=say,
            )
        )
        self.left -= one.gains
        if one.inside is None:
            base = self.base
            if base is None or base.hypothesis.steps <= one.outcome.hypothesis.steps:
                self.base = one.outcome

    def take_pair(self) -> bool:
        """Two causes at once, that explain half of what is left: of so many pairs, some one fits a few findings.

        What neither gives alone both may; they are tried on one key first.
        """
        keys = Counter(name[0] for name in self.left)
        size = {key: len(self.sample.events.get(key, ())) for key in keys}
        least = min(
            (key for key in sorted(keys) if keys[key] > 1 and size[key]), key=lambda key: size[key], default=None
        )
        if least is None:
            return False
        small, rest = shorten(self.sample.of_keys((least,))), self.work.left
        self.work.left = rest // 2  # the parts are tried after the pairs
        alike: dict[tuple[object, ...], list[Hypothesis]] = {}  # those that do not differ there are tried once
        for one in (it.hypothesis for it in self.outcomes if it.hypothesis.cause in _COMMON):
            there = self.work.hold(one, small)
            if there is not None and (there.answered or there.contradicted):
                answers = ((name, *(a.text for a in told)) for name, told in there.answered.items())
                alike.setdefault((one.steps, frozenset(answers), there.contradicted), []).append(one)
        found = self.pair_likely(small)
        for some, others in combinations(alike.values(), 2):
            both = _pair(some[0], others[0])
            if both is None:
                continue
            tried = self.work.hold(both, small, patience=2)
            if tried is None or tried.contradicted or len(tried.explained) <= len(tried.missed):
                continue
            pairs = (pair for one in some for other in others if (pair := _pair(one, other)) is not None)
            held = (self.work.hold(pair, self.sample, patience=_PATIENCE) for pair in islice(pairs, _ALIKE))
            found += [one for one in held if one is not None]
        self.work.left += rest - rest // 2
        alone = self.list_alone(found)
        half = [one for one in alone if 2 * len(one.gains) >= max(len(self.left), 2 * _UNSAID * len(one.misses))]
        if not self.take([replace(one, cost=self.scale.cost) for one in half]):
            return False
        cause = self.found.pop()  # which may explain what was believed before it
        all_ = self.explained_by(cause)
        kept = [it for it in self.found if not it.explains <= all_]
        more = [it.explains for it in self.found if it.explains <= all_]
        self.found = [*kept, replace(cause, explains=cause.explains.union(*more))]
        return True

    def pair_likely(self, small: Sample) -> list[Outcome]:
        """Those that explain most by themselves, though they miss as much, each with all others."""
        worth = {id(one): self.scale.add(one.explained & self.left) for one in self.outcomes}
        some = [one for one in self.outcomes if len(one.explained & self.left) >= LEAST and not one.hypothesis.seen]
        alike: dict[int, bool] = {}
        for one in self.outcomes:
            on_key = self.work.hold(one.hypothesis, small)
            alike[id(one.hypothesis)] = on_key is None or _is_of_key(one, on_key, small)
        found: list[Outcome] = []
        for one in sorted(some, key=lambda one: -worth[id(one)])[:_LIKELY]:
            on_key = self.work.hold(one.hypothesis, small)
            alone = 0 if on_key is None else len(on_key.explained)
            for other in self.hypotheses:
                pair = _pair(one.hypothesis, other)
                if pair is None:
                    continue
                if alike.get(id(other), True):
                    there = self.work.hold(pair, small, patience=_PATIENCE)
                    if there is None or there.contradicted or len(there.explained) <= alone:
                        continue
                both = self.work.hold(pair, self.sample, patience=_PATIENCE)
                found += [both] if both is not None and not both.contradicted else []
        return found

    def explained_by(self, cause: Cause) -> frozenset[Name]:
        """All findings that what is believed explains."""
        return frozenset() if cause.hypothesis is None else cause.hypothesis.hold(self.sample).explained

    def list_parts(self) -> Iterator[Candidate]:
        """Those that are believed of a part of the data, in the job that has what is believed already."""
        base = self.base
        taken = frozenset[Name]() if base is None else base.explained
        for named, outcome in self.hold_everywhere():
            gains = outcome.explained & self.left
            if not outcome.contradicted or not gains or named.seen or named.divides:
                continue
            for region in self.map.list_regions(replace(outcome, explained=frozenset(gains))):
                holds = region.of(self.sample)
                misses = frozenset(filter(holds, (outcome.missed & self.left) | (taken - outcome.explained)))
                mine = frozenset(filter(holds, gains))
                yield Candidate(named, outcome, mine, misses, region.where, region.of, region.cost)

    def hold_everywhere(self) -> Sequence[tuple[Hypothesis, Outcome]]:
        """Each with what is believed already, against all results, whatever contradicts it."""
        base = self.base
        if base is None:
            return [(one.hypothesis, one) for one in self.outcomes]
        if self._whole is None or self._whole[0] is not base:
            those = [one for one in self.hypotheses if base.hypothesis.goes_with(one)]
            held = [(one, self.work.hold(base.hypothesis.and_also(one), self.sample)) for one in those]
            self._whole = base, [(one, outcome) for one, outcome in held if outcome is not None]
        return self._whole[1]

    def take_untaken(self) -> None:
        """Results that still stand, as what was taken back in their place is another one."""
        names = frozenset(self.left & self.sample.untaken)
        if names:
            why = "takes back other results than those that stand, so that these go on standing"
            self.found.append(Cause("never said", why, names))
            self.left -= names

    def take_back_pieces(self) -> None:
        """Give up a cause that is believed of many parts, of each another one: something else is so of the whole."""
        pieces = Counter(one.name for one in self.found if one.where)
        for one in [one for one in self.found if one.where and pieces[one.name] > _PIECES]:
            self.found.remove(one)
            self.left |= one.explains

    def take_overtaken(self) -> None:
        """Results of which the right version is there, and another one came after it."""
        earlier = self.sample.earlier
        names = frozenset(
            name
            for name in self.left & earlier.keys()
            if any(self.sample.fits(self.sample.answers.get(name, ()), [got]) for got in earlier[name])
        )
        if names:
            self.found.append(Cause("overtaken", "writes another version after the right one", names))
            self.left -= names

    def take_exchanged(self) -> None:
        """Right results, each of another window than its own: as many of each as are due."""
        answers, results = self.sample.answers, self.sample.results
        single = [n for n in sorted(self.left, key=str) if len(answers.get(n, ())) == len(results.get(n, ())) == 1]
        if len(single) < max(_EXCHANGED, len(self.left) * 9 // 10):
            return
        groups: dict[str, list[Name]] = {}
        for name in single:
            groups.setdefault(name[0], []).append(name)
        for said, of in ((" of their key", groups), ("", {"": single})):
            held = [names for names in of.values() if len(names) >= _EXCHANGED and _is_exchanged(self.sample, names)]
            if sum(map(len, held)) * 10 >= 9 * len(single):
                names = frozenset(name for some in held for name in some)
                why = f"writes the results that are due for other windows{said}, each once"
                self.found.append(Cause("results exchanged", why, names))
                self.left -= names
                return

    def take_rows(self) -> None:
        """What is seen of a finding by itself: that it is there twice, or null."""
        base = {} if self.base is None else self.base.answered
        for name in sorted(self.left, key=str):
            got, due = self.sample.results.get(name, []), base.get(name, self.sample.answers.get(name, []))
            if got and due and len(got) > len(due) and all(any(self.sample.agrees(d, g) for d in due) for g in got):
                self.found.append(Cause("repeated", "writes results more than once", frozenset((name,)), _SINGLE))
            elif len(got) == len(due) == 1 and got[0].text is None and got[0].number is None:
                self.found.append(Cause("null", "answers null", frozenset((name,)), _SINGLE))
            else:
                continue
            self.left.discard(name)

    def take_events(self) -> None:
        """Single events that were lost, or counted twice, and that no rule picks out."""
        one = find_events(self.scale, self.left, None if self.base is None else self.base.hypothesis)
        if one is None:
            return
        both = one if self.base is None else self.base.hypothesis.and_also(one)
        outcome = both.hold(self.sample)
        gains = frozenset(outcome.explained & self.left)
        by_rule = any(gains <= other.explained and not other.contradicted for other in self.outcomes)
        if not outcome.contradicted and gains and not by_rule:
            self.found.append(Cause(one.cause, one.why, gains, hypothesis=both))
            self.left -= gains

    def take_remains(self) -> None:
        """Windows whose results are those of other events."""
        given = None if self.base is None else self.base.hypothesis
        for one in find_remains(self.scale, self.left - self.sample.told, given):
            names = frozenset(one.contents)
            self.found.append(Cause(one.cause, one.why, names, hypothesis=given, contents=one.contents))
            self.left -= names

    def take_missing(self) -> None:
        """Results that are not there, of keys that have no other result which nothing explains.

        Where more are wrong that nothing explains, whatever made them so may have left these out, too."""
        if 2 * sum(name in self.sample.results for name in self.left) > len(self.left):
            return
        doubtful = {name[0] for name in self.left if name in self.sample.results and name not in self.sample.due}
        shown = {name[0] for name in self.sample.results}
        for name in sorted(self.left, key=str):
            if name not in self.sample.results and name[0] in shown - doubtful:
                self.found.append(Cause("result lost", "has no result of a window", frozenset((name,)), _SINGLE))
                self.left.discard(name)

    def take_near(self) -> None:
        """Results that are nearly right."""
        due = {**self.sample.answers, **({} if self.base is None else self.base.answered)}
        for name in sorted(self.left, key=str):
            if _is_near(self.sample, due, name):
                self.found.append(Cause("beyond rounding", _NEARLY, frozenset((name,)), _SINGLE))
                self.left.discard(name)

    def take_back(self) -> None:
        """Give up what foretold too much that is not there, and that nothing else explains; or say it of a part."""
        while True:
            doubtful = [one for one in self.found if _UNSAID * len(one.missed & self.left) > len(one.explains)]
            if not doubtful:
                return
            worst = max(doubtful, key=lambda one: len(one.missed & self.left) / len(one.explains))
            self.found.remove(worst)
            part = self.restrict(worst)
            if part is None:
                self.left |= worst.explains
            else:
                self.found.append(part)

    def restrict(self, cause: Cause) -> Cause | None:
        """It, of the part of the data that has nothing of what it foretold and is not there."""
        if cause.hypothesis is None or cause.where:
            return None
        outcome = Outcome(cause.hypothesis, cause.explains, frozenset(), frozenset(cause.missed & self.left), {})
        region = min(self.map.list_regions(outcome), key=lambda one: one.cost, default=None)
        if region is None or self.scale.add(cause.explains) - self.scale.cost - region.cost < MARGIN:
            return None
        return replace(cause, where=region.where, missed=frozenset(), inside=region.of)


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


def _get_arrival(e: Event) -> int:
    return e.arrival


def _get_time(e: Event) -> int:
    return e.time


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


_SINGLE: Final = "here and there"
_NEARLY: Final = "answers what is nearly right, but farther off than rounding accounts for; see --summation"

_DRIFT: Final = 1e-11
"""Of a float: what is off by less was not summed as is said, whatever it was summed of."""

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


def _is_near(sample: Sample, answers: Mapping[Name, Sequence[Answer]], name: Name, within: float = NEARLY) -> bool:
    """Whether the result of a window is a float that is nearly right."""
    got, due = sample.results.get(name, ()), answers.get(name, ())
    return len(got) == len(due) == 1 and is_near(got[0].number, due[0].low, due[0].high, within)


def _merge(found: Sequence[Cause]) -> list[Cause]:
    """Those that are seen of single findings together, by their name; the one that explains most first."""
    merged: dict[tuple[str, str, str], Cause] = {}
    for one in found:
        place = one.name, one.where, "" if one.hypothesis is None and one.contents is None else one.why
        before = merged.get(place)
        merged[place] = one if before is None else replace(before, explains=before.explains | one.explains)
    return sorted(merged.values(), key=lambda cause: -len(cause.explains))
