"""Registered mistakes run in the explorer as the proofs register them, and what they break is found."""

import json
import re
from html import escape
from typing import Any

import pytest
from explorer import PLACE, in_order_curves, list_errata, list_variants
from proof_cases import list_cases, list_claims

from swagproof.learn import breaking
from swagproof.learn import session as session_module
from swagproof.learn.plays.repertoire import PLAYS, find_column
from swagproof.learn.products import NotNeighboursError, Segment, join_neighbours
from swagproof.learn.session import Session
from swagproof.learn.settings import Setting
from swagproof.learn.written import changes_of, curves, proofs, registered
from swagproof.proofs.experiments import EXPERIMENTS
from swagproof.reference.catalogue import FIFO, RECALCULATE


def test_what_is_written_down_is_what_is_registered() -> None:
    for name, made in (("variants", list_variants()), ("errata", list_errata())):
        assert json.loads((PLACE / f"{name}.json").read_text(encoding="utf-8")) == json.loads(json.dumps(made))


def test_the_cases_that_are_written_down_are_those_of_the_proof() -> None:
    assert proofs()["claims"] == json.loads(json.dumps(list_claims()))
    assert proofs()["cases"].keys() == {column.slug for column in FIFO}
    slug = RECALCULATE.slug
    assert proofs()["cases"][slug] == json.loads(json.dumps(list_cases((RECALCULATE,))))[slug]


def test_each_curve_is_a_plot_whose_points_say_what_was_counted_and_what_it_may_be() -> None:
    made = [*in_order_curves()]
    assert curves()[: len(made)] == json.loads(json.dumps(made))
    assert [each["id"] for each in curves()[len(made) :]] == [each.id for each in EXPERIMENTS]
    session = Session()
    for curve in curves():
        svg = session.handle({"do": "curve", "id": curve["id"]})["svg"]
        said = re.findall(r"<title>(.*?)</title>", svg)
        assert len(said) == len(curve["points"])
        for point in curve["points"]:
            assert any(each.startswith(f"{escape(point['series'])} at {point['x']:,}: ") for each in said)
    assert "FiBA, mu = 2 at 1,023: 20, at most 33" in session.handle({"do": "curve", "id": "fiba/visits"})["svg"]
    assert "error" in session.handle({"do": "curve", "id": "none"})


@pytest.mark.parametrize("slug", [column.slug for column in FIFO])
def test_a_case_of_a_proof_is_drawn_and_a_mistake_breaks_in_the_state_that_it_is_said_to(slug: str) -> None:
    session = Session()
    told = session.handle({"do": "open", "algorithm": slug, "history": []})["proofs"]["told"]
    drawn = [session.handle({"do": "case", "at": at}) for at in range(len(told["cases"]))]
    known = [case["history"] is not None for case in told["cases"]]
    assert [set(each) == {"before", "after"} for each in drawn] == known
    assert sum(known) >= len(known) - 4
    for wrong in told["wrong"]:
        if wrong["history"] is None:
            continue
        session.handle({"do": "open", "algorithm": slug, "history": []})
        changes = session.handle({"do": "variant", "name": wrong["name"]})["changes"]
        asked = {"algorithm": slug, "monoid": "segments", "changes": changes, "history": wrong["history"]}
        played = session.handle({"do": "open", **asked, "right": len(wrong["history"]) - 1})
        assert [at for at, step in enumerate(played["steps"]) if step[3]] == [len(played["steps"]) - 1], wrong["name"]


def test_segments_join_neighbours_alone() -> None:
    assert join_neighbours(Segment(2, 2), Segment(0, 1)) == Segment(0, 1)
    with pytest.raises(NotNeighboursError, match=r"\[1, 2\) and \[0, 1\) are no neighbours"):
        join_neighbours(Segment(1, 2), Segment(0, 1))


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's own search cut down to the histories that it tries first: the whole of it finds no less."""
    monkeypatch.setattr(session_module, "WINDOWS", {})
    monkeypatch.setattr(breaking, "SIZES", ())
    for name in ("WORDS", "DRAWN", "SHORTENED"):
        monkeypatch.setattr(breaking, name, 0)


@pytest.mark.usefixtures("cut")
@pytest.mark.parametrize("slug", [*registered()])
def test_every_registered_mistake_is_found_and_played(slug: str) -> None:
    assert [each["name"] for each in registered()[slug] if not is_found(slug, each["name"])] == []


def is_found(slug: str, name: str) -> bool:
    """Whether something is broken when what was found of a mistake is played, and not before its last step."""
    session = Session()
    changes = changes_of(find_column(slug).algorithm, name, slug)
    changed = {"do": "open", "algorithm": slug, "changes": changes}
    assert session.handle({**changed, "history": []})["changed"]
    found = session.handle({"do": "break"})
    if found["history"] is None:
        return False
    steps = session.handle({**changed, **found["over"], "history": found["history"]})["steps"]
    return [at for at, step in enumerate(steps) if step[3]] == [len(steps) - 1]


@pytest.mark.usefixtures("cut")
def test_what_is_open_shows_what_it_can_and_else_another_setting_does() -> None:
    session, changed = Session(), {"do": "open", "algorithm": "two-stacks", "monoid": "max", "history": []}
    for name, monoid in (("insert swaps the operands", "letters"), ("query forgets the back", "max")):
        changes = changes_of(find_column("two-stacks").algorithm, name, "two-stacks")
        session.handle({**changed, "changes": changes})
        found = session.handle({"do": "break"})
        assert (found["over"]["monoid"], found["elsewhere"]) == (monoid, monoid == "letters")


def broken_by(slug: str, name: str) -> dict[str, Any]:
    """What is found of a mistake, with the step where it first breaks something."""
    session = Session()
    session.handle({"do": "open", "algorithm": slug, "history": []})
    changes = session.handle({"do": "variant", "name": name})["changes"]
    session.handle({"do": "open", "algorithm": slug, "changes": changes, "history": []})
    found = session.handle({"do": "break"})
    played = session.handle({"do": "open", "algorithm": slug, "changes": changes, "history": found["history"]})
    broken = [number for number, each in enumerate(played["steps"]) if each[3]]
    return {**found, "step": session.handle({"do": "step", "at": broken[0]}), "clauses": played["clauses"]}


@pytest.mark.parametrize(
    ("slug", "name", "by"),
    [
        ("daba", "shrink swaps left and right", "aggregates"),
        ("daba", "never flips", "pointer order"),
        ("two-stacks", "insert swaps the operands", "back aggregates"),
        ("daba", "query combines in vain", "query calls"),
    ],
)
def test_what_a_mistake_breaks_is_found(slug: str, name: str, by: str) -> None:
    found = broken_by(slug, name)
    looks = zip(found["clauses"], found["step"]["looks"], strict=True)
    names = [clause["name"] for clause, look in looks if look["holds"] is not True]
    assert by in [*names, found["step"]["fails"]]
    assert found.get("by") == ("contract" if by == "query calls" else None)


@pytest.mark.parametrize(("slug", "id"), [("b-tree", "FIBA-4"), ("fiba", "FIBA-3"), ("fiba", "FIBA-4")])
def test_a_form_as_printed_answers_wrong_where_the_corrected_one_does_not(slug: str, id: str) -> None:
    session = Session()
    entries = session.handle({"do": "open", "algorithm": slug, "history": []})["errata"]
    forms = next(entry["printed"] for entry in entries if entry["id"] == id)
    assert forms
    for form in forms:
        changes = session.handle({"do": "variant", "name": form["name"]})["changes"]
        for played, wrong in ((changes, True), ({}, False)):
            message = {"do": "open", "algorithm": slug, "changes": played, "history": form["history"]}
            last = len(session.handle(message)["steps"]) - 1
            assert bool(session.handle({"do": "step", "at": last})["fails"]) is wrong


def test_the_reference_itself_is_not_accused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Setting, "others", lambda _setting: iter(()))
    session = Session()
    session.handle({"do": "open", "algorithm": "two-stacks-lite", "history": []})
    found = session.handle({"do": "break"})
    assert (found["outcome"], found["history"]) == ("conforms", None)


@pytest.mark.parametrize(
    ("slug", "monoid"), [(slug, monoid) for slug, play in PLAYS.items() for monoid in play.monoids]
)
def test_no_contract_accuses_a_reference(slug: str, monoid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breaking, "EFFORT", 100)
    monkeypatch.setattr(breaking, "WORDS", 40)
    monkeypatch.setattr(breaking, "DRAWN", 8)
    monkeypatch.setattr(Setting, "others", lambda _setting: iter(()))
    session = Session()
    session.handle({"do": "open", "algorithm": slug, "monoid": monoid, "history": []})
    assert session.handle({"do": "break"})["history"] is None


MINE = """class Mine:
    def __init__(self, monoid): self.monoid, self.values = monoid, []
    def insert(self, v): self.values.append(v)
    def evict(self): self.values.pop(0)
    def query(self):
        result = self.monoid.identity
        for v in self.values: result = RESULT
        return result
"""


@pytest.mark.parametrize(
    ("result", "more", "outcome", "played"),
    [
        ("self.monoid.combine(result, v)", "", "conforms", True),
        ("result + v", "", "violated", True),  # over texts it is the combine
        ("self.monoid.combine(result, v) if v else result", "", "violated", True),  # of texts only the identity is none
        ("self.monoid.combine(result, v)", "    def bulk_evict(self, count): self.values.clear()", "violated", False),
    ],
)
def test_a_class_is_judged_over_all_monoids_and_its_verdict_told_where_it_is_not_played(
    result: str, more: str, outcome: str, played: bool
) -> None:
    found = Session().handle({"do": "judge", "source": MINE.replace("RESULT", result) + more})
    assert found["outcome"] == outcome, found
    assert ("not played here" in found["sentence"]) is not played
    assert found["monoid"] == ("letters" if outcome == "conforms" or not played else "max")


def test_a_mistake_that_one_monoid_hides_is_found_over_another() -> None:
    session = Session()
    text = """    def query(self):
        return self.pi_B() if not self.pi_F() else self.monoid.combine(self.pi_F(), self.pi_B())"""
    session.handle({"do": "open", "algorithm": "two-stacks", "changes": {"TwoStacks.query": text}, "history": []})
    found = session.handle({"do": "break"})
    assert (found["outcome"], found["monoid"]) == ("violated", "max"), found


def test_a_dataclass_whose_annotations_are_texts_is_judged() -> None:
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass, field\n@dataclass\nclass Mine:\n"
        "    monoid: object\n    values: list[object] = field(default_factory=list)\n"
        "    def insert(self, v): self.values.append(v)\n    def evict(self): self.values.pop(0)\n"
        "    def query(self): return self.values[0] if self.values else self.monoid.identity\n"
    )
    found = Session().handle({"do": "judge", "source": source})
    assert (found.get("outcome"), found.get("diagnosis")) == ("violated", "element lost"), found


def test_a_class_that_cannot_be_judged_is_an_error_that_says_why() -> None:
    session = Session()
    for source, said in (
        ("class Mine:", "line 1"),
        ("x = 1", "no class with the methods insert, evict, query"),
        ("import nothing_of_that_name", "ModuleNotFoundError"),
    ):
        assert said in session.handle({"do": "judge", "source": source})["error"]
