"""The lectures: links open their subjects, statements about them hold, and exercises tell right from wrong."""

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from playwright.sync_api import Page, expect
from support.places import TESTS

from swagproof.learn.commands.learn import learn
from swagproof.learn.lectures.quizzes import quizzes
from swagproof.learn.plays.repertoire import PLAYS, read_place
from swagproof.learn.serving.server import Server
from swagproof.learn.session import Session
from swagproof.oracle.claims import Claimant
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.subject import load_subject
from swagproof.reports.report import Outcome

LECTURES = TESTS.parent / "learn" / "lectures"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(LECTURES.glob("*.md"))}
LINKS = [link for text in TEXTS.values() for link in re.findall(r"\]\([./]*docs/manual/explorer.md#([^)]*)\)", text)]
PLACES = [link for link in LINKS if not link.startswith("quiz/")]


class Played:
    """The explorer's answers after a link is opened."""

    def __init__(self, place: str, **more: Any) -> None:
        algorithm, history = read_place(place)
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
        """Return the lines of the text that the last operation ran."""
        texts = {
            (each["name"], each["first"] + at): line["text"].partition("  #")[0].strip()
            for each in self.answer["functions"]
            for at, line in enumerate(each["lines"])
        }
        steps = self.answer["steps"]
        ran = [self.step(at) for at in range(len(steps)) if steps[at][0] == steps[-1][0] and not steps[at][2]]
        return [texts[each["function"], each["line"]] for each in ran]

    def cells(self, links: str) -> int:
        """Return the number of cells that show this field."""
        return len(re.findall(rf'class="shape cell[^>]*data-links="{links}', self.last["svg"]))


@pytest.mark.drawn(0)
def test_every_link_opens_the_page_at_its_history(page: Page) -> None:
    assert len(PLACES) > 20
    for place in PLACES:
        algorithm, history = read_place(place)
        page.evaluate("address => { location.hash = address }", place)
        expect(page.locator("#algorithm")).to_have_value(algorithm)
        expect(page.locator("#strip button")).to_have_count(len(history or ()))
        expect(page.locator("#strip button.bad")).to_have_count(0)
        expect(page.locator("#trouble")).to_be_hidden()


def test_what_the_first_lecture_says_is_so() -> None:
    assert Played("recalculate-from-scratch/iiiiiiiiq").calls == [0] * 8 + [8]
    assert Played("subtract-on-evict/iiiieq").calls == [1, 1, 1, 1, 0, 0]
    assert Played("two-stacks/iiiiiiiieeeeeeee").calls == [1] * 8 + [8] + [0] * 7
    assert Played("two-stacks/iiiiiiii").last["state"] == "8 elements: front stack 0, back stack 8"
    assert Played("two-stacks/iiiiiiiie").last["state"] == "7 elements: front stack 7, back stack 0"
    assert Played("two-stacks-lite/iiiiiiiie").calls[-1] == 7
    assert max(Played("daba/iiiiiiiieeeeeeee").calls) == 4
    cases = {
        "singleton": "self.B, self.A, self.R, self.L = self.E, self.E, self.E, self.E",
        "flip": "self.L, self.A, self.B = self.F, self.E, self.E",
        "shift": "self.A, self.R, self.L = self.A + 1, self.R + 1, self.L + 1",
        "shrink": "self.L = self.L + 1",
    }
    ran = {word: Played(f"daba/{word}").lines() for word in ("i", "iiii", "iiiii", "iiiiii")}
    assert {word: [name for name, line in cases.items() if line in lines] for word, lines in ran.items()} == {
        "i": ["singleton"],
        "iiii": ["flip", "shrink"],
        "iiiii": ["shrink"],
        "iiiiii": ["shift"],
    }


def test_what_the_second_lecture_says_is_so() -> None:
    ten = "1,2,3,4,5,6,7,8,9,10"
    assert Played(f"b-tree/{ten},q").calls[-1] == 0
    assert Played(f"fiba/{ten},q").calls[-1] <= 2
    repairs = {
        place: sum("def " not in line and ".agg = " in line for line in Played(f"{place}").lines())
        for place in (f"b-tree/{ten},11", f"fiba/{ten},11", f"fiba/{ten},0", f"fiba/{ten},5.5")
    }
    on_the_way, in_order, at_the_left, late = repairs.values()
    assert on_the_way == 2  # the leaf and the root: all nodes on the path
    assert in_order == at_the_left == 1  # only the finger's
    assert late > 1


def test_what_the_third_lecture_says_is_so() -> None:
    usual = Played("slicing:-panes/0,1,2,3,4,5,6,7,8,9,10,11")
    assert usual.answer["options"]["range"]["value"] == 6
    assert usual.answer["options"]["slide"]["value"] == 2
    assert usual.last["state"].split(", ")[1] == "3 windows open"  # each element is in three
    assert max(usual.calls) == 6 // 2 - 1
    apart = {"range": 5, "slide": 3}
    panes, pairs = (Played(f"slicing:-{name}/0,1,2,3,4,5,6,7,8,9,10,11", options=apart) for name in ("panes", "pairs"))
    assert panes.cells("slices") > pairs.cells("slices")
    exercise = {"range": 9, "slide": 4}
    panes, pairs = (
        Played(f"slicing:-{name}/{','.join(map(str, range(24)))}", options=exercise) for name in ("panes", "pairs")
    )
    assert (max(panes.calls), max(pairs.calls)) == (8, 4)
    shared = Played("ordered-sharing/r2,r3,r5,=3,=0,=4,=1,=2,l3")
    assert shared.last["answer"] == "4"
    assert "compute" not in " ".join(shared.lines())  # the answer is looked up
    assert "…" in Played("timegram/r5,=3,=1,=4,=1,=5,=9,=2").last["svg"]


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
@pytest.mark.drawn(2)
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


@pytest.mark.parametrize("lecture", quizzes())
def test_each_question_has_one_right_choice_that_running_finds(lecture: str) -> None:
    for at, quiz in enumerate(quizzes()[lecture]):
        asked = {"do": "quiz", "lecture": lecture, "at": at}
        answers = [Session().handle({**asked, "choice": choice}) for choice in Session().handle(asked)["choices"]]
        assert [each["is_right"] for each in answers].count(True) == 1, quiz["question"]
        assert len({each["says"].partition(": ")[2] for each in answers}) == 1
    assert "no question 99" in Session().handle({"do": "quiz", "lecture": lecture, "at": 99})["error"]


def test_a_quiz_is_asked_answered_by_running_and_goes_on_to_the_exercises(page: Page) -> None:
    page.evaluate("location.hash = 'quiz/out_of_order/1'")
    expect(page.locator("#question")).to_contain_text(
        "Question 2 of 3. The B-tree holds the same ten entries.", timeout=60_000
    )
    page.locator("#choices button", has_text="3").click()
    expect(page.locator("#question")).to_contain_text("3. Not quite: the answer is 0.", timeout=60_000)
    expect(page.locator("#strip button")).to_have_count(11)
    page.get_by_role("button", name="Next question").click()
    page.locator("#choices button", has_text="abecd").click()
    expect(page.locator("#question b")).to_have_text("abecd. Right: the answer is abecd.", timeout=60_000)
    expect(page.locator("#choices a")).to_have_attribute("href", "lectures/out_of_order.html#exercises")
    page.keyboard.press("Home")
    page.locator("#algorithm").select_option("two-stacks")
    expect(page.locator("#quiz")).to_be_hidden()


def test_home_has_every_algorithm_a_glossary_and_the_lectures_and_each_link_leads_somewhere(
    page: Page, server: Server
) -> None:
    home = f"http://127.0.0.1:{server.server_port}/"
    found = {home}
    waiting = [home]
    while waiting:
        page.goto(waiting.pop())
        for link in page.locator("a").evaluate_all("all => all.map(each => each.href)"):
            address, _, place = link.partition("#")
            assert address.startswith(home)
            if address not in found:
                assert page.request.get(address).ok, link
                found.add(address)
                waiting += [] if address.endswith("explorer.html") else [address]
            if place and not address.endswith("explorer.html"):
                assert f'id="{place}"' in page.request.get(address).text(), link
    assert {f"{home}lectures/{name}.html" for name in TEXTS} < found
    page.goto(home)
    assert page.locator(".cards article").count() == len(PLAYS)
    assert {"Monoid", "Invariant", "Spine", "Watermark"} <= {*page.locator(".glossary dt").all_inner_texts()}
    expect(page.locator("section svg").first).to_be_visible()
    for width, name in ((1280, "index.html"), (390, "index.html"), (390, "lectures/in_order.html")):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(home + name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert Axe().run(page).response["violations"] == []
    page.goto(f"{home}explorer.html#fiba/1,2,3")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#strip button")).to_have_count(3)
    expect(page.locator("#lecture")).to_have_attribute("href", "lectures/out_of_order.html")


def test_a_place_that_cannot_be_read_is_refused(page: Page, server: Server) -> None:
    run = CliRunner().invoke(learn, ["--no-open", "--at", "quicksort/iii"])
    assert run.exit_code == 2
    assert "quicksort: no algorithm of that name" in run.output
    assert "is not an operation; write as in daba/iiie" in CliRunner().invoke(learn, ["--at", "daba/ix"]).output
    page.goto("about:blank")
    page.goto(server.address_of("daba/iie"))
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#strip button")).to_have_count(3)
