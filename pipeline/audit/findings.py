"""The findings of an audit: the verdict, its JSON and its report, and the columns of the findings in Parquet.

The JSON object:

| field | what |
|---|---|
| `format`, `version` | `"swagproof-audit"`, 1 |
| `outcome` | `conforms`, `violated` or `unknown`; the exit code is 0, 1 or 3 |
| `sentence` | the verdict in English |
| `window`, `aggregate`, `rounding` | as given; otherwise null |
| `single` | whether expected results are rounded to 32 bits, as the results are |
| `policy` | `late`, `late_by`, `watermark` (in ticks, or `column`, `progress` if given), `lag`, `idle` (in \
steps of its clock), `lateness` (in ticks), `watermark_of`, `engine`, `complete` |
| `tick` | the unit of times: `us` or `ns` since the epoch, or null for plain numbers |
| `events` | `files`, `rows`, `bad`, `skipped` (without a value), `late` |
| `results` | `files`, `rows`, `bad`, `expected` (how many are expected), `open` (not required yet), \
`undecided` (several answers are right because the watermark is uncertain, and the result is one of them), `empty` \
(they state that there is no value, as the request allows), `excused` (by the summation), `farthest` (its largest \
error beyond rounding), `columnwise` (how many were only compared column by column, without the reference) |
| `counts` | how many findings of each kind |
| `hints` | other values of the options with which the job is right, and events without which a result is right |
| `causes` | the diagnoses, the one that explains most first: `cause` (its name), `why` (what the job did), `where` \
(the region; null for all data), `explains` (how many findings), `also` (diagnoses that the results fit as \
well), `options` (the options under which all results would be right; null if there are none), `example` |
| `common` | checked facts that the unexplained findings share, in sentences; not a diagnosis |
| `diagnosed` | how many `findings` of how many `keys` were diagnosed, of `total`; how many are `explained`; how many \
hypotheses were `untried` because of the work limit; `failed`: the error that ended the diagnosis, or null |
| `findings` | the first of each kind, one of each diagnosis, the largest error, with the fields of the table below |
| `scope` | which windows and keys were judged, in words; empty for all |
| `notes` | the options that an engine's profile set, and inferred types that may be wrong, in sentences |
| `bad_rows` | the first unusable rows: `table`, `reason`, `file`, `row` |
| `engine` | the engine: `one process`, or where Spark ran |
| `seconds` | how long it took |
| `written` | where the findings and the bad rows were written, or null |

A finding, there and in Parquet:

| column | type | what |
|---|---|---|
| `kind` | string | `missing`, `extra`, `wrong`, `duplicate`, `late-differing` |
| `cause` | string | the name of a diagnosis, or `unexplained`; null without a diagnosis |
| `key` | string | the JSON list of the key's columns as text |
| `window_start`, `window_end` | bigint | in ticks; for counts the numbers of the first and last event |
| `row_time`, `row_arrival` | bigint | the row that a frame belongs to; else null |
| `expected`, `got` | string | JSON; null for no result, and for the result null |
| `expected_low`, `expected_high` | double | the floats that are right |
| `events` | bigint | how many events are in the window; null if there is no such window |
| `proof` | string | JSON: `n`, and the first `events`, each with `arrival`, `time`, `value`, and `late` if it is |
| `sentence` | string | the fault, in English |
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field, fields
from itertools import groupby
from shlex import quote
from typing import Any, Final, Literal

from swagproof.pipeline.audit.options import SHOW
from swagproof.pipeline.audit.tables import Tick
from swagproof.pipeline.audit.wording import count_of, find_error, format_time, show_span, show_value
from swagproof.reports.delivery import finite
from swagproof.reports.report import Facts, Outcome, Report, Section, Table

FINDING: Final = (
    "kind string, cause string, key string, window_start bigint, window_end bigint, row_time bigint, "
    "row_arrival bigint, expected string, got string, expected_low double, expected_high double, events bigint, "
    "proof string, sentence string"
)
"""The columns of the findings."""

_SECOND: Final = 8
"""The verdict names a second diagnosis that explains at least one in this many findings."""
_LEAST: Final = 2
"""The least number of findings that a second diagnosis in the verdict explains."""
_CAUSES: Final = 5
"""The number of diagnoses that text shows."""
_EVENTS: Final = 8
"""The number of events per finding in the tables of the other formats."""

Shown = list[tuple[dict[str, Any], dict[str, Any]]]
"""Findings as rows of the comparison, and in the form of the report."""


@dataclass(frozen=True)
class Examined:
    """The examined findings: the diagnoses, the findings to show, and the diagnosis of each."""

    causes: list[dict[str, Any]]
    hints: list[str]
    diagnosed: dict[str, int | str | None]
    """The counts of the report's field `diagnosed`."""
    shown: Shown
    cause_of: dict[tuple[str, int | None, int | None], str]
    common: list[str]
    """Facts that the unexplained findings share."""


NOTHING: Final = Examined(
    [], [], {"findings": 0, "explained": 0, "keys": 0, "total": 0, "untried": 0, "failed": None}, [], {}, []
)
"""The result without findings."""


_OF_VERSIONS: Final = frozenset(("wrong", "late-differing"))
"""The kinds of findings that each version of a window's result may have separately."""


@dataclass(frozen=True)
class Findings:
    """The findings of an audit, and the facts behind them: the JSON object's fields, and others for the text."""

    window: str
    aggregate: str
    policy: dict[str, Any]
    tick: Tick
    events: dict[str, Any]
    results: dict[str, Any]
    counts: dict[str, int]
    findings: list[dict[str, Any]]
    rounding: str | None = None
    single: bool = False
    hints: list[str] = field(default_factory=list[str])
    causes: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    common: list[str] = field(default_factory=list[str])
    diagnosed: dict[str, Any] = field(default_factory=dict[str, Any])
    bad_rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    scope: tuple[str, ...] = ()
    engine: str = "one process"
    seconds: float = 0.0
    written: dict[str, str | None] = field(default_factory=dict[str, str | None])
    _: KW_ONLY
    allow_bad: bool = False
    allow_undecided: bool = False
    summation: str | None = None
    zone: str | None = None
    """The time zone of times in text."""
    remarks: tuple[tuple[str, str], ...] = ()
    """The notes, each with a label."""
    show: int = SHOW
    """The number of findings of each kind that text shows, and of events of each."""
    take_table: Callable[[], Any] | None = field(default=None, compare=False, repr=False)
    """All findings as an Arrow table, if they were kept."""

    @property
    def outcome(self) -> Outcome:
        """violated if there is a finding; unknown if nothing was compared, or not all rows could be used.

        A bad event may be why a result is wrong, and a bad result why one is missing: unless bad rows are allowed, only
        findings that they do not explain are violations.
        """
        bad = 0 if self.allow_bad else self.events["bad"] + self.results["bad"]
        if is_beyond_bad_rows(self.counts, *(0 if self.allow_bad else of["bad"] for of in (self.events, self.results))):
            return "violated"
        compared = self.results["expected"] - self.results["open"]
        undecided = 0 if self.allow_undecided else self.results["undecided"]
        return "unknown" if compared <= 0 or bad or undecided else "conforms"

    @property
    def sentence(self) -> str:
        """The verdict in English, and the windows and keys that were judged, if these are not all."""
        return "; ".join((self._tell_verdict(), *self.scope))

    def _tell_verdict(self) -> str:
        due, open_, undecided = self.results["expected"], self.results["open"], self.results["undecided"]
        bad = self.events["bad"] + self.results["bad"]
        if (name := self._find_all_bad()) is not None:
            n = (self.events if name == "events" else self.results)["bad"]
            return f"{_count_all_bad(name, n)}, and nothing was compared{self._say_why_bad(name)}"
        if any(self.counts.values()):
            hint = f"hint: {self._leading}; " if self._leading else ""
            said = f"{hint}{self._count_findings(due - open_)}{self._explain()}{self._allowances()}"
            return said + (f"; {_count_bad(bad)} left out, which may be why{self._say_why_bad()}" if bad else "")
        if due - open_ <= 0:
            left_out = f"; {_count_bad(bad)} left out, which may be why{self._say_why_bad()}" if bad else ""
            return f"no results expected: nothing was compared{left_out}"
        said = _say_all_right(due - open_ - undecided)
        return said + self._allowances() + (f"; but {_count_bad(bad)} left out{self._say_why_bad()}" if bad else "")

    @property
    def _leading(self) -> str | None:
        """Return the hint about options with which the verdict begins."""
        return next((hint for hint in self.hints if "--" in hint), None)

    def _find_all_bad(self) -> Literal["events", "results"] | None:
        """Return the table whose rows are all bad, so that nothing can be said about the other one."""
        tables: tuple[Literal["events", "results"], ...] = ("events", "results")
        for name in tables:
            of = self.events if name == "events" else self.results
            if of["bad"] and of["bad"] == of["rows"] and self.outcome != "violated":
                return name
        return None

    def _count_findings(self, expected: int) -> str:
        """Count the findings of each kind; each version of a window's result may be wrong."""
        n, total = (self.diagnosed.get(name, 0) for name in ("findings", "total"))
        windows = 0 < n == total < sum(self.counts.values())
        if not windows and self.counts.get("wrong", 0) <= expected:
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in self.counts.items() if n)
            return f"{count_of(expected, 'result')} expected: {kinds}"
        said = (f"{n:,} {kind}{' result versions' * (kind in _OF_VERSIONS)}" for kind, n in self.counts.items() if n)
        return f"{count_of(expected, 'window')} expected: {', '.join(said)}"

    def _say_why_bad(self, table: str | None = None) -> str:
        """Return the reason why the first bad row, of one table or of both, could not be used."""
        rows = [row for row in self.bad_rows if table in (None, row["table"])]
        named = f", such as {rows[0]['table']}: " if rows and table is None else ": "
        return f"{named}{rows[0]['reason']}" if rows else ""

    def _allowances(self) -> str:
        """Return the exceptions that the request or the engine allows."""
        said = (
            "" if self.rounding is None else f"; results are compared as rounded by --rounding {quote(self.rounding)}"
        )
        if self.single:
            said += "; results are 32-bit floats: expected results were rounded to 32 bits"
        if empty := self.results["empty"]:
            said += f"; {count_of(empty, 'result')} without a value accepted by --empty"
        if excused := self.results["excused"]:
            off = f"off by at most {self.results['farthest']:.3g} beyond rounding"
            said += f"; {count_of(excused, 'result')} accepted only by --summation {self.summation}, {off}"
        if undecided := self.results["undecided"]:
            of = count_of(undecided, "result")
            said += f"; for {of} the watermark does not decide which events were late: either answer is accepted"
        return said

    def _explain(self) -> str:
        """Return how much the first diagnosis explains; the unexplained part comes first if it is larger."""
        n, total = (self.diagnosed.get(name, 0) for name in ("findings", "total"))
        if not n:
            return ""
        among = count_of(n, "finding")
        if n == total < sum(self.counts.values()):  # one finding per window, for all its versions
            among = f"the {count_of(n, 'affected window')}"
        if n < total:
            among = f"the {count_of(n, 'finding')} examined (in {count_of(self.diagnosed['keys'], 'key')})"
        alike = f": {self.common[0]}" if self.common else ""
        if not self.causes:
            return "" if self.hints else f"; no diagnosis found for {among}{alike}"
        first, *others = self.causes
        if 2 * self.diagnosed["explained"] >= n:
            more = (
                f"; another one explains {it['explains']:,}: {_say_cause(it)}"
                for it in others[:1]
                if it["explains"] >= (_LEAST if len(others) == 1 else max(_LEAST, n / _SECOND))
            )
            return f"; one diagnosis explains {first['explains']:,} of {among}: {_say_cause(first)}{''.join(more)}"
        left = f"; most of {among} are unexplained{alike}"
        return f"{left}; one diagnosis explains {first['explains']:,} of them: {_say_cause(first)}"

    @property
    def largest_error(self) -> dict[str, Any] | None:
        """The finding with the largest numeric error among those shown."""
        numbers = [
            (off, finding)
            for finding in self.findings
            if (off := find_error(finding["got"], finding["expected"])) is not None
        ]
        return max(numbers, key=lambda it: it[0])[1] if len(numbers) > 1 else None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that the module describes; NaN and infinite floats are null."""
        said = {"format": "swagproof-audit", "version": 1, "outcome": self.outcome, "sentence": self.sentence}
        said |= {one.name: getattr(self, one.name) for one in fields(self) if not one.kw_only}
        found = [{name: finite(value) for name, value in it.items()} for it in self.findings]
        return said | {"findings": found, "scope": list(self.scope), "notes": [text for _, text in self.remarks]}

    def report(self) -> Report:
        """Return the report."""
        sections = tuple(self._sections())
        return Report(self.outcome, self.sentence, self.to_json(), self.results["files"], sections)

    def _sections(self) -> Iterator[Section]:
        if self.hints:
            yield self._tabulate_hints()
        yield Facts(
            (
                ("window", self.window),
                ("aggregate", self.aggregate),
                *([("rounding", self.rounding)] if self.rounding is not None else []),
                ("late events", self._policy()),
                ("events", _count(self.events, late="late", skipped="without a value, skipped", bad="bad")),
                (
                    "results",
                    _count(
                        self.results,
                        open="not expected yet",
                        undecided="undecided",
                        empty="without a value",
                        excused="excused",
                        bad="bad",
                    ),
                ),
                *([("reference", self._tell_columnwise())] if self.results["columnwise"] else []),
                *self.remarks,
            )
        )
        nothing = self._find_all_bad() is not None
        if self.diagnosed.get("findings"):
            yield self._tabulate_causes()
        worst = self.largest_error
        if worst is not None and not nothing:
            yield Facts((("most off", worst["sentence"]),))
        if self.findings and not nothing:
            yield self._tabulate_findings()
        if self.bad_rows:
            bad = [(row["table"], row["reason"], _show_row(row["row"]), row.get("file") or "") for row in self.bad_rows]
            said = (f"  {table}: {reason}: {row}" for table, reason, row, _ in bad)
            yield Table("bad rows", ("table", "reason", "row", "file"), tuple(bad), lines=("", "bad rows", *said))
        yield Facts(tuple((name, place) for name, place in self.written.items() if place))

    def _tell_columnwise(self) -> str:
        due = self.results["expected"]
        return f"it computed {due - self.results['columnwise']:,} of {due:,} expected results; see --columnwise"

    def _tabulate_findings(self) -> Table:
        """Return the table of the examined findings; text shows few of each kind."""

        def prove(finding: dict[str, Any], most: int) -> list[str]:
            return _show_proof(finding, self.tick, self.zone, most)

        lines: list[str] = []
        for kind, group in groupby(self.findings, key=lambda it: str(it["kind"])):
            some = list(group)
            n, some = self.counts.get(kind, len(some)), some[: self.show]
            lines += ["", f"{kind}: {count_of(n, 'finding')}"]
            for finding in some:
                named = f" ({finding['cause']})" if finding["cause"] else ""
                lines += [f"  {finding['sentence']}{named}", *(f"    {one}" for one in prove(finding, self.show))]
            if n > len(some):
                lines.append(f"  and {n - len(some):,} more")
        if sum(self.counts.values()) > len(self.findings):
            lines += [] if self.written.get("out") else ["", "--show N shows more findings; --out DIR writes them all"]
        rows = ((it["kind"], it["cause"] or "", it["sentence"], "; ".join(prove(it, _EVENTS))) for it in self.findings)
        return Table("findings", ("kind", "diagnosis", "finding", "its events"), tuple(rows), lines=tuple(lines))

    def _tabulate_hints(self) -> Table:
        others = [f"hint: {hint}" for hint in self.hints if hint != self._leading]  # the sentence has that one
        lines = (*others, "") if others else ()
        return Table("hints", ("hint",), tuple((hint,) for hint in self.hints), lines=lines)

    def _tabulate_causes(self) -> Table:
        lines: list[str] = []
        rows: list[tuple[str, ...]] = []
        n = self.diagnosed["findings"]
        for i, cause in enumerate(self.causes):
            where = f", {cause['where']}" if cause["where"] else ""
            also = f"; the results also fit: {', '.join(cause['also'])}" if cause["also"] else ""
            if i < max(_CAUSES, self.show):
                lines += ["", f"{cause['explains']:,} of {count_of(n, 'finding')}: {_name(cause)}"]
                lines += [f"  the job: {cause['why']}{where}{also}"]
                lines += [f"  such as {cause['example']}"] if cause["example"] else []
            rows.append(
                (_name(cause), f"{cause['explains']:,}", f"{cause['why']}{where}{also}", cause["example"] or "")
            )
        if (more := len(self.causes) - max(_CAUSES, self.show)) > 0:
            lines += ["", f"and {more:,} more diagnos{'es' if more > 1 else 'is'}; --show N shows more"]
        left = n - self.diagnosed["explained"]
        if left:
            said = [untried] if (untried := self._tell_untried()) else []
            lines += ["", f"{left:,} of {count_of(n, 'finding')}: unexplained", *(f"  {one}" for one in said)]
            if self.common:
                alike = "they share:"
                lines += [f"  {alike}", *(f"    {one}" for one in self.common)]
                said.append(f"{alike} {'; '.join(self.common)}")
            rows.append(("unexplained", f"{left:,}", ". ".join(said), ""))
        head = ("diagnosis", "findings", "the job", "such as")
        return Table("diagnoses", head, tuple(rows), lines=tuple(lines))

    def _tell_untried(self) -> str:
        """Return the failure of the diagnosis, or the number of hypotheses that were not tried."""
        if self.diagnosed.get("failed"):
            failed = self.diagnosed["failed"]
            return f"the diagnosis failed, which is a bug in swagproof; the verdict is still valid: {failed}"
        untried = self.diagnosed.get("untried", 0)
        return f"{untried:,} hypotheses not tried: they would take too long" if untried else ""

    def _policy(self) -> str:
        if self.policy["watermark"] is None:
            return "none: no watermark"
        lateness = self.policy["lateness"]
        kept = ""
        if self.policy["late"] != "drop":
            kept = ", without limit" if lateness is None else f", for {show_span(lateness, self.tick)}"
        policy = self.policy
        if isinstance(policy["watermark"], str):
            behind = f"watermark read from the {'events' if policy['watermark'] == 'column' else 'progress'}"
        else:
            behind = f"watermark of {policy['watermark_of']}, {show_span(policy['watermark'], self.tick)} behind"
            least, most = policy["lag"]
            if most > 1:
                behind += f" the events of {least if least == most else f'{least} to {most}'} steps earlier"
        whose = ", by an event's own time" if policy["late_by"] == "time" else ""
        return f"{policy['late']}{kept}{whose}; {behind}" + (
            f" (engine {policy['engine']})" if policy["engine"] else ""
        )


def is_beyond_bad_rows(counts: dict[str, int], bad_events: int, bad_results: int) -> bool:
    """Return whether there are findings that unusable rows do not explain.

    A bad event may be why a result differs, and a bad result why one is missing.
    """
    explained: dict[str, int] = {}
    if bad_events:
        explained = {kind: n for kind, n in counts.items() if kind != "duplicate"}
    elif bad_results:
        explained = {kind: min(bad_results, counts.get(kind, 0)) for kind in ("missing", "late-differing")}
    return any(n > explained.get(kind, 0) for kind, n in counts.items())


def _say_all_right(n: int) -> str:
    if n == 1:
        return "the 1 expected result is present and correct, with no extra ones"
    return f"all {n:,} expected results are present and correct, with no extra ones"


def _count_all_bad(table: str, n: int) -> str:
    return f"all {n:,} {table} are bad rows" if n > 1 else f"the one row of {table} is bad"


def _count_bad(n: int) -> str:
    return f"{n:,} bad row{' was' if n == 1 else 's were'}"


def _say_cause(cause: dict[str, Any]) -> str:
    where = f", {cause['where']}" if cause["where"] else ""
    fits = "the results fit both" if len(cause["also"]) == 1 else "the results fit each of these"
    also = f" (or {', or '.join(cause['also'])}; {fits})" if cause["also"] else ""
    return f"{cause['cause']}: {cause['why']}{where}{also}"


def _name(cause: dict[str, Any]) -> str:
    """Name a diagnosis, with the others that the results also fit."""
    return ", or ".join((cause["cause"], *cause["also"]))


def _count(rows: dict[str, Any], **kinds: str) -> str:
    """Return the number of rows, and the number of each named kind."""
    return f"{rows['rows']:,} of {rows['files']}" + "".join(
        f"; {rows[kind]:,} {words}" for kind, words in kinds.items() if rows[kind]
    )


def _show_proof(finding: dict[str, Any], tick: Tick, zone: str | None, most: int) -> list[str]:
    """Return the first events of a proof as text."""
    if not finding["proof"]:
        return []
    proof = json.loads(finding["proof"])
    rows = [
        f"{'late ' if event.get('late') else ''}event "
        + ("" if event["arrival"] is None else f"{event['arrival']} ")
        + f"at {format_time(event['time'], tick, zone)}: {show_value(json.dumps(event['value'], ensure_ascii=False))}"
        for event in proof["events"][:most]
    ]
    more = proof["n"] - sum(not event.get("late") for event in proof["events"][:most])
    return rows + ([f"and {count_of(more, 'more event')}"] if more > 0 else [])


def _show_row(text: str | None) -> str:
    """Return an unusable row as text."""
    try:
        row = json.loads(text or "")
    except ValueError:
        return text or ""
    if isinstance(row, dict):
        return ", ".join(f"{name} {'null' if value is None else value}" for name, value in row.items())
    return "null" if row is None else str(row)
