"""The evidence for findings: their diagnoses, and the events in the windows of the shown findings."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from swagproof.models.windows.kinds import Frame, Session, Sliding
from swagproof.models.windows.lateness import grace
from swagproof.pipeline.audit.audit_job import Job
from swagproof.pipeline.audit.backends.holder import Holder
from swagproof.pipeline.audit.diagnosis.diagnose import UNEXPLAINED, diagnose
from swagproof.pipeline.audit.diagnosis.gather import gather, name_finding
from swagproof.pipeline.audit.diagnosis.sample import Event, Sample
from swagproof.pipeline.audit.diagnosis.search import Diagnosis, Found
from swagproof.pipeline.audit.findings import FINDING, Examined, Shown
from swagproof.pipeline.audit.judging import FINDING_KINDS
from swagproof.pipeline.audit.wording import Finding, Teller, find_error, is_beyond_rounding
from swagproof.pipeline.batches import Batch, make_batch, names_of

PROOF: Final = 20
"""The number of a window's events that a proof shows."""


def examine_findings(held: Holder, job: Job, show: int, *, rows: int, total: int, seek: bool) -> Examined:
    """Diagnose the findings; choose the first of each kind, an example of each diagnosis and the largest error.

    `rows` is the number of events, `total` that of findings.  Events and results are read once, for the diagnosis and
    for the proofs.
    """
    sample, wrong = gather(held, job, rows, columns=seek)
    found, failed = _diagnose(sample) if seek else (Found([]), None)
    cause_of = {name: one.name for one in reversed(found.diagnoses) for name in one.explains}
    shown = [(row, _tell(row, sample, cause_of, job)) for row in _choose(wrong, found.diagnoses, job, show)]
    n = len(sample.examined) if seek and not found.meant else 0
    diagnosed: dict[str, int | str | None] = {
        "findings": n,
        "explained": len(cause_of),
        "keys": len({name[0] for name in sample.examined}),
        "total": max(total, n) if not sample.whole or sample.until is not None else n,
        "untried": found.untried,
        "failed": failed,
    }
    if not n:
        shown = [(row, {**finding, "cause": None}) for row, finding in shown]
    return Examined(_report_causes(found.diagnoses, shown, job), found.hints, diagnosed, shown, cause_of, found.facts)


def _diagnose(sample: Sample) -> tuple[Found, str | None]:
    """Return the diagnosis, or the error in it, which the report names; the verdict does not depend on it."""
    try:
        return diagnose(sample), None
    except Exception as error:
        return Found([]), f"{type(error).__name__}: {error}"


def _choose(wrong: list[dict[str, Any]], causes: Sequence[Diagnosis], job: Job, show: int) -> list[dict[str, Any]]:
    """Return the findings to show."""
    wrong.sort(key=lambda row: (FINDING_KINDS.index(row["kind"]), row["key"], row["a"] or 0, row["b"] or 0))
    count: Counter[str] = Counter()
    examples = {min(cause.explains, key=str) for cause in causes}
    errors = [
        (off, i)
        for i, row in enumerate(wrong)
        if row["kind"] == "wrong"
        and (off := find_error(row["number"] if row["got"] is None else row["got"], row["expected"])) is not None
    ]
    largest = max(errors, default=(0.0, -1))[1]
    chosen: list[dict[str, Any]] = []
    for i, row in enumerate(wrong):
        count[row["kind"]] += 1
        if count[row["kind"]] <= show or i == largest or name_finding(row, job.plan.on) in examples:
            chosen.append(row)
    return chosen


def _tell(row: dict[str, Any], sample: Sample, cause_of: dict[Any, str], job: Job) -> dict[str, Any]:
    """Return a reported finding, with the events of its window."""
    key = row["key"]
    bounds = _bounds(job, row)
    inside: list[Event] = []
    if bounds is not None:
        t0, a0, t1, a1 = bounds
        inside = [event for event in sample.events.get(key, ()) if (t0, a0) <= event[:2] <= (t1, a1)]
    has_results = row["kind"] != "missing" or any(name[0] == key for name in sample.results)
    one = Finding(row, inside, has_results, row["n"] is not None or key in sample.events)
    teller = _teller(job)
    name = name_finding(row, job.plan.on)
    cause: str | None = cause_of.get(name) or _name_by_itself(
        row, job, has_events=key in sample.events, has_results=has_results
    )
    if cause == UNEXPLAINED and name not in sample.examined:
        cause = None  # not all of its events were read
    return _report(job, row, cause, teller.make_proof(one, _make_late_test(job, row), PROOF), teller.tell(one))


def _report_causes(causes: Sequence[Diagnosis], shown: Shown, job: Job) -> list[dict[str, Any]]:
    """Return the reported diagnoses, each with the sentence of one finding."""
    reported: list[dict[str, Any]] = []
    for one in causes:
        example = next((said for row, said in shown if name_finding(row, job.plan.on) in one.explains), None)
        reported.append(
            {
                "cause": one.name,
                "why": one.clause,
                "where": one.where or None,
                "explains": len(one.explains),
                "also": list(one.also),
                "options": one.option or None,
                "example": None if example is None else example["sentence"],
            }
        )
    return reported


def _name_by_itself(row: dict[str, Any], job: Job, *, has_events: bool, has_results: bool) -> str:
    """Name a finding that no diagnosis explains, by its kind."""
    match row["kind"], row["role"]:
        case "late-differing", "all":
            return "late events counted"
        case "late-differing", _:
            return "late events left out"
        case "duplicate", _ if job.plan.retractions:
            return "not retracted"
        case _, "version":
            return "wrong version"
        case _, "retraction":
            return "never said"
        case "duplicate", _:
            return "repeated"
        case "missing", _ if not has_results:
            return "key lost"
        case "extra", _ if not has_events:
            return "unknown key"
        case "wrong", _ if row["got"] is None and row["number"] is None and row["expected"] is not None:
            return "null"
        case _ if is_beyond_rounding(row):
            return "beyond rounding"
        case _:
            return UNEXPLAINED


def _teller(job: Job) -> Teller:
    return Teller(job.window, job.plan.kind, job.tick, job.plan.arrivals, job.plan.retractions)


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
    """Return the first and last (time, arrival) of a window's events; None if unknown."""
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
    """Return a finding in the form of the report."""
    text, frame = job.plan.kind == "text", isinstance(job.window, Frame)
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


def make_table(examined: Examined, job: Job) -> Callable[[list[dict[str, Any]]], Batch]:
    """Return a function that makes rows of the report from findings, each with its diagnosis."""
    teller, on = _teller(job), job.plan.on
    known = {_identity(row): finding for row, finding in examined.shown}
    cause_of = examined.cause_of
    names = names_of(FINDING)

    def tell(rows: list[dict[str, Any]]) -> Batch:
        findings = [
            known.get(_identity(row))
            or _report(job, row, cause_of.get(name_finding(row, on)), None, teller.tell(Finding(row)))
            for row in rows
        ]
        return make_batch(FINDING, [[finding[name] for name in names] for finding in findings])

    return tell


def _identity(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["kind"], row["key"], row["a"], row["b"], row["got"], row["role"]
