"""`conform --html` shows the failing trace as a movie: in the file, as a list of pictures, and played in a browser."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser
from support.places import TESTS

from swagproof.cli import commands
from swagproof.learn.filming import LARGEST, MOST, film
from swagproof.oracle.commands.conform import conform
from swagproof.oracle.trace import EVICT, QUERY, Step, Trace, evict_at, insert, insert_at
from swagproof.oracle.verdict import Witness
from swagproof.reports.delivery import FORMATS
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


@pytest.mark.parametrize(
    "witness",
    [
        witness_of(),
        witness_of(insert(1), QUERY, monoid="mine.py:Sum"),
        witness_of(insert("a"), QUERY, window="shared"),
        witness_of(EVICT, QUERY),
    ],
    ids=["no operation", "a monoid that is not ours", "another kind of window", "what the reference refuses"],
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
    context.close()
    assert errors == []
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator(".shot:visible").count() == 4
    context.close()
