"""The verdict: conforms, violated or unknown, in one English sentence, with the smallest trace that shows it.

The sentence comes from comparing the wrong answer with what some usual mistakes would answer over the same trace: the
operands swapped, an evicted element still there, an element lost or counted twice, the answer of an earlier query, the
identity.  A mistake that fits is named (`diagnosis`); it is the likely one, not a proof.
"""

import itertools
import json
import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, Literal, TypeAlias

from swagproof.oracle.domain import Domain, Exactly
from swagproof.oracle.runner import Failure
from swagproof.oracle.trace import Step, Trace, encode_answer, inline

Outcome: TypeAlias = Literal["conforms", "violated", "unknown"]

EXIT: Final[dict[Outcome, int]] = {"conforms": 0, "violated": 1, "unknown": 3}
"""Exit codes.  Further: 2 usage or input error, 130 interrupted."""

_FEW: Final = 400
"""Elements in the longest trace that is compared with usual mistakes."""


@dataclass(frozen=True)
class Witness:
    """A trace that fails at its last operation."""

    trace: Trace
    expected: Any
    """The right answer, as JSON; null where no answer was asked."""
    got: Any
    """What was answered, as JSON; likewise."""
    allowed: float | None
    """For floating sums: how far the answer may be off."""
    error: str | None
    """The exception that the subject raised."""
    diagnosis: str
    """`operands swapped`, `element kept`, `element lost`, `element repeated`, `stale answer`, `wrong identity`,
    `wrong order`, `rounding`, `overflow`, `no answer`, `wrong answer`, `raised`, `changed a value`, `hung`."""
    minimal: bool
    """Whether removing any one operation makes it pass, or not legal."""
    found_by: str


@dataclass(frozen=True)
class Verdict:
    """What is to be said of a subject."""

    outcome: Outcome
    sentence: str
    witness: Witness | None = None

    @property
    def exit_code(self) -> int:
        return EXIT[self.outcome]


def _count(n: int, noun: str = "element") -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


@dataclass(frozen=True)
class _History:
    """What has been inserted and evicted when a trace ends."""

    elements: list[Any]
    evicted: int

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "_History":
        return cls(
            [step.arguments[0] for step in steps if step.name == "insert"],
            sum(step.name == "evict" for step in steps),
        )

    @property
    def size(self) -> int:
        return len(self.elements) - self.evicted

    def __str__(self) -> str:
        """`after evicting 1 of 3 elements`."""
        if self.evicted == 0:
            return f"after inserting {_count(len(self.elements))}" if self.elements else "before anything is inserted"
        many = _count(len(self.elements))
        return f"after evicting {'all ' if not self.size else f'{self.evicted} of '}{many}"


def witness_of(domain: Domain, steps: Sequence[Step], failure: Failure, minimal: bool, found_by: str) -> Verdict:
    """The verdict on a trace that failed at its last operation, or hung there."""
    diagnosis, sentence = _explained(domain, steps, failure)
    trace = Trace(tuple(steps), domain.name)
    witness = Witness(
        trace, failure.expected, failure.got, failure.allowed, failure.error, diagnosis, minimal, found_by
    )
    return Verdict("unknown" if failure.kind == "hung" else "violated", sentence, witness)


def _explained(domain: Domain, steps: Sequence[Step], failure: Failure) -> tuple[str, str]:
    history = _History.of(steps)
    if failure.kind == "hung":
        where = steps[failure.at].name if failure.at >= 0 else "building the subject"
        return "hung", f"{where} did not return within the time limit, {_History.of(steps[:-1])}"
    if failure.kind == "raised":
        name = steps[-1].name if steps else "building the subject"
        return "raised", f"{name} raised {failure.error}, {_History.of(steps[:-1])}"
    if failure.kind == "changed":
        before, now = shown_json(failure.expected), shown_json(failure.got)
        return "changed a value", f"{steps[-1].name} changed {failure.what} from {before} to {now}, {history}"
    off = _off(failure)
    if off is not None and failure.allowed is not None and off < 1e-10 * max(map(abs, history.elements), default=0):
        return "rounding", (
            f"{history} the sum {shown_json(failure.got)} is off by {off:.3g}, where rounding the "
            f"{_count(history.size)} of the window accounts for {failure.allowed:.3g} at most"
        )
    for diagnosis, answer, text in _mistakes(domain, steps, history):
        if type(failure.answer) is type(answer) and Exactly(domain.operation).agree(answer, failure.answer):
            return diagnosis, f"{history} {text}"
    got, expected = shown_json(failure.got), shown_json(failure.expected)
    if history.size == 0:
        return "wrong identity", f"{history} the window is empty, and query answers {got} instead of {expected}"
    if failure.answer is None:
        return "no answer", f"{history} query answers null instead of {expected}"
    if failure.allowed is not None and off is None and isinstance(failure.answer, float):
        return "overflow", f"{history} query answers {got} instead of {expected}"
    return "wrong answer", f"{history} query answers {got} instead of {expected}"


def _off(failure: Failure) -> float | None:
    """How far a float is from the expected one; None where that is no finite number."""
    if not isinstance(failure.answer, float) or not isinstance(failure.expected, float):
        return None
    off = abs(failure.answer - failure.expected)
    return off if math.isfinite(off) else None


def _said(value: Any) -> str:
    return shown_json(encode_answer(value))


def shown_json(data: Any) -> str:
    """A value that is JSON already, shortened in its middle when it is long."""
    text = json.dumps(data)
    return text if len(text) <= 70 else f"{text[:30]} ... {text[-20:]} ({len(text):,} characters)"


def _mistakes(domain: Domain, steps: Sequence[Step], history: _History) -> Iterator[tuple[str, Any, str]]:
    """What usual mistakes would answer at the end of this trace: the diagnosis, the answer, and how to say it."""
    elements, first, end = history.elements, history.evicted, len(history.elements)
    if end > _FEW:
        return

    def product(window: Sequence[Any]) -> Any:
        return reduce(domain.operation.combine, map(domain.lifted, window), domain.fresh().identity)

    window = elements[first:]
    asked = [at for at, step in enumerate(steps[:-1]) if step.name == "query"]
    for at in reversed(asked):
        then = _History.of(steps[:at])
        answer = product(then.elements[then.evicted :])
        since = " and ".join(dict.fromkeys(step.name for step in steps[at:-1] if step.name != "query"))
        if since:
            yield "stale answer", answer, f"query answers {_said(answer)} again, as before the {since}"
    if len(window) > 1:
        answer = product(window[::-1])
        yield "operands swapped", answer, f"the operands are swapped: {_said(answer)}, not {_said(product(window))}"
    for start in range(first - 1, -1, -1):
        kept = ", ".join(map(_said, elements[start:first]))
        if len(kept) > 60:
            kept = f"{first - start} evicted elements, from {_said(elements[start])} to {_said(elements[first - 1])}"
        yield "element kept", product(elements[start:]), f"the answer still contains {kept}"
    for lost in range(len(window)):
        text = f"the answer lacks {_said(window[lost])}, {_place(lost, len(window))}"
        yield "element lost", product(window[:lost] + window[lost + 1 :]), text
    for again in range(len(window)):
        text = f"the answer counts {_said(window[again])} twice"
        yield "element repeated", product(window[: again + 1] + window[again:]), text
    if len(window) > 1:
        yield "element lost", product(()), f"the answer is the identity, of a window of {_count(len(window))}"
        for size in range(2, len(window)):
            for kept_window, place in ((window[-size:], "oldest"), (window[:size], "newest")):
                missing = _count(len(window) - size)
                yield "element lost", product(kept_window), f"the answer lacks the {place} {missing} of {len(window)}"
        yield "element repeated", product(window + window), "the answer counts the whole window twice"
    if 2 < len(window) < 6:
        for order in itertools.permutations(window):
            yield (
                "wrong order",
                product(order),
                f"the answer has the elements in the wrong order: {_said(product(order))}",
            )
    if first:
        for start, stop in itertools.combinations(range(min(end, 40) + 1), 2):
            if start < first <= stop < end:
                yield (
                    "element kept",
                    product(elements[start:stop]),
                    ("the answer still contains evicted elements, and lacks newer ones"),
                )


def _place(at: int, size: int) -> str:
    if size == 1:
        return "the only element"
    return f"{'the oldest' if at == 0 else 'the newest' if at == size - 1 else f'number {at + 1}'} of {size} elements"


def replay_command(subject: str, trace: Trace, more: Sequence[str] = ()) -> str:
    """The command that runs this trace again."""
    command = ["swagproof", "conform", subject, "--window", trace.window, "--monoid", trace.monoid]
    return shlex.join([*command, *more, "--trace", inline(trace.steps)])
