"""`swagproof stream`: the command line of the streaming operator."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click

from swagproof.oracle.commands.running import ROOM, run_and_report, run_and_report_apart
from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote
from swagproof.pipeline.commands.spark import conf_option, name_cause
from swagproof.reports.delivery import report_options
from swagproof.reports.help import LongCommand
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Report

if TYPE_CHECKING:
    from swagproof.pipeline.audit.rules import Kind
    from swagproof.pipeline.audit.tables import Format
    from swagproof.pipeline.stream.job import Job


FORMATS: Final = ("json", "csv", "parquet")
"""The formats of files; repeated here, so that --help imports nothing."""


def _describe(batch: dict[str, Any]) -> str:
    """Return a progress message."""
    state = batch.get("stateOperators") or [{}]
    keys, rate = state[0].get("numRowsTotal", 0), batch.get("processedRowsPerSecond") or 0
    return f"batch {batch['batchId']}: {rate:,.0f} rows/s, {keys:,} keys kept"


def _parse_column(text: str, option: str, usual: "Kind") -> "tuple[str, Kind]":
    """Parse NAME or NAME:TYPE."""
    from swagproof.pipeline.audit.tables import KINDS

    name, colon, kind = text.rpartition(":")
    if not colon:
        return text, usual
    if not name or kind not in KINDS or kind == "time":
        known = ", ".join(one for one in KINDS if one != "time")
        raise InputError(f"{option} {text}: {kind or 'nothing'!r} is not one of {known}; write for example price:int")
    return name, cast("Kind", kind)


def job_of(options: dict[str, Any]) -> "Job":
    """Return the checked job of the options.  Raises InputError."""
    from swagproof.models.windows.text import Unit, parse_span
    from swagproof.pipeline.stream.job import Job, Task
    from swagproof.pipeline.stream.source import Events, Results, format_of

    time, colon, stamp = options["time"].rpartition(":")
    time, stamped = (time, True) if colon and stamp == "timestamp" else (options["time"], False)
    if stamped and options["time_unit"] not in (None, "us"):
        raise InputError("--time-unit: timestamps have microseconds; leave it out")
    unit: Unit = options["time_unit"] or ("us" if stamped else "plain")
    spans = {
        what: parse_span(options[what], unit, f"--{what}")
        for what in ("watermark", "lateness", "patience")
        if options[what] is not None
    }
    if options["late"] != "drop" and options["lateness"] is None:
        raise InputError(
            f"--late {options['late']}: give --lateness; without a limit a stream would have to keep all windows"
        )
    values = tuple(_parse_column(text, "--value", "int") for text in options["value"])
    result, kind = _parse_column(options["result"], "--result", "json")
    place, _, rest = options["aggregate"].rpartition(":")
    task = Task(
        options["window"],
        unit,
        f"{_make_absolute(place)}:{rest}" if place.endswith(".py") else options["aggregate"],
        tuple(kind for _, kind in values),
        late=options["late"],
        delay=spans["watermark"],
        lateness=spans.get("lateness", 0),
        claims=kind if options["results"] else None,
        patience=spans.get("patience"),
        early=options["early"],
    )

    def place_of(
        option: str, form: str | None, key: tuple[str, ...]
    ) -> "tuple[str, str, Format, tuple[str, ...], Unit, bool, bool]":
        directory = _make_absolute(options[option])
        found = format_of(directory, form, f"--{option}")
        return f"--{option}", directory, found, key, unit, stamped, options["stop_on_bad_files"]

    events = Events(*place_of("events", options["format"], options["key"]), time, options["arrival"], values)
    results = None
    if options["results"]:
        there = place_of("results", options["results_format"], options["result_key"] or options["key"])
        bounds = options["window_start"], options["window_end"], options["version"]
        results = Results(*there, *bounds, result, kind, task.pace)
    out, checkpoint = _make_absolute(options["out"]), _make_absolute(options["checkpoint"])
    return Job(events, results, task, out, checkpoint, options["files_per_trigger"])


def _make_absolute(path: str) -> str:
    return path if is_remote(path) else str(Path(path).absolute())


def _run(master: str, verbose: bool, available_now: bool, allow_bad: bool, options: dict[str, Any]) -> Report:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    from swagproof.pipeline.session import session
    from swagproof.pipeline.stream.query import Published, count_waiting, report_on, run
    from swagproof.pipeline.stream.source import find_changed

    job = job_of(options)
    job.check()
    try:
        with (
            show_progress("starting Spark") as progress,
            session(
                master,
                "swagproof stream",
                verbose=verbose,
                config=options["conf"],
                workers=["swagproof.pipeline.stream.processor"],
            ) as spark,
        ):
            run(spark, job, available_now=available_now, watcher=lambda batch: progress.tell(_describe(batch)))
            written, audited = Published(spark, job.out), job.task.claims is not None
            return report_on(
                written.count_kinds(),
                job.out,
                audited=audited,
                allow_bad=allow_bad,
                waiting=count_waiting(spark, job),
                patient=job.task.patience is not None,
                changed=find_changed(job.checkpoint),
                faults=written.list_faults() if audited else (),
                unit=job.task.unit,
            )
    except (PySparkException, Py4JError) as error:
        raise InputError(name_cause(error)) from None


@click.command(
    cls=LongCommand,
    common=("--events", "--out", "--checkpoint", "--window", "--aggregate", "--key", "--time", "--value", "--watermark",
            "--late", "--results", "--json", "--help-all"),
)  # fmt: skip
@click.option("--events", required=True, metavar="DIR", help="Directory in which files of events arrive.")
@click.option("--out", required=True, metavar="DIR", help="Directory of the results, as Parquet.")
@click.option("--checkpoint", required=True, metavar="DIR", help="Directory from which a restarted job continues.")
@click.option("--window", required=True, metavar="WINDOW", help="The windows, such as 'sliding 1h every 10m'.")
@click.option("--aggregate", required=True, metavar="NAME",
              help="A built-in aggregation, or a custom one as path.py:NAME.")  # fmt: skip
@click.option("--key", multiple=True, required=True, metavar="COLUMN", help="A column of the key; may be repeated.")
@click.option("--time", required=True, metavar="COLUMN", help="The event time: integers, or COLUMN:timestamp.")
@click.option("--value", multiple=True, metavar="COLUMN[:TYPE]",
              help="The column to aggregate; if repeated, values are tuples.")  # fmt: skip
@click.option("--arrival", metavar="COLUMN", help="Orders events of equal key and time.")
@click.option("--time-unit", type=click.Choice(("s", "ms", "us")), help="Unit of integer times since the epoch.")
@click.option("--late", type=click.Choice(("drop", "update", "retract")), default="drop", show_default=True,
              help="Drop late events, or let them update or retract results.")  # fmt: skip
@click.option("--watermark", default="0", metavar="SPAN", help="How far the watermark is behind the latest event time.")
@click.option("--lateness", metavar="SPAN", help="With --late update or retract: how long late events are accepted.")
@click.option("--results", metavar="DIR", help="Audit: directory in which another job's results arrive.")
@click.option(
    "--result", default="result", show_default=True, metavar="COLUMN[:TYPE]", help="Audit: the results' value."
)
@click.option("--result-key", multiple=True, metavar="COLUMN", help="Audit: the results' key.  [default: as in --key]")
@click.option("--window-start", default="window_start", show_default=True, metavar="COLUMN",
              help="Audit: where a window begins.")  # fmt: skip
@click.option("--window-end", default="window_end", show_default=True, metavar="COLUMN",
              help="Audit: where a window ends.")  # fmt: skip
@click.option("--version", metavar="COLUMN", help="Audit: the order of several results for one window.")
@click.option("--early", is_flag=True, help="Audit: the job also writes results before a window ends.")
@click.option(
    "--patience", metavar="SPAN", help="Audit: how long to wait for a result.  [default: until later results arrive]"
)
@click.option("--format", type=click.Choice(FORMATS), help="Format of the events.")
@click.option("--results-format", type=click.Choice(FORMATS), help="Format of the results.")
@click.option("--available-now", is_flag=True, help="Stop when the present files are read; else run until interrupted.")
@click.option("--files-per-trigger", type=click.IntRange(min=1), default=100, show_default=True,
              help="The most files that a micro-batch reads.")  # fmt: skip
@click.option("--stop-on-bad-files", is_flag=True, help="Stop at a file that cannot be read.")
@click.option("--allow-bad-rows", is_flag=True, help="Accept rows and files that could not be used.")
@report_options()
@click.option("--master", default="local[*]", show_default=True, metavar="URL", help="The Spark master.")
@conf_option
@click.option("--verbose", is_flag=True, help="Show Spark's log.")
def stream(master: str, verbose: bool, available_now: bool, allow_bad_rows: bool, **options: Any) -> None:
    """Aggregate a stream over windows on Spark, or audit a job.

    The job reads files that arrive in a directory, the oldest first, in micro-batches.  Events may be in any order.  A
    window's result is written when the watermark (the latest time in older files, minus --watermark) reaches its end.
    A job that is killed continues from its checkpoint.  It loses and repeats no result if --out is on a file system
    that renames a directory in one step, such as a local disk or HDFS; elsewhere results may be repeated.

    \b
    Windows, each key on its own:
      tumbling 1h               [k h, (k+1) h)
      sliding 1h every 10m      [10k min, 10k min + 1h); add "offset 5m" to either
      session 30m               gaps of less than 30 min; add "touching" for gaps of 30 min at most
      tumbling 1 day in Europe/Berlin, or months and weeks

    Each row of the output has a kind: result (with its version), retraction, late (an event that no window counts),
    repeated or bad (a row that is not used), or unreadable (a file).  An event with a time but no key and no value
    is a heartbeat: it only advances time.

    With --results the kinds are conforms, missing, extra, wrong, late-differing (right without late events),
    wrong-version, duplicate and overdue (written after the window was judged).  A window is judged when events and
    results have both passed its end; with --patience, when the events have passed its end by that span.  With --late
    update or retract, and --version, every version is judged.

    A TYPE is int (default), float, text, bool, decimal or json (default of --result).  Spans have a unit (us, ms, s, m,
    h, d), or none if times are plain numbers.

    Exit codes: 0 done, or conforms; 1 violated; 2 usage or input error; 3 unknown (files could not be read, nothing
    was judged, or bad rows may explain the findings); 130 interrupted, 143 terminated.

    \b
    Examples:
      swagproof stream --events in --out out --checkpoint cp --key user --time t --time-unit ms --value price \\
        --window 'sliding 1h every 10m' --aggregate max --watermark 5m --available-now
      swagproof stream --events in --results theirs --out verdicts --checkpoint cp2 --key user --time t \\
        --time-unit ms --value price --window 'tumbling 1m' --aggregate sum --result total:int --patience 10m
    """
    produce = partial(_run, master, verbose, available_now, allow_bad_rows, options)
    interrupted = "Interrupted: the job goes on from its checkpoint."
    if ":" in options["aggregate"]:
        run_and_report_apart(produce, memory=ROOM, interrupted=interrupted)
    run_and_report(produce, interrupted)


if __name__ == "__main__":
    stream()
