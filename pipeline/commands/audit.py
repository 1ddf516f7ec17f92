"""`swagproof audit`: the command line of the audit."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from swagproof.oracle.commands.running import ROOM, run_and_report, run_and_report_apart
from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote
from swagproof.pipeline.audit.options import OPTIONS
from swagproof.pipeline.batches import import_readers
from swagproof.pipeline.commands.job_file import JOB, init_job, read_job
from swagproof.pipeline.commands.spark import COMPILES, choose_master, name_cause, spark_options
from swagproof.reports.delivery import refuse_existing, report_options
from swagproof.reports.help import LongCommand
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Report

if TYPE_CHECKING:
    from swagproof.pipeline.audit.backends.holder import Holder

_FORMAT = click.Choice(("parquet", "json", "csv"))


PAYS: Final = 20_000_000
"""The number of rows of both tables from which Spark is faster on two cores."""


def _audit(
    on_spark: bool | None,
    master: str | None,
    conf: dict[str, str],
    verbose: bool,
    out: str | None,
    quarantine: str | None,
    options: dict[str, Any],
) -> Report:
    import_readers()
    # these need Arrow and NumPy, and --help does not
    from swagproof.pipeline.audit.audit_job import read_request
    from swagproof.pipeline.audit.auditing import audit as run
    from swagproof.pipeline.audit.backends.local import Local
    from swagproof.pipeline.audit.options import make_request
    from swagproof.pipeline.audit.reading.sources import Source
    from swagproof.pipeline.audit.tables import table

    events = table("--events", options.pop("events"), options.pop("events_format", None))
    results = table("--results", options.pop("results"), options.pop("results_format", None))
    request = make_request(events, results, options)

    def count_rows() -> int:
        return sum(Source(each, ()).count_rows() for each in (events, results))

    master, engine = choose_master([*events.paths, *results.paths], on_spark, master, PAYS, count_rows)
    with ExitStack() as stack:
        progress = stack.enter_context(show_progress("reading" if master is None else "starting Spark"))

        def hold(held: "Holder") -> Report:
            return run(held, request, out=out, quarantine=quarantine, tell=progress.tell, engine=engine).report()

        if master is None:
            return hold(Local())
        from swagproof.pipeline.session import is_local, session

        light = {events.format, results.format} == {"parquet"}  # the workers read it
        if is_local(master) and not any(map(is_remote, (*events.paths, *results.paths))):
            read_request(request, Local().read_schema)  # errors are reported before a JVM starts
            light = light or count_rows() < COMPILES
        workers = ["swagproof.pipeline.audit.backends.cluster"]
        started = session(master, "swagproof audit", verbose=verbose, config=conf, light=light, workers=workers)
        spark = stack.enter_context(started)
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        from swagproof.pipeline.audit.backends.cluster import Cluster

        try:
            return hold(Cluster(spark))
        except (PySparkException, Py4JError) as error:
            raise InputError(name_cause(error)) from None


def _declared_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a request to the command."""
    for field, option in reversed(OPTIONS.items()):
        settings: dict[str, Any] = {"help": option.about["help"], "metavar": option.about.get("metavar")}
        flags = option.flag
        if bool in option.types:
            settings |= {"is_flag": True, "default": option.default}
            flags += f"/--no-{flags[2:]}" * option.default
        elif option.choices:
            shown = option.default is not None
            settings |= {"type": click.Choice(option.choices), "default": option.default, "show_default": shown}
        elif int in option.types:
            least, most = (option.about.get(name) for name in ("least", "most"))
            kind = click.INT if least is None else click.IntRange(least, most)
            settings |= {"type": kind, "default": option.default, "show_default": option.default is not None}
        command = click.option(flags, field, multiple=option.several, required=option.required, **settings)(command)
    return command


@click.command(
    cls=LongCommand,
    common=("--events", "--results", "--window", "--aggregate", "--key", "--time", "--value", "--arrival",
            "--watermark", "--engine", "--init", "--show", "--json", "--help-all"),
)  # fmt: skip
@click.argument("job", required=False, is_eager=True, callback=read_job)
@click.option("--init", nargs=2, metavar="EVENTS RESULTS", is_eager=True, expose_value=False, callback=init_job,
              help=f"Write {JOB} for these files, with guesses for you to check, and exit.")  # fmt: skip
@click.option("--events", multiple=True, required=True, metavar="PATH",
              help="A file or directory of events; may be repeated.")  # fmt: skip
@click.option("--results", multiple=True, required=True, metavar="PATH",
              help="A file or directory of the job's results; may be repeated.")  # fmt: skip
@_declared_options
@click.option("--events-format", type=_FORMAT, help="Format of the events, if the file names do not show it.")
@click.option("--results-format", type=_FORMAT, help="Format of the results, if the file names do not show it.")
@click.option("--out", metavar="DIR", callback=refuse_existing,
              help="Write all findings to this directory, as Parquet.")  # fmt: skip
@click.option("--quarantine", metavar="DIR", callback=refuse_existing,
              help="Write the bad rows to this directory, as JSON lines.")  # fmt: skip
@report_options()
@spark_options
def audit(
    job: str | None,
    on_spark: bool | None,
    master: str | None,
    conf: dict[str, str],
    verbose: bool,
    out: str | None,
    quarantine: str | None,
    **options: Any,
) -> None:
    """Check a job's windowed results against its input events.

    The reference computes the expected results.  The report lists results that are missing, unexpected, wrong,
    duplicate, or wrong only because of late events, with hints, a diagnosis, and the events that prove each finding.
    JOB is a TOML file with the options below; --init writes one.

    A line of JOB is an option, such as key = "user".  Options of the command line take precedence.  Paths are relative
    to the file.

    \b
    Windows, each key on its own:
      tumbling 1h               [k h, (k+1) h)
      sliding 1h every 10m      [10k min, 10k min + 1h); add "offset 5m" to either
      session 30m               gaps of less than 30 min; add "touching" for gaps of 30 min at most
      tumbling 1 day in ZONE    days, weeks, months, quarters or years of a time zone; "offset 3" moves days and
                                weeks by 3 days, longer ones by 3 months: 1 year in ZONE offset 3 begins in April
      ... closed right          or both, neither (default: left); then "offset SPAN", "origin TIME", or "from first":
                                no window begins before the first one that holds a key's first event
      count 100 every 10        in the order of time, or "by arrival"; identified by numbers of events, from 1;
                                the first windows hold fewer events
      rows -5 0, range -1h 0    frames; a bound may be "unbounded"; a RANGE includes all rows of equal time

    \b
    Aggregations:
      count, sum, product, mean, geometric-mean, median, distinct-count, min, max, top-3 (to top-99),
      population-standard-deviation, sample-standard-deviation, min-count, max-count, first, last,
      concatenation, collect, float-sum; arg-min, arg-max of two values, the compared one first;
      with SQL's NULL: sql-count, sql-sum, sql-min, sql-max, sql-first, sql-last, sql-arg-min, sql-arg-max,
      sql-min-by, sql-max-by, sql-concatenation, sql-float-sum, sql-float-min, sql-float-max; with NaN: nan-least-max

    Files are Parquet, JSON lines or CSV.  Types in JSON lines and CSV are inferred from the first rows; state another
    type as --value delay:decimal (int, float, decimal, text, bool, time, json).  Spans have a unit (us, ms, s, m, h,
    d), or none if times are plain numbers.  Exact aggregations are compared exactly; float sums may differ by
    eps n sum|x| over the n elements x of the window.

    The watermark at an event is the latest time of the events that arrived before it, minus --watermark.  An event is
    late for a window if the watermark has reached the window's end; --late states what the job does then.  For a
    session, the event's own time plus the gap takes the place of the end; with --engine flink, the end of the session
    that the event would join.

    From 20,000,000 rows on, the audit runs on Spark if that is installed and the machine has two cores or more; the
    verdict is the same.

    Rows that cannot be used are counted and shown.  If they may explain the findings, the verdict is unknown.

    Exit codes: 0 conforms, 1 violated, 2 usage or input error, 3 unknown, 130 interrupted, 143 terminated.

    \b
    Examples:
      swagproof audit --init events.parquet results.parquet, and then: swagproof audit job.toml
      swagproof audit --events flights.parquet --results out.parquet --key carrier --time planned --value delay \\
        --arrival actual --window 'sliding 1h every 10m' --aggregate max --result max_delay
      swagproof audit --events in.jsonl --results out.jsonl --key user --time t:int --time-unit ms \\
        --value price:decimal --arrival seq --window 'tumbling 1m' --aggregate sum \\
        --watermark 10s --late update --version emitted
      swagproof audit --events e.csv --results r.csv --time t --value x:float --arrival n --window 'rows -9 0' \\
        --aggregate mean --result avg:float
    """
    del job  # its options are here
    source = click.get_current_context().get_parameter_source
    options = {name: value for name, value in options.items() if source(name) is not ParameterSource.DEFAULT}
    produce = partial(_audit, on_spark, master, conf, verbose, out, quarantine, options)
    if ":" in options["aggregate"]:
        run_and_report_apart(produce, memory=ROOM)
    run_and_report(produce)
