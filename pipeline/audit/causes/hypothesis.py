"""Hypotheses: another definition that the job may have followed, run over all the data and held against all results.

| what it foretells of a window | where the audit has a finding | where it has none |
|---|---|---|
| just what is there, and that is not what is due | *explained* | |
| something else than is due, and that is not there | *missed* | *contradicted* |
| what is due | nothing is concluded | nothing is concluded |

A definition has steps: which events there are, which windows, what is answered of a window's events, and which results
are written.  A hypothesis replaces some; two that replace different ones make a third.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.sample import NULL, Event, Events, Foretold, Name, Part, Sample, Window, split
from swagproof.pipeline.audit.rules import Answer

Step: TypeAlias = str


@dataclass(frozen=True)
class Hypothesis:
    """What a job may have done, by name and in a clause that goes on: 'the job ...'."""

    cause: str
    why: str
    events: Callable[[Events], Events] | None = None
    windows: Callable[[list[Event]], Iterable[Window]] | None = None
    takes: Callable[[Event, int], bool] | None = None
    """Whether a window that ends there takes an event."""
    content: Callable[[Sequence[Event]], Sequence[Event]] | None = None
    """The events of a window as they are aggregated."""
    answer: Callable[[Sequence[Event]], Answer] | None = None
    results: Callable[[Foretold], Foretold] | None = None
    seen: bool = False
    """Whether it says no more than what is to be seen in the results."""
    needs: int = 1
    """How many findings it must explain to be believed: more, where it was read off the results."""

    @property
    def steps(self) -> frozenset[Step]:
        """Which steps it replaces."""
        names = ("events", "windows", "takes", "content", "answer", "results")
        return frozenset(name for name in names if getattr(self, name) is not None)

    def and_also(self, other: "Hypothesis") -> "Hypothesis":
        """Both at once; they replace different steps."""
        changed = {name: getattr(other, name) for name in other.steps}
        both = f"{self.cause} and {other.cause}"
        return replace(
            self, cause=both, why=f"{self.why}, and {other.why}", needs=max(self.needs, other.needs) + 1, **changed
        )

    def foretell(self, sample: Sample) -> Foretold:
        """All results of the job, had it done so."""
        found: Foretold = {}
        windows = self.windows
        if windows is None:
            windows = partial(sample.split if self.takes is None else split, sample.window)
        takes, frame = self.takes or sample.takes, isinstance(sample.window, Frame)
        for key, events in (sample.events if self.events is None else self.events(sample.events)).items():
            for window in windows(sample.in_time(events, self.takes)):
                kept = sample.keep(window, takes)
                if kept or frame:
                    part = sample.part(kept)
                    if self.content is not None:
                        part = Part(self.content(kept), part.answer)
                    found.setdefault(sample.name(key, window.a, window.b), []).append(part)
        if self.results is not None:
            found = self.results(found)
        return found

    def hold(self, sample: Sample, *, patience: int | None = None) -> "Outcome":
        """Hold it against all results of the sample; until it is contradicted, or has missed so many, where that is
        given."""
        foretold = self.foretell(sample)
        explained, missed, contradicted = set[Name](), set[Name](), set[Name]()
        answered: dict[Name, Sequence[Answer]] = {}
        for name in {**sample.due, **foretold, **sample.results}:
            if name in sample.aside:
                continue
            if patience is not None and (contradicted or len(missed) > patience):
                break
            parts, due = foretold.get(name, ()), sample.due.get(name, ())
            if self.answer is None and _same(parts, due):
                continue
            got = sample.results.get(name, ())
            nothing = len(got) == 1 and got[0].text is None and got[0].number is None
            answers = [NULL if nothing and not part.events else self._answer(sample, part) for part in parts]
            if answers == sample.answers.get(name, []):
                continue
            fits = sample.fits(answers, got)
            if name in sample.findings:
                answered[name] = answers
                (explained if fits else missed).add(name)
            elif not fits:
                contradicted.add(name)
        return Outcome(self, frozenset(explained), frozenset(missed), frozenset(contradicted), answered)

    def _answer(self, sample: Sample, part: Part) -> Answer:
        if part.answer is not None:
            return part.answer
        try:
            return (self.answer or sample.answer)(part.events)
        except (ArithmeticError, ValueError, TypeError):  # such a value has none: nobody answers that
            return Answer("\0", None, None)


def _same(parts: Sequence[Part], due: Sequence[Part]) -> bool:
    return len(parts) == len(due) and all(
        part.answer == other.answer and part.events == other.events for part, other in zip(parts, due, strict=True)
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
