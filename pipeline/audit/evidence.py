"""The evidence for findings: their causes, and the events of the windows of those that are shown."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from swagproof.models.windows.kinds import Frame, Session, Sliding
from swagproof.models.windows.lateness import grace
from swagproof.pipeline.audit.causes.cause import UNEXPLAINED, Cause, Searched
from swagproof.pipeline.audit.causes.explain import WORK, search_causes
from swagproof.pipeline.audit.causes.gather import gather, name_finding
from swagproof.pipeline.audit.causes.likeness import describe_findings
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample
from swagproof.pipeline.audit.diagnosis import Found, Teller, format_time, is_beyond_rounding, show_value, zone_of
from swagproof.pipeline.audit.findings import FINDING
from swagproof.pipeline.audit.judging import FINDING_KINDS
from swagproof.pipeline.audit.request import Holder, Job
from swagproof.pipeline.batches import Batch, make_batch, names_of

PROOF: Final = 20
"""How many events of a window a proof shows."""

Shown = list[tuple[dict[str, Any], dict[str, Any]]]
"""Findings as they were found, and as they are reported."""


@dataclass(frozen=True)
class Examined:
    """What was looked into: the causes, the findings that are shown, and the cause of each finding that has one."""

    causes: list[dict[str, Any]]
    looked: dict[str, int | str | None]
    """How many findings were looked into for causes, of how many keys; how many there are, and are explained; and what
    was not tried, see `swagproof.pipeline.audit.causes.cause.Searched`."""
    shown: Shown
    cause_of: dict[Name, str]
    common: list[str]
    """What the findings that no cause explains have in common."""


NOTHING: Final = Examined(
    [],
    {"findings": 0, "explained": 0, "keys": 0, "total": 0, "untried": 0, "tried_on": None, "failed": None},
    [],
    {},
    [],
)
"""Where there is no finding, no cause is looked for."""


def examine_findings(held: Holder, job: Job, show: int, *, rows: tuple[int, int], total: int, effort: int) -> Examined:
    """The causes of the findings; and the first of each kind, an example of each cause and the largest error, each with
    how it is told.

    `rows` is how many events and results there are, `total` how many findings; `effort` how many times as much as else
    is looked at to find causes, which are not looked for where it is 0.
    Events and results are asked for once, as the sample that causes are looked for in; the proofs come from there, too.
    """
    sample, wrong = gather(held, job, *rows)

    def show_time(at: int) -> str:
        return format_time(at, job.tick, zone_of(job.window))

    seek = effort > 0
    try:
        searched = search_causes(sample, show_time, effort * WORK) if seek else Searched([])
    except Exception as error:  # the verdict stands; that there is a mistake here is told with it, and fails our tests
        searched = Searched([], failed=f"{type(error).__name__}: {error}")
    causes = searched.causes
    cause_of = {name: cause.name for cause in reversed(causes) for name in cause.explains}
    shown = [(row, _tell(row, sample, cause_of, job)) for row in _choose(wrong, causes, job, show)]
    n = len(sample.findings) if seek else 0
    explained = {name for cause in causes for name in cause.explains}
    alike = describe_findings(sample, sample.findings - explained, show_time) if seek else []
    common = [*([searched.likeliest] if searched.likeliest else ()), *(one.says for one in alike)]
    looked: dict[str, int | str | None] = {
        "findings": n,
        "explained": len(explained),
        "keys": len({name[0] for name in sample.findings}),
    }
    looked |= {"untried": searched.untried, "tried_on": searched.keys, "failed": searched.failed}
    looked["total"] = max(total, n) if sample.cut else n
    if not seek:
        shown = [(row, {**finding, "cause": None}) for row, finding in shown]
    return Examined(_report_causes(causes, shown, job), looked, shown, cause_of, common)


def _choose(wrong: list[dict[str, Any]], causes: list[Cause], job: Job, show: int) -> list[dict[str, Any]]:
    """The findings that are shown."""
    wrong.sort(key=lambda row: (FINDING_KINDS.index(row["kind"]), row["key"], row["a"] or 0, row["b"] or 0))
    count: Counter[str] = Counter()
    examples = {min(cause.explains, key=str) for cause in causes}
    errors = [(off, i) for i, row in enumerate(wrong) if (off := _find_error(row)) is not None]
    largest = max(errors, default=(0.0, -1))[1]
    chosen: list[dict[str, Any]] = []
    for i, row in enumerate(wrong):
        count[row["kind"]] += 1
        if count[row["kind"]] <= show or i == largest or name_finding(row, job.on) in examples:
            chosen.append(row)
    return chosen


def _find_error(row: dict[str, Any]) -> float | None:
    """How far a wrong number is off."""
    try:
        off = abs(float(row["number"] if row["got"] is None else row["got"]) - float(show_value(row["expected"])))
    except (TypeError, ValueError):
        return None
    return off if row["kind"] == "wrong" and off < float("inf") else None


def _tell(row: dict[str, Any], sample: Sample, cause_of: dict[Name, str], job: Job) -> dict[str, Any]:
    """A finding as it is reported, with the events of its window."""
    key = row["key"]
    bounds = _bounds(job, row)
    inside: list[Event] = []
    if bounds is not None:
        t0, a0, t1, a1 = bounds
        inside = [event for event in sample.events.get(key, ()) if (t0, a0) <= event[:2] <= (t1, a1)]
    has_results = row["kind"] != "missing" or any(name[0] == key for name in sample.results)
    one = Found(row, inside, has_results, row["n"] is not None or key in sample.events)
    teller = _teller(job)
    cause = cause_of.get(name_finding(row, job.on)) or _name_by_itself(row, job)
    return _report(job, row, cause, teller.make_proof(one, _make_late_test(job, row), PROOF), teller.tell(one))


def _report_causes(causes: list[Cause], shown: Shown, job: Job) -> list[dict[str, Any]]:
    """The causes as they are reported, each with the sentence of one finding."""
    told: list[dict[str, Any]] = []
    for cause in causes:
        example = next((said for row, said in shown if name_finding(row, job.on) in cause.explains), None)
        told.append(
            {
                "cause": cause.name,
                "why": cause.why,
                "where": cause.where or None,
                "explains": len(cause.explains),
                "seen": cause.contents is not None,
                "also": list(cause.also),
                "say": cause.say or None,
                "example": None if example is None else example["sentence"],
            }
        )
    return told


def _name_by_itself(row: dict[str, Any], job: Job) -> str:
    """The cause of a finding that no cause of several explains, as far as it is to be seen."""
    match row["kind"], row["role"]:
        case "late-differing", "all":
            return "late events counted"
        case "late-differing", _:
            return "late events left out"
        case "duplicate", _ if job.retractions:
            return "not retracted"
        case _, "version":
            return "wrong version"
        case _, "retraction":
            return "never said"
        case _ if is_beyond_rounding(row):
            return "beyond rounding"
        case _:
            return UNEXPLAINED


def _teller(job: Job) -> Teller:
    return Teller(job.window, job.judge.kind, job.tick, job.plan.arrivals, job.retractions)


def _make_late_test(job: Job, row: dict[str, Any]) -> Callable[[Event], bool]:
    def came_late(event: Event) -> bool:
        if job.plan.behind is not None:
            end = event.time + job.plan.behind
        elif isinstance(job.window, Sliding):
            end = row["b"] if row["b"] is not None else row["closes"]
        else:
            end = event.time + grace(job.window)
        return end is not None and bool(end <= event.watermark)

    return came_late


def _bounds(job: Job, row: dict[str, Any]) -> tuple[int, int, int, int] | None:
    """From which time and arrival to which a window's events lie; None where that is not known."""
    least, most = -(2**63), 2**63 - 1
    a: Any = row["a"]
    b: Any = row["b"]
    if row["from_time"] is not None and not isinstance(job.window, Sliding):
        return row["from_time"], row["from_arrival"], row["to_time"], row["to_arrival"]
    if isinstance(job.window, Sliding):
        first, stop = job.window.reach(b - job.window.range if a is None else a)
        return first, least, stop - 1, most
    if row["n"] == 0:  # an empty frame
        return None
    if isinstance(job.window, Frame):
        return a, least if b is None else b, a, most if b is None else b
    if isinstance(job.window, Session) and a is not None and b is not None:
        return a, least, b - 1, most
    return None


def _report(job: Job, row: dict[str, Any], cause: str | None, proof: str | None, sentence: str) -> dict[str, Any]:
    """A finding as it is reported."""
    text, frame = job.judge.kind == "text", isinstance(job.window, Frame)
    got = row["got"] if row["number"] is None else repr(row["number"])
    return {
        "kind": row["kind"],
        "cause": cause,
        "key": row["key"],
        "window_start": None if frame else row["a"],
        "window_end": None if frame else row["b"],
        "row_time": row["a"] if frame else None,
        "row_arrival": row["b"] if frame else None,
        "expected": json.dumps(row["expected"]) if text and row["expected"] is not None else row["expected"],
        "got": json.dumps(got) if text and got is not None else got,
        "expected_low": row["low"],
        "expected_high": row["high"],
        "events": row["n"],
        "proof": proof,
        "sentence": sentence,
    }


def write(held: Holder, examined: Examined, job: Job, out: str) -> None:
    """All findings, with their causes, those that are shown with what was seen there."""
    teller, on = _teller(job), job.on
    known = {_identity(row): finding for row, finding in examined.shown}
    cause_of = examined.cause_of
    names = names_of(FINDING)

    def tell(rows: list[dict[str, Any]]) -> Batch:
        findings = [
            known.get(_identity(row))
            or _report(job, row, cause_of.get(name_finding(row, on)), None, teller.tell(Found(row)))
            for row in rows
        ]
        return make_batch(FINDING, [[finding[name] for name in names] for finding in findings])

    held.write_found(tell, out)


def _identity(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["kind"], row["key"], row["a"], row["b"], row["got"], row["role"]
