"""Audit: windowed results that somebody's job made of some events, compared with what the reference says.

`audit` has both tables read (`audit.asked`, `audit.converting`), finds when events were late (`audit.policy`), lets
the reference compute the results that are due, key by key (`audit.due.expected`), beside those that are there
(`audit.compare`), and reports what is wrong, with the events (`audit.evidence`), a sentence (`audit.wording`) and a
diagnosis (`audit.diagnosis`, imported only where something is wrong).

Whoever holds the tables, one process (`audit.held.local`) or Spark (`audit.held.cluster`), hands the rows over in
Arrow's form, and few of what is found: what is right is decided by the same functions.

What a verdict rests on: the windows' definitions in `swagproof.models.windows`, which the tests hold the audit against;
the proved Two-Stacks Lite; the slices of Pairs; the rules of `audit.rules`; and a sort.
"""

import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.asked.audit_job import Job, read_request
from swagproof.pipeline.audit.asked.holder import Holder
from swagproof.pipeline.audit.asked.request import Request
from swagproof.pipeline.audit.due.scope import KeySample
from swagproof.pipeline.audit.findings import NOTHING, Findings, is_beyond_bad_rows
from swagproof.pipeline.audit.judging import FINDING_KINDS
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
    """Compare results with what is due.  `tell` hears which phase is under way; `engine` is who judges, for the report;
    with `keep` all findings can be had as a table.

    `out` and `quarantine` are directories to be made: the findings as Parquet, with the columns of `audit.report`, and
    the rows that could not be used as JSON lines.  Raises InputError for input that cannot be used as the request says.
    """
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # a product of many integers has more than Python writes unasked
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
    final = held.mark(job)
    tell("comparing")
    compared = held.compare(job, *_find_end(job, final))
    counts = compared.counts
    _refuse_ties(held, counts)
    about, there = held.count()
    tell("looking into what was found")
    total = sum(counts.get(kind, 0) for kind in FINDING_KINDS)
    bad = about.bad + counts.get("bad", 0)
    seek = is_beyond_bad_rows({kind: counts.get(kind, 0) for kind in FINDING_KINDS}, bad, there.bad)
    examined = NOTHING
    in_full = job.sample is None and job.plan.span is None  # else only the keys with findings are examined
    if total:
        from swagproof.pipeline.audit.evidence import examine_findings  # not where all is right: it imports the tables

        examined = examine_findings(
            held,
            job,
            request.show,
            rows=about.rows if in_full else sys.maxsize,
            total=total,
            seek=request.diagnosis and seek,
        )
    bad_rows: list[dict[str, Any]] = held.take_bad(job, 5) if bad + there.bad else []
    if quarantine is not None:
        held.write_bad(job, quarantine)
    take_table: Callable[[], Any] | None = None
    if out is not None or (keep and total):
        from swagproof.pipeline.audit.evidence import make_table

        say = make_table(examined, job)
        if out is not None:
            tell("writing the findings")
            held.write_found(say, out)
        take_table = held.keep_found(say) if keep else None
    return Findings(
        window=request.window,
        aggregate=request.aggregate,
        policy=job.policy.to_json(),
        tick=job.tick,
        events={
            "files": str(request.events),
            "rows": about.rows,
            "bad": bad,
            "skipped": about.skipped,
            "late": compared.late,
        },
        results={
            "files": str(request.results),
            "rows": there.rows,
            "bad": there.bad,
            "expected": compared.due,
            "open": counts.get("open", 0),
            "undecided": counts.get("undecided", 0),
            "empty": counts.get("empty", 0),
            "excused": counts.get("excused", 0),
            "farthest": compared.farthest,
            "columnwise": compared.columnwise,
        },
        counts={kind: counts.get(kind, 0) for kind in FINDING_KINDS},
        causes=examined.causes,
        hints=examined.hints,
        common=examined.common,
        diagnosed=examined.diagnosed,
        findings=[finding for _, finding in examined.shown],
        bad_rows=bad_rows,
        seconds=time.monotonic() - started,
        written={"out": out, "quarantine": quarantine},
        allow_bad=request.allow_bad_rows,
        allow_undecided=request.allow_undecided,
        summation=request.summation,
        rounding=request.rounding,
        single=job.narrowed,
        engine=engine,
        zone=zone_of(job.window),
        notes=job.notes,
        scope=_name_scope(request, job),
        show=request.show,
        take_table=take_table,
    )


def _name_scope(request: Request, job: Job) -> tuple[str, ...]:
    """Name the windows and keys that were judged, where these are not all."""
    said: list[str] = []
    if job.plan.span is not None:
        ends = [f"{word} {text}" for word, text in (("after", request.from_), ("by", request.to)) if text is not None]
        said.append(f"only windows that end {' and '.join(ends)}")
    if job.sample is not None:
        said.append(f"only {job.sample.keys:,} of {job.sample.total:,} keys, by seed {job.sample.seed}")
    return tuple(said)


def _find_end(job: Job, final: int | None) -> tuple[int | None, int | None]:
    """Return the final watermark, beyond which windows are open; or the delay of each key's own watermark."""
    policy, rule = job.policy, job.policy.watermark
    if not policy.has_watermark or policy.complete:
        return None, None
    return (None, rule.delay) if policy.per_key and rule is not None else (final, None)


def _refuse_ties(held: Holder, counts: dict[str, int]) -> None:
    """Events that nothing tells apart have no right answer where their order matters."""
    if counts.get("tied"):
        row = held.find("tied")
        raise InputError(
            f"--arrival: of key {row['key']} several events have time {row['a']} and arrival number {row['b']}; "
            "their order matters here: give each an arrival number of its own"
        )
