"""The engines' conformance table: it matches the adapters' verdicts, and every violation can be reproduced."""

import itertools
import math
import re
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
from swagproof.oracle.mistakes import show_json
from swagproof.oracle.outcome import Tried
from swagproof.oracle.runner import run
from swagproof.oracle.subject import load_subject, subject_of
from swagproof.oracle.trace import InputError, encode_answer

QUICK = [name for name in engines.MODULES if name != "spark_frames"]
PAGE = engines.PAGE.read_text(encoding="utf-8")
VIOLATION = re.compile(
    r"""<a[ ]id="(?P<module>\w+)-(?P<number>\d+)"></a>\*\*(?P<what>[^\n]*?):\*\*[^\n]*\n\n
    ```\w+\n(?P<text>.*?)\n```\n\n
    It[ ](?:raises[ ]`(?P<error>\w+)`|answers[ ]`(?P<got>[^\n]*)`;[ ]right[ ]is[ ]`(?P<right>[^\n]*)`)\.\n""",
    re.DOTALL | re.VERBOSE,
)
VIOLATIONS = [found.groupdict() for found in VIOLATION.finditer(PAGE)]


def read_section(module: str) -> dict[tuple[str, str], dict[str, str]]:
    """Return the cells of a module's tables by class, by engine and aggregate."""
    section = PAGE.partition(f"<!-- {module} -->\n")[2].partition("<!-- end -->")[0]
    cells: dict[tuple[str, str], dict[str, str]] = {}
    engine = ""
    for line in section.splitlines():
        if line.startswith("### "):
            engine = line[4:].rpartition(" (")[0]
        elif line.startswith("| `"):
            aggregate, *texts = line.strip("| ").replace("\\|", "|").split(" | ")
            cells[engine, aggregate] = dict(zip(engines.CLASSES, texts, strict=True))
    return cells


def find_cells(adapter: type[Batch], module: str) -> dict[str, str]:
    """Return the cells of an adapter by class."""
    return read_section(module)[adapter.engine, engines.label(adapter)]


def is_judged(module: str) -> bool:
    """Return whether the page covers the installed version of an engine."""
    return all(f"### {each.engine} ({engines.installed(module)})\n" in PAGE for each in engines.adapters(module))


@pytest.mark.parametrize("module", engines.MODULES)
def test_the_table_is_about_what_is_installed(module: str) -> None:
    if module == "sqlite_frames" and not is_judged(module):
        pytest.skip("the table is about another SQLite than the one that comes with this Python")
    assert is_judged(module), f"python docs/makers/engines.py {module}"
    assert len(read_section(module)) == len(engines.adapters(module))
    for adapter in engines.adapters(module):
        assert find_cells(adapter, module).keys() == {*engines.CLASSES}, f"python docs/makers/engines.py {module}"


def test_every_violated_cell_leads_to_a_query() -> None:
    linked = re.findall(r"\*\*\[violated\]\(#(\w+-\d+)\)\*\*", PAGE)
    assert sorted(linked) == sorted(f"{each['module']}-{each['number']}" for each in VIOLATIONS)
    assert len(linked) > 30


@pytest.mark.parametrize("cell", VIOLATIONS, ids=lambda cell: f"{cell['module']}-{cell['number']}")
@pytest.mark.drawn(10)
def test_every_violation_can_be_pasted_into_the_engine(cell: dict[str, str | None]) -> None:
    """The page's own text, run in the engine alone, gives the wrong answer."""
    module, text = str(cell["module"]), str(cell["text"])
    if not is_judged(module):
        pytest.skip(f"{engines.MODULES[module]} is {engines.installed(module)} here, which may have mended it")
    if cell["error"]:
        with pytest.raises(RuntimeError, match=f"^{cell['error']}$"):
            paste(module, text)
    else:
        assert show_json(encode_answer(paste(module, text))) == cell["got"]
        assert cell["got"] != cell["right"]


@pytest.mark.parametrize("module", QUICK)
@pytest.mark.drawn(2)
def test_what_conforms_still_does_on_a_trace_of_each_class(module: str) -> None:
    for adapter in engines.adapters(module):
        subject = load_subject(f"{engines.ROOM}.{module}:{adapter.__name__}", "frame")
        for phase in frame.phases([adapter.domain()], 0):
            if not find_cells(adapter, module).get(phase.name, "").isdecimal():
                continue
            chosen, _, steps, _ = next(attempt for attempt in phase.attempts if adapter.offers(attempt.steps))
            tried = Tried()
            clock = Clock()
            assert run(subject, chosen, steps, clock, tried) is None, (subject.name, phase.name)
            assert tried.queries == 1


@pytest.mark.drawn(0)
def test_spark_conforms_on_a_trace_of_each_aggregate(spark: Any) -> None:
    """Use the running session; start none."""
    for at, adapter in enumerate(engines.adapters("spark_frames")):
        subject = subject_of(adapter, adapter.__name__, "frame")
        name = engines.CLASSES[at % 5]
        chosen, _, steps, _ = engines.spread(engines.attempts(adapter, name), 3)[1]
        clock = Clock(120)
        assert run(subject, chosen, steps, clock, Tried()) is None
    assert spark.sql("SELECT 1").collect()


def test_a_wrong_query_is_found() -> None:
    """Negative controls: adapters that run another query."""
    from swagproof.oracle.engines import duckdb_frames, sqlite_frames

    class CountsRows(sqlite_frames.Count):
        """Count rows, not values."""

        aggregate = "count(*)"

    class Default(duckdb_frames.Sum):
        """Omit the frame, so that SQL's default applies."""

        @classmethod
        def over(cls, frame: Frame) -> str:
            return "ORDER BY t, i"

    class Arrivals(duckdb_frames.Concatenation):
        """Aggregate in the order of arrival."""

        aggregate = "string_agg(v, '' ORDER BY i)"

    class ByTime(sqlite_frames.Last):
        """Order rows with equal times arbitrarily."""

        order = "t, -i"

    for wrong in (CountsRows, Default, Arrivals, ByTime):
        report = judge(subject_of(wrong, wrong.__name__, "frame"), [wrong.domain()])
        assert report.verdict.outcome == "violated", wrong.__name__
        witness = report.verdict.witness
        assert witness is not None
        assert witness.paste == wrong.reproduction(witness.trace.steps)
        assert len(witness.trace.steps) <= 5


def test_rows_that_sqlite_may_refuse_to_add_up_are_not_asked_for() -> None:
    """SQLite documents that each intermediate sum must fit 64 bits; here the sum of all rows does not."""
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
        """An adapter without the engine's type names."""

    wrong = Untyped.of("Sum", "sql-sum", "sum(v)")
    report = judge(subject_of(wrong, "Untyped", "frame"), [wrong.domain()])
    assert report.verdict.outcome == "violated"
    assert report.verdict.witness is not None
    assert (
        report.verdict.witness.paste
        == "reproduction() raised AttributeError: type object 'Sum' has no attribute 'types'"
    )

    class Unsure(sqlite_frames.Sum):
        """An adapter whose `offers` fails."""

        @classmethod
        def offers(cls, steps: Any) -> bool:
            raise RuntimeError("no frame")

    with pytest.raises(InputError, match=r"Unsure: offers\(\) raised RuntimeError: no frame"):
        judge(subject_of(Unsure, "Unsure", "frame"), [Unsure.domain()])


def test_a_table_is_what_was_inserted() -> None:
    """Its rows are those of the trace for every query: text with quotes, the limits of 64 bits, no rows at all."""
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
    """This matters for data frames, for which the adapter does not run the text itself."""
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
    assert_refused(result, "sqlite_frames:FloatMax does not support these operations")


def test_what_is_not_defined_is_not_asked() -> None:
    from swagproof.oracle.engines import duckdb_frames, pandas_frames, sqlite_frames
    from swagproof.pipeline import spark_frames

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
