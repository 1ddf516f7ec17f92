"""An audit of another job's results, compared with the reference while both streams run.

A claim is a job's answer for the window [begin, end) of a key.  A window is judged once, when time has reached its end
plus `lateness`, in which late events are waited for.  Time is the earlier of the events' and the results' watermark:
otherwise every answer would be missing whenever events are read faster than the job answers.  With a patience it is the
events' watermark alone, and claims are waited for as long as `patience`.

| verdict | when |
|---|---|
| `conforms` | the claim is right |
| `missing` | the window holds events, and there is no claim |
| `extra` | it holds none, or [begin, end) is none of the windows |
| `wrong` | the claim is wrong |
| `late-differing` | it would have been right before late events, or the last event in time, arrived |
| `wrong-version` | the last version is right, but an earlier one fits no set of events that had arrived by then |
| `duplicate` | more than one claim under the policy drop; more than one of the same last version otherwise |
| `overdue` | the claim came after the window was judged |

Under `update` and `retract` every version is judged: each must hold the events that had arrived at some point, and the
next no fewer.  A job first shows a window when its watermark passes the end: in the middle of a file, if it follows
each record.  So the first version may hold the events before the file in which the end was passed, or any more; with
`early`, as when Spark shows partial results of each micro-batch, any events that had arrived.  Each event of such a
window is therefore taken alone, in the order of arrival, and the window's content after each is kept until it is
judged.
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
"""A file that could not be read: none of its rows counts."""
FAULTS: Final = ("missing", "extra", "wrong", "late-differing", "wrong-version", "duplicate", "overdue")

UNEXPLAINED: Final = ("duplicate", "overdue")
"""The faults that unreadable events or claims cannot explain."""


class Claim(NamedTuple):
    """A job's claim about a window."""

    begin: int
    end: int
    version: int
    got: str | None
    """The answer as text."""
    number: float | None
    """The answer as a float, if it is one."""


class Finding(NamedTuple):
    """A finding about a window of a key."""

    kind: str
    begin: int
    end: int
    sized: Sized | None
    """The content of the window; None if it is empty."""
    claims: tuple[Claim, ...]


class Audit:
    """The windows of one key and the claims about them."""

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
        """True if versions may come before the end of the window."""
        self.held: dict[tuple[int, int], list[Sized]] = {}
        """For each window to be judged, the possible contents of its versions, in their order; the last is the expected
        one."""
        self.claims: dict[tuple[int, int], list[Claim]] = {}

    def step(self, events: Iterable[Arrived], watermark: int, after: int = NEVER) -> list[Shown]:
        """Take events, and return those that do not count; `after` is the watermark after them."""
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
        """Have the operator take events, and return those that do not count."""
        shown = self.operator.step(events, watermark)
        for each in shown:
            if each.kind == "result" and each.window is not None and each.sized is not None:
                self.keep(each.window, each.sized)
        return [each for each in shown if each.event is not None]

    def look(self, windows: Iterable[Stretch]) -> None:
        """Keep the current content of these windows."""
        for window, sized in self.operator.find_sized(list(windows)):
            self.keep(window, sized)

    def keep(self, window: Stretch, sized: Sized) -> None:
        """Keep the content of a window, if it is more than before."""
        states = self.held.get((window.begin, window.end), [])
        if sized[0] > (states[-1][0] if states else 0):
            self.held.setdefault((window.begin, window.end), states).append(sized)

    def judge_due(self, claims: Iterable[Claim], reached: int) -> list[Finding]:
        """Add claims, and return the verdicts at this time; `step` must have reached it before."""
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
        """Return the number of windows that wait only for results, at this watermark of the events."""
        if watermark == NEVER:
            return 0
        operator = self.operator
        due = self.query.shape.find_due(operator.keys, operator.done, watermark)
        names = {*self.held, *((window.begin, window.end) for window in due)}
        return sum(end <= watermark - self.wait for _, end in names)

    @property
    def wait(self) -> int:
        """Return the time from a window's end until it is judged."""
        return self.query.lateness + self.patience + slack(self.query.window)

    def judge(self, name: tuple[int, int]) -> Finding:
        """Return the verdict on a window, and forget the window."""
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
        """Return whether each claim agrees with one of the states, in their order."""
        at = 0
        for claim in claims:
            while at < len(states) and not self.agrees(states[at], claim):
                at += 1
        return at < len(states)

    def agrees(self, sized: Sized, claim: Claim) -> bool:
        """Return whether a claim agrees, by the rule of the aggregation."""
        due = self.aggregation.answer(sized[1], as_text=self.kind == "text")
        return self.aggregation.agrees(due, claim.got, claim.number, self.kind)

    def next_due(self) -> int | None:
        """Return the next watermark at which there is something to do; None if there is none."""
        ends = [end + self.wait for _, end in {*self.held, *self.claims}]
        due = self.operator.next_due()
        return min(ends if due is None else [due, *ends], default=None)

    def is_forgettable(self) -> bool:
        """Return whether a new audit would continue in the same way."""
        return not self.held and not self.claims and self.operator.is_forgettable()

    # State

    def to_json(self) -> str:
        """Return the state as text."""
        with unlimited_digits():
            held = [[*name, *((n, encode(v)) for n, v in states)] for name, states in self.held.items()]
            claims = [[*claim[:4], encode(claim.number)] for claims in self.claims.values() for claim in claims]
            return json.dumps({"operator": self.operator.to_json(), "held": held, "claims": claims})

    def restore(self, text: str) -> None:
        """Restore the state that `to_json` returned."""
        with unlimited_digits():
            state: dict[str, Any] = json.loads(text)
            for begin, end, *states in state["held"]:
                self.held[begin, end] = [(n, decode(value)) for n, value in states]
        self.operator.restore(state["operator"])
        for begin, end, version, got, number in state["claims"]:
            claim = Claim(begin, end, version, got, decode(number))
            self.claims.setdefault((claim.begin, claim.end), []).append(claim)
