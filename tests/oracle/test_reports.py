"""Reports as files: JUnit XML, Markdown, HTML and JSON say the same, and nothing that a subject says is markup."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner, Result
from support.places import TESTS

from swagproof.oracle.commands.conform import conform
from swagproof.oracle.reports import FORMATS, report_options, write_reports
from swagproof.oracle.reports.content import FIRST, LAST, Content
from swagproof.reports.delivery import UnwritableError, write

SUBJECTS = TESTS / "subjects"
HOSTILE = "<script>alert('x')</script>|`*_[a](javascript:b)\x00\ud800 & ```\n# head"
HOSTILE_VERDICT: dict[str, Any] = {
    "format": "swagproof-verdict",
    "version": 1,
    "outcome": "violated",
    "sentence": HOSTILE,
    "subject": HOSTILE,
    "window": "fifo",
    "monoids": [{"name": HOSTILE, "traces": 3}],
    "witness": {
        "monoid": "concatenation",
        "operations": [["insert", HOSTILE], ["query"], ["query"]],
        "expected": HOSTILE,
        "got": [HOSTILE],
        "error": None,
        "diagnosis": HOSTILE,
        "picture": HOSTILE,
        "stderr": HOSTILE,
    },
    "replay": HOSTILE,
}


def run(subject: str, *options: str) -> Result:
    return CliRunner().invoke(conform, [f"{SUBJECTS}/{subject}", "--window", "fifo", *options])


def verdict(subject: str, *options: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run(subject, "--json", "-", *options).stdout)
    return data


def rendered(name: str, data: dict[str, Any]) -> str:
    return FORMATS[name][0](data)


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


def test_one_run_writes_them_all(tmp_path: Path) -> None:
    files = {name: tmp_path / f"verdict.{name}" for name in FORMATS}
    options = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    result = run("wrong.py:StaleAfterDrain", "--seed", "0", *options)
    assert result.exit_code == 1
    assert result.stdout.startswith("violated: ")
    data = json.loads(files["json"].read_text())
    for name, file in files.items():
        assert file.read_text() == rendered(name, data)
        assert data["sentence"].partition('"')[0] in file.read_text()


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_cannot_be_written_is_refused_before_the_search(name: str) -> None:
    result = run("wrong.py:Hangs", f"--{name}", "/no/such/directory/file")
    assert result.exit_code == 2
    assert f"'--{name}': cannot write to /no/such/directory/file" in result.stderr


def test_two_reports_in_one_place_are_refused(tmp_path: Path) -> None:
    for place in ("-", str(tmp_path / "file")):
        result = run("right.py:ListWindow", "--markdown", place, "--html", place)
        assert result.exit_code == 2
        assert f"{place} is where another report goes" in result.stderr


@pytest.mark.parametrize("name", FORMATS)
def test_one_report_takes_standard_output_for_itself(name: str) -> None:
    result = run("wrong.py:OperandSwap", "--monoid", "concatenation", "--seed", "0", f"--{name}", "-")
    assert result.exit_code == 1
    assert result.stdout.startswith({"json": "{", "junit": "<?xml", "markdown": "## ", "html": "<!doctype"}[name])


def test_junit_counts_a_case_for_each_phase_over_each_monoid() -> None:
    data = verdict("wrong.py:LateGrowth", "--monoid", "sum", "--monoid", "concatenation", "--seed", "0")
    root = ElementTree.fromstring(rendered("junit", data))
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
    assert name == f"{data['phases'][-1]['name']} over {data['witness']['monoid']}"
    assert failure.get("message") == data["sentence"]
    assert failure.get("type") == data["witness"]["diagnosis"]
    assert data["replay"] in (failure.text or "")


@pytest.mark.parametrize(
    ("outcome", "failures", "errors"), [("conforms", 0, 0), ("violated", 1, 0), ("error", 0, 1), ("unknown", 0, 1)]
)
def test_junit_of_each_outcome(outcome: str, failures: int, errors: int) -> None:
    data = {"format": "swagproof-audit", "outcome": outcome, "sentence": "said", "windows": 12}
    (suite,) = ElementTree.fromstring(rendered("junit", data))
    assert (suite.get("failures"), suite.get("errors"), suite.get("tests")) == (str(failures), str(errors), "1")
    (case,) = suite.findall("testcase")
    assert case.get("name") == "audit"
    assert len(case.findall("failure")) == failures
    assert len(case.findall("error")) == errors
    assert len(suite.findall("system-out")) == (outcome == "conforms")


def test_hostile_output_is_text_in_xml() -> None:
    root = ElementTree.fromstring(rendered("junit", HOSTILE_VERDICT).encode())
    (failure,) = root.iter("failure")
    assert "<script>alert('x')</script>" in (failure.text or "")
    assert {element.tag for element in root.iter()} <= {
        *("testsuites", "testsuite", "properties", "property", "testcase", "failure"),
    }


def test_hostile_output_is_text_in_html() -> None:
    text = rendered("html", HOSTILE_VERDICT)
    page = _Tags(text)
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "img", "a", "iframe", "link", "object", "form", "input"}
    assert not {name for _, attributes in page.tags for name in attributes} & {"src", "href", "onclick", "style"}
    assert page.open == []
    assert any("<script>alert('x')</script>" in words for words in page.words)
    policy = [attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"]
    assert not re.search(r"url\(|@import|https?:", text)


def test_html_is_accessible_and_knows_the_dark() -> None:
    text = rendered("html", verdict("wrong.py:StaleAfterDrain", "--seed", "0"))
    page = _Tags(text)
    assert ("html", {"lang": "en"}) in page.tags
    assert text.count("<table>") == text.count("<caption>") == text.count("<thead>") > 2
    assert all("scope" in attributes for tag, attributes in page.tags if tag == "th")
    assert "color-scheme: light dark" in text
    assert "prefers-color-scheme: dark" in text
    assert "(fails)" in text  # not told by colour alone


def test_hostile_output_is_text_in_markdown() -> None:
    text = rendered("markdown", HOSTILE_VERDICT)
    outside = re.sub(r"^(`{3,})[^\n]*\n.*?\n\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert "<script" not in outside
    assert "](" not in outside.replace("\\]", "")
    assert [line for line in outside.splitlines() if line.startswith("# ")] == []
    table = [line for line in outside.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} <= {3, 5}  # no cell breaks out of its row


def test_the_trace_is_told_step_by_step_with_the_right_answers() -> None:
    data = verdict(
        "wrong.py:LosesAtFlip", "--monoid", "concatenation", "--trace", 'insert "a", insert "b", query, evict, query'
    )
    rows = Content.of(data).steps
    assert [(row.number, row.operation, row.expected, row.got) for row in rows] == [
        ("1", 'insert "a"', "", ""),
        ("2", 'insert "b"', "", ""),
        ("3", "query", '"ab"', "as expected"),
        ("4", "evict", "", ""),
        ("5", "query", '"b"', json.dumps(data["witness"]["got"])),
    ]
    assert [row.fails for row in rows] == [False] * 4 + [True]


def test_a_subject_that_raises_says_so_in_its_row() -> None:
    data = verdict("wrong.py:RaisesWhenEmpty", "--monoid", "sum", "--seed", "0")
    assert Content.of(data).steps[-1].got.startswith("IndexError")


def test_long_traces_are_shortened_and_equal_operations_are_one_row() -> None:
    operations = [["insert", 1]] * 500 + [["insert", number] for number in range(300)] + [["query"]]
    witness = {"monoid": "sum", "operations": operations, "expected": 1, "got": 2}
    rows = Content.of({"outcome": "violated", "sentence": "", "window": "fifo", "witness": witness}).steps
    assert rows[0].number == "1-500"
    assert len(rows) == FIRST + LAST + 1
    assert rows[FIRST].operation.endswith("more rows, which are in the JSON")
    assert rows[-1].fails


def test_what_is_not_known_is_shown_as_it_is() -> None:
    data = {
        "outcome": "violated",
        "sentence": "12 of 3,000 windows differ",
        "engine": "spark",
        "rows": 3000,
        "left": {"only_left": 4, "only_right": 8},
        "differences": [{"key": "UA", "start": 5}, {"key": "B6", "expected": 1}],
        "witness": {"monoid": "path.py:Mine", "operations": [["insert", 1], ["query"]], "expected": 3, "got": 4},
    }
    for name in ("junit", "markdown", "html"):
        text = rendered(name, data)
        for said in ("spark", "3,000", "only left 4", "UA", "B6"):
            assert said in text
    assert Content.of(data).tables[0].headings == ("key", "start", "expected")


def test_another_command_has_the_same_options(tmp_path: Path) -> None:
    @click.command()
    @report_options
    def other() -> None:
        if not write_reports({"outcome": "conforms", "sentence": "well", "nan": 1}):
            click.echo("text")

    file = tmp_path / "report.md"
    result = CliRunner().invoke(other, ["--markdown", str(file)])
    assert (result.exit_code, result.stdout) == (0, "text\n")
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
    write(str(tmp_path / "file"), rendered(name, HOSTILE_VERDICT), f"--{name}")
    assert "\ud800" not in (tmp_path / "file").read_text(encoding="utf-8")
