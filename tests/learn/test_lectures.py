"""The lectures: links open what they speak of, what is said of it is so, and exercises tell right from wrong."""

import re
from typing import Any

import pytest
from manual import MANUAL, history_of, opened
from playwright.sync_api import Page, expect
from support.places import TESTS

from swagproof.learn.session import Session
from swagproof.oracle.claims import Claimant
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.subject import load_subject
from swagproof.reports.report import Outcome

TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((MANUAL / "lectures").glob("*.md"))}
PLACES = [place for text in TEXTS.values() for place in re.findall(r"\]\((explore:[^)]*)\)", text)]


class Played:
    """What the explorer says where a link opens it."""

    def __init__(self, place: str, **more: Any) -> None:
        algorithm, history = history_of(place)
        self.session = Session()
        self.answer = self.session.handle({"do": "open", "algorithm": algorithm, "history": history, **more})
        assert self.answer["history"] == history
        self.calls: list[int] = self.answer["calls"][1:]

    def step(self, at: int) -> dict[str, Any]:
        return self.session.handle({"do": "step", "at": at})

    @property
    def last(self) -> dict[str, Any]:
        return self.step(len(self.answer["steps"]) - 1)

    def lines(self) -> list[str]:
        """The lines of the text that the last operation ran."""
        texts = {
            (each["name"], each["first"] + at): line["text"].partition("  #")[0].strip()
            for each in self.answer["functions"]
            for at, line in enumerate(each["lines"])
        }
        steps = self.answer["steps"]
        ran = [self.step(at) for at in range(len(steps)) if steps[at][0] == steps[-1][0] and not steps[at][2]]
        return [texts[each["function"], each["line"]] for each in ran]

    def cells(self, links: str) -> int:
        """How many cells show this field."""
        return len(re.findall(rf'class="shape cell[^>]*data-links="{links}', self.last["svg"]))


def test_every_link_opens_the_page_at_its_history(page: Page) -> None:
    assert len(PLACES) > 20
    for place in PLACES:
        algorithm, history = history_of(place)
        page.evaluate("address => { location.hash = address }", opened(place))
        expect(page.locator("#algorithm")).to_have_value(algorithm)
        expect(page.locator("#strip button")).to_have_count(len(history))
        expect(page.locator("#strip button.bad")).to_have_count(0)
        expect(page.locator("#trouble")).to_be_hidden()


def test_what_the_first_lecture_says_is_so() -> None:
    assert Played("explore:recalculate-from-scratch/iiiiiiiiq").calls == [0] * 8 + [8]
    assert Played("explore:subtract-on-evict/iiiieq").calls == [1, 1, 1, 1, 0, 0]
    assert Played("explore:two-stacks/iiiiiiiieeeeeeee").calls == [1] * 8 + [8] + [0] * 7
    assert Played("explore:two-stacks/iiiiiiii").last["state"] == "8 elements: front stack 0, back stack 8"
    assert Played("explore:two-stacks/iiiiiiiie").last["state"] == "7 elements: front stack 7, back stack 0"
    assert Played("explore:two-stacks-lite/iiiiiiiie").calls[-1] == 7
    assert max(Played("explore:daba/iiiiiiiieeeeeeee").calls) == 4
    cases = {
        "singleton": "self.B, self.A, self.R, self.L = self.E, self.E, self.E, self.E",
        "flip": "self.L, self.A, self.B = self.F, self.E, self.E",
        "shift": "self.A, self.R, self.L = self.A + 1, self.R + 1, self.L + 1",
        "shrink": "self.L = self.L + 1",
    }
    ran = {word: Played(f"explore:daba/{word}").lines() for word in ("i", "iiii", "iiiii", "iiiiii")}
    assert {word: [name for name, line in cases.items() if line in lines] for word, lines in ran.items()} == {
        "i": ["singleton"],
        "iiii": ["flip", "shrink"],
        "iiiii": ["shrink"],
        "iiiiii": ["shift"],
    }


def test_what_the_second_lecture_says_is_so() -> None:
    ten = "1,2,3,4,5,6,7,8,9,10"
    assert Played(f"explore:b-tree/{ten},q").calls[-1] == 0
    assert Played(f"explore:fiba/{ten},q").calls[-1] <= 2
    repairs = {
        place: sum("def " not in line and ".agg = " in line for line in Played(f"explore:{place}").lines())
        for place in (f"b-tree/{ten},11", f"fiba/{ten},11", f"fiba/{ten},0", f"fiba/{ten},5.5")
    }
    on_the_way, in_order, at_the_left, late = repairs.values()
    assert on_the_way == 2  # the leaf and the root: all on the way
    assert in_order == at_the_left == 1  # the finger's alone
    assert late > 1


def test_what_the_third_lecture_says_is_so() -> None:
    usual = Played("explore:slicing:-panes/0,1,2,3,4,5,6,7,8,9,10,11")
    assert usual.answer["options"]["range"]["value"] == 6
    assert usual.answer["options"]["slide"]["value"] == 2
    assert usual.last["state"].split(", ")[1] == "3 windows open"  # each element is in three
    assert max(usual.calls) == 6 // 2 - 1
    apart = {"range": 5, "slide": 3}
    panes, pairs = (
        Played(f"explore:slicing:-{name}/0,1,2,3,4,5,6,7,8,9,10,11", options=apart) for name in ("panes", "pairs")
    )
    assert panes.cells("slices") > pairs.cells("slices")
    exercise = {"range": 9, "slide": 4}
    panes, pairs = (
        Played(f"explore:slicing:-{name}/{','.join(map(str, range(24)))}", options=exercise)
        for name in ("panes", "pairs")
    )
    assert (max(panes.calls), max(pairs.calls)) == (8, 4)
    shared = Played("explore:ordered-sharing/r2,r3,r5,=3,=0,=4,=1,=2,l3")
    assert shared.last["answer"] == "4"
    assert "compute" not in " ".join(shared.lines())  # it is looked up
    assert "…" in Played("explore:timegram/r5,=3,=1,=4,=1,=5,=9,=2").last["svg"]


RIGHT, WRONG, MADE = (f"{TESTS}/subjects/{name}.py" for name in ("right", "wrong", "exercises/handed_in"))
REFERENCE = "swagproof.reference"


@pytest.mark.parametrize(
    ("subject", "window", "claims", "outcome"),
    [
        (f"{MADE}:Inherits", "fifo", "recalculate", "conforms"),
        (f"{WRONG}:OperandSwap", "fifo", None, "violated"),
        (f"{MADE}:SwapsWhenLong", "fifo", None, "violated"),
        (f"{MADE}:Nothing", "fifo", None, "violated"),
        (f"{MADE}:Agrees", "fifo", None, "violated"),
        (f"{MADE}:Swallows", "fifo", None, "violated"),
        (f"{MADE}:Cells", "fifo", "recalculate", "violated"),
        (f"{MADE}:Cells", "fifo", "two-stacks", "conforms"),
        (f"{MADE}:Cells", "fifo", "daba", "violated"),
        (f"{REFERENCE}.in_order.two_stacks:TwoStacks", "fifo", "two-stacks", "conforms"),
        (f"{RIGHT}:ListWindow", "fifo", "two-stacks", "violated"),
        (f"{REFERENCE}.in_order.daba:Daba", "fifo", "daba", "conforms"),
        (f"{REFERENCE}.trees.b_tree:BTree", "out-of-order", "b-tree", "conforms"),
        (f"{REFERENCE}.trees.fiba:Fiba", "out-of-order", "fiba", "conforms"),
        (f"{MADE}:Recomputes", "out-of-order", None, "conforms"),
        ("swagproof.models.out_of_order:OutOfOrderWindow", "out-of-order", "b-tree", "violated"),
        (f"{MADE}:NewFirst", "out-of-order", None, "violated"),
        (f"{MADE}:Forgets", "out-of-order", None, "violated"),
        (f"{MADE}:Nothing", "out-of-order", None, "violated"),
        (f"{MADE}:Agrees", "out-of-order", None, "violated"),
        (f"{REFERENCE}.sharing.stream_sharing:NaiveStream", "shared", "stream", "conforms"),
        (f"{MADE}:Newest", "shared", None, "conforms"),
        (f"{MADE}:Newest", "shared", "stream", "violated"),
        (f"{MADE}:Nothing", "shared", None, "violated"),
    ],
)
@pytest.mark.drawn(4)
def test_an_exercise_s_check_takes_what_is_right_and_refuses_what_is_wrong(
    subject: str, window: str, claims: str | None, outcome: Outcome
) -> None:
    loaded = load_subject(subject, window, 10.0)
    try:
        judged = loaded if claims is None else Claimant.of(loaded, claims).subject
        found = judge(judged, [domain("concatenation")], effort=6_000).verdict
    finally:
        loaded.stop()
    assert found.outcome == outcome, found.sentence
    assert "--claims cutty" not in "".join(TEXTS.values())


def test_swapped_operands_take_two_elements_to_show() -> None:
    found = judge(load_subject(f"{WRONG}:OperandSwap", "fifo", 10.0), [domain("concatenation")], effort=2_000).verdict
    assert found.witness is not None
    assert sum(step.name == "insert" for step in found.witness.trace.steps) == 2
