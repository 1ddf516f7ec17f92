"""Hypotheses: another definition that a job may have followed, predicted for all results and compared with them.

    hypothesis = events o windows o answer o rows

An `Edit` changes one step of the definition, in one of four slots:

| slot | fields | changes |
|---|---|---|
| events | `events`, `takes` | which events there are; which of them a window takes |
| windows | `windows` | how a key's events are divided |
| answer | `content`, `answer`, `change` | a window's events as they are aggregated; the aggregate; the answer |
| rows | `rows` | which results are written, under which names |

A hypothesis is one edit, or two.  Compared with the results it predicts of each window

| prediction | where the audit has a finding | where the result is right |
|---|---|---|
| the result that is there, and not the expected one | *explained* | |
| something else than expected, and not the result | *missed* | *contradicted* |
| the expected result | nothing is concluded | nothing is concluded |

The price of an edit, in bits, is its own: how rare its family is among public reports, and the bits of its parameter.
So a row that is added to a table changes no verdict of unrelated rows.
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
"""The number of public reports that the families were counted in."""


class Family(Enum):
    """Kinds of mistakes, each with how many of `REPORTS` public reports are of it."""

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
        """The price of a mistake of this family."""
        return log2(REPORTS / self.value[1])


@dataclass(frozen=True)
class Edit:
    """One step of the job's definition, changed: `the job` and the clause."""

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
    """The options of the audit under which a job with this edit is right; empty: there are none."""
    filters: bool = False
    """True if it drops events, so that a window may have none left: that has no result, or the result of nothing."""
    whole: bool = False
    """True if it mixes keys, so that a few keys say nothing about it."""
    near: bool = False
    """True if it claims no more than that an answer is near the expected one."""
    needs: int = 2
    """The number of findings that it has to explain; more where its parameter was read off the findings."""
    name: str = ""
    """The diagnosis; the row of the table fills it in."""
    price: float = 0.0
    """The bits of family and parameter; the row of the table fills it in."""


@dataclass(frozen=True)
class Row:
    """A row of a table: a diagnosis, and the edits that lead to it."""

    name: str
    meaning: str
    """One sentence for the page of diagnoses."""
    family: Family
    source: str
    """A public report or a page of an engine's documentation."""
    edits: Callable[[Sample], Iterator[Edit]]

    def list_edits(self, sample: Sample) -> Iterator[Edit]:
        """The edits, named and priced."""
        for one in self.edits(sample):
            yield replace(one, name=self.name, price=self.family.bits + one.bits)


_EXCLUSIVE: Final = ("takes", "windows", "answer")
_IN_TURN: Final = ("events", "content", "change", "rows")
SECOND: Final = 2.0
"""Bits of a second edit beside its price."""
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
    """The explained windows whose results are of some of their events, and how many events they hold: a result of any
    subset would fit about as well."""


@dataclass(frozen=True)
class Hypothesis:
    """A job's definition with some edits."""

    edits: tuple[Edit, ...]

    @property
    def price(self) -> float:
        """The bits that it costs to choose it."""
        return sum(one.price for one in self.edits) + SECOND * (len(self.edits) - 1)

    def combines_with(self, other: Edit) -> bool:
        """Return whether the edit can be made beside these."""
        steps = {name for name in (*_EXCLUSIVE, *_IN_TURN) if getattr(other, name) is not None}
        used = {name for one in self.edits for name in _EXCLUSIVE if getattr(one, name) is not None}
        like = (one for one in self.edits if one.name == other.name)
        return not steps & used and not any(getattr(one, name) is not None for one in like for name in steps)

    def step(self, name: str) -> Any:
        """One step of all edits, one after the other; None where no edit changes it."""
        made: Any = None
        for one in self.edits:
            it = getattr(one, name)
            if it is not None:
                made = it if made is None else partial(lambda first, then, x: then(first(x)), made, it)
        return made

    def predict(self, sample: Sample) -> Predicted:
        """All results of the job under this hypothesis."""
        found = sample.cut(self.step("events"), self.step("windows"), self.step("takes"))
        content, rows = self.step("content"), self.step("rows")
        if content is not None:
            found = {n: [Part(content(part.events), part.answer) for part in parts] for n, parts in found.items()}
        return found if rows is None else rows(found)

    def compare(self, sample: Sample, patience: int | None = None) -> Outcome:
        """Compare with all results; stop where it is contradicted and has missed `patience` more than it explains."""
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
            if filters and not parts and len(got) == 1:
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
    """A predicted answer; one that no result is, where there is none."""
    try:
        made = part.answer or (answer or sample.answer)(part.events)
        return made if change is None else change(made)
    except (ArithmeticError, ValueError, TypeError, IndexError):
        return _NO_ANSWER


def _says_no_more(answers: Sequence[Answer], expected: Sequence[Answer], *, changed: bool) -> bool:
    """Return whether a prediction is the expected answer, to the letter or within its rounding."""
    if [one.text for one in answers] == [one.text for one in expected]:
        return True
    if changed or len(answers) != 1 or len(expected) != 1:
        return False
    (it,), (right,) = answers, expected
    if it.low is None or it.high is None or right.low is None or right.high is None:
        return False
    return it.low < it.high and it.low <= right.low <= right.high <= it.high


def replace_events(edit: Callable[[Event], Event | None]) -> Callable[[Events], Events]:
    """Change each event, or drop it; the order of time is restored."""

    def make(all_: Events) -> Events:
        made: Events = {}
        for key, events in all_.items():
            made[key] = in_order(it for it in map(edit, events) if it is not None)
        return made

    return make


def repeat_events(often: Callable[[Event], int]) -> Callable[[Events], Events]:
    """Count each event so often: 0 drops it."""

    def make(all_: Events) -> Events:
        return {key: [e for e in events for _ in range(often(e))] for key, events in all_.items()}

    return make


def keep_events(kept: Callable[[Event], bool]) -> Callable[[Events], Events]:
    """Keep some events."""
    return repeat_events(lambda e: int(kept(e)))
