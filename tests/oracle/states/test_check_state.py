"""`swagproof check-state`: states of running references hold, and every clause of every format can be broken."""

import copy
import json
import random
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.command import assert_refused
from support.places import TESTS

from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import CONCATENATION, OPERATIONS, SUM
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.commands.check_state import check_state, formats
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.programs.program import load_program
from swagproof.oracle.states.check import FORMATS, Clause, check, dump, outcome_of, state_of
from swagproof.oracle.subject import load_subject
from swagproof.oracle.trace import InputError
from swagproof.reference import catalogue

TELLING = f"{TESTS}/subjects/states/telling.py"
TREES = ("fiba", "b-tree")
BUFFERS = ("reactive-aggregator", "reactive-aggregator-fifo")


def running(algorithm: str, operations: int) -> Iterator[dict[str, Any]]:
    """The states that a reference under its contracts goes through, at every few operations."""
    operation = SUM if algorithm == "subtract-on-evict" else CONCATENATION
    chance = random.Random(algorithm)
    checked = FORMATS[algorithm].column.checked
    if algorithm == "flatfat":
        fat = checked(operation, list("abcdefgh"))
        for _ in range(operations):
            fat.update([(chance.randint(1, 8), chance.choice("xyz"))])
            yield dump(fat, operation)
        return
    window = checked(operation, 2) if algorithm in TREES else checked(operation)
    size = 0
    for number in range(operations):
        value: Any = number if operation is SUM else chr(97 + number % 26)
        if algorithm in TREES and chance.random() < 0.3:
            window.evict(chance.randint(0, 60))
        elif algorithm in TREES:
            window.insert(chance.randint(0, 60), value)
        elif size and chance.random() < 0.35:
            window.evict()
            size -= 1
        else:
            window.insert(value)
            size += 1
        if chance.random() < 0.2:
            window.query()
        yield dump(window, operation)


def judged(state: Any) -> list[Clause]:
    return check(*state_of(state, "state.json"))


@pytest.mark.parametrize("algorithm", FORMATS)
def test_states_of_running_references_hold_and_are_written_again_as_they_were_read(algorithm: str) -> None:
    for number, state in enumerate(running(algorithm, 60)):
        form, read = state_of(state, "state.json")
        assert form.write(read).items() <= state.items()
        again = json.loads(json.dumps(state))
        assert {clause.outcome for clause in judged(again)} == {"holds"}, (number, state)


@pytest.mark.parametrize("algorithm", FORMATS)
def test_the_example_of_each_format_holds(algorithm: str) -> None:
    example = {"algorithm": algorithm, "monoid": "concatenation", **FORMATS[algorithm].example}
    assert outcome_of(judged(example)) == "conforms"
    assert set(FORMATS[algorithm].example) <= {*FORMATS[algorithm].fields, "window", "monoid"}


def mutants(data: Any) -> Iterator[Any]:
    """Yield what a value may be instead, in one place."""
    if isinstance(data, bool):
        yield not data
    elif isinstance(data, int):
        yield from (data - 1, data + 1, data + 5, 0)
    elif isinstance(data, str):
        yield data + "x"
    elif isinstance(data, list):
        yield from (data[1:], data[:-1], data * 5, data[::-1])
        for at, item in enumerate(data):
            for other in mutants(item):
                yield [*data[:at], other, *data[at + 1 :]]
    elif isinstance(data, dict):
        for name, item in data.items():
            for other in mutants(item):
                yield {**data, name: other}
            if name != "bottom":
                yield {other: item for other, item in data.items() if other != name}
        if "times" in data:
            yield {**data, "parent": []}
            yield {**data, "parent": None}


@pytest.mark.parametrize("algorithm", FORMATS)
def test_every_clause_is_broken_by_a_change_in_one_place(algorithm: str) -> None:
    clauses = {clause.__name__ for clause in FORMATS[algorithm].column.contract.INVARIANT}
    broken: set[str] = set()
    refused: list[str] = []
    states = list(running(algorithm, 60))
    for state in (states[2], states[9], states[33], states[-1]):
        right = {name: state[name] for name in ("algorithm", "monoid", "window")}
        for mutant in mutants({name: value for name, value in state.items() if name not in right}):
            try:
                found = judged({**right, **copy.deepcopy(mutant)})
            except InputError as error:
                refused.append(str(error))
                continue
            broken |= {clause.name for clause in found if clause.outcome == "broken"}
    assert broken == clauses
    assert all(message.startswith("state.json: field ") for message in refused)


def goes_on(state: dict[str, Any], steps: int, chance: random.Random) -> bool:
    """Return whether the reference, put into this state, answers rightly from there on."""
    form, read = state_of(copy.deepcopy(state), "state.json")
    operation = OPERATIONS[state["monoid"]]
    window = form.column.algorithm(operation, *([state["min_arity"]] if form.algorithm in TREES else []))
    for name, value in vars(read).items():
        if name != "model":
            setattr(window, name, value)
    model: Any = FifoWindow[Any](operation) if form.algorithm not in TREES else OutOfOrderWindow[Any](operation)
    for entry in state["window"]:
        model.insert(*(entry if form.algorithm in TREES else [entry]))
    for number in range(steps):
        if window.query() != model.query():
            return False
        value = number if operation is SUM else chr(65 + number % 26)
        time = [chance.randint(0, 60)] if form.algorithm in TREES else []
        if (time or model.size) and chance.random() < 0.5:
            window.evict(*time)
            model.evict(*time)
        else:
            window.insert(*time, value)
            model.insert(*time, value)
    return True


@pytest.mark.parametrize("algorithm", [name for name in FORMATS if name not in ("flatfat", *BUFFERS)])
def test_what_holds_can_be_gone_on_from(algorithm: str) -> None:
    chance = random.Random(algorithm)
    states = list(running(algorithm, 40))
    went_on = 0
    for state in (states[3], states[10], states[25], states[-1]):
        right = {name: state[name] for name in ("algorithm", "monoid", "window")}
        for mutant in (state, *mutants({name: value for name, value in state.items() if name not in right})):
            try:
                held = outcome_of(judged({**right, **copy.deepcopy(mutant)})) == "conforms"
            except InputError:
                continue
            if held:
                went_on += 1
                assert goes_on({**right, **mutant}, 40, chance), mutant
    assert went_on > 4


@pytest.mark.parametrize("algorithm", ["two-stacks", "daba", "recalculate", "flatfat", *TREES])
def test_without_its_window_a_state_is_held_against_what_it_holds(algorithm: str) -> None:
    for state in running(algorithm, 30):
        del state["window"]
        assert outcome_of(judged(state)) == "conforms"


def test_the_lite_forms_have_overwritten_their_elements() -> None:
    clauses = judged(
        {"algorithm": "daba-lite", "monoid": "sum", "deque": [3, 2], **dict.fromkeys("LRAB", 2), "aggRA": 0, "aggB": 0}
    )
    assert {clause.name: clause.outcome for clause in clauses} == {
        "pointer_order": "holds",
        "ends": "holds",
        "sizes": "broken",
        "contents": "unknown",
        "aggRA": "holds",
        "aggB": "unknown",
    }


def test_a_clause_that_speaks_of_a_field_left_out_is_unknown() -> None:
    state = {"algorithm": "reactive-aggregator-fifo", "monoid": "concatenation"}
    state |= {**FORMATS["reactive-aggregator-fifo"].example}
    del state["events"]
    clauses = judged(state)
    assert [(clause.name, clause.why) for clause in clauses if clause.outcome != "holds"] == [
        ("batch", "not judged: the state has no field events")
    ]
    assert outcome_of(clauses) == "unknown"


DABA = {"algorithm": "daba", "deque": [{"val": 1, "agg": 1}], "R": 0, "A": 0, "B": 1}


@pytest.mark.parametrize(
    ("state", "name", "why"),
    [
        ({**DABA, "L": 0, "window": [2]}, "values", 'deque[0] is {"val": 1, "agg": 1}; v_0 is 2'),
        ({**DABA, "L": 1}, "pointer_order", "F is 0; L is 1; R is 0; A is 0; B is 1; E is 1"),
        ({"algorithm": "flatfat", "T": [4, 1, 2]}, "equation_4_2", "n is 2; v_1 ... v_2 is 3"),
        (
            {"algorithm": "two-stacks-lite", "deque": [3], "B": 7, "aggB": 0, "window": [3]},
            "contents",
            "deque[0] is 3; it leads to IndexError: product(0, 7) of a window of 1",
        ),
    ],
)
def test_a_broken_clause_says_which_values_break_it(state: dict[str, Any], name: str, why: str) -> None:
    (clause,) = (clause for clause in judged({"monoid": "sum", **state}) if clause.name == name)
    assert (clause.outcome, clause.why) == ("broken", why)


def lite(**changes: Any) -> dict[str, Any]:
    return {"monoid": "sum", "deque": [1, 2], "B": 0, "aggB": 3, "window": [1, 2], **changes}


def buffer(algorithm: str = "reactive-aggregator-fifo", **changes: Any) -> dict[str, Any]:
    return {"monoid": "concatenation", **FORMATS[algorithm].example, **changes}


def tree(**root: Any) -> dict[str, Any]:
    return {"monoid": "sum", "min_arity": 2, "root": {"times": [], "values": [], "agg": 0, **root}}


tickets = partial(buffer, "reactive-aggregator")


@pytest.mark.parametrize(
    ("algorithm", "state", "message"),
    [
        ("two-stacks-lite", [1], "expected an object with the fields algorithm, monoid, window, ..."),
        ("two-stacks-lite", lite(monoid="summ"), 'field monoid: "summ" is none of '),
        ("two-stacks-lite", lite(algorithm="daba"), "field aggB: daba has algorithm, monoid"),
        ("two-stacks-lite", lite(algorithm="tree"), 'field algorithm: "tree" is none of two-stacks'),
        ("two-stacks-lite", lite(L=3), "field L: two-stacks-lite has algorithm, monoid, window, deque, B, aggB, F, E"),
        ("two-stacks-lite", lite(B="1"), 'field B: expected a whole number, found "1"'),
        ("two-stacks-lite", lite(B=True), "field B: expected a whole number, found true"),
        ("two-stacks-lite", lite(deque=3), "field deque: expected a list, found 3"),
        ("two-stacks-lite", lite(deque=["a"]), "field deque[0]: expected a partial aggregate of sum"),
        ("two-stacks-lite", lite(window=[1, {"tuple": 1}]), "field window[1]: expected a partial aggregate of sum"),
        ("two-stacks-lite", lite(window=[True, 2]), "field window[0]: expected a partial aggregate of sum (true and"),
        ("reactive-aggregator-fifo", buffer(capacity=10**12), "field capacity: expected a number of slots"),
        ("reactive-aggregator-fifo", buffer(freed=[9]), "field freed[0]: expected a slot from 1 to 4, found 9"),
        ("reactive-aggregator-fifo", buffer(pending=[[0, "x"]]), "field pending[0]: expected [slot, value], a slot"),
        ("reactive-aggregator", tickets(slot_of=[[[0], 1]]), "field slot_of[0]: expected [ticket, slot], whole"),
        ("reactive-aggregator", tickets(slot_of=[[0, 1], [0, 3]]), "field slot_of[1]: expected [ticket, slot], whole"),
        ("reactive-aggregator", tickets(window=[["0", "a"]]), "field window[0]: expected [ticket, value], the ticket"),
        ("two-stacks-lite", {"monoid": "sum", "deque": [], "aggB": 0}, "field B is missing; see swagproof check-state"),
        ("two-stacks", {"monoid": "sum", "F": [{"val": 1}], "B": []}, 'field F[0]: expected {"val": ..., "agg": ...}'),
        ("b-tree", {"monoid": "sum", "min_arity": 2, "root": 3}, "field root: expected a node"),
        ("b-tree", {"monoid": "sum", "min_arity": 2, "root": {"values": [], "agg": 0}}, "field root.times: expected"),
        ("b-tree", tree(times=["x"]), 'field root.times[0]: expected a time, a number other than NaN, found "x"'),
        ("b-tree", tree(colour="red"), "field root.colour: expected one of times, values, agg, children"),
        ("b-tree", {**tree(), "min_arity": 1}, "field min_arity: expected 2 or more, found 1"),
        (
            "fiba",
            {**tree(), "left_finger": [0]},
            "field left_finger: expected the numbers of the children on the way to a node, found [0]",
        ),
    ],
)
def test_a_broken_file_names_its_field(tmp_path: Path, algorithm: str, state: Any, message: str) -> None:
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    result = CliRunner().invoke(check_state, [algorithm, str(file)])
    assert_refused(result, message)
    assert result.stderr.startswith(f"Error: {file}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1, column 2: Expecting property name"),
        ('{"B": 1, "B": 2}', "the field B is there twice"),
        ("[" * 100_000, "recursion"),
        (None, "No such file"),
    ],
)
def test_a_file_that_is_no_json(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "state.json"
    if text is not None:
        file.write_text(text)
    assert_refused(CliRunner().invoke(check_state, ["daba", str(file)]), message)


def test_exit_codes_and_standard_input() -> None:
    run = CliRunner().invoke
    assert run(check_state, ["two-stacks-lite", "-"], input=json.dumps(lite())).exit_code == 0
    violated = run(check_state, ["two-stacks-lite", "-", "--json", "-"], input=json.dumps(lite(aggB=4)))
    data = json.loads(violated.stdout)
    assert (violated.exit_code, data["outcome"]) == (1, "violated")
    assert [clause["outcome"] for clause in data["clauses"]] == ["holds", "holds", "holds", "broken"]
    without = {name: value for name, value in lite().items() if name != "window"}
    unknown = run(check_state, ["two-stacks-lite", "-"], input=json.dumps(without))
    assert unknown.exit_code == 3
    assert "no clause is broken, but 2 of 4 could not be judged" in unknown.stdout
    assert run(check_state, ["daba", "-"], input=json.dumps(lite(algorithm="two-stacks-lite"))).exit_code == 2
    assert run(check_state, ["three-stacks", "-"]).exit_code == 2


def test_the_formats_are_printed() -> None:
    result = CliRunner().invoke(check_state, ["--formats"])
    assert (result.exit_code, result.stdout) == (0, formats() + "\n")
    for form in FORMATS.values():
        assert f"{form.algorithm}: {form.column.name}" in result.stdout


def test_only_references_with_a_format_are_dumped() -> None:
    with pytest.raises(TypeError, match="OrderedSharing is no reference whose state has a format"):
        dump(catalogue.ORDERED_SHARING.algorithm(), OPERATIONS["max"])
    plain = catalogue.DABA.algorithm(SUM)
    plain.insert(3)
    assert "window" not in dump(plain, SUM)


# A subject that tells its state


@pytest.mark.parametrize(
    ("name", "window", "clause"),
    [
        ("FlipsBackwards", "fifo", "after operation 4, evict: two-stacks, front_aggregates: "),
        ("KeepsTheAccumulator", "fifo", 'after operation 1, insert "a": daba-lite, aggB: '),
        ("ForgetsTheSpine", "out-of-order", 'after operation 4, insert 4 "d": fiba, inner_aggregate: '),
        ("TellsNonsense", "fifo", 'after operation 1, insert "a": its state: field algorithm: "three-stacks" is none'),
        ("RaisesWhenAsked", "fifo", "state() raised RuntimeError: not now"),
        ("StateIsFine", "fifo", None),
    ],
)
@pytest.mark.drawn(2)
def test_the_clause_that_breaks_first_is_in_the_verdict(name: str, window: str, clause: str | None) -> None:
    subject = load_subject(f"{TELLING}:{name}", window)
    witness = judge(subject, domains_of(subject), seed=0).verdict.witness
    assert witness is not None
    assert witness.clause is None if clause is None else (witness.clause or "").startswith(clause)


def test_a_right_subject_that_tells_its_state_conforms() -> None:
    subject = load_subject(f"{TELLING}:RightDabaLite")
    assert judge(subject, domains_of(subject), seed=0, effort=20_000).verdict.outcome == "conforms"


def test_a_programs_state_is_looked_at_too() -> None:
    words = [sys.executable, f"{TESTS}/subjects/programs/talking.py", "swap", "state"]
    subject = load_program(words)
    assert subject.program is not None
    try:
        witness = judge(subject, domains_of(subject), seed=0).verdict.witness
    finally:
        subject.program.stop()
    assert witness is not None
    assert (witness.clause or "").startswith("after operation 4, evict: two-stacks, front_aggregates: ")
