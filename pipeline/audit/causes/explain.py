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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from swagproof.pipeline.audit.causes.anew.numbered import number_events
from swagproof.pipeline.audit.causes.anew.partly import hold_cells
from swagproof.pipeline.audit.causes.anew.resting import list_where, rest_on_parts
from swagproof.pipeline.audit.causes.cause import Cause, Searched
from swagproof.pipeline.audit.causes.few import choose_few, find_adding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome, Work
from swagproof.pipeline.audit.causes.once.accidents import find_events, list_accidents
from swagproof.pipeline.audit.causes.once.doubled import find_doubled, list_snapshots, tell_doubled, tell_kept
from swagproof.pipeline.audit.causes.once.occasions import find_occasions
from swagproof.pipeline.audit.causes.once.remains import CUTS, find_remains, tell_cuts
from swagproof.pipeline.audit.causes.once.restarts import find_single_restarts, see_unshown
from swagproof.pipeline.audit.causes.once.torn.moments import see_torn
from swagproof.pipeline.audit.causes.pairs import PATIENCE, hold_near, hold_pairs
from swagproof.pipeline.audit.causes.parts import Map
from swagproof.pipeline.audit.causes.sample import Name, Sample
from swagproof.pipeline.audit.causes.seen import (
    see_drift,
    see_exchanged,
    see_late,
    see_missing,
    see_near,
    see_overtaken,
    see_rows,
    see_untaken,
)
from swagproof.pipeline.audit.causes.tried.every import list_hypotheses
from swagproof.pipeline.audit.causes.weigh import LEAST, MARGIN, Candidate, Scale, measure_parting
from swagproof.pipeline.audit.rules import Answer

_NAMES: Final = 3
"""How many causes are named of which the data do not tell which it is."""
_ROUNDS: Final = 4
"""How many causes may be there at once."""
_UNSAID: Final = 10
"""How many findings a cause explains for one that it misses, and nothing explains, in the end."""
_PIECES: Final = 2
"""Of how many parts a cause is believed at most, of each another one by that name."""
_APART: Final = 4
"""One of how many findings a cause explains at least that misses all others, in some part of the data."""
_NEAR: Final = 1.2
"""How many times the work of single hypotheses those that come near may take with others."""
_PAIRS: Final = 0.3
"""How much of all work other pairs may take."""
WORK: Final = 14_000_000
"""How many events are looked at in all: some ten seconds."""


def find_causes(sample: Sample, show_time: Callable[[int], str] = str) -> list[Cause]:
    """The causes of what was found, the one that is worth most first."""
    return search_causes(sample, show_time).causes


def search_causes(sample: Sample, show_time: Callable[[int], str] = str, work: int = WORK) -> Searched:
    """The causes of what was found, of which no more events are looked at than `work`, or little more."""
    if not sample.open:
        return Searched([])
    sample = number_events(sample)
    drift = see_drift(sample)
    if drift is not None:
        return Searched([drift])
    search = _Search(sample, show_time, work)
    causes = search.run()
    keys = None if search.few is None else len(search.few.events)
    return Searched(causes, search.find_likeliest(), search.work.untried, keys)


class _Search:
    def __init__(
        self, sample: Sample, show_time: Callable[[int], str], work: int, more: Iterable[Hypothesis] = ()
    ) -> None:
        self.sample = sample
        self.all_work = work
        self.work = Work(work)
        self.show_time = show_time
        self.left = set(sample.open)
        self.found: list[Cause] = []
        self.base: Outcome | None = None
        """What is believed of all data so far."""
        self.undecided: list[frozenset[Name]] = []
        """What a cause explains that is not told from too many others to be named."""
        self.map = Map(sample, show_time)
        self.paired = False  # whether pairs were tried
        self._cells: tuple[Outcome | None, ...] = ()
        """What was believed when causes of some events were tried last; nothing before."""
        self._anew: Outcome | None = None
        """In which job what is tried was listed last."""
        self._whole: tuple[Outcome, list[tuple[Hypothesis, Outcome]]] | None = None
        self.hypotheses = [*more, *list_hypotheses(sample), *list_accidents(sample, show_time)]
        self.few = choose_few(sample, work // 3 // len(self.hypotheses))
        """Some keys, on which hypotheses are tried first; None where there is work enough to try them on all."""
        self.outcomes = self.hold_all()
        self.alone = work - self.work.left + len(self.hypotheses) * sample.size // 2
        """How much work hypotheses are by themselves."""
        self.scale = Scale(sample, self.outcomes)

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
            if self.few is not None and one.results is None and not one.mixes:
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
        self.tell(see_untaken(self.sample, self.left))
        for _ in range(_ROUNDS):
            if not self.left:
                break
            candidates = self.list_alone(self.outcomes) if self.base is None else self.list_further()
            taken = self.take([*candidates, *self.list_occasions()]) or (self.paired and self.take_anew())
            if not (taken or self.take_cells() or self.take_pair() or self.take_anew() or self.take_apart()):
                break
        self.take_parts()
        before, self.base = self.base, rest_on_parts(self.found, self.base, self.sample, self.work)
        if self.base is not before:
            while self.left and (self.take([*self.list_further(), *self.list_occasions()]) or self.take_anew()):
                pass
            self.take_parts()
        self.take_back_pieces()
        answered = {} if self.base is None else self.base.answered
        self.take_doubled()
        self.tell(see_overtaken(self.sample, self.left))
        self.tell(see_exchanged(self.sample, self.left))
        self.tell(see_rows(self.sample, self.left, answered))
        given = None if self.base is None else self.base.hypothesis
        self.tell(see_torn(self.scale, self.left, given))
        self.take_events()
        self.take_remains()
        self.tell(see_late(self.sample, self.left))
        self.tell(see_unshown(self.sample, self.left))
        self.tell(see_missing(self.sample, self.left))
        self.take_near(answered)
        self.take_back()
        self.take_back_missing()
        return self.tell_options(_merge(self.found))

    def find_likeliest(self) -> str:
        """What would explain all findings that are left, where it is worth more than chance gives it, and so much more
        than any other cause that would; empty where there is none."""
        if len(self.left) < LEAST:
            return ""
        alone = self.list_alone(self.outcomes) if self.base is None else self.list_further()
        fits = [
            one for one in (*alone, *self.list_occasions()) if one.gains >= self.left and not self.says_nothing(one)
        ]
        return self.scale.tell_likeliest(fits)

    def take_parts(self) -> None:
        """What is believed of parts of the data."""
        while self.left and self.take([one for one in self.list_parts() if not self.is_undecided(one)]):
            pass

    def take_anew(self) -> bool:
        """What is listed in the job that has what is believed: numbers are read off what that leaves."""
        base = self.base
        if base is None or self._anew is base:
            return False
        self._anew = base
        known = {one.why for one in self.hypotheses}
        more = list_where(base.hypothesis, self.sample, self.work)
        self.hypotheses += [one for one in more if one.why not in known]
        return self.take(self.list_further())

    def take_near(self, answered: Mapping[Name, Sequence[Answer]]) -> None:
        """What is nearly right: as a cause of all results has it, as of a mean by logarithms that of one value is, or
        by itself."""
        near = list(see_near(self.sample, self.left, answered))
        at = next((i for i, one in enumerate(self.found) if one.hypothesis is not None and not one.where), None)
        if at is not None and self.base is not None:
            agreed = self.base.agreed & frozenset[Name]().union(*(one.explains for one in near))
            self.found[at] = replace(self.found[at], explains=self.found[at].explains | agreed)
            self.left -= agreed
        self.tell(one for one in near if one.explains <= self.left)

    def tell(self, causes: Iterable[Cause]) -> None:
        """Take what is seen of findings by themselves."""
        for one in list(causes):
            self.found.append(one)
            self.left -= one.explains

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
        adds = find_adding(self.few, self.work, base.hypothesis, self.outcomes, self.left)
        for one in self.hypotheses:
            if base.hypothesis.goes_with(one) and adds(one):
                both = self.work.hold(base.hypothesis.and_also(one), self.sample, patience=PATIENCE)
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

    def list_occasions(self) -> Iterator[Candidate]:
        """What may have happened once, in the job that has what is believed already."""
        given = None if self.base is None else self.base.hypothesis
        for one, outcome in find_occasions(self.sample, self.left, given, self.show_time):
            yield from self.list_alone([outcome]) if given is None else self.go_on(one, outcome)

    def take(self, candidates: Sequence[Candidate]) -> bool:
        """The best that is believed; whether there is one."""
        believed = [one for one in candidates if self.scale.is_believed(one) and not self.says_nothing(one)]
        while believed:
            best = self.prefer(max(believed, key=self.scale.weigh), believed)
            alike = [one for one in believed if (one.gains, one.misses) == (best.gains, best.misses)]
            best = max(alike, key=lambda one: one.named.plainness - one.cost)  # of those that cost as much, the first
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
            self.undecided.append(best.gains)
            believed = [one for one in believed if one is not best and not one.gains & best.gains]
        return False

    def is_undecided(self, one: Candidate) -> bool:
        """Whether it explains nothing but what each of too many plainer causes does."""
        return any(one.gains <= gains for gains in self.undecided)

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
        by, hypothesis = one.named, one.outcome.hypothesis
        cause = Cause(by.cause, by.why, one.gains, one.where, also, hypothesis, one.misses, one.inside, say=say)
        self.found.append(cause)
        self.left -= one.gains
        if one.inside is None:
            base = self.base
            if base is None or base.hypothesis.steps <= one.outcome.hypothesis.steps:
                self.base = one.outcome

    def take_cells(self) -> bool:
        """A cause of the events with one cell of another column, once for what is believed."""
        base = self.base
        if self._cells == (base,):
            return False
        self._cells = (base,)
        given = None if base is None else base.hypothesis
        lent = self.work.lend(int(self.all_work * _PAIRS))
        held = list(hold_cells(self.sample, lent, self.hypotheses, given))
        self.work.take_back(lent)
        if base is None:
            return self.take(self.list_alone([outcome for _, outcome in held]))
        return self.take([one for named, both in held for one in self.go_on(named, both)])

    def take_pair(self) -> bool:
        """Two causes at once, that explain half of what is left: of so many pairs, some one fits a few findings."""
        self.paired = True
        most = int(self.alone * _NEAR * max(1, self.all_work // WORK))
        alone = self.list_pairs(self.work.spend(most, lambda work: hold_near(self.scale, work, self.left)))
        if not any(self.scale.is_believed(one) and not (one.misses or self.says_nothing(one)) for one in alone):
            most = int(self.all_work * _PAIRS)
            held = self.work.spend(most, lambda work: hold_pairs(self.scale, work, self.left, self.hypotheses))
            alone += self.list_pairs(held)
        if not self.take(alone):
            return False
        cause = self.found.pop()  # which may explain what was believed before it
        all_ = self.explained_by(cause)
        kept = [it for it in self.found if not it.explains <= all_]
        more = [it.explains for it in self.found if it.explains <= all_]
        self.found = [*kept, replace(cause, explains=cause.explains.union(*more))]
        return True

    def list_pairs(self, held: Iterable[Outcome]) -> list[Candidate]:
        """Those that explain half of what is left."""
        alone = self.list_alone(list(held))
        half = [one for one in alone if 2 * len(one.gains) >= max(len(self.left), 2 * _UNSAID * len(one.misses))]
        return [replace(one, cost=self.scale.cost) for one in half if not self.is_undecided(one)]

    def take_apart(self) -> bool:
        """A cause that no right result speaks against, though it misses much: all in some part of the data, where
        another one may be so, too, which is looked for with it then.  Where none is, it is said of the other part."""
        if self.base is not None or not self.take([one for one in self.list_apart() if not self.is_undecided(one)]):
            return False
        self.take_parts()
        return True

    def list_apart(self) -> Iterator[Candidate]:
        """Those that miss much, all of it apart from what they explain."""
        for one in self.outcomes:
            gains, misses = frozenset(one.explained & self.left), frozenset(one.missed & self.left)
            if one.contradicted or one.hypothesis.seen or not misses or _APART * len(gains) < len(self.left):
                continue
            if measure_parting(len(gains), len(gains), len(misses)) < MARGIN:
                continue
            for region in self.map.list_regions(replace(one, explained=gains, contradicted=misses)):
                if all(map(region.of(self.sample), gains)):
                    yield Candidate(one.hypothesis, one, gains, frozenset(), cost=region.cost)

    def explained_by(self, cause: Cause) -> frozenset[Name]:
        """All findings that what is believed explains."""
        return frozenset() if cause.hypothesis is None else cause.hypothesis.hold(self.sample).explained

    def list_parts(self) -> Iterator[Candidate]:
        """Those that are believed of a part of the data, in the job that has what is believed already."""
        base = self.base
        taken = frozenset[Name]() if base is None else base.explained
        for named, outcome in self.hold_everywhere():
            gains = outcome.explained & self.left
            against = outcome.contradicted or taken - outcome.explained  # where no result is right, what is believed
            if not against or not gains or named.seen or named.divides:
                continue
            of_part = replace(outcome, explained=frozenset(gains), contradicted=frozenset(against))
            for region in self.map.list_regions(of_part):
                holds = region.of(self.sample)
                misses = frozenset(filter(holds, (outcome.missed & self.left) | (taken - outcome.explained)))
                mine = frozenset(filter(holds, gains))
                if measure_parting(len(mine), len(gains), len(against)) < MARGIN:
                    continue
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

    def take_back_pieces(self) -> None:
        """Give up a cause that is believed of many parts, of each another one: something else is so of the whole."""
        pieces = Counter(one.name for one in self.found if one.where)
        for one in [one for one in self.found if one.where and pieces[one.name] > _PIECES]:
            self.found.remove(one)
            self.left |= one.explains

    def take_doubled(self) -> None:
        """What stands beside right results, each cause of it looked for as if it were all that was written: where some
        of it is the same, that is no cause of its own."""
        same = [one for one in self.found if one.name == "repeated"]
        others = find_doubled(self.sample, self.left.union(*(one.explains for one in same)))
        if others is not None:
            search = _Search(others, self.show_time, self.all_work // 2, list_snapshots(others))
            causes = search.run()
            self.work.untried += search.work.untried
            told = list(tell_doubled(self.sample, others, causes, self.show_time))
            all_ = frozenset[Name]().union(*(one.explains for one in told))
            self.found = [one for one in self.found if one not in same or not one.explains <= all_]
            self.tell(told)

    def take_events(self) -> None:
        """Single events that were lost, or counted twice, and that no rule picks out: not all that came last, or
        first, of their windows, where that explains as much."""
        given = None if self.base is None else self.base.hypothesis
        found = find_events(self.scale, self.left, given)
        if found is None:
            return
        worth, one = found
        both = one if self.base is None else self.base.hypothesis.and_also(one)
        outcome = both.hold(self.sample)
        gains = frozenset(outcome.explained & self.left)
        cuts = find_remains(self.scale, self.left - self.sample.told, given, CUTS)
        if any(cut.worth > worth and len(cut.contents) >= len(gains) for cut in cuts):
            return
        by_rule = any(gains <= other.explained and not other.contradicted for other in self.outcomes)
        if not outcome.contradicted and gains and not by_rule:
            self.found.append(Cause(one.cause, one.why, gains, hypothesis=both))
            self.left -= gains

    def take_remains(self) -> None:
        """Windows whose results are those of other events."""
        given = None if self.base is None else self.base.hypothesis
        for one in find_remains(self.scale, self.left - self.sample.told, given):
            names = frozenset(one.contents)
            if one.cause == "state begun again" and self.take_moment(names, given):
                continue
            kept = tell_kept(self.sample, one.contents) if one.cause == "older state kept" and given is None else ""
            why = kept or tell_cuts(one)
            self.found.append(Cause(one.cause, why, names, hypothesis=given, contents=one.contents))
            self.left -= names

    def take_moment(self, names: frozenset[Name], given: Hypothesis | None) -> bool:
        """States that are begun again at one moment are those that were lost, of all keys or some; whether it is so."""
        for one in find_single_restarts(self.sample, names, given):
            if given is None or given.goes_with(one):
                outcome = (one if given is None else given.and_also(one)).hold(self.sample)
                if names <= outcome.explained and not outcome.missed & self.left and not outcome.contradicted:
                    gains = outcome.explained & self.left
                    self.found.append(Cause(one.cause, one.why, frozenset(gains), hypothesis=outcome.hypothesis))
                    self.left -= gains
                    return True
        return False

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
                self.left |= worst.explains - part.explains

    def take_back_missing(self) -> None:
        """Give up a rule that explains no more than that some results are not there, where more are wrong that nothing
        explains: whatever made them so may have left these out, too; and so a stretch that is seen, where no result is
        right."""
        wrong = sum(name in self.sample.results for name in self.left)
        all_wrong = not any(
            name in self.sample.due and name not in self.sample.findings for name in self.sample.results
        )
        for one in list(self.found):
            absent = not any(name in self.sample.results for name in one.explains)
            is_rule = one.hypothesis is not None and not one.hypothesis.seen
            if absent and wrong > len(one.explains) and (is_rule or (all_wrong and one.name == "stretch lost")):
                self.found.remove(one)
                self.left |= one.explains

    def restrict(self, cause: Cause) -> Cause | None:
        """It, of the part of the data that has nothing of what it foretold and is not there."""
        if cause.hypothesis is None or cause.where:
            return None
        outcome = Outcome(cause.hypothesis, cause.explains, frozenset(), frozenset(cause.missed & self.left), {})
        region = min(self.map.list_regions(outcome), key=lambda one: one.cost, default=None)
        if region is None:
            return None
        explains = frozenset(filter(region.of(self.sample), cause.explains))  # it may leave some out
        if self.scale.add(explains) - self.scale.cost - region.cost < MARGIN:
            return None
        return replace(cause, explains=explains, where=region.where, missed=frozenset(), inside=region.of)


def _merge(found: Sequence[Cause]) -> list[Cause]:
    """Those that are seen of single findings together, by their name; the one that explains most first."""
    merged: dict[tuple[str, str, str], Cause] = {}
    for one in found:
        place = one.name, one.where, "" if one.hypothesis is None and one.contents is None else one.why
        before = merged.get(place)
        merged[place] = one if before is None else replace(before, explains=before.explains | one.explains)
    return sorted(merged.values(), key=lambda cause: -len(cause.explains))
