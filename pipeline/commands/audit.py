"""`swagproof audit`: the command line of the audit."""

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from swagproof.oracle.commands.running import ROOM, run_and_report, run_and_report_apart
from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote
from swagproof.pipeline.commands.job_file import JOB, init_job, read_job
from swagproof.pipeline.commands.spark import COMPILES, choose_master, name_cause, spark_options
from swagproof.reports.delivery import refuse_existing, report_options
from swagproof.reports.help import LongCommand
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Report

if TYPE_CHECKING:
    from swagproof.pipeline.audit.request import Holder

_FORMAT = click.Choice(("parquet", "json", "csv"))
_ENGINES: Final = ("spark", "spark-single", "spark-batch", "flink", "flink-sql", "kafka-streams", "beam", "bytewax",
                   "polars", "pandas")  # fmt: skip


PAYS: Final = 20_000_000
"""Rows of both tables from which on Spark is quicker on two cores."""


def _audit(
    *,
    on_spark: bool | None,
    master: str | None,
    conf: dict[str, str],
    verbose: bool,
    out: str | None,
    quarantine: str | None,
    options: dict[str, Any],
) -> Report:
    # these need Arrow and NumPy, and --help does not
    from swagproof.pipeline.audit.auditing import audit as run
    from swagproof.pipeline.audit.held.local import Local
    from swagproof.pipeline.audit.held.sources import Source
    from swagproof.pipeline.audit.request import make_request, read_request
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

        light = {events.format, results.format} == {"parquet"}  # which the workers read
        if is_local(master) and not any(map(is_remote, (*events.paths, *results.paths))):
            read_request(request, Local().read_schema)  # what cannot be is told before a JVM has started
            light = light or count_rows() < COMPILES
        spark = stack.enter_context(
            session(
                master,
                "swagproof audit",
                verbose=verbose,
                config=conf,
                light=light,
                workers=["swagproof.pipeline.audit.held.cluster"],
            )
        )
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        from swagproof.pipeline.audit.held.cluster import Cluster

        try:
            return hold(Cluster(spark))
        except (PySparkException, Py4JError) as error:
            raise InputError(name_cause(error)) from None


@click.command(
    cls=LongCommand,
    common=("--events", "--results", "--window", "--aggregate", "--key", "--time", "--value", "--arrival",
            "--watermark", "--engine", "--init", "--show", "--json", "--help-all"),
)  # fmt: skip
@click.argument("job", required=False, is_eager=True, callback=read_job)
@click.option("--init", nargs=2, metavar="EVENTS RESULTS", is_eager=True, expose_value=False, callback=init_job,
              help=f"Write {JOB} for these files, with guesses to be edited, and end.")  # fmt: skip
@click.option("--events", multiple=True, required=True, metavar="PATH", help="The events; may be repeated.")
@click.option("--results", multiple=True, required=True, metavar="PATH", help="The job's results; may be repeated.")
@click.option("--window", required=True, metavar="WINDOW", help="Such as 'sliding 1h every 10m'; see --help-all.")
@click.option(
    "--aggregate",
    required=True,
    metavar="NAME",
    help="A built-in aggregation, see --help-all, or a custom one as path.py:NAME.",
)
@click.option("--key", multiple=True, metavar="COLUMN", help="A column of the key; may be repeated.")
@click.option("--time", required=True, metavar="COLUMN", help="The event time.")
@click.option("--value", multiple=True, metavar="COLUMN", help="The value; may be repeated: values are then tuples.")
@click.option("--arrival", metavar="COLUMN", help="The order of arrival; it also orders events of equal time.")
@click.option("--result", default="result", show_default=True, metavar="COLUMN", help="The job's answer.")
@click.option("--result-key", multiple=True, metavar="COLUMN", help="The key in the results.  [default: as in --key]")
@click.option("--window-start", metavar="COLUMN",
              help="Where a window begins; of counts, its first event's number.  [default: window_start]")  # fmt: skip
@click.option("--window-end", metavar="COLUMN",
              help="Where it ends; of counts, its last event's. One of both suffices (of `count 10 every 5` it); '' "
              "says there is none.  [default: window_end]")  # fmt: skip
@click.option("--window-end-less", metavar="SPAN", help="It is written so much before the end: 1ms by Flink's rowtime.")
@click.option("--result-time", metavar="COLUMN", help="Frames: the row's time.  [default: as in --time]")
@click.option("--result-arrival", metavar="COLUMN", help="Frames: its arrival number.  [default: as in --arrival]")
@click.option("--version", metavar="COLUMN", help="Which of several results for a window came last.")
@click.option("--retraction", metavar="COLUMN", help="Whether a result takes back an earlier one: true, -1, -U, -D.")
@click.option(
    "--time-unit", type=click.Choice(("s", "ms", "us", "ns")), help="What integer times count since the epoch."
)
@click.option("--nulls", type=click.Choice(("refuse", "skip", "ignore")), default="refuse", show_default=True,
              help="A null value is a bad row; no event; or an event that adds nothing, as in SQL.")  # fmt: skip
@click.option("--empty", type=click.Choice(("absent", "null", "zero", "any")), default="absent", show_default=True,
              help="What the job writes for a window without a value.")  # fmt: skip
@click.option("--summation", type=click.Choice(("float32", "running", "squares")),
              help="How it sums floats, where not in doubles, each sum from its own values.")  # fmt: skip
@click.option("--rounding", metavar="DIGITS [HOW]",
              help="It rounds its answers to so many digits after the point, on purpose: half-up, half-even, down, "
              "floor or ceiling; where it is not said, a tie goes either way.")  # fmt: skip
@click.option("--late", type=click.Choice(("drop", "update", "retract")), default="drop", show_default=True,
              help="What the job does with late events.")  # fmt: skip
@click.option("--late-by", type=click.Choice(("window", "time")), default="window", show_default=True,
              help="By what an event is late: by its window's end; or by its own time, where an operator before the "
                   "windows drops what is behind the watermark, as dropDuplicates of Spark does.")  # fmt: skip
@click.option("--watermark", metavar="SPAN", help="How far the watermark is behind the latest event time.")
@click.option("--watermark-per-key", is_flag=True, help="Each key has a watermark of its own.")
@click.option("--engine", metavar="NAME", type=click.Choice(_ENGINES),
              help=f"The rules of an engine: {', '.join(_ENGINES)}; other options come first.")  # fmt: skip
@click.option("--batch", metavar="COLUMN", help="The micro-batch: the watermark moves between them.")
@click.option(
    "--watermark-lag", metavar="A..B", help="It follows what came A to B arrival (batch) numbers before, at least 1."
)
@click.option("--upstream", metavar="COLUMN", help="The watermark is the least of those of these partitions.")
@click.option("--idle", metavar="SPAN", help="A partition that sent nothing for so long, by arrival, is left out.")
@click.option("--watermark-column", metavar="COLUMN", help="The watermark when each event came, as the job noted it.")
@click.option("--progress", metavar="FILE", help="Spark's progress, a JSON object a line; goes with --batch.")
@click.option("--early", is_flag=True, help="Results come before their window is over, too; see --version.")
@click.option("--lateness", metavar="SPAN", help="How long late events are taken.  [default: for ever]")
@click.option("--complete", is_flag=True,
              help="Windows that the watermark has not passed must have results, too; else none.")  # fmt: skip
@click.option("--allow-bad-rows", is_flag=True, help="Judge, although some rows could not be used.")
@click.option("--allow-undecided", is_flag=True,
              help="Judge, although the watermark leaves some results open.")  # fmt: skip
@click.option("--from", "from_", metavar="TIME",
              help="Judge the windows that end after this time alone, those that begin before it too.")  # fmt: skip
@click.option("--to", metavar="TIME", help="Judge the windows that end at this time or before.")
@click.option("--sample-keys", type=click.IntRange(min=1), metavar="N", help="Judge so many keys, drawn by --seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which keys --sample-keys draws.")
@click.option("--events-format", type=_FORMAT, help="Where the names do not tell.")
@click.option("--results-format", type=_FORMAT, help="Where the names do not tell.")
@click.option("--show", type=click.IntRange(min=1, max=100), default=3, show_default=True,
              help="How many findings of each kind are shown, and events of each.")  # fmt: skip
@click.option("--diagnosis/--no-diagnosis", default=True, help="Report findings with a diagnosis and hints.")
@click.option("--out", metavar="DIR", callback=refuse_existing, help="Write all findings there as Parquet.")
@click.option("--quarantine", metavar="DIR", callback=refuse_existing, help="Write the bad rows there as JSON lines.")
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

    The reference computes the expected results; those that are missing, extra, wrong, there twice, or right but for
    late events are listed, with hints, a diagnosis and the events that prove it.

    JOB is a TOML file with the same options, such as key = "user"; those of the command line come first, and paths are
    relative to the file.  --init EVENTS RESULTS writes one.

    \b
    Windows, each key on its own:
      tumbling 1h               [k h, (k+1) h)
      sliding 1h every 10m      [10k min, 10k min + 1h); add "offset 5m" to either
      session 30m               gaps of less than 30 min; add "touching" for gaps of 30 min at most
      tumbling 1 day in ZONE    days (weeks, months, quarters, years) of a time zone; "offset 3" there counts
                                days, of months and longer ones months: 1 year in ZONE offset 3 is from April
      ... closed right          both, neither; after these: offset SPAN, origin TIME; and "from first",
                                where no window begins before the first that holds a key's first event
      count 100 every 10        in the order of time, or "by arrival"; named by numbers of events, from 1 on;
                                the first ones are expected with fewer
      rows -5 0, range -1h 0    frames, from "unbounded" where wanted; a RANGE holds the ties of its ends

    \b
    Aggregations:
      count, sum, product, mean, geometric-mean, median, distinct-count, min, max, top-3 (to top-99),
      population-standard-deviation, sample-standard-deviation, min-count, max-count, first, last,
      concatenation, collect, float-sum; arg-min, arg-max of two values, what is compared first;
      with SQL's nulls: sql-count, sql-sum, sql-min, sql-max, sql-first, sql-last, sql-arg-min, sql-arg-max,
      sql-min-by, sql-max-by, sql-concatenation, sql-float-sum, sql-float-min, sql-float-max; with NaN: nan-least-max

    Files are Parquet, JSON lines or CSV.  In the latter two the first rows say what a column holds; state another type
    by --value delay:decimal (int, float, decimal, text, bool, time, json).  Spans have units (us, ms, s, m, h, d), or
    none where times are plain numbers.  Equal times are ordered by --arrival.  Exact aggregations are compared exactly;
    floating sums may be off by eps n sum|x| over the window.

    The watermark when an event arrives is the latest time among events of smaller arrival numbers, less --watermark.
    An event is late for a window that the watermark has reached the end of; it is then dropped, or updates the window.
    It is late for a session by its own time and the gap; by the session that it would join with --engine flink.

    Rows are judged in one process, or on Spark where they are so many that it is done sooner; the verdict is the same.

    Rows that cannot be used are counted and shown.  What they may explain is no verdict, but unknown.

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
    produce = partial(
        _audit,
        on_spark=on_spark,
        master=master,
        conf=conf,
        verbose=verbose,
        out=out,
        quarantine=quarantine,
        options=options,
    )
    if ":" in options["aggregate"]:
        run_and_report_apart(produce, memory=ROOM)
    run_and_report(produce)
