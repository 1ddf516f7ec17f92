"""The audit: a job's windowed results, compared with those that the reference expects from its events.

The steps are a straight line: `audit_job` reads the options and the tables' columns; `backends` brings both tables
together by key, in this process or on Spark; `expected` computes the expected results; `compare` pairs them with the
actual ones, and `judging` finds the faults; `evidence` adds events and diagnoses; `findings` is the report.

A verdict relies on the windows' definitions in `swagproof.models.windows`, with which the tests compare the audit; the
proved Two-Stacks Lite; the slices of Pairs; the rules of `audit.rules`; and a sort.
"""

import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.audit_job import Job, read_request
from swagproof.pipeline.audit.backends.holder import Holder
from swagproof.pipeline.audit.expected.scope import KeySample
from swagproof.pipeline.audit.findings import NOTHING, Findings, is_beyond_bad_rows
from swagproof.pipeline.audit.judging import FINDING_KINDS
from swagproof.pipeline.audit.options import Request
from swagproof.pipeline.audit.wording import zone_of


def audit(
    held: Holder,
    request: Request,
    *,
    out: str | None = None,
    quarantine: str | None = None,
    tell: Callable[[str], None] = lambda _phase: None,
    engine: str = "one process",
    keep: bool = False,
) -> Findings:
    """Compare results with the expected ones.

    `tell` is called with the name of each phase; `engine` names the engine in the report; with `keep`, all findings are
    available as a table.  `out` and `quarantine` are directories to create: for the findings as Parquet, with the
    columns of `audit.findings`, and for the unusable rows as JSON lines.  Raises InputError for input that does not fit
    the request.
    """
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # the product of many integers exceeds Python's default limit
    try:
        with closing(held):
            return _audit(held, request, out, quarantine, tell, engine, keep=keep)
    finally:
        sys.set_int_max_str_digits(digits)


def _audit(
    held: Holder,
    request: Request,
    out: str | None,
    quarantine: str | None,
    tell: Callable[[str], None],
    engine: str,
    *,
    keep: bool,
) -> Findings:
    started = time.monotonic()
    tell("reading")
    job = read_request(request, held.read_schema)
    if request.sample_keys is not None:
        job = replace(job, sample=KeySample.draw(held.list_keys(job), request.sample_keys, request.seed))
    tell("comparing")
    compared = held.compare(job)
    if compared.counts["tied"]:
        _refuse_tie(held.found("tied").take(1).to_pylist()[0])
    tell("looking into what was found")
    counts: dict[str, int] = {kind: compared.counts[kind] for kind in FINDING_KINDS}
    events, results = compared.events, compared.results
    bad = events.bad + compared.counts["bad"]
    examined, total = NOTHING, sum(counts.values())
    if total:
        from swagproof.pipeline.audit.evidence import examine_findings  # imports the tables, so only for findings

        in_full = job.sample is None and job.plan.span is None  # otherwise only the keys with findings are examined
        seek = request.diagnosis and is_beyond_bad_rows(counts, bad, results.bad)
        rows = events.rows if in_full else sys.maxsize
        examined = examine_findings(held, job, request.show, rows=rows, total=total, seek=seek)
    bad_rows = held.bad(job).take(5).to_pylist() if bad + results.bad else []
    if quarantine is not None:
        held.bad(job).write(quarantine, "json")
    take_table: Callable[[], Any] | None = None
    if out is not None or (keep and total):
        from swagproof.pipeline.audit.evidence import make_table

        told = held.told(make_table(examined, job))
        if out is not None:
            tell("writing the findings")
            told.write(out, "parquet")
        take_table = told.keep() if keep else None
    open_ = {kind: compared.counts[kind] for kind in ("open", "undecided", "empty", "excused")}
    return Findings(
        window=request.window,
        aggregate=request.aggregate,
        policy=job.policy.to_json(),
        tick=job.tick,
        events={"files": str(request.events), **events._asdict(), "bad": bad, "late": compared.late},
        results={
            "files": str(request.results),
            "rows": results.rows,
            "bad": results.bad,
            "expected": compared.due,
            **open_,
            "farthest": compared.farthest,
            "columnwise": compared.columnwise,
        },
        counts=counts,
        causes=examined.causes,
        hints=examined.hints,
        common=examined.common,
        diagnosed=examined.diagnosed,
        findings=[finding for _, finding in examined.shown],
        bad_rows=bad_rows,
        seconds=round(time.monotonic() - started, 3),
        written={"out": out, "quarantine": quarantine},
        allow_bad=request.allow_bad_rows,
        allow_undecided=request.allow_undecided,
        summation=job.aggregation.summation,
        rounding=request.rounding,
        single=job.narrowed,
        engine=engine,
        zone=zone_of(job.window),
        remarks=job.notes,
        scope=_name_scope(request, job),
        show=request.show,
        take_table=take_table,
    )


def _name_scope(request: Request, job: Job) -> tuple[str, ...]:
    """Name the windows and keys that were judged, if these are not all."""
    said: list[str] = []
    if job.plan.span is not None:
        ends = [f"{word} {text}" for word, text in (("after", request.from_), ("by", request.to)) if text is not None]
        said.append(f"only windows that end {' and '.join(ends)}")
    if job.sample is not None:
        said.append(f"only {job.sample.keys:,} of {job.sample.total:,} keys, by seed {job.sample.seed}")
    return tuple(said)


def _refuse_tie(row: dict[str, Any]) -> None:
    """Raise InputError: tied events have no right answer if their order matters."""
    raise InputError(
        f"--arrival: of key {row['key']} several events have time {row['a']} and arrival number {row['b']}; "
        "their order matters here: give each its own arrival number"
    )
