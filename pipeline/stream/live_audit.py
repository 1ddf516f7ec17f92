"""Another job's results, held against the reference while both streams run.

A claim says what a job answers for the window [begin, end) of a key.  A window is judged once, when time has reached
its end, and then `lateness` more, in which its events are waited for.  By which time?  Of the events' watermark and
that of the results, the earlier: who reads events faster than a job can answer would call every answer missing.  With a
patience it is the events' watermark alone, and `patience` is how long claims are waited for.

| verdict | when |
|---|---|
| `conforms` | the claim is right |
| `missing` | the window holds events, and nobody claims it |
| `extra` | it holds none, or [begin, end) is none of the windows |
| `wrong` | the claim is not right |
| `late-differing` | it would have been right before late events came, or the last that came in time |
| `wrong-version` | the last version is right, and one before it says what no events gave that had come by then |
| `duplicate` | more than one claim under the policy drop; more than one of the same last version otherwise |
| `overdue` | the claim came after the window was judged |

Under `update` and `retract` every version is judged: each holds what had come at some point, and the next no less.  A
job shows a window first when its watermark passes the end: in the middle of a file, if it follows each record.  So the
first version may hold what had come before the file in which the end was passed, or any more; with `early`, as where
Spark shows each micro-batch what it has, any that had come at all.  For this each event that such a window holds is
taken by itself, in the order of arrival, and what the window held is kept after each until it is judged.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from swagproof.models.windows.lateness import NEVER, late_for_first, slack
from swagproof.oracle.trace import decode, encode
from swagproof.pipeline.audit.rules import Aggregation, Kind
from swagproof.pipeline.stream.operator import Arrived, Operator, Query, Shown, Sized, unlimited_digits
from swagproof.pipeline.stream.shapes import ALWAYS, Stretch

CONFORMS: Final = "conforms"

UNREADABLE: Final = "unreadable"
"""A file that could not be read: none of its rows count."""
FAULTS: Final = ("missing", "extra", "wrong", "late-differing", "wrong-version", "duplicate", "overdue")

UNEXPLAINED: Final = ("duplicate", "overdue")
"""The faults that no event or claim which could not be read explains."""


class Claim(NamedTuple):
    """A job's claim about a window."""

    begin: int
    end: int
    version: int
    got: str | None
    """The answer as text."""
    number: float | None
    """The answer as a float, where it is one."""


class Finding(NamedTuple):
    """A finding about a window of a key."""

    kind: str
    begin: int
    end: int
    sized: Sized | None
    """The content of the window; None if it is empty."""
    claims: tuple[Claim, ...]


class Audit:
    """The windows of one key and what was claimed of them."""

    def __init__(
        self,
        query: Query,
        aggregation: Aggregation,
        kind: Kind,
        patience: int = 0,
        operator: Operator | None = None,
        *,
        early: bool = False,
    ) -> None:
        self.query, self.aggregation, self.patience = query, aggregation, patience
        self.kind: Kind = kind
        self.operator = operator or Operator(query)
        self.early = early
        """True if versions may come before the window is over."""
        self.held: dict[tuple[int, int], list[Sized]] = {}
        """For each window to be judged, the possible contents of its versions, in their order; the last is the expected
        one."""
        self.claims: dict[tuple[int, int], list[Claim]] = {}

    def step(self, events: Iterable[Arrived], watermark: int, after: int = NEVER) -> list[Shown]:
        """Return what becomes of events that do not count; `after` is where the watermark is when they have come."""
        operator, query = self.operator, self.query
        if query.policy == "drop":
            return self.take(events, watermark)
        upto = ALWAYS if self.early else max(watermark, after)
        self.look(query.shape.find_due(operator.keys, operator.done, upto))
        together: list[Arrived] = []
        singly: list[Arrived] = []
        for event in events:
            (singly if late_for_first(query.window, event.time) <= upto else together).append(event)
        aside = self.take(together, watermark)
        for event in sorted(singly, key=lambda event: event.arrival):
            aside += self.take([event], watermark)
            closed = operator.closed_at(operator.done)
            self.look(query.shape.find_touched(event.time, closed, upto))
        return aside

    def take(self, events: Iterable[Arrived], watermark: int) -> list[Shown]:
        """Have the operator take events: those that do not count."""
        shown = self.operator.step(events, watermark)
        for each in shown:
            if each.kind == "result" and each.window is not None and each.sized is not None:
                self.keep(each.window, each.sized)
        return [each for each in shown if each.event is not None]

    def look(self, windows: Iterable[Stretch]) -> None:
        """Keep what these windows hold now."""
        for window, sized in self.operator.find_sized(list(windows)):
            self.keep(window, sized)

    def keep(self, window: Stretch, sized: Sized) -> None:
        """Keep what a window holds, if it is more than before."""
        states = self.held.get((window.begin, window.end), [])
        if sized[0] > (states[-1][0] if states else 0):
            self.held.setdefault((window.begin, window.end), states).append(sized)

    def judge_due(self, claims: Iterable[Claim], reached: int) -> list[Finding]:
        """The verdicts that are due with these claims, now that time is here; `step` was told of it, or of more."""
        judged = NEVER if reached == NEVER else reached - self.wait
        verdicts: list[Finding] = []
        for claim in claims:
            name = claim.begin, claim.end
            if not self.query.shape.has_window(*name):
                verdicts.append(Finding("extra", *name, None, (claim,)))
            elif claim.end <= judged:
                verdicts.append(Finding("overdue", *name, None, (claim,)))
            else:
                self.claims.setdefault(name, []).append(claim)
        over = sorted(name for name in {*self.held, *self.claims} if name[1] <= judged)
        return [*verdicts, *(self.judge(name) for name in over)]

    def count_waiting(self, watermark: int) -> int:
        """Return how many windows wait for results alone, at this watermark of the events."""
        if watermark == NEVER:
            return 0
        operator = self.operator
        due = self.query.shape.find_due(operator.keys, operator.done, watermark)
        names = {*self.held, *((window.begin, window.end) for window in due)}
        return sum(end <= watermark - self.wait for _, end in names)

    @property
    def wait(self) -> int:
        """Return how long after its end a window is judged."""
        return self.query.lateness + self.patience + slack(self.query.window)

    def judge(self, name: tuple[int, int]) -> Finding:
        """The verdict on a window, which is then forgotten."""
        states = self.held.pop(name, [])
        claims = tuple(sorted(self.claims.pop(name, ()), key=lambda claim: claim.version))
        rivals = [claim for claim in claims if self.query.policy == "drop" or claim.version == claims[-1].version]
        if not claims:
            kind = "missing"
        elif not states:
            kind = "extra"
        elif len(rivals) > 1:
            kind = "duplicate"
        elif self.agrees(states[-1], claims[-1]):
            kind = CONFORMS if self.follow(states, claims) else "wrong-version"
        else:
            kind = "late-differing" if any(self.agrees(state, claims[-1]) for state in states) else "wrong"
        return Finding(kind, *name, states[-1] if states else None, claims)

    def follow(self, states: Sequence[Sized], claims: Iterable[Claim]) -> bool:
        """Return whether each claim is right of one of the states, in their order."""
        at = 0
        for claim in claims:
            while at < len(states) and not self.agrees(states[at], claim):
                at += 1
        return at < len(states)

    def agrees(self, sized: Sized, claim: Claim) -> bool:
        """Return whether a claim is right, by the rule of the aggregation."""
        due = self.aggregation.answer(sized[1], as_text=self.kind == "text")
        return self.aggregation.agrees(due, claim.got, claim.number, self.kind)

    def next_due(self) -> int | None:
        """The next watermark at which there is something to do; None if there is none."""
        ends = [end + self.wait for _, end in {*self.held, *self.claims}]
        due = self.operator.next_due()
        return min(ends if due is None else [due, *ends], default=None)

    def is_forgettable(self) -> bool:
        """Return whether a new audit would go on in the same way."""
        return not self.held and not self.claims and self.operator.is_forgettable()

    # State

    def to_json(self) -> str:
        """The state as text."""
        with unlimited_digits():
            held = [[*name, *((n, encode(v)) for n, v in states)] for name, states in self.held.items()]
            claims = [[*claim[:4], encode(claim.number)] for claims in self.claims.values() for claim in claims]
            return json.dumps({"operator": self.operator.to_json(), "held": held, "claims": claims})

    def restore(self, text: str) -> None:
        """Become the audit that `to_json` wrote down."""
        with unlimited_digits():
            state: dict[str, Any] = json.loads(text)
            for begin, end, *states in state["held"]:
                self.held[begin, end] = [(n, decode(value)) for n, value in states]
        self.operator.restore(state["operator"])
        for begin, end, version, got, number in state["claims"]:
            claim = Claim(begin, end, version, got, decode(number))
            self.claims.setdefault((claim.begin, claim.end), []).append(claim)
