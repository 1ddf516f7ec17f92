"""The engines' conformance table: it is what the adapters found, and every violation is there for all to see."""

import itertools
import math
import sqlite3
from typing import Any

import engines
import pytest
from support.command import assert_refused, conform
from support.engines import apart, paste

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.clock import Clock
from swagproof.oracle.engines.frames import Batch, Sql
from swagproof.oracle.judge import judge
from swagproof.oracle.kinds import frame
from swagproof.oracle.kinds.frame_history import FrameHistory
from swagproof.oracle.outcome import Tried
from swagproof.oracle.runner import run
from swagproof.oracle.subject import load_subject, subject_of
from swagproof.oracle.trace import InputError, encode_answer

DATA = engines.load_cells()
QUICK = [name for name in engines.MODULES if name != "spark_frames"]


def test_the_page_is_made_from_what_was_found() -> None:
    assert engines.PAGE.read_text(encoding="utf-8") == engines.page(DATA), "python docs/makers/engines.py -"


@pytest.mark.parametrize("module", engines.MODULES)
def test_the_table_is_about_what_is_installed(module: str) -> None:
    if module == "sqlite_frames" and DATA["versions"][module] != engines.installed(module):
        pytest.skip("the table is about another SQLite than the one that comes with this Python")
    assert DATA["versions"][module] == engines.installed(module), f"python docs/makers/engines.py {module}"
    named = {(cell["adapter"], cell["class"]) for cell in DATA["cells"]}
    for adapter, name in itertools.product(engines.adapters(module), engines.CLASSES):
        assert (f"{engines.ROOM}.{module}:{adapter.__name__}", name) in named, f"python docs/makers/engines.py {module}"


@pytest.mark.parametrize("number", range(1, len(engines.violations(DATA)) + 1))
def test_every_violation_can_be_pasted_into_the_engine(number: int) -> None:
    """The text of the page itself, in the engine and nothing else: the answer is the wrong one."""
    cell = engines.violations(DATA)[number - 1]
    adapter = engines.adapter_of(cell)
    module = cell["adapter"].partition(":")[0].rpartition(".")[2]
    if DATA["versions"][module] != engines.installed(module):
        pytest.skip(f"{adapter.engine} is {engines.installed(module)} here, which may have mended it")
    text = adapter.reproduction(engines.steps_of(cell))
    assert f"{text}\n```" in engines.PAGE.read_text(encoding="utf-8")
    if cell["error"]:
        raised = ""
        try:
            paste(module, text)
        except RuntimeError as error:
            raised = str(error)
        assert raised == cell["error"].partition(":")[0]
        return
    answers = paste(module, text)
    assert encode_answer(answers) == cell["got"]
    rule = frame.judge_each_row(adapter.domain()).rule
    history = FrameHistory.of(engines.steps_of(cell))
    reference = frame.Frames[Any](rule.mirror)
    reference.frame(history.declared.unit, history.declared.start, history.declared.end)
    for time, element in history.arrived:
        reference.insert(time, rule.mirror.lift(element))
    assert not rule.agree(reference.results(), answers)


@pytest.mark.parametrize("module", QUICK)
@pytest.mark.drawn(2)
def test_what_conforms_still_does_on_a_trace_of_each_class(module: str) -> None:
    for adapter in engines.adapters(module):
        subject = load_subject(f"{engines.ROOM}.{module}:{adapter.__name__}", "frame")
        for phase in frame.phases([adapter.domain()], 0):
            (cell,) = (
                (c for c in DATA["cells"] if (c["adapter"], c["class"]) == (subject.name, phase.name))
                if (phase.name in engines.CLASSES)
                else ({"outcome": "random"},)
            )
            if cell["outcome"] != "conforms":
                continue
            chosen, _, steps, _ = next(attempt for attempt in phase.attempts if adapter.offers(attempt.steps))
            tried = Tried()
            clock = Clock()
            assert run(subject, chosen, steps, clock, tried) is None, (subject.name, phase.name)
            assert tried.queries == 1


def test_spark_conforms_on_a_trace_of_each_aggregate(spark: Any) -> None:
    """In the session that is there; none is started."""
    for at, adapter in enumerate(engines.adapters("spark_frames")):
        subject = subject_of(adapter, adapter.__name__, "frame")
        name = engines.CLASSES[at % 5]
        chosen, _, steps, _ = engines.spread(engines.attempts(adapter, name), 3)[1]
        clock = Clock(120)
        assert run(subject, chosen, steps, clock, Tried()) is None
    assert spark.sql("SELECT 1").collect()


def test_a_wrong_query_is_found() -> None:
    """Negative controls: adapters that ask the engine for something else."""
    from swagproof.oracle.engines import duckdb_frames, sqlite_frames

    class CountsRows(sqlite_frames.Count):
        """Rows, not values."""

        aggregate = "count(*)"

    class Default(duckdb_frames.Sum):
        """The frame is forgotten, and SQL's default stands."""

        @classmethod
        def over(cls, frame: Frame) -> str:
            return "ORDER BY t, i"

    class Arrivals(duckdb_frames.Concatenation):
        """In the order of arrival."""

        aggregate = "string_agg(v, '' ORDER BY i)"

    class ByTime(sqlite_frames.Last):
        """Rows of an equal time in any order."""

        order = "t, -i"

    for wrong in (CountsRows, Default, Arrivals, ByTime):
        report = judge(subject_of(wrong, wrong.__name__, "frame"), [wrong.domain()])
        assert report.verdict.outcome == "violated", wrong.__name__
        witness = report.verdict.witness
        assert witness is not None
        assert witness.paste == wrong.reproduction(witness.trace.steps)
        assert len(witness.trace.steps) <= 5


def test_rows_that_sqlite_may_refuse_to_add_up_are_not_asked_for() -> None:
    """It says so: whatever is added up on the way to an answer has to fit 64 bits, as here all rows have not."""
    from swagproof.oracle.engines import sqlite_frames

    whole = Frame("rows", 1, None)
    for last, fits in ((2**62, False), (2**62 - 1, True)):
        rows = [(1, 2**62 - 1), (2, 1), (3, last)]
        steps = frame.trace(whole, rows)
        assert (sqlite_frames.Sum.offers(steps), sqlite_frames.Max.offers(steps)) == (fits, True)
        if fits:
            assert sqlite_frames.Sum.answers(whole, rows) == [2**62, 2**62 - 1, None]
        else:
            with pytest.raises(sqlite3.OperationalError, match="integer overflow"):
                sqlite_frames.Sum.answers(whole, rows)


def test_an_adapter_whose_own_methods_raise_is_told_so() -> None:
    from swagproof.oracle.engines import sqlite_frames

    class Untyped(Sql):
        """It names none of the engine's types."""

    wrong = Untyped.of("Sum", "sql-sum", "sum(v)")
    report = judge(subject_of(wrong, "Untyped", "frame"), [wrong.domain()])
    assert report.verdict.outcome == "violated"
    assert report.verdict.witness is not None
    assert (
        report.verdict.witness.paste
        == "reproduction() raised AttributeError: type object 'Sum' has no attribute 'types'"
    )

    class Unsure(sqlite_frames.Sum):
        """It does not know what it offers."""

        @classmethod
        def offers(cls, steps: Any) -> bool:
            raise RuntimeError("no frame")

    with pytest.raises(InputError, match=r"Unsure: offers\(\) raised RuntimeError: no frame"):
        judge(subject_of(Unsure, "Unsure", "frame"), [Unsure.domain()])


def test_a_table_is_what_was_inserted() -> None:
    """Whatever the query, its rows are those of the trace: text with quotes, the ends of 64 bits, no rows at all."""
    from swagproof.oracle.engines import datafusion_frames, duckdb_frames, sqlite_frames

    every: dict[str, list[Any]] = {
        "First": ["it's", "", None, "é"],
        "Max": [2**63 - 1, -(2**63), None, 0],
        "FloatMax": [5e-324, 0.1, -math.inf, 1e300, None],
    }
    for engine, (name, values) in itertools.product((duckdb_frames, datafusion_frames, sqlite_frames), every.items()):
        adapter: type[Sql] = getattr(engine, name)
        rows = list(enumerate(values, -2))
        assert adapter.answers(Frame("rows", 0, 0), rows) == values, adapter
        assert adapter.answers(Frame("rows", 0, 0), []) == []
        module = adapter.__module__.rpartition(".")[2]
        assert paste(module, adapter.write_query(Frame("rows", 0, 0), rows)) == values


def test_what_is_pasted_is_what_is_run() -> None:
    """In data frames, where the adapter does not run the text itself."""
    for module in ("polars_frames", "pandas_frames"):
        for adapter in engines.adapters(module):
            for name in ("rows", "range", "nulls"):
                for _, _, steps, _ in engines.spread(engines.attempts(adapter, name), 4):
                    history = FrameHistory.of(steps)
                    native = apart(adapter.answers, history.declared, history.arrived)
                    assert paste(module, adapter.reproduction(steps)) == native, (adapter, steps)


def test_a_long_table_is_written_as_a_rule() -> None:
    from swagproof.oracle.engines.sqlite_frames import LONG, Max

    rows = [(time, 4 if time == 70 else None if time == 80 else 2) for time in range(7, 7 + 2 * LONG)]
    text = Max.write_query(Frame("rows", 0, 0), rows)
    assert len(text) < 400
    assert paste("sqlite_frames", text) == [value for _, value in rows]


def test_a_replay_of_what_is_not_offered_says_so() -> None:
    subject = f"{engines.ROOM}.sqlite_frames:FloatMax"
    trace = 'frame "rows" 0 0, insert 1 {"float": "nan"}, results'
    result = conform(subject, "--window", "frame", "--trace", trace)
    assert_refused(result, "sqlite_frames:FloatMax does not offer this")


def test_what_is_not_defined_is_not_asked() -> None:
    from swagproof.oracle.engines import duckdb_frames, pandas_frames, spark_frames, sqlite_frames

    def offered(adapter: type[Batch], of: Frame, *rows: tuple[Any, Any]) -> bool:
        return adapter.offers(frame.trace(of, rows))

    peers = Frame("range", -1, 0)
    assert offered(duckdb_frames.Concatenation, peers, (1, "a"), (1, "b"))
    assert not offered(sqlite_frames.Concatenation, peers, (1, "a"), (1, "b"))
    assert offered(sqlite_frames.Concatenation, Frame("rows", -1, 0), (1, "a"), (1, "b"))
    assert offered(duckdb_frames.Sum, Frame("rows", -1, 0), (1, 2**63 - 1), (2, 1))
    assert not offered(sqlite_frames.Sum, Frame("rows", -1, 0), (1, 2**63 - 1), (2, 1))
    assert offered(sqlite_frames.Sum, Frame("rows", 0, 0), (1, 2**63 - 1), (2, 1))
    assert not offered(sqlite_frames.FloatMax, Frame("rows", 0, 0), (1, math.nan))
    assert not offered(sqlite_frames.Sum, Frame("rows", 0, 0), (0.5, 1))
    assert not offered(duckdb_frames.Sum, Frame("range", 0, 2**63 - 1), (1, 1))
    assert not offered(spark_frames.ArgMax, Frame("rows", -1, 0), (1, (2, "a")), (2, (2, "b")))
    assert not offered(spark_frames.Sum, Frame("rows", 2, 1), (1, 1))
    assert not offered(pandas_frames.FloatSum, peers, (1, 1.0), (1, 2.0))
    assert not offered(pandas_frames.FloatSum, Frame("rows", None, 0), (1, 1.0))
