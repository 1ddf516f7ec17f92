"""`conform --html` shows the failing trace as a movie: in the file, as a list of pictures, and played in a browser."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from playwright.sync_api import Browser
from support.places import TESTS

from swagproof.cli import commands
from swagproof.learn.filming import LARGEST, LONGEST, MOST, film
from swagproof.oracle.commands.conform import conform
from swagproof.oracle.trace import EVICT, QUERY, Step, Trace, evict_at, insert, insert_at
from swagproof.oracle.verdict import Witness
from swagproof.reports.delivery import FORMATS
from swagproof.reports.movie import Movie
from swagproof.reports.report import Report

HOSTILE = "</script><script>alert('x')</script>"


def witness_of(*steps: Step, monoid: str = "concatenation", window: str = "fifo") -> Witness:
    return Witness(
        Trace(steps, monoid, window), "ab", "ba", None, None, "wrong answer", minimal=True, found_by="replay"
    )


def page_of(witness: Witness) -> str:
    return FORMATS["html"][0](Report("violated", "it is wrong", {}, movie=film(witness)))


def test_the_command_puts_the_movie_into_the_page_and_into_nothing_else(tmp_path: Path) -> None:
    subject = [f"{TESTS}/subjects/wrong.py:OperandSwap", "--window", "fifo", "--trace", 'insert "a", insert "b", query']
    page, data = tmp_path / "page.html", tmp_path / "data.json"
    result = CliRunner().invoke(commands, ["conform", *subject, "--html", str(page), "--json", str(data)])
    text = page.read_text()
    assert result.exit_code == 1
    assert text.count('<li class="shot') == 3
    assert text.count("<svg") == 6
    assert "expected &quot;ab&quot;, got &quot;ba&quot; (fails)" in text
    assert "movie" not in json.loads(data.read_text())
    assert len(text) < 60_000
    # the command by itself, which nobody handed what draws, writes the page without
    assert CliRunner().invoke(conform, [*subject, "--html", str(page)]).exit_code == 1
    assert "<svg" not in page.read_text()


def test_each_frame_is_the_reference_after_its_operation() -> None:
    movie = film(witness_of(insert_at(2, "b"), insert_at(1, "a"), evict_at(2), QUERY, window="out-of-order"))
    assert movie is not None
    entries = [re.findall(r'data-id="entry (\d)"', svg) for frame in movie.frames for _, svg in frame.pictures]
    assert entries == [["2"], ["1", "2"], ["1"], ["1"]]
    assert [frame.number for frame in movie.frames] == [1, 2, 3, 4]


def test_long_traces_and_long_values_are_cut_and_it_is_said() -> None:
    movie = film(witness_of(*[insert("x" * 10_000)] * 400, EVICT, QUERY))
    assert movie is not None
    assert 0 < len(movie.frames) < MOST
    assert movie.frames[-1].number == 402
    assert sum(len(svg) for frame in movie.frames for _, svg in frame.pictures) <= LARGEST
    assert f"The first {402 - len(movie.frames)} operations are not drawn." in page_of(
        witness_of(*[insert("x" * 10_000)] * 400, EVICT, QUERY)
    )


SHARED = (Step("register", (2,)), Step("register", (3,)), *map(insert, "abcd"), Step("lookup", (2,)))
TIMED = (Step("span", (2,)), insert_at(1, "a"), insert_at(1, "b"), insert_at(2, "c"), Step("advance", (3,)), QUERY)


def texts_of(movie: Movie | None, at: int = -1) -> list[str]:
    assert movie is not None
    return re.findall(r"<text[^>]*>([^<]*)</text>", movie.frames[at].pictures[0][1])


def test_of_shared_windows_each_is_drawn_over_the_stream_with_its_answer() -> None:
    movie = film(witness_of(*SHARED, window="shared"))
    assert texts_of(movie)[:2] == ["newest 3: bcd", "newest 2: cd"]
    assert movie is not None
    assert len(movie.frames) == len(SHARED)


def test_of_a_window_over_time_what_has_lapsed_is_gone() -> None:
    movie = film(witness_of(*TIMED, window="time"))
    assert [texts_of(movie, at).count(name) for at in (3, -1) for name in ("at 1", "at 2")] == [2, 1, 0, 1]
    assert "now 3" in texts_of(movie)


@pytest.mark.parametrize(
    ("got", "rows"),
    [(["a", "ab", "cb"], ["results, row 1", "results, row 2", "results, row 3"]), (["a"], ["results"])],
    ids=["a row is wrong", "a row is missing"],
)
def test_of_frames_the_results_are_drawn_row_by_row_up_to_the_first_that_is_wrong(got: Any, rows: list[str]) -> None:
    steps = (Step("frame", ("rows", -1, 0)), insert_at(2, "b"), insert_at(1, "a"), insert_at(3, "c"), Step("results"))
    movie = film(replace(witness_of(*steps, window="frame"), expected=["a", "ab", "bc"], got=got))
    assert movie is not None
    assert [frame.operation for frame in movie.frames[4:]] == rows
    assert ("frame of row 3: rows 2 to 3" in texts_of(movie)) is (len(rows) == 3)
    assert movie.left_out == 0


def test_over_a_monoid_of_somebodys_own_products_are_drawn_as_their_elements_and_nothing_of_theirs_runs() -> None:
    movie = film(witness_of(insert(1), insert("b"), insert(None), EVICT, QUERY, monoid="not_there.py:Sum"))
    assert texts_of(movie).count("&quot;b&quot;·null") == 1


def test_a_recording_that_fails_has_its_movie_as_well(tmp_path: Path) -> None:
    rows = [{"op": "insert", "value": "a"}, {"op": "insert", "value": "b"}, {"op": "query", "answer": "ba"}]
    file, page = tmp_path / "recorded.jsonl", tmp_path / "page.html"
    file.write_text("".join(json.dumps({"trace": "t", "seq": seq, **row}) + "\n" for seq, row in enumerate(rows)))
    asked = ["replay", str(file), "--window", "fifo", "--monoid", "concatenation", "--html", str(page)]
    assert CliRunner().invoke(commands, asked).exit_code == 1
    assert page.read_text().count('<li class="shot') == 3


@pytest.mark.parametrize(
    "witness",
    [witness_of(), witness_of(EVICT, QUERY), witness_of(*[QUERY] * (LONGEST + 1))],
    ids=["no operation", "what the reference refuses", "a very long trace"],
)
def test_where_nothing_can_be_drawn_there_is_no_movie_and_no_script(witness: Witness) -> None:
    assert film(witness) is None
    assert not re.search("<script|script-src", page_of(witness))


def test_the_movie_plays_by_keyboard_and_what_was_inserted_runs_nothing(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(
        page_of(witness_of(insert_at(2, HOSTILE), insert_at(1, "b"), evict_at(1), QUERY, window="out-of-order"))
    )
    context = browser.new_context(reduced_motion="reduce", color_scheme="dark")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.goto(file.as_uri())
    shown = page.locator(".shot:visible")
    assert shown.count() == 1
    assert HOSTILE in shown.locator("h3").inner_text()
    page.locator(".movie").focus()
    for key, number in (("ArrowRight", "2."), ("ArrowRight", "3."), ("ArrowLeft", "2."), ("End", "4."), ("Home", "1.")):
        page.keyboard.press(key)
        assert shown.locator("h3").inner_text().startswith(number)
    page.get_by_role("button", name="Forward").click()
    assert page.locator("output").inner_text().startswith("2.")
    page.keyboard.press("End")
    assert "(fails)" in shown.inner_text()
    page.get_by_role("button", name="Play").click()  # from the start again
    assert shown.locator("h3").inner_text().startswith("1.")
    assert page.get_by_role("button", name="Pause").is_visible()
    page.keyboard.press("End")
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        violations = Axe().run(page).response["violations"]
        assert [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in violations] == []
    context.close()
    assert errors == []
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator(".shot:visible").count() == 4
    context.close()
