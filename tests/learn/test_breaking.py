"""Registered mutants run in the explorer as in the proofs, and the explorer finds what they break."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from swagproof.learn import breaking, tables, written
from swagproof.learn import session as session_module
from swagproof.learn.plays.repertoire import PLAYS
from swagproof.learn.session import Session
from swagproof.learn.settings import Setting, read_setting
from swagproof.learn.showing import show_errata
from swagproof.learn.texts import Text
from swagproof.learn.written import TABLES, find_changes, forms_of, read_table
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.errata.erratum import LISTS
from swagproof.proofs.in_order.fifo import BLIND_EVICT
from swagproof.proofs.ledger import cache
from swagproof.reference.catalogue import COLUMNS, REACTIVE_AGGREGATOR


def test_every_table_is_named_and_has_every_algorithm() -> None:
    assert TABLES == (*tables.MAKERS,)
    assert {*read_table("claims")} == {*PLAYS}


def test_a_table_is_made_once_for_a_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(tables, "make_table", lambda name: made.append(name) or {"of": name})
    for digest, count in (("one", 1), ("one", 1), ("another", 2)):
        monkeypatch.setattr(cache, "digest_source", lambda digest=digest: digest)
        monkeypatch.setattr(written, "_open_cache", lambda: cache.Cache(tmp_path))
        assert written.read_table.__wrapped__("errata") == {"of": "errata"}
        assert made == ["errata"] * count


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search like the page, with more time, without the oracle, and without minimising."""
    monkeypatch.setattr(session_module, "WINDOWS", {})
    monkeypatch.setattr(session_module, "find_broken", partial(breaking.find_broken, seconds=30.0))
    monkeypatch.setattr(breaking, "SHORTENED", 0)


IN_ORDER = ("two-stacks", "two-stacks-lite", "daba", "daba-lite", "recalculate-from-scratch", "subtract-on-evict")
UNSEEN = {
    "flat-fat": ["new swaps the operands", "update takes a location twice", "a place outside is not refused"],
    "reactive-aggregator": [BLIND_EVICT.name, "evict does not look whether the ticket is in the window"],
    "slicing:-panes": ["panes of one time unit"],
    "slicing:-starts": ["slices of one time unit"],
    "cutty": ["an item that is no record costs a combine call"],
    "ordered-sharing": ["lookup re-calculates before the first tuple"],
    "b-tree": [
        "a root with entries is removed",
        "a range is looked for from the root",
        "a range combines fifty times in vain",
        "the search visits each node twice",
        "times are not looked at",
        "a value that moves from the previous comes last",
    ],
    "fiba": [
        "a range is looked for from the root",
        "a range combines fifty times in vain",
        "the search visits the left finger five times",
        "times are not looked at",
        "a value that moves from the previous comes last",
    ],
    "fiba-bulk": [
        "a merge of the last leaf leaves the right finger",
        "a root without entries is not repaired",
        "aggregates are not put off",
        "the nodes that have changed are kept",
        "mending moves one child only",
    ],
    "slick-deque": ["the operands are swapped"],
    **{key: [BLIND_EVICT.name] for key in (*IN_ORDER, "reactive-aggregator-fifo", "base-intervals")},
    "two-stacks-lite": [BLIND_EVICT.name, "evict combines in vain while the front lasts"],
}
"""Mutants that no answer and no clause shows; the page names the claim that refutes them.

The page checks the clauses on the methods of the algorithm itself.  No clause of a tree or of slices states its space,
none of a bulk operation or of a range its combine calls, and none of a search its nodes.  The histories of bulk
operations tried here are short.  An amortised cost is no clause of a single evict.  A precondition of the checked class
refuses the wrong input before the algorithm itself does.  The last mutants of FiBA, the B-tree and SlickDeque need
other histories or operators than the page tries.
"""


@pytest.mark.usefixtures("cut")
@pytest.mark.parametrize("slug", [*read_table("mutants")])
@pytest.mark.drawn(1)
def test_every_registered_mistake_is_found_and_played(slug: str) -> None:
    names = [mutant["name"] for mutant in read_table("mutants")[slug]]
    assert {name for name in names if not is_found(slug, name)} <= {*UNSEEN.get(slug, ())}


def is_found(slug: str, name: str) -> bool:
    """Return whether the history found for a mutant breaks something, and only at its last step."""
    session = Session()
    changes = find_changes(name, slug)
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
        changes = find_changes(name, "two-stacks")
        session.handle({**changed, "changes": changes})
        found = session.handle({"do": "break"})
        assert (found["over"]["monoid"], found["elsewhere"]) == (monoid, monoid == "letters")


def broken_by(slug: str, name: str) -> dict[str, Any]:
    """Return the history found for a mutant, with its first step that breaks something."""
    session = Session()
    session.handle({"do": "open", "algorithm": slug, "history": []})
    changes = session.handle({"do": "mutant", "name": name})["changes"]
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
        ("daba", "query combines in vain", "1 combine call"),
    ],
)
@pytest.mark.drawn(2)
def test_what_a_mistake_breaks_is_found(slug: str, name: str, by: str) -> None:
    found = broken_by(slug, name)
    looks = zip(found["clauses"], found["step"]["looks"], strict=True)
    names = [clause["name"] for clause, look in looks if look["holds"] is not True]
    assert by in [*names, found["step"]["fails"]]
    assert found.get("by") == ("contract" if by == "1 combine call" else None)


FORMS = [(slug, number) for slug in PLAYS for number in range(len(forms_of(slug)))]


@pytest.mark.parametrize(("slug", "number"), FORMS)
@pytest.mark.drawn(8)
def test_what_is_refuted_plays(slug: str, number: int) -> None:
    """Check that the printed form ends in a wrong answer, and the corrected one does not; a sentence has a history."""
    session, form = Session(), forms_of(slug)[number]
    asked = {"do": "open", "algorithm": slug, **{name: form[name] for name in ("monoid", "options", "history")}}
    told = session.handle({**asked, "history": []})["errata"]
    assert form["name"] in [each["name"] for entry in told for each in entry["forms"]]
    changes = session.handle({"do": "mutant", "name": form["name"]})["changes"] if form["name"] else {}
    for played, wrong in ((changes, True), ({}, False)):
        last = len(session.handle({**asked, "changes": played})["steps"]) - 1
        assert bool(session.handle({"do": "step", "at": last})["fails"]) is (wrong and bool(played))
    assert bool(form["says"]) is not bool(changes)


@pytest.mark.parametrize("id", ["FIBA-3", "FIBA-4", "OS-1", "OS-2", "OS-5"])
def test_what_plays_as_printed_is_the_shortest_trace_that_the_proofs_find(id: str) -> None:
    """Ignore the last query, which a tree's trace omits or spells differently."""
    (entry,) = [each for each in read_table("errata") if each["id"] == id]
    for form in entry["forms"]:
        words = ", ".join(" ".join(map(str, operation)) for operation in form["history"] if "query" not in operation[0])
        assert words in entry["case"]


def test_each_erratum_is_on_a_page_and_plays_or_says_why_not_and_has_a_case() -> None:
    refuted = [entry for entry in read_table("errata") if entry["list"] == LISTS["refuted"]]
    shown = {entry["id"] for column in COLUMNS if column.slug in PLAYS for entry in show_errata(column)}
    assert {entry["id"] for entry in refuted} <= shown
    assert all(entry["case"] for entry in refuted)
    assert all(bool(entry["forms"]) is not bool(entry["unplayed"]) for entry in refuted)
    assert [entry["id"] for entry in refuted if entry["unplayed"]] == ["CUTTY-3", "FAT-1", "WIN-2"]


@pytest.mark.parametrize(
    ("id", "answers"),
    [
        ("DEF-1", ["b"]),
        ("OPS-4", ["ba"]),
        ("FIBA-2", ["a"]),
        ("SLICE-3", ["[[0, 0, 7, abcdefg]]", "[[0, 3, 10, defghij]]"]),
        ("WIN-1", ["[[0, 0, 2, ab]]", "[[0, 2, 4, cd]]"]),
        ("TG-1", ["[2, 6]"]),
    ],
)
def test_what_is_said_of_a_history_is_what_the_algorithm_answers(id: str, answers: list[str]) -> None:
    session = Session()
    for form in next(entry["forms"] for entry in read_table("errata") if entry["id"] == id):
        asked = {
            "do": "open",
            "algorithm": form["slug"],
            **{key: form[key] for key in ("monoid", "options", "history")},
        }
        steps = session.handle(asked)["steps"]
        told = [session.handle({"do": "step", "at": at})["answer"] for at, step in enumerate(steps) if step[2]]
        assert [answer for answer in told if answer in answers] == answers


def test_the_numbers_that_are_said_of_a_history_are_those_that_are_played() -> None:
    """The numbers are DABA's calls of evicts and inserts, and the number of the Reactive Aggregator's slots and of
    those in use."""
    for slug, evict, insert in (("daba", 3, 1), ("daba-lite", 2, 1)):
        (form,) = [each for each in forms_of(slug) if "each evict takes" in each["says"]]
        assert f"each evict takes {evict} calls, each insert {insert}," in form["says"]
        session = Session()
        steps = session.handle({"do": "open", "algorithm": slug, "history": form["history"]})["steps"]
        ends = [session.handle({"do": "step", "at": at}) for at, step in enumerate(steps) if step[2]]
        calls = [(form["history"][end["operation"]][0], end["calls"]) for end in ends if end["operation"] >= 3]
        assert {*calls} == {("evict", evict), ("insert", insert)}
    for form, slots, n in zip(forms_of("reactive-aggregator"), (16, 8, 8, 32), (4, 0, 0, 17), strict=True):
        window = REACTIVE_AGGREGATOR.algorithm(CONCATENATION, form["options"]["capacity"])
        for name, *arguments in form["history"]:
            getattr(window, name.removesuffix("_oldest"))(*arguments)
        assert (window.capacity, window.n_tuples) == (slots, n)


def test_the_reference_itself_is_not_accused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Setting, "others", lambda _setting: iter(()))
    session = Session()
    session.handle({"do": "open", "algorithm": "two-stacks-lite", "history": []})
    found = session.handle({"do": "break"})
    assert (found["outcome"], found["history"]) == ("conforms", None)


@pytest.mark.parametrize(
    ("slug", "monoid"), [(slug, monoid) for slug, play in PLAYS.items() for monoid in play.monoids]
)
@pytest.mark.drawn(3)
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
RIGHT = "self.monoid.combine(result, v)"


@pytest.mark.parametrize(
    ("result", "outcome", "monoid"),
    [
        (RIGHT, "conforms", "letters"),
        ("result + v", "violated", "max"),  # over texts this is the combine
        (f"{RIGHT} if v else result", "violated", "max"),  # of texts only the identity is empty
        (f"{RIGHT} if v != 0 else result", "violated", "max"),  # nor is its symbol in the explorer
    ],
)
@pytest.mark.drawn(2)
def test_a_class_is_judged_over_all_monoids_and_the_history_of_its_verdict_breaks_at_the_end(
    result: str, outcome: str, monoid: str
) -> None:
    found = Session().handle({"do": "judge", "source": MINE.replace("RESULT", result)})
    last = len(found["steps"]) - 1
    assert (found["outcome"], found["monoid"]) == (outcome, monoid), found
    shows = outcome == "violated" and "!= 0" not in result  # only plain values show this
    assert [at for at, step in enumerate(found["steps"]) if step[3]] == ([last] if shows else [])


def test_a_verdict_that_needs_a_bulk_is_not_played_and_says_so() -> None:
    source = MINE.replace("RESULT", RIGHT) + "    def bulk_evict(self, count): self.values.clear()"
    found = Session().handle({"do": "judge", "source": source})
    assert (found["outcome"], [step[3] for step in found["steps"] if step[3]]) == ("violated", [])
    assert "(not played here: ['bulk_evict'" in found["sentence"]


def test_a_constructor_that_never_returns_is_accused_and_its_movie_is_the_start() -> None:
    source = MINE.replace("(self, monoid): self", "(self, monoid):\n        while True: pass\n        self")
    session = Session()
    found = session.handle({"do": "judge", "source": source})
    assert found["sentence"].startswith("building the subject did not return"), found
    assert (found["outcome"], found["steps"], found["failed"]) == ("broken", [[-1, 0, 1, 1, 1]], True)
    assert "its constructor never returns" in session.handle({"do": "step", "at": 0})["fails"]


def test_an_answer_that_says_that_it_equals_everything_is_seen_to_be_wrong() -> None:
    odd = "class Odd:\n    def __eq__(self, other): return True\n"
    source = odd + MINE.replace("RESULT", RIGHT).replace("return result", "return Odd() if self.values[2:] else result")
    found = Session().handle({"do": "judge", "source": source})
    assert (found["outcome"], found["steps"][-1][3]) == ("violated", 1), found


def test_a_mistake_that_only_bulks_show_is_found_with_them() -> None:
    found = broken_by("fiba-bulk", "a bulk insert combines new with old")
    assert (found["outcome"], found["by"]) == ("violated", "contract")
    assert "bulk_insert" in [operation[0] for operation in found["history"]]


def test_a_search_that_finds_nothing_says_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = read_setting({"algorithm": "daba"})
    text = Text(usual.column.algorithm)
    monkeypatch.setattr(Setting, "others", lambda _setting: iter(()))
    for name, value in (("WORDS", 2), ("SIZES", (2,)), ("DRAWN", 1)):
        monkeypatch.setattr(breaking, name, value)
    found = breaking.find_broken(usual, text)
    assert re.fullmatch(r"every clause and contract held in \d+ histories, \d+ operations in all, .*", found.tried)
    late = breaking.find_broken(usual, text, -1)
    assert (late.history, late.tried.split(" in ")[1]) == (None, "0 histories, 0 operations")
    assert late.tried.endswith("seconds were over")


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
