"""Hypotheses: other definitions that a job may have followed, each compared with all results.

    hypothesis = events o windows o answer o rows

An `Edit` changes one step of the definition, in one of four slots:

| slot | fields | changes |
|---|---|---|
| events | `events`, `takes` | the events; which of them a window takes |
| windows | `windows` | the division of a key's events into windows |
| answer | `content`, `answer`, `change` | a window's events before aggregation; the aggregate; the answer |
| rows | `rows` | the results that are written, and their names |

A hypothesis is one or two edits.  Its prediction for each window is compared with the results:

| prediction | if the audit has a finding | if the result is right |
|---|---|---|
| the actual result, not the expected one | *explained* | |
| neither the expected nor the actual result | *missed* | *contradicted* |
| the expected result | no conclusion | no conclusion |

The price of an edit, in bits, depends on it alone: the rarity of its family among public reports, and the bits of its
parameter.  So a new row of a table changes no verdict of unrelated rows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.diagnosis.sample import (
    NULL,
    Cut,
    Event,
    Events,
    Name,
    Part,
    Predicted,
    Sample,
    Takes,
    in_order,
)
from swagproof.pipeline.audit.rules import Answer

REPORTS: Final = 95
"""The number of public reports from which the frequencies of families are counted."""


class Family(Enum):
    """A family of mistakes, with its number among `REPORTS` public reports."""

    BORDER = "closed side, label, origin, first and last window", 26
    ZONE = "zone, daylight saving, clocks", 21
    LATE = "late, grace, idle, backfill", 12
    TIES = "ties, order", 9
    RETRY = "retries, duplicates, parts", 8
    LOAD = "loads by the greatest time so far", 6
    AGGREGATE = "another aggregate, distinct, digits", 6
    NULL = "NULL", 3
    SESSION = "sessions", 3
    OTHER = "other mistakes that a document warns of", 1

    @property
    def bits(self) -> float:
        """The price of a mistake in this family."""
        return log2(REPORTS / self.value[1])


@dataclass(frozen=True)
class Edit:
    """A change to one step of the job's definition; `clause` completes the sentence "the job ..."."""

    clause: str
    events: Callable[[Events], Events] | None = None
    takes: Takes | None = None
    windows: Cut | None = None
    content: Callable[[Sequence[Event]], Sequence[Event]] | None = None
    answer: Callable[[Sequence[Event]], Answer] | None = None
    change: Callable[[Answer], Answer] | None = None
    rows: Callable[[Predicted], Predicted] | None = None
    bits: float = 0.0
    """The bits of its parameter."""
    option: str = ""
    """The options of the audit with which a job with this edit is right; empty if there are none."""
    filters: bool = False
    """True if it drops events: an emptied window has no result, or the result for an empty window."""
    whole: bool = False
    """True if it mixes keys, so that a few keys give no evidence about it."""
    near: bool = False
    """True if it only claims that an answer is near the expected one."""
    needs: int = 2
    """The least number of findings that it must explain; greater if its parameter was inferred from the findings."""
    name: str = ""
    """The diagnosis; set by the row of the table."""
    price: float = 0.0
    """The bits of family and parameter; set by the row of the table."""


@dataclass(frozen=True)
class Row:
    """A row of a table: a diagnosis, and its edits."""

    name: str
    meaning: str
    """One sentence for the page of diagnoses."""
    family: Family
    source: str
    """A public report or a page of an engine's documentation."""
    edits: Callable[[Sample], Iterator[Edit]]

    def list_edits(self, sample: Sample) -> Iterator[Edit]:
        """Yield the edits, with name and price."""
        for one in self.edits(sample):
            yield replace(one, name=self.name, price=self.family.bits + one.bits)


_EXCLUSIVE: Final = ("takes", "windows", "answer")
_IN_TURN: Final = ("events", "content", "change", "rows")
SECOND: Final = 2.0
"""Additional bits of a second edit."""
_NO_ANSWER: Final = Answer("\0", None, None)


@dataclass(frozen=True)
class Outcome:
    """The comparison of a hypothesis with all results."""

    hypothesis: "Hypothesis"
    explained: frozenset[Name]
    missed: frozenset[Name]
    contradicted: frozenset[Name]
    touched: int = 0
    """The number of independent changes that explain the findings: events added or removed, and windows with other
    answers."""
    subsets: tuple[tuple[Name, int], ...] = ()
    """The explained windows whose predicted events are a proper subset, and their numbers of events: a result of any
    subset would fit about as well."""


@dataclass(frozen=True)
class Hypothesis:
    """A job's definition with one or more edits."""

    edits: tuple[Edit, ...]

    @property
    def price(self) -> float:
        """The price in bits."""
        return sum(one.price for one in self.edits) + SECOND * (len(self.edits) - 1)

    def combines_with(self, other: Edit) -> bool:
        """Return whether the edit can be combined with these."""
        steps = {name for name in (*_EXCLUSIVE, *_IN_TURN) if getattr(other, name) is not None}
        used = {name for one in self.edits for name in _EXCLUSIVE if getattr(one, name) is not None}
        like = (one for one in self.edits if one.name == other.name)
        return not steps & used and not any(getattr(one, name) is not None for one in like for name in steps)

    def step(self, name: str) -> Any:
        """Return one step of all edits in sequence; None if no edit changes it."""
        made: Any = None
        for one in self.edits:
            it = getattr(one, name)
            if it is not None:
                made = it if made is None else partial(lambda first, then, x: then(first(x)), made, it)
        return made

    def predict(self, sample: Sample) -> Predicted:
        """Return all results of the job under this hypothesis."""
        found = sample.cut(self.step("events"), self.step("windows"), self.step("takes"))
        content, rows = self.step("content"), self.step("rows")
        if content is not None:
            found = {n: [Part(content(part.events), part.answer) for part in parts] for n, parts in found.items()}
        return found if rows is None else rows(found)

    def compare(self, sample: Sample, patience: int | None = None) -> Outcome:
        """Compare with all results; stop once contradictions and misses exceed the explained findings by `patience`."""
        try:
            predicted = self.predict(sample)
        except (ArithmeticError, LookupError, ValueError, TypeError):
            return Outcome(self, frozenset(), frozenset(), frozenset())
        answer, change = self.step("answer"), self.step("change")
        filters, near = any(one.filters for one in self.edits), any(one.near for one in self.edits)
        explained, missed, contradicted = set[Name](), set[Name](), set[Name]()
        emptied, moved, alone = set[Name](), set[int](), set[Any]()
        subsets: list[tuple[Name, int]] = []
        for name in {**sample.expected, **predicted, **sample.results}:
            parts, expected = predicted.get(name, []), sample.expected.get(name, [])
            same = answer is None and parts == expected
            if (same and change is None) or name in sample.aside:
                continue
            if patience is not None and len(contradicted) + len(missed) > patience + len(explained):
                break
            got = sample.results.get(name, ())
            if not got and name not in sample.findings and sample.is_open(name):
                continue
            nothing = len(got) == 1 and got[0].text is None and got[0].number is None
            right = sample.answers.get(name, [])
            if not parts and len(got) == 1 and (filters or sample.allows_no_value(got[0])):
                zero = sample.aggregate in ("sum", "count") and not nothing
                answers = [Answer("0", 0.0, 0.0) if zero else NULL]
                emptied.add(name)
            elif same:
                answers = [_answer(sample, Part((), one), None, change) for one in right]
            else:
                answers = [
                    NULL
                    if nothing and not part.events and part.answer is None
                    else _answer(sample, part, answer, change)
                    for part in parts
                ]
            if answers == right or (not near and _says_no_more(answers, right, changed=change is not None)):
                continue
            fits = sample.fits(answers, got)
            if name not in sample.findings:
                if not fits:
                    contradicted.add(name)
            elif fits:
                explained.add(name)
                made, due = ({e.arrival for p in of for e in p.events} for of in (parts, expected))
                moved |= made ^ due
                if made == due:
                    alone.add(frozenset(due) or name)
                elif made < due and made:
                    subsets.append((name, len(due)))
            else:
                missed.add(name)
        if explained <= emptied:  # any wider filter explains as much
            explained.clear()
        touched = min(len(explained), len(moved) + len(alone))
        sets = frozenset(explained), frozenset(missed), frozenset(contradicted)
        return Outcome(self, *sets, touched, tuple(subsets))


def _answer(
    sample: Sample,
    part: Part,
    answer: Callable[[Sequence[Event]], Answer] | None,
    change: Callable[[Answer], Answer] | None,
) -> Answer:
    """Return a predicted answer; if there is none, one that equals no result."""
    try:
        made = part.answer or (answer or sample.answer)(part.events)
        return made if change is None else change(made)
    except (ArithmeticError, ValueError, TypeError, IndexError):
        return _NO_ANSWER


def _says_no_more(answers: Sequence[Answer], expected: Sequence[Answer], *, changed: bool) -> bool:
    """Return whether a prediction equals the expected answer, literally or within its rounding."""
    if [one.text for one in answers] == [one.text for one in expected]:
        return True
    if changed or len(answers) != 1 or len(expected) != 1:
        return False
    (it,), (right,) = answers, expected
    if it.low is None or it.high is None or right.low is None or right.high is None:
        return False
    return it.low < it.high and it.low <= right.low <= right.high <= it.high


def replace_events(edit: Callable[[Event], Event | None]) -> Callable[[Events], Events]:
    """Return a function that changes or drops each event, and restores the order of time."""

    def make(all_: Events) -> Events:
        made: Events = {}
        for key, events in all_.items():
            made[key] = in_order(it for it in map(edit, events) if it is not None)
        return made

    return make


def repeat_events(often: Callable[[Event], int]) -> Callable[[Events], Events]:
    """Return a function that repeats each event this many times: 0 drops it."""

    def make(all_: Events) -> Events:
        return {key: [e for e in events for _ in range(often(e))] for key, events in all_.items()}

    return make


def keep_events(kept: Callable[[Event], bool]) -> Callable[[Events], Events]:
    """Return a function that keeps some events."""
    return repeat_events(lambda e: int(kept(e)))
