"""The faults of one window: the job's results, compared with the expected one.

| kind | when |
|---|---|
| `missing` | a result is expected, and there is none |
| `extra` | there is a result, and none is expected |
| `wrong` | the result for a window differs from the expected one |
| `duplicate` | a window has more than one result (of one version; after retractions) |
| `late-differing` | one of the first three, but right under another treatment of late events than the policy's |
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, localcontext
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.expected.plan import Expected, Plan
from swagproof.pipeline.audit.options import Empty
from swagproof.pipeline.audit.rules import Answer

FindingKind: TypeAlias = Literal["missing", "extra", "wrong", "duplicate", "late-differing"]
FINDING_KINDS: Final[tuple[FindingKind, ...]] = ("missing", "extra", "wrong", "duplicate", "late-differing")

_COUNTING: Final = ("count", "distinct-count", "sql-count")

_ONE: Final = re.compile(r"[+]?0*1(\.0*)?")
_ZERO: Final = re.compile(r"[+-]?0+(\.0*)?([eE][+-]?\d+)?")


class Claim(NamedTuple):
    """A job's result."""

    got: str | None
    number: float | None
    version: int | None = None
    back: bool = False
    """True if it retracts an earlier one."""


class Standing(NamedTuple):
    """The results for a window."""

    copies: int
    least: Claim
    most: Claim
    between: Sequence[Claim] = ()
    """The other results, if there are several."""
    unsaid: Claim | None = None
    """A result that was retracted before it was emitted."""
    history: Sequence[Claim] = ()
    """All emitted results, by version if there are versions; empty if there is only one."""


@dataclass(slots=True)
class Pair:
    """The expected result for a window, and the actual ones."""

    due: Expected
    there: Standing | None
    find_other: Callable[[str], Expected | None] = lambda _role: None
    """The expected result under another treatment of late events."""
    closes: int | None = None
    """The time at which the watermark has passed the window."""
    shown_early: bool = False

    def make_row(self, kind: str, claim: Claim | None = None, **more: Any) -> dict[str, Any]:
        """Return a row about the window, with this claim if given."""
        return make_row(self.due, kind, claim, closes=self.closes, **more)


def make_row(due: Expected, kind: str, claim: Claim | None = None, **more: Any) -> dict[str, Any]:
    """Return a row of the form of `swagproof.pipeline.audit.compare.FOUND`."""
    (from_time, from_arrival), (to_time, to_arrival) = (at or (None, None) for at in (due.first, due.last))
    return {
        "kind": kind, "key": due.key, "a": due.a, "b": due.b, "role": None, "n": due.n, "copies": due.copies,
        "expected": due.answer.text, "low": due.answer.low, "high": due.answer.high, "bad": due.bad,
        "got": None if claim is None else claim.got, "number": None if claim is None else claim.number,
        "from_time": from_time, "from_arrival": from_arrival, "to_time": to_time, "to_arrival": to_arrival, **more,
    }  # fmt: skip


def _is_empty(plan: Plan, it: Claim, *, a: Any = None, b: Any = None) -> bool:
    """Return whether a result states, in a form that the plan allows, that there is no value in a window."""
    if a is not None or b is not None:  # a window without events: it must be one of the plan's
        if not isinstance(plan.window, Sliding | Calendar) or not plan.window.has(a, b):
            return False
    return says_no_value(plan.empty, plan.aggregation.name, it.got, it.number)


def says_no_value(empty: Empty, aggregate: str, got: str | None, number: float | None) -> bool:
    """Return whether a result states, in a form that `--empty` allows, that there is no value."""
    null = got is None and (number is None or number != number)
    zero = number == 0 or (number is None and got is not None and _ZERO.fullmatch(got) is not None)
    zero = zero or (number is None and got in ("", "[]"))
    if aggregate == "product":  # the product of no value is 1
        zero = zero or number == 1 or (number is None and got is not None and _ONE.fullmatch(got) is not None)
    return (null and empty in ("null", "any")) or (zero and empty in ("zero", "any"))


def _is_of_nothing(plan: Plan, due: Answer) -> bool:
    """Return whether an expected result states that there is no value: NULL, 0 for a count, or NaN."""
    nan = due.low is not None and due.low != due.low
    return due.text is None or nan or (due.text == "0" and plan.aggregation.name in _COUNTING)


def _agrees(plan: Plan, due: Answer, it: Claim) -> bool:
    return plan.aggregation.agrees(due, it.got, it.number, plan.kind)


def stand(plan: Plan, claims: Sequence[Claim]) -> Standing:
    """Return a window's results: their number, and the one that remains, or the least and the greatest."""
    copies, least, most = len(claims), claims[0], claims[0]
    history: Sequence[Claim] = ()
    between: tuple[Claim, ...] = ()
    unsaid: Claim | None = None
    if plan.retractions:
        net: Counter[Claim] = Counter()
        said: dict[Claim, Claim] = {}  # each once, except versions, which may return to an earlier value
        for claim in sorted(claims, key=lambda one: (one.version or 0, one.back)):
            it = _say_plainly(plan, claim)
            net[it] += -1 if claim.back else 1
            if not claim.back:
                said[it if claim.version is None else claim] = claim
            elif net[it] < 0 and claim.version is not None and unsaid is None:  # not yet emitted
                unsaid = it
        standing = sorted((it for it, n in net.items() if n > 0), key=_rank)
        unsaid = min((it for it, n in net.items() if n < 0), key=_rank, default=unsaid)
        copies = sum(n for n in net.values() if n > 0)
        nothing = Claim(None, None)
        least, most = (standing[0], standing[-1]) if standing else (nothing, nothing)
        history = sorted(said.values(), key=_rank) if len(said) > 1 else ()
    elif plan.versioned:
        versions = {claim.version for claim in claims}
        copies -= len(versions) - 1
        least = most = max(claims, key=_rank)
        history = sorted(claims, key=_rank) if len(versions) > 1 else ()
    elif copies > 1:
        least, most = min(claims, key=_rank), max(claims, key=_rank)
        between = tuple(claim for claim in set(claims) if claim not in (least, most))
    return Standing(copies, least, most, between, unsaid, history)


def _say_plainly(plan: Plan, claim: Claim) -> Claim:
    """Return a claim in normal form, without its version: 5 for 5.0, and one NaN."""
    got = claim.got
    if plan.kind in ("int", "decimal") and got is not None:
        with localcontext(prec=max(28, len(got))), suppress(InvalidOperation):
            got = format(Decimal(got).normalize(), "f")
    return Claim(got, math.nan if claim.number != claim.number else claim.number)


def _rank(claim: Claim) -> tuple[Any, ...]:
    """Return the sort key of a claim: its version, then its answer: null first, NaN last."""
    number = claim.number
    beyond = number is not None and number != number
    return (
        claim.version is not None, claim.version or 0, claim.got is not None, claim.got or "",
        number is not None, beyond, 0.0 if beyond else number or 0.0,
    )  # fmt: skip


def find_faults(plan: Plan, pair: Pair) -> Iterator[dict[str, Any]]:
    """Yield the faults of a pair: none, one, or more if a window has several results and wrong ones."""
    due, there = pair.due, pair.there
    if there is not None and there.unsaid is not None:
        yield pair.make_row("wrong", there.unsaid, role="retraction")
    if there is not None and there.history and due.role is not None:
        yield from _find_wrong_versions(plan, pair, there)
    if there is None or not there.copies:
        if due.role is not None:
            if _is_of_nothing(plan, due.answer) and due.n is not None and plan.empty == "any":
                yield pair.make_row("empty")
            else:
                open_still: dict[str, Any] = {"kind": "undecided", "copies": 0}
                yield pair.make_row(**(open_still if None in due.choices else _explain_missing(plan, pair)))
        return
    least, copies = there.least, there.copies
    if due.role is None:
        empty = copies == 1 and _is_empty(plan, least, a=due.a, b=due.b)
        said = {"kind": "empty"} if empty else _explain_unexpected(plan, pair, least, "extra")
        yield pair.make_row(**said, claim=least, copies=copies)
        return
    if copies == 1 and _is_of_nothing(plan, due.answer) and not due.choices and _is_empty(plan, least):
        if not _agrees(plan, due.answer, least):
            yield pair.make_row("empty", least)
        return
    right = [choice for choice in due.choices if choice is not None] or [due.answer]
    if pair.shown_early:  # the last result may hold the events up to that time, as the job would have continued
        right += [one for one in due.versions if one is not None]
    wrong = next(
        (it for it in (least, there.most, *there.between) if not any(_agrees(plan, one, it) for one in right)), None
    )
    if wrong is not None and plan.aggregation.is_excused(due.answer, wrong.number):
        yield pair.make_row("excused", wrong, copies=copies)
    elif wrong is not None:
        yield pair.make_row(**_explain_unexpected(plan, pair, wrong, "wrong"), claim=wrong, copies=copies)
    elif due.choices:
        yield pair.make_row("undecided", least._replace(number=None), copies=copies)
    if copies > due.copies:
        yield pair.make_row("duplicate", least, copies=copies)
    elif 1 < copies < due.copies:
        yield pair.make_row("missing", least, copies=copies)


def _find_wrong_versions(plan: Plan, pair: Pair, there: Standing) -> Iterator[dict[str, Any]]:
    """Yield the versions before the last that fit no events that had arrived by then, or are out of order.

    If the order is unknown, each must be one of the possible versions.  The last is judged as the final result; if that
    may be an early one, it must be no older than those before it.
    """
    due = [*pair.due.versions, *(pair.due.choices or [pair.due.answer])]
    at = 0
    said = there.history
    ordered = all(claim.version is not None for claim in said)
    stands = _say_plainly(plan, there.least)
    standing = max((i for i, it in enumerate(said) if _say_plainly(plan, it) == stands), default=-1)
    for i, it in enumerate(said):
        fitting = [n for n, one in enumerate(due) if one is not None and _agrees(plan, one, it)]
        found = next((n for n in fitting if not ordered or n >= at), None)
        if ordered and i == standing and not (pair.shown_early and found is None and fitting):
            at = max(fitting, default=at)  # it is judged as the final result
        elif found is None:
            yield pair.make_row("wrong", it, role="version", version=it.version)
        else:
            at = found


def _explain_missing(plan: Plan, pair: Pair) -> dict[str, Any]:
    """Return `missing`; or `late-differing` if another treatment of late events expects no result."""
    for role in plan.roles:
        if pair.find_other(role) is None:
            return {"kind": "late-differing", "role": role, "n_other": 0, "copies": 0}
    return {"kind": "missing", "copies": 0}


def _explain_unexpected(plan: Plan, pair: Pair, it: Claim, kind: FindingKind) -> dict[str, Any]:
    """Return a finding of this kind, or `late-differing` if another treatment of late events explains the claim."""
    for role in plan.roles:
        other = pair.find_other(role)
        if other is not None and _agrees(plan, other.answer, it):
            return {"kind": "late-differing", "role": role, "n_other": other.n}
    return {"kind": kind}
