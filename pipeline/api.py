"""The audit as one call: two data frames or paths in, a report out.

    from swagproof import audit

    report = audit(events, results, window="tumbling 1h", key="user", time="at", value="price", aggregate="sum")
    print(report)
    report.raise_if_violated()

The options are those of `swagproof audit`, with `_` for `-`: `--late-by time` is `late_by="time"`.  PyArrow and NumPy
are imported by the call, so that the module costs nothing before.
"""

import os
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from swagproof.models.windows.window import WindowError
from swagproof.oracle.trace import InputError
from swagproof.reports import html, text
from swagproof.reports.extras import explain_missing
from swagproof.reports.report import Outcome, Report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from swagproof.pipeline.audit.findings import Findings


class AuditViolation(AssertionError):
    """Results are not what they should be, or nothing can be said of them."""

    def __init__(self, report: "AuditReport") -> None:
        super().__init__(str(report))
        self.report = report


class AuditReport:
    """The verdict about some results; `print` shows the text of the command, a notebook a page."""

    def __init__(self, found: "Findings") -> None:
        self._found = found
        self._report: Report = found.report()

    @property
    def outcome(self) -> Outcome:
        """`conforms`, `violated`, or `unknown`: nothing was compared, or rows that could not be used may be why."""
        return self._report.outcome

    @property
    def conforms(self) -> bool:
        """Return whether all results are there and right, and no others."""
        return self.outcome == "conforms"

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        return self._report.sentence

    @property
    def hints(self) -> list[str]:
        """Other spellings of the options under which the job is right."""
        return self._found.hints

    @property
    def diagnosis(self) -> list[dict[str, Any]]:
        """The diagnoses, the one that explains most first; see `causes` of the JSON."""
        return self._found.causes

    @property
    def data(self) -> dict[str, Any]:
        """The object that `--json` writes."""
        data: dict[str, Any] = self._report.data
        return data

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

    def raise_if_violated(self, *, allow_unknown: bool = False) -> None:
        """Raise AuditViolation, an AssertionError with the report, unless the results conform.

        A verdict that is unknown raises too: a check that compared nothing must not pass.
        """
        if not (self.conforms or (allow_unknown and self.outcome == "unknown")):
            raise AuditViolation(self)

    def __str__(self) -> str:
        return text.render(self._report)

    def __repr__(self) -> str:
        return f"<AuditReport {self.outcome}: {self.sentence}>"

    def _repr_html_(self) -> str:
        return html.render_part(self._report)


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
    """Compare windowed results with what their events give, and report what is missing, extra or wrong.

    `events` and `results` are data frames (pandas, Polars, PyArrow, DuckDB, Spark, or any with `__arrow_c_stream__`),
    or a path or several, to Parquet, JSON lines or CSV.  The options are those of `swagproof audit`, named with `_`
    for `-`; `key` and `value` take a column or a sequence of them.  One process judges, or Spark where a session is
    given.

    Raises TypeError for an option that there is not, InputError for input that cannot be used as the options say.
    """
    _require()
    from swagproof.pipeline.audit.auditing import audit as run
    from swagproof.pipeline.audit.held.in_memory import take_table
    from swagproof.pipeline.audit.held.local import Local
    from swagproof.pipeline.audit.request import Holder, make_request

    request = make_request(
        take_table("--events", events, events_format, export=spark is None),
        take_table("--results", results, results_format, export=spark is None),
        {"window": window, "aggregate": aggregate, "time": time, **options},
    )
    held: Holder = Local()
    engine = "one process"
    if spark is not None:
        from swagproof.pipeline.audit.held.cluster import Cluster

        held, engine = Cluster(spark), str(spark.sparkContext.master)
    places = [_find_place(*place) for place in (("--out", out), ("--quarantine", quarantine))]
    try:
        found = run(held, request, out=places[0], quarantine=places[1], engine=engine, keep=True)
    except WindowError as error:
        raise InputError(str(error)) from None
    return AuditReport(found)


def _find_place(option: str, place: str | os.PathLike[str] | None) -> str | None:
    """Return the path of an output.  Raises InputError if it exists."""
    if place is not None and os.path.exists(place):
        raise InputError(f"{option} {place}: it exists; name a directory that is to be made")
    return None if place is None else os.fspath(place)


def _require() -> None:
    """Raise ImportError, which names the extra, where PyArrow or NumPy is missing."""
    try:
        for name in ("numpy", "pyarrow"):
            import_module(name)
    except ModuleNotFoundError as error:
        raise ImportError(explain_missing(error) or str(error)) from None
