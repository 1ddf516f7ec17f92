"""Reports as files: JUnit XML, Markdown, HTML and JSON have the same content, and escape a subject's text."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner, Result
from support.places import TESTS

from swagproof.oracle.commands.conform import conform
from swagproof.oracle.reports.trace_rows import FIRST, LAST, trace_rows
from swagproof.oracle.trace import EVICT, QUERY, Step, Trace, insert
from swagproof.oracle.verdict import Witness
from swagproof.reports import html, markdown
from swagproof.reports.delivery import FORMATS, UnwritableError, deliver, report_options, write
from swagproof.reports.report import Block, Facts, Outcome, Replay, Report, Table
from swagproof.reports.text import render

SUBJECTS = TESTS / "subjects"
HOSTILE = "<script>alert('x')</script>|`*_[a](javascript:b)\x00\ud800 & ```\n# head"
HOSTILE_REPORT = Report(
    "violated",
    HOSTILE,
    {"format": "swagproof-verdict", "window": "fifo", "witness": {"diagnosis": HOSTILE}},
    HOSTILE,
    (
        Facts(((HOSTILE, HOSTILE),)),
        Table(HOSTILE, ("", HOSTILE), (("1", HOSTILE), ("2", HOSTILE)), ends_in_failure=True),
        Block("state", HOSTILE, HOSTILE),
        Block("", HOSTILE),
        Table.of_records("monoids", [{"name": HOSTILE, "traces": 3}, {HOSTILE: HOSTILE}], lines=(HOSTILE,)),
        Replay(HOSTILE),
    ),
    note=HOSTILE,
)


def run(subject: str, *options: str) -> Result:
    return CliRunner().invoke(conform, [f"{SUBJECTS}/{subject}", "--window", "fifo", *options])


def write_all(folder: Path, subject: str, *options: str) -> tuple[Result, dict[str, str]]:
    """Run once, and return the report in each format."""
    files = {name: folder / f"verdict.{name}" for name in FORMATS}
    result = run(subject, *options, *(word for name, file in files.items() for word in (f"--{name}", str(file))))
    return result, {name: file.read_text() for name, file in files.items()}


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_one_run_writes_them_all_and_they_say_the_same(tmp_path: Path) -> None:
    result, reports = write_all(tmp_path, "wrong.py:StaleAfterDrain", "--seed", "0")
    assert result.exit_code == 1
    assert result.stdout.startswith("violated: ")
    data = json.loads(reports["json"])
    said = data["sentence"].partition('"')[0]
    assert all(said in report for report in (result.stdout, *reports.values()))
    facts = re.findall(r"^  (tried|found by|searched) +(.*)$", result.stdout, re.MULTILINE)
    assert len(facts) == 3
    for name in ("junit", "markdown", "html"):
        assert all(value in reports[name] for _, value in facts)


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_cannot_be_written_is_refused_before_the_search(name: str) -> None:
    result = run("wrong.py:Hangs", f"--{name}", "/no/such/directory/file")
    assert result.exit_code == 2
    assert f"'--{name}': cannot write to /no/such/directory/file" in result.stderr


def test_two_reports_in_one_place_are_refused(tmp_path: Path) -> None:
    for place in ("-", str(tmp_path / "file")):
        result = run("right.py:ListWindow", "--markdown", place, "--html", place)
        assert result.exit_code == 2
        assert f"--markdown writes to {place}, too" in result.stderr
    result = run("right.py:ListWindow", "--json", str(tmp_path / "file"), "--html", f"{tmp_path}/./file")
    assert result.exit_code == 2, "however it is spelled"


def test_a_report_does_not_go_over_what_is_judged(tmp_path: Path) -> None:
    subject = tmp_path / "mine.py"
    subject.write_text("class Window: pass\n")
    result = CliRunner().invoke(conform, [f"{subject}:Window", "--window", "fifo", "--json", f"{tmp_path}/./mine.py"])
    assert (result.exit_code, "is an input file" in result.stderr) == (2, True)
    assert subject.read_text() == "class Window: pass\n"


@pytest.mark.parametrize("renders", [render, markdown.render, html.render])
def test_what_turns_words_round_or_moves_a_cursor_is_spelled(renders: Callable[[Report], str]) -> None:
    """Such characters may be part of a key, in every format."""
    table = Table("found", ("key",), (("a\x1b[2J\u202eb\x01",),))
    said = renders(Report("violated", "of \u202e is wrong", {}, sections=(table,)))
    assert not {"\x1b", "\u202e", "\x01"} & set(said)
    assert "\\u202e" in said.replace("\\\\", "\\")


@pytest.mark.parametrize("name", FORMATS)
def test_one_report_takes_standard_output_for_itself(name: str) -> None:
    result = run("wrong.py:OperandSwap", "--monoid", "concatenation", "--seed", "0", f"--{name}", "-")
    assert result.exit_code == 1
    assert result.stdout.startswith({"json": "{", "junit": "<?xml", "markdown": "## ", "html": "<!doctype"}[name])


def test_junit_counts_a_case_for_each_phase_over_each_monoid(tmp_path: Path) -> None:
    monoids = ("--monoid", "sum", "--monoid", "concatenation")
    _, reports = write_all(tmp_path, "wrong.py:LateGrowth", *monoids, "--seed", "0")
    data = json.loads(reports["json"])
    root = ElementTree.fromstring(reports["junit"])
    (suite,) = root
    cases = suite.findall("testcase")
    assert root.tag == "testsuites"
    assert suite.tag == "testsuite"
    assert {case.get("name") for case in cases} == {f"{cell['phase']} over {cell['monoid']}" for cell in data["cells"]}
    assert len(cases) >= 3
    for element in (root, suite):
        assert (element.get("tests"), element.get("failures"), element.get("errors")) == (str(len(cases)), "1", "0")
        assert float(element.get("time", "")) >= 0
    ((name, failure),) = [(case.get("name"), failure) for case in cases for failure in case.findall("failure")]
    assert name == f"{data['cells'][-1]['phase']} over {data['witness']['monoid']}"
    assert failure.get("message") == data["sentence"]
    assert failure.get("type") == data["witness"]["diagnosis"]
    assert data["replay"] in (failure.text or "")


@pytest.mark.parametrize(
    ("outcome", "failures", "errors"),
    [("conforms", 0, 0), ("violated", 1, 0), ("error", 0, 1), ("broken", 0, 1), ("unknown", 0, 1), ("done", 0, 0)],
)
def test_junit_of_each_outcome(outcome: Outcome, failures: int, errors: int) -> None:
    report = Report(outcome, "said", {"format": "swagproof-audit"})
    (suite,) = ElementTree.fromstring(FORMATS["junit"][0](report))
    assert (suite.get("failures"), suite.get("errors"), suite.get("tests")) == (str(failures), str(errors), "1")
    (case,) = suite.findall("testcase")
    assert case.get("name") == "audit"
    assert len(case.findall("failure")) == failures
    assert len(case.findall("error")) == errors
    assert len(suite.findall("system-out")) == (outcome in ("conforms", "done"))


def test_hostile_output_is_text_in_xml() -> None:
    root = ElementTree.fromstring(FORMATS["junit"][0](HOSTILE_REPORT).encode())
    (failure,) = root.iter("failure")
    assert "<script>alert('x')</script>" in (failure.text or "")
    assert {element.tag for element in root.iter()} <= {
        *("testsuites", "testsuite", "properties", "property", "testcase", "failure"),
    }


def test_hostile_output_is_text_in_html() -> None:
    text = FORMATS["html"][0](HOSTILE_REPORT)
    page = _Tags(text)
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "img", "a", "iframe", "link", "object", "form", "input"}
    assert not {name for _, attributes in page.tags for name in attributes} & {"src", "href", "onclick", "style"}
    assert page.open == []
    assert any("<script>alert('x')</script>" in words for words in page.words)
    policy = [attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"]
    assert not re.search(r"url\(|@import|https?:", text)


def test_html_is_accessible_and_knows_the_dark(tmp_path: Path) -> None:
    text = write_all(tmp_path, "wrong.py:StaleAfterDrain", "--seed", "0")[1]["html"]
    page = _Tags(text)
    assert ("html", {"lang": "en"}) in page.tags
    assert text.count("<table>") == text.count("<thead>") > 2
    headings, captions = ({*re.findall(rf"<{tag}>(.*?)</{tag}>", text.lower())} for tag in ("h2", "caption"))
    assert captions == {"what was judged, and how"}
    assert {name.lower() for name in re.findall('role="region"[^>]*aria-label="([^"]*)"', text)} <= headings | captions
    assert all("scope" in attributes for tag, attributes in page.tags if tag == "th")
    assert "color-scheme: light dark" in text
    assert "prefers-color-scheme: dark" in text
    assert "(fails)" in text  # colour is not the only sign


def test_hostile_output_is_text_in_markdown() -> None:
    text = FORMATS["markdown"][0](HOSTILE_REPORT)
    outside = re.sub(r"^(`{3,})[^\n]*\n.*?\n\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert "<script" not in outside
    assert "](" not in outside.replace("\\]", "")
    assert [line for line in outside.splitlines() if line.startswith("# ")] == []
    table = [line for line in outside.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} <= {3, 4}  # no cell breaks the table


def a_witness(*steps: Step, monoid: str = "sum", error: str | None = None) -> Witness:
    trace = Trace(steps, monoid, "fifo")
    return Witness(trace, 1, 2, None, error, "wrong answer", minimal=False, found_by="replay")


@pytest.mark.parametrize(
    ("witness", "answers"),
    [
        (
            a_witness(insert("a"), insert("b"), QUERY, EVICT, QUERY, monoid="concatenation"),
            [("", ""), ("", ""), ('"ab"', "as expected"), ("", ""), ("1", "2")],
        ),
        (a_witness(QUERY, error="IndexError: empty"), [("", "IndexError: empty")]),
        (a_witness(insert(1), QUERY, QUERY, monoid="path.py:Mine"), [("", ""), ("", ""), ("1", "2")]),
    ],
    ids=["right answers", "raised", "a monoid that is not ours"],
)
def test_the_trace_is_told_step_by_step_with_the_answers_that_are_known(
    witness: Witness, answers: list[tuple[str, str]]
) -> None:
    steps = ((str(number), str(step)) for number, step in enumerate(witness.trace.steps, 1))
    assert trace_rows(witness) == [(*step, *told) for step, told in zip(steps, answers, strict=True)]


def test_long_traces_are_shortened_and_equal_operations_are_one_row() -> None:
    rows = trace_rows(a_witness(*[insert(1)] * 500, *map(insert, range(300)), QUERY))
    assert rows[0][0] == "1-500"
    assert len(rows) == FIRST + LAST + 1
    assert rows[FIRST][1].endswith("more rows, which are in the JSON")
    assert rows[-1] == ("801", "query", "1", "2")


def test_records_are_shown_as_they_are() -> None:
    differences = [{"the_key": "UA", "start": 5000}, {"the_key": "B6", "expected": [1]}, {"start": None}]
    table = Table.of_records("differences", differences)
    assert table.headings == ("the key", "start", "expected")
    assert table.rows == (("UA", "5,000", ""), ("B6", "", "[1]"), ("", "", ""))
    assert len(Table.of_records("long", [{"value": "x" * 10**6}]).rows[0][0]) < 2_000


def test_text_leads_with_the_verdict_or_ends_with_it() -> None:
    sections = (Facts((("name", "value"),)), Block("drawn", "one\ntwo"), Replay("again"))
    report = Report("violated", "it is wrong", {}, "mine.py", sections, note="a note")
    assert render(report).splitlines() == [
        "violated: mine.py",
        "  it is wrong",
        "  a note",
        "",
        "  name        value",
        "  drawn       one",
        "              two",
        "  replay      again",
    ]
    assert render(Report("done", "so many", {}, note="there")) == "done: so many\nthere"
    ledger = Table("ledger", ("claim", "s"), (("a paper",), ("one", "2")), words=("claim",))
    last = render(Report("conforms", "1 claim", {}, sections=(ledger,), sentence_last=True)).splitlines()
    assert last[-1] == "1 claim"
    assert any("a paper" in line for line in last)
    assert any("one" in line and line.rstrip("\u2502 ").endswith("2") for line in last)


def test_any_command_has_the_same_options(tmp_path: Path) -> None:
    @click.command()
    @report_options()
    def other() -> None:
        deliver(Report("conforms", "well", {"nan": 1}))

    file = tmp_path / "report.md"
    result = CliRunner().invoke(other, ["--markdown", str(file)])
    assert (result.exit_code, result.stdout) == (0, "conforms: well\n")
    assert file.read_text().startswith("## conforms\n\nwell\n")
    file.unlink()
    tmp_path.chmod(0o500)
    lost = CliRunner().invoke(other, ["--html", str(tmp_path / "sub" / "x")])
    assert lost.exit_code == 2
    tmp_path.chmod(0o700)


def test_a_file_that_cannot_be_written_after_all_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(UnwritableError, match=r"--html .*: Is a directory"):
        write(str(tmp_path), "text", "--html")


@pytest.mark.parametrize("name", ["junit", "markdown", "html"])
def test_what_no_text_may_hold_is_written_as_a_question_mark(name: str, tmp_path: Path) -> None:
    write(str(tmp_path / "file"), FORMATS[name][0](HOSTILE_REPORT), f"--{name}")
    assert "\ud800" not in (tmp_path / "file").read_text(encoding="utf-8")
