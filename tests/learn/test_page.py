"""The page in a real browser: it shows exactly the session's answers."""

import json
import re
from string import ascii_lowercase
from typing import Any
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from swagproof.learn.plays.repertoire import PLAYS, find_column, kinds
from swagproof.learn.serving.server import Server
from swagproof.learn.session import Session

HISTORY = [*(["insert", letter] for letter in "abcdefgh"), ["evict"], ["evict"], ["query"]]


def link(server: Server, **short: Any) -> str:
    return f"http://127.0.0.1:{server.server_port}/explorer.html#{quote(json.dumps(short))}"


def visit(page: Page, address: str) -> None:
    """Open an address in a fresh page."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-ready]")


def show(page: Page, server: Server, **short: Any) -> None:
    """Open a link in a fresh page."""
    visit(page, link(server, **short))


def find_what_breaks(page: Page, mutant: str, says: str) -> None:
    page.locator("#mutant").select_option(mutant)
    page.get_by_role("button", name="Find what it breaks").click()
    expect(page.locator("#found")).to_contain_text(says, timeout=30_000)


def run_text(page: Page, function: str, text: str) -> None:
    page.locator("#function").select_option(function)
    page.locator("#source").fill(text)
    page.get_by_role("button", name="Run this text").click()


def cells(picture: str) -> list[str]:
    """Return the texts of the shapes of a picture, by id."""
    texts = re.findall(r'data-id="([^"]+)"(.*?)(?=<g |</svg)', picture, re.DOTALL)
    return sorted(f"{id}: {' '.join(re.findall(r'<text[^>]*>([^<]*)</text>', inside))}" for id, inside in texts)


@pytest.mark.parametrize(
    ("algorithm", "history"),
    [
        *((algorithm, HISTORY) for algorithm in ("two-stacks", "two-stacks-lite", "daba", "daba-lite")),
        *((algorithm, None) for algorithm in ("fiba", "flat-fat", "slicing:-pairs", "ordered-sharing")),
    ],
)
@pytest.mark.drawn(1)
def test_it_steps_forward_and_back_and_shows_what_python_says(
    page: Page, server: Server, algorithm: str, history: Any
) -> None:
    show(page, server, a=algorithm, m="letters", h=history, s=16)
    page.locator("#detail").select_option("lines")
    session = Session()
    steps = session.handle({"do": "open", "algorithm": algorithm, "history": history})["steps"]
    expect(page.locator("#where")).to_contain_text(f" of {len(steps) - 1}")
    start = int(page.input_value("#time"))  # the first of the paper's lines from step 16 on
    tour = [*range(start + 1, start + 15), *range(start + 13, start + 8, -1)]
    for number in tour:
        page.keyboard.press("ArrowRight" if number > int(page.input_value("#time")) else "ArrowLeft")
        expect(page.locator("#where")).to_have_text(f"step {number} of {len(steps) - 1}")
        said = session.handle({"do": "step", "at": number})
        shown = page.locator("#picture svg").evaluate(
            "svg => { const copy = svg.cloneNode(true); copy.querySelectorAll('.leaves').forEach(g => g.remove());"
            " return copy.outerHTML; }"
        )
        assert cells(shown) == cells(said["svg"])
        holds = page.locator("#clauses li.holds .name").all_inner_texts()
        assert len(holds) == sum(look["holds"] is True for look in said["looks"])


def in_view(page: Page, name: str) -> bool:
    """Return whether a shape is within the picture's box, left and right."""
    return bool(
        page.locator(f'#picture [data-id="{name}"]').evaluate(
            "shape => { const place = (each) => each.getBoundingClientRect();"
            " const [box, its] = [place(shape.closest('#picture')), place(shape)];"
            " return its.left >= box.left && its.right <= box.right; }"
        )
    )


@pytest.mark.drawn(0)
def test_the_picture_follows_what_a_step_has_changed_and_the_page_stays(page: Page, server: Server) -> None:
    show(page, server, a="daba", m="letters", h=[["insert", each] for each in ascii_lowercase[:25]], s=0)
    for key, changed, far in (("End", "val 24", "val 0"), ("Shift+ArrowLeft", "pointer E", "val 0")):
        before = page.locator("#where").inner_text()
        page.keyboard.press(key)
        expect(page.locator("#where")).not_to_have_text(before)
        assert in_view(page, changed)
        assert not in_view(page, far)
    page.keyboard.press("End")
    expect(page.locator("#last")).to_be_disabled()
    page.locator("#ask button[value=evict]").click()
    expect(page.locator("#now")).to_contain_text("self.F = self.F + 1")
    assert in_view(page, "pointer F")
    assert not in_view(page, "val 24")
    show(page, server, a="fiba", m="letters", h=[["insert", time, "a"] for time in range(1, 60)], s=0)
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("insert 59")
    assert in_view(page, "entry 59")
    assert page.evaluate("scrollX + scrollY") == 0


SCREENS = [(1280, 720), (1440, 900), (1600, 1000)]
TREE = [["insert", time, letter] for time, letter in enumerate("abcdefghijkl", start=1)]


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize(("algorithm", "history", "at"), [("daba", HISTORY, 60), ("fiba", TREE, 300)])
@pytest.mark.drawn(2)
def test_picture_narration_line_and_controls_are_on_one_screen_and_the_projector_enlarges(
    page: Page, server: Server, width: int, height: int, algorithm: str, history: Any, at: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    show(page, server, a=algorithm, m="letters", h=history, s=at)
    pictures: list[float] = []
    for is_large in (False, True):
        if is_large:
            page.get_by_role("button", name="Projector").click()
        for part in ("#picture svg", "#says", "#now code", "#play", "#time", *([] if is_large else ["#code tr.now"])):
            box = page.locator(part).bounding_box()
            assert box, part
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= height + 1, part
        pictures.append(page.locator("#picture svg").evaluate("svg => svg.getBoundingClientRect().width"))
        assert page.evaluate("[scrollY, document.documentElement.scrollWidth]") == [0, width]
    assert pictures[1] > pictures[0]
    page.get_by_role("button", name="Projector").click()


def test_on_a_phone_the_controls_stay_in_view_and_on_a_desk_the_header_is_one_line(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    show(page, server, a="daba", m="letters", h=HISTORY, s=0)
    for _ in range(6):
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("ArrowLeft")
        controls = page.locator(".controls").bounding_box()
        assert controls
        assert controls["y"] + controls["height"] <= 640
    page.set_viewport_size({"width": 1280, "height": 720})
    show(page, server, a="stream-slicing", m="letters", h=None, s=0)
    tops = page.locator("header select, header button").evaluate_all("all => all.map((each) => each.offsetTop)")
    assert max(tops) - min(tops) < 10


@pytest.mark.drawn(0)
def test_the_code_scrolls_inside_its_panel_to_the_current_line(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    show(page, server, a="fiba", m="letters", h=TREE, s=0)
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("ArrowLeft")
        line, panel = (page.locator(part).bounding_box() for part in ("#code tr.now", "#code"))
        assert line
        assert panel
        assert panel["y"] <= line["y"] <= panel["y"] + panel["height"] - 10
        assert page.evaluate("scrollY") == 0


def test_of_a_link_that_cannot_be_opened_it_is_said_why_and_what_is_open_instead(page: Page, server: Server) -> None:
    good = {"a": "two-stacks", "m": "letters", "h": [["insert", "a"]]}
    whole = link(server, **good)
    show(page, server, **good)
    for address, why in (
        (whole[:-9], "it is cut off, or was never one of this page"),
        (f"{whole.partition('#')[0]}#%E0%A4%A", "it is cut off"),
        (f"{whole.partition('#')[0]}#[1,2]", "it names no algorithm"),
        (link(server, **good, steps=[1]), "it is of another form than this page's links: steps"),
        (link(server, **{**good, "h": "abc"}), "it is of another form than this page's links: h"),
        (link(server, **{**good, "h": [["push", "a"]]}), "['push', 'a'] is none of insert, evict, query"),
        (link(server, **{**good, "a": "quicksort"}), "quicksort"),
    ):
        page.evaluate("address => { location.href = address }", address)
        expect(page.locator("#trouble")).to_contain_text(f"The link cannot be opened: {why}")
        expect(page.locator("#trouble")).to_contain_text("Open is Two-Stacks instead.")
        expect(page.locator("#strip button")).to_have_count(1)
    visit(page, whole[:-9])
    expect(page.locator("#trouble")).to_contain_text("or was never one of this page. Open is DABA instead.")
    page.evaluate("address => { location.href = address }", whole)
    expect(page.locator("#trouble")).to_be_hidden()


def test_an_operation_by_hand_a_link_and_what_it_restores(page: Page, server: Server) -> None:
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#where")).to_have_text("step 0 of 0")
    page.get_by_label("insert: element").fill("x")
    page.get_by_role("button", name="insert", exact=True).click()
    expect(page.locator("#strip button")).to_have_count(1)
    page.get_by_role("button", name="query", exact=True).click()
    expect(page.locator("#strip button")).to_have_count(2)
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("the answer is x")
    expect(page).to_have_url(re.compile("#.{3,}"))
    page.wait_for_timeout(300)
    visit(page, page.url)
    expect(page.locator("#strip button")).to_have_count(2)
    expect(page.locator("#says")).to_contain_text("the answer is x")


@pytest.mark.drawn(0)
def test_a_bulk_is_entered_by_hand_stepped_and_in_a_link(page: Page, server: Server) -> None:
    show(page, server, a="fiba-bulk", m="letters", h=[["insert", 2, "b"]], s=0)
    expect(page.get_by_label("bulk_insert: entries")).to_have_value("3 b, 4 b, 5 b")
    page.get_by_label("bulk_insert: entries").fill("1 a, 3 c,4 d")
    page.get_by_role("button", name="bulk insert").click()
    expect(page.locator("#strip button").last).to_have_attribute("data-name", "bulk_insert")
    expect(page.locator("#says")).to_contain_text('bulk_insert 1 "a", 3 "c", 4 "d": Start at the fingers')
    page.get_by_label("bulk_evict: time").fill("2")
    page.get_by_role("button", name="bulk evict").click()
    expect(page.locator("#strip button")).to_have_count(3)
    page.get_by_role("button", name="query", exact=True).click()
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("the answer is cd")
    expect(page.locator("#strip-says")).to_contain_text("I is bulk insert, E is bulk evict")
    page.wait_for_timeout(300)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#strip button")).to_have_count(4)
    expect(page.locator("#says")).to_contain_text("the answer is cd")


def test_a_verdict_that_playing_does_not_show_is_said_beside_it(page: Page) -> None:
    source = page.locator("#mine").input_value()
    right = source.replace("for v in self.front + self.back", "for v in self.front[::-1] + self.back")
    wrong = "self.monoid.combine(result, v) if v != 0 else result"
    page.locator("#mine").fill(right.replace("self.monoid.combine(result, v)", wrong))
    page.get_by_role("button", name="Judge it").click()
    expect(page.locator("#verdict")).to_contain_text("Playing it here shows no error", timeout=60_000)
    expect(page.locator("#strip button.bad")).to_have_count(0)


def test_a_link_that_carries_code_is_not_run_until_it_is_told_to(page: Page, server: Server) -> None:
    code = {"Daba.insert": "    def insert(self, v):\n        raise SystemError\n"}
    show(page, server, a="daba", m="letters", h=[["insert", "a"]], c=code)
    expect(page.locator("#carried-code")).to_contain_text("raise SystemError")
    expect(page.locator("#mistake")).to_be_hidden()
    page.get_by_role("button", name="Run it").click()
    expect(page.locator("#says")).to_contain_text("SystemError")
    expect(page).to_have_url(re.compile("SystemError"))
    page.reload()  # with the data that this tab has written
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#mistake")).to_contain_text("Daba.insert is changed")
    expect(page.locator("#carried")).to_be_hidden()


def test_a_clause_lights_its_cells_and_a_cell_its_clauses(page: Page) -> None:
    page.locator("#clauses button", has_text="values").hover()
    lit = page.locator("#picture .lit").evaluate_all("all => all.map(g => g.dataset.id)")
    assert {"pointer F", "val 3"} <= {*lit}
    assert "agg 3" not in lit
    page.locator('#picture [data-id="agg 3"]').hover()
    assert page.locator("#clauses button.lit .name").all_inner_texts() == ["aggregates"]


def test_the_keyboard_alone_suffices(page: Page) -> None:
    page.keyboard.press("Home")
    expect(page.locator("#time")).to_have_value("0")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("#strip [aria-current]")).to_have_text("i")
    page.locator("#picture").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#picture .pointed")).to_have_count(1)
    expect(page.locator("#says")).not_to_be_empty()
    page.locator("#evict, #ask button[value=evict]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#strip button")).to_have_count(10)
    page.locator("#picture").focus()
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_text("⏸ Pause")
    page.keyboard.press(" ")
    page.locator("#claims summary").first.focus()
    page.keyboard.press(" ")
    expect(page.locator("#claims details").first).to_have_attribute("open", "")
    expect(page.locator("#play")).to_have_text("▶ Play")
    page.locator("#last").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#play")).to_be_focused()  # not lost with the disabled button


@pytest.mark.drawn(0)
def test_a_number_that_would_become_another_is_refused(page: Page, server: Server) -> None:
    show(page, server, a="daba", m="sum", h=[["insert", 2**53 - 1]])
    page.get_by_label("insert: element").fill(str(2**53 + 1))
    page.get_by_role("button", name="insert", exact=True).click()
    expect(page.locator("#trouble")).to_contain_text(f"'{2**53 + 1}' is not an element of sum")
    expect(page.locator("#strip button")).to_have_count(1)


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("width", "large"), [(1280, False), (390, True), (1280, True)])
def test_no_accessibility_violation_and_nothing_wider_than_the_screen(page: Page, width: int, large: bool) -> None:
    """Check every algorithm's page, in light and dark mode in turn, with all folds open.  Algorithms of one kind differ
    only in their picture, so accessibility is checked for one of each kind."""
    page.set_viewport_size({"width": width, "height": 800})
    if large:
        page.get_by_role("button", name="Projector").click()
    one_of_each = {kind: slug for slug, kind in kinds().items()}.values()
    wrong: dict[str, Any] = {}
    for number, algorithm in enumerate(one_of_each if width > 390 else PLAYS):
        page.emulate_media(color_scheme="dark" if number % 2 else "light", reduced_motion="reduce")
        page.locator("#algorithm").select_option(algorithm)
        expect(page.locator("#algorithm")).to_have_value(algorithm)
        expect(page.locator("#picture svg")).to_be_visible()
        expect(page).to_have_title(f"{find_column(algorithm).name} · swagproof learn")
        page.evaluate(
            "document.querySelectorAll('#claims details, #errata details').forEach((each) => { each.open = true; })"
        )
        found = Axe().run(page).response["violations"] if algorithm in one_of_each else []
        said = [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found]
        wide = page.evaluate("document.documentElement.scrollWidth")
        if said or wide > width:
            wrong[algorithm] = (said, wide)
    assert wrong == {}


def test_a_mutant_is_told_by_the_invariant_that_the_paper_names_where_it_breaks_in_the_picture(page: Page) -> None:
    find_what_breaks(page, "shrink forgets the accumulator", "Broken invariant: aggregates, after operation 5, evict.")
    expect(page.locator("#says")).to_contain_text("broken invariant: aggregates")
    expect(page.locator("#clauses li.fails .name")).to_have_text(["aggregates"])
    assert page.locator("#picture .broken").count() > 0
    assert page.evaluate("scrollY") == 0
    whole = "box => box.scrollHeight <= box.clientHeight + 1"
    assert all(page.locator(each).evaluate(whole) for each in ("#picture", "#beside-picture"))
    page.keyboard.press("End")
    expect(page.locator("#clauses li.fails .name")).to_have_text(["aggregates"])
    page.wait_for_timeout(600)  # faded elements have gone, and returned ones have not
    assert page.locator("#beside .cell").count() == page.locator("#picture .cell").count() > 0
    page.get_by_role("button", name="Restore the reference").click()
    expect(page.locator("#mistake")).to_be_hidden()
    page.locator("#mutant").select_option("shrink swaps left and right")
    expect(page.locator("#found")).to_have_text("shrink swaps left and right: what does it break?")
    expect(page.locator("#mistake")).to_contain_text("Daba.fixup is changed")
    page.locator("#algorithm").select_option("two-stacks")
    expect(page.locator("#found")).to_be_empty()
    expect(page.locator("#mistake")).to_be_hidden()


def test_a_syntax_error_is_shown_beside_the_editor(page: Page) -> None:
    run_text(page, "Daba.query", "    def query(self):\n        return self.pi_F(\n")
    expect(page.locator("#found")).to_contain_text("Daba.query, line 2 of the text below: '(' was never closed")
    expect(page.locator("#source")).to_be_focused()
    expect(page.locator("#trouble")).to_be_hidden()


HOLD = """() => {
  const ask = window.fetch;
  const held = new Promise((go) => (window.release = go));
  window.fetch = async (...asked) => {
    const reply = await ask(...asked);
    if (JSON.parse(asked[1].body).message.do === "open") await held;
    return reply;
  };
}"""
"""A state in which Python has long opened a history, but the page has not received it."""


def test_what_is_pressed_before_an_answer_has_come_starts_from_that_answer(page: Page) -> None:
    page.evaluate(HOLD)
    page.locator("#mutant").select_option("shrink swaps left and right")
    page.get_by_role("button", name="Find what it breaks").click()
    page.keyboard.press("Home")
    page.get_by_label("insert: element").fill("z")
    page.evaluate("release()")
    expect(page.locator("#found")).to_contain_text("Broken invariant: aggregates", timeout=30_000)
    expect(page.locator("#mistake")).to_contain_text("Daba.fixup is changed")
    expect(page.get_by_label("insert: element")).to_have_value("z")


def test_a_python_that_has_lost_what_is_open_opens_it_again(page: Page, server: Server) -> None:
    page.keyboard.press("Home")
    server.pages.stop()
    page.locator("#ask button[value=evict]").click()
    expect(page.locator("#strip button")).to_have_count(10)
    expect(page.locator("#trouble")).to_be_hidden()


@pytest.mark.drawn(0)
def test_what_never_ends_is_stopped_and_the_page_lives(page: Page) -> None:
    run_text(page, "Daba.insert", "    def insert(self, v):\n        while True: pass\n")
    expect(page.locator("#mistake")).to_contain_text("Daba.insert", timeout=30_000)
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("it may never end")
    page.get_by_role("button", name="Restore the reference").click()
    expect(page.locator("#mistake")).to_be_hidden()
    page.locator("#mine").fill("while True: pass")
    page.get_by_role("button", name="Judge it").click()
    expect(page.locator("#verdict")).to_contain_text("it may never end", timeout=90_000)
    page.keyboard.press("Home")
    expect(page.locator("#where")).to_contain_text("step 0 of")


def test_a_student_s_class_is_judged_played_and_opened_again_where_it_was_lost(page: Page, server: Server) -> None:
    page.get_by_role("button", name="Judge it").click()
    expect(page.locator("#verdict")).to_contain_text("violated", timeout=30_000)
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("should be")
    operations = page.locator("#strip button").count()
    server.pages.stop()  # the open session is lost
    page.get_by_role("button", name="query", exact=True).click()
    expect(page.locator("#strip button")).to_have_count(operations + 1)
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("should be")
    expect(page.locator("#trouble")).to_be_hidden()
    source = page.locator("#mine").input_value()
    page.locator("#mine").fill(
        source.replace("self.back[::-1], []", "self.back[::-1], []  # newest first").replace(
            "for v in self.front + self.back", "for v in self.front[::-1] + self.back"
        )
    )
    page.get_by_role("button", name="Judge it").click()
    expect(page.locator("#verdict")).to_contain_text("conforms", timeout=60_000)


def test_a_form_as_printed_plays_and_the_same_history_corrected(page: Page, server: Server) -> None:
    show(page, server, a="b-tree", m="letters", h=[], s=0)
    page.locator("#code button.entry", has_text="FIBA-4").first.click()
    page.get_by_role("button", name="Play it as printed").click()
    expect(page.locator("#mistake")).to_contain_text("FIBA-4, as printed")
    page.keyboard.press("End")
    expect(page.locator("#strip button").last).to_have_class("bad")
    expect(page.locator("#says")).to_contain_text("the answer is fed")
    expect(page.locator("#beside-says")).to_contain_text("the answer is fedc")
    assert page.locator("#beside .shape").count() > 10
    page.get_by_role("button", name="The same, corrected").click()
    expect(page.locator("#mistake")).to_be_hidden()
    expect(page.locator("#beside")).to_be_hidden()
    expect(page.locator("#strip button.bad")).to_have_count(0)
    expect(page.locator("#says")).to_contain_text("the answer is fedc")
    show(page, server, a="fiba", m="letters", h=[], s=0)
    page.locator("#erratum-FIBA-3 button").first.evaluate("button => button.click()")
    expect(page.locator("#mistake")).to_contain_text("FIBA-3, as printed")
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("the answer is dccb, and should be dcb")
    expect(page.locator("#picture .broken")).to_have_attribute("data-id", re.compile("^agg node"))
    show(page, server, a="reactive-aggregator", m="letters", h=[], s=0)
    page.locator("#erratum-RA-3 button").first.evaluate("button => button.click()")
    expect(page.locator("#mistake")).to_have_text("RA-3: halved from 16 slots to 8, the buffer is empty.")
    page.keyboard.press("End")
    expect(page.locator("#strip button.bad")).to_have_count(0)
    expect(page.locator("#options select")).to_have_value("16")
    expect(page.locator("#erratum-WIN-2")).to_contain_text("No algorithm here has windows whose range is a time")
    expect(page.locator("#erratum-WIN-1 dd").last).to_have_text("Slicing: panes")
    show(page, server, a="timegram", m="sum", h=[], s=0)
    page.locator("#erratum-TG-2 button").first.evaluate("button => button.click()")
    expect(page.locator("#mistake")).to_contain_text("TG-2, as printed")
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("[4, 6]")
    expect(page.locator("#beside-says")).to_contain_text("[2, 6]")


@pytest.mark.drawn(0)
def test_a_click_on_the_axis_of_times_inserts_a_late_element_there(page: Page, server: Server) -> None:
    show(page, server, a="fiba", m="letters", h=[["insert", 1, "a"], ["insert", 4, "b"]], s=0)
    page.get_by_label("insert: element").fill("z")
    early, late = (page.locator("#times .held", has_text=time).bounding_box() for time in ("1", "4"))
    axis = page.locator("#times .axis").bounding_box()
    assert early
    assert late
    assert axis
    aim = (late["x"] - (late["x"] - early["x"]) / 3 + late["width"] / 2, axis["y"] + 9)
    page.mouse.move(*aim)
    expect(page.locator("#times .drop")).to_have_text("t 3")
    page.mouse.click(*aim)
    expect(page.locator("#strip button")).to_have_count(3)
    expect(page.locator("#strip button").last).to_have_attribute("title", re.compile('insert 3 "z"'))
    page.locator("#algorithm").select_option("daba")
    expect(page.locator("#times")).to_be_hidden()
