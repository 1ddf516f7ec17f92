"""`swagproof replay`: on this machine without Spark, and on Spark with the same verdicts."""

import json
import shlex
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from glob import glob
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from swagproof.oracle.commands.running import ROOM, run_and_report, run_and_report_apart
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.subject import load_monoid
from swagproof.oracle.trace import InputError
from swagproof.oracle.window import WINDOWS, Window
from swagproof.pipeline import is_remote
from swagproof.pipeline.batches import import_readers
from swagproof.pipeline.commands.spark import COMPILES, choose_master, name_cause, spark_options, tell_tasks
from swagproof.pipeline.recordings.judges import Judged
from swagproof.pipeline.recordings.layout import Flaw, Rules
from swagproof.pipeline.recordings.on_spark import VERDICTS_AT_ONCE, verdict_batch
from swagproof.pipeline.recordings.standing import judge_files, prefix_in
from swagproof.pipeline.recordings.storage import (
    NAMES,
    Chunk,
    Reject,
    check_schema,
    heading_in,
    heading_of,
    import_arrow,
    is_json,
    open_parquet,
    settle,
)
from swagproof.pipeline.recordings.summary import Summary, report_on
from swagproof.reports.delivery import refuse_existing, report_options
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Facts, Report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RECORDED: Final = tuple(name for name in KINDS if name != "frame")
"""The kinds of window that recordings support: those queried by single operations."""


def find_recordings(paths: Sequence[str]) -> list[str]:
    """Return the files, those that match a pattern, and those in directories; each once."""
    found: list[str] = []
    for path in paths:
        if is_remote(path):
            found.append(path)
            continue
        matching = [path] if Path(path).exists() else sorted(glob(path, recursive=True))
        if not matching:
            raise InputError(f"{path}: there is no such file")
        for name in matching:
            found += _inside(Path(name)) if Path(name).is_dir() else [name]
    return list(dict.fromkeys(found))


def _inside(folder: Path) -> list[str]:
    """Return the recordings in a directory and its subdirectories, without hidden files."""
    files = [file for file in folder.rglob("*") if is_json(file.name) or file.suffix == ".parquet"]
    shown = [file for file in files if not any(part[0] in "._" for part in file.relative_to(folder).parts)]
    if not (found := sorted(str(file) for file in shown if file.is_file())):
        raise InputError(f"{folder}: contains no recording: no {NAMES}, and no .parquet")
    return found


def _monoid(name: str, window: Window) -> Domain:
    return KINDS[window.name].adapt(load_monoid(name))


@contextmanager
def _open_quarantine(folder: str | None) -> Generator[Reject]:
    """Write flawed rows as JSON lines: the columns of `pipeline.recordings.on_spark.QUARANTINE`, and the line."""
    if folder is None:
        yield lambda _chunk, _at, _flaw: None
        return
    try:
        Path(folder).mkdir(parents=True)
        file = (Path(folder) / "rows.jsonl").open("w", encoding="utf-8")
    except OSError as error:
        raise InputError(f"--quarantine {folder}: {error.strerror}") from None

    def reject(chunk: Chunk, at: int, flaw: Flaw) -> None:
        place = {"file": chunk.file, "number": chunk.numbers[at], "trace": chunk.traces[at], "seq": chunk.rows.seq[at]}
        file.write(json.dumps({**place, **flaw._asdict(), "row": chunk.raw(at)}) + "\n")

    with file:
        yield reject


def _write_verdicts(judged: Iterable[Judged], folder: str | None) -> Iterator[Judged]:
    """Yield the verdicts, after writing them to Parquet if wanted."""
    if folder is None:
        yield from judged
        return
    _, parquet = import_arrow("--out writes Parquet, which")
    Path(folder).mkdir(parents=True)
    rows = iter(judged)
    with parquet.ParquetWriter(Path(folder) / "verdicts.parquet", verdict_batch([]).schema) as writer:
        while some := list(islice(rows, VERDICTS_AT_ONCE)):
            writer.write_batch(verdict_batch(some))
            yield from some


def _replay(
    *,
    files: tuple[str, ...],
    window: str | None,
    monoid: str | None,
    only: str | None,
    on_spark: bool | None,
    master: str | None,
    conf: dict[str, str],
    verbose: bool,
    export: str | None,
    quarantine: str | None,
    out: str | None,
) -> Report:
    started = time.monotonic()
    if find_spec("pyarrow") is not None:
        import_readers()
    paths = find_recordings(files)
    local = [Path(path) for path in paths if not is_remote(path)]
    master, engine = choose_master(paths, on_spark, master)
    with ExitStack() as stack:
        tell = stack.enter_context(show_progress("reading")).tell
        spark = None
        far = len(local) < len(paths)
        settled = None if far else settle_recordings(paths, None, window, monoid)  # before a JVM starts
        if master is not None:
            from swagproof.pipeline.session import session

            tell("starting Spark")
            light = not far and sum(map(count_rows, local)) < COMPILES
            workers = ["swagproof.pipeline.recordings.on_spark"]
            spark = stack.enter_context(
                session(master, "swagproof replay", verbose=verbose, config=conf, light=light, workers=workers)
            )
            stack.enter_context(tell_tasks(spark, tell))
        window, monoid, kind, domain = settled or settle_recordings(paths, spark, window, monoid)
        flawed: list[str] = []
        """The first row that cannot be judged: its file, its line and the problem."""
        more = ["--window", window, "--monoid", monoid, *(["--master", master] if master else [])]

        def replay(trace: str) -> str:
            return shlex.join(["swagproof", "replay", *files, *more, "--trace", trace])

        if spark is not None:
            summary, prefix = _on_spark(spark, paths, kind.name, monoid, only, quarantine, out)
        else:
            write = stack.enter_context(_open_quarantine(quarantine))

            def reject(chunk: Chunk, at: int, flaw: Flaw) -> None:
                if not flawed:
                    line = f"{'line' if is_json(chunk.file) else 'row'} {chunk.numbers[at]:,}"
                    flawed.append(f"{chunk.file}, {line}: {flaw.problem}: {flaw.detail}")
                write(chunk, at, flaw)

            judged = judge_files(
                local, domain, kind, only=only, reject=reject, watch=lambda rows: tell(f"{rows:,} rows")
            )
            summary, prefix = Summary.of(_write_verdicts(judged, out)), prefix_in(local, Rules.of(domain, kind))
        if only is not None and not summary.rows:
            raise InputError(f"--trace {only}: there is no such trace")
        tell("explaining")
        report = report_on(
            summary,
            prefix,
            domain,
            kind,
            files,
            started=started,
            engine=engine,
            export=Path(export) if export else None,
            replay=replay,
            quarantined=quarantine,
        )
        if not flawed:
            return report
        data = report.data | {"recording": report.data["recording"] | {"first_bad": flawed[0]}}
        return replace(report, data=data, sections=(*report.sections, Facts((("first bad", flawed[0]),))))


LINE: Final = 60
"""Bytes of a short line of JSON."""


def count_rows(path: Path) -> int:
    """Return the number of rows: exact for Parquet, for lines an upper estimate, which is too low if compressed."""
    if is_json(path.name):
        return path.stat().st_size // LINE
    with open_parquet(path) as file:
        return int(file.metadata.num_rows)


def _heading(path: str, spark: Any) -> Any:
    if not is_remote(path):
        return heading_of(Path(path))
    first = spark.read.text(path).head() if is_json(path) else None
    return heading_in(first.value if first else "", path)


def settle_recordings(
    paths: Sequence[str], spark: Any, window: str | None, monoid: str | None
) -> tuple[str, str, Window, Domain]:
    """Return the window and the monoid by name, and as objects.  Raises InputError for files that name others."""
    window, monoid = settle([(path, _heading(path, spark)) for path in paths], window, monoid)
    if window not in RECORDED:
        raise InputError(f"--window {window}: recordings support {', '.join(RECORDED)}")
    kind = WINDOWS[window]
    domain = _monoid(monoid, kind)
    for path in paths:
        if not is_json(path) and not is_remote(path):
            check_schema(open_parquet(Path(path)).schema_arrow, Rules.of(domain, kind), path)
    return window, monoid, kind, domain


def _on_spark(
    spark: "SparkSession",
    paths: Sequence[str],
    window: str,
    monoid: str,
    only: str | None,
    quarantine: str | None,
    out: str | None,
) -> Any:
    from pyspark import StorageLevel
    from pyspark.errors import PySparkException

    from swagproof.pipeline.recordings.on_spark import Reader, Recordings, collect_verdicts, sources
    from swagproof.pipeline.session import importable

    names, lines = sources(paths)
    recordings = Recordings(spark, names, Reader(window, importable(spark, monoid), lines), only)
    try:
        verdicts = recordings.verdicts()
        if out is not None:
            verdicts.write.parquet(out)
            verdicts = spark.read.parquet(out)
        else:
            verdicts = verdicts.persist(StorageLevel.DISK_ONLY)
        summary = Summary.of(collect_verdicts(verdicts))
        if quarantine is not None and summary.bad:
            recordings.quarantine().write.parquet(quarantine)
    except PySparkException as error:
        raise InputError(f"Spark: {name_cause(error)}") from None
    return summary, recordings.prefix


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--window", type=click.Choice(RECORDED), help="The kind of window, if the recording does not state it.")
@click.option(
    "--monoid", metavar="NAME", help="The monoid, if the recording does not state it; a custom one as path.py:NAME."
)
@click.option("--trace", "only", metavar="NAME", help="Judge only this trace.")
@click.option("--export", metavar="DIR", help="Write failing traces to this directory, each in full and reduced.")
@click.option(
    "--quarantine", metavar="DIR", callback=refuse_existing, help="Write rows that cannot be judged to this directory."
)
@click.option(
    "--out",
    metavar="DIR",
    callback=refuse_existing,
    help="Write the verdict on each trace to this directory, as Parquet.",
)
@spark_options
@report_options()
def replay(**options: Any) -> None:
    """Judge recorded traces of an implementation.

    Each FILE is Parquet or JSON lines (.jsonl, .ndjson, .json, also .gz), or a directory of such files.  Each row is
    one operation, with the columns trace, seq (0, 1, 2, ... in each trace), op, time and until (of some windows), value
    (of an insert) and answer (of a query).  Rows may be in any order, and may be repeated.

    Each trace has a verdict; the report shows the worst one.  --export writes two recordings of each failing trace:
    the trace up to the first wrong answer, and a reduced trace with the elements that the window holds at that point.
    The reduced trace shows what is wrong with the answer.  Run conform --trace to see whether the implementation gives
    that answer again.

    With --spark or --master the rows are judged on Spark; the verdicts are the same.

    Exit codes: 0 every trace conforms, 1 violated, 2 error (usage, input, or rows that cannot be judged), 3 unknown (a
    trace without queries), 130 interrupted, 143 terminated.

    \b
    Examples:
      swagproof replay recorded.jsonl
      swagproof replay recorded.parquet --window fifo --monoid sum --export failing
      swagproof replay logs/ --window out-of-order --monoid max --spark --out verdicts
      swagproof replay s3a://bucket/logs/ --window fifo --monoid sum --master spark://host:7077
    """
    if ":" in (options["monoid"] or ""):
        run_and_report_apart(lambda: _replay(**options), memory=ROOM)
    run_and_report(lambda: _replay(**options))
