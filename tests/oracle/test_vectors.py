"""Test vectors: right by definition, described by their schema, reproducible, and fatal to wrong windows."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from caught import KINDS as KIND_OF
from caught import SUBJECTS, list_wrong
from click.testing import CliRunner, Result
from support.places import TESTS
from support.recorded import TimedWindow

from swagproof.cli import COMMANDS, commands, load_command
from swagproof.models.fifo import FifoWindow
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.models.shared import SharedWindows
from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Tried
from swagproof.oracle.runner import run
from swagproof.oracle.subject import load_subject
from swagproof.oracle.trace import EVICT, Step, Trace, asks, decode, evict_at, singly
from swagproof.oracle.vectors.drafts import FLAGS
from swagproof.oracle.vectors.reading import judge_by, read
from swagproof.oracle.vectors.written import (
    SCHEMA,
    Vectors,
    identity_of,
    make,
    schema_text,
    write_all,
)

MONOIDS = ("concatenation", "sum", "max", "mutable-collect", "affine", "float-sum")
KILLERS = {
    **dict.fromkeys(("fifo", "out-of-order", "shared", "time"), MONOIDS),
    "frame": tuple(KINDS["frame"].domains),
}


@cache
def made(window: str, monoid: str) -> Vectors:
    return make(window, monoid)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("vectors")
    write_all(directory, ["fifo"], ["concatenation", "sum", "wide-sum", "float-sum", "mutable-collect"])
    write_all(directory, ["out-of-order", "shared", "time"], ["concatenation"])
    write_all(directory, ["frame"], ["sql-float-sum"])
    return directory


def invoke(*words: str) -> Result:
    return CliRunner().invoke(commands, words)


@pytest.mark.drawn(0)
def test_every_file_meets_the_schema_and_is_the_references(place: Path) -> None:
    schema = json.loads((place / SCHEMA).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    files = sorted(set(place.glob("*.json")) - {place / SCHEMA})
    assert len(files) == 9
    for file in files:
        validator.validate(json.loads(file.read_text()))
        if file.stem in ("fifo-concatenation", "shared-concatenation", "frame-sql-float-sum"):
            assert read(file).text() == file.read_text()
    result = invoke("vectors", str(place), "--check")
    assert result.exit_code == 0
    assert result.stdout.count("fifo-") == 5
    assert result.stdout.endswith("all answers are the reference's\n")


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({"version": 2}, "1 was expected"),
        ({"window": "fifa"}, "'fifa' is not one of"),
        ({"more": 1}, "more"),
        (
            {
                "vectors": [
                    {"id": "fifo-sum-0", "flags": ["short words"], "comment": "", "operations": [], "answers": []}
                ]
            },
            "id",
        ),
        ({"flags": {"order": {"bug": "x"}}}, "description"),
        ({"aggregation": {}}, "lifts"),
    ],
)
def test_the_schema_refuses_what_is_no_file_of_vectors(place: Path, change: dict[str, Any], broken: str) -> None:
    data = json.loads((place / "fifo-sum.json").read_text())
    data["vectors"] = data["vectors"][:2]
    errors = list(jsonschema.Draft202012Validator(json.loads(schema_text())).iter_errors({**data, **change}))
    assert errors
    assert broken in str(errors)


MODELS: dict[str, Any] = {
    "fifo": FifoWindow,
    "out-of-order": OutOfOrderWindow,
    "shared": SharedWindows,
    "time": TimedWindow,
}


@pytest.mark.parametrize("window", MODELS)
@pytest.mark.parametrize("monoid", ["concatenation", "max", "wide-sum"])
@pytest.mark.drawn(5)
def test_answers_are_right_by_definition(window: str, monoid: str) -> None:
    """The models are lists, and every answer is recomputed."""
    operation = domain(monoid).operation
    for vector in made(window, monoid).vectors:
        if len(vector.steps) > 1500:
            continue
        model, answers = MODELS[window](operation), iter(vector.answers)
        for step in vector.steps:
            if step.name == "insert":
                model.insert(*step.arguments[:-1], operation.lift(step.arguments[-1]))
            elif asks(step):
                assert decode(next(answers)) == getattr(model, step.name)(*step.arguments), vector.id
            else:
                for single in one_by_one(step, model):
                    getattr(model, single.name)(*single.arguments)


def one_by_one(step: Step, model: Any) -> list[Step]:
    """Return the single operations that define a bulk."""
    if step.name != "bulk_evict":
        return [] if step.name in ("begin_bulk", "end_bulk") else [step]
    if isinstance(model, FifoWindow):
        return [EVICT] * step.arguments[0]
    return [evict_at(time) for time in model.times if time <= step.arguments[0]]


def test_floating_sums_may_be_off_by_what_rounding_accounts_for() -> None:
    for vector in made("fifo", "float-sum").vectors:
        if not vector.answers:  # a bulk that does not end
            continue
        assert vector.within is not None
        assert len(vector.within) == len(vector.answers)
        assert all(bound is None or bound >= 0 for bound in vector.within)
        window: list[float] = []
        asked = 0
        for step in singly(vector.steps[:200]):
            if step.name == "insert":
                window.append(step.arguments[0])
            elif step.name == "evict":
                del window[0]
            else:
                bound = vector.within[asked]
                assert bound is None or abs(sum(window) - vector.answers[asked]) <= bound, vector.id
                asked += 1


def test_bytes_and_ids_are_the_same_again() -> None:
    one, two, other = make("fifo", "sum"), make("fifo", "sum"), make("fifo", "sum", seed=1)
    assert one.text() == two.text()
    ids = {vector.id: vector.flags for vector in one.vectors}
    changed = ids.keys() - {vector.id for vector in other.vectors}
    assert 0 < len(changed) < len(ids)
    assert ("short words",) not in {ids[id] for id in changed}
    # Published ids: they must never change.
    assert identity_of("fifo", "concatenation", Trace((Step("query"),), "concatenation").steps) == (
        "fifo-concatenation-42e0999c88"
    )


@pytest.mark.parametrize("window", KINDS)
def test_every_flag_is_described_and_ids_are_unique(window: str) -> None:
    for monoid in KILLERS[window][:3]:
        vectors = made(window, monoid).vectors
        assert len({vector.id for vector in vectors}) == len(vectors)
        assert {flag for vector in vectors for flag in vector.flags} <= FLAGS.keys()


def test_every_flag_is_used() -> None:
    used = {
        flag
        for window in KINDS
        for monoid in (("concatenation", "sum") if window != "frame" else ("sql-sum", "sql-float-max"))
        for vector in made(window, monoid).vectors
        for flag in vector.flags
    }
    assert used == FLAGS.keys()


def _numbers(data: Any) -> Iterator[int]:
    if type(data) is int:
        yield data
    elif isinstance(data, list):
        for item in data:
            yield from _numbers(item)
    elif isinstance(data, dict):
        for item in data.values():
            yield from _numbers(item)


def test_no_number_is_more_than_a_float_holds(place: Path) -> None:
    text = (place / "fifo-wide-sum.json").read_text()
    assert '{"int": "9223372036854775808"}' in text
    assert max(map(abs, _numbers(json.loads(text)))) <= 2**53 - 1
    with pytest.raises(ValueError, match="expected digits in a string"):
        decode({"int": 3})


SPARED = ("Hangs", "BulkCrowdsAGap", "BulkEvictOfAFullRing")
"""Exceptions: a window that hangs, and two that need one large bulk, which the vectors lack."""


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, name, _ in list_wrong() if name not in SPARED])
@pytest.mark.drawn(8)
def test_the_vectors_alone_kill_a_wrong_window(file: str, name: str) -> None:
    window = KIND_OF[file]
    subject = load_subject(f"{SUBJECTS / file}.py:{name}", window)
    monoids = [monoid for monoid in KILLERS[window] if subject.monoids is None or monoid in subject.monoids]
    clock = Clock(5.0)
    clock.allow(60)
    killed = any(
        run(subject, domain(monoid), vector.steps, clock, Tried()) is not None
        for monoid in monoids
        for vector in made(window, monoid).vectors
        if all(step.name in subject.methods for step in vector.steps)
    )
    assert killed, name


@pytest.mark.parametrize(
    "spec",
    [
        "swagproof.reference.in_order.daba:Daba fifo mutable-collect",
        "right.py:DequeWindow fifo float-sum",
        "right.py:RunningSum fifo wide-sum",
        "right_out_of_order.py:SortedLists out-of-order concatenation",
    ],
)
def test_right_windows_pass(place: Path, spec: str) -> None:
    name, window, monoid = spec.split()
    subject = load_subject(name if name.startswith("swagproof") else f"{SUBJECTS}/{name}", window)
    report = judge_by(place / f"{window}-{monoid}.json", subject)
    assert report.verdict.outcome == "conforms", report.verdict.sentence
    assert re.fullmatch(r"on all [\d,]+ vectors it agrees with the reference", report.verdict.sentence)


def test_conform_by_vectors(place: Path) -> None:
    options = ("--window", "fifo", "--vectors", str(place))
    wrong = invoke("conform", f"{SUBJECTS}/wrong.py:LosesAtFlip", *options, "--json", "-")
    data = json.loads(wrong.stdout)
    assert wrong.exit_code == 1
    assert re.fullmatch(r"vector fifo-concatenation-[0-9a-f]{10} \(.*\)", data["witness"]["found_by"])
    assert data["witness"]["minimal"]
    options = ("--window", "fifo", "--vectors", str(place / "fifo-concatenation.json"))
    unknown = invoke("conform", f"{SUBJECTS}/right.py:ListWindow", *options, "--budget", "0")
    assert unknown.exit_code == 3
    assert "give more time" in unknown.stdout or "before any answer was checked" in unknown.stdout
    none = invoke("conform", f"{SUBJECTS}/right.py:ListWindow", *options, "--monoid", "matrix")
    assert none.exit_code == 2
    assert "none for a fifo window over matrix" in none.stderr


BREAKS: dict[str, tuple[str, str, str]] = {
    "syntax": ('"answers": [""]', '"answers": [""', r"line \d+, column \d+: Expecting ',' delimiter"),
    "format": ("swagproof-vectors", "other-vectors", 'field format: expected "swagproof-vectors"'),
    "version": ('"version": 1', '"version": true', "field version: expected 1, found true"),
    "window": ('"window": "fifo"', '"window": []', r"field window: expected one of fifo, .* found \[\]"),
    "monoid": ('"monoid": "concatenation"', '"monoid": "nonsense"', "field monoid: nonsense: not one of count"),
    "seed": ('"seed": 0', '"seed": -1', "field seed: expected a whole number, found -1"),
    "twice": ('"seed": 0', '"seed": 1, "seed": 0', "an object has the field seed twice"),
    "unknown": ('"seed": 0', '"seed": 0, "sead": 0', "field sead: there is no such field"),
    "missing": ('"comment": ', '"komment": ', r"vectors\[0\]: field komment: there is no such field"),
    "encoding": ('"encoding": [', '"encoding": [3, ', "field encoding: expected a list of strings"),
    "words": ('"bug": "operands swapped"', '"bug": 3', "field flags: expected an object that describes each flag"),
    "aggregation": ('"identity": ""', '"identity": "b"', 'field aggregation.identity: expected "", found "b"'),
    "flag": ('"flags": ["short words"]', '"flags": ["sort words"]', r'vectors\[\d\].flags: "sort words" is none of'),
    "no flag": ('"flags": ["short words"]', '"flags": []', r"vectors\[0\]: field flags: expected a list of flags"),
    "list": ('"operations": [["query"]]', '"operations": 3', r"vectors\[0\]: field operations: expected a list of"),
    "operation": ('[["query"]]', '[["pop"]]', r'line 11: vectors\[0\]: operations\[0\]: \["pop"\] is none of'),
    "illegal": (
        '[["query"]]',
        '[["evict"], ["query"]]',
        r"vectors\[0\]: operation 1: evict: evict no more elements than",
    ),
    "id": ('[["query"]]', '[["query"], ["query"]]', r'vectors\[0\].id: expected .* found "fifo-concatenation-42e099'),
    "answer": ('"answers": [""]', '"answers": ["b"]', r'vectors\[0\].answers\[0\]: expected "", found "b"'),
    "answers": ('"answers": [""]', '"answers": []', r'vectors\[0\].answers: expected \[""\], found \[\]'),
    "within": ('"answers": [""]', '"answers": [""], "within": 3', r"vectors\[0\].within: expected null, found 3"),
}


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.drawn(10)
def test_a_broken_file_names_line_and_field(name: str, tmp_path: Path) -> None:
    old, new, message = BREAKS[name]
    text = made("fifo", "concatenation").text()
    assert old in text
    file = tmp_path / "broken.json"
    file.write_text(text.replace(old, new, 1))
    result = invoke("vectors", str(file), "--check")
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.match(rf"Error: {re.escape(str(file))}: .*{message}", result.stderr)


def test_ids_and_bounds_are_held_too(tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    text = made("fifo", "concatenation").text()
    first = next(line for line in text.splitlines() if line.startswith('  {"id"'))
    file.write_text(text.replace(first, f"{first}\n{first}"))
    result = invoke("vectors", str(file), "--check")
    assert re.search(
        r"vectors\[1\].id: fifo-concatenation-[0-9a-f]{10} is also the id of an earlier vector", result.stderr
    )
    text = made("fifo", "float-sum").text()
    for bounds in ('"within": [1e9, ', '"within": 3, "without": ['):
        file.write_text(text.replace('"within": [', bounds, 1))
        result = invoke("vectors", str(file), "--check")
        assert result.exit_code == 2
        assert re.search(r"vectors\[0\].within(\[0\])?: expected |field without: there is no such field", result.stderr)
    data = json.loads(made("fifo", "sum").text())
    vector = next(vector for vector in data["vectors"] if 1 in vector["answers"])
    vector["answers"] = [True if answer == 1 else answer for answer in vector["answers"]]
    file.write_text(json.dumps(data))
    assert re.search(r"answers\[\d+\]: expected 1, found true", invoke("vectors", str(file), "--check").stderr)


def test_usage_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "no files of vectors here" in invoke("vectors", str(tmp_path), "--check").stderr
    assert "No such file" in invoke("vectors", str(tmp_path / "none.json"), "--check").stderr
    assert invoke("vectors", str(tmp_path / "file"), "--window", "fifo", "--monoid", "sum").exit_code == 2
    assert "is not one of" in invoke("vectors", str(tmp_path), "--monoid", "summ").stderr


def test_the_command_tells_what_it_wrote(tmp_path: Path) -> None:
    result = invoke("vectors", str(tmp_path / "new"), "--window", "fifo", "--monoid", "sum", "--json", "-")
    (told,) = json.loads(result.stdout)["files"]
    assert told["file"] == str(tmp_path / "new" / "fifo-sum.json")
    assert told["vectors"] == len(made("fifo", "sum").vectors)
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"fifo-sum.json", SCHEMA}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_consumer_in_javascript(place: Path) -> None:
    command = ["node", str(TESTS.parent / "examples" / "vectors.js"), str(place)]
    right = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (right.returncode, right.stderr) == (0, "")
    count = sum(len(read(file).vectors) for file in place.glob("fifo-*.json"))
    assert right.stdout == f"{count} vectors passed\n"
    planted = subprocess.run([*command, "planted"], capture_output=True, text=True, check=False)
    assert planted.returncode == 1
    assert re.match(
        r"fifo-concatenation-[0-9a-f]{10}: query \d+ answers .*\n  short words \(operands swapped\)", planted.stdout
    )


def test_the_example_for_github_uses_options_that_there_are() -> None:
    text = (TESTS.parent / "examples" / "github-actions.yml").read_text()
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in re.findall(r"uses: (\S+)", text))
    lines = [
        line
        for line in re.sub(r">-\n\s+|\n\s+(?=--)", " ", text).splitlines()
        if "swagproof " in line or "pytest " in line
    ]
    options = {
        name: {option for parameter in load_command(name).params for option in parameter.opts} for name in COMMANDS
    }
    known = {"pytest": {"--swagproof-effort", "--swagproof-seed", "--junit-xml"}, **options}
    asked = 0
    for line in lines:
        match = re.search(r"\bswagproof (\w+)|\b(pytest) tests", line)
        if match:
            used = set(re.findall(r"(?<= )--[a-z-]+", line))
            assert used <= known[match[1] or match[2]], line
            asked += len(used)
    assert asked > 10
