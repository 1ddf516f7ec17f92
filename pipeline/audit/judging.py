"""One window: what a job said of it beside what is due, and what is wrong about that.

| kind | when |
|---|---|
| `missing` | a result is due and none is there |
| `extra` | a result is there and none is due |
| `wrong` | the result for a window is another than the one that is due |
| `duplicate` | a window has more results than one (of one version; that stand after retractions) |
| `late-differing` | one of the first three, but right if late events were treated in another way than the policy says |
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, localcontext
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from swagproof.models.windows.kinds import Calendar, Sliding, WindowSpec
from swagproof.pipeline.audit.rules import Aggregation, Answer, Kind

FindingKind: TypeAlias = Literal["missing", "extra", "wrong", "duplicate", "late-differing"]
FINDING_KINDS: Final[tuple[FindingKind, ...]] = ("missing", "extra", "wrong", "duplicate", "late-differing")

OTHERS: Final = ("all", "on-time")


Empty: TypeAlias = Literal["absent", "null", "zero", "any"]
"""A job's result for a window without a value: no row, and NULL where it has events, as in SQL; NULL (or NaN); 0, or
the aggregation's other empty value: 1, the empty text or list; any of these."""

_COUNTING: Final = ("count", "distinct-count", "sql-count")

_ONE: Final = re.compile(r"[+]?0*1(\.0*)?")
_ZERO: Final = re.compile(r"[+-]?0+(\.0*)?([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Judge:
    """All that a worker needs to judge a pair of results."""

    aggregation: Aggregation
    kind: Kind
    sparse: bool
    """True if other roles are given only where they differ from the policy's."""
    roles: tuple[str, ...]
    """The other roles that there are."""
    empty: Empty = "absent"
    window: WindowSpec | None = None
    """For which windows a result of nothing may be."""
    on: tuple[str, ...] = ("a", "b")
    """The columns among a and b that name a window in the results."""
    versioned: bool = False
    """True if the last version of a result is the one that stands."""
    retractions: bool = False
    """True if results take back earlier ones."""

    def is_empty(self, it: "Claim", *, a: Any = None, b: Any = None) -> bool:
        """Return whether a result says, as the job says it, that there is no value; in this window, where it is
        named."""
        if a is not None or b is not None:  # of no window that has events: then of one that there is all the same
            if not isinstance(self.window, Sliding | Calendar) or not self.window.has(a, b):
                return False
        number, got = it.number, it.got
        null = got is None and (number is None or number != number)
        zero = number == 0 or (number is None and got is not None and _ZERO.fullmatch(got) is not None)
        zero = zero or (number is None and got in ("", "[]"))
        if self.aggregation.name == "product":  # which of nothing is 1
            zero = zero or number == 1 or (number is None and got is not None and _ONE.fullmatch(got) is not None)
        return (null and self.empty in ("null", "any")) or (zero and self.empty in ("zero", "any"))

    def is_of_nothing(self, expected: str | None) -> bool:
        """Return whether what is due says that there is no value: NULL, and of what counts values 0."""
        return expected is None or (expected == "0" and self.aggregation.name in _COUNTING)


class Claim(NamedTuple):
    """A result as the job wrote it."""

    got: str | None
    number: float | None
    version: int | None = None
    back: bool = False
    """True if it takes an earlier one back."""


def stand(judge: Judge, claims: Sequence[Claim]) -> dict[str, Any]:
    """Return what is there for a window: how many results, and the one that stands, or the least and the greatest of
    several.

    `history`: where more than one was ever said, all of them, by version where there are versions.
    """
    copies, least, most, history = len(claims), claims[0], claims[0], None
    between: tuple[Claim, ...] = ()
    unsaid: Claim | None = None
    if judge.retractions:
        net: Counter[Claim] = Counter()
        said: dict[Claim, Claim] = {}  # each once, but for versions, which may come back to what was
        for claim in sorted(claims, key=lambda one: (one.version or 0, one.back)):
            it = _say_plainly(judge, claim)
            net[it] += -1 if claim.back else 1
            if not claim.back:
                said[it if claim.version is None else claim] = claim
            elif net[it] < 0 and claim.version is not None and unsaid is None:  # not yet said
                unsaid = it
        standing = sorted((it for it, n in net.items() if n > 0), key=_rank)
        unsaid = min((it for it, n in net.items() if n < 0), key=_rank, default=unsaid)
        copies = sum(n for n in net.values() if n > 0)
        nothing = Claim(None, None)
        least, most = (standing[0], standing[-1]) if standing else (nothing, nothing)
        history = sorted(said.values(), key=_rank) if len(said) > 1 else None
    elif judge.versioned:
        versions = {claim.version for claim in claims}
        copies -= len(versions) - 1
        least = most = max(claims, key=_rank)
        history = sorted(claims, key=_rank) if len(versions) > 1 else None
    elif copies > 1:
        least, most = min(claims, key=_rank), max(claims, key=_rank)
        between = tuple(claim for claim in set(claims) if claim not in (least, most))
    there = {"copies_got": copies, "least": least, "most": most, "between": between}
    return {**there, "unsaid": unsaid, "history": history}


def _say_plainly(judge: Judge, claim: Claim) -> Claim:
    """Return what a claim says, of whichever version: 5 for 5.0, and one NaN."""
    got = claim.got
    if judge.kind in ("int", "decimal") and got is not None:
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


def find_faults(judge: Judge, pair: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what is wrong about a pair: no finding, one, or more where a window has several results and wrong ones."""
    copies: int = pair["copies_got"] or 0
    choices = _read_answers(pair["choices"])
    if pair["unsaid"] is not None:
        yield {**pair, **_result(pair["unsaid"]), "kind": "wrong", "role": "retraction"}
    yield from _find_wrong_versions(judge, pair, choices)
    if not copies:
        if pair["role"] is not None:
            undecided = None in choices
            if judge.is_of_nothing(pair["expected"]) and pair["n"] is not None and judge.empty == "any":
                yield {**pair, "got": None, "number": None, "kind": "empty", "role": None}
            else:
                yield {**pair, "got": None, **(_undecided(0) if undecided else _explain_missing(judge, pair))}
        return
    least: Claim = pair["least"]
    most: Claim = pair["most"]
    told = {**pair, **_result(least), "copies": copies}
    if pair["role"] is None:
        empty = copies == 1 and judge.is_empty(least, a=pair["a"], b=pair["b"])
        yield {**told, "kind": "empty"} if empty else {**told, **_explain_unexpected(judge, pair, least, "extra")}
        return
    if copies == 1 and judge.is_of_nothing(pair["expected"]) and not choices and judge.is_empty(least):
        if not _agrees(judge, _due(pair, ""), least):
            yield {**told, "kind": "empty", "role": None}
        return
    right = [choice for choice in choices if choice is not None] or [_due(pair, "")]
    if pair["shown_early"]:  # what stands is what had come by then, and the job would have gone on
        right += [one for one in _read_answers(pair["versions"]) if one is not None]
    wrong = next(
        (it for it in (least, most, *pair["between"]) if not any(_agrees(judge, due, it) for due in right)), None
    )
    if wrong is not None and judge.aggregation.is_excused(_due(pair, ""), wrong.number):
        yield {**told, **_result(wrong), "kind": "excused", "role": None}
    elif wrong is not None:
        yield {**told, **_result(wrong), **_explain_unexpected(judge, pair, wrong, "wrong")}
    elif choices:
        yield {**told, **_undecided(copies)}
    allowed: int = pair["copies"]
    if copies > allowed:
        yield {**told, "kind": "duplicate", "role": None}
    elif 1 < copies < allowed:
        yield {**told, "kind": "missing", "role": None}


def _find_wrong_versions(judge: Judge, pair: dict[str, Any], choices: list[Answer | None]) -> Iterator[dict[str, Any]]:
    """Versions before the last that no events which had come by then give, those that they give in another order too.

    Where nothing tells their order, each has to be one of those that may come.  The last is judged as the result that
    stands; where that may be an early one, it is older than none before it.
    """
    if pair["history"] is None or pair["role"] is None:
        return
    due = [*_read_answers(pair["versions"]), *(choices or [_due(pair, "")])]
    at = 0
    said: list[Claim] = pair["history"]
    ordered = all(claim.version is not None for claim in said)
    stands = _say_plainly(judge, pair["least"])
    standing = max((i for i, it in enumerate(said) if _say_plainly(judge, it) == stands), default=-1)
    for i, it in enumerate(said):
        fitting = [n for n, one in enumerate(due) if one is not None and _agrees(judge, one, it)]
        found = next((n for n in fitting if not ordered or n >= at), None)
        if ordered and i == standing and not (pair["shown_early"] and found is None and fitting):
            at = max(fitting, default=at)  # it is judged as what stands
        elif found is None:
            yield {**pair, **_result(it), "kind": "wrong", "role": "version", "version": it.version}
        else:
            at = found


def _undecided(copies: int) -> dict[str, Any]:
    return {"kind": "undecided", "role": None, "number": None, "copies": copies}


def _read_answers(text: str | None) -> list[Answer | None]:
    return [] if text is None else [None if one is None else Answer(*one) for one in json.loads(text)]


def _result(it: Claim) -> dict[str, Any]:
    return {"got": it.got, "number": it.number}


def _due(pair: dict[str, Any], suffix: str) -> Answer:
    slack = pair.get("slack") if not suffix else None
    return Answer(pair[f"expected{suffix}"], pair[f"low{suffix}"], pair[f"high{suffix}"], slack or 0.0)


def _agrees(judge: Judge, due: Answer, it: Claim) -> bool:
    return judge.aggregation.agrees(due, it.got, it.number, judge.kind)


def _explain_missing(judge: Judge, pair: dict[str, Any]) -> dict[str, Any]:
    """Missing; or nothing would be due if late events were treated in another way."""
    for i, role in enumerate(OTHERS):
        if role in judge.roles:
            there = pair[f"there{i}"]
            absent = there and pair[f"n{i}"] is None if judge.sparse else not there
            if absent:
                return {"kind": "late-differing", "role": role, "n_other": 0, "number": None, "copies": 0}
    return {"kind": "missing", "role": None, "number": None, "copies": 0}


def _explain_unexpected(judge: Judge, pair: dict[str, Any], it: Claim, kind: FindingKind) -> dict[str, Any]:
    """Return a finding of this kind, or `late-differing` if another treatment of late events explains the claim."""
    for i, role in enumerate(OTHERS):
        if pair[f"there{i}"] and pair[f"n{i}"] is not None and _agrees(judge, _due(pair, str(i)), it):
            return {"kind": "late-differing", "role": role, "n_other": pair[f"n{i}"]}
    return {"kind": kind, "role": None}


def is_sparse(window: WindowSpec) -> bool:
    """Return whether other roles than the policy's are given only where they differ (see `audit.due.expected`)."""
    return isinstance(window, Sliding | Calendar)
