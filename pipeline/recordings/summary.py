"""The summary of recorded traces: the verdict over all of them, and the export of those that fail."""

import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import quote

from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Tried
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.trace import spell
from swagproof.oracle.verdict import Verdict
from swagproof.oracle.window import Window
from swagproof.pipeline.recordings.judges import Judged
from swagproof.pipeline.recordings.layout import write
from swagproof.pipeline.recordings.reduce import Prefix, explain_trace, reduce_trace
from swagproof.reports.report import Facts, Outcome, Report, Section, Table

LISTED: Final = 1_000
"""The number of non-conforming traces that a report lists."""

EXPORTED: Final = 100
"""The number of failing traces that are exported, the shortest first."""


# Counting verdicts


@dataclass
class Summary:
    """Totals of the verdicts on many traces, and the shortest non-conforming traces."""

    outcomes: Counter[str] = field(default_factory=Counter[str])
    problems: Counter[str] = field(default_factory=Counter[str])
    operations: int = 0
    queries: int = 0
    largest_window: int = 0
    rows: int = 0
    repeated: int = 0
    bad: int = 0
    failing: list[Judged] = field(default_factory=list[Judged])
    """At most `LISTED` of them, after `settle`."""

    @classmethod
    def of(cls, verdicts: Iterable[Judged]) -> Self:
        """Return the summary of these verdicts."""
        summary = cls()
        for judged in verdicts:
            summary.add(judged)
        return summary

    def add(self, judged: Judged) -> None:
        """Count one more trace."""
        if judged.trace is not None:
            self.outcomes[judged.outcome] += 1
        if judged.problem is not None:
            self.problems[judged.problem] += 1
        self.operations += judged.operations
        self.queries += judged.queries
        self.largest_window = max(self.largest_window, judged.largest_window)
        self.rows += judged.rows
        self.repeated += judged.repeated
        self.bad += judged.bad
        if judged.outcome != "conforms":
            self.failing.append(judged)
            if len(self.failing) > 4 * LISTED:
                self.settle()

    def settle(self) -> None:
        """Keep the traces to be listed: violations first, then errors; the shortest first."""
        self.failing.sort(key=lambda row: (WORST.index(row.outcome), row.operations, row.trace or ""))
        del self.failing[LISTED:]

    @property
    def traces(self) -> int:
        """Return the number of traces."""
        return self.outcomes.total()

    @property
    def outcome(self) -> Outcome:
        """The worst outcome; unknown if there are no traces."""
        if self.outcomes["violated"]:
            return "violated"
        if self.outcomes["error"] or self.bad:
            return "error"
        return "unknown" if self.outcomes["unknown"] or not self.outcomes["conforms"] else "conforms"

    def to_json(self) -> dict[str, Any]:
        """Return an object with the counts, and the traces that do not conform."""
        return {
            "traces": self.traces,
            "outcomes": {outcome: self.outcomes[outcome] for outcome in ("conforms", *WORST)},
            "problems": dict(sorted(self.problems.items())),
            "rows": self.rows,
            "repeated": self.repeated,
            "bad": self.bad,
            "failing": [row._asdict() for row in self.failing],
        }


WORST: Final = ("violated", "error", "unknown")
"""The outcomes of a trace besides conforming, the worst first."""


# The report


_SHOWN: Final = 10
_ON_A_PAGE: Final = 100
_WORDS: Final = (("conforms", "conform"), ("violated", "violated"), ("error", "in error"), ("unknown", "unknown"))


def _name(trace: str | None) -> str:
    """Return the name of a trace, on one line."""
    if trace is None:
        return "rows without a trace"
    return trace if trace.isprintable() else spell(trace)


def _describe(row: Judged) -> str:
    place = "" if row.seq is None else f", number {row.seq:,}"
    return f"{row.outcome:<10}{_name(row.trace)}{place}: {row.problem}; {row.detail}"


def report_on(
    summary: Summary,
    prefix: Prefix,
    domain: Domain,
    window: Window,
    files: Sequence[str],
    *,
    started: float,
    engine: str = "one process",
    export: Path | None = None,
    replay: Callable[[str], str] = lambda trace: "",
    quarantined: str | None = None,
) -> Report:
    """Return the report on a summary.

    `prefix` reads the beginning of a failing trace again; `export` is a directory to write failing traces to; `started`
    is `time.monotonic()` at the start; `replay` returns the command that judges one trace again.
    """
    summary.settle()
    coverage = Coverage()
    coverage.monoids[domain.name] = Tried(summary.traces, summary.operations, summary.queries, summary.largest_window)
    verdict, command = Verdict(summary.outcome, _sentence(summary)), None
    worst = summary.failing[0] if summary.failing else None
    exported: list[str] = []
    if worst is not None and worst.outcome == "violated":
        assert worst.trace is not None
        assert worst.seq is not None
        rows = reduce_trace(domain, window, prefix(worst.trace, worst.seq))
        found = explain_trace(domain, window, rows)
        sentence = f"trace {_name(worst.trace)}, number {worst.seq:,}: {found.sentence}"
        verdict, command = Verdict("violated", sentence, found.witness), replay(worst.trace) or None
        if export is not None:
            exported = _export(summary, prefix, domain, window, export)
            own = ["--monoid", domain.name] if ":" in domain.name else []
            command = shlex.join(["swagproof", "replay", exported[0], *own])
    judgement = Judgement(
        verdict,
        ", ".join(files),
        window.name,
        seconds=time.monotonic() - started,
        coverage=coverage,
        replay=command,
        judged=tuple(window.operations),
    )
    base, place = judgement.report(), quarantined if summary.bad else None
    recording = {
        "files": list(files),
        "engine": engine,
        **summary.to_json(),
        "exported": exported,
        "quarantined": place,
    }
    facts = [("exported", f"{len(exported):,} files, such as {exported[0]}")] if exported else []
    if place is not None:
        facts.append(("quarantined", f"{summary.bad:,} rows, in {place}"))
    sections = (*base.sections, *_sections(summary, f"{judgement.seconds:.1f} s, {engine}"), Facts(tuple(facts)))
    return replace(base, data=base.data | {"recording": recording}, sections=sections)


def _sections(summary: Summary, how: str) -> Iterator[Section]:
    """Yield the sections on the traces and on the rows."""
    counts = ", ".join(f"{summary.outcomes[name]:,} {word}" for name, word in _WORDS if summary.outcomes[name])
    facts = [("traces", f"{summary.traces:,}{': ' if counts else ''}{counts}")]
    if summary.problems:
        ranked = sorted(summary.problems.items(), key=lambda item: (-item[1], item[0]))
        facts.append(("problems", ", ".join(f"{count:,} {problem}" for problem, count in ranked)))
    bad = f"{summary.repeated:,} came twice, {summary.bad:,} could not be judged"
    yield Facts((*facts, ("rows", f"{summary.rows:,}; {bad}; {how}")))
    listed = [row for row in summary.failing if row.trace is not None or row.bad][:_SHOWN]
    lines = [f"  {_describe(row)}" for row in listed]
    more = sum(summary.outcomes[name] for name in WORST) - len(listed)
    if more > 0:
        lines.append(f"  and {more:,} more; --json lists up to {LISTED:,}")
    if lines:
        records = (row._asdict() for row in summary.failing[:_ON_A_PAGE])
        yield Table.of_records("traces that do not conform", records, tuple(lines))


def _sentence(summary: Summary) -> str:
    if summary.outcome == "conforms":
        return "every recorded answer is the reference's"
    if not summary.rows:
        return "there is no operation in it"
    row = summary.failing[0]
    if summary.outcome == "unknown":
        return f"{summary.outcomes['unknown']:,} of {summary.traces:,} traces ask no query, such as {_name(row.trace)}"
    return f"{'' if row.trace is None else 'trace '}{_name(row.trace)}: {row.problem}: {row.detail}"


def _export(summary: Summary, prefix: Prefix, domain: Domain, window: Window, folder: Path) -> list[str]:
    """Write the shortest failing traces, each in full and reduced, as recordings."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[str] = []
    for number, row in enumerate([row for row in summary.failing if row.outcome == "violated"][:EXPORTED]):
        assert row.trace is not None
        assert row.seq is not None
        stem = f"{number:03}-{quote(row.trace, safe='')[:80]}"
        full, short = folder / f"{stem}.jsonl", folder / f"{stem}.reduced.jsonl"
        for path, name, rows in (
            (full, row.trace, prefix(row.trace, row.seq)),
            (short, f"{row.trace} reduced", reduce_trace(domain, window, prefix(row.trace, row.seq))),
        ):
            made = path.with_suffix(".part")  # the trace may be read from a file of this name
            with made.open("w", encoding="utf-8") as file:
                write(file, window.name, domain.name, name, rows)
            made.replace(path)
        written += [str(short), str(full)]
    return written
