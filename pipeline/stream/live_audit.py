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
| `late-differing` | it would have been right before late events came |
| `duplicate` | more than one claim under the policy drop; more than one of the same last version otherwise |
| `overdue` | the claim came after the window was judged |

Under `update` and `retract` the claim of the last version is judged, and any number of earlier ones may precede it.
"""

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from swagproof.models.windows.lateness import NEVER, slack
from swagproof.oracle.trace import InputError, decode, encode
from swagproof.pipeline.audit.rules import Aggregation, Kind
from swagproof.pipeline.stream.operator import Arrived, Operator, Query, Shown, Sized, unlimited_digits

CONFORMS: Final = "conforms"

FAULTS: Final = ("missing", "extra", "wrong", "late-differing", "duplicate", "overdue")

UNEXPLAINED: Final = ("duplicate", "overdue")
"""The faults that no event or claim which could not be read explains."""


class Claim(NamedTuple):
    """What a job says of a window."""

    begin: int
    end: int
    version: int
    got: str | None
    """The answer as text."""
    number: float | None
    """The answer as a float, where it is one."""


class Finding(NamedTuple):
    """What is said of a window of a key."""

    kind: str
    begin: int
    end: int
    sized: Sized | None
    """What the window holds; None if nothing."""
    claims: tuple[Claim, ...]


class Audit:
    """The windows of one key and what was claimed of them.  Raises InputError for windows that claims cannot name."""

    def __init__(
        self, query: Query, aggregation: Aggregation, kind: Kind, patience: int = 0, operator: Operator | None = None
    ) -> None:
        if not query.shape.named:
            raise InputError("--results: windows that begin and end alone can be audited: tumbling, sliding, session")
        self.query, self.aggregation, self.patience = query, aggregation, patience
        self.kind: Kind = kind
        self.operator = operator or Operator(query)
        self.held: dict[tuple[int, int], tuple[Sized, Sized]] = {}
        """Of each window to be judged, what it held when it was shown first, and last."""
        self.claims: dict[tuple[int, int], list[Claim]] = {}

    def step(self, events: Iterable[Arrived], watermark: int) -> list[Shown]:
        """What becomes of events that do not count."""
        aside: list[Shown] = []
        for shown in self.operator.step(events, watermark):
            if shown.kind == "result" and shown.window is not None and shown.sized is not None:
                name = shown.window.begin, shown.window.end
                first, _ = self.held.get(name, (shown.sized, None))
                self.held[name] = first, shown.sized
            elif shown.event is not None:
                aside.append(shown)
        return aside

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
        """How many windows wait for results alone, at this watermark of the events."""
        if watermark == NEVER:
            return 0
        return sum(end <= watermark - self.wait for _, end in self.held)

    @property
    def wait(self) -> int:
        """How long after its end a window is judged."""
        return self.query.lateness + self.patience + slack(self.query.window)

    def judge(self, name: tuple[int, int]) -> Finding:
        """The verdict on a window, which is then forgotten."""
        first, last = self.held.pop(name, (None, None))
        claims = tuple(sorted(self.claims.pop(name, ()), key=lambda claim: claim.version))
        rivals = [claim for claim in claims if self.query.policy == "drop" or claim.version == claims[-1].version]
        if not claims:
            kind = "missing"
        elif last is None or first is None:
            kind = "extra"
        elif len(rivals) > 1:
            kind = "duplicate"
        elif self.agrees(last, claims[-1]):
            kind = CONFORMS
        else:
            kind = "late-differing" if self.agrees(first, claims[-1]) else "wrong"
        return Finding(kind, *name, last, claims)

    def agrees(self, sized: Sized, claim: Claim) -> bool:
        """Whether a claim is right, by the rule of the aggregation."""
        due = self.aggregation.answer(sized[1], as_text=self.kind == "text")
        return self.aggregation.agrees(due, claim.got, claim.number, self.kind)

    def next_due(self) -> int | None:
        """The next watermark at which there is something to do; None if there is none."""
        ends = [end + self.wait for _, end in {*self.held, *self.claims}]
        due = self.operator.next_due()
        return min(ends if due is None else [due, *ends], default=None)

    def is_forgettable(self) -> bool:
        """Whether a new audit would go on in the same way."""
        return not self.held and not self.claims and self.operator.is_forgettable()

    # State

    def to_json(self) -> str:
        """The state as text."""
        with unlimited_digits():
            held = [[*name, *((n, encode(v)) for n, v in pair)] for name, pair in self.held.items()]
            claims = [[*claim[:4], encode(claim.number)] for claims in self.claims.values() for claim in claims]
            return json.dumps({"operator": self.operator.to_json(), "held": held, "claims": claims})

    def restore(self, text: str) -> None:
        """Become the audit that `to_json` wrote down."""
        with unlimited_digits():
            state: dict[str, Any] = json.loads(text)
            for begin, end, first, last in state["held"]:
                self.held[begin, end] = (first[0], decode(first[1])), (last[0], decode(last[1]))
        self.operator.restore(state["operator"])
        for begin, end, version, got, number in state["claims"]:
            claim = Claim(begin, end, version, got, decode(number))
            self.claims.setdefault((claim.begin, claim.end), []).append(claim)
