"""The audit and the replay of recordings as functions: they take data frames or paths, and return a report.

    from swagproof import audit

    report = audit(events, results, window="tumbling 1h", key="user", time="at", value="price", aggregate="sum")
    print(report)
    report.raise_if_violated()

The options are those of `swagproof audit`, with `_` for `-`: `--late-by time` is `late_by="time"`.  PyArrow and NumPy
are imported at the first call.
"""

import os
import time as clock
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from swagproof.models.windows.window import WindowError
from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote
from swagproof.reports import html, text
from swagproof.reports.extras import explain_missing
from swagproof.reports.report import Outcome, Report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from swagproof.pipeline.audit.findings import Findings
    from swagproof.pipeline.recordings.judges import Judged


class _Violation(AssertionError):
    """A verdict other than `conforms`."""

    def __init__(self, report: "_Reported") -> None:
        super().__init__(str(report))
        self.report = report


class AuditViolation(_Violation):
    """Results are wrong, or could not be judged."""


class ReplayViolation(_Violation):
    """Recorded answers are wrong, or could not be judged."""


class _Reported:
    """A verdict. `print` shows the command's text without the lines to run it again; a notebook shows a page."""

    _violation: type[_Violation]

    def __init__(self, report: Report) -> None:
        self._report = report

    @property
    def outcome(self) -> Outcome:
        """`conforms`, `violated`, or `unknown` (nothing compared, or unusable rows may be the cause)."""
        return self._report.outcome

    @property
    def conforms(self) -> bool:
        """Return whether the outcome is `conforms`: everything is present and right, and nothing is extra."""
        return self.outcome == "conforms"

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        return self._report.sentence

    @property
    def data(self) -> dict[str, Any]:
        """The object that `--json` writes."""
        data: dict[str, Any] = self._report.data
        return data

    def raise_if_violated(self, *, allow_unknown: bool = False) -> None:
        """Raise an AssertionError with the report, AuditViolation or ReplayViolation, unless the outcome is `conforms`.

        A verdict that is unknown raises too: a check that compared nothing must not pass.
        """
        if not (self.conforms or (allow_unknown and self.outcome == "unknown")):
            raise self._violation(self)

    def __str__(self) -> str:
        return text.render(self._report)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.outcome}: {self.sentence}>"

    def _repr_html_(self) -> str:
        return html.render_part(self._report)


class ReplayReport(_Reported):
    """The verdict on recorded traces. `print` shows the text of the command, a notebook a page."""

    _violation = ReplayViolation

    def __init__(self, report: Report, failing: "Sequence[Judged]") -> None:
        super().__init__(report)
        self._failing = failing

    @property
    def findings(self) -> Any:
        """The verdicts on traces that do not conform as a PyArrow table, with the columns that `--out` writes."""
        import pyarrow as pa

        from swagproof.pipeline.recordings.on_spark import verdict_batch

        return pa.Table.from_batches([verdict_batch(self._failing)])


class AuditReport(_Reported):
    """The verdict on some results. `print` shows the text of the command, a notebook a page."""

    _violation = AuditViolation

    def __init__(self, found: "Findings") -> None:
        super().__init__(found.report())
        self._found = found

    @property
    def hints(self) -> list[str]:
        """Other values of the options with which the job is right."""
        return self._found.hints

    @property
    def diagnosis(self) -> list[dict[str, Any]]:
        """The diagnoses, the one that explains most first; see `causes` of the JSON."""
        return self._found.causes

    @cached_property
    def findings(self) -> Any:
        """All findings as a PyArrow table, with the columns that `--out` writes; times are timestamps in UTC."""
        import pyarrow as pa

        from swagproof.pipeline.audit.findings import FINDING
        from swagproof.pipeline.batches import make_batch

        found = self._found
        table = pa.Table.from_batches([make_batch(FINDING, [])]) if found.take_table is None else found.take_table()
        for name in ("window_start", "window_end", "row_time") if found.tick else ():
            at = table.schema.get_field_index(name)
            table = table.set_column(at, name, table[name].cast(pa.timestamp(found.tick, "UTC")))
        return table


def audit(
    events: Any,
    results: Any,
    *,
    window: str,
    aggregate: str,
    time: str,
    events_format: str | None = None,
    results_format: str | None = None,
    out: str | os.PathLike[str] | None = None,
    quarantine: str | os.PathLike[str] | None = None,
    spark: "SparkSession | None" = None,
    **options: Any,
) -> AuditReport:
    """Compare windowed results with those expected from their events, and report missing, extra and wrong ones.

    `events` and `results` are data frames (pandas, Polars, PyArrow, DuckDB, Spark, or any with `__arrow_c_stream__`),
    or one or more paths to Parquet, JSON lines or CSV.  The options are those of `swagproof audit`, named with `_`
    for `-`; `key` and `value` take a column or a sequence of them.  One process judges, or Spark if a session is given.

    Raises TypeError for an unknown option, and InputError for input that does not fit the options.
    """
    _require()
    from swagproof.pipeline.audit.auditing import audit as run
    from swagproof.pipeline.audit.backends.holder import Holder
    from swagproof.pipeline.audit.backends.local import Local
    from swagproof.pipeline.audit.options import make_request
    from swagproof.pipeline.audit.reading.in_memory import take_table

    request = make_request(
        take_table("--events", events, events_format, export=spark is None),
        take_table("--results", results, results_format, export=spark is None),
        {"window": window, "aggregate": aggregate, "time": time, **options},
    )
    held: Holder = Local()
    engine = "one process"
    if spark is not None:
        from swagproof.pipeline.audit.backends.cluster import Cluster

        held, engine = Cluster(spark), str(spark.sparkContext.master)
    places = [_find_place(*place) for place in (("--out", out), ("--quarantine", quarantine))]
    try:
        found = run(held, request, out=places[0], quarantine=places[1], engine=engine, keep=True)
    except WindowError as error:
        raise InputError(str(error)) from None
    return AuditReport(found)


def replay_recordings(
    recordings: Any,
    *,
    window: str | None = None,
    monoid: str | None = None,
    trace: str | None = None,
    export: str | os.PathLike[str] | None = None,
) -> ReplayReport:
    """Judge recorded traces of an implementation, in this process, and report wrong answers.

    `recordings` is one or more paths to Parquet, JSON lines or directories, or a data frame with the columns of a
    recording: `trace`, `seq`, `op`, `value`, `answer`.  The options are those of `swagproof replay`; window and monoid
    are needed if the recording does not state them.

    Raises InputError for input that cannot be read, or does not fit the options.
    """
    _require()
    import pyarrow.parquet

    from swagproof.pipeline.audit.reading.in_memory import list_paths, take_table
    from swagproof.pipeline.commands.replay import find_recordings, settle_recordings
    from swagproof.pipeline.recordings.layout import Rules
    from swagproof.pipeline.recordings.standing import judge_files, prefix_in
    from swagproof.pipeline.recordings.summary import Summary, report_on

    started = clock.monotonic()
    failing: list[Judged] = []
    with TemporaryDirectory() as place:
        if (names := list_paths(recordings)) is not None:
            files = find_recordings(names)
        else:
            held = take_table("--recordings", recordings)
            names, files = [str(held)], [str(Path(place) / "recording.parquet")]
            pyarrow.parquet.write_table(held.data, files[0])
        if remote := [name for name in files if is_remote(name)]:
            raise InputError(f"--recordings {remote[0]}: a URL; copy it here, or use `swagproof replay --spark`")
        _, _, kind, domain = settle_recordings(files, None, window, monoid)
        paths, summary = list(map(Path, files)), Summary()
        for row in judge_files(paths, domain, kind, only=trace):
            summary.add(row)
            if row.outcome != "conforms":
                failing.append(row)
        if trace is not None and not summary.rows:
            raise InputError(f"--trace {trace}: there is no such trace")
        to = None if (place_of := _find_place("--export", export)) is None else Path(place_of)
        prefix = prefix_in(paths, Rules.of(domain, kind))
        return ReplayReport(report_on(summary, prefix, domain, kind, names, started=started, export=to), failing)


def _find_place(option: str, place: str | os.PathLike[str] | None) -> str | None:
    """Return the path of an output.  Raises InputError if it exists."""
    if place is not None and os.path.exists(place):
        raise InputError(f"{option} {place}: it exists; give a new directory")
    return None if place is None else os.fspath(place)


def _require() -> None:
    """Raise ImportError, naming the extra, if PyArrow or NumPy is missing."""
    try:
        for name in ("numpy", "pyarrow"):
            import_module(name)
    except ModuleNotFoundError as error:
        raise ImportError(explain_missing(error) or str(error)) from None
