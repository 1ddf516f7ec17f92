"""Hypotheses: another definition that the job may have followed, run over all the data and held against all results.

| what it foretells of a window | where the audit has a finding | where it has none |
|---|---|---|
| just what is there, and that is not what is due | *explained* | |
| something else than is due, and that is not there | *missed* | *contradicted* |
| what is due, or near it | nothing is concluded | nothing is concluded |

A definition has steps: which events there are, which windows, what is answered of a window's events, what becomes of
the answer, and which results are written.  A hypothesis replaces some; two make a third, where one goes on with what
the other made of events, of a window's content, of answers or of results, or they replace different steps.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from swagproof.pipeline.audit.causes.sample import (
    NULL,
    Cut,
    Event,
    Events,
    Foretold,
    Name,
    Part,
    Sample,
    Takes,
)
from swagproof.pipeline.audit.rules import Answer

RARE: Final = 10.0
"""Bits of what is rare: where a plainer cause foretells the same, that is named alone."""
_PATIENCE: Final = 12
"""How many more findings than it explains a hypothesis may miss that is asked whether it explains some."""
_ALONE: Final = frozenset(("windows", "takes", "answer"))
_IN_TURN: Final = frozenset(("events", "content", "change", "results"))
"""The steps of which there is one, and those that go on with what was made of another."""

_NOTHING: Final = Answer("0", 0.0, 0.0)
"""What is written of no events, where it is not null."""
_NO_ANSWER: Final = Answer("\0", None, None)


@dataclass(frozen=True)
class Hypothesis:
    """What a job may have done, by name and in a clause that goes on: 'the job ...'."""

    cause: str
    why: str
    events: Callable[[Events], Events] | None = None
    windows: Cut | None = None
    takes: Takes | None = None
    content: Callable[[Sequence[Event]], Sequence[Event]] | None = None
    """The events of a window as they are aggregated."""
    answer: Callable[[Sequence[Event]], Answer] | None = None
    change: Callable[[Answer], Answer] | None = None
    """What becomes of an answer before it is written."""
    results: Callable[[Foretold], Foretold] | None = None
    filters: bool = False
    """Whether it leaves out events, of which a window may have none then: no result is there, or that of nothing."""
    seen: bool = False
    """Whether it says no more than what is to be seen in the results."""
    needs: int = 1
    """How many findings it must explain to say anything: those that it was read off say nothing for it."""
    say: str = ""
    """By which options an audit is told so, where somebody may have meant it; empty where there are none."""
    near: bool = False
    """Whether it says no more of an answer than that it is near what is due; else what is near it says nothing."""
    mixes: bool = False
    """Whether it gives events of a key what those of other keys have, or puts them far from where they were: then those
    of few keys, or of a short time, tell nothing."""
    divides: bool = False
    """Whether it is how a job divides all of its events, which is so of all or of none."""
    chooses: bool = False
    """Whether it says of each finding another one of several answers: then it is worth what tells these from others."""
    scales: bool = False
    """Whether it makes one number of another by a number that findings say: one such pair may be made by any."""
    bits: float = 0.0
    """What it takes to choose its numbers, where there are many to choose from."""
    spare: float = 0.0
    """What it takes to choose one of those that do as well: where another cause foretells the same, that is plainer."""

    @property
    def plainness(self) -> float:
        """The less there is to choose, the plainer it is: no bits at most, where it is no more usual than others."""
        return -self.bits - self.spare

    @property
    def steps(self) -> frozenset[str]:
        """Which steps it replaces."""
        return frozenset(name for name in (*_ALONE, *_IN_TURN) if getattr(self, name) is not None)

    def goes_with(self, other: "Hypothesis") -> bool:
        """Whether both can be so at once."""
        return self.cause != other.cause and not self.clashes_with(other)

    def clashes_with(self, other: "Hypothesis") -> bool:
        """Whether both replace a step that neither can go on with."""
        return bool(self.steps & other.steps & _ALONE)

    def and_also(self, other: "Hypothesis") -> "Hypothesis":
        """Both at once: what one makes the other goes on with."""
        changed = {name: getattr(other, name) for name in other.steps}
        for name in self.steps & other.steps:
            changed[name] = partial(_do_both, getattr(self, name), getattr(other, name))
        return replace(
            self,
            cause=f"{self.cause} and {other.cause}",
            why=f"{self.why}, and {other.why}",
            needs=max(self.needs, other.needs),
            seen=self.seen and other.seen,
            mixes=self.mixes or other.mixes,
            divides=self.divides or other.divides,
            chooses=self.chooses or other.chooses,
            bits=self.bits + other.bits,
            spare=self.spare + other.spare,
            say=f"{self.say}, {other.say}" if self.say and other.say else "",
            **changed,
        )

    def foretell(self, sample: Sample) -> Foretold:
        """All results of the job, had it done so."""
        found: Foretold = {}
        for key, events in (sample.events if self.events is None else self.events(sample.events)).items():
            for name, part in sample.divide(key, events, self.windows, self.takes):
                if self.content is not None:
                    part = Part(self.content(part.events), part.answer)
                found.setdefault(name, []).append(part)
        if self.results is not None:
            found = self.results(found)
        return found

    def hold(self, sample: Sample, *, patience: int | None = None) -> "Outcome":
        """Hold it against all results of the sample; until it is contradicted, or has missed so many more than it
        explains, where that is given."""
        try:
            foretold = self.foretell(sample)
        except Exception as error:  # such a value has no aggregate, or no calendar has such a year
            if not isinstance(error, (ValueError, *sample.unreadable)):
                raise
            return Outcome(self, frozenset(), frozenset(), frozenset(), {})
        explained, missed, contradicted, emptied = set[Name](), set[Name](), set[Name](), set[Name]()
        agreed, answered = set[Name](), dict[Name, Sequence[Answer]]()
        for name in {**sample.due, **foretold, **sample.results}:
            if name in sample.aside:
                continue
            if patience is not None and (contradicted or len(missed) > patience + len(explained)):
                break
            parts, due = foretold.get(name, ()), sample.due.get(name, ())
            same = self.answer is None and _same(parts, due)
            if same and self.change is None:
                continue
            got = sample.results.get(name, ())
            if not got and name not in sample.findings and sample.is_open(name):
                continue
            nothing = len(got) == 1 and got[0].text is None and got[0].number is None
            if self.filters and not parts and len(got) == 1:
                answers = [_NOTHING if sample.aggregation.name in ("sum", "count") and not nothing else NULL]
                emptied.add(name)
            elif same:
                answers = [self._change(answer) for answer in sample.answers.get(name, [])]
            else:
                empty = [nothing and not part.events and part.answer is None for part in parts]
                answers = [NULL if no else self._answer(sample, part) for no, part in zip(empty, parts, strict=True)]
            right = sample.answers.get(name, [])
            if answers == right or (not self.near and _says_no_more(answers, right, changed=self.change is not None)):
                if name in sample.findings and sample.fits(answers, got):
                    agreed.add(name)
                continue
            fits = sample.fits(answers, got)
            if name in sample.findings:
                answered[name] = answers
                (explained if fits else missed).add(name)
            elif not fits:
                contradicted.add(name)
        if explained <= emptied:  # that they are empty is all that is said of them: any wider filter does
            explained.clear()
        return Outcome(
            self, frozenset(explained), frozenset(missed), frozenset(contradicted), answered, frozenset(agreed)
        )

    def explains_some(self, sample: Sample) -> bool:
        """Whether it explains two findings, before it has missed many more: of many ways to try, those alone are listed
        that do, since each that is listed is tried with each other one, too."""
        return len(self.hold(sample, patience=_PATIENCE).explained) > 1

    def _answer(self, sample: Sample, part: Part) -> Answer:
        return self.make_answer(sample, part.events) if part.answer is None else part.answer

    def make_answer(self, sample: Sample, events: Sequence[Event]) -> Answer:
        """What is written of some events."""
        try:
            answer = (self.answer or sample.answer)(events)
        except (ArithmeticError, ValueError, TypeError):  # such a value has none: nobody answers that
            return _NO_ANSWER
        return self._change(answer)

    def _change(self, answer: Answer) -> Answer:
        if self.change is None:
            return answer
        try:
            return self.change(answer)
        except (ArithmeticError, ValueError, TypeError):
            return _NO_ANSWER


def _says_no_more(answers: Sequence[Answer], due: Sequence[Answer], *, changed: bool) -> bool:
    """Whether what is foretold is what is due, to the letter or near it: that a result is near it says nothing."""
    if [one.text for one in answers] == [one.text for one in due]:
        return True
    if changed or len(answers) != 1 or len(due) != 1:
        return False
    (it,), (right,) = answers, due
    if it.low is None or it.high is None or right.low is None or right.high is None:
        return False
    return it.low < it.high and it.low <= right.low <= right.high <= it.high


def count_so_often(often: Callable[[Event], int], all_: Events) -> Events:
    """The events, each as often as is said of it: not at all where it is lost."""
    return {key: [e for e in events for _ in range(often(e))] for key, events in all_.items()}


def without(chosen: Callable[[Event], bool], *, again: bool) -> Callable[[Events], Events]:
    """The events without some; `again`, with these twice."""
    often = 2 if again else 0
    return partial(count_so_often, lambda e: often if chosen(e) else 1)


def _do_both(first: Callable[[Any], Any], then: Callable[[Any], Any], made: Any) -> Any:
    return then(first(made))


def _same(parts: Sequence[Part], due: Sequence[Part]) -> bool:
    return len(parts) == len(due) and all(
        part is other or (part.answer == other.answer and part.events == other.events)
        for part, other in zip(parts, due, strict=True)
    )


@dataclass(frozen=True)
class Outcome:
    """What became of a hypothesis."""

    hypothesis: Hypothesis
    explained: frozenset[Name]
    missed: frozenset[Name]
    contradicted: frozenset[Name]
    answered: dict[Name, Sequence[Answer]]
    """What it foretells where there is a finding."""
    agreed: frozenset[Name] = frozenset()
    """Findings that are what it foretells, which is so near what is due that they say nothing for it."""


@dataclass
class Work:
    """How much a search may look at, counted in events, as a clock would count the machine's load; and what it left.

    To hold a hypothesis against a sample is to look at each event as often as there are windows that hold it.
    """

    left: int
    untried: int = 0
    """How many hypotheses were not held against anything."""

    def hold(self, one: Hypothesis, sample: Sample, *, patience: int | None = None) -> Outcome | None:
        """Hold it against the sample; None where there is no work left."""
        if self.left <= 0:
            self.untried += 1
            return None
        self.left -= sample.size
        return one.hold(sample, patience=patience)

    def lend(self, most: int) -> "Work":
        """So much of what is left, or all of it, for a part of the search; what that leaves is given back."""
        lent = Work(max(0, min(self.left, most)))
        self.left -= lent.left
        return lent

    def take_back(self, lent: "Work") -> None:
        """What a part of the search has left of what was lent to it."""
        self.left += lent.left
        self.untried += lent.untried

    def spend(self, most: int, hold: Callable[["Work"], Iterable[Outcome]]) -> list[Outcome]:
        """What a part of the search holds, with so much work at most."""
        lent = self.lend(most)
        held = list(hold(lent))
        self.take_back(lent)
        return held

    def list_all(self, those: Iterable[Hypothesis], sample: Sample) -> Iterator[Hypothesis]:
        """Those that are listed of a sample, until no work is left: to list one is half as much work as to hold it."""
        for one in those:
            if self.left <= 0:
                self.untried += 1
                return
            self.left -= sample.size // 2
            yield one
