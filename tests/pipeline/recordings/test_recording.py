"""Recordings: their content, their named problems, and the report of a wrong answer."""

import math
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.recorded import (
    CONCATENATION,
    FAULTS,
    RIGHT,
    SUM,
    Record,
    fifo,
    judged,
    operations,
    out_of_order,
    over_time,
    recorded,
    shared,
    text,
    with_cells,
    write_lines,
    write_parquet,
)

from swagproof.oracle.domain import domain
from swagproof.oracle.window import FIFO, WINDOWS
from swagproof.pipeline.recordings.judges import Judged
from swagproof.pipeline.recordings.layout import ABSENT, PROBLEMS, row_of
from swagproof.pipeline.recordings.reduce import explain_trace, reduce_trace
from swagproof.pipeline.recordings.standing import judge_files
from swagproof.pipeline.recordings.summary import LISTED, Summary


def one(rows: list[Any], **how: Any) -> Judged:
    (verdict,) = judged(text(rows), **how)
    return verdict


def said(verdict: Judged) -> tuple[str, str | None, int | None]:
    return verdict.outcome, verdict.problem, verdict.seq


# Problems by name


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("batch", [1000, 3, 1])
def test_a_fault_is_named_wherever_batches_end(fault: str, batch: int) -> None:
    rows, expected = FAULTS[fault]
    verdict = one(rows, batch=batch)
    assert said(verdict) == expected
    assert verdict.rows == len(rows)


def test_every_problem_is_shown_by_some_fault() -> None:
    shown = {problem for _, (_, problem, _) in FAULTS.values()} | {"missing time"}
    assert shown - {None} == set(PROBLEMS)


def test_rows_that_come_twice_are_counted() -> None:
    rows, _ = FAULTS["the same row twice"]
    assert one(rows).repeated == 2
    assert one([*RIGHT, {**RIGHT[1], "answer": math.nan}], batch=100).problem == "conflicting rows"


@pytest.mark.parametrize("fault", FAULTS)
def test_the_order_in_which_rows_come_changes_nothing(fault: str) -> None:
    """The verdict and all counts are the same for any order and any batches."""
    rows, expected = FAULTS[fault]
    rows = [*rows, rows[0], *rows[4:6]]  # some are repeated
    (verdict,) = judged(text(rows))
    assert said(verdict) == expected
    for seed, batch in enumerate([1000, 4, 2, 1, 3]):
        (found,) = judged(text(Random(seed).sample(rows, len(rows))), batch=batch)
        assert found == verdict


def test_a_missing_row_is_waited_for_and_then_missed() -> None:
    gap = [RIGHT[0], *RIGHT[2:]]
    assert said(one([*gap, RIGHT[1]], batch=2)) == ("conforms", None, None)
    verdict = one(gap, batch=2)
    assert said(verdict) == ("error", "missing operation", 1)
    assert verdict.detail == "number 1 is missing: 2 follows 0"


def test_lines_that_are_no_rows() -> None:
    verdicts = judged([*text(RIGHT), "", "nonsense", "[1]", '{"format": "swagproof-recording", "version": 1}'])
    assert [verdict.outcome for verdict in verdicts] == ["conforms", "error"]
    assert verdicts[1].trace is None
    assert (verdicts[1].rows, verdicts[1].bad) == (2, 2), "a blank line and a heading are no rows"


@pytest.mark.parametrize(
    ("says", "outcome"),
    [({"window": "fifo", "monoid": "sum"}, None), ({"monoid": "max"}, "error"), ({"window": "shared"}, "error")],
)
def test_a_heading_further_down_must_say_the_same(tmp_path: Path, says: Record, outcome: str | None) -> None:
    again = {"format": "swagproof-recording", "version": 1, **says}
    path = write_lines(tmp_path / "joined.jsonl", [*RIGHT, again, *fifo("b", "iq")], {"window": "fifo"})
    found = {verdict.trace: verdict.outcome for verdict in judge_files([path], SUM, FIFO)}
    assert found.pop("a") == found.pop("b") == "conforms"
    assert found.get(None) == outcome


def test_a_row_that_comes_very_often_is_compared_each_time() -> None:
    often = [*RIGHT[:4], *([RIGHT[3]] * 9), *RIGHT[4:]]
    verdict = one(often, batch=3)
    assert (verdict.outcome, verdict.repeated) == ("conforms", 9)


def test_nan_has_no_place_in_an_order() -> None:
    rows = with_cells(fifo("a", "iq", element=1), 0, value=math.nan)
    assert said(one(rows, over=domain("max"))) == ("error", "unfit value", 0)
    nan = with_cells(rows, 1, answer=math.nan)
    assert one(nan, over=domain("float-sum")).outcome == "conforms"


def test_the_largest_of_shared_windows_is_the_largest_registered() -> None:
    assert one(shared("a", (2, 5)), over=CONCATENATION, window="shared").largest_window == 5


@pytest.mark.parametrize("cells", [{"time": ABSENT}, {"time": "noon"}, {"time": math.nan}, {"time": True}])
def test_times_must_be_times(cells: Record) -> None:
    rows = out_of_order("a", 1)
    at = next(at for at, row in enumerate(rows) if row["op"] == "insert")
    verdict = one(with_cells(rows, at, **cells), over=CONCATENATION, window="out-of-order")
    assert said(verdict) == ("error", "missing time", at)


@pytest.mark.parametrize("seed", range(5))
def test_out_of_order(seed: int) -> None:
    rows = out_of_order("a", seed)
    assert one(rows, over=CONCATENATION, window="out-of-order").outcome == "conforms"
    at = max(at for at, row in enumerate(rows) if row.get("answer"))
    wrong = with_cells(rows, at, answer=rows[at]["answer"] + "a")
    assert said(one(wrong, over=CONCATENATION, window="out-of-order")) == ("violated", "wrong answer", at)


def test_shared_windows() -> None:
    rows = shared("a", (2, 5))
    assert one(rows, over=CONCATENATION, window="shared").outcome == "conforms"
    last = len(rows) - 1
    wrong = with_cells(rows, last, answer=rows[last]["answer"][1:] + "z")
    assert said(one(wrong, over=CONCATENATION, window="shared")) == ("violated", "wrong answer", last)
    unregistered = with_cells(rows, last, time=7)
    assert said(one(unregistered, over=CONCATENATION, window="shared")) == ("error", "illegal operation", last)
    assert said(one(with_cells(rows, 0, time=0.5), over=CONCATENATION, window="shared"))[1] == "missing time"
    full = [read[1] for line in text(wrong) if (read := row_of(line))]
    short = reduce_trace(CONCATENATION, WINDOWS["shared"], iter(full))
    assert explain_trace(CONCATENATION, WINDOWS["shared"], short).outcome == "violated"
    assert sum(row[1] == "insert" for row in short) == 5


def test_windows_over_time() -> None:
    rows = over_time("a", 7)
    right = one(rows, over=CONCATENATION, window="time")
    assert (right.outcome, right.largest_window) == ("conforms", 4)
    last = len(rows) - 1
    wrong = with_cells(rows, last, answer="c" + rows[last]["answer"])
    assert said(one(wrong, over=CONCATENATION, window="time")) == ("violated", "wrong answer", last)
    back = with_cells(rows, last - 1, time=3)
    assert said(one(back, over=CONCATENATION, window="time")) == ("error", "illegal operation", last - 1)
    assert said(one(with_cells(rows, 0, time=-1), over=CONCATENATION, window="time"))[1] == "missing time"
    full = [read[1] for line in text(wrong) if (read := row_of(line))]
    short = reduce_trace(CONCATENATION, WINDOWS["time"], iter(full))
    assert [row[1] for row in short] == ["span", *["insert"] * 4, "query", "advance", "query"]
    verdict = explain_trace(CONCATENATION, WINDOWS["time"], short)
    assert verdict.sentence == 'once 1 of 4 elements has lapsed query answers "cabc" again, as before the advance'


IN_BULK = {
    "fifo": (
        'insert "a", query, begin_bulk, insert "b", insert "c", end_bulk, query, bulk_evict 0, bulk_evict 2, query',
        {"time": 4, "op": "bulk_evict"},
        'after evicting 1 of 2 elements the answer still contains "b"',
    ),
    "out-of-order": (
        'begin_bulk, insert 1 "a", insert 2 "b", end_bulk, query, insert 2 "c", insert 3 "c", bulk_evict 2, query',
        {"op": "begin_bulk"},
        'after inserting at 2, 2 and 3 and evicting 2, the answer still contains "b" and "c", evicted at 2',
    ),
}


@pytest.mark.parametrize("window", IN_BULK)
@pytest.mark.parametrize("batch", [1000, 1])
def test_bulks(window: str, batch: int) -> None:
    trace, illegal, sentence = IN_BULK[window]
    rows = recorded(trace, window)
    right = one(rows, over=CONCATENATION, window=window, batch=batch)
    assert (right.outcome, right.largest_window) == ("conforms", 3)
    last = len(rows) - 1
    wrong = with_cells(rows, last, answer="bc" if window == "fifo" else "bcc")
    assert said(one(wrong, over=CONCATENATION, window=window, batch=batch)) == ("violated", "wrong answer", last)
    never = with_cells(with_cells(rows, last - 1, time=ABSENT), last - 1, **illegal)
    found = said(one(never, over=CONCATENATION, window=window, batch=batch))
    assert found[:2] == ("error", "illegal operation")
    full = [read[1] for line in text(wrong) if (read := row_of(line))]
    short = reduce_trace(CONCATENATION, WINDOWS[window], iter(full))
    assert {row[1] for row in short} == {"insert", "evict", "query"}
    assert explain_trace(CONCATENATION, WINDOWS[window], short).sentence == sentence


def test_interleaved_traces_are_judged_apart() -> None:
    random, rows = Random(0), [fifo(str(n), operations(Random(n), 40)) for n in range(9)]
    rows[4] = with_cells(rows[4], 39, answer=-1)
    mixed = [row for trace in rows for row in trace]
    random.shuffle(mixed)
    found = {verdict.trace: verdict.outcome for verdict in judged(text(mixed), batch=50)}
    assert found == {str(n): "violated" if n == 4 else "conforms" for n in range(9)}


def test_large_integers_stay_exact(tmp_path: Path) -> None:
    large = 2**53 + 1
    rows = fifo("a", "iqiq", element=large)
    path = write_parquet(tmp_path / "large.parquet", rows, values=pa.int64())
    (verdict,) = judge_files([path], SUM, FIFO)
    assert verdict.outcome == "conforms"
    off = write_parquet(tmp_path / "off.parquet", with_cells(rows, 1, answer=large - 1), values=pa.int64())
    (verdict,) = judge_files([off], SUM, FIFO)
    assert (verdict.outcome, verdict.expected, verdict.got) == ("violated", str(large), str(large - 1))


def test_floating_sums_have_their_own_rule(tmp_path: Path) -> None:
    rows = fifo("a", "iiiq", domain("float-sum"), element=0.1)
    rows[3]["answer"] = 0.3
    path = write_parquet(tmp_path / "floats.parquet", rows, values=pa.float64())
    assert [v.outcome for v in judge_files([path], domain("float-sum"), FIFO)] == ["conforms"]
    (verdict,) = judge_files([path], SUM, FIFO)
    assert verdict.problem == "unfit value"
    assert "float-sum" in str(verdict.detail)
    whole = write_parquet(tmp_path / "whole.parquet", fifo("a", "iq", element=3), values=pa.float64())
    assert [v.outcome for v in judge_files([whole], SUM, FIFO)] == ["conforms"], "3.0 is an integer"


# Both forms


def test_both_forms_say_the_same(tmp_path: Path) -> None:
    rows = [row for n, (trace, _) in enumerate(FAULTS.values()) for row in trace if row.get("trace") for row in
            [{**row, "trace": str(n)}] if isinstance(seq := row.get("seq"), int) and seq < 2**63]  # fmt: skip
    lines = write_lines(tmp_path / "r.jsonl", rows)
    parquet = write_parquet(tmp_path / "r.parquet", rows)
    found = [{v.trace: (*v[1:3], *v[4:]) for v in judge_files([path], SUM, FIFO)} for path in (lines, parquet)]
    assert found[0] == found[1]
    assert {outcome for outcome, *_ in found[0].values()} == {"conforms", "violated", "error", "unknown"}


def test_bytes_that_are_no_text_are_a_flaw(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"trace": "a", "seq": 0, "op": "qu\xffery"}\n')
    (verdict,) = judge_files([path], SUM, FIFO)
    assert verdict.problem == "no trace"
    assert verdict.bad == 1


# The report of a wrong answer


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(["kept", "swapped", "stale", "lost", "other"]))
def test_a_reduced_trace_keeps_its_promises(seed: int, mistake: str) -> None:
    rows = fifo("a", operations(Random(seed), 60), CONCATENATION)
    answers = [row["answer"] for row in rows if "answer" in row]
    right = answers[-1]
    elements = "".join(row["value"] for row in rows if row["op"] == "insert")
    before = elements[: len(elements) - len(right)] if right else elements
    wrong = {
        "kept": before[-1:] + right,
        "swapped": right[::-1],
        "stale": answers[-2] if len(answers) > 1 else "z",
        "lost": right[1:],
        "other": "zz",
    }[mistake]
    if wrong == right:
        return
    rows[-1]["answer"] = wrong
    full = [read[1] for line in text(rows) if (read := row_of(line))]
    short = reduce_trace(CONCATENATION, FIFO, iter(full))
    steps = {row: number for number, row in enumerate(full)}
    assert [steps[row] for row in short] == sorted(steps[row] for row in short), "its rows are the recorded ones"
    verdict, whole = explain_trace(CONCATENATION, FIFO, short), explain_trace(CONCATENATION, FIFO, full)
    assert verdict.witness
    assert whole.witness
    assert (verdict.witness.expected, verdict.witness.got) == (right, wrong)
    assert len(verdict.witness.trace.steps) == len(short), "its last answer is the first that is wrong"
    if whole.witness.diagnosis == "element kept":
        assert verdict.witness.diagnosis == "element kept"
        assert len(short) < len(full) or len(full) == len(right) + 3


def test_what_is_reduced_is_read_in_little_memory() -> None:
    def endless() -> Any:
        for seq in range(0, 60_000, 3):
            yield seq, "insert", None, None, "ab"[seq % 2], None
            yield seq + 1, "evict", None, None, ABSENT, None
            yield seq + 2, "query", None, None, ABSENT, ""
        yield 60_000, "insert", None, None, "x", None
        yield 60_001, "query", None, None, ABSENT, "bx"

    short = reduce_trace(CONCATENATION, FIFO, endless())
    assert [(row[1], row[4]) for row in short] == [
        ("insert", "b"), ("evict", ABSENT), ("insert", "x"), ("query", ABSENT),
    ]  # fmt: skip
    verdict = explain_trace(CONCATENATION, FIFO, short)
    assert verdict.sentence == 'after evicting 1 of 2 elements the answer still contains "b"'


def test_out_of_order_reduced() -> None:
    rows: list[Any] = [(n, "insert", n, None, "abc"[n % 3], None) for n in range(30)]
    rows += [(30 + n, "evict", n, None, ABSENT, None) for n in range(28)]
    rows.append((58, "range_query", 0, 28, ABSENT, "ab"))
    short = reduce_trace(CONCATENATION, WINDOWS["out-of-order"], iter(rows))
    assert [row[0] for row in short if row[1] == "insert"][-2:] == [28, 29]
    assert len(short) <= 5
    assert explain_trace(CONCATENATION, WINDOWS["out-of-order"], short).outcome == "violated"


def test_a_long_list_of_failures_is_cut() -> None:
    summary = Summary()
    for n in range(5 * LISTED):
        row = Judged(f"{n}", "violated", "wrong answer", "", n, "query", "1", "2", n, 1, 1, 1, 0, 0)
        summary.add(row)
    summary.settle()
    assert summary.outcomes["violated"] == 5 * LISTED
    assert [row.operations for row in summary.failing] == list(range(LISTED))
